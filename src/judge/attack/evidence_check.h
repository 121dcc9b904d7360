// SPDX-License-Identifier: Apache-2.0
// The pieces of evidence, each checked by itself: integers only, no solver, nothing taken on trust.
// Everything that is ever called protected or exposed has passed through here (checker.h).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/attack/holes.h"
#include "judge/attack/slack.h"
#include "lacuna/evidence.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::attack {

// Well formed, M z = 0 on every equation, every cell within its slack. The error says what is
// wrong.
Status check_displacement(const Table& table,
                          std::span<const Slack> slacks,
                          const Displacement& witness);

// As check_displacement, but for a direction in which one may go on for ever: a cell moves only
// where its slack has no end.
Status check_ray(const Table& table, std::span<const Slack> slacks, const Displacement& ray);

// sign * z_cell of a displacement (0 if the cell does not move).
Fraction displacement_of(const Displacement& witness, CellId cell, Direction direction);

// What the multipliers prove of sign * z_cell: an upper bound, or nothing if it is infinite, the
// multipliers are malformed or the number is out of range.
std::optional<Fraction> proven_bound(const Table& table,
                                     std::span<const Slack> slacks,
                                     CellId cell,
                                     Direction direction,
                                     const Multipliers& proof);

// The same of sign * f'z for a linear form f: d = s f - M'g. Slacks need not hold the truth (down
// or up below zero); then a form without terms with a bound below zero proves that no z is left.
std::optional<Fraction> proven_bound(const Table& table,
                                     std::span<const Slack> slacks,
                                     std::span<const Term> form,
                                     Direction direction,
                                     const Multipliers& proof);

// Whether a displacement keeps within other slacks of some of its cells.
bool keeps_within(std::span<const KnownSlack> slacks, const Displacement& witness);

// sign * f'z of a displacement.
Fraction displacement_of(const Displacement& witness,
                         std::span<const Term> form,
                         Direction direction);

// Multipliers that can be evaluated: equations of the table in order, numbers in range.
bool well_formed(const Table& table, const Multipliers& proof);

// No number is left: cases and chains narrow slacks so far.
bool is_empty(const Slack& slack);

// Cells of the table, in order.
Status check_form(const Table& table, std::span<const Term> form);
// As check_displacement, of whole numbers none of which is in a hole.
Status check_integer_witness(const Table& table,
                             std::span<const Slack> slacks,
                             const Displacement& witness,
                             const Holes& holes = {});
// A step of f'z: q >= 1 and f/q - M'h whole on every cell with slack.
Status check_step(const Table& table,
                  std::span<const Slack> slacks,
                  std::span<const Term> form,
                  const Step& step);

// What multipliers prove of s f'z in whole numbers, with a step that was checked or without one;
// nothing if there is no bound.
std::optional<Integer> proven_integer_bound(const Table& table,
                                            std::span<const Slack> slacks,
                                            std::span<const Term> form,
                                            Direction direction,
                                            const Multipliers& proof,
                                            const Step* step = nullptr);

// The largest multiple of q up to a number.
Integer rounded_to_step(const Integer& number, const Integer& q);

}  // namespace lacuna::attack

// SPDX-License-Identifier: Apache-2.0
// Intervals off centre. The narrowest safe intervals mostly lie evenly around the truth, so whoever
// takes their middles reads the table. Here both ends are moved outward by seeded amounts; wider is
// never less safe, and the audit judges what comes out all the same.
//
// Of an interval that reaches from L to U within what everyone knows, W = U - L, units being whole:
//
//   most   = max(4, floor(share W)),  least = max(3, ceil(most / 2))   of a sensitive cell,
//   most   = max(2, floor(share W)),  least = max(1, ceil(most / 2))   of any other,
//   e      = a whole number drawn evenly from [least, most]: what is added in all,
//   m      = a whole number drawn evenly from [0, e / 3]: what the lesser side gets,
//   [L', U'] = [L - m, U + e - m] or [L - e + m, U + m],  cut to what everyone knows.
//
// A draw counts if the truth a keeps a distance from what a reader would guess,
//
//   |(L' + U') / 2 - a| >= e / 6,  a - L' >= max(1, e / 6),  U' - a >= max(1, e / 6),
//
// the last two unless everyone knows that end anyway; else another is drawn, and if none of many
// counts the one whose nearest guess is farthest (the last ones may go one step beyond e). A
// reader who knows all of this, and L - a and U - a as well, but not the seed, is left with two
// ranges of candidates as far apart as e; three units leave four whole numbers. With an end that is
// not known at all, the other moves by e, and W is twice its distance from the truth.
//
// Which side gets more: inferred intervals are cut by the equations, and moves that do not fit
// together are cut away. So the sides follow the signs of one displacement z with M z = 0, a seeded
// sum of witnesses: a table that fitted before can follow z, and what can be inferred of a cell
// leans as what is published of it does. A cell that z does not move has its own coin. What can
// still be inferred evenly around the truth is mended by widen_along().
//
// In a table of counts a distance that is always kept tells more than it hides: an interval from 1
// to 5 whose truth is no end and not the middle leaves 2 and 4. There the first draw counts
// whatever the truth, and all cells grow alike, so that every number within the ends is possible.
// docs/intervals.md, section 6, says what a reader can make of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::draft {

struct OffCenterOptions {
  double share = 0.25;      // in [0, 10]: of its width that an interval may grow by; 0: not at all
  std::int32_t digits = 0;  // in [0, 18]: significant digits of ends, outward; 0: all
  std::uint64_t seed = 1;   // who knows it can undo the moves
  bool first_draw = false;  // the first draw counts, and all cells grow as sensitive ones do

  Status validate() const;
};

// The draft with its intervals moved; all else stays. `witnesses` are displacements of the draft
// (evidence.h) that say which moves fit together. The same seed gives the same draft.
Draft move_off_center(const Problem& problem,
                      const Draft& draft,
                      std::span<const Displacement> witnesses,
                      const OffCenterOptions& options);

// Makes room in `moved` for `factor` times a displacement, so that what can be inferred of its
// cells grows on that side. No interval grows by more than twice what move_off_center() may add to
// that of `draft`, and a step. False: there is no room to be had, or there is enough; then nothing
// has changed.
bool widen_along(const Problem& problem,
                 const Draft& draft,
                 const Displacement& witness,
                 const Fraction& factor,
                 const OffCenterOptions& options,
                 Draft& moved);

struct AddedWidth {
  struct Added {
    CellId cell;
    Units below = 0, above = 0;
  };
  std::vector<Added> added;  // one per interval, by cell
  Wide before = 0;           // sum over the intervals with two ends, in units
  Wide after = 0;
  std::int32_t stuck = 0;  // intervals that still have the truth in the middle or at an end,
                           // because what everyone knows leaves no room

  double loss() const;  // share of width added
};

// Of the intervals of `draft`, cut to what everyone knows, as `moved` has them.
AddedWidth added_width(const Table& table, const Draft& draft, const Draft& moved);

// Whether a reader hits the truth with the middle or with an end that is news.
bool is_centered(Units value, Bounds ends, Bounds prior);

}  // namespace lacuna::draft

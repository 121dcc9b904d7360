// SPDX-License-Identifier: Apache-2.0
// What an audit is asked: with a the true table and y = a + z another one that an attacker cannot
// rule out, how far must f'z be able to move, for a linear form f with whole coefficients? Files
// have requirements (problem.h) and questions about counts (counts.h); here both are questions, and
// whatever judges, proves, checks or reports knows no others.
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/counts.h"
#include "lacuna/export.h"
#include "lacuna/problem.h"
#include "lacuna/table.h"
#include "lacuna/units.h"

namespace LACUNA_API lacuna {

// What possible tables are made of. That an attacker can rule out some whole numbers within a range
// is knowledge of a cell, as the range is, and no domain of its own.
enum class Domain : std::uint8_t { kRational, kInteger };

struct Question {
  CountKind kind = CountKind::kLevels;
  Domain domain = Domain::kRational;
  std::int32_t attacker = 0;  // index into Problem::attackers
  CellId cell;                // that it is about
  CellId group{-1};           // of kinds all and group
  LinearForm form;

  // What must remain possible of f'z, as distances from the truth; what is not positive is the
  // truth itself, which is always possible.
  Units lower = 0, upper = 0;  // -f'z and f'z can be as much
  bool either = false;         // ... one of the two is enough
  Units sliding = 0;           // and the one and the other as much together
  Units values = 0;            // so many values, whatever their distance; 0: not asked
  LevelOrigin origin = LevelOrigin::kGiven;

  // Nothing but that the number is not printed.
  bool asks_nothing() const {
    return kind == CountKind::kLevels && lower <= 0 && upper <= 0 && sliding <= 0;
  }
  // What a number that is published without a range must be away from the truth for it, at least.
  Units half_sliding() const { return sliding / 2 + sliding % 2; }
  bool operator==(const Question&) const = default;
};

Question question_of(const Requirement& need);
Question question_of(const Problem& problem, const CountQuestion& asked);

// All requirements in their order, in rational numbers; then the questions about counts in theirs,
// in whole ones. That a release raises questions of its own is in core/draft/system.h.
std::vector<Question> questions_of(const Problem& problem);

// The value of a form at the truth.
Units form_value(const Table& table, const LinearForm& form);

}  // namespace lacuna

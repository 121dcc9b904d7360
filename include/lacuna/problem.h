// SPDX-License-Identifier: Apache-2.0
// What must hold of a release: attackers, and for each the protection levels of sensitive cells.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/counts.h"
#include "lacuna/export.h"
#include "lacuna/result.h"
#include "lacuna/table.h"
#include "lacuna/units.h"

namespace LACUNA_API lacuna {

struct Knowledge {  // what an attacker knows of one cell beyond what every outsider knows
  CellId cell;
  Bounds bounds;
  bool operator==(const Knowledge&) const = default;
};

struct Attacker {
  std::string name;
  std::vector<Knowledge> known;  // strictly increasing cells; bounds contain the value
  bool operator==(const Attacker&) const = default;
};

// Where the levels of a requirement come from. A sensitive cell without levels must not be exactly
// computable all the same: make_problem() raises three zeros to a sliding level of one unit, unless
// someone says that the zeros are meant (then the cell only has to be hidden, even if the totals
// give it away) or the attacker knows the value in advance (then nothing can be asked).
enum class LevelOrigin : std::uint8_t { kGiven, kImplied, kStated };

// For the interval [low, high] that the attacker can infer for the cell with value a:
// high >= a + upper, low <= a - lower, high - low >= sliding (thesis (3.5); UPL, LPL, SPL).
// Whatever the levels, the cell may not be published as it is.
struct Requirement {
  CellId cell;
  std::int32_t attacker = 0;  // index into Problem::attackers
  Units lower = 0;
  Units upper = 0;
  Units sliding = 0;
  LevelOrigin origin = LevelOrigin::kGiven;
  // The sliding level as it stands in files, where zeros are raised again by every reader.
  Units given_sliding() const { return origin == LevelOrigin::kImplied ? 0 : sliding; }
  // What a number that is published without a range must be away from the truth for it, at least.
  Units half_sliding() const { return sliding / 2 + sliding % 2; }
  bool asks_nothing() const { return lower == 0 && upper == 0 && sliding == 0; }
  bool operator==(const Requirement&) const = default;
};

struct CellKeys;  // keys.h

// What may go out although it is told: nothing, or all that is exposed. Said by whoever asks for
// the release, before anything is judged; never by a method.
enum class Waiver : std::uint8_t { kNothing, kExposed };
std::span<const std::string_view> enum_names(Waiver waiver);

struct Problem {
  Table table;
  std::vector<Attacker> attackers;         // never empty; the first is the outsider
  std::vector<Requirement> requirements;   // sorted by (cell, attacker), at most one each
  std::optional<CountRules> counts{};      // a table of counts, and what it is judged by besides
  std::shared_ptr<const CellKeys> keys{};  // for the cell key method; no part of the judgment
  Waiver waiver = Waiver::kNothing;

  bool asks_nothing() const {
    return requirements.empty() && !(counts && !counts->questions.empty());
  }
};

// Whether some attacker's requirement names the cell.
bool is_sensitive(const Problem& problem, CellId cell);

// The outsider: knows the structure, what is published, and the prior bounds.
Attacker outsider();

// What the attacker knows of a cell that is withheld: the prior and the attacker's own knowledge.
Bounds known_bounds(const Table& table, const Attacker& attacker, CellId cell);

// Puts a problem together: sorts requirements, adds some for primaries without any, raises zero
// levels (LevelOrigin), and checks that the levels are non-negative, that the cell may be withheld,
// that every attacker's knowledge contains the values, and that each level fits inside the
// attacker's own bounds (a level that no release can meet is an error that says so).
Result<Problem> make_problem(Table table,
                             std::vector<Attacker> attackers,
                             std::vector<Requirement> requirements);

// The problem in which zero levels are meant: what make_problem() raised is zero again.
Problem with_zero_levels_stated(Problem problem);

// What every requirement must be for any release to meet it: levels within what the attacker leaves
// open. make_problem() has checked it; knowledge that is added later may break it. Errors: the
// first that no release can meet, by cell.
Status check_requirements(const Problem& problem);

// The same problem with `decimals` digits after the point (at least as many as it has). Errors:
// fewer decimals than the table has, numbers that do not fit.
Result<Problem> with_decimals(const Problem& problem, int decimals);

}  // namespace lacuna

// SPDX-License-Identifier: Apache-2.0
// What must hold of a release: attackers, and for each the protection levels of sensitive cells.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

// The parts of a problem, open to change. Whoever changes more than Problem itself offers takes a
// problem apart and puts it together again (assemble_problem), which checks it.
struct ProblemParts {
  Table table;
  std::vector<Attacker> attackers;         // never empty; the first is the outsider
  std::vector<Requirement> requirements;   // sorted by (cell, attacker), at most one each
  std::optional<CountRules> counts{};      // a table of counts, and what it is judged by besides
  std::shared_ptr<const CellKeys> keys{};  // for the cell key method; no part of the judgment
  Waiver waiver = Waiver::kNothing;
};

// Every attacker, requirement and question names cells of the table, what attackers know contains
// the truth, requirements are in order, and the keys are those of the cells: whoever holds a
// Problem need not look.
class Problem {
 public:
  Problem();  // an empty table, of which nothing is asked

  const Table& table() const& { return parts_.table; }
  const std::vector<Attacker>& attackers() const& { return parts_.attackers; }
  const std::vector<Requirement>& requirements() const& { return parts_.requirements; }
  const std::optional<CountRules>& counts() const& { return parts_.counts; }
  const std::shared_ptr<const CellKeys>& keys() const& { return parts_.keys; }
  // Of one that ends here, so that nothing dangles: for (... : made().requirements()).
  Table table() && { return std::move(parts_.table); }
  std::vector<Attacker> attackers() && { return std::move(parts_.attackers); }
  std::vector<Requirement> requirements() && { return std::move(parts_.requirements); }
  std::optional<CountRules> counts() && { return std::move(parts_.counts); }
  std::shared_ptr<const CellKeys> keys() && { return std::move(parts_.keys); }
  Waiver waiver() const { return parts_.waiver; }
  bool asks_nothing() const {
    return requirements().empty() && !(counts() && !counts()->questions.empty());
  }

  // What no check can refuse.
  void set_weights(std::span<const double> weights);  // one per cell
  void set_priors(std::span<const Bounds> priors);    // one per cell, which contains its value
  void set_waiver(Waiver waiver) { parts_.waiver = waiver; }
  void drop_keys() { parts_.keys.reset(); }
  void drop_counts() { parts_.counts.reset(); }
  void drop_requirements(const std::function<bool(const Requirement&)>& gone);
  void drop_questions(const std::function<bool(const CountQuestion&)>& gone);
  void state_zero_levels();  // zero levels are meant: what make_problem() raised is zero again

  // Errors: keys of other cells; questions about cells or attackers that are not there. Nothing is
  // changed then.
  Status set_keys(std::shared_ptr<const CellKeys> keys);
  Status set_counts(CountRules rules);

  ProblemParts parts() const& { return parts_; }
  ProblemParts parts() && { return std::move(parts_); }

 private:
  friend Result<Problem> make_problem(Table, std::vector<Attacker>, std::vector<Requirement>);
  friend Result<Problem> assemble_problem(ProblemParts parts);
  explicit Problem(ProblemParts parts) : parts_(std::move(parts)) {}
  ProblemParts parts_;
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

// Puts changed parts together: nothing is added or raised, and levels may be beyond what an
// attacker leaves open (check_requirements). Errors: parts that do not fit each other.
Result<Problem> assemble_problem(ProblemParts parts);

// What every requirement must be for any release to meet it: levels within what the attacker leaves
// open. make_problem() has checked it; knowledge that is added later may break it. Errors: the
// first that no release can meet, by cell.
Status check_requirements(const Problem& problem);

// The same problem with `decimals` digits after the point (at least as many as it has). Errors:
// fewer decimals than the table has, numbers that do not fit.
Result<Problem> with_decimals(const Problem& problem, int decimals);

}  // namespace lacuna

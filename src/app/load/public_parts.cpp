// SPDX-License-Identifier: Apache-2.0
#include "app/load/public_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/base/decimal.h"
#include "core/base/spelling.h"
#include "data/publish/known_release.h"

namespace lacuna::load {
namespace {

constexpr Units kNotTold = kUnboundedBelow;
constexpr double kUsualPercent = 20;

std::size_t at(CellId cell) {
  return static_cast<std::size_t>(cell.value);
}

Error conflict(const std::string& message, const char* option) {
  return {ErrorCode::kOptionConflict, message, option};
}

// ---- what depends on hidden values is refused

Status check_options(const Problem& problem, const Assessment& asked) {
  const char* const kAgainst = "--against owner";
  if (asked.levels != LevelChoice::kFile || asked.zero_levels != ZeroLevels::kRaised)
    return conflict("against the owner of the program levels are public widths: say " +
                        base::named_option("public-width") + " instead",
                    "--levels");
  if (asked.waiver != Waiver::kNothing)
    return conflict("what is waived depends on hidden values, and the owner of the program sees it",
                    "--waive");
  if (!asked.released.empty() || !asked.known.empty())
    return conflict("earlier releases of this table are not yet judged together with a reader who "
                    "owns the program",
                    kAgainst);
  for (const Requirement& need : problem.requirements()) {
    if (need.attacker != 0)
      return conflict("what contributors know is hidden from other readers, so that no course can "
                      "be public which depends on it: against the owner of the program outsiders "
                      "alone are asked about (" +
                          base::named_setting("[attackers]", "respondents", "false") + ")",
                      kAgainst);
  }
  return ok_status();
}

// ---- the width

struct Width {
  enum class Kind : std::uint8_t { kShare, kNumber, kFile };
  Kind kind = Kind::kShare;
  double percent = kUsualPercent;
  Units number = 0;
};

Error no_width() {
  return {
      ErrorCode::kOptionValue, "a width is 20%, a number above 0, or file", "--public-width"};
}

Result<Width> width_of(const Assessment& asked, int decimals) {
  const std::string& text = asked.public_width;
  if (text.empty())
    return Width{};
  if (text == "file")
    return Width{Width::Kind::kFile, 0, 0};
  const bool share = text.back() == '%';
  const std::string digits = share ? text.substr(0, text.size() - 1) : text;
  if (share) {
    const auto percent = base::parse_double(digits);
    if (!percent || *percent <= 0)
      return no_width();
    return Width{Width::Kind::kShare, *percent, 0};
  }
  const auto number = base::parse_units(digits, decimals);
  if (!number || *number <= 0)
    return no_width();
  return Width{Width::Kind::kNumber, 0, *number};
}

Units width_for(const Width& width, const Requirement& need, const std::vector<Units>& sizes) {
  switch (width.kind) {
    case Width::Kind::kNumber:
      return width.number;
    case Width::Kind::kFile:
      return std::max(need.sliding, need.lower + need.upper);
    case Width::Kind::kShare:
      break;
  }
  const double size = std::abs(static_cast<double>(sizes[at(need.cell)]));
  return std::max<Units>(1, static_cast<Units>(std::ceil(size * width.percent / 100)));
}

// ---- rules on values

// Everyone is taken to know of every cell on which side of the guard band it is.
Result<Problem> closed_rule(Problem problem, const Assessment& asked, const Width& width) {
  const Units threshold = problem.counts()->threshold;
  const Units guard = asked.guard_band.value_or(2 * (threshold - 1));
  if (guard < threshold - 1)
    return Error{ErrorCode::kOptionValue,
                 "the guard band ends below the threshold: it must hold all counts that are "
                 "sensitive",
                 "--guard-band"};
  problem.drop_counts();
  ProblemParts parts = std::move(problem).parts();
  const Table& table = parts.table;
  TableBuilder builder(table.decimals(), table.dimensions());
  parts.requirements.clear();
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    Cell cell = table.cell(CellId{c});
    const bool open = may_be_withheld(cell) && !cell.prior.is_point();
    const bool low = cell.value <= guard;
    if (open)
      cell.prior =
          intersect(cell.prior, low ? Bounds{0, guard} : Bounds{guard + 1, kUnboundedAbove});
    if (open && low) {
      cell.status = CellStatus::kPrimary;
      // More values than those that are sensitive by the rule.
      const Units wanted = width.kind == Width::Kind::kNumber ? width.number : threshold - 1;
      const Units left = cell.prior.upper - cell.prior.lower;
      parts.requirements.push_back({.cell = CellId{c}, .sliding = std::min(wanted, left)});
    } else if (cell.status == CellStatus::kPrimary) {
      cell.status = CellStatus::kFree;
    }
    LACUNA_TRY([[maybe_unused]] const CellId added, builder.add_cell(cell, table.codes(CellId{c})));
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    const EquationId id{e};
    LACUNA_TRY([[maybe_unused]] const EquationId added,
               builder.add_equation(table.equation(id), table.rhs(id)));
  }
  LACUNA_TRY(parts.table, std::move(builder).build());
  parts.attackers.resize(1);
  return assemble_problem(std::move(parts));
}

// ---- sizes

// What is told with two ends, in the middle of them.
Units told_size(const Bounds& told) {
  return told.has_lower() && told.has_upper() ? told.lower + (told.upper - told.lower) / 2 : kNotTold;
}

// What last period's public file says of each cell of this table: by codes, or by number where
// neither has any.
Result<std::vector<Units>> told_before(const Table& table,
                                       const std::string& path,
                                       const Inputs& inputs) {
  LACUNA_TRY(std::string text, inputs.read(path));
  std::vector<Units> told;
  if (table.dimensions().empty()) {
    LACUNA_TRY(const auto known,
               publish::read_numbered_release(
                   std::move(text), path, table.num_cells(), table.decimals()));
    for (const Bounds& each : known)
      told.push_back(told_size(each));
    return told;
  }
  LACUNA_TRY(const auto known,
             publish::read_known_release(
                 std::move(text), path, table.dimensions(), table.decimals()));
  std::map<std::vector<std::int32_t>, Bounds> by_codes;
  for (const table::KnownCell& each : known)
    by_codes[each.codes] = each.bounds;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const auto codes = table.codes(CellId{c});
    const auto found = by_codes.find(std::vector<std::int32_t>(codes.begin(), codes.end()));
    told.push_back(found == by_codes.end() ? kNotTold : told_size(found->second));
  }
  return told;
}

Result<std::vector<Units>> sizes_of(const Table& table,
                                    const Assessment& asked,
                                    const Inputs& inputs,
                                    Units if_nothing) {
  std::vector<Units> sizes(static_cast<std::size_t>(table.num_cells()), if_nothing);
  if (!asked.weights_from.empty()) {
    LACUNA_TRY(std::vector<Units> told, told_before(table, asked.weights_from, inputs));
    sizes = estimated_sizes(table, std::move(told));
  }
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (!may_be_withheld(table.cell(CellId{c})))  // readers have it in any case
      sizes[at(CellId{c})] = table.value(CellId{c});
  }
  return sizes;
}

}  // namespace

std::vector<Units> estimated_sizes(const Table& table, std::vector<Units> told) {
  std::vector<Units> sizes;
  for (const Units each : told)
    sizes.push_back(each == kNotTold ? 0 : each);
  constexpr int kPasses = 3;  // parts of unknown totals come before these, or after
  for (int pass = 0; pass < kPasses; ++pass) {
    for (std::size_t c = 0; c < told.size(); ++c) {
      if (told[c] != kNotTold)
        continue;
      std::optional<double> best;
      for (const Incidence& each : table.equations_of(CellId{static_cast<std::int32_t>(c)})) {
        double rest = static_cast<double>(table.rhs(each.equation));
        std::int64_t blanks = 0;
        for (const Term& term : table.equation(each.equation)) {
          const bool same_side = (term.coefficient > 0) == (each.coefficient > 0);
          const bool blank = told[at(term.cell)] == kNotTold;
          blanks += blank && same_side ? 1 : 0;
          if (!(blank && same_side))
            rest -= static_cast<double>(term.coefficient) *
                    static_cast<double>(sizes[at(term.cell)]);
        }
        const double mine = rest / (static_cast<double>(each.coefficient) *
                                    static_cast<double>(std::max<std::int64_t>(1, blanks)));
        if (mine > 0)
          best = std::min(best.value_or(mine), mine);
      }
      sizes[c] = static_cast<Units>(std::llround(best.value_or(0)));
    }
  }
  return sizes;
}

Result<Problem> with_public_widths(Problem problem,
                                   const Assessment& asked,
                                   const Inputs& inputs) {
  LACUNA_RETURN_IF_ERROR(check_options(problem, asked));
  LACUNA_TRY(const Width width, width_of(asked, problem.table().decimals()));
  if (problem.counts())
    return closed_rule(std::move(problem), asked, width);
  if (asked.guard_band)
    return conflict("a guard band is for tables of counts, whose values say what is sensitive",
                    "--guard-band");
  if (width.kind == Width::Kind::kShare && asked.weights_from.empty())
    return Error{ErrorCode::kOptionMissing,
                 "a width needs something public: say " + base::named_option("weights-from") +
                     " with last period's public file, a number as " +
                     base::named_option("public-width") + ", or " +
                     base::named_option("public-width", "file") +
                     " if the levels of the input are public",
                 "--against owner"};
  LACUNA_TRY(const std::vector<Units> sizes, sizes_of(problem.table(), asked, inputs, 1));
  ProblemParts parts = std::move(problem).parts();
  parts.attackers.resize(1);
  for (Requirement& need : parts.requirements) {
    const Bounds prior = parts.table.cell(need.cell).prior;
    const Units width_here = width_for(width, need, sizes);
    const bool ended = prior.has_lower() && prior.has_upper();
    need.sliding = ended ? std::min(width_here, prior.upper - prior.lower) : width_here;
    need.lower = need.upper = 0;
    need.origin = LevelOrigin::kGiven;
  }
  return assemble_problem(std::move(parts));
}

Result<owner::PublicParts> public_parts(const Problem& problem,
                                        const Assessment& asked,
                                        const Inputs& inputs) {
  Units widest = 1;
  for (const Requirement& need : problem.requirements())
    widest = std::max(widest, need.sliding);
  const double room = static_cast<double>(widest) * asked.owner_reserve;
  const Units if_nothing = static_cast<Units>(std::min(std::ceil(room), static_cast<double>(kMaxUnits / 8)));
  owner::PublicParts parts;
  LACUNA_TRY(parts.sizes, sizes_of(problem.table(), asked, inputs, if_nothing));
  for (const Units size : parts.sizes)
    parts.weights.push_back(asked.weights_from.empty()
                                ? 1
                                : std::max(1.0, std::abs(static_cast<double>(size))));
  parts.weights = owner::with_tie_break(problem.table(), std::move(parts.weights));
  return parts;
}

}  // namespace lacuna::load

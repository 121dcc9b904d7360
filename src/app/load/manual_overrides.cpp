// SPDX-License-Identifier: Apache-2.0
#include "app/load/manual_overrides.h"

#include <algorithm>
#include <optional>
#include <set>

#include "app/load/count_problem.h"
#include "core/base/text.h"
#include "core/table/check_counts.h"
#include "data/problems/apriori.h"
#include "data/problems/cell_index.h"
#include "data/sensitivity/manual_levels.h"
#include "lacuna/count_rules.h"

namespace lacuna::load {
namespace {

// A problem whose cells are changed one by one.
class ByHand {
 public:
  ByHand(Problem problem, const SensitivityOptions& levels)
      : problem_(std::move(problem)),
        levels_(levels),
        cells_(problem_.table().cells().begin(), problem_.table().cells().end()),
        needs_(problem_.requirements()) {}

  Status apply(CellId id, const AprioriEntry& entry) {
    Cell& cell = cells_[static_cast<std::size_t>(id.value)];
    if (entry.status)
      LACUNA_RETURN_IF_ERROR(set_status(id, cell, *entry.status));
    if (entry.cost)
      cell.weight = *entry.cost;
    if (entry.has_bounds())
      cell.prior = {entry.lower_bound.value_or(cell.prior.lower),
                    entry.upper_bound.value_or(cell.prior.upper)};
    return entry.has_levels() ? set_levels(id, cell, entry) : ok_status();
  }

  Result<Problem> finished() && {
    const Table& old = problem_.table();
    TableBuilder builder(old.decimals(), old.dimensions());
    for (std::size_t c = 0; c < cells_.size(); ++c)
      LACUNA_RETURN_IF_ERROR(added(builder, CellId{static_cast<std::int32_t>(c)}));
    for (std::int32_t e = 0; e < old.num_equations(); ++e) {
      LACUNA_TRY(const EquationId same,
                 builder.add_equation(old.equation(EquationId{e}), old.rhs(EquationId{e})));
      static_cast<void>(same);
    }
    LACUNA_TRY(Table table, std::move(builder).build());
    std::vector<Requirement> needs = as_given(needs_);
    for (const CellId cell : made_sensitive_) {
      const auto outside = requirement_of(cell);
      for (const Requirement& need :
           sensitivity::manual_levels_for_insiders(table, problem_.attackers(), *outside, levels_))
        needs.push_back(need);
    }
    LACUNA_TRY(Problem made,
               make_problem(std::move(table), problem_.attackers(), std::move(needs)));
    LACUNA_RETURN_IF_ERROR(made.set_keys(problem_.keys()));
    made.set_waiver(problem_.waiver());
    return asked_again(std::move(made));
  }

 private:
  // What is asked of counts is asked of the cells that are sensitive now, where options say it.
  Result<Problem> asked_again(Problem made) const {
    if (!problem_.counts())
      return made;
    CountRules rules = *problem_.counts();
    if (const auto options = changes_status_ ? count_options_of(problem_) : std::nullopt) {
      LACUNA_TRY(rules.questions, count_questions(made, *options));
    }
    table::drop_levels_without_requirement(made, rules.questions);
    LACUNA_RETURN_IF_ERROR(made.set_counts(std::move(rules)));
    return made;
  }

  Status added(TableBuilder& builder, CellId cell) const {
    const auto done = builder.add_cell(cells_[static_cast<std::size_t>(cell.value)],
                                       problem_.table().codes(cell));
    if (done)
      return ok_status();
    return Error{done.error().code, done.error().message, problem_.table().label(cell)};
  }

  // A sensitive cell is neither shown nor taken for a mere secondary before somebody has called it
  // safe in so many words.
  Status set_status(CellId id, Cell& cell, AprioriStatus status) {
    const bool lifts = status == AprioriStatus::kMustPublish || status == AprioriStatus::kSecondary;
    if (lifts && cell.status == CellStatus::kPrimary)
      return Error{ErrorCode::kWrongStatus,
                   "the cell is sensitive; call it safe (S) first if that is meant",
                   problem_.table().label(id)};
    if (cell.status == CellStatus::kKnown)  // what everyone knew by status alone is open again
      cell.prior = {std::min<Units>(0, cell.value), kUnboundedAbove};
    cell.status = status_of(status);
    changes_status_ = true;
    if (status == AprioriStatus::kUnsafe && has_levels(id))
      return ok_status();
    std::erase_if(needs_, [&](const Requirement& need) { return need.cell == id; });
    made_sensitive_.erase(id);
    if (status != AprioriStatus::kUnsafe)
      return ok_status();
    LACUNA_TRY(const Requirement need,
               sensitivity::manual_level(problem_.table(), cell, id, levels_));
    needs_.push_back(need);
    made_sensitive_.insert(id);
    return ok_status();
  }

  // Of a rule or of the table; zeros that were raised are none.
  bool has_levels(CellId id) const {
    return std::any_of(needs_.begin(), needs_.end(), [&](const Requirement& need) {
      return need.cell == id && need.origin != LevelOrigin::kImplied;
    });
  }

  std::vector<Requirement>::iterator requirement_of(CellId id) {  // of the outsider
    return std::find_if(needs_.begin(), needs_.end(), [&](const Requirement& each) {
      return each.cell == id && each.attacker == 0;
    });
  }

  static CellStatus status_of(AprioriStatus status) {
    switch (status) {
      case AprioriStatus::kSafe:
        return CellStatus::kFree;
      case AprioriStatus::kUnsafe:
        return CellStatus::kPrimary;
      case AprioriStatus::kMustPublish:
        return CellStatus::kMustPublish;
      case AprioriStatus::kSecondary:
        return CellStatus::kSecondary;
    }
    return CellStatus::kFree;
  }

  // Of the outsider; what others may not learn follows from the rules, or from these.
  Status set_levels(CellId id, const Cell& cell, const AprioriEntry& entry) {
    if (cell.status != CellStatus::kPrimary)
      return Error{ErrorCode::kWrongStatus,
                   "levels are for sensitive cells; give it the status U as well",
                   problem_.table().label(id)};
    auto need = requirement_of(id);
    if (need == needs_.end())
      need = needs_.insert(need, Requirement{.cell = id});
    need->origin = LevelOrigin::kGiven;
    need->lower = entry.lower.value_or(need->lower);
    need->upper = entry.upper.value_or(need->upper);
    need->sliding = entry.sliding.value_or(need->sliding);
    return ok_status();
  }

  static std::vector<Requirement> as_given(std::vector<Requirement> needs) {
    for (Requirement& need : needs)
      need.sliding = need.given_sliding();
    return needs;
  }

  Problem problem_;
  const SensitivityOptions& levels_;
  std::vector<Cell> cells_;
  std::vector<Requirement> needs_;   // as they are by now
  std::set<CellId> made_sensitive_;  // which no rule and no row did
  bool changes_status_ = false;
};

std::string reason_of(const AprioriEntry& entry) {
  const std::string place = entry.where.empty() ? "" : " (" + entry.where + ")";
  switch (*entry.status) {
    case AprioriStatus::kSafe:
      return "safe: set by hand" + place;
    case AprioriStatus::kUnsafe:
      return "unsafe: set by hand" + place;
    case AprioriStatus::kMustPublish:
      return "to be published: set by hand" + place;
    case AprioriStatus::kSecondary:
      return "withheld: set by hand" + place;
  }
  return "";
}

// The cells that remain, in the numbering of the new table; -1: gone.
struct Kept {
  std::vector<std::int32_t> place;
  std::int32_t count = 0;
};

Kept kept_cells(const Table& table, std::size_t dimension, const std::vector<bool>& below) {
  Kept kept;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const bool gone = below[static_cast<std::size_t>(table.codes(CellId{c})[dimension])];
    kept.place.push_back(gone ? -1 : kept.count);
    kept.count += gone ? 0 : 1;
  }
  return kept;
}

std::int32_t place_of(const Kept& kept, CellId cell) {
  return kept.place[static_cast<std::size_t>(cell.value)];
}

Result<Table> kept_table(const Table& table, const Kept& kept) {
  TableBuilder builder(table.decimals(), table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (kept.place[static_cast<std::size_t>(c)] < 0)
      continue;
    LACUNA_TRY(const CellId same, builder.add_cell(table.cell(CellId{c}), table.codes(CellId{c})));
    static_cast<void>(same);
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    std::vector<Term> terms;
    for (const Term& term : table.equation(EquationId{e}))
      terms.push_back({CellId{place_of(kept, term.cell)}, term.coefficient});
    if (std::any_of(terms.begin(), terms.end(), [](const Term& t) { return t.cell.value < 0; }))
      continue;
    LACUNA_TRY(const EquationId same, builder.add_equation(terms, table.rhs(EquationId{e})));
    static_cast<void>(same);
  }
  return std::move(builder).build();
}

Result<Problem> kept_problem(const Problem& problem, const Kept& kept) {
  LACUNA_TRY(Table table, kept_table(problem.table(), kept));
  std::vector<Attacker> attackers;
  for (const Attacker& old : problem.attackers()) {
    Attacker& attacker = attackers.emplace_back(Attacker{old.name, {}});
    for (const Knowledge& known : old.known) {
      if (place_of(kept, known.cell) >= 0)
        attacker.known.push_back({CellId{place_of(kept, known.cell)}, known.bounds});
    }
  }
  std::vector<Requirement> needs;
  for (Requirement need : problem.requirements()) {
    if (place_of(kept, need.cell) < 0)
      continue;
    need.cell = CellId{place_of(kept, need.cell)};
    need.sliding = need.given_sliding();
    needs.push_back(need);
  }
  return make_problem(std::move(table), std::move(attackers), std::move(needs));
}

// Codes strictly below one; a code that also stands elsewhere, in another split, goes with them.
std::vector<bool> codes_below(const Dimension& dimension, std::int32_t top) {
  std::vector<bool> below(static_cast<std::size_t>(dimension.num_codes()), false);
  std::vector<std::int32_t> open{top};
  while (!open.empty()) {
    const std::int32_t code = open.back();
    open.pop_back();
    for (const Relation& relation : dimension.relations()) {
      if (relation.parent != code)
        continue;
      for (const std::int32_t child : relation.children) {
        if (!below[static_cast<std::size_t>(child)])
          open.push_back(child);
        below[static_cast<std::size_t>(child)] = true;
      }
    }
  }
  return below;
}

Result<LoadedProblem> collapsed_at(LoadedProblem loaded, const std::string& text) {
  const auto refused = [&](const std::string& why) {
    return Error{ErrorCode::kOptionValue, why, "--collapse " + text};
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    return refused("this is written DIMENSION=CODE");
  const Table& table = loaded.problem.table();
  const auto& dimensions = table.dimensions();
  const auto found = std::find_if(dimensions.begin(), dimensions.end(), [&](const Dimension& d) {
    return d.name() == text.substr(0, equals);
  });
  if (found == dimensions.end())
    return refused("the table has no such dimension");
  const std::int32_t code = found->find(text.substr(equals + 1));
  if (code < 0 || found->is_leaf(code))
    return refused(code < 0 ? "the dimension has no such code" : "this code has no parts");
  const bool by_nature = loaded.counts.by_nature && !loaded.counts.settled;
  if ((loaded.problem.as_read().counts() && !by_nature) || loaded.problem.as_read().keys())
    return Error{ErrorCode::kUnsupported,
                 "codes of counts with rules or keys of their own are collapsed in the records",
                 "--collapse " + text};
  const auto place = static_cast<std::size_t>(found - dimensions.begin());
  const Kept kept = kept_cells(table, place, codes_below(*found, code));
  LACUNA_TRY(Problem problem, kept_problem(loaded.problem.as_read(), kept));
  std::vector<std::string> reasons;
  for (std::size_t c = 0; c < loaded.reasons.size(); ++c) {
    if (kept.place[c] >= 0)
      reasons.push_back(std::move(loaded.reasons[c]));
  }
  LACUNA_TRY(loaded.problem, as_counts_by_nature(std::move(problem), loaded.counts));
  loaded.reasons = std::move(reasons);
  return loaded;
}

}  // namespace

Result<std::vector<Dimension>> apriori_dimensions(const Table& table) {
  if (!table.dimensions().empty())
    return table.dimensions();
  std::vector<std::string> codes;
  Relation all{table.num_cells(), {}};
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    codes.push_back(std::to_string(c));
    all.children.push_back(c);
  }
  codes.emplace_back("all cells");
  LACUNA_TRY(Dimension dimension, Dimension::build("cell", std::move(codes), {std::move(all)}));
  return std::vector<Dimension>{std::move(dimension)};
}

Result<LoadedProblem> with_overrides(LoadedProblem loaded, std::span<const AprioriEntry> entries) {
  if (entries.empty())
    return loaded;
  const Table table = loaded.problem.table();
  const problems::CellIndex index(table);
  loaded.reasons.resize(static_cast<std::size_t>(table.num_cells()));
  ByHand by_hand(std::move(loaded.problem).take(), loaded.by_hand);
  for (const AprioriEntry& entry : entries) {
    const std::optional<CellId> cell = table.dimensions().empty()
                                           ? std::optional(CellId{entry.codes.front()})
                                           : index.find(entry.codes);
    if (!cell || cell->value < 0 || cell->value >= table.num_cells()) {
      if (entry.if_present)
        continue;
      return Error{ErrorCode::kNoSuchCell, "the table has no such cell", entry.where};
    }
    if (const Status done = by_hand.apply(*cell, entry); !done) {
      Error error = done.error();
      if (!entry.where.empty())
        error.where = entry.where + ": " + error.where;
      return error;
    }
    if (entry.status)
      loaded.reasons[static_cast<std::size_t>(cell->value)] = reason_of(entry);
  }
  LACUNA_TRY(loaded.problem, std::move(by_hand).finished());
  return loaded;
}

Result<LoadedProblem> with_collapsed(LoadedProblem loaded, const std::vector<std::string>& codes) {
  for (const std::string& code : codes) {
    LACUNA_TRY(loaded, collapsed_at(std::move(loaded), code));
  }
  return loaded;
}

Result<problems::AprioriFile> read_overrides(const std::string& path,
                                             const Table& table,
                                             const Inputs& inputs) {
  LACUNA_TRY(const auto dimensions, apriori_dimensions(table));
  LACUNA_TRY(std::string text, inputs.read(path));
  problems::AprioriOptions options;
  const std::string first = text.substr(0, text.find('\n'));
  if (first.find(';') != std::string::npos)
    options.separator = ';';
  if (path.ends_with(".hst"))
    return problems::read_hst(text, path, dimensions, table.decimals(), options);
  return problems::read_apriori_csv(std::move(text), path, dimensions, table.decimals(), options);
}

namespace {

void forget_places(problems::AprioriFile& file) {
  for (AprioriEntry& entry : file.entries)
    entry.where.clear();
  for (problems::CollapsedCode& code : file.collapsed)
    code.where.clear();
}

std::vector<CellId> sensitive_cells(const Table& table) {
  std::vector<CellId> cells;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (table.cell(CellId{c}).status == CellStatus::kPrimary)
      cells.push_back(CellId{c});
  }
  return cells;
}

}  // namespace

Result<LoadedProblem> with_changes(LoadedProblem loaded,
                                   const Assessment& asked,
                                   const Inputs& inputs) {
  LACUNA_TRY(loaded, with_collapsed(std::move(loaded), asked.collapse));
  std::vector<problems::AprioriFile> files;
  for (const std::string& path : asked.apriori) {
    LACUNA_TRY(problems::AprioriFile file, read_overrides(path, loaded.problem.table(), inputs));
    if (inputs.unwritten.contains(path))
      forget_places(file);
    for (const problems::CollapsedCode& code : file.collapsed) {
      auto smaller = collapsed_at(std::move(loaded), code.text);
      if (!smaller)
        return Error{smaller.error().code, smaller.error().message, code.where};
      loaded = *std::move(smaller);
    }
    files.push_back(std::move(file));
  }
  const std::vector<CellId> before = sensitive_cells(loaded.problem.table());
  for (const problems::AprioriFile& file : files) {
    LACUNA_TRY(loaded, with_overrides(std::move(loaded), file.entries));
  }
  loaded.basis.lifted += std::count_if(before.begin(), before.end(), [&](CellId cell) {
    return loaded.problem.table().cell(cell).status != CellStatus::kPrimary;
  });
  return loaded;
}

}  // namespace lacuna::load

// SPDX-License-Identifier: Apache-2.0
#include "protect/counts/count_model.h"

#include <algorithm>
#include <string>

#include "core/base/spelling.h"
#include "core/table/part_sum.h"
#include "judge/attack/count_slacks.h"

namespace lacuna::counts {
namespace {

std::size_t at(CellId cell) {
  return static_cast<std::size_t>(cell.value);
}

std::vector<CellId> parts_of(const Question& question) {
  std::vector<CellId> parts;
  for (const Term& term : question.form) {
    if (term.coefficient < 0)
      parts.push_back(term.cell);
  }
  return parts;
}

void raise(Requirement& need, const auto& other) {
  need.lower = std::max(need.lower, other.lower);
  need.upper = std::max(need.upper, other.upper);
  need.sliding = std::max(need.sliding, other.sliding);
}

Bounds bounds_of_count(const Problem& problem, std::int32_t attacker, CellId cell) {
  const Attacker& who = problem.attackers()[static_cast<std::size_t>(attacker)];
  return intersect(known_bounds(problem.table(), who, cell), {0, kUnboundedAbove});
}

}  // namespace

Error no_release_hides(const Problem& problem, const Question& question) {
  const CountRules& rules = *problem.counts();
  const auto means = static_cast<std::size_t>(rules.withheld_means);
  const std::string told = " to readers who know 'withheld means " +
                           std::string(enum_names(rules.withheld_means)[means]) + "' (threshold " +
                           std::to_string(rules.threshold) + ")";
  const auto kind = static_cast<std::size_t>(question.kind);
  // Nobody is told to say what is said already.
  const std::string any = rules.withheld_means == WithheldMeans::kAny
                              ? ""
                              : base::named_option("withheld-means", "any");
  const std::string fewer_values =
      rules.ambiguity > 1 ? "ask for less ambiguity (" + base::named_option("ambiguity") + "), "
                          : "";
  const std::string less = any.empty() ? "" : "let a blank say less to readers (" + any + "), ";
  std::string message, remedy;
  switch (question.kind) {
    case CountKind::kExact:
      message = "no release can leave " + std::to_string(rules.ambiguity + 1) +
                " possible values of the count" + told;
      remedy = less + fewer_values;
      break;
    case CountKind::kSmall:
      message = "no release can hide that the count is below the threshold" + told;
      remedy = less;
      break;
    case CountKind::kZero:
      message = "no release can hide that the category is empty" + told;
      remedy = "say that the zero is known to everyone (" +
               base::named_option("zeros", "structural") + "), ";
      break;
    case CountKind::kAll:
    case CountKind::kGroup:
      message = "no release can hide that the whole group" +
                std::string(rules.coalition > 0 ? ", except for those who attack together," : "") +
                " is in " + (question.kind == CountKind::kAll ? "this part" : "these parts") + told;
      remedy = any.empty() ? "" : "let zeros be withheld (" + any + "), ";
      break;
    case CountKind::kImplied:
    case CountKind::kLevels:
      message = "no release can protect the cell" + told;
      remedy = "ask for less, ";
      break;
  }
  const Bounds prior = problem.table().cell(question.cell).prior;
  if (question.kind == CountKind::kSmall && prior.lower >= 1)
    remedy = "list empty cells as well (" + base::named_setting("[input]", "empty_cells", "true") +
             "), so that a count may be 0, ";
  if (question.attacker > 0)
    remedy += "do not treat the persons who are counted as attackers (" +
              base::named_setting("[attackers]", "respondents", "false") + "), ";
  return {ErrorCode::kCannotProtect,
          message + ": nothing else that may be hidden would help; " + remedy +
              "let cells be withheld that must be published, or leave out the kind '" +
              std::string(enum_names(question.kind)[kind]) + "' (" + base::named_option("kinds") +
              ")",
          problem.table().label(question.cell)};
}

Result<CountModel> CountModel::make(const Problem& given,
                                    std::vector<StatementKind> states,
                                    std::vector<bool> zeros_shown) {
  CountModel model(given, std::move(states), std::move(zeros_shown));
  LACUNA_RETURN_IF_ERROR(model.ask());
  return model;
}

bool CountModel::hides(CellId cell) const {
  return states_[at(cell)] == StatementKind::kWithheld ||
         states_[at(cell)] == StatementKind::kInterval;
}

Bounds CountModel::told(CellId cell) const {
  const Cell& own = given_.table().cell(cell);
  Bounds said = attack::implied_by_rule(given_.table(), *given_.counts(), cell, states_[at(cell)]);
  if (zeros_shown_[at(cell)])
    said = intersect(said, {1, kUnboundedAbove});
  return said.contains(own.value) ? intersect(own.prior, said) : own.prior;
}

bool CountModel::may_hide(CellId cell) const {
  const Cell& own = given_.table().cell(cell);
  return may_be_withheld(own) &&
         attack::implied_by_rule(given_.table(), *given_.counts(), cell, states_[at(cell)])
             .contains(own.value);
}

Bounds CountModel::known(const Question& question) const {
  return intersect(bounds_of_count(given_, question.attacker, question.cell), told(question.cell));
}

Requirement& CountModel::levels(CellId cell, std::int32_t attacker) {
  Requirement& need = levels_[{cell, attacker}];
  need.cell = cell;
  need.attacker = attacker;
  return need;
}

Status CountModel::ask() {
  for (const CountQuestion& asked : given_.counts()->questions) {
    const Question question = question_of(given_, asked);
    if (question.kind == CountKind::kAll || question.kind == CountKind::kGroup)
      LACUNA_RETURN_IF_ERROR(ask_of_rest(question));
    else if (question.kind != CountKind::kImplied)
      LACUNA_RETURN_IF_ERROR(ask_of_cell(question));
  }
  return ok_status();
}

Status CountModel::ask_of_cell(const Question& question) {
  const Bounds bounds = known(question);
  const Units value = given_.table().value(question.cell);
  const Units up = bounds.has_upper() ? bounds.upper - value : kMaxUnits;
  const Units down = value - bounds.lower;
  Requirement& need = levels(question.cell, question.attacker);
  bool fits = true;
  switch (question.kind) {
    case CountKind::kExact:
      fits = up >= given_.counts()->ambiguity - std::min(down, given_.counts()->ambiguity);
      need.sliding = std::max(need.sliding, given_.counts()->ambiguity);
      break;
    case CountKind::kSmall:
      fits = ask_small(question);
      break;
    case CountKind::kZero:
      fits = up >= 1;
      need.upper = std::max<Units>(need.upper, 1);
      break;
    default:  // levels: those of the requirement, against this reader
      fits = question.lower <= down && question.upper <= up;
      raise(need, question);
  }
  return fits ? ok_status() : Status(no_release_hides(given_, question));
}

// Either side would do; what both have in common is a width.
bool CountModel::ask_small(const Question& question) {
  const Bounds bounds = known(question);
  const Units value = given_.table().value(question.cell), most = given_.counts()->threshold;
  Requirement& need = levels(question.cell, question.attacker);
  const bool up = bounds.upper >= most, down = bounds.lower <= 0;
  if (up && down) {
    need.sliding = std::max(need.sliding, std::min(value, most - value));
    has_choices_ = true;
  } else if (up) {
    need.upper = std::max(need.upper, most - value);
  } else if (down) {
    need.lower = std::max(need.lower, value);
  }
  return up || down;
}

// The sum of the group in which the parts of the question stand beside others.
std::optional<CountModel::Rest> CountModel::rest_of(const Question& question) const {
  const std::vector<CellId> parts = parts_of(question);
  for (const Incidence& in : given_.table().equations_of(question.group)) {
    const auto sum = table::part_sum(given_.table(), in.equation);
    if (!sum || sum->total != question.group)
      continue;
    Rest rest{question, in.equation, {}};
    std::size_t inside = 0;
    for (const CellId part : sum->parts) {
      const bool in_parts = std::binary_search(parts.begin(), parts.end(), part);
      inside += in_parts ? 1 : 0;
      if (!in_parts)
        rest.others.push_back(part);
    }
    if (inside == parts.size())
      return rest;
  }
  return std::nullopt;
}

// A method that moves numbers has no cell for the rest; what the audit refutes there is asked of
// the other parts.
Status CountModel::ask_of_rest(const Question& question) {
  if (!std::all_of(states_.begin(), states_.end(), [](StatementKind state) {
        return state == StatementKind::kWithheld;
      }))
    return ok_status();
  auto rest = rest_of(question);
  if (!rest)
    return ok_status();
  const bool can_move = std::any_of(
      rest->others.begin(), rest->others.end(), [&](CellId other) { return may_hide(other); });
  if (!can_move)
    return no_release_hides(given_, question);
  rests_.push_back(*std::move(rest));
  return ok_status();
}

// The next of the other parts that can is to carry all that the rest must be able to gain.
bool CountModel::ask_of_others(const Question& question) {
  const auto rest = rest_of(question);
  if (!rest)
    return false;
  const Units level = question.upper;
  for (const CellId other : rest->others) {
    Question about = question;
    about.cell = other;
    const Bounds bounds = known(about);
    const bool can = may_be_withheld(given_.table().cell(other)) &&
                     (!bounds.has_upper() || bounds.upper - given_.table().value(other) >= level);
    const auto asked = levels_.find({other, question.attacker});
    if (!can || (asked != levels_.end() && asked->second.upper >= level))
      continue;
    levels(other, question.attacker).upper = level;
    return true;
  }
  return false;
}

// Another cell of the sum is to be hidden too: a part, so that more is known together than is
// small, or else the total, so that nothing is.
bool CountModel::ask_of_sum(const Question& question) {
  for (const Incidence& in : given_.table().equations_of(question.group)) {
    const auto sum = table::part_sum(given_.table(), in.equation);
    const auto is_part = [&](const Term& term) {
      return std::find(sum->parts.begin(), sum->parts.end(), term.cell) != sum->parts.end();
    };
    if (!sum || sum->total != question.group ||
        !std::all_of(question.form.begin(), question.form.end(), is_part))
      continue;
    std::vector<CellId> cells = sum->parts;
    cells.push_back(sum->total);
    for (const CellId cell : cells) {
      Question about = question;
      about.cell = cell;
      if (!may_hide(cell) || known(about).is_point() || levels_.contains({cell, question.attacker}))
        continue;
      levels(cell, question.attacker).sliding = 1;
      return true;
    }
  }
  return false;
}

bool CountModel::ask_more(const Question& question) {
  if (question.kind == CountKind::kImplied)
    return ask_of_sum(question);
  for (std::size_t r = 0; r < rests_.size(); ++r) {
    if (rests_[r].question == question)
      return false;  // the rest has no level that says more
  }
  if (question.kind == CountKind::kAll || question.kind == CountKind::kGroup)
    return ask_of_others(question);
  if (question.form.size() != 1)
    return false;
  const Bounds bounds = known(question);
  const Units value = given_.table().value(question.cell), most = given_.counts()->threshold;
  const Units down = value - bounds.lower;
  const Units up = bounds.has_upper() ? bounds.upper - value : kMaxUnits;
  Requirement& need = levels(question.cell, question.attacker);
  const bool small =
      question.kind == CountKind::kSmall && need.lower < value && need.upper < most - value;
  if (small && down >= value) {
    need.lower = value;
  } else if (small && up >= most - value) {
    need.upper = most - value;
  } else if (question.kind == CountKind::kZero && up > need.upper) {
    ++need.upper;
  } else if (question.kind != CountKind::kZero &&
             up > need.sliding - std::min(down, need.sliding)) {
    ++need.sliding;
  } else {
    return false;
  }
  return true;
}

// ---- the problem

bool CountModel::tells_more() const {
  for (std::int32_t c = 0; c < given_.table().num_cells(); ++c) {
    const CellId cell{c};
    if (hides(cell) && may_hide(cell) && told(cell) != given_.table().cell(cell).prior)
      return true;
  }
  return false;
}

bool CountModel::covers(const Requirement& need) const {
  if (need.asks_nothing())
    return true;
  const auto found = levels_.find({need.cell, need.attacker});
  if (found == levels_.end())
    return false;
  const Requirement& own = found->second;
  return need.lower <= own.lower && need.upper <= own.upper &&
         need.sliding <= std::max(own.sliding, own.lower + own.upper);
}

Result<Table> CountModel::table(bool own_priors) const {
  const Table& table = given_.table();
  TableBuilder builder(0, table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellId id{c};
    Cell cell = table.cell(id);
    if (own_priors)
      cell.prior = told(id);
    if (hides(id) && cell.status == CellStatus::kFree && !may_hide(id))
      cell.status = CellStatus::kMustPublish;
    LACUNA_TRY([[maybe_unused]] const CellId same, builder.add_cell(cell, table.codes(id)));
  }
  std::vector<bool> split(static_cast<std::size_t>(table.num_equations()), false);
  for (const Rest& rest : rests_) {
    Cell cell;
    cell.value = form_value(table, rest.question.form);
    cell.weight = 0;
    cell.status = CellStatus::kPrimary;
    LACUNA_TRY(const CellId added, builder.add_cell(cell, table.codes(rest.question.group)));
    std::vector<Term> group(rest.question.form.begin(), rest.question.form.end());
    group.push_back({added, -1});
    LACUNA_TRY([[maybe_unused]] const EquationId first, builder.add_equation(group));
    if (split[static_cast<std::size_t>(rest.equation.value)])
      continue;
    split[static_cast<std::size_t>(rest.equation.value)] = true;
    std::vector<Term> others{{added, -1}};
    for (const CellId other : rest.others)
      others.push_back({other, 1});
    LACUNA_TRY([[maybe_unused]] const EquationId second, builder.add_equation(others));
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    if (split[static_cast<std::size_t>(e)])
      continue;
    LACUNA_TRY([[maybe_unused]] const EquationId same,
               builder.add_equation(table.equation(EquationId{e}), table.rhs(EquationId{e})));
  }
  return std::move(builder).build();
}

// Each attacker once more, who also knows the rule.
std::vector<Attacker> CountModel::readers() const {
  std::vector<Attacker> readers;
  for (const Attacker& attacker : given_.attackers()) {
    Attacker reader{attacker.name, {}};
    for (std::int32_t c = 0; c < given_.table().num_cells(); ++c) {
      const CellId cell{c};
      const Bounds bounds = intersect(known_bounds(given_.table(), attacker, cell), told(cell));
      if (bounds != given_.table().cell(cell).prior)
        reader.known.push_back({cell, bounds});
    }
    readers.push_back(std::move(reader));
  }
  return readers;
}

// Attackers are counted from `offset` on.
CountModel::Levels CountModel::asked(std::int32_t offset) const {
  Levels needs;
  for (const auto& [key, need] : levels_) {
    Requirement& same = needs[{need.cell, need.attacker + offset}] = need;
    same.attacker += offset;
  }
  for (std::size_t r = 0; r < rests_.size(); ++r) {
    Requirement need;
    need.cell = CellId{given_.table().num_cells() + static_cast<std::int32_t>(r)};
    need.attacker = rests_[r].question.attacker + offset;
    need.upper = rests_[r].question.upper;
    needs[{need.cell, need.attacker}] = need;
  }
  return needs;
}

Result<std::shared_ptr<const Problem>> CountModel::problem() const {
  const bool more = tells_more();
  const bool all_covered = std::all_of(given_.requirements().begin(),
                                       given_.requirements().end(),
                                       [&](const Requirement& need) { return covers(need); });
  const bool twice = more && !all_covered;  // who knows the rule, and who does not
  std::vector<Attacker> attackers = given_.attackers();
  const auto known = static_cast<std::int32_t>(attackers.size());
  Levels needs = asked(twice ? known : 0);
  if (twice) {
    for (Attacker& reader : readers())
      attackers.push_back(std::move(reader));
  }
  for (const Requirement& given : given_.requirements()) {
    const auto [at, is_new] = needs.try_emplace({given.cell, given.attacker}, given);
    if (!is_new && !more)
      raise(at->second, given);
  }
  std::vector<Requirement> list;
  for (const auto& [key, need] : needs)
    list.push_back(need);
  LACUNA_TRY(Table made, table(more && !twice));
  LACUNA_TRY(Problem problem, make_problem(std::move(made), std::move(attackers), std::move(list)));
  return std::make_shared<const Problem>(std::move(problem));
}

Draft CountModel::without_rests(const Draft& draft) const {
  Draft result;
  for (const CellEntry& entry : draft.each()) {
    if (entry.cell.value < given_.table().num_cells())
      result.set(entry);
  }
  result.set_adjusted(draft.adjusted());
  return result;
}

void CountModel::drop_rests(std::vector<Displacement>& evidence) const {
  if (rests_.empty())
    return;
  for (Displacement& each : evidence) {  // cells are in ascending order
    while (!each.cells.empty() && each.cells.back().value >= given_.table().num_cells()) {
      each.cells.pop_back();
      each.moves.pop_back();
    }
  }
}

}  // namespace lacuna::counts

// SPDX-License-Identifier: Apache-2.0
#include "job/table_rules.h"

#include <algorithm>
#include <numeric>

#include "io/position.h"
#include "job/records.h"
#include "sensitivity/options.h"

namespace lacuna::inline job {
namespace {

std::int64_t frequency_of(const Table& table, std::size_t cell) {
  return table.cell(CellId{static_cast<std::int32_t>(cell)}).frequency;
}

// Cells with a sole contributor, joined where it is the same one: a sum that one respondent alone
// contributes to has no part of anybody else.
class SoleContributors {
 public:
  explicit SoleContributors(const Table& table)
      : table_(table), head_(static_cast<std::size_t>(table.num_cells())) {
    std::iota(head_.begin(), head_.end(), std::size_t{0});
    for (std::int32_t e = 0; e < table.num_equations(); ++e)
      join(table.equation(EquationId{e}));
  }

  bool is_sole(std::size_t cell) const { return frequency_of(table_, cell) == 1; }
  std::size_t head_of(std::size_t cell) const {
    while (head_[cell] != cell)
      cell = head_[cell];
    return cell;
  }

 private:
  void join(std::span<const Term> terms) {
    std::size_t sum = head_.size();
    for (const Term& term : terms) {
      if (term.coefficient < 0)
        sum = static_cast<std::size_t>(term.cell.value);
    }
    if (sum == head_.size() || !is_sole(sum))
      return;
    for (const Term& term : terms) {
      const auto part = static_cast<std::size_t>(term.cell.value);
      if (part != sum && is_sole(part))
        head_[head_of(part)] = head_of(sum);
    }
  }

  const Table& table_;
  std::vector<std::size_t> head_;
};

class TabulationOfTable {
 public:
  TabulationOfTable(const Job& job, std::int32_t needed)
      : job_(job), table_(job.problem.table), needed_(needed), sole_(table_) {}

  Tabulation make() {
    Tabulation made;
    made.decimals = table_.decimals();
    made.dimensions = table_.dimensions();
    made.tables = job_.tables;
    const auto cells = static_cast<std::size_t>(table_.num_cells());
    head_index_.assign(cells, -1);
    for (std::size_t c = 0; c < cells; ++c) {
      const auto codes = table_.codes(CellId{static_cast<std::int32_t>(c)});
      made.codes.insert(made.codes.end(), codes.begin(), codes.end());
      made.cells.push_back(facts_of(c, made));
      made.top = std::max(made.top, static_cast<int>(made.cells.back().largest.size()));
    }
    made.top = std::max(made.top, static_cast<int>(needed_));
    return made;
  }

  std::size_t assumed() const { return assumed_; }

 private:
  CellFacts facts_of(std::size_t cell, Tabulation& made) {
    CellFacts facts;
    facts.value = table_.value(CellId{static_cast<std::int32_t>(cell)});
    facts.absolute = facts.value < 0 ? -facts.value : facts.value;
    const std::int64_t frequency = frequency_of(table_, cell);
    facts.records = frequency;  // -1: not known
    if (frequency == 1) {
      facts.largest.push_back({sole_contributor(cell, made), facts.value});
      facts.contributors = facts.weighted = 1;
      return facts;
    }
    for (const Units amount : job_.contributions->largest[cell]) {
      if (amount != 0)
        facts.largest.push_back({-1, amount});
    }
    assume_others(facts, frequency);
    const auto listed = static_cast<std::int64_t>(facts.largest.size());
    facts.contributors = frequency >= 0 ? frequency : listed + (rest_of(facts) > 0 ? 1 : 0);
    facts.weighted = facts.contributors;
    return facts;
  }

  std::int32_t sole_contributor(std::size_t cell, Tabulation& made) {
    std::int32_t& index = head_index_[sole_.head_of(cell)];
    if (index < 0) {
      index = static_cast<std::int32_t>(made.respondents.size());
      made.respondents.push_back("sole contributor " + std::to_string(index + 1));
    }
    return index;
  }

  static Units rest_of(const CellFacts& facts) {
    Wide rest = facts.absolute;
    for (const Contribution& one : facts.largest)
      rest -= one.amount < 0 ? -Wide{one.amount} : Wide{one.amount};
    return rest > 0 ? static_cast<Units>(rest) : 0;
  }

  // As many contributions as the rules look at, as large as they can be. With two contributors the
  // second has what is left.
  void assume_others(CellFacts& facts, std::int64_t frequency) {
    if (facts.largest.empty())
      return;
    const auto listed = static_cast<std::int64_t>(facts.largest.size());
    const std::int64_t most =
        std::min<std::int64_t>(needed_, frequency >= 0 ? frequency : std::int64_t{needed_});
    for (std::int64_t i = listed; i < most; ++i) {
      const Units last = std::abs(facts.largest.back().amount);
      const Units next = std::min(last, rest_of(facts));
      if (next == 0)
        return;
      facts.largest.push_back({-1, next});
      assumed_ += i + 1 == frequency ? 0U : 1U;
    }
  }

  const Job& job_;
  const Table& table_;
  std::int32_t needed_;
  SoleContributors sole_;
  std::vector<std::int32_t> head_index_;  // respondent of a head; -1: none yet
  std::size_t assumed_ = 0;
};

// A contribution is part of the value.
Status check_contributions(const Job& job) {
  const Table& table = job.problem.table;
  for (std::size_t c = 0; c < job.contributions->largest.size(); ++c) {
    const CellId cell{static_cast<std::int32_t>(c)};
    Wide sum = 0;
    for (const Units amount : job.contributions->largest[c])
      sum += amount;
    if (table.value(cell) >= 0 && sum > table.value(cell))
      return Error{ErrorCode::kBadInput,
                   "the largest contributions add up to more than the value: are the columns of "
                   "`largest` the right ones?",
                   table.label(cell)};
    if (table.cell(cell).frequency == 0 && table.value(cell) != 0)
      return Error{ErrorCode::kBadInput,
                   "the cell has a value, but the frequency column says that nobody contributes",
                   table.label(cell)};
  }
  return ok_status();
}

// What the rules need must be in the table.
Status check_columns(const TableContributions& given, const SensitivityRules& rules) {
  const auto missing = [&](const std::string& what) {
    return Error{ErrorCode::kBadInput, what, given.columns_where};
  };
  if (rules.frequency && !given.has_frequency)
    return missing(
        "a minimum frequency needs a column with the numbers of contributors: "
        "frequency = \"<column>\" in [columns]");
  const bool has_largest = std::any_of(
      given.largest.begin(), given.largest.end(), [](const auto& one) { return !one.empty(); });
  if ((!rules.dominance.empty() || !rules.prior_posterior.empty()) && !has_largest)
    return missing(
        "dominance, p-percent and prior-posterior rules need columns with the largest "
        "contributions: largest = [\"MAX\"] in [columns]");
  return ok_status();
}

}  // namespace

Result<RuledTable> apply_rules(Job& job) {
  const TableContributions& given = *job.contributions;
  LACUNA_TRY(SensitivityOptions options, sensitivity_options(given.rules));
  const auto stated = [&](std::string_view name) {
    return std::any_of(given.rules.begin(), given.rules.end(), [&](const JobOption& rule) {
      return rule.name == name;
    });
  };
  if (!stated("frequency-range") && !given.level_percent.empty())
    options.frequency_range = given.level_percent;
  const auto rules = read_options(options);
  if (!rules)
    return moved_to_option(rules.error(), given.rules);
  LACUNA_RETURN_IF_ERROR(check_columns(given, *rules));
  if (const auto sound = check_contributions(job); !sound)
    return job.placed(sound.error());
  TabulationOfTable maker(job, rules->contributions_needed());
  const Tabulation tabulation = maker.make();
  if (maker.assumed() > 0)
    job.notes.push_back(std::to_string(maker.assumed()) +
                        " contributions that the rules look at are not in the table and were taken "
                        "as large as they can be; name more columns in `largest` for fewer "
                        "sensitive cells");
  RuledTable ruled;
  auto problem = make_sensitive_problem(tabulation, options, given.given, ruled.report);
  if (!problem)
    return job.placed(moved_to_option(problem.error(), given.rules));
  ruled.problem = std::move(problem).value();
  return ruled;
}

}  // namespace lacuna::inline job

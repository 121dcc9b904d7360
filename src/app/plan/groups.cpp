// SPDX-License-Identifier: Apache-2.0
#include "app/plan/groups.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "app/load/manual_overrides.h"

namespace lacuna::plan {
namespace {

constexpr std::size_t kMostUntying = 20;

// Sets of tables that grow together.
class Sets {
 public:
  explicit Sets(std::size_t count) : above_(count) { std::iota(above_.begin(), above_.end(), 0); }
  std::size_t root(std::size_t item) {
    while (above_[item] != item)
      item = above_[item] = above_[above_[item]];
    return item;
  }
  void join(std::size_t a, std::size_t b) {
    above_[std::max(root(a), root(b))] = std::min(root(a), root(b));
  }

 private:
  std::vector<std::size_t> above_;
};

struct Place {
  std::size_t table = 0;
  CellId cell;
};

bool matches(const Table& table, CellId cell, const std::map<std::string, std::string>& codes) {
  const auto own = table.codes(cell);
  std::size_t found = 0;
  for (std::size_t d = 0; d < own.size(); ++d) {
    const Dimension& dimension = table.dimensions()[d];
    const auto wanted = codes.find(dimension.name());
    if (wanted == codes.end() ? own[d] != dimension.total()
                              : wanted->second != "*" && dimension.code(own[d]) != wanted->second)
      return false;
    found += wanted != codes.end() ? 1U : 0U;
  }
  return found == codes.size() && !own.empty();
}

}  // namespace

std::string cell_key(const Table& table, CellId cell) {
  std::vector<std::string> parts;
  const auto codes = table.codes(cell);
  for (std::size_t d = 0; d < codes.size(); ++d) {
    const Dimension& dimension = table.dimensions()[d];
    if (codes[d] != dimension.total())
      parts.push_back(dimension.name() + "=" + dimension.code(codes[d]));
  }
  std::sort(parts.begin(), parts.end());
  std::string key;
  for (const std::string& part : parts)
    key += (key.empty() ? "" : "|") + part;
  return key;
}

Grouping group_tables(const ReleasePlan& plan,
                      const std::vector<const load::PreparedProblem*>& tables) {
  std::map<std::string, int> tables_of;  // by response
  for (const PlannedTable& table : plan.tables)
    ++tables_of[table.response];
  std::unordered_map<std::string, std::vector<Place>> shared;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    if (tables[t] == nullptr || tables[t]->problem.table().dimensions().empty())
      continue;  // cells without codes are nobody else's
    if (tables_of[plan.tables[t].response] == 1)
      continue;  // a large table alone need not be listed by its codes
    const Table& table = tables[t]->problem.table();
    for (std::int32_t c = 0; c < table.num_cells(); ++c)
      shared[plan.tables[t].response + "\n" + cell_key(table, CellId{c})].push_back({t, CellId{c}});
  }
  Sets sets(tables.size());
  std::map<std::pair<std::size_t, std::size_t>, Tie> ties;
  std::vector<const std::pair<const std::string, std::vector<Place>>*> ordered;
  for (const auto& entry : shared) {
    if (entry.second.size() > 1)
      ordered.push_back(&entry);
  }
  std::sort(ordered.begin(), ordered.end(), [](auto a, auto b) { return a->first < b->first; });
  for (const auto* entry : ordered) {
    const bool open = std::all_of(entry->second.begin(), entry->second.end(), [&](const Place& at) {
      return may_be_withheld(tables[at.table]->problem.table().cell(at.cell));
    });
    if (!open)
      continue;
    for (std::size_t i = 1; i < entry->second.size(); ++i) {
      const std::size_t first = entry->second[0].table, second = entry->second[i].table;
      sets.join(first, second);
      Tie& tie = ties[{first, second}];
      const std::string key = entry->first.substr(entry->first.find('\n') + 1);
      const std::string told = key.empty() ? "the grand total" : key;
      tie.first = first;
      tie.second = second;
      if (tie.cells++ == 0)
        tie.example = told;
      if (tie.untied_by.size() <= kMostUntying)
        tie.untied_by.push_back(told);
    }
  }
  Grouping grouping;
  for (auto& [pair, tie] : ties) {
    if (tie.untied_by.size() > kMostUntying)
      tie.untied_by.clear();
    grouping.ties.push_back(std::move(tie));
  }
  std::map<std::size_t, std::vector<std::size_t>> groups;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    if (tables[t] != nullptr)
      groups[sets.root(t)].push_back(t);
  }
  for (auto& [root, group] : groups)
    grouping.groups.push_back(std::move(group));
  return grouping;
}

Result<load::LoadedProblem> with_published(load::LoadedProblem loaded,
                                           const std::string& response,
                                           const std::vector<PublishedCell>& cells) {
  std::vector<AprioriEntry> entries;
  const Table& table = loaded.problem.table();
  for (const PublishedCell& cell : cells) {
    if (cell.response != response)
      continue;
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      if (!matches(table, CellId{c}, cell.codes))
        continue;
      AprioriEntry& entry = entries.emplace_back();
      entry.codes.assign(table.codes(CellId{c}).begin(), table.codes(CellId{c}).end());
      entry.status = AprioriStatus::kMustPublish;
      entry.where = cell.where;
    }
  }
  return load::with_overrides(std::move(loaded), entries);
}

namespace {

class Merger {
 public:
  Merger(const std::vector<const Problem*>& tables, const std::vector<std::string>& names)
      : tables_(tables), names_(names) {}

  Result<MergedGroup> run() {
    int decimals = 0;
    for (const Problem* problem : tables_)
      decimals = std::max(decimals, problem->table().decimals());
    for (const Problem* problem : tables_) {
      LACUNA_TRY(Problem finer, with_decimals(*problem, decimals));
      finer_.push_back(std::move(finer));
    }
    LACUNA_RETURN_IF_ERROR(check_attackers());
    for (std::size_t t = 0; t < finer_.size(); ++t)
      LACUNA_RETURN_IF_ERROR(take_cells(t));
    return built(decimals);
  }

 private:
  // All but the questions, which are about cells of one table.
  static bool same_rules(std::optional<CountRules> a, std::optional<CountRules> b) {
    if (a)
      a->questions.clear();
    if (b)
      b->questions.clear();
    return a == b;
  }

  Status check_attackers() {
    std::size_t with_respondents = 0;
    for (std::size_t t = 0; t < finer_.size(); ++t) {
      with_respondents += finer_[t].attackers().size() > 1 ? 1U : 0U;
      if (!same_rules(finer_[t].counts(), finer_[0].counts()))
        return Error{ErrorCode::kUnsupported,
                     "tables of counts that share cells are judged by the same rules; give all of "
                     "them the same [counts], or make them one job with several [[table]]",
                     names_[t]};
      if (finer_[t].attackers().size() > 1)
        known_by_ = t;
    }
    if (with_respondents > 1)
      return Error{ErrorCode::kUnsupported,
                   "respondents of several inputs may be the same: tables that share cells and are "
                   "protected against them belong in one job with several [[table]]",
                   names_[known_by_]};
    return ok_status();
  }

  Status take_cells(std::size_t t) {
    const Table& table = finer_[t].table();
    std::vector<CellId>& places = merged_.places.emplace_back();
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      const std::string key = cell_key(table, CellId{c});
      const auto [at, is_new] = by_key_.try_emplace(key, cells_.size());
      if (is_new)
        cells_.push_back(table.cell(CellId{c}));
      else
        LACUNA_RETURN_IF_ERROR(agree(cells_[at->second], table.cell(CellId{c}), key, t));
      places.push_back(CellId{static_cast<std::int32_t>(at->second)});
    }
    return ok_status();
  }

  Status agree(Cell& cell, const Cell& other, const std::string& key, std::size_t t) const {
    const std::string where =
        names_[t] + ", " + (key.empty() ? std::string("the grand total") : key);
    if (cell.value != other.value)
      return Error{ErrorCode::kContradiction,
                   "another table of the same response has another value here; if they are not the "
                   "same numbers, give the tables different responses",
                   where};
    const auto shown = [](CellStatus status) {
      return status == CellStatus::kMustPublish || status == CellStatus::kKnown;
    };
    if ((shown(cell.status) && other.status == CellStatus::kPrimary) ||
        (shown(other.status) && cell.status == CellStatus::kPrimary))
      return Error{ErrorCode::kContradiction,
                   "sensitive in one table and to be published in another",
                   where};
    const auto rank = [](CellStatus status) {
      switch (status) {
        case CellStatus::kPrimary:
          return 4;
        case CellStatus::kKnown:
          return 3;
        case CellStatus::kMustPublish:
          return 2;
        case CellStatus::kSecondary:
          return 1;
        case CellStatus::kFree:
          break;
      }
      return 0;
    };
    if (rank(other.status) > rank(cell.status))
      cell.status = other.status;
    cell.weight = std::max(cell.weight, other.weight);
    cell.prior = intersect(cell.prior, other.prior);
    cell.frequency = std::max(cell.frequency, other.frequency);
    return ok_status();
  }

  CellId place(std::size_t t, CellId cell) const {
    return merged_.places[t][static_cast<std::size_t>(cell.value)];
  }

  Result<MergedGroup> built(int decimals) {
    TableBuilder builder(decimals);
    for (const Cell& cell : cells_) {
      LACUNA_TRY(const CellId same, builder.add_cell(cell));
      static_cast<void>(same);
    }
    std::set<std::vector<std::pair<std::int32_t, std::int32_t>>> seen;
    for (std::size_t t = 0; t < finer_.size(); ++t) {
      const Table& table = finer_[t].table();
      for (std::int32_t e = 0; e < table.num_equations(); ++e) {
        std::vector<Term> terms;
        std::vector<std::pair<std::int32_t, std::int32_t>> sorted;
        for (const Term& term : table.equation(EquationId{e})) {
          terms.push_back({place(t, term.cell), term.coefficient});
          sorted.emplace_back(terms.back().cell.value, term.coefficient);
        }
        std::sort(sorted.begin(), sorted.end());
        if (!seen.insert(std::move(sorted)).second)
          continue;  // both tables have it
        LACUNA_TRY(const EquationId same, builder.add_equation(terms, table.rhs(EquationId{e})));
        static_cast<void>(same);
      }
    }
    LACUNA_TRY(Table table, std::move(builder).build());
    LACUNA_TRY(merged_.problem, make_problem(std::move(table), attackers(), requirements()));
    if (std::optional<CountRules> rules = counts())
      LACUNA_RETURN_IF_ERROR(merged_.problem.set_counts(*std::move(rules)));
    return std::move(merged_);
  }

  std::optional<CountRules> counts() const {
    std::optional<CountRules> all = finer_[0].counts();
    if (!all)
      return all;
    all->questions.clear();
    std::set<std::vector<std::int64_t>> seen;
    for (std::size_t t = 0; t < finer_.size(); ++t) {
      for (CountQuestion question : finer_[t].counts()->questions) {
        question.cell = place(t, question.cell);
        if (question.group.value >= 0)
          question.group = place(t, question.group);
        for (Term& term : question.form)
          term.cell = place(t, term.cell);
        std::sort(question.form.begin(), question.form.end(), [](const Term& a, const Term& b) {
          return a.cell < b.cell;
        });
        std::vector<std::int64_t> key{static_cast<std::int64_t>(question.kind),
                                      question.attacker,
                                      question.cell.value,
                                      question.group.value};
        for (const Term& term : question.form)
          key.push_back(term.cell.value);
        if (seen.insert(std::move(key)).second)
          all->questions.push_back(std::move(question));
      }
    }
    return all;
  }

  std::vector<Attacker> attackers() const {
    std::vector<Attacker> all{outsider()};
    const Problem& source = finer_[known_by_];
    for (std::size_t a = 1; a < source.attackers().size(); ++a) {
      Attacker attacker{source.attackers()[a].name, {}};
      for (const Knowledge& known : source.attackers()[a].known)
        attacker.known.push_back({place(known_by_, known.cell), known.bounds});
      std::sort(attacker.known.begin(), attacker.known.end(), [](const auto& x, const auto& y) {
        return x.cell < y.cell;
      });
      all.push_back(std::move(attacker));
    }
    return all;
  }

  std::vector<Requirement> requirements() const {
    std::map<std::pair<CellId, std::int32_t>, Requirement> needs;
    for (std::size_t t = 0; t < finer_.size(); ++t) {
      for (Requirement need : finer_[t].requirements()) {
        need.cell = place(t, need.cell);
        need.sliding = need.given_sliding();
        const Cell& cell = cells_[static_cast<std::size_t>(need.cell.value)];
        if (cell.prior.has_lower())  // another table may tell more
          need.lower = std::min(need.lower, cell.value - cell.prior.lower);
        const auto [at, is_new] = needs.try_emplace({need.cell, need.attacker}, need);
        if (is_new)
          continue;
        at->second.lower = std::max(at->second.lower, need.lower);
        at->second.upper = std::max(at->second.upper, need.upper);
        at->second.sliding = std::max(at->second.sliding, need.sliding);
      }
    }
    std::vector<Requirement> all;
    for (const auto& [key, need] : needs)
      all.push_back(need);
    return all;
  }

  const std::vector<const Problem*>& tables_;
  const std::vector<std::string>& names_;
  std::vector<Problem> finer_;
  std::size_t known_by_ = 0;
  MergedGroup merged_;
  std::map<std::string, std::size_t> by_key_;
  std::vector<Cell> cells_;
};

}  // namespace

Result<MergedGroup> merge_group(const std::vector<const Problem*>& tables,
                                const std::vector<std::string>& names) {
  return Merger(tables, names).run();
}

}  // namespace lacuna::plan

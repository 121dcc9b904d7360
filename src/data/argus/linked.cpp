// SPDX-License-Identifier: Apache-2.0
#include "data/argus/linked.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/base/rational.h"
#include "core/base/text.h"
#include "data/argus/write_parts.h"
#include "lacuna/linked_tables.h"
#include "lacuna/problem.h"

namespace lacuna::argus {
namespace {

constexpr double kLeastCost = 0.0001;  // of a cell that is said to cost nothing
constexpr int kBoundPercent = 150;     // of the extremes

Error link_error(std::string message, std::string where) {
  return {ErrorCode::kContradiction, std::move(message), std::move(where)};
}

// Codes without the blanks of their files, unless two differ in nothing else.
std::vector<std::string> plain_codes(const CodeList& list) {
  std::vector<std::string> plain;
  std::set<std::string> seen;
  for (const std::string& code : list.codes) {
    plain.emplace_back(base::trimmed(code));
    if (!seen.insert(plain.back()).second)
      return list.codes;
  }
  return plain;
}

// A variable of several tables: the codes of all, each below the same parent.
class SharedVariable {
 public:
  SharedVariable(const CodeList& first, const std::string& table) : list_(first), table_(table) {
    list_.codes = plain_codes(first);
    for (std::int32_t i = 0; i < list_.size(); ++i)
      index_.emplace(list_.codes[static_cast<std::size_t>(i)], i);
  }

  const CodeList& list() const { return list_; }

  // The index here of every code of the other list.
  Result<std::vector<std::int32_t>> add(const CodeList& other, const std::string& table) {
    const std::vector<std::string> codes = plain_codes(other);
    std::vector<std::int32_t> here(codes.size(), 0);
    if (codes[0] != list_.codes[0])
      return link_error("the total of " + list_.variable + " is " + codes[0] + " here, but " +
                            list_.codes[0] + " in " + table_ + ": linked tables need the same code",
                        table);
    for (std::size_t i = 1; i < codes.size(); ++i) {
      const std::int32_t parent = here[static_cast<std::size_t>(other.parents[i])];
      const auto [known, is_new] = index_.try_emplace(codes[i], list_.size());
      here[i] = known->second;
      if (is_new) {
        list_.codes.push_back(codes[i]);
        list_.parents.push_back(parent);
        list_.missing.push_back(i < other.missing.size() && other.missing[i]);
      } else if (list_.parents[static_cast<std::size_t>(here[i])] != parent) {
        return link_error("code " + codes[i] + " of " + list_.variable +
                              " stands below another code than in " + table_ +
                              ": linked tables need the same hierarchy",
                          table);
      }
    }
    return here;
  }

 private:
  CodeList list_;
  std::string table_;  // that the first codes come from
  std::map<std::string, std::int32_t> index_;
};

Units ceiling(const mpq_class& level, int decimals) {
  const mpz_class up = base::rounded_up(level * base::ten_to_the(decimals));
  return up > base::to_integer(kMaxUnits) ? kMaxUnits : base::to_units(up);
}

// So many percent of the value, in whole units, toward zero.
Units share_of(Units value, const mpq_class& percent) {
  const mpq_class share = percent * base::to_integer(value) / 100;
  const mpz_class whole = share.get_num() / share.get_den();
  if (abs(whole) > base::to_integer(kMaxUnits))
    return whole < 0 ? -kMaxUnits : kMaxUnits;
  return base::to_units(whole);
}

std::optional<AprioriStatus> apriori_of(CellStatus status) {
  if (is_unsafe(status))
    return AprioriStatus::kUnsafe;
  if (is_secondary(status))
    return AprioriStatus::kSecondary;
  if (status == CellStatus::kProtected)
    return AprioriStatus::kMustPublish;
  return std::nullopt;
}

class Linker {
 public:
  Linker(const std::vector<const Table*>& tables,
         const std::vector<std::string>& names,
         const LinkOptions& options)
      : tables_(tables), names_(names), options_(options) {}

  Result<LinkedTables> run() {
    LACUNA_RETURN_IF_ERROR(share_variables());
    for (const Table* table : tables_)
      decimals_ = std::max(decimals_, table->decimals);
    for (std::size_t t = 0; t < tables_.size(); ++t)
      LACUNA_RETURN_IF_ERROR(add_cells(t));
    LACUNA_RETURN_IF_ERROR(fit_levels());
    LACUNA_RETURN_IF_ERROR(build());
    return std::move(linked_);
  }

 private:
  struct Shared {  // a cell of one table or of several
    std::vector<std::int32_t> codes;
    std::size_t table = 0;  // that it was first seen in
    Units value = 0;
    std::int64_t contributors = 0;
    double weight = 0;
    std::optional<AprioriStatus> status;
    Units lower = 0, upper = 0;
  };

  Status share_variables() {
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      LinkedTable cross{names_[t], {}};
      auto& maps = code_maps_.emplace_back();
      for (const CodeList& list : tables_[t]->variables) {
        const std::string name = base::lower_case(list.variable);
        auto found = dimension_of_.find(name);
        if (found == dimension_of_.end()) {
          found = dimension_of_.emplace(name, variables_.size()).first;
          variables_.emplace_back(list, names_[t]);
        }
        LACUNA_TRY(auto map, variables_[found->second].add(list, names_[t]));
        maps.push_back(std::move(map));
        cross.dimensions.push_back(static_cast<std::int32_t>(found->second));
      }
      crossed_.push_back(std::move(cross));
    }
    // A table whose tree ends above the leaves of another's has no sums down there.
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      for (std::size_t v = 0; v < tables_[t]->variables.size(); ++v) {
        const auto dimension = static_cast<std::size_t>(crossed_[t].dimensions[v]);
        if (tables_[t]->variables[v].size() < variables_[dimension].list().size())
          crossed_[t].stops_above_leaves = true;
      }
    }
    return ok_status();
  }

  Units rescaled(Units value, int decimals) const {
    for (; decimals < decimals_; ++decimals)
      value *= 10;
    return value;
  }

  Status add_cells(std::size_t t) {
    const Table& table = *tables_[t];
    auto& places = linked_.cells.emplace_back(table.cells.size(), -1);
    for (std::size_t c = 0; c < table.cells.size(); ++c) {
      if (is_empty(table.cells[c].status))
        continue;
      std::vector<std::int32_t> codes(variables_.size(), 0);
      const auto own = table.codes_of(c);
      for (std::size_t v = 0; v < own.size(); ++v) {
        codes[static_cast<std::size_t>(crossed_[t].dimensions[v])] =
            code_maps_[t][v][static_cast<std::size_t>(own[v])];
      }
      const auto [known, is_new] = index_.try_emplace(codes, shared_.size());
      places[c] = static_cast<std::int32_t>(known->second);
      if (is_new) {
        Shared fresh;
        fresh.codes = std::move(codes);
        fresh.table = t;
        shared_.push_back(std::move(fresh));
      }
      LACUNA_RETURN_IF_ERROR(merge(shared_[known->second], t, c, is_new));
    }
    return ok_status();
  }

  // Without frequencies: as many as the largest contributions if they are all of it, else unknown.
  static std::int64_t contributors_of(const Table& table, const Cell& cell) {
    if (table.rules.holdings())
      return cell.holdings;
    if (table.frequencies)
      return cell.frequency;
    Units rest = cell.shadow;
    std::int64_t count = 0;
    for (const Units part : cell.largest) {
      rest -= part;
      count += part > 0 ? 1 : 0;
    }
    return rest == 0 ? count : -1;
  }

  Status merge(Shared& shared, std::size_t t, std::size_t c, bool is_new) const {
    const Table& table = *tables_[t];
    const Cell& cell = table.cells[c];
    const Units value = rescaled(cell.response, table.decimals);
    const auto status = apriori_of(cell.status);
    if (is_new) {
      shared.value = value;
      shared.contributors = contributors_of(table, cell);
      shared.weight = weight_of(table, cell);
      shared.status = status;
    } else if (shared.value != value) {
      return link_error(names_[shared.table] + " and " + names_[t] +
                            " share the cell, but not its value: they cannot be protected together",
                        table.label_of(c));
    } else {
      const bool clash = (shared.status == AprioriStatus::kMustPublish && status &&
                          status != AprioriStatus::kMustPublish) ||
                         (status == AprioriStatus::kMustPublish && shared.status &&
                          shared.status != AprioriStatus::kMustPublish);
      if (clash)
        return link_error(names_[shared.table] + " and " + names_[t] +
                              " share the cell: one withholds it, the other must publish it",
                          table.label_of(c));
      if (status == AprioriStatus::kUnsafe || !shared.status)
        shared.status = status;
      shared.weight = std::max(shared.weight, weight_of(table, cell));
    }
    if (cell.levels) {
      shared.lower = std::max(shared.lower, ceiling(cell.levels->lower, decimals_));
      shared.upper = std::max(shared.upper, ceiling(cell.levels->upper, decimals_));
    }
    return ok_status();
  }

  Bounds bounds_of(const Shared& cell) const {
    if (options_.open_bounds)
      return {least_ < 0 ? kUnboundedBelow : 0, kUnboundedAbove};
    if (!options_.bound_percent)
      return {least_, most_};
    const mpq_class percent(*options_.bound_percent);
    const Units size = cell.value < 0 ? -cell.value : cell.value;
    const Units room = share_of(size, percent);
    const Units lowest = cell.value >= 0 && least_ == 0 && room > cell.value ? cell.value : room;
    return {cell.value - lowest, cell.value + room};
  }

  Status fit_levels() {
    for (const Shared& cell : shared_) {
      least_ = std::min(least_, cell.value);
      most_ = std::max(most_, cell.value);
    }
    least_ = share_of(least_, kBoundPercent);
    most_ = share_of(most_, kBoundPercent);
    for (Shared& cell : shared_) {
      Bounds known = bounds_of(cell);
      const bool unsafe = cell.status == AprioriStatus::kUnsafe;
      if (unsafe && cell.value - least_ < cell.lower)
        cell.lower = cell.value - least_;  // nobody believes less than what is possible
      if (unsafe) {
        known.lower = std::min(known.lower, cell.value - cell.lower);
        if (cell.upper > kMaxUnits - std::max<Units>(cell.value, 0))
          return link_error("a protection level is too large", "");
        known.upper = std::max(known.upper, cell.value + cell.upper);
      }
      bounds_.push_back(known);
    }
    return ok_status();
  }

  AprioriEntry entry_of(std::size_t c) const {
    const Shared& cell = shared_[c];
    AprioriEntry entry;
    entry.codes = cell.codes;
    entry.status = cell.status;
    entry.cost = cell.weight;
    if (cell.status == AprioriStatus::kUnsafe) {
      entry.lower = cell.lower;
      entry.upper = cell.upper;
    }
    if (bounds_[c].has_lower())
      entry.lower_bound = bounds_[c].lower;
    if (bounds_[c].has_upper())
      entry.upper_bound = bounds_[c].upper;
    return entry;
  }

  Status build() {
    std::vector<Dimension> dimensions;
    for (const SharedVariable& variable : variables_) {
      LACUNA_TRY(Dimension dimension, dimension_of(variable.list()));
      dimensions.push_back(std::move(dimension));
    }
    TableBuilder builder(decimals_, std::move(dimensions));
    jobfile::TableContributions given;
    for (std::size_t c = 0; c < shared_.size(); ++c) {
      const lacuna::Cell cell{.value = shared_[c].value,
                              .prior = bounds_[c],
                              .weight = shared_[c].weight,
                              .frequency = shared_[c].contributors};
      LACUNA_RETURN_IF_ERROR(builder.add_cell(cell, shared_[c].codes));
      given.given.push_back(entry_of(c));
      given.largest.emplace_back();
    }
    if (const Status sums = add_table_equations(builder, crossed_); !sums)
      return sums;
    jobfile::Job& job = linked_.job;
    LACUNA_TRY(lacuna::Table table, std::move(builder).build());
    LACUNA_TRY(job.problem, assemble_problem({std::move(table), {outsider()}, {}}));
    given.has_frequency = true;
    given.rules = {{"attackers", options_.contributors_attack ? "respondents" : "outsider", ""},
                   {"misfit", "widen", ""}};
    job.contributions = std::move(given);
    job.placed = [](Error error) { return error; };
    job.tables = std::move(crossed_);
    return ok_status();
  }

  const std::vector<const Table*>& tables_;
  const std::vector<std::string>& names_;
  const LinkOptions& options_;
  std::vector<SharedVariable> variables_;
  std::map<std::string, std::size_t> dimension_of_;
  std::vector<std::vector<std::vector<std::int32_t>>> code_maps_;  // by table and variable
  std::vector<LinkedTable> crossed_;
  std::map<std::vector<std::int32_t>, std::size_t> index_;
  std::vector<Shared> shared_;
  std::vector<Bounds> bounds_;
  Units least_ = 0, most_ = 0;
  int decimals_ = 0;
  LinkedTables linked_;
};

// For every variable of `one`, where it stands in `other` (-1: it does not) and for every code of
// it its place there (-1: none).
struct CodesElsewhere {
  std::vector<std::int32_t> variable;
  std::vector<std::vector<std::int32_t>> code;
};

CodesElsewhere codes_elsewhere(const Table& one, const Table& other) {
  CodesElsewhere found;
  for (const CodeList& list : one.variables) {
    std::int32_t place = -1;
    std::map<std::string, std::int32_t> index;
    for (std::size_t v = 0; v < other.variables.size(); ++v) {
      if (base::lower_case(other.variables[v].variable) != base::lower_case(list.variable))
        continue;
      place = static_cast<std::int32_t>(v);
      const std::vector<std::string> codes = plain_codes(other.variables[v]);
      for (std::size_t i = 1; i < codes.size(); ++i)
        index.emplace(codes[i], static_cast<std::int32_t>(i));
    }
    std::vector<std::int32_t> there(1, 0);  // the total is the total
    const std::vector<std::string> codes = plain_codes(list);
    for (std::size_t i = 1; i < codes.size(); ++i) {
      const auto known = index.find(codes[i]);
      there.push_back(known == index.end() ? -1 : known->second);
    }
    found.variable.push_back(place);
    found.code.push_back(std::move(there));
  }
  return found;
}

// The cell of the other table with the same codes, if it has one.
std::optional<std::size_t> same_cell(const Table& one,
                                     const Table& other,
                                     const CodesElsewhere& elsewhere,
                                     std::size_t cell) {
  std::vector<std::int32_t> codes(other.variables.size(), 0);
  const std::vector<std::int32_t> own = one.codes_of(cell);
  for (std::size_t v = 0; v < own.size(); ++v) {
    const std::int32_t there = elsewhere.code[v][static_cast<std::size_t>(own[v])];
    if (there < 0)
      return std::nullopt;
    if (elsewhere.variable[v] >= 0)
      codes[static_cast<std::size_t>(elsewhere.variable[v])] = there;
  }
  return other.index_of(codes);
}

}  // namespace

bool contradict(const Table& one, const Table& other) {
  const CodesElsewhere elsewhere = codes_elsewhere(one, other);
  for (std::size_t c = 0; c < one.cells.size(); ++c) {
    const auto there = same_cell(one, other, elsewhere, c);
    if (there && base::units_to_fraction(one.cells[c].response, one.decimals) !=
                     base::units_to_fraction(other.cells[*there].response, other.decimals))
      return true;
  }
  return false;
}

double weight_of(const Table& table, const Cell& cell) {
  return std::max(priced(table, cell), kLeastCost);
}

Result<LinkedTables> link_tables(const std::vector<const Table*>& tables,
                                 const std::vector<std::string>& names,
                                 const LinkOptions& options) {
  return Linker(tables, names, options).run();
}

}  // namespace lacuna::argus

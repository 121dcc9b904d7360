// SPDX-License-Identifier: Apache-2.0
#include "protect/small_counts/inner.h"

#include <algorithm>

#include "core/base/index.h"
#include "core/base/spelling.h"
#include "core/base/work.h"
#include "core/table/leaf_form.h"
#include "protect/small_counts/tuning.h"

namespace lacuna::small_counts {
namespace {

Error unsupported(std::string message, std::string where) {
  return {ErrorCode::kUnsupported, std::move(message), std::move(where)};
}

Error circle() {
  return unsupported(
      "the links of these tables run in a circle, so their small counts cannot be rounded "
      "together; add the table of all their variables, with its cells withheld",
      "");
}

Status check_counts(const Table& table) {
  if (table.decimals() != 0) {
    return unsupported("small counts are whole numbers, and this table has " +
                           std::to_string(table.decimals()) + " decimals; take " +
                           base::named_option("method", "round") + " or suppress",
                       "");
  }
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (table.value(CellId{c}) < 0)
      return unsupported(
          "counts are not negative; take " + base::named_option("method", "round") + " or suppress",
          table.label(CellId{c}));
  }
  return ok_status();
}

// Every cell is a plain sum of leaves, and its value is theirs.
Status check_sums_of_leaves(const Table& table, const table::LeafForm& form) {
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    Wide sum = 0;
    bool plain = true;
    for (const table::LeafTerm& term : form.of(CellId{c})) {
      plain = plain && term.coefficient == 1;
      sum += table.value(form.leaves[base::at(term.leaf)]);
    }
    if (!plain || sum != table.value(CellId{c}))
      return unsupported("the cell is not a sum of counts, which small-count rounding needs",
                         table.label(CellId{c}));
  }
  return ok_status();
}

// Persons that stand in the same leaves.
struct Group {
  std::vector<std::int32_t> leaves;  // at most one of each table
  Units count = 0;
};

class Coupling {
 public:
  Coupling(const Table& table, const table::LeafForm& form) : table_(table), form_(form) {
    for (std::size_t i = 0; i < form.leaves.size(); ++i) {
      if (table.value(form.leaves[i]) > 0)
        groups_.push_back({{static_cast<std::int32_t>(i)}, table.value(form.leaves[i])});
    }
    factor_.assign(form.leaves.size(), 0);
  }

  Result<std::vector<Group>> run() {
    std::vector<std::vector<table::LeafTerm>> conditions;
    std::vector<bool> defining(base::at(table_.num_equations()), false);
    for (const EquationId e : form_.defining)
      defining[base::at(e)] = true;
    for (std::int32_t e = 0; e < table_.num_equations(); ++e) {
      if (defining[base::at(e)])
        continue;
      std::vector<table::LeafTerm> terms = form_.on_leaves(table_, EquationId{e});
      if (!terms.empty())
        conditions.push_back(std::move(terms));
    }
    std::stable_sort(conditions.begin(), conditions.end(), [](const auto& a, const auto& b) {
      return a.size() < b.size();
    });
    for (const auto& condition : conditions) {
      if (!couple(condition))
        return circle();
    }
    for (const auto& condition : conditions) {
      if (!holds(condition))
        return circle();
    }
    return std::move(groups_);
  }

 private:
  std::int64_t factor_of(const Group& group) const {
    std::int64_t sum = 0;
    for (const std::int32_t leaf : group.leaves)
      sum += factor_[base::at(leaf)];
    return sum;
  }

  void mark(const std::vector<table::LeafTerm>& condition, bool on) {
    for (const table::LeafTerm& term : condition)
      factor_[base::at(term.leaf)] = on ? term.coefficient : 0;
  }

  bool holds(const std::vector<table::LeafTerm>& condition) {
    mark(condition, true);
    const bool every = std::all_of(
        groups_.begin(), groups_.end(), [&](const Group& g) { return factor_of(g) == 0; });
    mark(condition, false);
    return every;
  }

  // Pairs off the two sides; false if they are not plain.
  bool couple(const std::vector<table::LeafTerm>& condition) {
    mark(condition, true);
    std::vector<Group> kept, plus, minus;
    bool plain = true;
    for (Group& group : groups_) {
      const std::int64_t factor = factor_of(group);
      plain = plain && factor >= -1 && factor <= 1;
      (factor == 0 ? kept : factor > 0 ? plus : minus).push_back(std::move(group));
    }
    mark(condition, false);
    std::size_t p = 0, m = 0;
    while (p < plus.size() && m < minus.size()) {
      const Units count = std::min(plus[p].count, minus[m].count);
      Group pair{plus[p].leaves, count};
      pair.leaves.insert(pair.leaves.end(), minus[m].leaves.begin(), minus[m].leaves.end());
      kept.push_back(std::move(pair));
      plus[p].count -= count;
      minus[m].count -= count;
      p += plus[p].count == 0 ? 1U : 0U;
      m += minus[m].count == 0 ? 1U : 0U;
    }
    groups_ = std::move(kept);
    return plain && p == plus.size() && m == minus.size();
  }

  const Table& table_;
  const table::LeafForm& form_;
  std::vector<Group> groups_;
  std::vector<std::int64_t> factor_;  // by leaf, of the condition at hand
};

// The inner cells of each leaf.
using Parts = std::vector<std::vector<std::int32_t>>;

Parts leaves_themselves(const Table& table, const table::LeafForm& form, Inner& inner) {
  Parts parts(form.leaves.size());
  for (std::size_t i = 0; i < form.leaves.size(); ++i) {
    parts[i] = {static_cast<std::int32_t>(i)};
    inner.value.push_back(table.value(form.leaves[i]));
    inner.cell.push_back(form.leaves[i]);
  }
  return parts;
}

Parts pairs(const std::vector<Group>& groups, const table::LeafForm& form, Inner& inner) {
  Parts parts(form.leaves.size());
  inner.coupled = true;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    inner.value.push_back(groups[i].count);
    inner.cell.emplace_back();
    for (const std::int32_t leaf : groups[i].leaves)
      parts[base::at(leaf)].push_back(static_cast<std::int32_t>(i));
  }
  for (const auto& part : parts)
    inner.most_parts = std::max(inner.most_parts, static_cast<std::int64_t>(part.size()));
  return parts;
}

}  // namespace

Result<Inner> inner_cells(const Table& table) {
  LACUNA_RETURN_IF_ERROR(check_counts(table));
  const table::LeafForm form =
      table::leaf_form(table, std::vector<bool>(base::at(table.num_cells()), true));
  LACUNA_RETURN_IF_ERROR(check_sums_of_leaves(table, form));
  base::count_work(kTuning.touches.inner_entry * form.expansion.size());
  Inner inner;
  Parts parts;
  if (form.conditions.empty()) {
    parts = leaves_themselves(table, form, inner);
  } else {
    LACUNA_TRY(const std::vector<Group> groups, Coupling(table, form).run());
    parts = pairs(groups, form, inner);
  }
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const std::size_t first = inner.members.size();
    for (const table::LeafTerm& term : form.of(CellId{c}))
      inner.members.insert(inner.members.end(),
                           parts[base::at(term.leaf)].begin(),
                           parts[base::at(term.leaf)].end());
    const auto begin = inner.members.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, inner.members.end());
    if (std::adjacent_find(begin, inner.members.end()) != inner.members.end())
      return circle();  // somebody would be counted twice
    inner.start.push_back(inner.members.size());
    inner.leaves.push_back(static_cast<std::int64_t>(form.of(CellId{c}).size()));
  }
  return inner;
}

}  // namespace lacuna::small_counts

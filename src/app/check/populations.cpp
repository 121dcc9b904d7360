// SPDX-License-Identifier: Apache-2.0
#include "app/check/populations.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/base/index.h"

namespace lacuna::checking {
namespace {

using Key = std::vector<std::int32_t>;

class Joined {
 public:
  explicit Joined(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  std::int32_t find(std::int32_t of) {
    while (parent_[base::at(of)] != of)
      of = parent_[base::at(of)] = parent_[base::at(parent_[base::at(of)])];
    return of;
  }
  void join(std::int32_t a, std::int32_t b) { parent_[base::at(find(a))] = find(b); }

 private:
  std::vector<std::int32_t> parent_;
};

struct Comparison {
  std::size_t common = 0, positive = 0;
  std::vector<std::pair<RowPlace, RowPlace>> differing;
  bool below = true, above = true;  // the second is nowhere larger; nowhere smaller
};

class Finder {
 public:
  explicit Finder(const std::vector<TableFacts>& tables)
      : tables_(tables), joined_(tables.size() + 1) {
    found_.class_of.assign(tables.size(), 0);
    rows_.resize(tables.size());
    for (std::size_t t = 0; t < tables.size(); ++t) {
      for (std::size_t r = 0; r < tables[t].keys.size(); ++r) {
        if (tables[t].numbers[r])
          rows_[t].emplace(tables[t].keys[r], r);
      }
    }
  }

  Populations find() {
    std::map<Key, std::vector<std::int32_t>> groups;
    for (const std::int32_t t : in_order()) {
      if (tables_[base::at(t)].counts)
        groups[tables_[base::at(t)].subset].push_back(t);
    }
    for (const auto& [subset, members] : groups)
      find_classes(subset, members);
    join_stated(groups);
    for (std::size_t t = 0; t < tables_.size(); ++t)
      found_.joined_of.push_back(joined_.find(static_cast<std::int32_t>(t)));
    return std::move(found_);
  }

 private:
  // Stated ones first, then those with large numbers and many rows: a whole is larger than a part.
  std::vector<std::int32_t> in_order() const {
    std::vector<std::int32_t> order(tables_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
      const TableFacts &one = tables_[base::at(a)], &other = tables_[base::at(b)];
      if (one.stated != other.stated)
        return one.stated;
      const Units first = largest(one), second = largest(other);
      return first != second ? first > second : one.keys.size() > other.keys.size();
    });
    return order;
  }

  static Units largest(const TableFacts& table) {
    Units most = 0;
    for (const std::optional<Units>& number : table.numbers)
      most = std::max(most, number.value_or(0));
    return most;
  }

  Comparison compare(std::int32_t one, std::int32_t other) const {
    Comparison result;
    const auto &first = rows_[base::at(one)], &second = rows_[base::at(other)];
    for (const auto& [key, row] : second) {
      const auto at = first.find(key);
      if (at == first.end())
        continue;
      ++result.common;
      const Units a = *tables_[base::at(one)].numbers[at->second];
      const Units b = *tables_[base::at(other)].numbers[row];
      result.positive += a == b && a > 0 ? 1U : 0U;
      result.below = result.below && b <= a;
      result.above = result.above && b >= a;
      if (a != b)
        result.differing.push_back({{one, static_cast<std::int32_t>(at->second)},
                                    {other, static_cast<std::int32_t>(row)}});
    }
    return result;
  }

  void find_classes(const Key& subset, const std::vector<std::int32_t>& members) {
    std::vector<std::vector<std::int32_t>> classes;
    std::map<std::pair<std::int32_t, std::int32_t>, std::pair<bool, bool>> order;
    for (const std::int32_t table : members) {
      std::int32_t own = -1;
      std::vector<std::pair<std::int32_t, Comparison>> others;
      for (std::size_t c = 0; c < classes.size(); ++c) {
        bool fits = true, any = false;
        for (const std::int32_t member : classes[c]) {
          Comparison compared = compare(member, table);
          fits = fits && compared.differing.empty();
          any = any || compared.common > 0;
          if (compared.differing.empty() && compared.positive == 0)
            continue;
          others.emplace_back(static_cast<std::int32_t>(c), std::move(compared));
        }
        if (fits && any && own < 0)
          own = static_cast<std::int32_t>(c);
      }
      if (own < 0)
        own = others.empty() && !classes.empty() ? 0 : static_cast<std::int32_t>(classes.size());
      if (base::at(own) == classes.size())
        classes.emplace_back();
      classes[base::at(own)].push_back(table);
      found_.class_of[base::at(table)] = own;
      take(own, table, std::move(others), order);
    }
    for (const auto& [pair, is] : order) {
      found_.within[subset][pair] = is.first;
      found_.within[subset][{pair.second, pair.first}] = is.second;
    }
  }

  // `order`, by (class of `table`, the other): whether the first may be a part, or the second.
  void take(std::int32_t own,
            std::int32_t table,
            std::vector<std::pair<std::int32_t, Comparison>> others,
            std::map<std::pair<std::int32_t, std::int32_t>, std::pair<bool, bool>>& order) {
    for (auto& [c, compared] : others) {
      const std::int32_t other =
          compared.differing.empty() ? -1 : compared.differing.front().first.table;
      if (c == own) {
        continue;
      }
      const bool mirrored = own < c;
      const auto pair = mirrored ? std::pair(c, own) : std::pair(own, c);
      const auto [at, is_new] = order.try_emplace(pair, true, true);
      const bool part = mirrored ? compared.above : compared.below;
      const bool whole = mirrored ? compared.below : compared.above;
      at->second.first = at->second.first && part;
      at->second.second = at->second.second && whole;
      if (other < 0)
        continue;
      Clash clash{other, table, compared.common, std::move(compared.differing), compared.below};
      if (compared.above && !compared.below) {  // the larger one stands first
        std::swap(clash.one, clash.other);
        for (auto& each : clash.differing)
          std::swap(each.first, each.second);
        clash.is_part = true;
      }
      found_.clashes.push_back(std::move(clash));
    }
  }

  // What is shown: tables that print a number of the same cell alike. What is stated: tables with
  // filters, and with them the main population.
  void join_stated(const std::map<Key, std::vector<std::int32_t>>& groups) {
    const auto stated = static_cast<std::int32_t>(tables_.size());
    bool any = false;
    for (const auto& [subset, members] : groups) {
      for (std::size_t i = 0; i < members.size(); ++i) {
        for (std::size_t j = i + 1; j < members.size(); ++j) {
          if (found_.class_of[base::at(members[i])] != found_.class_of[base::at(members[j])])
            continue;
          if (joined_.find(members[i]) != joined_.find(members[j]) &&
              compare(members[i], members[j]).positive > 0)
            joined_.join(members[i], members[j]);
        }
      }
    }
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      if (!tables_[t].stated || found_.class_of[t] != 0)
        continue;
      any = true;
      joined_.join(static_cast<std::int32_t>(t), stated);
    }
    if (const auto main = groups.find(Key{}); any && main != groups.end())
      join_largest(main->second, stated);
  }

  void join_largest(const std::vector<std::int32_t>& members, std::int32_t stated) {
    std::map<std::int32_t, std::size_t> sizes;
    for (const std::int32_t table : members) {
      if (found_.class_of[base::at(table)] == 0)
        sizes[joined_.find(table)] += 1;
    }
    std::int32_t best = -1;
    for (const auto& [root, size] : sizes) {
      if (best < 0 || size > sizes[best])
        best = root;
    }
    if (best >= 0)
      joined_.join(best, stated);
  }

  const std::vector<TableFacts>& tables_;
  Joined joined_;
  std::vector<std::map<Key, std::size_t>> rows_;
  Populations found_;
};

}  // namespace

Populations find_populations(const std::vector<TableFacts>& tables) {
  return Finder(tables).find();
}

}  // namespace lacuna::checking

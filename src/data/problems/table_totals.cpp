// SPDX-License-Identifier: Apache-2.0
#include "data/problems/table_totals.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/spelling.h"
#include "core/table/additivity.h"
#include "data/files/code_keys.h"
#include "data/files/number_text.h"
#include "data/files/position.h"
#include "data/infer/sum_guess.h"

namespace lacuna::problems {
namespace {

bool is_inner_of(std::span<const Dimension> dimensions,
                 const LinkedTable& table,
                 std::span<const std::int32_t> codes) {
  for (std::size_t d = 0; d < codes.size(); ++d) {
    const auto& used = table.dimensions;
    const bool crossed =
        std::find(used.begin(), used.end(), static_cast<std::int32_t>(d)) != used.end();
    if (crossed ? !dimensions[d].is_leaf(codes[d]) : codes[d] != dimensions[d].total())
      return false;
  }
  return true;
}

class TotalsMaker {
 public:
  TotalsMaker(const CrossedTables& tables,
              const TotalsOptions& options,
              const TotalsPlaces& places,
              SummedCells& cells)
      : dimensions_(tables.dimensions),
        tables_(tables.tables),
        options_(options),
        places_(places),
        cells_(cells),
        num_given_(cells.values.size()) {}

  Result<TotalsChanged> run() {
    LACUNA_TRY(strides_, files::code_strides(dimensions_));
    for (std::size_t c = 0; c < num_given_; ++c)
      index_.emplace(key_of(codes_of(c)), c);
    LACUNA_RETURN_IF_ERROR(check_totals_named());
    if (options_.rule != TotalsRule::kGiven || !options_.tolerance.empty())
      LACUNA_RETURN_IF_ERROR(add_totals());
    LACUNA_RETURN_IF_ERROR(check_sums());
    return TotalsChanged{note()};
  }

 private:
  using Key = files::CodeKey;
  using KeyHash = files::CodeKeyHash;

  Key key_of(std::span<const std::int32_t> codes) const { return files::code_key(strides_, codes); }

  struct Sum {
    Wide value = 0;
    Wide frequency = 0;
    bool frequency_known = true;
  };
  using Sums = std::unordered_map<Key, Sum, KeyHash>;

  std::span<const std::int32_t> codes_of(std::size_t cell) const {
    return std::span(cells_.codes).subspan(cell * dimensions_.size(), dimensions_.size());
  }

  // Parents after their children; the first split of each parent is enough, the others must agree.
  static std::vector<const Relation*> upward(const Dimension& dimension) {
    enum State : std::uint8_t { kNew, kOpen, kDone };
    std::vector<std::vector<const Relation*>> splits(
        static_cast<std::size_t>(dimension.num_codes()));
    for (const Relation& relation : dimension.relations())
      splits[static_cast<std::size_t>(relation.parent)].push_back(&relation);
    std::vector<const Relation*> order;
    std::vector<State> state(splits.size(), kNew);
    std::vector<std::int32_t> stack{dimension.total()};
    while (!stack.empty()) {
      const auto code = static_cast<std::size_t>(stack.back());
      if (state[code] == kNew && !splits[code].empty()) {
        state[code] = kOpen;
        for (const Relation* relation : splits[code])
          stack.insert(stack.end(), relation->children.begin(), relation->children.end());
        continue;
      }
      if (state[code] == kOpen)
        order.push_back(splits[code].front());
      state[code] = kDone;
      stack.pop_back();
    }
    return order;
  }

  // A row counts in the total of every combination of its levels: many dimensions would fill the
  // memory.
  Status check_levels(const LinkedTable& table) const {
    constexpr std::size_t kMostTotals = 20'000;
    std::size_t totals = 1;
    for (const std::int32_t d : table.dimensions) {
      const Dimension& dimension = dimensions_[static_cast<std::size_t>(d)];
      std::int32_t deepest = 0;
      for (std::int32_t code = 0; code < dimension.num_codes(); ++code)
        deepest = std::max(deepest, dimension.depth(code));
      totals *= static_cast<std::size_t>(deepest) + 1;
      if (totals > kMostTotals) {
        return Error{ErrorCode::kTooLarge,
                     "a row counts in more than " + std::to_string(kMostTotals) +
                         " totals: use fewer dimensions or levels",
                     places_.header};
      }
    }
    return ok_status();
  }

  Status add_totals() {
    for (const LinkedTable& table : tables_) {
      LACUNA_RETURN_IF_ERROR(check_levels(table));
      Sums sums;
      for (std::size_t c = 0; c < num_given_; ++c) {
        if (is_inner_of(dimensions_, table, codes_of(c)))
          sums[key_of(codes_of(c))] = {
              cells_.values[c], cells_.frequencies[c], cells_.frequencies[c] >= 0};
      }
      for (const std::int32_t d : table.dimensions)
        add_up(static_cast<std::size_t>(d), sums);
      LACUNA_RETURN_IF_ERROR(add_missing(sums));
    }
    return ok_status();
  }

  // Sums over the codes of one dimension, for all tuples of the others at once.
  void add_up(std::size_t d, Sums& sums) const {
    const Key stride = strides_[d];
    const Key codes = dimensions_[d].num_codes();
    std::unordered_map<std::int32_t, std::vector<Key>> by_code;  // tuples with this code in d
    for (const auto& [key, sum] : sums)
      by_code[static_cast<std::int32_t>(key / stride % codes)].push_back(key);
    for (const Relation* relation : upward(dimensions_[d])) {
      std::vector<Key>& parents = by_code[relation->parent];
      for (const std::int32_t child : relation->children) {
        const auto children = by_code.find(child);
        if (children == by_code.end())
          continue;
        for (const Key key : children->second) {
          const Sum part = sums[key];
          const auto [at, is_new] = sums.try_emplace(key + stride * (relation->parent - child));
          if (is_new)
            parents.push_back(at->first);
          at->second.value += part.value;
          at->second.frequency += part.frequency;
          at->second.frequency_known = at->second.frequency_known && part.frequency_known;
        }
      }
    }
  }

  // How far a total may be from its parts and still be set to their sum.
  Result<Wide> tolerance() const {
    if (options_.rule == TotalsRule::kRecomputed)
      return Wide{2} * kMaxUnits;
    if (options_.tolerance.empty())
      return Wide{0};
    LACUNA_TRY(const Units units, files::parse_level_upward(options_.tolerance, options_.decimals));
    return Wide{units};
  }

  Status set_totals(const Sums& sums) {
    LACUNA_TRY(const Wide most, tolerance());
    if (most == 0)
      return ok_status();
    for (const auto& [key, sum] : sums) {
      const auto at = index_.find(key);
      if (at == index_.end() || is_inner_cell({dimensions_, tables_}, codes_of(at->second)))
        continue;
      Units& value = cells_.values[at->second];
      const Wide off = sum.value > value ? sum.value - value : value - sum.value;
      if (off == 0 || off > most)
        continue;
      LACUNA_RETURN_IF_ERROR(fits(sum.value));
      value = static_cast<Units>(sum.value);
      ++totals_set_;
      farthest_ = std::max(farthest_, off);
    }
    return ok_status();
  }

  Status add_missing(const Sums& sums) {
    LACUNA_RETURN_IF_ERROR(set_totals(sums));
    for (const std::size_t cell : cells_.empty) {
      if (const auto at = sums.find(key_of(codes_of(cell))); at != sums.end()) {
        LACUNA_RETURN_IF_ERROR(fits(at->second.value));
        cells_.values[cell] = static_cast<Units>(at->second.value);
      }
    }
    if (options_.rule == TotalsRule::kGiven)
      return ok_status();
    std::vector<Key> missing;
    for (const auto& [key, sum] : sums) {
      if (!index_.contains(key))
        missing.push_back(key);
    }
    std::sort(missing.begin(), missing.end());
    for (const Key key : missing) {
      const Sum& sum = sums.at(key);
      LACUNA_RETURN_IF_ERROR(fits(sum.value));
      index_.emplace(key, cells_.values.size());
      for (std::size_t d = 0; d < dimensions_.size(); ++d)
        cells_.codes.push_back(
            static_cast<std::int32_t>(key / strides_[d] % dimensions_[d].num_codes()));
      cells_.values.push_back(static_cast<Units>(sum.value));
      const bool counted = sum.frequency_known && sum.frequency <= kMaxUnits;
      cells_.frequencies.push_back(counted ? static_cast<std::int64_t>(sum.frequency) : -1);
    }
    return ok_status();
  }

  // ---- sums that do not hold

  // A part that is the sum of all other parts of a flat dimension, wherever it stands, is no part:
  // added up as one it would double the total.
  Status check_totals_named() const {
    if (options_.rule == TotalsRule::kGiven)
      return ok_status();
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      const std::int32_t code = disguised_total(d);
      if (code < 0)
        continue;
      return Error{ErrorCode::kBadHierarchy,
                   "the code " + base::in_quotes(dimensions_[d].code(code)) + " of dimension " +
                       dimensions_[d].name() + " is the sum of all other parts: say " +
                       base::named_setting(
                           "its [[dimension]]", "total", '"' + dimensions_[d].code(code) + '"'),
                   places_.header};
    }
    return ok_status();
  }

  std::int32_t disguised_total(std::size_t d) const {
    const Dimension& dimension = dimensions_[d];
    const auto& relations = dimension.relations();
    if (relations.size() != 1 || relations.front().children.size() < 3)
      return -1;
    std::unordered_map<Key, std::pair<Wide, std::vector<std::pair<std::int32_t, Units>>>, KeyHash>
        slices;
    for (std::size_t c = 0; c < num_given_; ++c) {
      const std::int32_t code = codes_of(c)[d];
      if (code == dimension.total())
        continue;
      auto& [sum, parts] = slices[key_of(codes_of(c)) - strides_[d] * code];
      sum += cells_.values[c];
      parts.emplace_back(code, cells_.values[c]);
    }
    for (const std::int32_t code : relations.front().children) {
      std::size_t shown = 0;  // sums of at least two parts
      const bool always = std::all_of(slices.begin(), slices.end(), [&](const auto& slice) {
        const auto& [sum, parts] = slice.second;
        Wide own = 0;
        std::size_t others = 0;
        for (const auto& [part, value] : parts) {
          own += part == code ? Wide{value} : Wide{0};
          others += part != code && value != 0 ? 1U : 0U;
        }
        shown += others >= 2 ? 1U : 0U;
        return 2 * own == sum;
      });
      // One sum that holds may be chance.
      if (always && shown >= (infer::is_total_word(dimension.code(code)) ? 1U : 2U))
        return code;
    }
    return -1;
  }

  Status check_sums() const {
    const std::vector<table::BrokenSum> broken =
        table::find_broken_sums({dimensions_, tables_, cells_.codes, cells_.values});
    return broken.empty() ? ok_status() : not_additive(broken);
  }

  std::string note() const {
    if (totals_set_ == 0)
      return "";
    return places_.file + ": " + std::to_string(totals_set_) +
           (totals_set_ == 1 ? " total was" : " totals were") +
           " set to the sum of the parts, off by at most " +
           base::confidential(base::format_fraction(farthest_, 1, options_.decimals));
  }

  std::string label_of(std::size_t cell) const {
    std::string label;
    for (std::size_t d = 0; d < dimensions_.size(); ++d)
      label +=
          (d > 0 ? "|" : "") + dimensions_[d].name() + "=" + dimensions_[d].code(codes_of(cell)[d]);
    return label;
  }

  std::string where_of(std::size_t cell) const {
    return cell < num_given_ ? places_.of_cell(cell) : places_.file;
  }

  // A dimension without a hierarchy most of whose sums are broken has one that was not given.
  std::string subtotals_text(const std::vector<table::BrokenSum>& broken) const {
    std::vector<std::size_t> counts(dimensions_.size(), 0);
    for (const table::BrokenSum& sum : broken)
      ++counts[sum.dimension];
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      std::size_t totals = 0;
      for (std::size_t c = 0; c < cells_.values.size(); ++c)
        totals += codes_of(c)[d] == dimensions_[d].total() ? 1U : 0U;
      if (dimensions_[d].relations().size() == 1 && counts[d] > 1 && counts[d] * 2 > totals)
        return "give the hierarchy of " + dimensions_[d].name() +
               " if there are subtotals among its codes, ";
    }
    return "";
  }

  Error not_additive(const std::vector<table::BrokenSum>& broken) const {
    constexpr std::size_t kListed = 20;
    const auto size = [](Wide off) { return off < 0 ? -off : off; };
    Wide farthest = 0;
    std::size_t absent = 0;
    std::string list;
    for (std::size_t i = 0; i < broken.size(); ++i) {
      const table::BrokenSum& sum = broken[i];
      farthest = std::max(farthest, size(sum.off));
      absent += sum.absent ? 1U : 0U;
      if (i >= kListed)
        continue;
      const std::string over = " over " + dimensions_[sum.dimension].name();
      list += "\n  " + where_of(sum.cell) + ": " + label_of(sum.cell) +
              (sum.absent ? " has no total" + over
                          : ", the sum" + over + ", is off by " +
                                base::confidential(
                                    base::format_fraction(size(sum.off), 1, options_.decimals)));
    }
    if (broken.size() > kListed)
      list += "\n  and " + std::to_string(broken.size() - kListed) + " more";
    const std::string count = std::to_string(broken.size());
    const std::string remedy =
        absent == broken.size()
            ? "the totals are absent: say " +
                  base::named_setting("[input]", "totals", "\"computed\"") +
                  ", or name the right code as the total of the dimension"
            : subtotals_text(broken) + "correct the table, or say " +
                  base::named_setting(
                      "round_totals",
                      base::confidential(base::format_fraction(farthest, 1, options_.decimals))) +
                  " (totals as far from their parts are set to the sum) or " +
                  base::named_setting("[input]", "totals", "\"recomputed\"");
    return {ErrorCode::kNotAdditive,
            "the table is not additive: " + count +
                (broken.size() == 1 ? " sum does" : " sums do") + " not hold; " + remedy + list,
            where_of(broken.front().cell)};
  }

  Status fits(Wide sum) const {
    if (sum <= kMaxUnits && sum >= -kMaxUnits)
      return ok_status();
    return Error{ErrorCode::kNumberTooLarge,
                 "a total does not fit 63 bits with " + std::to_string(options_.decimals) +
                     " decimals; use fewer decimals or a larger unit",
                 places_.file};
  }

  std::span<const Dimension> dimensions_;
  std::span<const LinkedTable> tables_;
  const TotalsOptions& options_;
  const TotalsPlaces& places_;
  SummedCells& cells_;
  const std::size_t num_given_;
  std::vector<Key> strides_;
  std::unordered_map<Key, std::size_t, KeyHash> index_;
  std::size_t totals_set_ = 0;  // to the sum of their parts
  Wide farthest_ = 0;           // that they were from it
};

}  // namespace

bool is_inner_cell(const CrossedTables& tables, std::span<const std::int32_t> codes) {
  return std::any_of(tables.tables.begin(), tables.tables.end(), [&](const LinkedTable& table) {
    return is_inner_of(tables.dimensions, table, codes);
  });
}

Result<TotalsChanged> complete_cells(const CrossedTables& tables,
                                     const TotalsOptions& options,
                                     const TotalsPlaces& places,
                                     SummedCells& cells) {
  return TotalsMaker(tables, options, places, cells).run();
}

}  // namespace lacuna::problems

// SPDX-License-Identifier: Apache-2.0
#include "data/infer/quotients.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "core/base/decimal.h"
#include "core/base/text.h"
#include "data/files/number_style.h"
#include "data/files/number_text.h"
#include "data/infer/csv_guess.h"
#include "lacuna/tolerance.h"

namespace lacuna::infer {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kLeastShares = 3, kLeastQuotients = 4;  // numbers that can be compared
constexpr std::size_t kLeastKinds = 3;  // of different numbers among them
constexpr double kLeastShare = 0.9;     // of numbers that agree

struct Numbers {
  std::vector<double> of_row;
  int decimals = 0;
};

std::optional<Numbers> numbers_in(const files::CsvFile& file, std::size_t column) {
  const auto texts = numbers_of(file, column);
  if (!texts)
    return std::nullopt;
  const std::vector<files::NumberStyle> styles = files::possible_styles(texts->marked);
  if (styles.empty())
    return std::nullopt;
  Numbers numbers;
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    const std::string_view text = base::trimmed(file.field(r, column));
    const auto plain =
        is_missing_text(text) ? std::nullopt : files::plain_number(text, styles.front());
    const auto number = plain ? base::parse_double(*plain) : Result<double>(kNone);
    numbers.of_row.push_back(number ? *number : kNone);
    const std::size_t point = plain ? plain->find('.') : std::string::npos;
    if (point != std::string::npos && plain->find_first_of("eE") == std::string::npos)
      numbers.decimals = std::max(numbers.decimals, static_cast<int>(plain->size() - point - 1));
  }
  return numbers;
}

class QuotientFinder {
 public:
  QuotientFinder(const files::CsvFile& file, const std::vector<std::size_t>& dimensions)
      : file_(file) {
    for (const std::size_t d : dimensions) {
      std::unordered_map<std::string_view, std::int32_t> known;
      std::vector<std::int32_t>& codes = codes_.emplace_back();
      for (std::size_t r = 0; r < file.num_rows(); ++r)
        codes.push_back(
            known.try_emplace(file.field(r, d), static_cast<std::int32_t>(known.size()))
                .first->second);
    }
    for (std::size_t r = 0; r < file.num_rows(); ++r)
      row_of_[key_of(r)] = r;
  }

  bool is_share_of(const Numbers& column, const Numbers& base) const {
    const std::vector<std::int32_t> totals = totals_of(base);
    for (std::size_t d = 0; d <= codes_.size(); ++d) {
      if (d == codes_.size() && codes_.size() == 1)
        continue;  // all dimensions are the one
      const auto whole = [&](std::size_t r) {
        Key key = key_of(r);
        for (std::size_t i = 0; i < key.size(); ++i)
          key[i] = d == codes_.size() || i == d ? totals[i] : key[i];
        const auto found = row_of_.find(key);
        return found == row_of_.end() || found->second == r ? kNone
                                                             : base.of_row[found->second];
      };
      for (const double factor : {100.0, 1.0, 1000.0}) {
        if (agrees(column, kLeastShares, [&](std::size_t r) {
              return factor * base.of_row[r] / whole(r);
            }))
          return true;
      }
    }
    return false;
  }

  bool is_quotient_of(const Numbers& column, const Numbers& above, const Numbers& below) const {
    for (const double factor : {1.0, 10.0, 100.0, 1000.0, 10000.0, 100000.0}) {
      if (agrees(column, kLeastQuotients, [&](std::size_t r) {
            return factor * above.of_row[r] / below.of_row[r];
          }))
        return true;
    }
    return false;
  }

 private:
  using Key = std::vector<std::int32_t>;

  Key key_of(std::size_t row) const {
    Key key;
    for (const auto& codes : codes_)
      key.push_back(codes[row]);
    return key;
  }

  // Of every dimension the code whose numbers are the largest together.
  std::vector<std::int32_t> totals_of(const Numbers& base) const {
    std::vector<std::int32_t> totals;
    for (const auto& codes : codes_) {
      std::map<std::int32_t, double> sums;
      for (std::size_t r = 0; r < codes.size(); ++r)
        sums[codes[r]] += std::isfinite(base.of_row[r]) ? base.of_row[r] : 0;
      totals.push_back(
          std::max_element(sums.begin(), sums.end(), [](const auto& a, const auto& b) {
            return a.second < b.second;
          })->first);
    }
    return totals;
  }

  template <class Expected>
  bool agrees(const Numbers& column, std::size_t least, Expected&& expected) const {
    const double half = 0.5 * std::pow(10.0, -column.decimals);
    std::size_t tested = 0, agree = 0;
    std::set<double> kinds;
    for (std::size_t r = 0; r < column.of_row.size(); ++r) {
      const double number = column.of_row[r], wanted = expected(r);
      if (!std::isfinite(number) || !std::isfinite(wanted))
        continue;
      ++tested;
      // Also of what is rounded down or up, but for the last bits.
      if (tol::compare(std::abs(number - wanted), 2 * half) == tol::Order::kSurelyGreater)
        continue;
      ++agree;
      kinds.insert(number);
    }
    return tested >= least && kinds.size() >= kLeastKinds &&
           static_cast<double>(agree) >= kLeastShare * static_cast<double>(tested);
  }

  const files::CsvFile& file_;
  std::vector<std::vector<std::int32_t>> codes_;  // by dimension and row
  std::map<Key, std::size_t> row_of_;
};

}  // namespace

std::vector<std::size_t> quotient_columns(const files::CsvFile& file,
                                          const std::vector<std::size_t>& dimensions,
                                          const std::vector<std::size_t>& candidates,
                                          const std::vector<std::size_t>& bases) {
  std::map<std::size_t, Numbers> numbers;
  for (const auto* columns : {&candidates, &bases}) {
    for (const std::size_t column : *columns) {
      if (auto found = numbers_in(file, column))
        numbers.emplace(column, *std::move(found));
    }
  }
  if (dimensions.empty() || file.num_rows() == 0 || numbers.size() < 2)
    return {};
  const QuotientFinder finder(file, dimensions);
  std::vector<std::size_t> found;
  // What is computed stands behind what it is computed from, where both could be.
  for (auto column = candidates.rbegin(); column != candidates.rend(); ++column) {
    if (!numbers.contains(*column))
      continue;
    const auto is_base = [&](std::size_t other) {
      return other != *column && std::find(found.begin(), found.end(), other) == found.end();
    };
    bool derived = false;
    for (const auto& [a, above] : numbers) {
      if (derived || !is_base(a))
        continue;
      derived = finder.is_share_of(numbers.at(*column), above);
      for (const auto& [b, below] : numbers) {
        if (!derived && b != a && is_base(b))
          derived = finder.is_quotient_of(numbers.at(*column), above, below);
      }
    }
    if (derived)
      found.push_back(*column);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace lacuna::infer

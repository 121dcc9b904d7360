// SPDX-License-Identifier: Apache-2.0
// The options of a tabulation with columns by number, as the readers of records use them.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hmac.h"
#include "data/tabulate/number.h"
#include "lacuna/result.h"
#include "lacuna/tabulate_options.h"

namespace lacuna::tabulation {

// The columns of a dimension with several columns become one text, with this between them.
inline constexpr char kLevelSeparator = '\x1F';

inline bool is_among(std::string_view text, const std::vector<std::string>& list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

struct ReadPlan {  // the options, with columns by number
  static constexpr std::size_t kNoColumn = ~std::size_t{0};
  static Result<ReadPlan> make(const TabulateOptions& options);

  const TabulateOptions* options = nullptr;
  std::vector<std::string> columns;                         // to select from the source
  std::vector<std::vector<std::size_t>> dimension_columns;  // per dimension, each column once
  std::vector<unsigned> bits;                               // of a leaf key, per dimension
  std::size_t value = kNoColumn;
  std::size_t weight = kNoColumn;
  std::size_t respondent = kNoColumn;
  std::size_t holding = kNoColumn;
  std::size_t request = kNoColumn;
  std::size_t waiver = kNoColumn;
  std::size_t key = kNoColumn;      // of the record, or what it is made from
  std::vector<std::size_t> unique;  // that tell records apart
  // Numbers of records (RecordPlace::number), rising: those that are there already, and those of
  // which the place is wanted in words. Known after the records were read once.
  std::vector<std::uint64_t> repeated, watched;
  NumberFormat value_format;
  NumberFormat weight_format;
  std::optional<base::Hmac> key_maker;  // if keys are made

  bool anonymous() const { return respondent == kNoColumn && holding == kNoColumn; }
  bool has_keys() const { return options->keys.given(); }
  bool keeps_records() const { return has_keys() && value != kNoColumn; }
  int decimals() const { return value_format.decimals + weight_format.decimals; }
};

}  // namespace lacuna::tabulation

// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/read_plan.h"

#include <algorithm>
#include <string>

namespace lacuna::tabulation {
namespace {

constexpr unsigned kKeyBits = 128;
constexpr unsigned kMostBits = 31;

class ColumnList {
 public:
  std::size_t add(const std::string& name) {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at == names_.end()) {
      names_.push_back(name);
      return names_.size() - 1;
    }
    return static_cast<std::size_t>(at - names_.begin());
  }
  std::size_t add_optional(const std::string& name) {
    return name.empty() ? ReadPlan::kNoColumn : add(name);
  }
  std::vector<std::string> names() && { return std::move(names_); }

 private:
  std::vector<std::string> names_;
};

unsigned bits_for(std::size_t count) {
  unsigned bits = 1;
  while (bits < kMostBits && (std::size_t{1} << bits) < count)
    ++bits;
  return bits;
}

// Given dimensions take the bits they need, the others share the rest.
Result<std::vector<unsigned>> share_bits(const TabulateOptions& options) {
  std::vector<unsigned> bits;
  unsigned used = 0;
  unsigned open = 0;
  for (const DimensionSpec& spec : options.dimensions) {
    const std::size_t codes =
        spec.given ? static_cast<std::size_t>(spec.given->num_codes()) : std::size_t{0};
    bits.push_back(spec.given ? bits_for(codes + spec.missing.codes.size() + 1) : 0);
    used += bits.back();
    open += spec.given ? 0U : 1U;
  }
  const unsigned each = open == 0 || used >= kKeyBits ? 0 : (kKeyBits - used) / open;
  for (unsigned& own : bits)
    own = own == 0 ? std::min(each, kMostBits) : own;
  if (used > kKeyBits || (open > 0 && each == 0)) {
    return Error{ErrorCode::kTooLarge,
                 "the dimensions have more combinations of codes than fit 128 bits",
                 "dimensions"};
  }
  return bits;
}

}  // namespace

Result<ReadPlan> ReadPlan::make(const TabulateOptions& options) {
  LACUNA_RETURN_IF_ERROR(options.validate());
  ReadPlan plan;
  plan.options = &options;
  ColumnList columns;
  for (const DimensionSpec& spec : options.dimensions) {
    std::vector<std::size_t>& own = plan.dimension_columns.emplace_back();
    for (const auto& chain : spec.chains) {
      for (const std::string& name : chain) {
        const std::size_t column = columns.add(name);
        if (std::find(own.begin(), own.end(), column) == own.end())
          own.push_back(column);
      }
    }
  }
  plan.value = columns.add_optional(options.value);
  plan.weight = columns.add_optional(options.weight);
  plan.respondent = columns.add_optional(options.respondent);
  plan.holding = columns.add_optional(options.holding);
  plan.request = columns.add_optional(options.request);
  plan.waiver = columns.add_optional(options.waiver);
  plan.key =
      columns.add_optional(options.keys.from.empty() ? options.keys.column : options.keys.from);
  if (!options.keys.from.empty())
    plan.key_maker.emplace(options.keys.secret);
  else if (options.keys.seed)
    plan.key_maker.emplace("lacuna record keys " + std::to_string(*options.keys.seed));
  for (const std::string& name : options.unique)
    plan.unique.push_back(columns.add(name));
  plan.columns = std::move(columns).names();
  LACUNA_TRY(plan.bits, share_bits(options));
  const bool has_value = !options.value.empty();
  const bool has_weight = !options.weight.empty();
  plan.value_format = {
      has_value ? std::max(options.decimals, 0) : 0, options.decimal_mark, options.round_values};
  plan.weight_format = {
      has_weight ? std::max(options.weight_decimals, 0) : 0, options.decimal_mark, false};
  return plan;
}

}  // namespace lacuna::tabulation

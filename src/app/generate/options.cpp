// SPDX-License-Identifier: Apache-2.0
// Names and ranges of the generator's options.
#include <algorithm>
#include <array>

#include "app/generate/generate.h"
#include "core/base/decimal.h"
#include "core/base/spelling.h"

namespace lacuna::generation {
namespace {

constexpr std::array<std::string_view, 5> kKindNames{
    "flat", "hierarchical", "1h2d", "linked", "thesis"};
constexpr std::array<std::string_view, 2> kWeightNames{"unity", "value"};
constexpr std::array<std::string_view, 7> kPresetNames{
    "1LINKED", "1B", "2C", "3ALT", "2LINKED", "1ALT", "2ALT"};

// Keeps the total of the largest table that may be drawn within kMaxUnits.
constexpr Units kMaxLeafUnits = 100'000'000'000;

Error bad_option(const char* name, std::string message) {
  return {ErrorCode::kOptionValue, std::move(message), std::string("--") + name};
}

Status check_range(const char* name, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (low <= value && value <= high)
    return ok_status();
  return bad_option(name,
                    "must be from " + std::to_string(low) + " to " + std::to_string(high) +
                        ", not " + std::to_string(value));
}

Status check_list(const char* name,
                  const std::vector<std::int32_t>& list,
                  std::int64_t low,
                  std::int64_t high) {
  if (list.empty() || list.size() > 8)
    return bad_option(name, "must have 1 to 8 entries, not " + std::to_string(list.size()));
  for (const std::int32_t entry : list)
    LACUNA_RETURN_IF_ERROR(check_range(name, entry, low, high));
  return ok_status();
}

Status check_shape(const GenerateOptions& o) {
  constexpr std::int32_t kMany = 10'000'000;
  LACUNA_RETURN_IF_ERROR(check_list("sizes", o.sizes, 1, kMany));
  LACUNA_RETURN_IF_ERROR(check_list("depths", o.depths, 1, 12));
  LACUNA_RETURN_IF_ERROR(check_list("fan-least", o.fan_least, 1, kMany));
  LACUNA_RETURN_IF_ERROR(check_list("fan-most", o.fan_most, 1, kMany));
  for (std::size_t i = 0; i < std::max(o.fan_least.size(), o.fan_most.size()); ++i) {
    const auto entry = [&](const auto& list) { return list[std::min(i, list.size() - 1)]; };
    if (entry(o.fan_most) < entry(o.fan_least))
      return bad_option("fan-most", "must not be less than " + base::named_option("fan-least"));
  }
  LACUNA_RETURN_IF_ERROR(check_range("open-least", o.open_least, 0, o.rows));
  LACUNA_RETURN_IF_ERROR(check_range("open-most", o.open_most, o.open_least, o.rows));
  if (std::find(kPresetNames.begin(), kPresetNames.end(), o.preset) == kPresetNames.end()) {
    std::string names;
    for (const std::string_view name : kPresetNames)
      names += (names.empty() ? "" : ", ") + std::string(name);
    return bad_option("preset", "'" + o.preset + "' is not one of " + names);
  }
  return ok_status();
}

Status check_values(const GenerateOptions& o) {
  Wide largest = Wide{o.typical_value} << std::max(o.skew, 1);
  for (std::int32_t d = 0; d < o.decimals; ++d)
    largest *= 10;
  if (largest > kMaxLeafUnits) {
    return bad_option("typical-value",
                      "is too large at this skew and these decimals: a cell could reach " +
                          base::format_wide(largest) + " units, and at most " +
                          std::to_string(kMaxLeafUnits) + " are allowed");
  }
  return ok_status();
}

Status check_protection(const GenerateOptions& o) {
  const bool bounded = o.above_percent >= 0;
  if (bounded && o.upper_percent > o.above_percent)
    return bad_option(
        "upper-percent",
        "must not exceed " + base::named_option("above-percent") + ": no release could meet it");
  if (o.upper_percent > o.below_percent * o.asymmetry) {
    return bad_option("upper-percent",
                      "must not exceed " + base::named_option("below-percent") + " times " +
                          base::named_option("asymmetry") +
                          ": no release could meet the lower level");
  }
  if (bounded && o.sliding_percent > o.below_percent + o.above_percent) {
    return bad_option("sliding-percent",
                      "must not exceed " + base::named_option("below-percent") + " plus " +
                          base::named_option("above-percent") + ": no release could meet it");
  }
  return ok_status();
}

}  // namespace

std::span<const std::string_view> enum_names(GenerateKind) {
  return kKindNames;
}

std::span<const std::string_view> enum_names(GenerateWeight) {
  return kWeightNames;
}

std::span<const std::string_view> thesis_presets() {
  return kPresetNames;
}

Status GenerateOptions::validate() const {
  LACUNA_RETURN_IF_ERROR(check_ranges(*this));
  LACUNA_RETURN_IF_ERROR(check_shape(*this));
  LACUNA_RETURN_IF_ERROR(check_values(*this));
  return check_protection(*this);
}

}  // namespace lacuna::generation

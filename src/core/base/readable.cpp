// SPDX-License-Identifier: Apache-2.0
#include "core/base/readable.h"

#include <fmt/core.h>

#include <cmath>

namespace lacuna::base {
namespace {

constexpr double kThousand = 1000, kBeyond = 1e15;

// "12.50" to "12.5", "3.00" to "3".
std::string without_zeros(std::string text) {
  if (text.find('.') == std::string::npos)
    return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text.pop_back();
  return text;
}

}  // namespace

std::string grouped(std::string_view decimal) {
  constexpr std::size_t kGroup = 3;
  const std::size_t first = decimal.find_first_of("0123456789");
  if (first == std::string_view::npos)
    return std::string(decimal);
  const std::size_t last = std::min(decimal.find_first_not_of("0123456789", first), decimal.size());
  std::string out(decimal.substr(0, first));
  for (std::size_t k = first; k < last; ++k) {
    if (k > first && (last - k) % kGroup == 0)
      out += ',';
    out += decimal[k];
  }
  return out + std::string(decimal.substr(last));
}

std::string grouped(std::int64_t number) {
  return grouped(std::string_view(std::to_string(number)));
}

std::string readable(double number) {
  const double size = std::abs(number);
  if (!std::isfinite(number))
    return std::isnan(number) ? "not known" : number > 0 ? "unbounded" : "-unbounded";
  if (size >= kBeyond) {
    const int power = static_cast<int>(std::floor(std::log10(size)));
    return fmt::format("{:.1f} x 10^{}", number / std::pow(10.0, power), power);
  }
  if (size >= kThousand)
    return grouped(std::string_view(fmt::format("{:.0f}", number)));
  if (number == 0)
    return "0";
  const int whole = static_cast<int>(std::floor(std::log10(size))) + 1;
  return without_zeros(fmt::format("{:.{}f}", number, std::min(12, 4 - whole)));
}

std::string readable_percent(double percent) {
  constexpr double kTenfold = 1000, kHundred = 100, kTen = 10;
  if (!std::isfinite(percent))
    return readable(percent);
  if (percent >= kTenfold)
    return readable(std::round(percent / kHundred)) + " times";
  const int digits = percent >= kHundred || percent == 0 ? 0 : percent >= kTen ? 1 : 2;
  return without_zeros(fmt::format("{:.{}f}", percent, digits)) + "%";
}

}  // namespace lacuna::base

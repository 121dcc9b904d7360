// SPDX-License-Identifier: Apache-2.0
#include "core/table/published_ratio.h"

namespace lacuna::table {
namespace {

Wide floor_of(Wide a, Wide b) {  // b > 0
  const Wide quotient = a / b;
  return a % b < 0 ? quotient - 1 : quotient;
}

bool fits(Wide number) {
  return number <= kMaxUnits && number >= -kMaxUnits;
}

}  // namespace

std::optional<Units> printed_ratio(Units x, Units n, const RatioScale& scale) {
  const Wide difference = Wide{x} - (scale.growth ? n : 0);
  Wide above = 0, below = 0;
  if (__builtin_mul_overflow(difference, Wide{scale.above}, &above) ||
      __builtin_mul_overflow(Wide{scale.below}, Wide{n}, &below) ||
      __builtin_mul_overflow(Wide{2}, above, &above))
    return std::nullopt;
  // 2p = above / below; its whole part decides, and whether there is a rest.
  const Wide twice = floor_of(above, below);
  const bool exact = above % below == 0;
  Wide printed = floor_of(twice, 2);
  const bool past_half = twice % 2 != 0;  // p >= printed + 1/2
  const bool at_half = past_half && exact;
  switch (scale.rounding) {
    case RatioRounding::kHalfUp:
      printed += past_half && !(at_half && difference < 0) ? 1 : 0;
      break;
    case RatioRounding::kHalfEven:
      printed += past_half && !(at_half && printed % 2 == 0) ? 1 : 0;
      break;
    case RatioRounding::kDown:
      break;
    case RatioRounding::kUp:
      printed += past_half || !exact ? 1 : 0;
      break;
  }
  return fits(printed) ? std::optional(static_cast<Units>(printed)) : std::nullopt;
}

RatioRange range_of(Units printed, RatioRounding rounding) {
  const Wide twice = Wide{2} * printed;
  switch (rounding) {
    case RatioRounding::kHalfUp:
      return {twice - 1, twice + 1, printed <= 0, printed >= 0};
    case RatioRounding::kHalfEven:
      return {twice - 1, twice + 1, printed % 2 != 0, printed % 2 != 0};
    case RatioRounding::kDown:
      return {twice, twice + 2, false, true};
    case RatioRounding::kUp:
      return {twice - 2, twice, true, false};
  }
  return {};
}

Status add_printed_ratio(Appendix& to,
                         CellId x,
                         CellId n,
                         const RatioScale& scale,
                         Units printed,
                         CellId like,
                         CellId unless) {
  if (unless.value < 0)
    LACUNA_RETURN_IF_ERROR(to.narrow(n, {1, kUnboundedAbove}));
  else if (to.cell(n).prior.lower < 1)
    LACUNA_RETURN_IF_ERROR(to.add_at_least({{n, 1}}, 1, like, unless));
  const RatioRange range = range_of(printed, scale.rounding);
  const Wide grown = scale.growth ? Wide{2} * scale.above : 0;
  const Wide least = range.lower * scale.below + grown;
  const Wide most = range.upper * scale.below + grown;
  // What a number that is not below zero tells by itself need not be said.
  if (least > 0 || (least == 0 && range.lower_open) || to.cell(x).prior.lower < 0)
    LACUNA_RETURN_IF_ERROR(to.add_at_least(
        {{x, Wide{2} * scale.above}, {n, -least}}, range.lower_open ? 1 : 0, like, unless));
  return to.add_at_least(
      {{n, most}, {x, -Wide{2} * scale.above}}, range.upper_open ? 1 : 0, like, unless);
}

}  // namespace lacuna::table

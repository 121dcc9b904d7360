// SPDX-License-Identifier: Apache-2.0
#include "data/columns/plain_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

#include "lacuna/units.h"

namespace lacuna::columns {
namespace {

using UnsignedWide = unsigned __int128;

constexpr std::size_t kLongestDecimal = 48;  // 39 digits, or a scale of 38, with sign and point
constexpr std::size_t kLongestDouble = 350;  // without an exponent
constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

constexpr std::array<std::uint64_t, 20> kPowers = [] {
  std::array<std::uint64_t, 20> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i)
    powers[i] = powers[i - 1] * 10;
  return powers;
}();

constexpr std::array<char, 200> kPairs = [] {  // "00" to "99"
  std::array<char, 200> pairs{};
  for (std::size_t i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();

std::size_t count_digits(std::uint64_t value) {
  const auto bits = static_cast<unsigned>(64 - __builtin_clzll(value | 1U));
  const std::size_t about = bits * 1233U >> 12U;  // 1233 / 4096 is the logarithm of 2
  return about + (value < kPowers[about] ? 0U : 1U) + (value == 0 ? 1U : 0U);
}

// Before `end`, all that are left of the value; the begin.
template <class Number>
char* put_before(char* end, Number value) {
  while (value >= 100) {
    end -= 2;
    std::memcpy(end, kPairs.data() + 2 * (value % 100), 2);
    value /= 100;
  }
  if (value >= 10) {
    end -= 2;
    std::memcpy(end, kPairs.data() + 2 * value, 2);
    return end;
  }
  *--end = static_cast<char>('0' + value);
  return end;
}

char* put_unsigned(char* out, std::uint64_t value) {
  char* const end = out + count_digits(value);
  if (value >> 32U == 0)
    put_before(end, static_cast<std::uint32_t>(value));
  else
    put_before(end, value);
  return end;
}

template <class Integer>
char* put_integer(char* out, Integer value) {
  auto magnitude = static_cast<std::uint64_t>(value);
  if (value < 0) {
    *out++ = '-';
    magnitude = std::uint64_t{0} - magnitude;
  }
  return put_unsigned(out, magnitude);
}

char* put_digits(char* out, UnsignedWide value) {
  std::array<char, 40> reversed;
  std::size_t count = 0;
  do {
    reversed[count++] = static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value != 0);
  while (count > 0)
    *out++ = reversed[--count];
  return out;
}

char* put_padded(char* out, std::uint64_t value, int digits) {
  for (int i = digits - 1; i >= 0; --i, value /= 10)
    out[i] = static_cast<char>('0' + value % 10);
  return out + digits;
}

// A magnitude of at most 64 bits with at most 19 digits after the point, from the back.
char* put_short_decimal(char* out, std::uint64_t value, int scale) {
  if (scale == 0)
    return put_unsigned(out, value);
  const std::size_t digits = std::max(count_digits(value), static_cast<std::size_t>(scale) + 1);
  char* const end = out + digits + 1;
  char* at = end;
  int left = scale;
  for (; left >= 2; left -= 2, value /= 100) {
    at -= 2;
    std::memcpy(at, kPairs.data() + 2 * (value % 100), 2);
  }
  if (left == 1) {
    *--at = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  *--at = '.';
  put_before(at, value);
  return end;
}

char* put_long_decimal(char* out, UnsignedWide magnitude, int scale) {
  char* const begin = out;
  out = put_digits(out, magnitude);
  if (scale == 0)
    return out;
  const auto wanted = static_cast<std::ptrdiff_t>(scale) + 1;  // digits, one before the point
  if (const std::ptrdiff_t missing = wanted - (out - begin); missing > 0) {
    std::memmove(begin + missing, begin, static_cast<std::size_t>(out - begin));
    std::memset(begin, '0', static_cast<std::size_t>(missing));
    out += missing;
  }
  char* const point = out - scale;
  std::memmove(point + 1, point, static_cast<std::size_t>(scale));
  *point = '.';
  return out + 1;
}

template <class Integer>
char* put_decimal(char* out, Integer value, int scale) {
  auto magnitude = static_cast<UnsignedWide>(Wide{value});
  if (value < 0) {
    *out++ = '-';
    magnitude = UnsignedWide{0} - magnitude;
  }
  const bool is_short = magnitude >> 64U == 0 && scale < static_cast<int>(kPowers.size());
  return is_short ? put_short_decimal(out, static_cast<std::uint64_t>(magnitude), scale)
                  : put_long_decimal(out, magnitude, scale);
}

template <class Real>
char* put_real(char* out, Real value) {
  if (std::isnan(value))
    return std::copy_n("NaN", 3, out);
  const auto wide = static_cast<double>(value);
  if (wide == std::floor(wide) && std::abs(wide) < kExactIntegers)
    return put_integer(out, static_cast<std::int64_t>(wide));
  return std::to_chars(out, out + kLongestDouble, value, std::chars_format::fixed).ptr;
}

// IEEE 754 binary16: one bit of sign, five of the exponent, ten of the fraction.
struct Half {
  std::uint16_t bits = 0;
  double value() const {
    const auto fraction = static_cast<int>(bits & 1023U);
    double magnitude =
        std::ldexp(fraction + (exponent() == 0 ? 0 : 1024), std::max(exponent(), 1) - 25);
    if (exponent() == 31)
      magnitude = fraction == 0 ? HUGE_VAL : NAN;
    return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
  }
  // From here to the middle between this number and the next one; at a power of 2 the one below is
  // twice as near.
  double room() const {
    const bool is_power = (bits & 1023U) == 0;
    return std::ldexp(is_power ? 0.25 : 0.5, std::max(exponent(), 1) - 25);
  }
  int exponent() const { return static_cast<int>(bits >> 10U & 31U); }
};
bool is_nan(Half value) {
  return std::isnan(value.value());
}
template <class Real>
bool is_nan(Real value) {
  return std::isnan(value);
}

// With as few digits as no other number of 16 bits is near to.
char* put_real(char* out, Half half) {
  const double value = half.value();
  if (!std::isfinite(value) || value == std::floor(value))
    return put_real(out, value);
  for (int digits = 1;; ++digits) {  // ends: with 24 digits the text is the number
    char* const end =
        std::to_chars(out, out + kLongestDouble, value, std::chars_format::fixed, digits).ptr;
    double read = 0;
    std::from_chars(out, end, read);
    if (std::abs(read - value) < half.room())
      return end;
  }
}

char* put_date(char* out, std::int64_t days) {
  constexpr std::int64_t kMostDays = 10'000'000;  // beyond what chrono's years hold: the number
  if (days > kMostDays || days < -kMostDays)
    return put_integer(out, days);
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
  const int year = static_cast<int>(date.year());
  if (year < 0 || year > 9999)
    out = put_integer(out, year);
  else
    out = put_padded(out, static_cast<unsigned>(year), 4);
  *out++ = '-';
  out = put_padded(out, static_cast<unsigned>(date.month()), 2);
  *out++ = '-';
  return put_padded(out, static_cast<unsigned>(date.day()), 2);
}

struct SmallText {
  std::array<char, 3> letters{};
  std::uint8_t length = 0;
  std::string_view text() const { return {letters.data(), length}; }
};
constexpr std::array<SmallText, 1000> kSmallTexts = [] {
  std::array<SmallText, 1000> texts{};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::size_t value = i;
    texts[i].length = i < 10 ? 1 : i < 100 ? 2 : 3;
    for (std::size_t at = texts[i].length; at-- > 0; value /= 10)
      texts[i].letters[at] = static_cast<char>('0' + value % 10);
  }
  return texts;
}();

class PlainWriter {
 public:
  PlainWriter(const PlainColumn& column,
              RowRange rows,
              TextArena& arena,
              std::string_view* target,
              std::size_t stride)
      : column_(column), rows_(rows), arena_(arena), target_(target), stride_(stride) {}

  // put(out, index) writes at most `longest` bytes and returns the end.
  template <class Put>
  void write(std::size_t longest, Put put) {
    write_views(longest, [&](char* out, std::size_t i) -> std::string_view {
      return {out, static_cast<std::size_t>(put(out, i) - out)};
    });
  }

  // view(out, index) gives a text, which lies at `out` or elsewhere.
  template <class View>
  void write_views(std::size_t longest, View view) {
    char* const begin = arena_.room(rows_.count * longest);
    char* const end = column_.validity == nullptr ? write_rows<false>(begin, view)
                                                  : write_rows<true>(begin, view);
    arena_.keep(static_cast<std::size_t>(end - begin));
  }

  template <bool has_nulls, class View>
  char* write_rows(char* out, View view) {
    std::string_view* target = target_;
    const std::size_t last = rows_.first + rows_.count;
    for (std::size_t i = rows_.first; i < last; ++i, target += stride_) {
      if (has_nulls && !is_valid(column_.validity, i)) {
        *target = {};
        continue;
      }
      const std::string_view text = view(out, i);
      *target = text;
      out += text.data() == out ? text.size() : 0;
    }
    return out;
  }

  // Small numbers, codes mostly, have their texts ready.
  template <class Integer>
  void integers() {
    write_views(24, [&](char* out, std::size_t i) -> std::string_view {
      const auto value = load<Integer>(column_.values, i);
      if (value >= 0 && static_cast<std::uint64_t>(value) < kSmallTexts.size())
        return kSmallTexts[static_cast<std::size_t>(value)].text();
      return {out, static_cast<std::size_t>(put_integer(out, value) - out)};
    });
  }
  template <class Integer>
  void decimals() {
    write(kLongestDecimal, [&](char* out, std::size_t i) {
      return put_decimal(out, load<Integer>(column_.values, i), column_.scale);
    });
  }
  template <class Real>
  void reals() {
    write_views(kLongestDouble, [&](char* out, std::size_t i) -> std::string_view {
      const auto value = load<Real>(column_.values, i);
      if (column_.nan_is_null && is_nan(value))
        return {};
      return {out, static_cast<std::size_t>(put_real(out, value) - out)};
    });
  }
  // Days since 1970, or (64 bits) milliseconds.
  void dates() {
    constexpr std::int64_t kDay = 86'400'000;
    write(24, [&](char* out, std::size_t i) {
      if (column_.width == 4)
        return put_date(out, load<std::int32_t>(column_.values, i));
      const auto time = load<std::int64_t>(column_.values, i);
      return put_date(out, time / kDay - (time % kDay < 0 ? 1 : 0));
    });
  }
  void booleans() {
    std::string_view* target = target_;
    for (std::size_t i = rows_.first; i < rows_.first + rows_.count; ++i, target += stride_) {
      const bool set = column_.kind == PlainKind::kBooleanBits ? bit_at(column_.values, i)
                                                               : column_.values[i] != 0;
      *target = !is_valid(column_.validity, i) ? "" : set ? "TRUE" : "FALSE";
    }
  }

 private:
  const PlainColumn& column_;
  RowRange rows_;
  TextArena& arena_;
  std::string_view* target_;
  std::size_t stride_;
};

}  // namespace

bool is_width(PlainKind kind, std::size_t width) {
  switch (kind) {
    case PlainKind::kSigned:
    case PlainKind::kUnsigned:
      return width == 1 || width == 2 || width == 4 || width == 8;
    case PlainKind::kDecimal:
      return width == 2 || width == 4 || width == 8 || width == 16;
    case PlainKind::kFloat:
      return width == 2 || width == 4 || width == 8;
    case PlainKind::kDate:
      return width == 4 || width == 8;
    case PlainKind::kBooleanBytes:
    case PlainKind::kBooleanBits:
      return true;
  }
  return false;
}

void plain_texts(const PlainColumn& column,
                 RowRange rows,
                 TextArena& arena,
                 std::string_view* target,
                 std::size_t stride) {
  PlainWriter writer(column, rows, arena, target, stride);
  switch (column.kind) {
    case PlainKind::kSigned:
      return column.width == 1   ? writer.integers<std::int8_t>()
             : column.width == 2 ? writer.integers<std::int16_t>()
             : column.width == 4 ? writer.integers<std::int32_t>()
                                 : writer.integers<std::int64_t>();
    case PlainKind::kUnsigned:
      return column.width == 1   ? writer.integers<std::uint8_t>()
             : column.width == 2 ? writer.integers<std::uint16_t>()
             : column.width == 4 ? writer.integers<std::uint32_t>()
                                 : writer.integers<std::uint64_t>();
    case PlainKind::kDecimal:
      return column.width == 2   ? writer.decimals<std::int16_t>()
             : column.width == 4 ? writer.decimals<std::int32_t>()
             : column.width == 8 ? writer.decimals<std::int64_t>()
                                 : writer.decimals<Wide>();
    case PlainKind::kFloat:
      return column.width == 2   ? writer.reals<Half>()
             : column.width == 4 ? writer.reals<float>()
                                 : writer.reals<double>();
    case PlainKind::kDate:
      return writer.dates();
    case PlainKind::kBooleanBytes:
    case PlainKind::kBooleanBits:
      return writer.booleans();
  }
}

}  // namespace lacuna::columns

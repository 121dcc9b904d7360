// SPDX-License-Identifier: Apache-2.0
// Skewed positive whole numbers without floating point: median times 2^(e/16), where e is the sum
// of four even draws (close to normal, so that the value is close to log-normal).
#pragma once

#include <array>
#include <cstdint>

#include "app/generate/generate.h"
#include "core/base/random.h"
#include "lacuna/units.h"

namespace lacuna::generation {

// Stages of the generator draw from streams of their own, so that for instance one more attacker
// does not change the values.
enum class Stage : std::uint64_t {
  kTrees = 1,
  kValues,
  kSensitive,
  kPublished,
  kAttackers,
  kSmall
};
inline base::Random stream(std::uint64_t seed, Stage stage) {
  return base::Random(seed ^ (static_cast<std::uint64_t>(stage) * 0xd1342543de82ef95ULL));
}

class ValueSource {
 public:
  ValueSource(Units median, std::int32_t skew) : median_(median), skew_(skew) {}

  Units draw(base::Random& random) const {  // >= 1
    if (skew_ == 0)
      return random.between(1, 2 * median_);
    const std::int64_t reach = std::int64_t{4} * skew_;
    std::int64_t sixteenths = 0;
    for (int i = 0; i < 4; ++i)
      sixteenths += random.between(-reach, reach);
    const std::int64_t octaves = sixteenths >= 0 ? sixteenths / 16 : -((15 - sixteenths) / 16);
    const auto step = static_cast<std::size_t>(sixteenths - 16 * octaves);
    // Even within a step of 2^(1/16), so that values do not pile up at the steps.
    Wide value = Wide{median_} * kPower[step] * random.between(10'000, 10'442) / 10'000;
    value = octaves >= 0 ? value << octaves : value >> -octaves;
    const auto units = static_cast<Units>(value >> 16);
    return units > 0 ? units : 1;
  }

 private:
  static constexpr std::array<std::int32_t, 16> kPower{// round(2^16 * 2^(i/16))
                                                       65536,
                                                       68438,
                                                       71468,
                                                       74632,
                                                       77936,
                                                       81386,
                                                       84990,
                                                       88752,
                                                       92682,
                                                       96785,
                                                       101070,
                                                       105545,
                                                       110218,
                                                       115098,
                                                       120194,
                                                       125515};
  Units median_;
  std::int32_t skew_;
};

inline Units power_of_ten(std::int32_t exponent) {
  Units result = 1;
  for (; exponent > 0; --exponent)
    result *= 10;
  return result;
}

}  // namespace lacuna::generation

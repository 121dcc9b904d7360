// SPDX-License-Identifier: Apache-2.0
// Printed results of Serpell, Clark, Smith and Staggemeier, "Pre-processing Optimisation applied to
// the Classical Integer Programming Model for Statistical Disclosure Control", Tables 3 and 4.
// (Their Table 5 is computed from these.)
#pragma once

#include <array>
#include <cstdint>

namespace lacuna::inline bench {

struct SerpellRow {
  std::int32_t rows, columns, zeros, primaries, exposed;  // Table 3
  std::int32_t classical_variables, classical_constraints;
  double classical_seconds;
  std::int32_t modified_variables, modified_constraints;
  double modified_seconds;
};

inline constexpr std::array<SerpellRow, 20> kSerpell{{
    {5, 5, 3, 8, 6, 612, 1376, 4.32, 468, 1034, 2.95},
    {5, 6, 7, 8, 3, 714, 1584, 3.71, 294, 599, 1.32},
    {5, 7, 5, 7, 4, 720, 1568, 8.17, 432, 899, 2.43},
    {5, 8, 8, 17, 3, 1890, 4250, 4.07, 378, 764, 0.6},
    {5, 9, 5, 17, 4, 2100, 4692, 4.17, 540, 1117, 0.98},
    {7, 7, 11, 14, 5, 1856, 4088, 8.31, 704, 1469, 2.39},
    {7, 8, 7, 16, 5, 2376, 5216, 31.07, 792, 1641, 4.62},
    {7, 9, 19, 13, 5, 2160, 4680, 113.78, 880, 1808, 27.48},
    {8, 8, 13, 13, 7, 2187, 4732, 38.23, 1215, 2554, 24.65},
    {8, 9, 15, 17, 5, 3150, 6834, 84.81, 990, 2022, 6.98},
    {10, 10, 19, 31, 4, 7623, 16492, 95.56, 1089, 2155, 2.57},
    {10, 12, 28, 40, 4, 11583, 24960, 256.65, 1287, 2532, 5.98},
    {25, 5, 5, 4, 4, 1404, 2768, 4.82, 1404, 2768, 4.86},
    {25, 5, 6, 11, 8, 3588, 7612, 78.46, 2652, 5539, 62.9},
    {25, 5, 7, 4, 4, 1404, 2768, 31.57, 1404, 2768, 31.7},
    {25, 5, 32, 7, 7, 2340, 4844, 18.07, 2340, 4844, 29.82},
    {25, 5, 35, 7, 4, 2340, 4844, 22.67, 1404, 2771, 8.45},
    {25, 5, 26, 9, 9, 2964, 6228, 267.31, 2964, 6228, 267.31},
    {25, 5, 7, 11, 10, 3276, 6921, 2.23, 3276, 6921, 2.2},
    {50, 5, 9, 25, 18, 15300, 32900, 110.70, 11100, 23695, 45.96},
}};

}  // namespace lacuna::inline bench

// SPDX-License-Identifier: Apache-2.0
// Printed results of Castro and Via, "Revisiting interval protection, a.k.a. partial cell
// suppression, for tabular data", Tables 1 and 2, and the shape of a generated table near each
// size: with w columns, R row codes and k subtables a 1H2D table has R w cells and R + k w
// equations.
#pragma once

#include <array>
#include <cstdint>

namespace lacuna::inline bench {

struct CastroViaRow {
  const char* name;
  std::int64_t cells, sensitive, equations;
  const char* benders_cpu;
  const char* benders_iterations;
  const char* benders_objective;
  const char* monolithic_cpu;                                // "a": aborted
  std::int32_t columns, depth, open_least, open_most, rows;  // 0 columns: not generated
};

inline constexpr std::array<CastroViaRow, 7> kCastroVia{{
    {"targus", 162, 13, 63, "5.17", "31", "2142265.7", "36.05", 0, 0, 0, 0, 0},
    {"Table 1", 121, 10, 55, "3.41", "26", "136924", "3.44", 10, 4, 1, 1, 3},
    {"Table 2", 1680, 158, 299, "410.53", "43", "43715149", "2944.87 a", 19, 3, 2, 3, 8},
    {"Table 3", 600, 53, 170, "26.38", "43", "3624906", "522.88 a", 9, 3, 2, 3, 5},
    {"Table 4", 756, 68, 243, "50.92", "33", "9134139", "11085.60", 11, 4, 2, 2, 4},
    {"Table 5", 168, 14, 62, "3.95", "19", "303844", "10.68", 11, 4, 1, 1, 3},
    {"Table 6", 1584, 143, 485, "966.28", "70", "21302104", "7816.61 a", 10, 5, 2, 2, 5},
}};

}  // namespace lacuna::inline bench

// SPDX-License-Identifier: Apache-2.0
// Writes what the writers of today make of valid inputs, FOLDER/<target>/seed-<n>, for libFuzzer to
// begin with. Kept out of the corpus, because a change of a format would leave it stale there.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "fuzz/targets.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: write_seeds FOLDER\n", stderr);
    return 1;
  }
  for (const lacuna::fuzz::Target& target : lacuna::fuzz::targets()) {
    const auto folder = std::filesystem::path(arguments[1]) / target.name;
    std::filesystem::create_directories(folder);
    int number = 0;
    for (const std::string& seed : target.seeds())
      std::ofstream(folder / ("seed-" + std::to_string(number++)), std::ios::binary) << seed;
  }
  return 0;
}

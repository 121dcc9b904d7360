// SPDX-License-Identifier: Apache-2.0
// Prices by distance. The smallest sum of steps over the variables is found one variable at a time:
// a pass replaces the number of every cell by the smallest "number of another cell on the line plus
// the steps between them", and after all passes that is the smallest over all cells.
#include <algorithm>
#include <array>
#include <limits>

#include "data/argus/rules.h"

namespace lacuna::argus {
namespace {

constexpr std::size_t kSteps = 5;
constexpr double kFar = std::numeric_limits<double>::infinity();

std::array<double, kSteps> steps_of(const CodeList& list) {
  std::array<double, kSteps> steps{};
  double last = 1;
  for (std::size_t i = 0; i < kSteps; ++i) {
    if (i < list.distance.size())
      last = list.distance[i];
    steps[i] = last;
  }
  return steps;
}

// The codes below every parent, in their order; the total stands alone.
std::vector<std::vector<std::size_t>> families(const CodeList& list) {
  std::vector<std::vector<std::size_t>> below(list.codes.size() + 1);
  for (std::size_t code = 0; code < list.codes.size(); ++code)
    below[static_cast<std::size_t>(list.parents[code] + 1)].push_back(code);
  return below;
}

// `line`: the numbers of the codes of one variable, all other codes being the same.
void pass_line(std::vector<double>& line,
               const std::vector<std::vector<std::size_t>>& below,
               const std::array<double, kSteps>& steps) {
  const double from_far = *std::min_element(line.begin(), line.end()) + steps[kSteps - 1];
  std::vector<double> nearest(line.size());
  for (const std::vector<std::size_t>& family : below) {
    for (std::size_t i = 0; i < family.size(); ++i) {
      double best = std::min(line[family[i]], from_far);
      for (std::size_t k = 1; k < kSteps; ++k) {
        if (i >= k)
          best = std::min(best, line[family[i - k]] + steps[k - 1]);
        if (i + k < family.size())
          best = std::min(best, line[family[i + k]] + steps[k - 1]);
      }
      nearest[family[i]] = best;
    }
  }
  line = std::move(nearest);
}

void pass_variable(std::vector<double>& numbers, const CodeList& list, std::size_t stride) {
  const std::size_t size = list.codes.size();
  const auto below = families(list);
  const auto steps = steps_of(list);
  std::vector<double> line(size);
  for (std::size_t block = 0; block < numbers.size(); block += size * stride) {
    for (std::size_t offset = block; offset < block + stride; ++offset) {
      for (std::size_t i = 0; i < size; ++i)
        line[i] = numbers[offset + i * stride];
      pass_line(line, below, steps);
      for (std::size_t i = 0; i < size; ++i)
        numbers[offset + i * stride] = line[i];
    }
  }
}

}  // namespace

void set_distance_costs(Table& table) {
  std::vector<double> numbers(table.cells.size(), kFar);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (is_unsafe(table.cells[i].status))
      numbers[i] = 0;
  }
  std::size_t stride = 1;
  for (std::size_t v = table.variables.size(); v-- > 0;) {
    pass_variable(numbers, table.variables[v], stride);
    stride *= table.variables[v].codes.size();
  }
  for (std::size_t i = 0; i < numbers.size(); ++i)
    table.cells[i].cost = numbers[i] == kFar ? 1 : 1 + numbers[i];
}

}  // namespace lacuna::argus

// SPDX-License-Identifier: Apache-2.0
// Distances of published counts from the true ones (lacuna/report.h). Quantiles are of type 7 of
// Hyndman and Fan (1996): with the numbers sorted, h = (n - 1) q and its whole part k, the quantile
// is x_k + (h - k)(x_{k+1} - x_k).
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <span>

#include "core/base/json_writer.h"
#include "core/base/readable.h"
#include "lacuna/report.h"

namespace lacuna {
namespace {

constexpr double kPoints[] = {0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5};

double quantile(std::span<const double> sorted, double share) {
  const double place = static_cast<double>(sorted.size() - 1) * share;
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

CountDistances distances(std::vector<double> each, std::span<const double> points) {
  CountDistances found;
  found.cells = static_cast<std::int64_t>(each.size());
  if (each.empty())
    return found;
  std::sort(each.begin(), each.end());
  double sum = 0;
  for (const double distance : each)
    sum += distance;
  found.mean = sum / static_cast<double>(each.size());
  found.least = each.front();
  found.most = each.back();
  for (std::size_t k = 0; k < found.deciles.size(); ++k)
    found.deciles[k] = quantile(each, static_cast<double>(k + 1) / 10);
  found.q95 = quantile(each, 0.95);
  found.q99 = quantile(each, 0.99);
  for (const double point : points) {
    const auto end = std::upper_bound(each.begin(), each.end(), point);
    found.within.emplace_back(point, static_cast<std::int64_t>(end - each.begin()));
  }
  return found;
}

// What a reader sees as the number of a cell, if anything.
std::optional<Units> shown(const Table& table, const Draft& draft, CellId cell) {
  const auto entry = draft.find(cell);
  return entry == nullptr ? std::optional<Units>(table.value(cell)) : entry->number();
}

// Over the equations all of whose cells carry a number.
Units largest_gap(const Table& table, const Draft& draft) {
  Wide largest = 0;
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    Wide sum = -Wide{table.rhs(EquationId{e})};
    bool complete = true;
    for (const Term& term : table.equation(EquationId{e})) {
      const std::optional<Units> number = shown(table, draft, term.cell);
      complete = complete && number.has_value();
      sum += Wide{term.coefficient} * number.value_or(0);
    }
    if (complete)
      largest = std::max(largest, sum < 0 ? -sum : sum);
  }
  return static_cast<Units>(std::min<Wide>(largest, kMaxUnits));
}

struct Pairs {
  std::vector<double> d1, d2, d3;
  std::map<Units, std::int64_t> noise;
  double squares = 0, persons = 0;
};

void add(Units truth, Units number, Pairs& pairs, CountMeasures& found) {
  const auto x = static_cast<double>(truth), y = static_cast<double>(number);
  const double roots = std::sqrt(x) - std::sqrt(y);
  pairs.d1.push_back(std::abs(y - x));
  pairs.d3.push_back(std::abs(roots));
  if (truth > 0 || number == 0)
    pairs.d2.push_back(truth > 0 ? std::abs(y - x) / x : 0);
  ++pairs.noise[number - truth];
  found.false_zeros += truth > 0 && number == 0 ? 1 : 0;
  found.false_nonzeros += truth == 0 && number > 0 ? 1 : 0;
  pairs.squares += roots * roots;
  pairs.persons += x;
}

// [[2,40],[3,1]]
template <class Pairs>
void write_pairs(base::JsonWriter& json, const Pairs& pairs) {
  json.list(pairs, [&](const auto& pair) {
    json.list([&] { json.value(pair.first).value(pair.second); });
  });
}

void write_distances(base::JsonWriter& json, const CountDistances& d) {
  json.object([&] {
    json.member("cells", d.cells).member("min", d.least).member("mean", d.mean);
    json.member("median", d.median()).key("deciles").values(d.deciles);
    json.member("q95", d.q95).member("q99", d.q99).member("max", d.most);
    write_pairs(json.key("within"), d.within);
  });
}

std::string distances_text(const CountDistances& d) {
  return fmt::format(
      "{:.4g} on average; half of the cells within {:.4g}, 90% within {:.4g}, 99% "
      "within {:.4g}, all within {:.4g}",
      d.mean,
      d.median(),
      d.deciles[8],
      d.q99,
      d.most);
}

}  // namespace

std::optional<CountMeasures> count_measures(const Table& table, const Draft& draft) {
  if (table.decimals() != 0)
    return std::nullopt;
  CountMeasures found;
  Pairs pairs;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const Units truth = table.value(CellId{c});
    if (truth < 0)
      return std::nullopt;
    const std::optional<Units> number = shown(table, draft, CellId{c});
    if (!number) {
      ++found.without;
    } else if (*number < 0) {
      return std::nullopt;
    } else {
      add(truth, *number, pairs, found);
    }
  }
  std::vector<double> whole;
  const double most = pairs.d1.empty() ? 0 : *std::max_element(pairs.d1.begin(), pairs.d1.end());
  for (double point = 0; point <= std::min(most, CountMeasures::kMostPoints); ++point)
    whole.push_back(point);
  found.d1 = distances(std::move(pairs.d1), whole);
  found.d2 = distances(std::move(pairs.d2), kPoints);
  found.d3 = distances(std::move(pairs.d3), kPoints);
  found.noise.assign(pairs.noise.begin(), pairs.noise.end());
  if (pairs.persons > 0)
    found.hellinger_utility = 1 - std::sqrt(pairs.squares / 2) / std::sqrt(pairs.persons);
  found.largest_gap = largest_gap(table, draft);
  return found;
}

std::string count_measures_json(const CountMeasures& measures) {
  return base::json_object([&](base::JsonWriter& json) {
    json.member("cells", measures.d1.cells).member("without", measures.without);
    write_distances(json.key("d1"), measures.d1);
    write_distances(json.key("d2"), measures.d2);
    write_distances(json.key("d3"), measures.d3);
    write_pairs(json.key("noise"), measures.noise);
    json.member("false_zeros", measures.false_zeros);
    json.member("false_nonzeros", measures.false_nonzeros);
    json.member("hellinger_utility", measures.hellinger_utility);
    json.member("largest_gap", measures.largest_gap);
  });
}

Facts count_measures_text(const CountMeasures& measures) {
  const auto share = [&](std::int64_t cells) {
    const double percent = measures.d1.cells > 0 ? 100.0 * static_cast<double>(cells) /
                                                       static_cast<double>(measures.d1.cells)
                                                 : 0;
    return fmt::format("{} ({:.1f}%)", base::grouped(cells), percent);
  };
  std::int64_t unchanged = 0;
  for (const auto& [change, cells] : measures.noise)
    unchanged += change == 0 ? cells : 0;
  return {{"cells that carry a number", base::grouped(measures.d1.cells)},
          {"... that is the truth", share(unchanged)},
          {"d1, how far counts are off", distances_text(measures.d1)},
          {"d2, in shares of the truth", distances_text(measures.d2)},
          {"d3, of the square roots", distances_text(measures.d3)},
          {"zeros that are not true zeros", share(measures.false_zeros)},
          {"zeros that became a number", share(measures.false_nonzeros)},
          {"Hellinger utility", fmt::format("{:.5f}", measures.hellinger_utility)},
          {"largest gap of a sum", base::grouped(measures.largest_gap)}};
}

}  // namespace lacuna

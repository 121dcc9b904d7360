// SPDX-License-Identifier: Apache-2.0
// How long does it take to find what is certain of a cell-key release? A full three-way table of
// about a million cells with small counts, keys drawn by a seed, tables of D = 2, V = 1 and of
// D = 5, V = 3, js = 2; one CSV row per table and run: seconds of the whole method (numbers,
// ranges, certain inference, left variance) and of certain inference alone, cells that are certain,
// small ones among them, cells that are narrower than the table of perturbations leaves them.
//
//   certain_bench [--parts N] [--runs N] [--seed N]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/base/random.h"
#include "lacuna/cellkey.h"
#include "lacuna/keys.h"
#include "lacuna/linked_tables.h"
#include "lacuna/make_ptable.h"

namespace lacuna {
namespace {

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Dimension flat(const std::string& name, int parts) {
  std::vector<std::string> codes{"T"};
  Relation all{0, {}};
  for (int i = 1; i <= parts; ++i) {
    codes.push_back(std::to_string(i));
    all.children.push_back(i);
  }
  return Dimension::build(name, codes, {all}).value();
}

// Half of the leaves are empty, the others have 1 to 8 persons.
std::vector<Units> drawn_cells(std::size_t codes, base::Random& random) {
  std::vector<Units> cells(codes * codes * codes, 0);
  const auto at = [&](std::size_t i, std::size_t j, std::size_t k) -> Units& {
    return cells[(i * codes + j) * codes + k];
  };
  for (std::size_t i = 1; i < codes; ++i) {
    for (std::size_t j = 1; j < codes; ++j) {
      for (std::size_t k = 1; k < codes; ++k) {
        const Units value = random.chance(1, 2) ? 0 : random.between(1, 8);
        for (unsigned total = 0; total < 8; ++total)
          at((total & 1U) != 0 ? 0 : i, (total & 2U) != 0 ? 0 : j, (total & 4U) != 0 ? 0 : k) +=
              value;
      }
    }
  }
  return cells;
}

std::shared_ptr<const Problem> problem_of(int parts, base::Random& random) {
  const auto codes = static_cast<std::size_t>(parts) + 1;
  const std::vector<Units> values = drawn_cells(codes, random);
  TableBuilder builder(0, {flat("a", parts), flat("b", parts), flat("c", parts)});
  CellKeys keys;
  for (std::size_t c = 0; c < values.size(); ++c) {
    const std::vector<std::int32_t> at{static_cast<std::int32_t>(c / codes / codes),
                                       static_cast<std::int32_t>(c / codes % codes),
                                       static_cast<std::int32_t>(c % codes)};
    static_cast<void>(builder.add_cell({.value = values[c]}, at).value());
    keys.keys.push_back(static_cast<std::uint64_t>(random.between(0, 99'999'999)));
    keys.records.push_back(values[c]);
  }
  const LinkedTable all{"all", {0, 1, 2}};
  static_cast<void>(add_table_equations(builder, std::span(&all, 1)).value());
  Problem problem = make_problem(std::move(builder).build().value(), {}, {}).value();
  static_cast<void>(problem.set_keys(std::make_shared<const CellKeys>(std::move(keys))).value());
  return std::make_shared<const Problem>(std::move(problem));
}

void measure(const std::shared_ptr<const Problem>& problem, int noise, double variance, int js) {
  PtableOptions making;
  making.max_noise = noise;
  making.variance = variance;
  making.js = js;
  CellKeyOptions options;
  options.ptable = std::make_shared<const Ptable>(make_ptable(making).value().table);
  CellKeyResult found;
  const double whole =
      seconds_of([&] { found = publish_by_cell_key(problem, options, {}).value(); });
  CertainInference certain;
  const double alone = seconds_of([&] { certain = certain_inference(*problem, found.draft); });
  std::printf("%d,%d,%d,%g,%d,%.3f,%.3f,%lld,%lld,%lld\n",
              problem->table().num_cells(),
              problem->table().num_equations(),
              noise,
              variance,
              js,
              whole,
              alone,
              static_cast<long long>(certain.cells),
              static_cast<long long>(certain.small),
              static_cast<long long>(certain.narrowed));
}

}  // namespace
}  // namespace lacuna

int main(int argc, char** argv) {
  int parts = 99;
  int runs = 3;
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const long number = std::strtol(argv[i + 1], nullptr, 10);
    if (name == "--parts")
      parts = static_cast<int>(number);
    else if (name == "--runs")
      runs = static_cast<int>(number);
    else if (name == "--seed")
      seed = static_cast<std::uint64_t>(number);
    else
      return std::fprintf(stderr, "certain_bench: unknown option %s\n", argv[i]), 1;
  }
  lacuna::base::Random random(seed);
  const auto problem = lacuna::problem_of(parts, random);
  std::printf("cells,equations,D,V,js,method_seconds,certain_seconds,certain,small,narrowed\n");
  for (int run = 0; run < runs; ++run) {
    lacuna::measure(problem, 2, 1, 0);
    lacuna::measure(problem, 5, 3, 2);
  }
  return 0;
}

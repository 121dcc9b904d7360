// SPDX-License-Identifier: Apache-2.0
// Cell keys from records to numbers: whatever the order of records and the number of threads, by
// roll-up or record by record; the same units have the same number in every table; and noise comes
// as often as the table of perturbations says.
#include "lacuna/cellkey.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/random.h"
#include "lacuna/make_ptable.h"
#include "lacuna/tabulate.h"
#include "property/seeds.h"

namespace lacuna {
namespace {

using Row = std::vector<std::string>;
using Names = std::vector<std::string>;

std::shared_ptr<const Ptable> made_ptable() {
  PtableOptions options;
  options.max_noise = 3;
  options.variance = 2;
  options.js = 1;
  auto made = make_ptable(options);
  EXPECT_TRUE(made) << made.error().text();
  return std::make_shared<const Ptable>(std::move(made)->table);
}

struct Published {
  std::map<Names, Units> numbers;
  std::map<Names, std::uint64_t> keys;
};

Published published(const std::vector<Row>& rows,
                    const std::vector<std::string>& dimensions,
                    const std::shared_ptr<const Ptable>& ptable,
                    int threads) {
  RowRecords records({"region", "sex", "age", "key"}, rows);
  TabulateOptions options;
  for (const std::string& name : dimensions)
    options.dimensions.push_back(flat_dimension(name, name));
  options.keys.column = "key";
  RunContext run;
  run.threads = threads;
  const auto tabulation = tabulate(records, options, run);
  EXPECT_TRUE(tabulation) << tabulation.error().text();
  Problem problem = make_problem(table_of(*tabulation).value(), {}, {}).value();
  EXPECT_TRUE(problem.set_keys(tabulation->keys));
  const auto shared = std::make_shared<const Problem>(std::move(problem));
  CellKeyOptions by;
  by.ptable = ptable;
  const auto found = publish_by_cell_key(shared, by, run);
  EXPECT_TRUE(found) << found.error().text();
  Published all;
  for (std::int32_t c = 0; c < shared->table().num_cells(); ++c) {
    const CellId cell{c};
    Names names;
    for (std::size_t d = 0; d < dimensions.size(); ++d)
      names.push_back(dimensions[d] + "=" +
                      shared->table().dimensions()[d].code(shared->table().codes(cell)[d]));
    std::erase_if(names, [](const std::string& name) { return name.ends_with("=Total"); });
    std::sort(names.begin(), names.end());
    const auto entry = found->draft.find(cell);
    all.numbers[names] = entry == nullptr ? shared->table().value(cell) : *entry->number();
    all.keys[names] = shared->keys()->keys[static_cast<std::size_t>(c)];
  }
  return all;
}

std::vector<Row> drawn_rows(base::Random& random) {
  std::vector<Row> rows;
  for (std::int64_t i = random.between(1, 400); i > 0; --i) {
    std::string key = std::to_string(100'000'000 + random.between(0, 99'999'999));
    rows.push_back({std::string(1, static_cast<char>('a' + random.between(0, 5))),
                    random.chance(1, 2) ? "m" : "f",
                    std::to_string(random.between(0, 3)),
                    "0." + key.substr(1)});
  }
  return rows;
}

// Record by record, no roll-up.
std::map<Names, std::uint64_t> keys_by_hand(const std::vector<Row>& rows) {
  std::map<Names, std::uint64_t> keys;
  for (const Row& row : rows) {
    const Names full{"age=" + row[2], "region=" + row[0], "sex=" + row[1]};
    for (unsigned subset = 0; subset < 8; ++subset) {
      Names names;
      for (unsigned d = 0; d < 3; ++d) {
        if ((subset >> d & 1U) != 0)
          names.push_back(full[d]);
      }
      keys[names] = (keys[names] + std::stoull(row[3].substr(2))) % 100'000'000;
    }
  }
  return keys;
}

TEST(CellKeys, OrderThreadsAndTheWayOfAddingUpDoNotMatter) {
  const auto ptable = made_ptable();
  testing::for_each_seed(1, 25, [&](std::uint64_t seed) {
    base::Random random(seed);
    std::vector<Row> rows = drawn_rows(random);
    const Published first = published(rows, {"region", "sex", "age"}, ptable, 1);
    EXPECT_EQ(first.keys, keys_by_hand(rows));
    for (int threads = 2; threads <= 8; ++threads) {
      for (std::size_t i = rows.size(); i-- > 1;)
        std::swap(rows[i],
                  rows[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i)))]);
      const Published again = published(rows, {"region", "sex", "age"}, ptable, threads);
      ASSERT_EQ(again.numbers, first.numbers) << threads << " threads";
      ASSERT_EQ(again.keys, first.keys) << threads << " threads";
    }
  });
}

TEST(CellKeys, TheSameUnitsHaveTheSameNumberInEveryTable) {
  const auto ptable = made_ptable();
  testing::for_each_seed(101, 25, [&](std::uint64_t seed) {
    base::Random random(seed);
    const std::vector<Row> rows = drawn_rows(random);
    const Published whole = published(rows, {"region", "sex", "age"}, ptable, 2);
    for (const std::vector<std::string>& dimensions : std::vector<std::vector<std::string>>{
             {"sex"}, {"age", "region"}, {"sex", "age"}, {"age", "sex", "region"}}) {
      for (const auto& [names, number] : published(rows, dimensions, ptable, 1).numbers)
        EXPECT_EQ(whole.numbers.at(names), number) << seed;
    }
  });
}

// Each entry of a row is met n p times of n, with deviation sqrt(n p (1 - p)).
TEST(CellKeys, NoiseComesAsOftenAsTheTableSays) {
  constexpr int kKeys = 1'000'000;
  constexpr double kDeviations = 5;
  const auto ptable = made_ptable();
  testing::for_each_seed(7, 1, [&](std::uint64_t seed) {
    base::Random random(seed);
    for (const std::int64_t count : {1, 2, 3, 40}) {
      std::map<std::int64_t, std::int64_t> met;
      for (int i = 0; i < kKeys; ++i)
        ++met[ptable->noise(
            count, static_cast<std::uint64_t>(random.between(0, 99'999'999)), 100'000'000)];
      const PtableRow& row = ptable->row_of(count);
      std::map<std::int64_t, double> wanted;
      for (std::size_t e = 0; e < row.entries.size(); ++e)
        wanted[row.entries[e].noise] += static_cast<double>(ptable->length_of(row, e)) /
                                        static_cast<double>(ptable->denominator());
      for (const auto& [noise, share] : wanted) {
        const double off = std::abs(static_cast<double>(met[noise]) - kKeys * share);
        EXPECT_LE(off, kDeviations * std::sqrt(kKeys * share * (1 - share)) + 1)
            << "count " << count << ", noise " << noise;
      }
      EXPECT_EQ(met.size(), wanted.size());
    }
  });
}

}  // namespace
}  // namespace lacuna

// SPDX-License-Identifier: Apache-2.0
// Whole-number ranges against enumeration of all whole tables: every end, level and set of values
// of cells and forms, each with evidence that the checker confirms; and evidence that was tampered
// with never shows what is not so.
#include <gtest/gtest.h>

#include "core/base/exact.h"
#include "core/base/random.h"
#include "judge/attack/checker.h"
#include "judge/attack/evidence_check.h"
#include "judge/attack/integer_tree.h"
#include "judge/attack/search.h"
#include "property/seeds.h"
#include "support/integer_tables.h"
#include "support/whole_evidence.h"

namespace lacuna {
namespace {

using testing::CountTable;
using testing::FiledReach;
using testing::IntegerEnumeration;

struct Drawn {
  explicit Drawn(std::uint64_t seed) : random(seed), maker(testing::random_count_shape(random)) {
    std::vector<Units> leaves(maker.num_leaves());
    for (Units& leaf : leaves)
      leaf = random.chance(1, 3) ? 0 : random.between(0, 2);
    table = maker.make(leaves);
    slacks = testing::random_slacks(table, random);
  }
  base::Random random;
  testing::CountTableMaker maker;
  CountTable table;
  std::vector<attack::Slack> slacks;
};

std::vector<LinearForm> forms_of(Drawn& drawn) {
  std::vector<LinearForm> forms;
  const std::int32_t cells = drawn.table.table.num_cells();
  for (std::int32_t c = 0; c < cells; ++c) {
    if (!drawn.slacks[static_cast<std::size_t>(c)].none() && drawn.random.chance(12, cells))
      forms.push_back({{CellId{c}, 1}});
  }
  for (int i = 0; i < 4; ++i) {
    auto a = static_cast<std::int32_t>(drawn.random.between(0, cells - 1));
    auto b = static_cast<std::int32_t>(drawn.random.between(0, cells - 1));
    if (a > b)
      std::swap(a, b);
    const int sign = drawn.random.chance(2, 3) ? -1 : 1;
    const auto times = static_cast<std::int32_t>(drawn.random.between(1, 2));
    if (a < b)
      forms.push_back({{CellId{a}, sign}, {CellId{b}, times}});
  }
  return forms;
}

void check_tampered(Drawn& drawn,
                    const LinearForm& form,
                    Direction direction,
                    const FiledReach& filed,
                    Units truth,
                    int& refused) {
  FiledReach changed = filed;
  base::Random& random = drawn.random;
  const Units by = random.chance(1, 2) ? 1 : -1;
  const auto any = [&](auto& list) -> auto& {
    return list[static_cast<std::size_t>(random.between(0, std::ssize(list) - 1))];
  };
  switch (random.between(0, 6)) {
    case 0:
      if (changed.proofs.empty() || changed.proofs.front().values.empty())
        return;
      any(changed.proofs.front().values) += by;
      break;
    case 1:
      if (changed.chains.empty() || changed.chains.front().empty())
        return;
      any(changed.chains.front()).value += by;
      break;
    case 2:
      if (changed.steps.empty())
        return;
      changed.steps.front().q += 1;
      break;
    case 3:
      if (changed.trees.empty())
        return;
      any(changed.trees.front()).at += by;
      break;
    case 4:
      if (changed.witnesses.empty())
        return;
      any(changed.witnesses.front().moves) += by;
      break;
    case 5:
      if (changed.trees.empty())
        return;
      any(changed.trees.front()).empty = true;
      break;
    default:
      if (changed.chains.empty() || changed.chains.front().empty())
        return;
      changed.chains.front().erase(changed.chains.front().begin());
  }
  const Status status = changed.confirm(drawn.table.table, drawn.slacks, form, direction);
  refused += status ? 0 : 1;
  if (status && !changed.end.unbounded) {
    EXPECT_LE(changed.end.reached, truth);
  }
  if (status && changed.end.has_bound) {
    EXPECT_GE(changed.end.bound, truth);
  }
}

int check_table(std::uint64_t seed) {
  Drawn drawn(seed);
  const Table& table = drawn.table.table;
  const IntegerEnumeration all(drawn.table, drawn.slacks);
  EXPECT_FALSE(all.tables().empty());
  const attack::AttackView view(table, drawn.slacks, {}, nullptr);
  attack::Search search(view, {});
  const RunContext run;
  int refused = 0;
  for (const LinearForm& form : forms_of(drawn)) {
    const std::set<Units> moves = all.moves(form);
    for (const Direction direction : {Direction::kLow, Direction::kHigh}) {
      const Units truth = direction == Direction::kHigh ? *moves.rbegin() : -*moves.begin();
      for (const Units level : {Units{1}, truth, truth + 1}) {
        if (level <= 0)
          continue;
        FiledReach decided(search.decide(form, direction, level, run));
        const Status status = decided.confirm(table, drawn.slacks, form, direction);
        EXPECT_TRUE(status) << (status ? "" : status.error().text());
        EXPECT_TRUE(level <= truth ? decided.end.reached >= level
                                   : decided.end.has_bound && decided.end.bound < level)
            << "level " << level << " of " << truth;
        check_tampered(drawn, form, direction, decided, truth, refused);
      }
      FiledReach extent(attack::Search(view, {}).extent(form, direction, run));
      const Status status = extent.confirm(table, drawn.slacks, form, direction);
      EXPECT_TRUE(status) << (status ? "" : status.error().text());
      EXPECT_TRUE(extent.end.exact());
      EXPECT_EQ(extent.end.reached, truth);
      check_tampered(drawn, form, direction, extent, truth, refused);
    }
    const auto values = search.values(form, *moves.begin() - 1, *moves.rbegin() + 1, run);
    EXPECT_TRUE(values.has_value());
    if (!values)
      continue;
    std::set<Units> found;
    for (const attack::FormValue& value : *values) {
      EXPECT_TRUE(check_integer_witness(table, drawn.slacks, value.witness));
      EXPECT_EQ(attack::displacement_of(value.witness, form, Direction::kHigh), value.move);
      found.insert(value.move);
    }
    EXPECT_EQ(found, moves);
  }
  return refused;
}

void check_tables(std::uint64_t first, std::uint64_t count) {
  int refused = 0;
  testing::for_each_seed(first, count, [&](std::uint64_t seed) { refused += check_table(seed); });
  EXPECT_TRUE(count == 1 || refused > 0);
}

TEST(IntegerOracle, FirstTables) {
  check_tables(1, 200);
}
TEST(IntegerOracle, MoreTables) {
  check_tables(201, 200);
}
TEST(IntegerOracle, YetMoreTables) {
  check_tables(401, 200);
}

}  // namespace
}  // namespace lacuna

// SPDX-License-Identifier: Apache-2.0
// Largest flows in random networks against an LP, and against every cut where nodes are few: whole
// numbers exactly, doubles nearly. Networks fall apart, have loops and parallel arcs, capacities of
// zero, near the end of 64 bits, and without end.
#include "core/flow/largest_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "core/base/random.h"
#include "lacuna/lp.h"
#include "lacuna/units.h"

namespace lacuna::flow {
namespace {

constexpr Wide kNoLimit = Wide{1} << 100U;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct Net {
  std::int32_t nodes = 0, source = 0, sink = 1, without = -1;
  std::vector<FlowArc> arcs;
  std::vector<Wide> up, down;
  Wide slack(std::int32_t arc, bool forward) const {
    return (forward ? up : down)[static_cast<std::size_t>(arc)];
  }
};

Wide random_capacity(base::Random& random, std::int64_t largest, bool endless) {
  if (random.chance(1, 4))
    return 0;
  if (endless && random.chance(1, 5))
    return kNoLimit;
  return random.between(1, largest);
}

Net random_net(std::uint64_t seed, std::int64_t largest, bool endless) {
  base::Random random(seed);
  Net net;
  net.nodes = static_cast<std::int32_t>(random.between(2, 9));
  const std::int64_t arcs = random.between(0, 3 * net.nodes);
  for (std::int64_t a = 0; a < arcs; ++a) {
    net.arcs.push_back({static_cast<std::int32_t>(random.between(0, net.nodes - 1)),
                        static_cast<std::int32_t>(random.between(0, net.nodes - 1))});
    net.up.push_back(random_capacity(random, largest, endless));
    net.down.push_back(random.chance(1, 2) ? 0 : random_capacity(random, largest, endless));
  }
  if (arcs > 0 && random.chance(1, 2))
    net.without = static_cast<std::int32_t>(random.between(0, arcs - 1));
  return net;
}

bool is_in(std::uint32_t side, std::int32_t node) {
  return ((side >> static_cast<std::uint32_t>(node)) & 1U) != 0;
}

Wide capacity(const Net& net, std::uint32_t side) {
  Wide sum = 0;
  for (std::size_t a = 0; a < net.arcs.size(); ++a) {
    if (static_cast<std::int32_t>(a) == net.without)
      continue;
    const bool from = is_in(side, net.arcs[a].from);
    if (from == is_in(side, net.arcs[a].to))
      continue;
    const Wide slack = from ? net.up[a] : net.down[a];
    if (slack == kNoLimit || sum == kNoLimit)
      sum = kNoLimit;
    else
      sum += slack;
  }
  return sum;
}

// By all cuts; kNoLimit if none is finite.
Wide smallest_cut(const Net& net) {
  Wide best = kNoLimit;
  for (std::uint32_t side = 0; side < (1U << static_cast<std::uint32_t>(net.nodes)); ++side) {
    if (is_in(side, net.source) && !is_in(side, net.sink))
      best = std::min(best, capacity(net, side));
  }
  return best;
}

template <class Amount>
void expect_flow(const Net& net, const LargestFlow<Amount>& flow, double tolerance) {
  std::vector<Amount> gain(static_cast<std::size_t>(net.nodes), Amount{});
  for (const std::int32_t arc : flow.used()) {
    const Amount moved = flow.flow(arc);
    const auto a = static_cast<std::size_t>(arc);
    EXPECT_NE(arc, net.without);
    EXPECT_TRUE(net.up[a] == kNoLimit || moved <= static_cast<Amount>(net.up[a]));
    EXPECT_TRUE(net.down[a] == kNoLimit || -moved <= static_cast<Amount>(net.down[a]));
    gain[static_cast<std::size_t>(net.arcs[a].to)] += moved;
    gain[static_cast<std::size_t>(net.arcs[a].from)] -= moved;
  }
  for (std::int32_t n = 0; n < net.nodes; ++n) {
    Amount expected{};
    if (n == net.source)
      expected = -flow.total();
    if (n == net.sink)
      expected = flow.total();
    EXPECT_NEAR(static_cast<double>(gain[static_cast<std::size_t>(n)] - expected), 0, tolerance);
  }
}

void try_whole(const Net& net) {
  LargestFlow<Wide> flow(net.nodes, net.arcs, kNoLimit);
  const auto slack = [&](std::int32_t arc, bool forward) { return net.slack(arc, forward); };
  const Wide most = smallest_cut(net);
  const FlowEnding ending = flow.push(net.source, net.sink, net.without, kNoLimit, Wide{0}, slack);
  if (most == kNoLimit) {
    ASSERT_EQ(ending, FlowEnding::kEndless);
    std::int32_t node = net.source;
    for (const FlowStep& step : flow.path()) {
      EXPECT_EQ(step.forward ? flow.arc(step.arc).from : flow.arc(step.arc).to, node);
      EXPECT_TRUE(slack(step.arc, step.forward) == kNoLimit);
      node = flow.end_of(step);
    }
    EXPECT_EQ(node, net.sink);
    return;
  }
  ASSERT_EQ(ending, FlowEnding::kBlocked);
  EXPECT_TRUE(flow.total() == most);
  expect_flow(net, flow, 0);
  std::uint32_t side = 0;
  for (std::int32_t n = 0; n < net.nodes; ++n)
    side |= flow.reached(n) ? 1U << static_cast<std::uint32_t>(n) : 0U;
  EXPECT_TRUE(capacity(net, side) == most);
  if (most == 0)
    return;
  const Wide half = (most + 1) / 2;  // no more than was asked for, and the last push forgotten
  EXPECT_EQ(flow.push(net.source, net.sink, net.without, half, Wide{0}, slack), FlowEnding::kLimit);
  EXPECT_TRUE(flow.total() == half);
  expect_flow(net, flow, 0);
}

TEST(LargestFlow, MatchesTheSmallestCut) {
  for (std::uint64_t seed = 1; seed <= 1500 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    try_whole(random_net(seed, 20, seed % 3 == 0));
  }
}

TEST(LargestFlow, CarriesHugeCapacities) {
  for (std::uint64_t seed = 1; seed <= 500 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    try_whole(random_net(seed, std::numeric_limits<std::int64_t>::max(), seed % 3 == 0));
  }
}

double lp_flow(const Net& net) {
  LpModel model;
  std::vector<std::vector<std::int32_t>> columns(static_cast<std::size_t>(net.nodes));
  std::vector<std::vector<double>> values(static_cast<std::size_t>(net.nodes));
  const auto add = [&](std::int32_t from, std::int32_t to, double low, double high, double cost) {
    if (from == to)
      return;
    const std::int32_t column = model.add_column(low, high, cost);
    columns[static_cast<std::size_t>(from)].push_back(column);
    values[static_cast<std::size_t>(from)].push_back(-1);
    columns[static_cast<std::size_t>(to)].push_back(column);
    values[static_cast<std::size_t>(to)].push_back(1);
  };
  for (std::size_t a = 0; a < net.arcs.size(); ++a) {
    if (static_cast<std::int32_t>(a) != net.without)
      add(net.arcs[a].from,
          net.arcs[a].to,
          -static_cast<double>(net.down[a]),
          static_cast<double>(net.up[a]),
          0);
  }
  add(net.sink, net.source, 0, kLpInfinity, -1);
  for (std::size_t n = 0; n < columns.size(); ++n)
    model.add_row(0, 0, columns[n], values[n]);
  auto solver = make_lp_solver("");
  EXPECT_TRUE(solver);
  EXPECT_TRUE((*solver)->load(model));
  const LpSolution solution = (*solver)->minimize(RunContext{});
  EXPECT_EQ(solution.status, LpStatus::kOptimal);
  return -solution.objective;
}

TEST(LargestFlow, AgreesWithAnEngineInDoubles) {
  for (std::uint64_t seed = 1; seed <= 300 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Net net = random_net(seed, 1000, false);
    LargestFlow<double> flow(net.nodes, net.arcs, kInfinite);
    const FlowEnding ending =
        flow.push(net.source, net.sink, net.without, kInfinite, 1e-9, [&](auto arc, bool forward) {
          return static_cast<double>(net.slack(arc, forward)) / 7;
        });
    EXPECT_EQ(ending, FlowEnding::kBlocked);
    EXPECT_NEAR(flow.total(), lp_flow(net) / 7, 1e-6);
  }
}

}  // namespace
}  // namespace lacuna::flow

// SPDX-License-Identifier: Apache-2.0
// The numbers of complete suppression that were chosen and could be another: unit, why, and what
// was measured (CPU seconds on a loaded machine; the instances are those of docs/results). None of
// them can alter a verdict or a bound's truth: they share out the work.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lacuna::suppression {

struct StartTuning {
  // The quick effort counts cells, too: each costs so many medians of the weights besides its own.
  // oyl_28d: 214 secondaries of 29.2e9, 229 of 30.0e9 without. 0.45 instead of 1.5 with detours:
  // oyl_10d 1,983 of 167.7e9 instead of 1,876 of 181.0e9, oyl_8d 3,557 of 84.9e9 instead of 3,461
  // of 85.4e9; with 0.15 oyl_10d has 2,079 of 164.9e9.
  double each_cell = 0.45;
  // Times that while the first routes are found: oyl_15a 1,252 secondaries of value 13.7 instead of
  // 1,827 of 14.4, oyl_11a 3,745 instead of 4,388, oyl_10d 2,003 instead of 2,107 at 0.7% more.
  double at_first = 20;
  // Share of the work: if the first pass took less, a second one is made at the price of exchanges,
  // and so many rounds tell which goes on: oyl_23a 857 secondaries of 3.90e9 instead of 921 of
  // 4.18e9.
  double quick_pass = 1.0 / 5;
  std::int32_t few_rounds = 6;
  double few_rounds_share = 0.25;  // of the work, at most, for each of the two; not measured
  // Shares of the start's work, beyond it: for ways that are sure, and for an audit of what they
  // found, while there is no pattern. Not measured.
  double to_be_complete = 0.5;
  // Share of the cost that improvement must promise to save by all the work of the start.
  double worth_all_work = 0.02;
  // Of the weight: price of cells of an earlier release that are to be kept. Next to nothing.
  double kept = 1.0 / 1024;
  // Rounds of improvement where the tree finds patterns by itself: CPU seconds over nine proven
  // tables, shifted geometric mean, 0.48 (60 rounds) to 0.37; tauW_ind_size_p15 20.3 to 13.7. Not
  // where leaves are few: hier13x13x7d starts at 3,482,731 with two, 2,909,582 with all.
  std::int32_t rounds_for_the_tree = 2;

  // The quick effort's improvement. One cell is worth a sixth of the mean weight of those withheld:
  // oyl_27a 425 of 4.906e9 instead of 432 of 5.063e9, oyl_14d 667 of 659.9e9 instead of 662 of
  // 664.7e9, with the tree at a quarter of that price and in turn with local search.
  double weight_over_number = 6;
  double price_in_tree = 0.25;
  // The tree's turns end within this gap: what is left to save is not worth the work.
  double close_enough = 0.002;
  // Flats of the kernel, where few displacements generate all: share of the quick effort's work,
  // and units per cell of a start for the tree.
  double flats_share = 0.4;
  std::int64_t flats_per_cell = 500;
  // Times the work of the quick effort that it may have within a longer one, for the same reason.
  std::int64_t flats_longer = 4;
  // Searches among flats in a turn of improvement, each from the beginning, and turns that did not
  // pay before it is enough. Not measured.
  std::uint64_t flats_in_turn = 2;
  int idle_flats = 4;
  // Patterns kept for unions with the best, and how much more than it they may weigh; each union
  // has this share of the work of its turn that is left. Not measured.
  std::size_t most_good = 4;
  double good = 1.25;
  double union_share = 0.4;
  // Each turn of tree and search has at most one in so many of the units of work so far, at least
  // the second number. Not measured.
  std::int64_t turn_share = 2;
  std::int64_t shortest_turn = 6'000'000;
  int idle_turns = 1;  // that did not pay: then it is enough
  // Units of work for further trials: so many, and so many per cell. Not measured further.
  std::int64_t least_trials = 1'000'000;
  std::int64_t trials_per_cell = 7000;
  // Iterated local search: it ends after so many trials that saved less than this share of the
  // cost; rounds at false prices, raised by up to that share, then rounds at the true ones. Not
  // measured singly.
  int idle_trials = 40;
  double worth_trying = 1.0 / 5000;
  std::int32_t false_rounds = 2;
  double false_share = 1;
  std::int32_t true_rounds = 6;

  // Cells of a part up to which the tree is trusted to find patterns. Not measured.
  std::size_t quick_cells = 10'000;
  // Work of a start for the tree: so many units, and so many per cell; at most that share of all.
  // Not measured.
  std::int64_t least_work = 15'000'000;
  std::int64_t work_per_cell = 2000;
  double most_work = 1.0 / 3;
  // The quick effort's pattern has this share of its work, the bound the rest. The default effort
  // begins with what the quick one finds: at once where parts are large, else once its tree has
  // done that share of the quick effort's work without being done.
  double pattern_share = 0.85;
  double tree_first = 0.5;
};

struct ProgramRoutesTuning {
  int sweeps = 3;  // of improvement; hier13 9,589,329 in 30 CPU s (last resort: 30,383,854)
  // Price of a withheld cell, in the mean of all. Not measured.
  double next_to_nothing = 1.0 / 1024;
  // Cells of a part where programs are quick, and where they are if leaves are few. Not measured.
  std::int32_t few_cells = 1500;
  std::int32_t most_cells = 5000;
};

struct RoundingTuning {
  double worth_taking = 0.7;   // x of a column that is withheld from the beginning; not measured
  double given_up = 1000;      // price of columns that are fixed to 0, times the weight
  double least_price = 0.001;  // of a column at x = 1, times the weight; not measured
};

struct TreeTuning {
  std::size_t slots = 4;  // nodes per batch: fixed, so that threads do not change results
  // The root stops once so many rounds together closed less than this share of the gap; half as
  // many that closed less than `slow` are time for patterns and restarts. hier13x7x7d 592,299 in
  // 60 s with both (best listed 625,334).
  std::size_t stall_rounds = 6;
  double worth_rounds = 0.04;
  double slow = 0.2;
  // Rounds of cuts at a node below the root, while each closes so much of the gap. Not measured.
  std::size_t node_rounds = 4;
  double worth_node_round = 0.01;
  // Cells of a part from which on dual ascent gives the master its first rows, and its share of the
  // work that is left. oyl_11a: 48.85e9 for 0.2 million units; cuts of equations by the master
  // alone 46.78e9 for 3.6 million.
  std::int32_t climb_cells = 4000;
  double climb_share = 0.1;
  double inward = 0.5;            // of the way from the master's point to one that nothing cuts off
  std::size_t root_cuts = 60;     // per lane and round; not measured
  std::size_t root_bridges = 20;  // attacker problems for bridges, per lane; not measured
  std::size_t node_cuts = 15;     // per node and round; not measured
  std::size_t pool_cuts = 100;    // taken from the pool per round; not measured
  std::size_t equation_cuts = 400;  // taken from single equations per round; not measured
  std::size_t rounded_cuts = 40;    // per round, once it stalls
  std::size_t few_cuts = 20;  // found without them: then attackers are asked, too; not measured
  // A rounding has a tenth of the work so far, at least so many units.
  std::int64_t shortest_rounding = 500'000;
  std::int64_t rounding_share = 10;  // one in so many
  double check_share = 1.0 / 8;      // of the work, for the audit of one pattern; not measured
  std::int32_t worth_restart = 20;   // settled columns; not measured
  std::int32_t restart_share = 4;    // restart once one in so many columns is settled
  // Columns probed before branching, and observations per side after which none is needed: 4 and 2
  // instead of 8 and 4 were measured together with the lazy simplex (table1 11.1 to 2.0 s).
  std::size_t candidates = 4;
  std::int32_t reliable = 2;
  std::int64_t round_every = 25;  // batches between two dives; not measured
  std::size_t dive_steps = 8;     // a dive fixes one in so many of the open columns at a time
  std::size_t starts = 4000;      // nodes that may keep a basis: memory, not measured
};

// None of these is measured: the turns watch for themselves whether they pay.
struct GroupTuning {
  std::size_t smallest = 3;             // sensitive cells of a group
  int passes = 8;                       // of prices from bridge to bridge
  double whole = 1'000'000;             // what the master pays for a group, in whole weights
  double largest = 8;                   // weight of a column, times that
  std::int32_t most_columns = 5000;     // of a part whose needs are joined
  std::size_t at_once = 4;              // groups of a turn: fixed, so that threads do not matter
  std::int64_t least_work = 1'000'000;  // units on a part before its root is strengthened at all
  std::int64_t shortest = 250'000;      // units of one group, at least;
  std::int64_t turn_share = 16;         // and at most one in so many of the work on the part
  std::int64_t share = 3;               // all groups together: one in so many
  double worth_turn = 0.005;            // of the gap, closed by a turn that paid
  int idle_turns = 2;                   // that did not: then it is enough
};

struct PartTuning {
  // The neighbourhood search: nodes it may take, and the share of the cells (numerator and
  // denominator) beyond which it is nearly the problem itself. Not measured singly.
  std::int64_t near_nodes = 40;
  std::size_t near_share = 4, near_whole = 5;
  // A quick bound has a sixth of the work that the pattern took, at least so many units.
  std::int64_t quick_bound_share = 6;
  std::int64_t quick_bound = 2'000'000;
};

struct ProofTuning {
  // The log of a bound may take as much work as the search did, or so many units if that is more.
  std::int64_t least_work = 10'000'000;
  // ... and this share of the time of the search on top of a time limit, which leaves none.
  double share_of_time = 0.3;
};

struct ExplainTuning {
  // Columns of the compact model up to which the least number of cells is computed. Not measured.
  std::int64_t most_compact_variables = 20'000;
  std::size_t most_singles = 100;   // published cells tried one by one; not measured
  std::size_t most_named = 3;       // cells that a sentence names
  std::int64_t most_repairs = 200;  // exclusions of patterns that the audit refused; not measured
};

struct Tuning {
  StartTuning start;
  ProgramRoutesTuning program_routes;
  RoundingTuning rounding;
  TreeTuning tree;
  GroupTuning groups;
  PartTuning part;
  ProofTuning proof;
  ExplainTuning explain;
};

inline constexpr Tuning kTuning{};

}  // namespace lacuna::suppression

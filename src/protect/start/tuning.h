// SPDX-License-Identifier: Apache-2.0
// Every number of the heuristics that was chosen and could be another, in one place. Each says its
// unit, why it is there, and what was measured; "not measured" means that no measurement is on
// record. None of them can make a pattern unsafe: they decide how long and where is searched.
// The tables oyl_* and hier13* are those of docs/results; "value" is the weight withheld.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lacuna/units.h"

namespace lacuna::start {

struct PatternStateTuning {
  // Share of a typical cell's cost that a step over a withheld cell costs, so that of two free
  // routes the shorter one is taken. Small enough never to outweigh an open cell. Not measured.
  double step_share = 1.0 / (1 << 20);
};

struct AssignmentTuning {
  // Shared routes through a cell that are looked at, newest first, when a goal asks whether one
  // serves it: the lists of cells in the middle have thousands. Not measured.
  std::int32_t candidates = 48;
};

struct JointTuning {
  // In levels: slacks beyond are not joined. The rest of them, over all goals: beyond, goals that
  // come later are searched for one by one (memory). Not measured.
  Units levels = 2;
  std::size_t most_slacks = 8'000'000;
};

struct LeafRoutesTuning {
  // Routes without a search must take microseconds (oyl_11a: every goal met after 12 CPU s, 18
  // without them); all of these limit how much one of them looks at. The single limits were not
  // measured.
  std::size_t batch =
      32;  // goals looked at on the same state; fixed, so that threads do not matter
  std::size_t most_leaves = 100'000;  // leaves looked at below one cell
  std::size_t most_carriers = 2000;   // leaves with slack enough that are kept
  std::size_t most_partners = 24;     // leaves tried per equation as the other end of a pair
  std::size_t most_distant = 4;       // the same, at totals above the leaf
  // The same where any route will do: oyl_13a 7 CPU s for all goals with those above.
  std::size_t hasty_partners = 2;
  std::size_t hasty_distant = 1;
  std::size_t hasty_doubled = 1;
  // Searches for what has no such route: one in so many of the units of work, at least the second
  // number; attacker LPs in tables of up to so many cells (in oyl_3a, 83,015 cells, they take
  // minutes).
  std::int64_t search_share = 5;
  std::int64_t least_search = 2'000'000;
  std::int32_t cells_for_lps = 5000;
  std::size_t few = 10;  // one in so many goals may be left to a closer look; hier13: 48 of 76
  std::size_t most_doubled = 4;     // pairs that are tried with a second one
  std::size_t most_second = 4;      // second pairs per equation of the leaf
  std::size_t most_shares = 3;      // partners that together make up for one leaf
  std::int64_t smallest_share = 4;  // 1 in so many of a leaf's move is worth a partner
};

struct ProgramTuning {
  // Cells of the neighbourhoods that a program is tried on, one after the other. A program takes
  // some 10 ms; with programs where searches fail, value of the first pass and one round in 1e9:
  // oyl_8d 223.7 -> 108.9, oyl_4d 357 -> 173.5, oyl_9a 35.6 -> 25.4.
  std::array<std::size_t, 2> sizes{1500, 6000};
  std::size_t per_equation = 12;    // open cells taken from an equation; not measured
  std::size_t withheld_factor = 3;  // withheld ones per open one; not measured
  // In levels: cells with less slack are left out, but not the last time. Not measured.
  double least_slack = 1.0 / 256;
  // Price of a withheld cell, in that of a typical open one. Not measured.
  double step_share = 1.0 / 1024;
  std::int32_t rounds = 5;  // of slope scaling; not measured
  double moved = 1e-7;      // in levels: what moves less is at rest (noise of an LP engine)
  // In typical prices: prices beyond are all the same to an LP engine. Not measured.
  double highest_price = 1 << 20;
};

struct FirstPassTuning {
  // Searches on the same state, side by side: many share threads well, few see each other's finds.
  // Independent of the number of threads, so that results are. Not measured.
  std::size_t batch = 16;
  std::size_t lp_batch = 4;  // the same for attacker LPs, which take seconds; not measured
  // Shares of the work after which the next way of searching has its turn. With no end for programs
  // and longer searches oyl_11a took 244 s on a busy machine, 26 to 28 with one.
  double first_end = 0.8;
  double programs_end = 0.6;
  double searches_end = 0.75;
};

// How a route is searched: from a brief search inside an exchange to the last one of the first
// pass. In between, from kEighths on, cells with ever more slack alone: where small cells cannot
// carry a level, those that can by themselves are few.
enum class SearchKind : std::uint8_t {
  kBrief,
  kFirst,      // of the first pass
  kEighths,    // cells that carry an eighth of the level
  kThirds,     // a third: the longer search of an exchange
  kAlone,      // all of it
  kFourTimes,  // four times the level
  kSixteenTimes,
  kLast,  // any cell, and many steps
};
inline constexpr std::array kSearchKinds{SearchKind::kBrief,
                                         SearchKind::kFirst,
                                         SearchKind::kEighths,
                                         SearchKind::kThirds,
                                         SearchKind::kAlone,
                                         SearchKind::kFourTimes,
                                         SearchKind::kSixteenTimes,
                                         SearchKind::kLast};
// The kinds from one to another.
constexpr std::span<const SearchKind> search_kinds(SearchKind first, SearchKind last) {
  return std::span(kSearchKinds)
      .subspan(static_cast<std::size_t>(first),
               static_cast<std::size_t>(last) - static_cast<std::size_t>(first) + 1);
}

struct SearchLimits {
  std::int32_t steps = 0;  // of the dual simplex
  // Price of a withheld cell, in that of a cheap published one: a higher one keeps the search
  // nearer to the cell, which is less good, but quicker.
  double share = 0;
  double slack = 0;  // in levels: cells with less are not used
};

struct SearchTuning {
  // By kind. Withheld cells at a fifth of a cheap published cell instead of half of it in the first
  // pass: 20 CPU s of oyl_8d 3,079 -> 2,867 secondaries, 45 CPU s of oyl_4d 7,282 -> 6,941. Hard
  // goals among cells that carry the level alone: a route takes 10 ms, oyl_5a completes in 15 CPU s
  // instead of not at all.
  std::array<SearchLimits, kSearchKinds.size()> limits{{{250, 1.0 / 128, 1.0 / 32},
                                                        {250, 1.0 / 5, 1.0 / 32},
                                                        {400, 2, 1.0 / 8},
                                                        {500, 2, 1.0 / 3},
                                                        {500, 2, 1},
                                                        {400, 2, 4},
                                                        {400, 2, 16},
                                                        {3000, 4, 0}}};
  constexpr const SearchLimits& of(SearchKind kind) const {
    return limits[static_cast<std::size_t>(kind)];
  }
};

struct ExchangeTuning {
  // Goals behind one cell beyond which an exchange is hardly ever possible; more are tried where
  // the cell decides (ConstructTuning::decisive). Not measured singly.
  std::size_t most_needs = 200;
  std::size_t decisive_needs = 2000;
  // Goals behind all shared routes around a cell that are given up together. Not measured.
  std::size_t most_needs_around = 40;
  // Share by which prices change when shared routes around a cell are given up, so that the same
  // routes are not found again. Not measured.
  double noise = 0.25;
  // Detours: shared routes through one cell up to which they are tried, and how far each looks, for
  // expensive cells farther. One found takes 75 steps and 0.4 ms on oyl_15a. With 600 steps for
  // expensive cells instead of 250: oyl_15a 12.5e9 instead of 13.0e9.
  std::size_t most_detours = 200;
  SearchLimits detour{250, 1.0 / 128, 0};
  SearchLimits long_detour{600, 1.0 / 128, 0};
};

struct ConstructTuning {
  std::size_t batch = 16;  // exchanges planned on the same state, as in FirstPassTuning
  // Shares of the cost: a cell that makes up so much is worth a longer search, any search.
  // oyl_11a with any search for decisive cells: 43.3e9 after 35 CPU s instead of 50.0e9 after 50.
  double expensive = 1.0 / 1000;
  double decisive = 1.0 / 200;
  // Share of the cost: a round that saves less is idle, and after so many of them it ends. Not
  // measured.
  double little = 1.0 / 2000;
  std::int32_t idle_rounds = 8;
  // What kinds of exchange hope for after another saved something: this share of it per work. Not
  // measured.
  double hope = 0.5;
  // Detours keep the shared routes there are, so exchanges that find others come first: until a
  // round of them saves less than the first share of the cost, or the second share of the work is
  // done. oyl_13a: 16.1e9 with detours from the beginning, 12.9e9 so.
  double settled = 0.05;
  double until_settled = 0.4;
  std::size_t rounds_of_rate = 3;  // that tell whether more of them pay; not measured
  // A round is broken off if the work left is less than so many rounds and the last batches saved
  // less than this share of what all batches of the round save per work.
  double plenty = 3;
  std::size_t batches_at_once = 8;  // whose savings are looked at together
  std::size_t window = 4;           // of these
  double worth_going_on = 0.25;
  // Share of the work that the series search has; then the result is made ready. Not measured.
  double series_share = 0.9;
};

struct SeriesTuning {
  // For levels of one unit; with the series search oyl_8d has 1,883 secondaries (2,766 without),
  // oyl_9a 1,450 (1,749), oyl_10d 1,791 (1,901), oyl_11a 1,956 (2,327).
  std::int32_t max_rounds = 60;          // over all open cells
  std::int32_t idle_rounds = 8;          // without a gain, then it is enough; not measured
  std::int32_t sweeps = 4;               // over the open cells taken at a time; not measured
  std::size_t cells_at_a_time = 1500;    // open cells; a tableau of more fills up, not measured
  std::size_t fewest_at_a_time = 64;     // open cells: then the large tableau is allowed
  std::size_t most_entries = 500'000;    // of the tableau; beyond, fewer cells; not measured
  std::size_t all_entries = 40'000'000;  // of the tableau; beyond, it is given up; not measured
  // Cells of a class at first, and in a circuit that is tried: shorter ones serve the goals more
  // often. With 30 and 1,000 oyl_1a has 5,753 secondaries in 40 s from the first pass (6,047, 220
  // goals unserved, before).
  std::size_t most_in_series = 30;
  std::size_t longest_circuit = 1000;
  std::size_t shortest_series = 4;  // most_in_series is halved down to this; not measured
  std::size_t few_unserved = 2000;  // a pattern counts if it leaves one goal in so many, or none
  std::int32_t parts_between_checks = 8;  // parts of a round between two such tests; not measured
  std::size_t circuits_tried = 16;        // per goal, the shortest first; not measured
};

struct FlatsTuning {
  // Entries of the columns of all displacements: beyond, a step takes too long.
  std::size_t most_entries = 6'000'000;
  std::size_t steps_per_column = 6;  // of a small program; beyond, it has failed; not measured
  double tolerance = 1e-9;           // in levels; the audit has the last word
  // Columns with which slacks are looked at, doubled up to the second number while that is too few.
  std::size_t few_columns = 10;
  std::size_t most_columns = 160;
  int chains = 2;                                // fixed, so that threads do not change results
  std::int64_t work_without_limit = 10'000'000;  // units per chain
  double most_back = 0.85;   // share of the published columns that is taken back
  double noise = 0.5;        // share by which weights are raised at random
  double looser = 0.03;      // share by which a flat may be more expensive than the last, at first
  std::size_t patterns = 8;  // kept per chain
  // Trials without a gain after which a chain ends, times the square of the columns: small tables
  // are done at once, others end with their work.
  std::int64_t idle_trials = 2;
};

struct Tuning {
  PatternStateTuning pattern_state;
  AssignmentTuning assignment;
  JointTuning joint;
  LeafRoutesTuning leaf_routes;
  ProgramTuning program;
  FirstPassTuning first_pass;
  SearchTuning searches;
  ExchangeTuning exchange;
  ConstructTuning construct;
  SeriesTuning series;
  FlatsTuning flats;
};

inline constexpr Tuning kTuning{};

}  // namespace lacuna::start

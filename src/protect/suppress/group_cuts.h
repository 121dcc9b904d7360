// SPDX-License-Identifier: Apache-2.0
// Inequalities that join several needs (local cuts: Applegate, Bixby, Chvatal and Cook 2001; prices
// split as in Lagrangean decomposition: Guignard and Kim 1987). Let G be a group of sensitive cells
// and w >= 0 whole weights of the columns. A safe pattern is safe for G, so
//
//   w'x >= b,  b <= min { w'p : p a pattern that is safe for G }.
//
// Any proven bound of that smaller problem of the same kind serves as b, also that of a tree that
// was cut off; it is proven as every bound of the tree is (master.h) and is a whole number. No
// coefficient need be larger than b.
//
// The weights are what the master pays for G. Let y be its row prices and r its reduced costs: the
// rows R(G) that follow from needs of G say sum_R(G) y a x >= sum_R(G) y b, with equality where the
// master is. With these weights, and the reduced costs on top, whatever b is more than that is what
// the inequality is violated by, and the master's bound rises by no less: its price 1 in place of
// the y of R(G) is dual feasible. A bridgeless row  x_h <= sum x_i  hands the price of the cells i
// on to h; it belongs to G by the share of the price of h that is paid for G.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lacuna/run_context.h"
#include "lacuna/suppress.h"
#include "protect/suppression_model/cuts/cut.h"
#include "protect/suppression_model/master.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression {

// Where the master is, and what it pays.
struct MasterPoint {
  std::vector<double> x;
  std::vector<double> reduced_costs;
  std::vector<suppression_model::SharedCut> rows;
  std::vector<double> prices;  // of the rows
};
MasterPoint point_of(const suppression_model::Master& master);

using Group = std::vector<std::int32_t>;  // local sensitive cells, ascending

// What the master pays for the group, by column; none negative.
std::vector<double> price_of_group(const suppression_model::SuppressModel& model,
                                   const MasterPoint& point,
                                   const Group& group);

// So many groups, of `size` cells each: what they pay for meets in columns that are neither
// published nor withheld. The first cells of the groups differ; `turn` goes on where others began.
std::vector<Group> choose_groups(const suppression_model::SuppressModel& model,
                                 const MasterPoint& point,
                                 std::size_t count,
                                 std::size_t size,
                                 std::size_t turn);

// What holds of all patterns of interest.
struct GroupLimits {
  std::vector<double> lower, upper;        // of the columns, 0 or 1
  std::optional<std::vector<bool>> known;  // a safe pattern, by column
};

struct GroupTask {
  Group group;
  std::vector<double> weights;  // by column, none negative
  GroupLimits limits;
};

struct GroupAnswer {
  std::optional<suppression_model::Cut> cut;  // violated at the point
  bool solved = false;  // to the end: there is no better one with these weights
  double gain = 0;      // in units of weight: what the master's bound rises by at least
};

// Solves the group's own problem within the work of the run.
GroupAnswer cut_of_group(const suppression_model::SuppressModel& model,
                         const SuppressOptions& options,
                         const MasterPoint& point,
                         const GroupTask& task,
                         const RunContext& run);

// Turns of such inequalities at the root of a tree. Groups grow by a cell while most of their
// problems are solved to the end within their work, and shrink where they are not.
class GroupSearch {
 public:
  GroupSearch(const suppression_model::SuppressModel& model, const SuppressOptions& options);

  // Whether the needs are of the kind that can be joined, and there are enough of them.
  bool applies() const { return applies_; }
  // The inequalities of a few groups, each with so many units of work, that the point violates.
  std::vector<suppression_model::Cut> search(const MasterPoint& point,
                                             const GroupLimits& limits,
                                             std::int64_t work_of_one,
                                             const RunContext& run);

 private:
  const suppression_model::SuppressModel& model_;
  const SuppressOptions& options_;
  bool applies_ = false;
  std::size_t cells_ = 0;  // that are sensitive
  std::size_t size_;
  std::size_t turn_ = 0;
};

}  // namespace lacuna::suppression

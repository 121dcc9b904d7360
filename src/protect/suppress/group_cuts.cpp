// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/group_cuts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/index.h"
#include "core/base/parallel.h"
#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/suppress/branch_and_cut.h"
#include "protect/suppress/tuning.h"

namespace lacuna::suppression {
namespace {

bool follows_from(const suppression_model::Cut& cut, const Group& group) {
  return !cut.speaks_for.empty() &&
         std::includes(group.begin(), group.end(), cut.speaks_for.begin(), cut.speaks_for.end());
}

// The column h of x_h <= sum x_i.
std::int32_t head_of(const suppression_model::Cut& bridge) {
  const auto least = std::min_element(bridge.values.begin(), bridge.values.end());
  return bridge.columns[static_cast<std::size_t>(least - bridge.values.begin())];
}

void add_row(const suppression_model::Cut& row,
             double price,
             bool only_positive,
             std::vector<double>& sums) {
  for (std::size_t k = 0; k < row.columns.size(); ++k) {
    if (!only_positive || row.values[k] > 0)
      sums[base::at(row.columns[k])] += price * row.values[k];
  }
}

std::vector<Group> sensitive_cells(const suppression_model::SuppressModel& model) {
  std::vector<Group> cells;
  for (const suppression_model::Need& need : model.needs()) {
    if (cells.empty() || cells.back().front() != need.cell)
      cells.push_back({need.cell});
  }
  return cells;
}

}  // namespace

MasterPoint point_of(const suppression_model::Master& master) {
  MasterPoint point;
  point.x = master.x();
  point.reduced_costs = master.reduced_costs();
  point.prices = master.row_prices();
  point.rows.assign(master.rows().begin(),
                    master.rows().begin() + static_cast<std::ptrdiff_t>(point.prices.size()));
  return point;
}

std::vector<double> price_of_group(const suppression_model::SuppressModel& model,
                                   const MasterPoint& point,
                                   const Group& group) {
  const auto columns = base::at(model.num_columns());
  std::vector<double> of_all(columns, 0), of_needs(columns, 0);
  std::vector<std::size_t> bridges;
  for (std::size_t r = 0; r < point.rows.size(); ++r) {
    const suppression_model::Cut& row = *point.rows[r];
    if (point.prices[r] <= 0)
      continue;
    base::count_work(10 * row.columns.size());
    add_row(row, point.prices[r], true, of_all);
    if (row.family == suppression_model::CutFamily::kBridgeless)
      bridges.push_back(r);
    else if (follows_from(row, group))
      add_row(row, point.prices[r], false, of_needs);
  }
  // Prices go from bridge to bridge; each pass follows them one step further.
  std::vector<double> paid = of_needs;
  std::vector<double> shares(bridges.size(), 0);
  for (int pass = 0; pass < kTuning.groups.passes; ++pass) {
    std::vector<double> next = of_needs;
    for (std::size_t b = 0; b < bridges.size(); ++b) {
      const suppression_model::Cut& row = *point.rows[bridges[b]];
      const std::size_t head = base::at(head_of(row));
      shares[b] = of_all[head] > 0 ? std::clamp(paid[head] / of_all[head], 0.0, 1.0) : 0.0;
      base::count_work(10 * row.columns.size());
      add_row(row, shares[b] * point.prices[bridges[b]], true, next);
    }
    paid = std::move(next);
  }
  std::vector<double> price = of_needs;
  for (std::size_t b = 0; b < bridges.size(); ++b)
    add_row(*point.rows[bridges[b]], shares[b] * point.prices[bridges[b]], false, price);
  for (std::size_t j = 0; j < columns; ++j)
    price[j] = std::max(price[j], 0.0) + std::max(point.reduced_costs[j], 0.0);
  return price;
}

namespace {

// What is paid for each sensitive cell, in columns that are neither published nor withheld.
class Meetings {
 public:
  Meetings(const suppression_model::SuppressModel& model,
           const MasterPoint& point,
           const std::vector<Group>& cells)
      : open_(cells.size(), std::vector<double>(base::at(model.num_columns()), 0)),
        total_(cells.size(), 0) {
    for (std::size_t r = 0; r < point.rows.size(); ++r) {
      const suppression_model::Cut& row = *point.rows[r];
      if (point.prices[r] <= 0 || row.speaks_for.empty())
        continue;
      const double price = point.prices[r] / static_cast<double>(row.speaks_for.size());
      for (const std::int32_t cell : row.speaks_for) {
        const auto place =
            std::lower_bound(cells.begin(), cells.end(), cell, [](const Group& a, std::int32_t b) {
              return a.front() < b;
            });
        const auto i = static_cast<std::size_t>(place - cells.begin());
        base::count_work(10 * row.columns.size());
        add_row(row, price, true, open_[i]);
        total_[i] += price * row.rhs;
      }
    }
    for (auto& each : open_) {
      for (std::size_t j = 0; j < each.size(); ++j)
        each[j] *= point.x[j] * (1 - point.x[j]);
    }
  }

  double total(std::size_t cell) const { return total_[cell]; }
  double between(std::size_t a, std::size_t b) const {
    base::count_work(open_[a].size());
    double sum = 0;
    for (std::size_t j = 0; j < open_[a].size(); ++j)
      sum += std::min(open_[a][j], open_[b][j]);
    return sum;
  }

 private:
  std::vector<std::vector<double>> open_;
  std::vector<double> total_;
};

}  // namespace

std::vector<Group> choose_groups(const suppression_model::SuppressModel& model,
                                 const MasterPoint& point,
                                 std::size_t count,
                                 std::size_t size,
                                 std::size_t turn) {
  const std::vector<Group> cells = sensitive_cells(model);
  const Meetings meetings(model, point, cells);
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return meetings.total(a) > meetings.total(b);
  });
  std::vector<Group> groups;
  for (std::size_t g = 0; g < std::min(count, cells.size()); ++g) {
    const std::size_t first = order[(turn * count + g) % order.size()];
    std::vector<bool> in(cells.size(), false);
    std::vector<double> near(cells.size(), 0);
    std::size_t latest = first;
    Group group{cells[first].front()};
    in[first] = true;
    while (group.size() < size) {
      std::size_t best = cells.size();
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (in[i])
          continue;
        near[i] += meetings.between(latest, i);
        if (near[i] > 0 && (best == cells.size() || near[i] > near[best]))
          best = i;
      }
      if (best == cells.size())
        break;
      in[best] = true;
      latest = best;
      group.push_back(cells[best].front());
    }
    std::sort(group.begin(), group.end());
    if (group.size() >= kTuning.groups.smallest &&
        std::find(groups.begin(), groups.end(), group) == groups.end())
      groups.push_back(std::move(group));
  }
  return groups;
}

namespace {

std::shared_ptr<const Problem> problem_of(const suppression_model::SuppressModel& model,
                                          const Group& group) {
  auto problem = std::make_shared<Problem>(model.problem());
  problem->drop_requirements([&](const Requirement& need) {
    return !std::binary_search(group.begin(), group.end(), model.local(need.cell));
  });
  return problem;
}

// The same columns, other weights, and nothing asked but of the group.
suppression_model::SuppressModel model_of(const suppression_model::SuppressModel& model,
                                          const Group& group,
                                          std::vector<double> weights) {
  std::vector<CellId> cells;
  std::vector<bool> always(base::at(model.problem().table().num_cells()), false);
  for (std::int32_t i = 0; i < model.num_cells(); ++i) {
    cells.push_back(model.cell(i));
    always[base::at(model.cell(i))] = model.column_of(i) < 0;
  }
  return {problem_of(model, group), std::move(cells), always, std::move(weights)};
}

std::vector<suppression_model::Cut> cuts_of(const MasterPoint& point, const Group& group) {
  std::vector<suppression_model::Cut> cuts;
  for (const suppression_model::SharedCut& row : point.rows) {
    if (row->family == suppression_model::CutFamily::kBridgeless || follows_from(*row, group))
      cuts.push_back(*row);
  }
  return cuts;
}

double cost_of(const std::vector<bool>& pattern, const std::vector<double>& weights) {
  double cost = 0;
  for (std::size_t j = 0; j < pattern.size(); ++j)
    cost += pattern[j] ? weights[j] : 0;
  return cost;
}

suppression_model::Cut inequality(const Group& group,
                                  const std::vector<double>& weights,
                                  double bound) {
  suppression_model::Cut cut;
  cut.family = suppression_model::CutFamily::kGroup;
  cut.speaks_for = group;
  cut.rhs = 1;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (weights[j] <= 0)
      continue;
    cut.columns.push_back(static_cast<std::int32_t>(j));
    // A little more than computed, so that rounding never cuts off a pattern.
    cut.values.push_back(std::min(weights[j] / bound * (1 + tol::kDecision), 1.0));
  }
  return cut;
}

}  // namespace

GroupAnswer cut_of_group(const suppression_model::SuppressModel& model,
                         const SuppressOptions& options,
                         const MasterPoint& point,
                         const GroupTask& task,
                         const RunContext& run) {
  GroupAnswer answer;
  const double paid =
      std::inner_product(task.weights.begin(), task.weights.end(), point.x.begin(), 0.0);
  if (!(paid > 0))
    return answer;
  const double scale = kTuning.groups.whole / paid;
  std::vector<double> weights = task.weights;
  for (double& weight : weights)
    weight = std::min(std::round(weight * scale), kTuning.groups.largest * kTuning.groups.whole);
  const double here = std::inner_product(weights.begin(), weights.end(), point.x.begin(), 0.0);
  const suppression_model::SuppressModel small = model_of(model, task.group, weights);
  TreeTask tree;
  tree.cuts = cuts_of(point, task.group);
  tree.may_restart = false;
  tree.lower = task.limits.lower;
  tree.upper = task.limits.upper;
  tree.good_enough = here * (1 + tol::kViolation);
  if (task.limits.known) {
    tree.known = task.limits.known;
    tree.known_cost = cost_of(*task.limits.known, weights);
  }
  RunContext alone = run;
  alone.threads = 1;
  alone.log = nullptr;
  alone.on_progress = nullptr;
  const TreeResult result = branch_and_cut(small, options, std::move(tree), alone);
  answer.solved = result.why == StopReason::kOptimal || result.why == StopReason::kGapReached;
  if (!std::isfinite(result.bound) || result.bound <= here * (1 + tol::kViolation))
    return answer;
  answer.cut = inequality(task.group, weights, result.bound);
  answer.gain = (result.bound - here) / scale;
  return answer;
}

GroupSearch::GroupSearch(const suppression_model::SuppressModel& model,
                         const SuppressOptions& options)
    : model_(model), options_(options), size_(kTuning.groups.smallest) {
  cells_ = sensitive_cells(model).size();
  const auto conditional = [](const suppression_model::Need& need) { return need.column >= 0; };
  applies_ = cells_ > kTuning.groups.smallest &&
             model.num_columns() <= kTuning.groups.most_columns &&
             std::none_of(model.needs().begin(), model.needs().end(), conditional);
}

std::vector<suppression_model::Cut> GroupSearch::search(const MasterPoint& point,
                                                        const GroupLimits& limits,
                                                        std::int64_t work_of_one,
                                                        const RunContext& run) {
  const std::vector<Group> groups =
      choose_groups(model_, point, kTuning.groups.at_once, size_, turn_++);
  std::vector<GroupAnswer> answers(groups.size());
  base::for_each_lane(run, groups.size(), [&](std::size_t g) {
    const GroupTask task{groups[g], price_of_group(model_, point, groups[g]), limits};
    answers[g] = cut_of_group(model_, options_, point, task, with_work(run, work_of_one));
  });
  std::vector<suppression_model::Cut> cuts;
  std::size_t solved = 0;
  for (GroupAnswer& answer : answers) {
    solved += answer.solved ? 1 : 0;
    if (answer.cut)
      cuts.push_back(*std::move(answer.cut));
  }
  if (2 * solved > groups.size())
    size_ = std::min(size_ + 1, cells_);
  else if (size_ > kTuning.groups.smallest)
    --size_;
  return cuts;
}

}  // namespace lacuna::suppression

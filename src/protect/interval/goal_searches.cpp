// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/goal_searches.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "lacuna/tolerance.h"
#include "protect/interval/tuning.h"
#include "protect/suppression_model/lanes.h"

namespace lacuna::interval {
namespace {

class EquationWay : public GoalSearch::Way {
 public:
  EquationWay(const attacker::RepairNet& net, std::int32_t cell, int sign)
      : search_(net, cell, sign) {}

  void set_largest_basis(std::size_t size) { search_.set_largest_basis(size); }
  attacker::RepairOutcome solve(const GoalSearch::Question& question,
                                attacker::RepairScratch& scratch,
                                const RunContext& run) override {
    return search_.solve(question.level, question.slacks, question.widest, scratch, &run);
  }
  attacker::Move move() const override { return search_.move(); }
  double excess() const override { return search_.excess(); }
  std::optional<SearchedCut> cut(const Model& model,
                                 const Goal& goal,
                                 std::span<const double> z) const override {
    const auto& multipliers = search_.multipliers();
    return SearchedCut{make_cut(model, goal, multipliers, z), multipliers};
  }
  bool is_sharp() const override { return search_.is_sharp(); }
  void sharpen() override { search_.sharpen(); }
  std::size_t memory() const override { return search_.memory(); }
  void forget() override { search_.forget(); }

 private:
  attacker::RepairSimplex search_;
};

class LeafWay : public GoalSearch::Way {
 public:
  LeafWay(const attacker::LeafNet& net, std::int32_t cell, int sign) : search_(net, cell, sign) {}

  attacker::RepairOutcome solve(const GoalSearch::Question& question,
                                attacker::RepairScratch&,
                                const RunContext& run) override {
    return search_.solve(question.level, question.slacks, question.widest, run);
  }
  attacker::Move move() const override { return search_.move(); }
  double excess() const override { return search_.excess(); }
  std::optional<SearchedCut> cut(const Model& model,
                                 const Goal& goal,
                                 std::span<const double> z) const override {
    const attacker::Move& d = search_.coefficients();
    if (d.empty())
      return std::nullopt;
    return SearchedCut{make_cut(model, goal, d, z), {}};
  }
  bool is_sharp() const override { return search_.is_sharp(); }
  void sharpen() override { search_.sharpen(); }
  std::size_t memory() const override { return search_.memory(); }
  void forget() override { search_.forget(); }

 private:
  attacker::LeafSimplex search_;
};

}  // namespace

double negligible_move(double level) {
  return tol::kDecision * std::max(level, tol::kDecision);
}

GoalSearch::GoalSearch(const attacker::RepairNet& net,
                       const attacker::LeafNet* leaves,
                       std::int32_t cell,
                       int sign)
    : leaves_(leaves), cell_(cell), sign_(sign) {
  auto way = std::make_unique<EquationWay>(net, cell, sign);
  if (leaves != nullptr)
    way->set_largest_basis(leaves->num_leaves());
  way_ = std::move(way);
}

// A basis larger than the number of leaves is smaller if it is told by what it leaves out.
attacker::RepairOutcome GoalSearch::solve(const Question& question,
                                          attacker::RepairScratch& scratch,
                                          std::size_t most_memory,
                                          const RunContext& run) {
  attacker::RepairOutcome outcome = way_->solve(question, scratch, run);
  if (outcome == attacker::RepairOutcome::kTooLarge && leaves_ != nullptr && !over_leaves_) {
    over_leaves_ = true;
    way_ = std::make_unique<LeafWay>(*leaves_, cell_, sign_);
    outcome = way_->solve(question, scratch, run);
  }
  if (way_->memory() > most_memory)
    way_->forget();
  return outcome;
}

bool GoalSearch::sharpen() {
  const bool was = way_->is_sharp();
  way_->sharpen();
  return !was;
}

GoalSearches::GoalSearches(const Model& model, std::vector<Goal> goals, const std::string& engine)
    : model_(model), goals_(std::move(goals)), net_(*model.attacked, model.weight, {}) {
  if (!model.network)
    leaf_net_.emplace(net_);
  make_lanes(engine);
  searches_.reserve(goals_.size());
  for (std::size_t d = 0; d < goals_.size(); ++d) {
    searches_.emplace_back(
        net_, leaf_net_ ? &*leaf_net_ : nullptr, need_of(d).cell, goals_[d].sign);
  }
}

void GoalSearches::make_lanes(const std::string& engine) {
  std::vector<std::size_t> order(goals_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return need_of(a).attacker < need_of(b).attacker;
  });
  const std::size_t lanes = std::min(suppression_model::kLanes, order.size());
  const auto cut_at = [&](std::size_t lane) {
    return order.begin() + static_cast<std::ptrdiff_t>(lane * order.size() / lanes);
  };
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    lanes_.push_back(
        {{cut_at(lane), cut_at(lane + 1)}, attacker::RepairScratch(net_), nullptr, nullptr});
    if (model_.network) {
      lanes_.back().flow = attacker::make_attacker_solver(*model_.attacked, engine);
      lanes_.back().splitter = std::make_unique<ThresholdCuts>(model_);
    }
  }
}

double GoalSearches::reference_level(std::size_t goal) const {
  const Need& need = need_of(goal);
  return std::max(need.level(goals_[goal].sign), need.sliding);
}

std::optional<attacker::Move> GoalSearches::move_by_flow(std::size_t goal,
                                                         std::size_t lane,
                                                         double level,
                                                         std::span<const double> slacks) {
  const Need& need = need_of(goal);
  const int sign = goals_[goal].sign;
  const std::int32_t cell = model_.attacked->local(CellId{need.cell});
  if (lanes_[lane].flow == nullptr || cell < 0)
    return std::nullopt;
  const double most = std::min(level, slacks[attacker::end_of(need.cell, sign)]);
  const auto answer = lanes_[lane].flow->push({cell, sign, most, negligible_move(level)},
                                              attacker::SlacksByEnd(*model_.attacked, slacks),
                                              RunContext{});
  if (answer.value < level - kTuning.loop.satisfied * reference_level(goal))
    return std::nullopt;
  return attacker::cells_of_table(*model_.attacked, answer.moves);
}

attacker::RepairOutcome GoalSearches::widen(std::size_t goal,
                                            std::size_t lane,
                                            double level,
                                            std::span<const double> slacks,
                                            std::span<const double> most,
                                            const RunContext& run) {
  if (most[attacker::end_of(need_of(goal).cell, goals_[goal].sign)] <
      level - kTuning.loop.satisfied * reference_level(goal))
    return attacker::RepairOutcome::kImpossible;
  const attacker::SlacksByEnd now(*model_.attacked, slacks, most);
  const attacker::SlacksByEnd widest(*model_.attacked, most);
  return searches_[goal].solve(
      {level, now, widest}, lanes_[lane].scratch, kTuning.loop.memory / searches_.size(), run);
}

std::vector<Cut> GoalSearches::parts(std::size_t goal,
                                     std::size_t lane,
                                     std::span<const attacker::Multiplier> multipliers,
                                     std::span<const double> z) {
  if (lanes_[lane].splitter == nullptr)
    return {};
  return lanes_[lane].splitter->split(goals_[goal], multipliers, z);
}

bool GoalSearches::are_slow() const {
  return std::any_of(searches_.begin(), searches_.end(), [](const GoalSearch& search) {
    return search.is_over_leaves();
  });
}

}  // namespace lacuna::interval

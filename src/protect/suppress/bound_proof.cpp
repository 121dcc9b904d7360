// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/bound_proof.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/base/index.h"
#include "core/base/rational.h"
#include "judge/attack/slack.h"
#include "lacuna/tolerance.h"
#include "protect/suppress/pattern_check.h"
#include "protect/suppress/tree.h"
#include "protect/suppress/tree_state.h"
#include "protect/suppress/tuning.h"
#include "protect/suppression_model/cut_pool.h"
#include "protect/suppression_model/cuts/cover.h"
#include "protect/suppression_model/cuts/rounded.h"
#include "protect/suppression_model/master.h"
#include "protect/suppression_model/separator.h"

namespace lacuna::suppression {
namespace {

std::vector<bool> movable_cells(const Problem& problem) {
  std::vector<bool> counts = bound::undecided_cells(problem);
  const std::vector<bool> always = bound::always_withheld(problem);
  for (std::size_t c = 0; c < counts.size(); ++c)
    counts[c] = counts[c] || always[c];
  return counts;
}

void make_least_denominator(const bound::EquationSolver::Found& found, mpz_class& scale) {
  for (const auto& [equation, value] : found)
    mpz_lcm(scale.get_mpz_t(), scale.get_mpz_t(), value.get_den_mpz_t());
}

}  // namespace

BoundProof::BoundProof(std::shared_ptr<const Problem> given,
                       const presolve::MergedProblem* merged,
                       const SuppressOptions& options)
    : given_(std::move(given)),
      merged_(merged),
      searched_(merged != nullptr ? merged->problem_ptr() : given_),
      options_(options),
      always_(bound::always_withheld(*given_)),
      open_(bound::undecided_cells(*given_)),
      solver_(given_->table(), movable_cells(*given_)),
      checker_(*given_) {
  for (const Integer& value : bound::write_values(*given_, open_, 1, 1, log_))
    weight_.push_back(base::gmp(value));
  if (merged_ != nullptr) {
    tie_members();
    force_members();
  }
}

std::vector<BoundProof::Member> BoundProof::members_of(CellId searched) const {
  if (merged_ == nullptr)
    return {{searched, 1}};
  std::vector<Member> members;
  for (const CellId cell : merged_->members_of(searched))
    members.push_back({cell, merged_->sense_of(cell)});
  return members;
}

// g over one denominator, which `scale` divides.
std::optional<Multipliers> BoundProof::multipliers(const bound::EquationSolver::Target& target,
                                                   mpz_class scale) const {
  const auto found = solver_.solve(target);
  if (!found)
    return std::nullopt;
  make_least_denominator(*found, scale);
  Multipliers made;
  made.denominator = Integer(scale);
  for (const auto& [equation, value] : *found) {
    made.equations.push_back(EquationId{equation});
    made.values.push_back(Integer(mpz_class(value * mpq_class(scale))));
  }
  return made;
}

// (20): of each class the members that are to be decided go with the first of them.
void BoundProof::tie_members() {
  for (std::int32_t c = 0; c < searched().table().num_cells(); ++c) {
    std::vector<Member> open;
    for (const Member& member : members_of(CellId{c})) {
      if (open_[base::at(member.cell)])
        open.push_back(member);
    }
    for (std::size_t k = 1; k < open.size(); ++k) {
      const auto sum = multipliers({{open[k].cell.value, open[k].sense},
                                    {open.front().cell.value, -open.front().sense}},
                                   1);
      if (!sum)
        continue;
      BoundTie tie{open[k].cell, open.front().cell, *sum};
      if (checker_.tie(tie))
        log_.ties.push_back(std::move(tie));
    }
  }
}

// Cells that move with a sensitive one are withheld with it.
void BoundProof::force_members() {
  std::map<std::int32_t, std::pair<std::int32_t, Member>> asked;  // by class: requirement, cell
  const auto& needs = given_->requirements();
  for (std::size_t r = 0; r < needs.size(); ++r) {
    const std::int32_t own = merged_->class_of(needs[r].cell);
    if (own >= 0 && !needs[r].asks_nothing())
      asked.try_emplace(own,
                        static_cast<std::int32_t>(r),
                        Member{needs[r].cell, merged_->sense_of(needs[r].cell)});
  }
  for (const auto& [own, about] : asked) {
    const auto& [requirement, cell] = about;
    const Requirement& need = needs[base::at(requirement)];
    for (const Member& member : members_of(CellId{own})) {
      if (!open_[base::at(member.cell)] || checker_.leader(member.cell.value) != member.cell.value)
        continue;
      const auto high = multipliers(
          {{cell.cell.value, 1}, {member.cell.value, -cell.sense * member.sense}}, 1);
      if (!high)
        continue;
      Multipliers low = *high;
      for (Integer& value : low.values)
        value = Integer(-value);
      NeedStep step;
      step.requirement = requirement;
      step.side = need.upper > 0   ? BoundSide::kHigh
                  : need.lower > 0 ? BoundSide::kLow
                                   : BoundSide::kBoth;
      if (step.side != BoundSide::kLow)
        step.high = *high;
      if (step.side != BoundSide::kHigh)
        step.low = std::move(low);
      add(std::move(step));
    }
  }
}

std::int32_t BoundProof::add(BoundStep step) {
  if (!checker_.add(step))
    return -1;
  if (checker_.back().terms.empty() && checker_.back().rhs <= 0) {
    checker_.forget_last();  // it says nothing
    return -1;
  }
  log_.steps.push_back(std::move(step));
  return static_cast<std::int32_t>(log_.steps.size()) - 1;
}

// ---- one part

class PartProof {
 public:
  PartProof(BoundProof& proof, const BoundProof::Part& part, const RunContext& run)
      : proof_(proof),
        checker_(proof.checker_),
        run_(run),
        model_(proof.searched_, part.cells, presolve::always_withheld(proof.searched()), 0.0),
        check_(model_, proof.options_),
        separator_((model_.keep_origins(), model_), proof.options_.engine, 1),
        master_(model_, proof.options_.engine),
        pseudo_costs_(model_.num_columns()) {
    list_columns();
    list_needs();
    set_target(part);
  }

  void prove() {
    if (goal_.least <= 0)
      return;
    goal_.objective.rhs = goal_.least;
    TreeStep tree;
    std::vector<std::int8_t> decided(cells_.of_column.size(), -1);
    const BoundNode nothing{BoundNode::Kind::kLeaf, CellId{-1}, 1, {}, {}};
    search(tree, decided, nothing, 0);
    if (goal_.open && *goal_.open <= root_.bound) {
      tree.nodes = {root_.leaf};
      goal_.open = root_.bound;
    }
    // Leaves that are closed for more are closed for less.
    if (goal_.open && *goal_.open < goal_.objective.rhs)
      goal_.objective.rhs = *goal_.open;
    if (goal_.objective.rhs > 0)
      finish(std::move(tree));
  }

 private:
  using Member = BoundProof::Member;

  struct Cells {
    std::vector<std::vector<Member>> members;  // by local cell
    std::vector<std::int32_t> of_column;       // the cell that stands for it
    std::vector<mpz_class> weights;            // by column
    std::unordered_map<std::int32_t, std::int32_t> column_of;
  };
  struct Goal {  // what is to be shown
    std::map<std::int32_t, mpz_class> terms;
    bound::Inequality objective;
    mpz_class least;
    std::optional<mpz_class> open{};  // of leaves that were given up: what the least of them shows
  };
  struct Pool {  // inequalities that are steps already, and those of them that are rows
    std::unordered_map<const suppression_model::Cut*, std::pair<std::int32_t, double>> step_of;
    std::unordered_set<std::size_t> hashes;
    std::vector<suppression_model::SharedCut> known, rows;
    std::unordered_set<const suppression_model::Cut*> in_rows;
    std::vector<int> idle;
  };
  struct RootBound {
    mpz_class bound = 0;
    BoundNode leaf;
    int rounded = 0;
  };

  // ---- columns of the model and cells of the log

  void list_columns() {
    for (std::int32_t i = 0; i < model_.num_cells(); ++i) {
      cells_.members.push_back(proof_.members_of(model_.cell(i)));
      const std::int32_t column = model_.column_of(i);
      if (column < 0)
        continue;
      std::int32_t leader = -1;
      mpz_class weight = 0;
      for (const Member& member : cells_.members.back()) {
        if (!proof_.open_[base::at(member.cell)])
          continue;
        leader = leader < 0 ? checker_.leader(member.cell.value) : leader;
        if (checker_.leader(member.cell.value) == leader)
          weight += proof_.weight_[base::at(member.cell)];
        cells_.column_of[checker_.leader(member.cell.value)] = column;
      }
      cells_.of_column.push_back(leader);
      if (leader >= 0 && weight != 0)
        goal_.terms[leader] = weight;
      cells_.weights.push_back(weight);
    }
    for (auto& [cell, weight] : goal_.terms)
      goal_.objective.terms.emplace_back(cell, weight);
  }

  // Requirements behind those of the model, by (searched cell, attacker).
  void list_needs() {
    const auto& needs = proof_.given_->requirements();
    for (std::size_t r = 0; r < needs.size(); ++r) {
      const std::int32_t own = proof_.merged_ != nullptr ? proof_.merged_->class_of(needs[r].cell)
                                                         : needs[r].cell.value;
      if (own >= 0)
        needs_[{own, needs[r].attacker}].push_back(static_cast<std::int32_t>(r));
    }
  }

  void set_target(const BoundProof::Part& part) {
    goal_.least = 0;
    const double unit = proof_.log_.unit.to_double();
    const double least = std::ceil(part.bound / unit - tol::kIntegrality);
    if (part.best) {
      for (const CellId cell : *part.best) {
        const std::int32_t local = model_.local(cell);
        if (local >= 0 && model_.column_of(local) >= 0)
          goal_.least += cells_.weights[base::at(model_.column_of(local))];
      }
    } else if (least > 0) {
      goal_.least = mpz_class(least);
    }
  }

  // ---- inequalities

  // Any member would do; the one with the least slack says most.
  const Member* member_of(std::int32_t local, double d, std::int32_t attacker) const {
    const Member* best = nullptr;
    Units least = 0;
    const bool is_column = model_.column_of(local) >= 0;
    for (const Member& member : cells_.members[base::at(local)]) {
      const std::size_t cell = base::at(member.cell);
      const bool open = proof_.open_[cell];
      if (is_column ? !open : open && checker_.settled(member.cell.value) != 1)
        continue;
      Units room = 0;
      if (attacker >= 0) {
        const Attacker& who = proof_.given_->attackers()[base::at(attacker)];
        const Table& table = proof_.given_->table();
        room = attack::slack_within(table.value(member.cell),
                                    known_bounds(table, who, member.cell))
                   .toward(d * member.sense > 0 ? 1 : -1);
      }
      if (best == nullptr || room < least) {
        best = &member;
        least = room;
      }
    }
    return best;
  }

  // s z_p - sum d_i z_i, in given cells; `own` is d_p.
  bool add_target(std::span<const BoundProof::Entry> d,
                  std::int32_t local_p,
                  std::int32_t attacker,
                  std::map<std::int32_t, mpq_class>& target,
                  mpq_class& own) const {
    for (const auto& [local, value] : d) {
      const auto exact = bound::fraction_near(value);
      if (!exact)
        return false;
      if (*exact == 0)
        continue;
      if (local == local_p) {
        own = *exact;
        continue;
      }
      const Member* member = member_of(local, value, attacker);
      if (member == nullptr)
        return false;
      target[member->cell.value] -= *exact * member->sense;
    }
    return true;
  }

  static bound::EquationSolver::Target whole(const std::map<std::int32_t, mpq_class>& target,
                                      mpz_class& scale) {
    for (const auto& [cell, value] : target)
      mpz_lcm(scale.get_mpz_t(), scale.get_mpz_t(), value.get_den_mpz_t());
    bound::EquationSolver::Target made;
    for (const auto& [cell, value] : target)
      made.emplace_back(cell, mpz_class(value * mpq_class(scale)));
    return made;
  }

  // Of the requirements behind a need the one that asks for most on this side.
  std::int32_t requirement_behind(CellId searched,
                                  std::int32_t attacker,
                                  int sign,
                                  bool both,
                                  Member& about) const {
    const auto found = needs_.find({searched.value, attacker});
    if (found == needs_.end())
      return -1;
    std::int32_t best = -1;
    Units most = 0;
    for (const std::int32_t r : found->second) {
      const Requirement& need = proof_.given_->requirements()[base::at(r)];
      const int sense =
          proof_.merged_ != nullptr ? proof_.merged_->sense_of(need.cell) : 1;
      const Units level = both ? need.sliding : sign * sense > 0 ? need.upper : need.lower;
      if (level > most) {
        most = level;
        best = r;
        about = {need.cell, sense};
      }
    }
    return best;
  }

  std::int32_t add_need(const suppression_model::CutOrigin& origin) {
    if (origin.ends.size() != (origin.both ? 2U : 1U))
      return -1;
    NeedStep step;
    Member about;
    step.requirement = requirement_behind(model_.cell(origin.need_cell),
                                          origin.attacker,
                                          origin.ends.front().sign,
                                          origin.both,
                                          about);
    if (step.requirement < 0)
      return -1;
    for (const auto& end : origin.ends) {
      std::map<std::int32_t, mpq_class> target;
      mpq_class own = 0;
      if (!add_target(end.d, origin.need_cell, origin.attacker, target, own))
        return -1;
      const mpq_class left = end.sign - own;
      target[about.cell.value] += left * about.sense;
      mpz_class scale = 1;
      bound::EquationSolver::Target sum = whole(target, scale);
      auto made = proof_.multipliers(sum, 1);
      if (!made)
        return -1;
      // `made` is of the target times scale: over scale times its denominator.
      mpq_class denominator = mpq_class(scale) * mpq_class(base::gmp(made->denominator));
      if (!origin.both || own * end.sign < 0)
        denominator *= left * end.sign;  // the cell itself on the left
      if (denominator <= 0)
        return -1;
      if (denominator.get_den() != 1) {
        for (Integer& value : made->values)
          value = Integer(base::gmp(value) * denominator.get_den());
        denominator = denominator.get_num();
      }
      made->denominator = Integer(denominator.get_num());
      reduce(*made);
      const int given_sign = end.sign * about.sense;
      (given_sign > 0 ? step.high : step.low) = *std::move(made);
      step.side = given_sign > 0 ? BoundSide::kHigh : BoundSide::kLow;
    }
    if (origin.both)
      step.side = BoundSide::kBoth;
    return proof_.add(std::move(step));
  }

  static void reduce(Multipliers& made) {
    mpz_class divisor = base::gmp(made.denominator);
    for (const Integer& value : made.values)
      divisor = gcd(divisor, base::gmp(value));
    if (divisor <= 1)
      return;
    made.denominator = Integer(base::gmp(made.denominator) / divisor);
    for (Integer& value : made.values)
      value = Integer(base::gmp(value) / divisor);
  }

  std::int32_t add_bridgeless(const suppression_model::CutOrigin& origin) {
    const std::int32_t local = model_.cell_of(origin.column);
    std::map<std::int32_t, mpq_class> target;
    mpq_class own = 0;
    if (!add_target(origin.ends.front().d, local, -1, target, own))
      return -1;
    const Member* about = member_of(local, 1, -1);
    if (about == nullptr || own == 1)
      return -1;
    target[about->cell.value] += (1 - own) * about->sense;
    mpz_class scale = 1;
    auto made = proof_.multipliers(whole(target, scale), 1);
    if (!made)
      return -1;
    made->denominator = 1;
    return proof_.add(BridgelessStep{about->cell, *std::move(made)});
  }

  // A row of the master for a step.
  suppression_model::SharedCut as_cut(std::int32_t step, suppression_model::CutFamily family) {
    const bound::Inequality& row = checker_.rows()[base::at(step)];
    constexpr int kSmall = 1000;
    bool small = row.rhs <= kSmall;
    for (const auto& [cell, value] : row.terms)
      small = small && ::abs(value) <= kSmall;
    mpz_class scale = 1;
    if (!small) {
      scale = row.rhs;
      for (const auto& [cell, value] : row.terms)
        scale = std::max(scale, mpz_class(::abs(value)));
    }
    auto cut = std::make_shared<suppression_model::Cut>();
    cut->family = family;
    std::map<std::int32_t, double> values;
    for (const auto& [cell, value] : row.terms) {
      const auto column = cells_.column_of.find(cell);
      if (column == cells_.column_of.end())
        return nullptr;  // of another part
      values[column->second] = mpq_class(value, scale).get_d();
    }
    cut->rhs = mpq_class(row.rhs, scale).get_d();
    for (const auto& [column, value] : values) {
      if (std::abs(value) < tol::kNegligible) {
        cut->rhs -= std::max(value, 0.0);
        continue;
      }
      cut->columns.push_back(column);
      cut->values.push_back(value);
    }
    pool_.step_of[cut.get()] = {step, scale.get_d()};
    return cut;
  }

  // (24): an extended cover is one step of rounding.
  std::int32_t add_cover(std::int32_t step, const suppression_model::Cut& cover) {
    const bound::Inequality row = checker_.rows()[base::at(step)];
    std::unordered_set<std::int32_t> in;
    for (const std::int32_t column : cover.columns)
      in.insert(cells_.of_column[base::at(column)]);
    std::vector<mpz_class> inside;
    for (const auto& [cell, value] : row.terms) {
      if (value < 0)
        return -1;
      if (in.contains(cell))
        inside.push_back(value);
    }
    std::sort(inside.begin(), inside.end(), std::greater<>());
    const auto asked = static_cast<std::size_t>(cover.rhs);
    if (inside.empty() || asked > inside.size() || asked == 0)
      return -1;
    const mpz_class each = asked == 1 ? inside.front() : inside[asked - 2];
    SumStep sum;
    sum.steps = {step};
    sum.times = {1};
    sum.divisor = Integer(each);
    for (const auto& [cell, value] : row.terms) {
      const mpz_class more = in.contains(cell) ? mpz_class(value - each) : value;
      if (more <= 0)
        continue;
      sum.capped.push_back(CellId{cell});
      sum.by.push_back(Integer(more));
    }
    return proof_.add(std::move(sum));
  }

  // A zero-half inequality of rows of the master.
  std::int32_t add_rounded(const suppression_model::CutOrigin& origin) {
    SumStep sum;
    std::map<std::int32_t, mpz_class> values;
    for (const auto& [source, multiple] : origin.sources) {
      const auto known = pool_.step_of.find(source);
      if (known == pool_.step_of.end())
        return -1;
      std::int32_t step = known->second.first;
      if (multiple > 0) {
        SumStep part;
        part.steps = {step};
        part.times = {multiple};
        part.divisor = Integer(checker_.rows()[base::at(step)].rhs);
        if (part.divisor.sign() <= 0)
          return -1;
        step = proof_.add(std::move(part));
        if (step < 0)
          return -1;
      }
      sum.steps.push_back(step);
      sum.times.push_back(1);
      for (const auto& [cell, value] : checker_.rows()[base::at(step)].terms)
        values[cell] += value;
    }
    sum.divisor = 2;
    for (const std::int32_t column : origin.near_one) {
      const std::int32_t cell = cells_.of_column[base::at(column)];
      if (mpz_odd_p(values[cell].get_mpz_t()) == 0)
        continue;
      sum.capped.push_back(CellId{cell});
      sum.by.push_back(1);
    }
    return proof_.add(std::move(sum));
  }

  // The exact counterparts of cuts, and their covers at x; true if any cuts x off.
  bool take(const std::vector<suppression_model::Cut>& cuts, const std::vector<double>& x) {
    bool useful = false;
    for (const suppression_model::Cut& cut : cuts) {
      if (!cut.origin)
        continue;
      const std::int32_t step = !cut.origin->sources.empty() ? add_rounded(*cut.origin)
                                : cut.origin->column >= 0    ? add_bridgeless(*cut.origin)
                                                             : add_need(*cut.origin);
      if (step < 0)
        continue;
      const suppression_model::SharedCut row = as_cut(step, cut.family);
      if (!row)
        continue;
      useful = make_row(row, x) || useful;
      if (cut.family != suppression_model::CutFamily::kCapacity)
        continue;
      if (const auto cover = suppression_model::cover_cut(*row, x)) {
        const std::int32_t covered = add_cover(step, *cover);
        const auto other =
            covered < 0 ? nullptr : as_cut(covered, suppression_model::CutFamily::kCover);
        useful = (other && make_row(other, x)) || useful;
      }
    }
    return useful;
  }

  bool make_row(const suppression_model::SharedCut& cut, const std::vector<double>& x) {
    const std::size_t hash = suppression_model::hash_of(*cut);
    if (!pool_.hashes.insert(hash).second)
      return false;
    pool_.known.push_back(cut);
    if (cut->violation(x) <= tol::kIntegrality)
      return false;
    open_row(cut);
    return true;
  }

  void open_row(const suppression_model::SharedCut& cut) {
    pool_.rows.push_back(cut);
    pool_.idle.push_back(0);
    pool_.in_rows.insert(cut.get());
  }

  // ---- the tree

  void apply(const std::vector<std::int8_t>& decided) {
    for (std::size_t j = 0; j < decided.size(); ++j) {
      const int there = cells_.of_column[j] < 0 ? 0
                        : checker_.settled(cells_.of_column[j]) >= 0 ? checker_.settled(cells_.of_column[j])
                                                             : decided[j];
      master_.set_bounds(
          static_cast<std::int32_t>(j), there == 1 ? 1 : 0, there == 0 ? 0 : 1);
    }
  }

  std::vector<std::int8_t> by_cell(const std::vector<std::int8_t>& decided) const {
    std::vector<std::int8_t> cells = checker_.settled();
    for (std::size_t j = 0; j < decided.size(); ++j) {
      if (decided[j] >= 0 && cells_.of_column[j] >= 0)
        cells[base::at(cells_.of_column[j])] = decided[j];
    }
    return cells;
  }

  // A sum of the master's rows in whole numbers: with multipliers times 2^bits.
  BoundNode node_of(BoundNode::Kind kind,
                    const std::vector<double>& prices,
                    double weight,
                    int bits) const {
    BoundNode node;
    node.kind = kind;
    const double unit = weight == 0 ? 1 : proof_.log_.unit.to_double();
    node.weight = Integer(weight == 0 ? mpz_class(0) : mpz_class(1) << static_cast<mp_bitcnt_t>(bits));
    for (std::size_t r = 0; r < prices.size(); ++r) {
      if (!(prices[r] > 0))
        continue;
      const auto& [step, scale] = pool_.step_of.at(master_.rows()[r].get());
      const mpz_class times(std::round(std::ldexp(prices[r] / (scale * unit), bits)));
      if (times <= 0)
        continue;
      node.steps.push_back(step);
      node.times.push_back(Integer(times));
    }
    return node;
  }

  bool closes(const BoundNode& node, const std::vector<std::int8_t>& cells) const {
    const mpz_class& weight = base::gmp(node.weight);
    const auto sum = checker_.sum_of(goal_.objective, weight, node.steps, node.times, cells);
    return sum.base > weight * (goal_.objective.rhs - 1);
  }

  // With the shortest multipliers that do.
  bool close(TreeStep& tree,
             const std::vector<std::int8_t>& cells,
             const std::vector<double>& prices,
             double weight) const {
    for (const int bits : {6, 16, 32, 60, 120}) {
      BoundNode node = node_of(BoundNode::Kind::kLeaf, prices, weight, bits);
      if (closes(node, cells)) {
        tree.nodes.push_back(std::move(node));
        return true;
      }
    }
    return false;
  }

  bool close_infeasible(TreeStep& tree, const std::vector<std::int8_t>& cells) const {
    std::vector<double> prices = master_.infeasible_rows();
    double largest = 0;
    for (const double price : prices)
      largest = std::max(largest, price);
    for (double& price : prices)
      price /= largest > 0 ? largest : 1;
    if (close(tree, cells, prices, 0))
      return true;
    for (const auto& row : pool_.rows) {  // one row alone
      BoundNode node;
      node.steps = {pool_.step_of.at(row.get()).first};
      node.times = {1};
      if (!closes(node, cells))
        continue;
      tree.nodes.push_back(std::move(node));
      return true;
    }
    return false;
  }

  // What follows for single columns, as a node of its own where it is enough to be worth it.
  void settle(TreeStep& tree, std::vector<std::int8_t>& decided, bool at_root) {
    const double target = goal_.least.get_d() - 1;
    const double unit = proof_.log_.unit.to_double();
    const double left = target - master_.bound() / unit;
    std::size_t free = 0, hopeful = 0;
    for (std::size_t j = 0; j < decided.size(); ++j) {
      if (cells_.of_column[j] < 0 || decided[j] >= 0 || checker_.settled(cells_.of_column[j]) >= 0)
        continue;
      ++free;
      hopeful += std::abs(master_.reduced_costs()[j]) / unit > left ? 1U : 0U;
    }
    if (hopeful == 0 || (!at_root && hopeful * 20 < free))
      return;
    const BoundNode node =
        node_of(BoundNode::Kind::kSettled, master_.row_prices(), 1, at_root ? 32 : 20);
    const std::vector<std::int8_t> cells = by_cell(decided);
    const auto sum =
        checker_.sum_of(goal_.objective, base::gmp(node.weight), node.steps, node.times, cells);
    const auto found =
        bound::Checker::settled_by(sum, base::gmp(node.weight), goal_.objective.rhs, cells);
    if (found.empty())
      return;
    for (const auto& [cell, withheld] : found)
      decided[base::at(cells_.column_of.at(cell))] = withheld ? 1 : 0;
    tree.nodes.push_back(node);
  }

  // What the root is worth by itself, should the tree not come to an end.
  void note_root() {
    const BoundNode node = node_of(BoundNode::Kind::kLeaf, master_.row_prices(), 1, 32);
    const std::vector<std::int8_t> cells =
        by_cell(std::vector<std::int8_t>(cells_.of_column.size(), -1));
    const auto sum =
        checker_.sum_of(goal_.objective, base::gmp(node.weight), node.steps, node.times, cells);
    mpz_class least;
    mpz_cdiv_q(least.get_mpz_t(), sum.base.get_mpz_t(), base::gmp(node.weight).get_mpz_t());
    if (least <= root_.bound)
      return;
    root_.bound = least;
    root_.leaf = node;
  }

  bool separate(std::size_t round, bool at_root) {
    const std::vector<double> x = master_.x();
    bool found = false;
    std::size_t taken = 0;
    for (const auto& cut : pool_.known) {
      if (taken < kTuning.tree.pool_cuts && !pool_.in_rows.contains(cut.get()) &&
          cut->violation(x) > tol::kViolation) {
        open_row(cut);
        ++taken;
      }
    }
    found = taken > 0;
    std::vector<suppression_model::Cut> cuts = separator_.from_equations(x);
    keep_most_violated(cuts, x, kTuning.tree.equation_cuts);
    found = take(cuts, x) || found;
    const bool whole = is_integer(x);
    if (!found && (at_root || whole || round < 3)) {
      suppression_model::Separator::Limits limits;
      limits.cuts = at_root ? 4 * kTuning.tree.root_cuts : kTuning.tree.node_cuts;
      limits.bridges = at_root ? kTuning.tree.root_bridges : 0;
      cuts = separator_.from_attackers(0, x, limits, run_);
      separator_.share_witnesses();
      found = take(cuts, x);
    }
    if (!found && at_root && !whole)
      found = take(suppression_model::rounded_cuts(
                       master_.rows(), x, kTuning.tree.rounded_cuts, true),
                   x);
    if (!found && whole && !run_.should_stop()) {
      std::vector<bool> pattern;
      for (const double each : x)
        pattern.push_back(each > 0.5);
      const PatternCheck::Outcome verdict = check_.check(pattern, run_);
      found = take(verdict.cuts, x);
      stuck_ = !found;  // a pattern that is safe, or of which nothing is known
    }
    return found;
  }

  void drop_idle_rows() {
    constexpr int kMostIdle = 30;
    std::unordered_set<const suppression_model::Cut*> tight;
    master_.add_tight_rows(tight);
    std::size_t kept = 0;
    for (std::size_t r = 0; r < pool_.rows.size(); ++r) {
      pool_.idle[r] = tight.contains(pool_.rows[r].get()) ? 0 : pool_.idle[r] + 1;
      if (pool_.idle[r] > kMostIdle) {
        pool_.in_rows.erase(pool_.rows[r].get());
        continue;
      }
      pool_.rows[kept] = pool_.rows[r];
      pool_.idle[kept++] = pool_.idle[r];
    }
    pool_.rows.resize(kept);
    pool_.idle.resize(kept);
  }

  // A case that is given up: what its multipliers show of it.
  void leave_open(TreeStep& tree, const std::vector<std::int8_t>& cells, BoundNode leaf) {
    leaf.kind = BoundNode::Kind::kLeaf;
    const auto sum = checker_.sum_of(
        goal_.objective, base::gmp(leaf.weight), leaf.steps, leaf.times, cells);
    mpz_class least;
    mpz_cdiv_q(least.get_mpz_t(), sum.base.get_mpz_t(), base::gmp(leaf.weight).get_mpz_t());
    if (!goal_.open || least < *goal_.open)
      goal_.open = least;
    tree.nodes.push_back(std::move(leaf));
  }

  enum class End : std::uint8_t { kClosed, kStopped, kOpen };

  // Rows until they bring little. Stopped: the master has no solution.
  End improve(TreeStep& tree, const std::vector<std::int8_t>& decided, bool at_root) {
    const double unit = proof_.log_.unit.to_double();
    std::vector<double> bounds;
    for (std::size_t round = 0;; ++round) {
      apply(decided);
      master_.match(pool_.rows);
      const auto outcome = master_.solve(run_);
      const std::vector<std::int8_t> cells = by_cell(decided);
      if (outcome == suppression_model::Master::Outcome::kInfeasible)
        return close_infeasible(tree, cells) ? End::kClosed : End::kStopped;
      if (outcome == suppression_model::Master::Outcome::kStopped || run_.should_stop())
        return End::kStopped;
      const double bound = master_.bound() / unit;
      if (bound > goal_.least.get_d() - 1 + tol::kDual * std::max(1.0, goal_.least.get_d()) &&
          close(tree, cells, master_.row_prices(), 1))
        return End::kClosed;
      if (at_root)
        note_root();
      bounds.push_back(bound);
      const double gap = goal_.least.get_d() - bound;
      const std::size_t back = at_root ? 8 : 2;
      const bool slow = bounds.size() > back &&
                        bound - bounds[bounds.size() - 1 - back] < (at_root ? 0.01 : 0.05) * gap;
      if (slow && !is_integer(master_.x()) && (!at_root || round_of_rounding()))
        return End::kOpen;
      drop_idle_rows();
      if (!separate(round, at_root))
        return End::kOpen;
    }
  }

  // `above`: multipliers of the case that this one is a part of.
  void search(TreeStep& tree, std::vector<std::int8_t> decided, const BoundNode& above, int depth) {
    constexpr int kDeepest = 400;
    const bool at_root = depth == 0;
    stuck_ = false;
    const End end = improve(tree, decided, at_root);
    if (end == End::kClosed)
      return;
    if (end == End::kStopped) {
      leave_open(tree, by_cell(decided), above);
      return;
    }
    const BoundNode here =
        node_of(BoundNode::Kind::kLeaf, master_.row_prices(), 1, at_root ? 32 : 20);
    if (stuck_ || depth > kDeepest) {
      leave_open(tree, by_cell(decided), here);
      return;
    }
    settle(tree, decided, at_root);
    const std::int32_t column = choose_column(decided);
    if (column < 0) {
      leave_open(tree, by_cell(decided), here);
      return;
    }
    const auto start = master_.start();
    tree.nodes.push_back(
        {BoundNode::Kind::kCase, CellId{cells_.of_column[base::at(column)]}, 0, {}, {}});
    for (const bool withheld : {false, true}) {
      std::vector<std::int8_t> below = decided;
      below[base::at(column)] = withheld ? 1 : 0;
      master_.begin_at(start);
      search(tree, std::move(below), here, depth + 1);
    }
  }

  // At the root sums are rounded once it is slow, as long as that brings something.
  bool round_of_rounding() {
    const std::vector<double> x = master_.x();
    return ++root_.rounded > 12 ||
           !take(suppression_model::rounded_cuts(
                     master_.rows(), x, kTuning.tree.rounded_cuts, true),
                 x);
  }

  std::optional<double> probe(std::int32_t column,
                              int value,
                              const suppression_model::Master::Start& start) {
    const double lower = master_.lower(column), upper = master_.upper(column);
    master_.set_bounds(column, value, value);
    const auto outcome = master_.solve(run_);
    const double bound = outcome == suppression_model::Master::Outcome::kInfeasible
                             ? std::numeric_limits<double>::infinity()
                             : master_.bound();
    master_.set_bounds(column, lower, upper);
    master_.begin_at(start);
    if (outcome == suppression_model::Master::Outcome::kStopped)
      return std::nullopt;
    return bound;
  }

  std::int32_t choose_column(const std::vector<std::int8_t>& decided) {
    const std::vector<double> x = master_.x();
    const double here = master_.bound();
    const double cutoff = goal_.least.get_d() * proof_.log_.unit.to_double();
    std::vector<std::pair<double, std::int32_t>> candidates;
    for (std::int32_t j = 0; j < model_.num_columns(); ++j) {
      if (decided[base::at(j)] < 0 && cells_.of_column[base::at(j)] >= 0 && !tol::is_integer(x[base::at(j)]))
        candidates.emplace_back(-pseudo_costs_.score(j, x[base::at(j)]), j);
    }
    std::sort(candidates.begin(), candidates.end());
    if (candidates.empty())
      return -1;
    const auto start = master_.start();
    std::int32_t best = candidates.front().second;
    double best_score = -1;
    std::size_t probed = 0;
    for (const auto& [negative, column] : candidates) {
      double score = -negative;
      if (!pseudo_costs_.reliable(column) && probed < 2 * kTuning.tree.candidates) {
        ++probed;
        const auto zero = probe(column, 0, start), one = probe(column, 1, start);
        if (!zero || !one)
          break;
        const double gain_zero = std::min(*zero, cutoff) - here;
        const double gain_one = std::min(*one, cutoff) - here;
        const double distance = x[base::at(column)];
        pseudo_costs_.record({column, false, distance, std::max(0.0, gain_zero)});
        pseudo_costs_.record({column, true, 1 - distance, std::max(0.0, gain_one)});
        score = std::max(gain_zero, tol::kIntegrality) * std::max(gain_one, tol::kIntegrality);
      }
      if (score > best_score) {
        best_score = score;
        best = column;
      }
    }
    return best;
  }

  void finish(TreeStep tree) {
    for (const auto& [cell, value] : goal_.objective.terms) {
      if (checker_.settled(cell) >= 0)
        continue;
      tree.cells.push_back(CellId{cell});
      tree.values.push_back(Integer(value));
    }
    tree.at_least = Integer(goal_.objective.rhs);
    mpz_class settled = 0;
    for (const auto& [cell, value] : goal_.objective.terms)
      settled += checker_.settled(cell) == 1 ? value : mpz_class(0);
    tree.at_least = Integer(goal_.objective.rhs - settled);
    const std::int32_t step = proof_.add(std::move(tree));
    if (step >= 0)
      proof_.last_of_parts_.push_back(step);
  }

  BoundProof& proof_;
  bound::Checker& checker_;
  const RunContext& run_;
  suppression_model::SuppressModel model_;
  PatternCheck check_;
  suppression_model::Separator separator_;
  suppression_model::Master master_;
  PseudoCosts pseudo_costs_;
  Cells cells_;
  Goal goal_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::int32_t>> needs_;
  Pool pool_;
  RootBound root_;
  bool stuck_ = false;
};

void BoundProof::prove(const Part& part, const RunContext& run) {
  PartProof(*this, part, run).prove();
}

// ---- all parts together

namespace {

void mark_used(const BoundStep& step, std::vector<bool>& used) {
  const auto mark = [&](const std::vector<std::int32_t>& steps) {
    for (const std::int32_t each : steps)
      used[base::at(each)] = true;
  };
  if (const auto* sum = std::get_if<SumStep>(&step))
    mark(sum->steps);
  if (const auto* tree = std::get_if<TreeStep>(&step)) {
    for (const BoundNode& node : tree->nodes)
      mark(node.steps);
  }
}

void renumber(BoundStep& step, const std::vector<std::int32_t>& numbers) {
  const auto change = [&](std::vector<std::int32_t>& steps) {
    for (std::int32_t& each : steps)
      each = numbers[base::at(each)];
  };
  if (auto* sum = std::get_if<SumStep>(&step))
    change(sum->steps);
  if (auto* tree = std::get_if<TreeStep>(&step)) {
    for (BoundNode& node : tree->nodes)
      change(node.steps);
  }
}

bool decides_a_cell(const bound::Inequality& row) {
  return row.terms.size() == 1;
}

}  // namespace

BoundLog BoundProof::finish() {
  SumStep all;
  mpz_class bound = 0;
  for (const std::int32_t step : last_of_parts_) {
    all.steps.push_back(step);
    all.times.push_back(1);
    bound += checker_.rows()[base::at(step)].rhs;
  }
  if (last_of_parts_.size() > 1)
    add(std::move(all));
  for (const CellId cell : log_.cells) {
    if (checker_.settled(checker_.leader(cell.value)) == 1)
      bound += weight_[base::at(cell)];
  }
  log_.at_least = Integer(bound);
  std::vector<bool> used(log_.steps.size(), false);
  if (!used.empty() && !last_of_parts_.empty())
    used.back() = true;
  for (std::size_t s = used.size(); s-- > 0;) {
    used[s] = used[s] || decides_a_cell(checker_.rows()[s]);
    if (used[s])
      mark_used(log_.steps[s], used);
  }
  std::vector<std::int32_t> numbers(used.size(), -1);
  std::vector<BoundStep> kept;
  for (std::size_t s = 0; s < used.size(); ++s) {
    if (!used[s])
      continue;
    numbers[s] = static_cast<std::int32_t>(kept.size());
    renumber(log_.steps[s], numbers);
    kept.push_back(std::move(log_.steps[s]));
  }
  log_.steps = std::move(kept);
  return std::move(log_);
}

}  // namespace lacuna::suppression

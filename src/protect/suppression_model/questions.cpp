// SPDX-License-Identifier: Apache-2.0
#include "protect/suppression_model/questions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <tuple>

#include "core/base/index.h"
#include "core/base/work.h"
#include "lacuna/tolerance.h"

namespace lacuna::suppression_model {

bool Doubt::holds(std::span<const double> x) const {
  return column < 0 || x[base::at(column)] < least - tol::kViolation;
}

Questions::Questions(const SuppressModel& model) : model_(model) {
  list_probes();
  list_families();
  list_knowers();
  list_in_equations();
}

const Need& Questions::need_of(std::size_t probe) const {
  return model_.needs()[base::at(probes_[probe].need)];
}

double Questions::level_of(std::size_t probe) const {
  const Need& need = need_of(probe);
  switch (probes_[probe].side) {
    case Side::kUp:
      return need.upper;
    case Side::kDown:
      return need.lower;
    case Side::kBoth:
      return need.sliding;
  }
  return 0;
}

// Needs are by cell, then by attacker; the first of a cell leads.
void Questions::list_probes() {
  for (std::size_t n = 0; n < model_.needs().size(); ++n) {
    const Need& need = model_.needs()[n];
    const auto index = static_cast<std::int32_t>(n);
    const std::size_t first = probes_.size();
    if (need.upper > 0)
      probes_.push_back({index, Side::kUp});
    if (need.lower > 0)
      probes_.push_back({index, Side::kDown});
    if (need.upper > 0 && need.lower > 0)
      probes_[first].mirror = static_cast<std::int32_t>(first) + 1;
    if (need.sliding > 0)
      probes_.push_back({index, Side::kBoth});
    if (n == 0 || model_.needs()[n - 1].cell != need.cell)
      groups_.push_back({first, probes_.size(), {}});
  }
}

void Questions::list_families() {
  constexpr std::size_t kSides = 3;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::size_t end = g + 1 < groups_.size() ? groups_[g + 1].first : probes_.size();
    std::array<std::int32_t, kSides> of_side{-1, -1, -1};
    for (std::size_t p = groups_[g].first; p < end; ++p) {
      std::int32_t& index = of_side[static_cast<std::size_t>(probes_[p].side)];
      if (index < 0) {
        index = static_cast<std::int32_t>(families_.size());
        groups_[g].families.push_back(index);
        families_.push_back({static_cast<std::int32_t>(p), {}, true});
      } else {
        ProbeFamily& family = families_[base::at(index)];
        family.others.push_back(static_cast<std::int32_t>(p));
        family.lead_asks_most =
            family.lead_asks_most && level_of(p) <= level_of(base::at(family.lead));
      }
      probes_[p].family = index;
    }
  }
}

void Questions::list_knowers() {
  std::vector<bool> asked(model_.problem().attackers().size(), false);
  for (const Need& need : model_.needs())
    asked[base::at(need.attacker)] = true;
  knowers_start_.assign(base::at(model_.num_cells()) + 1, 0);
  const auto for_each = [&](auto&& visit) {
    for (std::size_t k = 0; k < asked.size(); ++k) {
      if (!asked[k])
        continue;
      for (const auto& own : model_.own_slacks(static_cast<std::int32_t>(k)))
        visit(static_cast<std::int32_t>(k), own);
    }
  };
  for_each([&](std::int32_t, const SuppressModel::OwnSlack& own) {
    ++knowers_start_[base::at(own.cell) + 1];
  });
  for (std::size_t i = 1; i < knowers_start_.size(); ++i)
    knowers_start_[i] += knowers_start_[i - 1];
  knowers_.resize(knowers_start_.back());
  std::vector<std::size_t> next(knowers_start_.begin(), knowers_start_.end() - 1);
  for_each([&](std::int32_t attacker, const SuppressModel::OwnSlack& own) {
    knowers_[next[base::at(own.cell)]++] = {attacker, own.slack};
  });
}

std::span<const Questions::Knower> Questions::knowers(std::int32_t cell) const {
  const std::size_t begin = knowers_start_[base::at(cell)];
  return {knowers_.data() + begin, knowers_start_[base::at(cell) + 1] - begin};
}

std::int32_t Questions::probe_of(std::int32_t family, std::int32_t attacker) const {
  const ProbeFamily& all = families_[base::at(family)];
  if (need_of(base::at(all.lead)).attacker == attacker)
    return all.lead;
  const auto place = std::lower_bound(
      all.others.begin(), all.others.end(), attacker, [&](std::int32_t probe, std::int32_t who) {
        return need_of(base::at(probe)).attacker < who;
      });
  return place == all.others.end() || need_of(base::at(*place)).attacker != attacker ? -1 : *place;
}

void Questions::list_in_equations() {
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const std::size_t lead = base::at(families_[f].lead);
    if (families_[f].others.empty() || probes_[lead].side == Side::kBoth)
      continue;
    for (const simplex::LazyEntry& in : model_.attacked().rows_of(need_of(lead).cell))
      list_in_equation(static_cast<std::int32_t>(f), in.index);
  }
  std::sort(in_equations_.begin(),
            in_equations_.end(),
            [](const InEquation& a, const InEquation& b) {
              return std::tie(a.family, a.equation, a.probe) <
                     std::tie(b.family, b.equation, b.probe);
            });
}

// Slacks are capped at the level, which is never less than the right-hand side; what is always
// withheld moves to that side uncapped.
void Questions::list_in_equation(std::int32_t family, std::int32_t equation) {
  const ProbeFamily& all = families_[base::at(family)];
  const Need& lead = need_of(base::at(all.lead));
  const double most = level_of(base::at(all.lead));
  const double sign = probes_[base::at(all.lead)].side == Side::kUp ? 1 : -1;
  const auto& row = model_.attacked().row(equation);
  const auto own = std::find_if(row.begin(), row.end(), [&](const simplex::LazyEntry& term) {
    return term.index == lead.cell;
  });
  std::vector<std::int32_t> found;
  if (!all.lead_asks_most) {
    std::copy_if(
        all.others.begin(), all.others.end(), std::back_inserter(found), [&](std::int32_t probe) {
          return level_of(base::at(probe)) > most;
        });
  }
  for (const simplex::LazyEntry& term : row) {
    if (term.index == lead.cell)
      continue;
    const double d = -sign * term.coefficient / own->coefficient;
    const bool capped = model_.column_of(term.index) >= 0;
    const double there = std::abs(d) * model_.slack(term.index, lead.attacker).toward(d);
    base::count_work(10 * knowers(term.index).size());
    for (const Knower& knower : knowers(term.index)) {
      const double here = std::abs(d) * knower.slack.toward(d);
      if (here >= there || (capped && all.lead_asks_most && here >= most))
        continue;
      const std::int32_t probe = probe_of(family, knower.attacker);
      if (probe >= 0 && probe != all.lead && !(capped && here >= level_of(base::at(probe))))
        found.push_back(probe);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  for (const std::int32_t probe : found)
    in_equations_.push_back({family, equation, probe});
}

std::span<const Questions::InEquation> Questions::others_in(std::int32_t family,
                                                            std::int32_t equation) const {
  const auto [begin, end] = std::equal_range(
      in_equations_.begin(),
      in_equations_.end(),
      InEquation{family, equation, 0},
      [](const InEquation& a, const InEquation& b) {
        return std::tie(a.family, a.equation) < std::tie(b.family, b.equation);
      });
  return {begin, end};
}

std::vector<Doubt> Questions::doubts(std::size_t asked,
                                     std::span<const SuppressModel::OwnSlack> own,
                                     std::span<const Entry> moves,
                                     double factor) const {
  std::vector<Doubt> doubts;
  const std::int32_t family = probes_[asked].family;
  const ProbeFamily& all = families_[base::at(family)];
  if (all.others.empty())
    return doubts;
  const Need& need = need_of(asked);
  const double level = level_of(asked);
  const bool both = probes_[asked].side == Side::kBoth;
  const auto never = [&](std::int32_t probe) { doubts.push_back({probe, -1, 0}); };
  if (!all.lead_asks_most || level < level_of(base::at(all.lead))) {
    for (const std::int32_t probe : all.others) {
      if (level_of(base::at(probe)) > level)
        never(probe);
    }
    if (level_of(base::at(all.lead)) > level)
      never(all.lead);
  }
  std::size_t looks = 0;
  for (const auto& [cell, before] : moves) {
    const double move = factor * before;
    if (std::abs(move) <= tol::kNegligible)
      continue;
    const double kept = model_.slack_within(cell, own).toward(move);
    const std::int32_t column = model_.column_of(cell);
    looks += knowers(cell).size();
    for (const Knower& knower : knowers(cell)) {
      const double slack = knower.slack.toward(move);
      if (cell == need.cell ? !both : slack >= std::min(kept, level))
        continue;
      const std::int32_t probe = probe_of(family, knower.attacker);
      if (probe < 0)
        continue;
      const double least = std::abs(move) / std::min(slack / level_of(base::at(probe)), 1.0);
      if (cell == need.cell || !(least <= 1 + tol::kViolation))
        never(probe);
      else if (column >= 0)
        doubts.push_back({probe, column, std::min(least, 1.0)});
    }
  }
  base::count_work(20 * looks);
  std::sort(doubts.begin(), doubts.end(), [](const Doubt& a, const Doubt& b) {
    return std::tie(a.probe, a.column, a.least) < std::tie(b.probe, b.column, b.least);
  });
  return doubts;
}

}  // namespace lacuna::suppression_model

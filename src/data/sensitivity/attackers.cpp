// SPDX-License-Identifier: Apache-2.0
#include "data/sensitivity/attackers.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace lacuna::sensitivity {
namespace {

// A respondent, or a place in a cell where records are anonymous.
using Member = std::int64_t;
using Coalition = std::vector<Member>;  // sorted

constexpr std::size_t kUnlisted = ~std::size_t{0};

struct Place {  // of a contribution to a cell
  std::int32_t cell = 0;
  std::size_t rank = kUnlisted;  // in facts.largest
  Units amount = 0;
};

struct InsideCell {  // what the members of a coalition contribute to one cell
  std::vector<std::size_t> listed;
  Wide unlisted = 0;
  std::int64_t num_unlisted = 0;
  Insiders insiders() const { return {listed, unlisted, num_unlisted}; }
};

struct Candidate {
  std::vector<Knowledge> known;
  std::vector<CellId> touched;  // with attacker-reach = equation: of these something is known
  std::map<std::size_t, std::optional<Levels>> own;  // by index of a sensitive cell
};

bool at_least(const Levels& a, const Levels& b) {
  return a.lower >= b.lower && a.upper >= b.upper && a.sliding >= b.sliding;
}

bool is_zero(const Levels& levels) {
  return levels == Levels{};
}

// Everything that `weak` knows is implied by what `strong` knows.
bool implies(const std::vector<Knowledge>& strong, const std::vector<Knowledge>& weak) {
  auto at = strong.begin();
  for (const Knowledge& known : weak) {
    while (at != strong.end() && at->cell < known.cell)
      ++at;
    if (at == strong.end() || at->cell != known.cell)
      return false;
    if (at->bounds.lower < known.bounds.lower || at->bounds.upper > known.bounds.upper)
      return false;
  }
  return true;
}

class AttackerMaker {
 public:
  AttackerMaker(const Tabulation& tabulation,
                const Table& table,
                std::span<const SensitiveCell> sensitive,
                const SensitivityRules& rules,
                bool signed_contributions)
      : tabulation_(tabulation),
        table_(table),
        sensitive_(sensitive),
        rules_(rules),
        signed_(signed_contributions) {}

  AttackerList run() {
    add_outsider();
    out_.counts.all_cells = rules_.know_all;
    if (rules_.respondents) {
      find_coalitions();
      find_places();
      if (follows_respondents() && tabulation_.contributions->complete)
        find_implied();
      for (const Coalition& coalition : coalitions_)
        candidates_.push_back(candidate(coalition));
      index_candidates();
      std::size_t at = 0;
      for (const Coalition& coalition : coalitions_)
        add(coalition, at++);
    }
    return std::move(out_);
  }

 private:
  const CellFacts& facts(std::int32_t cell) const {
    return tabulation_.cells[static_cast<std::size_t>(cell)];
  }

  Member member(std::int32_t cell, std::size_t rank) const {
    const std::int32_t respondent = facts(cell).largest[rank].respondent;
    if (respondent >= 0)
      return respondent;
    const auto width = static_cast<Member>(tabulation_.top) + 1;
    return static_cast<Member>(tabulation_.respondents.size()) + Member{cell} * width +
           static_cast<Member>(rank);
  }

  void add_outsider() {
    out_.attackers.push_back(outsider());
    for (const SensitiveCell& one : sensitive_) {
      out_.requirements.push_back(
          {one.cell, 0, one.levels.lower, one.levels.upper, one.levels.sliding});
    }
  }

  // All groups of at most r listed contributors of a sensitive cell.
  void find_coalitions() {
    for (const SensitiveCell& one : sensitive_) {
      Coalition members;
      extend(one.cell.value, 0, members);
    }
    for (const Coalition& coalition : coalitions_) {
      const auto size = static_cast<std::int64_t>(coalition.size());
      ++(size == 1 ? out_.counts.respondents : out_.counts.coalitions);
      if (size == 1 && !is_respondent(coalition.front()))
        ++out_.counts.anonymous;
      if (size > 1)
        out_.counts.largest_coalition = std::max(out_.counts.largest_coalition, size);
    }
  }

  bool is_respondent(Member one) const {
    return one < static_cast<Member>(tabulation_.respondents.size());
  }

  // All contributions of a respondent are known, not only those among the largest of a cell.
  bool follows_respondents() const {
    return rules_.know_all && tabulation_.contributions != nullptr;
  }

  void extend(std::int32_t cell, std::size_t first, Coalition& members) {
    if (members.size() == static_cast<std::size_t>(rules_.coalition))
      return;
    for (std::size_t rank = first; rank < facts(cell).largest.size(); ++rank) {
      members.push_back(member(cell, rank));
      Coalition sorted = members;
      std::sort(sorted.begin(), sorted.end());
      coalitions_.insert(std::move(sorted));
      extend(cell, rank + 1, members);
      members.pop_back();
    }
  }

  // Of those who are not followed: where they are listed.
  void find_places() {
    for (const Coalition& coalition : coalitions_) {
      for (const Member one : coalition) {
        if (!follows_respondents() || !is_respondent(one))
          places_[one];
      }
    }
    index_of_.assign(static_cast<std::size_t>(table_.num_cells()), -1);
    for (std::size_t i = 0; i < sensitive_.size(); ++i)
      index_of_[static_cast<std::size_t>(sensitive_[i].cell.value)] = static_cast<std::int32_t>(i);
    const auto note = [&](std::int32_t cell) {
      const std::vector<Contribution>& largest = facts(cell).largest;
      for (std::size_t rank = 0; rank < largest.size(); ++rank) {
        const auto at = places_.find(member(cell, rank));
        if (at != places_.end())
          at->second.push_back({cell, rank, largest[rank].amount});
      }
    };
    if (rules_.know_all) {
      for (std::int32_t cell = 0; cell < table_.num_cells(); ++cell)
        note(cell);
    } else {
      for (const SensitiveCell& one : sensitive_)
        note(one.cell.value);
    }
  }

  // Sums of cells that cannot be negative: of such a cell a respondent's contribution is the sum of
  // those to its parts, so that the lower bounds of the parts imply the one of the sum.
  void find_implied() {
    implied_.assign(static_cast<std::size_t>(table_.num_cells()), false);
    for (std::int32_t e = 0; e < table_.num_equations(); ++e) {
      CellId sum;
      bool negative = table_.rhs(EquationId{e}) != 0;
      for (const Term& term : table_.equation(EquationId{e})) {
        if (term.coefficient < 0)
          sum = term.cell;
        else
          negative = negative || table_.cell(term.cell).prior.lower < 0;
      }
      if (!negative && sum.value >= 0)
        implied_[static_cast<std::size_t>(sum.value)] = true;
    }
  }

  std::vector<Place> places_of(Member one) const {
    if (const auto at = places_.find(one); at != places_.end())
      return at->second;
    const LeafContributions& held = *tabulation_.contributions;
    const auto who = static_cast<std::size_t>(one);
    std::vector<Place> places;
    for (std::size_t i = held.start[who]; i < held.start[who + 1]; ++i) {
      const LeafContributions::Part& part = held.parts[i];
      for (std::size_t c = held.leaf_start[part.leaf]; c < held.leaf_start[part.leaf + 1]; ++c)
        places.push_back({static_cast<std::int32_t>(held.leaf_cells[c]), kUnlisted, part.amount});
    }
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
      return a.cell < b.cell;
    });
    std::size_t used = 0;
    for (const Place& place : places) {
      if (used > 0 && places[used - 1].cell == place.cell)
        places[used - 1].amount += place.amount;
      else
        places[used++] = place;
    }
    places.resize(used);
    for (Place& place : places)
      place.rank = rank_in(place.cell, one);
    return places;
  }

  std::size_t rank_in(std::int32_t cell, Member one) const {
    const std::vector<Contribution>& largest = facts(cell).largest;
    for (std::size_t rank = 0; rank < largest.size(); ++rank) {
      if (largest[rank].respondent == one)
        return rank;
    }
    return kUnlisted;
  }

  Candidate candidate(const Coalition& coalition) const {
    std::map<std::int32_t, InsideCell> cells;
    for (const Member one : coalition) {
      for (const Place& place : places_of(one)) {
        InsideCell& inside = cells[place.cell];
        if (place.rank != kUnlisted) {
          inside.listed.push_back(place.rank);
          continue;
        }
        inside.unlisted += place.amount < 0 ? -Wide{place.amount} : Wide{place.amount};
        ++inside.num_unlisted;
      }
    }
    Candidate result;
    for (const auto& [cell, inside] : cells) {
      const Bounds prior = table_.cell(CellId{cell}).prior;
      const Bounds bounds = intersect(prior, knowledge_of(cell, inside.insiders()));
      if (bounds.upper != prior.upper || (bounds.lower != prior.lower && !is_implied(cell)))
        result.known.push_back({CellId{cell}, bounds});
      if (bounds != prior && !rules_.reach_all)
        result.touched.push_back(CellId{cell});
      if (const std::int32_t index = index_of(cell); index >= 0) {
        const auto at = static_cast<std::size_t>(index);
        result.own[at] = levels_for(sensitive_[at], inside.insiders(), bounds);
      }
    }
    return result;
  }

  std::int32_t index_of(std::int32_t cell) const {
    return index_of_[static_cast<std::size_t>(cell)];
  }

  bool is_implied(std::int32_t cell) const {
    return !implied_.empty() && implied_[static_cast<std::size_t>(cell)];
  }

  Bounds knowledge_of(std::int32_t cell, const Insiders& insiders) const {
    const CellFacts& found = facts(cell);
    if (are_all(found, insiders) && rules_.singletons_know)
      return {found.value, found.value};
    if (signed_)
      return {};
    return {static_cast<Units>(own_sum(found, insiders)), kUnboundedAbove};
  }

  std::optional<Levels> levels_for(const SensitiveCell& one,
                                   const Insiders& insiders,
                                   Bounds known) const {
    const CellFacts& found = facts(one.cell.value);
    std::optional<Levels> levels =
        one.by_hand ? manual_levels_inside(found, one.levels, insiders)
                    : levels_inside(found, one.hits, rules_, one.levels, insiders);
    if (!levels || !known.has_lower())
      return levels;
    const Units below = found.value - known.lower;
    levels->lower = std::min(levels->lower, below);
    if (known.has_upper()) {
      const Wide width = Wide{known.upper} - known.lower;
      levels->sliding = static_cast<Units>(std::min(Wide{levels->sliding}, width));
    }
    return levels;
  }

  // Nothing: the attacker need not be kept from learning the cell.
  std::optional<Levels> needed(const Candidate& candidate, std::size_t index) const {
    const auto at = candidate.own.find(index);
    if (at == candidate.own.end())
      return sensitive_[index].levels;
    if (at->second && is_zero(*at->second))
      return std::nullopt;
    return at->second;
  }

  void index_candidates() {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      for (const Knowledge& known : candidates_[i].known)
        knowing_[known.cell.value].push_back(i);
    }
  }

  // Candidates that know at least as much; only those who know the cell that fewest know can.
  std::vector<std::size_t> stronger(std::size_t weak) const {
    const std::vector<Knowledge>& known = candidates_[weak].known;
    const std::vector<std::size_t>* fewest = nullptr;
    for (const Knowledge& one : known) {
      const std::vector<std::size_t>& here = knowing_.at(one.cell.value);
      if (fewest == nullptr || here.size() < fewest->size())
        fewest = &here;
    }
    std::vector<std::size_t> found;
    for (const std::size_t other : *fewest) {
      if (other != weak && implies(candidates_[other].known, known))
        found.push_back(other);
    }
    return found;
  }

  // The order is strict (equals by position), so what is left out follows from what is kept.
  bool covered(std::size_t weak,
               const Levels& levels,
               std::size_t index,
               const std::vector<std::size_t>& others) const {
    for (const std::size_t other : others) {
      const std::optional<Levels> theirs = needed(candidates_[other], index);
      if (!theirs || !at_least(*theirs, levels))
        continue;
      const bool equal =
          *theirs == levels && implies(candidates_[weak].known, candidates_[other].known);
      if (!equal || other < weak)
        return true;
    }
    return false;
  }

  // Indices of the sensitive cells near the candidate's own, rising. Each equation is looked at
  // once, however many of its cells are the candidate's.
  std::vector<std::size_t> in_reach(const Candidate& candidate) const {
    std::vector<std::int32_t> equations;
    std::vector<std::size_t> indices;
    const auto take = [&](CellId cell) {
      const std::int32_t index = index_of(cell.value);
      if (index >= 0)
        indices.push_back(static_cast<std::size_t>(index));
    };
    for (const CellId touched : candidate.touched) {
      take(touched);
      for (const Incidence& incidence : table_.equations_of(touched))
        equations.push_back(incidence.equation.value);
    }
    std::sort(equations.begin(), equations.end());
    equations.erase(std::unique(equations.begin(), equations.end()), equations.end());
    for (const std::int32_t equation : equations) {
      for (const Term& term : table_.equation(EquationId{equation}))
        take(term.cell);
    }
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    return indices;
  }

  // How many cells it need be kept from are not in reach.
  std::int64_t beyond(const Candidate& candidate, const std::vector<std::size_t>& reach) const {
    auto count = static_cast<std::int64_t>(sensitive_.size() - reach.size());
    for (const auto& [index, levels] : candidate.own) {
      const bool reached = std::binary_search(reach.begin(), reach.end(), index);
      count -= !reached && !needed(candidate, index) ? 1 : 0;
    }
    return count;
  }

  void add(const Coalition& coalition, std::size_t at) {
    const Candidate& candidate = candidates_[at];
    if (candidate.known.empty()) {  // knows what the outsider knows
      ++out_.counts.merged;
      out_.counts.implied += static_cast<std::int64_t>(sensitive_.size());
      return;
    }
    const std::vector<std::size_t> others = stronger(at);
    const auto attacker = static_cast<std::int32_t>(out_.attackers.size());
    const std::size_t before = out_.requirements.size();
    const auto ask = [&](std::size_t i) {
      const std::optional<Levels> levels = needed(candidate, i);
      if (!levels)
        return;
      if (covered(at, *levels, i, others)) {
        ++out_.counts.implied;
      } else {
        out_.requirements.push_back(
            {sensitive_[i].cell, attacker, levels->lower, levels->upper, levels->sliding});
      }
    };
    if (rules_.reach_all) {
      for (std::size_t i = 0; i < sensitive_.size(); ++i)
        ask(i);
    } else {
      const std::vector<std::size_t> reach = in_reach(candidate);
      for (const std::size_t i : reach)
        ask(i);
      out_.counts.out_of_reach += beyond(candidate, reach);
    }
    if (out_.requirements.size() == before) {
      ++out_.counts.merged;
      if (!rules_.reach_all)
        out_.covered.push_back({name_of(coalition), candidate.known});
      return;
    }
    ++out_.counts.kept;
    out_.counts.requirements += static_cast<std::int64_t>(out_.requirements.size() - before);
    out_.attackers.push_back({name_of(coalition), candidate.known});
  }

  // Never the identity: names of attackers appear in messages and files.
  std::string name_of(const Coalition& coalition) const {
    std::string name;
    for (const Member one : coalition) {
      name += name.empty() ? "" : " and ";
      const auto known = static_cast<Member>(tabulation_.respondents.size());
      if (is_respondent(one)) {
        name += "respondent " + std::to_string(one);
        continue;
      }
      const auto width = static_cast<Member>(tabulation_.top) + 1;
      const CellId cell{static_cast<std::int32_t>((one - known) / width)};
      name +=
          "contributor " + std::to_string((one - known) % width + 1) + " of " + table_.label(cell);
    }
    return name;
  }

  const Tabulation& tabulation_;
  const Table& table_;
  std::span<const SensitiveCell> sensitive_;
  const SensitivityRules& rules_;
  const bool signed_;
  std::set<Coalition> coalitions_;
  std::unordered_map<Member, std::vector<Place>> places_;
  std::vector<bool> implied_;           // by cell; empty: nothing is
  std::vector<std::int32_t> index_of_;  // of sensitive cells, by cell; else -1
  std::vector<Candidate> candidates_;
  std::unordered_map<std::int32_t, std::vector<std::size_t>> knowing_;
  AttackerList out_;
};

}  // namespace

AttackerList make_attackers(const Tabulation& tabulation,
                            const Table& table,
                            std::span<const SensitiveCell> sensitive,
                            const SensitivityRules& rules,
                            bool signed_contributions) {
  return AttackerMaker(tabulation, table, sensitive, rules, signed_contributions).run();
}

}  // namespace lacuna::sensitivity

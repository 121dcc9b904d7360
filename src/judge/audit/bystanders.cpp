// SPDX-License-Identifier: Apache-2.0
#include "judge/audit/bystanders.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/index.h"
#include "core/base/rational.h"
#include "judge/attack/evidence_check.h"
#include "judge/attack/view.h"

namespace lacuna::audit {
namespace {

using Numbers = std::vector<std::int32_t>;  // sorted

class PairCheck {
 public:
  PairCheck(const Problem& problem,
            const Draft& draft,
            const AuditReport& report,
            std::span<const Attacker> others)
      : problem_(problem), draft_(draft), report_(report), others_(others) {}

  PairsLeftOpen run() {
    list_knowers();
    list_witnesses();
    for (const Finding& finding : report_.of(Domain::kRational)) {
      if (finding.question.attacker == 0 && finding.question.form.size() == 1)
        look_at(finding.question);
    }
    return count();
  }

 private:
  struct Knower {
    std::int32_t attacker = 0;
    attack::Slack slack;
  };
  struct Need {  // any of these must be reached
    Units high = 0, low = 0;
  };

  const Table& table() const { return problem_.table(); }
  const Attacker& attacker(std::int32_t a) const {
    const auto own = std::ssize(problem_.attackers());
    return a < own ? problem_.attackers()[base::at(a)] : others_[base::at(a - own)];
  }
  std::int32_t num_attackers() const {
    return static_cast<std::int32_t>(problem_.attackers().size() + others_.size());
  }

  void list_knowers() {
    knowers_.resize(base::at(table().num_cells()));
    for (std::int32_t a = 1; a < num_attackers(); ++a) {
      for (const attack::KnownSlack& known :
           attack::slacks_of_knowledge(table(), draft_, attacker(a)))
        knowers_[base::at(known.cell)].push_back({a, known.slack});
    }
  }

  void list_witnesses() {
    const std::vector<Displacement>& all = report_.evidence.witnesses;
    blocked_.resize(all.size());
    is_ray_.assign(all.size(), false);
    for (const Finding& finding : report_.of(Domain::kRational)) {
      for (const End* end : {&finding.low, &finding.high}) {
        if (end->unbounded && end->witness >= 0)
          is_ray_[base::at(end->witness)] = true;
      }
    }
    through_.resize(base::at(table().num_cells()));
    for (std::int32_t w = 0; w < std::ssize(all); ++w) {
      for (const CellId cell : all[base::at(w)].cells) {
        if (cell.value < table().num_cells())
          through_[base::at(cell)].push_back(w);
      }
    }
  }

  // Who knows that the witness cannot be.
  const Numbers& blocked(std::int32_t w) {
    std::optional<Numbers>& known = blocked_[base::at(w)];
    if (known)
      return *known;
    known.emplace();
    const Displacement& witness = report_.evidence.witnesses[base::at(w)];
    for (std::size_t i = 0; i < witness.cells.size(); ++i) {
      const CellId cell = witness.cells[i];
      if (cell.value >= table().num_cells())
        continue;  // a cell of the system, of which nobody knows anything of their own
      for (const Knower& knower : knowers_[base::at(cell)]) {
        if (!allows(knower.slack, witness, i, is_ray_[base::at(w)]))
          known->push_back(knower.attacker);
      }
    }
    std::sort(known->begin(), known->end());
    known->erase(std::unique(known->begin(), known->end()), known->end());
    return *known;
  }

  static bool allows(const attack::Slack& slack,
                     const Displacement& witness,
                     std::size_t i,
                     bool ray) {
    const Units toward = witness.moves[i] > 0 ? slack.up : slack.down;
    if (toward == kUnboundedAbove)
      return true;
    const Integer most = base::to_integer(toward) * witness.denominator;
    return !ray && abs(witness.moves[i]) <= most;
  }

  bool reaches(std::int32_t w, CellId cell, const Need& need) const {
    const Displacement& witness = report_.evidence.witnesses[base::at(w)];
    const auto at = std::lower_bound(witness.cells.begin(), witness.cells.end(), cell);
    const Integer& move = witness.moves[static_cast<std::size_t>(at - witness.cells.begin())];
    const Units level = move > 0 ? need.high : need.low;
    if (level <= 0)
      return false;
    return is_ray_[base::at(w)] || abs(move) >= base::to_integer(level) * witness.denominator;
  }

  // Those of whom no witness shows that the need is met.
  Numbers open_of(CellId cell, const Need& need) {
    std::optional<Numbers> open;
    for (const std::int32_t w : through_[base::at(cell)]) {
      if (!reaches(w, cell, need))
        continue;
      const Numbers& here = blocked(w);
      if (!open) {
        open = here;
      } else {
        Numbers both;
        std::set_intersection(
            open->begin(), open->end(), here.begin(), here.end(), std::back_inserter(both));
        open = std::move(both);
      }
      if (open->empty())
        break;
    }
    if (open)
      return *std::move(open);
    Numbers everyone;
    for (std::int32_t a = 1; a < num_attackers(); ++a)
      everyone.push_back(a);
    return everyone;
  }

  void look_at(const Question& question) {
    const CellId cell = question.form.front().cell;
    std::vector<Need> needs;
    if (question.upper > 0)
      needs.push_back({question.upper, 0});
    if (question.lower > 0)
      needs.push_back({0, question.lower});
    if (Wide{question.sliding} > Wide{question.upper} + question.lower)
      needs.push_back({question.sliding, question.sliding});  // one end that goes so far alone
    for (const Need& need : needs) {
      for (const std::int32_t a : open_of(cell, need))
        open_.emplace_back(a, cell);
    }
  }

  // The equations of the cells that an attacker knows.
  Numbers sums_of(const Attacker& who) const {
    Numbers sums;
    for (const Knowledge& known : who.known) {
      for (const Incidence& incidence : table().equations_of(known.cell))
        sums.push_back(incidence.equation.value);
    }
    std::sort(sums.begin(), sums.end());
    return sums;
  }

  bool is_near(CellId cell, const Numbers& sums) const {
    const auto incidences = table().equations_of(cell);
    return std::any_of(incidences.begin(), incidences.end(), [&](const Incidence& incidence) {
      return std::binary_search(sums.begin(), sums.end(), incidence.equation.value);
    });
  }

  // What the attackers were asked about is no pair of these.
  PairsLeftOpen count() {
    std::sort(open_.begin(), open_.end());
    open_.erase(std::unique(open_.begin(), open_.end()), open_.end());
    PairsLeftOpen left;
    std::set<CellId> cells;
    for (std::size_t i = 0; i < open_.size();) {
      const std::int32_t a = open_[i].first;
      const Numbers sums = sums_of(attacker(a));
      const std::size_t before = left.pairs.size();
      for (; i < open_.size() && open_[i].first == a; ++i) {
        if (is_near(open_[i].second, sums))
          continue;
        left.pairs.push_back(open_[i]);
        cells.insert(open_[i].second);
      }
      left.attackers += left.pairs.size() > before ? 1 : 0;
    }
    left.cells = std::ssize(cells);
    return left;
  }

  const Problem& problem_;
  const Draft& draft_;
  const AuditReport& report_;
  std::span<const Attacker> others_;
  std::vector<std::vector<Knower>> knowers_;        // by cell
  std::vector<std::vector<std::int32_t>> through_;  // witnesses by cell
  std::vector<std::optional<Numbers>> blocked_;     // by witness, where somebody asked
  std::vector<bool> is_ray_;
  std::vector<std::pair<std::int32_t, CellId>> open_;
};

}  // namespace

PairsLeftOpen pairs_left_open(const Problem& problem,
                              const Draft& draft,
                              const AuditReport& report,
                              std::span<const Attacker> others) {
  return PairCheck(problem, draft, report, others).run();
}

ProblemWithPairs with_pairs(const Problem& problem,
                            std::span<const Attacker> others,
                            std::span<const std::pair<std::int32_t, CellId>> pairs) {
  ProblemParts parts = problem.parts();
  const auto own = static_cast<std::int32_t>(parts.attackers.size());
  std::map<std::int32_t, std::int32_t> joined;  // by index among the others
  std::set<std::pair<CellId, std::int32_t>> wanted;
  const auto is_asked = [&](CellId cell, std::int32_t attacker) {
    return std::binary_search(problem.requirements().begin(),
                              problem.requirements().end(),
                              Requirement{.cell = cell, .attacker = attacker},
                              [](const Requirement& a, const Requirement& b) {
                                return std::tie(a.cell, a.attacker) < std::tie(b.cell, b.attacker);
                              });
  };
  for (const auto& [who, cell] : pairs) {
    std::int32_t attacker = who;
    if (who < own && is_asked(cell, who))
      continue;
    if (who >= own) {
      const auto [place, fresh] =
          joined.emplace(who - own, static_cast<std::int32_t>(parts.attackers.size()));
      if (fresh)
        parts.attackers.push_back(others[base::at(who - own)]);
      attacker = place->second;
    }
    const auto against_all = std::lower_bound(
        problem.requirements().begin(),
        problem.requirements().end(),
        cell,
        [](const Requirement& need, CellId wanted_cell) { return need.cell < wanted_cell; });
    if (against_all == problem.requirements().end() || against_all->cell != cell ||
        !wanted.emplace(cell, attacker).second)
      continue;
    Requirement need = *against_all;
    need.attacker = attacker;
    parts.requirements.push_back(need);
  }
  std::sort(parts.requirements.begin(),
            parts.requirements.end(),
            [](const Requirement& a, const Requirement& b) {
              return std::tie(a.cell, a.attacker) < std::tie(b.cell, b.attacker);
            });
  ProblemWithPairs asked;
  for (std::size_t i = 0; i < parts.requirements.size(); ++i) {
    if (wanted.contains({parts.requirements[i].cell, parts.requirements[i].attacker}))
      asked.added.push_back(static_cast<std::int32_t>(i));
  }
  auto made = assemble_problem(std::move(parts));
  LACUNA_CHECK(made.has_value());
  asked.problem = std::make_shared<const Problem>(std::move(made).value());
  return asked;
}

}  // namespace lacuna::audit

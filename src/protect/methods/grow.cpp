// SPDX-License-Identifier: Apache-2.0
#include "protect/methods/grow.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/base/index.h"
#include "lacuna/audit.h"
#include "protect/counts/count_cut.h"
#include "protect/methods/reserve.h"

namespace lacuna::methods {
namespace {

struct GrowTuning {
  int fresh_rounds = 12;  // in which choices are made anew for all proofs; then they only grow
  int most_rounds = 60;
  std::int32_t small_table = 2000;  // cells of the system
  std::int32_t moderate_table = 10'000;  // ... of which all may be withheld for a try
  std::int64_t audits = 600, audits_of_large = 40;
  std::int64_t node_limit = 200;  // cases per question: what takes more counts as undecided
  double share_of_all = 0.2;  // of what is left, for each audit of everything withheld
};
constexpr GrowTuning kGrow;

using Cut = std::vector<std::size_t>;  // choices, ascending

class Growing {
 public:
  Growing(const GrowQuestion& asked, const RunContext& run)
      : asked_(asked),
        run_(run),
        auditor_(asked.problem),
        hints_(asked.hints),
        start_(asked.start),
        choice_of_(base::at(table().num_cells()), -1) {
    start_.resize(asked.choices.size(), false);
    withheld_ = start_;
    for (std::size_t i = 0; i < asked.choices.size(); ++i) {
      for (const CellId cell : asked.choices[i].cells)
        choice_of_[base::at(cell)] = static_cast<std::int32_t>(i);
    }
    most_audits_ = table().num_cells() <= kGrow.small_table ? kGrow.audits : kGrow.audits_of_large;
  }

  Result<GrownPattern> run() {
    GrownPattern found;
    bool all_is_safe = false;
    if (table().num_cells() <= kGrow.moderate_table) {
      LACUNA_TRY(all_is_safe, audit_all());
    }
    LACUNA_TRY(bool safe, grow());
    if (!safe && all_is_safe) {  // at least that
      withheld_.assign(withheld_.size(), true);
      safe = true;
    }
    if (safe) {
      LACUNA_RETURN_IF_ERROR(give_back());
      found.draft = draft_of(withheld_);
      found.witnesses = hints_;
      for (std::size_t i = 0; i < withheld_.size(); ++i)
        found.cost += withheld_[i] ? asked_.choices[i].weight : 0;
    }
    found.audits = audits_;
    return found;
  }

 private:
  const Table& table() const { return asked_.problem->table(); }

  Draft draft_of(const std::vector<bool>& withheld) const {
    Draft draft = asked_.base;
    for (std::size_t i = 0; i < withheld.size(); ++i) {
      for (const CellId cell : asked_.choices[i].cells) {
        if (withheld[i])
          draft.withhold(cell);
      }
    }
    return draft;
  }

  Result<AuditReport> audit(const Draft& draft, const RunContext& run, bool reals = false) {
    ++audits_;
    AuditOptions options;
    options.intervals = false;
    options.engine = asked_.engine;
    options.node_limit = kGrow.node_limit;
    options.hints = hints_;
    options.reals = reals;
    LACUNA_TRY(AuditReport report, auditor_.audit(draft, options, run));
    hints_ = report.evidence.witnesses;
    return report;
  }
  Result<AuditReport> audit(const Draft& draft) { return audit(draft, run_); }

  // Whether everything that may be withheld is enough. Errors: it is proven not to be.
  Result<bool> audit_all() {
    const Draft draft = draft_of(std::vector<bool>(withheld_.size(), true));
    bool safe = false;
    for (const bool reals : {true, false}) {
      const RunContext part = share_of_rest(run_, kGrow.share_of_all);
      LACUNA_TRY(const AuditReport report, audit(draft, part, reals));
      for (const Finding& finding : report.findings) {
        if (finding.verdict == Verdict::kExposed)
          return nothing_helps(finding);
      }
      safe = passes(report.verdict);
    }
    return safe;
  }

  Result<bool> grow() {
    std::vector<Cut> cuts;
    for (int round = 0; !run_.should_stop() && round < kGrow.most_rounds; ++round) {
      const Draft draft = draft_of(withheld_);
      LACUNA_TRY(const AuditReport report, audit(draft));
      if (passes(report.verdict))
        return true;
      if (run_.should_stop())
        return false;
      const std::size_t before = cuts.size();
      for (const Finding& finding : report.findings) {
        if (is_met(finding.verdict))
          continue;
        LACUNA_TRY(Cut cut, cut_of(draft, report, finding));
        cuts.push_back(std::move(cut));
      }
      if (round < kGrow.fresh_rounds) {
        withheld_ = start_;
        meet(cuts);
        continue;
      }
      for (std::size_t c = before; c < cuts.size(); ++c) {
        for (const std::size_t choice : cuts[c])
          withheld_[choice] = true;
      }
    }
    return false;
  }

  // Of a proof the choices that it leans on; of what was not settled those around it, and at last
  // all of them.
  Result<Cut> cut_of(const Draft& draft, const AuditReport& report, const Finding& finding) const {
    const auto may_hide = [&](CellId cell) {
      const std::int32_t choice = choice_of_[base::at(cell)];
      return choice >= 0 && !withheld_[static_cast<std::size_t>(choice)];
    };
    std::set<std::size_t> choices;
    for (const CellId cell : counts::count_cut(*asked_.problem, draft, report, finding, may_hide))
      choices.insert(static_cast<std::size_t>(choice_of_[base::at(cell)]));
    for (std::size_t i = 0;
         choices.empty() && finding.verdict != Verdict::kExposed && i < withheld_.size();
         ++i) {
      if (!withheld_[i]) {
        choices.insert(i);
        break;
      }
    }
    if (choices.empty())
      return nothing_helps(finding);
    return Cut(choices.begin(), choices.end());
  }

  Error nothing_helps(const Finding& finding) const {
    const std::string what =
        finding.verdict == Verdict::kExposed
            ? "the cell can be inferred whatever else is withheld: the numbers that are published "
              "beside the blanks tell too much of it"
            : "it is not known whether the cell is safe if everything else is withheld";
    return {ErrorCode::kCannotProtect,
            what + "; publish these with fewer decimals, only where it is cheapest (published = "
                   "\"cheapest\"), or only with their parts (\"with-parts\")",
            table().label(finding.question.cell)};
  }

  // Greedy: most unmet proofs per weight; then none in vain.
  void meet(const std::vector<Cut>& cuts) {
    std::vector<std::size_t> chosen;
    std::vector<bool> met(cuts.size(), false);
    const auto holds = [&](std::size_t cut, std::size_t choice) {
      return std::binary_search(cuts[cut].begin(), cuts[cut].end(), choice);
    };
    for (;;) {
      std::map<std::size_t, int> gains;
      for (std::size_t c = 0; c < cuts.size(); ++c) {
        for (const std::size_t choice : met[c] ? Cut{} : cuts[c])
          ++gains[choice];
      }
      if (gains.empty())
        break;
      const auto best =
          std::min_element(gains.begin(), gains.end(), [&](const auto& a, const auto& b) {
            return asked_.choices[a.first].weight * b.second <
                   asked_.choices[b.first].weight * a.second;
          });
      const std::size_t choice = best->first;
      chosen.push_back(choice);
      for (std::size_t c = 0; c < cuts.size(); ++c)
        met[c] = met[c] || holds(c, choice);
    }
    for (const std::size_t choice : chosen)
      withheld_[choice] = true;
  }

  Status give_back() {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < withheld_.size(); ++i) {
      if (withheld_[i])
        order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return asked_.choices[a].weight > asked_.choices[b].weight;
    });
    std::vector<std::pair<std::size_t, std::size_t>> left{{0, order.size()}};
    while (!left.empty() && audits_ < most_audits_ && !run_.should_stop()) {
      const auto [first, last] = left.back();
      left.pop_back();
      if (first == last)
        continue;
      std::vector<bool> fewer = withheld_;
      for (std::size_t i = first; i < last; ++i)
        fewer[order[i]] = false;
      std::vector<Displacement> kept = hints_;
      LACUNA_TRY(const AuditReport report, audit(draft_of(fewer)));
      if (passes(report.verdict) && !run_.should_stop()) {
        withheld_ = std::move(fewer);
        continue;
      }
      hints_ = std::move(kept);
      const std::size_t middle = first + (last - first) / 2;
      if (last - first > 1) {
        left.emplace_back(middle, last);
        left.emplace_back(first, middle);  // the more expensive half is next
      }
    }
    return ok_status();
  }

  const GrowQuestion& asked_;
  const RunContext& run_;
  Auditor auditor_;
  std::vector<Displacement> hints_;
  std::vector<bool> start_, withheld_;
  std::vector<std::int32_t> choice_of_;  // by cell; -1: of none
  std::int64_t audits_ = 0, most_audits_ = 0;
};

}  // namespace

std::vector<Choice> single_choices(const Table& table, const Draft& base) {
  std::vector<Choice> choices;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const Cell& cell = table.cell(CellId{c});
    if (cell.status == CellStatus::kFree && base.is_exact(CellId{c}))
      choices.push_back({{CellId{c}}, cell.weight});
  }
  return choices;
}

Result<GrownPattern> grow_and_give_back(const GrowQuestion& question, const RunContext& run) {
  return Growing(question, run).run();
}

}  // namespace lacuna::methods

// SPDX-License-Identifier: Apache-2.0
#include "judge/audit/audit_run.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "core/base/index.h"
#include "core/base/work.h"
#include "judge/attack/evidence_check.h"
#include "judge/attack/witness_store.h"
#include "lacuna/lp.h"

namespace lacuna::audit {
namespace {

constexpr double kHintShare = 0.5;  // of the progress for an attacker: the check of the hints

// How questions are put to searches: so many by one search, which reuses its witnesses, and so many
// searches in a round. Those at work at the same time do not see each other's witnesses; after a
// round all later ones do. The first rounds are short.
struct Pace {
  std::size_t chunk, first_round, longest_round;
};
constexpr std::size_t kAllAtOnce = std::numeric_limits<std::size_t>::max() / 2;
constexpr Pace kPaceOfFractions{256, kAllAtOnce, kAllAtOnce};
constexpr Pace kPaceOfIntegers{64, 2, 64};

Pace pace_of(Domain domain) {
  return domain == Domain::kRational ? kPaceOfFractions : kPaceOfIntegers;
}

}  // namespace

AuditRun::AuditRun(const Problem& problem,
                   const Draft& draft,
                   const AuditOptions& options,
                   const RunContext& run,
                   const table::Network* network,
                   std::int32_t given_cells)
    : problem_(problem),
      draft_(draft),
      options_(options),
      run_(run),
      network_(network),
      given_cells_(given_cells),
      answers_(options, run) {}

Result<AuditReport> AuditRun::run(Domains domains) {
  const auto start = std::chrono::steady_clock::now();
  const std::int64_t work_before = work_done();
  report_.engine = options_.engine.empty() ? lp_engines().front() : options_.engine;
  list_findings(domains);
  groups_ = by_attacker(report_.findings, problem_.attackers().size());
  judge_published();
  if (options_.all_withheld)
    list_ranges();
  for (const Domain domain : {Domain::kInteger, Domain::kRational}) {
    if (domains.include(domain))
      LACUNA_RETURN_IF_ERROR(attack(domain));
  }
  report_.evidence = kept_.take();
  report_.verdict = overall(report_);
  report_.work = work_done() - work_before;
  report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return std::move(report_);
}

void AuditRun::list_findings(Domains domains) {
  for (const std::int32_t i : options_.only)
    report_.findings.emplace_back().question = question_of(problem_.requirements()[base::at(i)]);
  if (!options_.only.empty())
    return;
  for (Question& question : questions_of(problem_)) {
    if (domains.include(question.domain))
      report_.findings.emplace_back().question = std::move(question);
  }
}

// A cell that is published as it is is exposed without a search.
bool AuditRun::needs_no_search(const Question& question) const {
  return question.domain == Domain::kRational &&
         draft_.state(question.cell) == StatementKind::kExact;
}

void AuditRun::judge_published() {
  Facts published;
  published.published = true;
  for (Finding& finding : report_.findings) {
    if (needs_no_search(finding.question))
      judge(problem_, published, finding);
  }
}

void AuditRun::list_ranges() {
  std::vector<bool> required(base::at(problem_.table().num_cells()), false);
  for (const Requirement& need : problem_.requirements()) {
    if (need.attacker == 0)
      required[base::at(need.cell)] = true;
  }
  for (const CellEntry& entry : draft_.each()) {
    if (entry.cell.value < given_cells_ && !required[base::at(entry.cell)])
      report_.ranges.push_back({entry.cell, {}, {}});
  }
}

Status AuditRun::attack(Domain domain) {
  const auto attackers = static_cast<std::int32_t>(problem_.attackers().size());
  const bool fractions = domain == Domain::kRational;
  for (std::int32_t a = 0; a < attackers; ++a) {
    const double share = a / static_cast<double>(attackers);
    done_before_ = fractions ? share : 0;
    done_after_ = fractions ? (a + kHintShare) / static_cast<double>(attackers) : 0;
    std::vector<Task> tasks = ask(domain, a);
    // What is told must fit the release also where nothing is asked.
    if (tasks.empty() && fractions)
      continue;
    if (shared_hints_ && fractions) {
      tasks = not_settled_by_shared(a, std::move(tasks));
      if (tasks.empty()) {
        ++report_.counts.attackers;
        continue;
      }
    }
    LACUNA_TRY(Confirmer confirmer, Confirmer::make(problem_, draft_, base::at(a), domain));
    if (tasks.empty())
      continue;
    const std::vector<attack::Slack> slacks(confirmer.slacks().begin(), confirmer.slacks().end());
    if (fractions) {
      ++report_.counts.attackers;
      const attack::AttackView view(problem_.table(), slacks, network_);
      count_parts(view);
      attack(view, a, std::move(tasks), confirmer);
    } else {
      const attack::AttackView view(problem_.table(), slacks, confirmer.holes(), network_);
      attack(view, a, std::move(tasks), confirmer);
    }
  }
  return ok_status();
}

void AuditRun::attack(const attack::AttackView& view,
                      std::int32_t attacker,
                      std::vector<Task> tasks,
                      Confirmer& confirmer) {
  sort_by_part(view, tasks);
  // Shared witnesses have been tried already where there are some.
  const bool shares = shared_hints_ && view.domain() == Domain::kRational;
  const Witnesses suggested = shares ? Witnesses() : suggestions(view.domain());
  Hints hints(suggested);
  if (!suggested.empty())
    hints.admit(view, [&](std::size_t n, auto&& work) { work_on(n, work); });
  if (view.domain() == Domain::kRational) {
    done_before_ = done_after_;
    done_after_ = (attacker + 1) / static_cast<double>(problem_.attackers().size());
  }
  std::vector<Answer> answers(tasks.size());
  const std::vector<Witnesses> found = search(view, tasks, hints, answers);
  settle_open(view, tasks, found, answers);
  for (std::size_t q = 0; q < tasks.size(); ++q)
    file(confirmer, tasks[q], std::move(answers[q]), hints);
  if (attacker == 0 && view.domain() == Domain::kRational && !options_.intervals)
    share_witnesses(view);
}

void AuditRun::share_witnesses(const attack::AttackView& view) {
  if (problem_.attackers().size() == 1)
    return;
  shared_ = suggestions(Domain::kRational);
  shared_hints_.emplace(shared_);
  shared_hints_->admit(view, [&](std::size_t n, auto&& work) { work_on(n, work); });
}

std::vector<AuditRun::Task> AuditRun::not_settled_by_shared(std::int32_t attacker,
                                                            std::vector<Task> tasks) {
  const std::vector<attack::KnownSlack> known = attack::slacks_of_knowledge(
      problem_.table(), draft_, problem_.attackers()[base::at(attacker)]);
  shared_hints_->limit(known);
  std::vector<Task> rest;
  for (Task& task : tasks) {
    if (const auto found = answers_.by_hints(task.question, *shared_hints_))
      file_shared(task, *found);
    else
      rest.push_back(std::move(task));
  }
  shared_hints_->limit({});
  return rest;
}

// As file(), of hints that were checked in integers for the outsider when they were admitted, and
// for this attacker when they were chosen.
void AuditRun::file_shared(const Task& task, const Answer& found) {
  Finding& finding = report_.findings[base::at(task.finding)];
  const auto end_by = [&](Direction direction, const std::optional<HintId>& hint) {
    if (!hint)
      return End{};
    End end = kept_.keep(*shared_hints_, *hint);
    end.reached = attack::displacement_of((*shared_hints_)[*hint], task.question.form, direction);
    return end;
  };
  finding.low = end_by(Direction::kLow, found.low_hint);
  finding.high = end_by(Direction::kHigh, found.high_hint);
  report_.counts.hints_used += found.by_hint() ? 1 : 0;
  Facts facts;
  facts.published = is_published(problem_.table(), draft_, task.question.cell);
  judge(problem_, facts, finding);
}

std::vector<AuditRun::Task> AuditRun::ask(Domain domain, std::int32_t attacker) const {
  std::vector<Task> tasks;
  for (const std::size_t i : groups_[base::at(attacker)]) {
    const Question& question = report_.findings[i].question;
    if (question.domain == domain && !needs_no_search(question))
      tasks.push_back({question, static_cast<std::int32_t>(i)});
  }
  if (attacker == 0 && domain == Domain::kRational) {
    for (std::size_t i = 0; i < report_.ranges.size(); ++i) {
      Requirement nothing;
      nothing.cell = report_.ranges[i].cell;
      tasks.push_back({question_of(nothing), -1, static_cast<std::int32_t>(i)});
    }
  }
  return tasks;
}

// A search makes the linear program of a part once if the questions about it are neighbours.
void AuditRun::sort_by_part(const attack::AttackView& view, std::vector<Task>& tasks) {
  for (Task& each : tasks) {
    for (const Term& term : each.question.form) {
      const std::int32_t free = view.free_index(term.cell);
      if (free < 0)
        continue;
      each.part = view.free_cell(free).part;
      break;
    }
  }
  std::stable_sort(
      tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.part < b.part; });
}

// Those of the options, and for fractions those in whole numbers, of which rays are no
// displacements and drop out.
AuditRun::Witnesses AuditRun::suggestions(Domain domain) const {
  Witnesses all = options_.hints;
  const Witnesses& shown = kept_.all().witnesses;
  if (domain == Domain::kRational && !options_.intervals)
    all.insert(all.end(), shown.begin(), shown.end());
  return all;
}

// Returns the witnesses that each search has found.
std::vector<AuditRun::Witnesses> AuditRun::search(const attack::AttackView& view,
                                                  std::span<const Task> tasks,
                                                  const Hints& hints,
                                                  std::vector<Answer>& answers) {
  const Pace pace = pace_of(view.domain());
  const std::size_t chunks = (tasks.size() + pace.chunk - 1) / pace.chunk;
  std::vector<attack::SearchCounts> counts(chunks);
  std::vector<Witnesses> found(chunks);
  std::optional<attack::WitnessStore> known;  // where there are several rounds
  if (pace.first_round < chunks)
    known.emplace(view);
  for (std::size_t first = 0, round = pace.first_round; first < chunks;
       first += round, round = std::min(2 * round, pace.longest_round)) {
    const std::size_t number = std::min(round, chunks - first);
    work_on(number, [&](std::size_t i) {
      SearchOnDemand search(
          view, {options_.engine, options_.node_limit}, known ? &*known : nullptr);
      const std::size_t begin = (first + i) * pace.chunk;
      for (std::size_t q = begin; q < std::min(tasks.size(), begin + pace.chunk); ++q) {
        const bool ends = tasks[q].finding < 0 || options_.intervals;
        answers[q] = answers_.answer(search, tasks[q].question, ends, hints);
      }
      counts[first + i] = search.counts();
      found[first + i] = search.witnesses();
    });
    for (std::size_t i = first; known && i < first + number; ++i) {
      for (const Displacement& witness : found[i])
        known->remember(witness);
    }
  }
  for (const attack::SearchCounts& each : counts)
    add_counts(each);
  return found;
}

// What the neighbourhood of a cell did not tell is asked of the whole part, one search per part,
// which knows all witnesses found so far: one hard case often settles the next.
void AuditRun::settle_open(const attack::AttackView& view,
                           std::span<const Task> tasks,
                           const std::vector<Witnesses>& found,
                           std::vector<Answer>& answers) {
  std::vector<std::vector<std::size_t>> by_part;
  for (std::size_t q = 0; q < tasks.size(); ++q) {
    if (!answers[q].low_unsettled && !answers[q].high_unsettled)
      continue;
    if (by_part.empty() || tasks[by_part.back().front()].part != tasks[q].part)
      by_part.emplace_back();
    by_part.back().push_back(q);
  }
  std::vector<attack::SearchCounts> counts(by_part.size());
  work_on(by_part.size(), [&](std::size_t i) {
    attack::Search search(view, {options_.engine, options_.node_limit});
    const std::int32_t part = tasks[by_part[i].front()].part;
    for (const Witnesses& witnesses : found) {
      for (const Displacement& witness : witnesses) {
        if (view.free_cell(view.free_index(witness.cells.front())).part == part)
          search.remember(witness);
      }
    }
    for (const std::size_t q : by_part[i]) {
      if (run_.should_stop())
        break;
      answers_.settle(search, tasks[q].question, answers[q]);
    }
    counts[i] = search.counts();
  });
  for (const attack::SearchCounts& each : counts)
    add_counts(each);
}

void AuditRun::file(Confirmer& confirmer, const Task& tasks, Answer found, const Hints& hints) {
  const End low =
      end_of(confirmer, tasks, Direction::kLow, std::move(found.low), found.low_hint, hints);
  const End high =
      end_of(confirmer, tasks, Direction::kHigh, std::move(found.high), found.high_hint, hints);
  if (tasks.finding < 0) {
    CellRange& range = report_.ranges[base::at(tasks.range)];
    range.low = low;
    range.high = high;
    return;
  }
  report_.counts.hints_used += found.by_hint() ? 1 : 0;
  Finding& finding = report_.findings[base::at(tasks.finding)];
  finding.low = low;
  finding.high = high;
  const Units truth = form_value(problem_.table(), tasks.question.form);
  for (attack::FormValue& value : found.values) {
    if (found.complete)
      finding.values.push_back(truth + value.move);
    if (value.move != 0)
      finding.shown.push_back(kept_.keep(std::move(value.witness)));
  }
  std::sort(finding.values.begin(), finding.values.end());
  if (run_.should_stop())
    finding.reason = tasks.question.domain == Domain::kRational
                         ? "stopped before the cell was settled"
                         : "stopped before the question was settled";
  Facts facts;
  if (!confirmer.add_shown(kept_.all(), finding, facts)) {
    finding.shown.clear();  // what the checker refuses shows nothing
    facts = {};
  }
  confirmer.conclude(kept_.all(), std::move(facts), finding);
}

// A hint was checked in integers for this attacker when it was admitted. Evidence that the checker
// refuses is dropped: it shows nothing.
End AuditRun::end_of(Confirmer& confirmer,
                     const Task& tasks,
                     Direction direction,
                     attack::Reach reach,
                     const std::optional<HintId>& hint,
                     const Hints& hints) {
  if (hint) {
    End end = kept_.keep(hints, *hint);
    end.reached = attack::displacement_of(hints[*hint], tasks.question.form, direction);
    return end;
  }
  End end = kept_.keep(std::move(reach));
  if (!confirmer.confirm_end(kept_.all(), tasks.question.form, direction, end))
    end = End{};
  return end;
}

void AuditRun::count_parts(const attack::AttackView& view) {
  report_.counts.parts += view.num_parts();
  report_.counts.free_cells += static_cast<std::int64_t>(view.free_cells().size());
  report_.counts.determined += static_cast<std::int64_t>(view.determined().size());
  for (std::int32_t p = 0; p < view.num_parts(); ++p) {
    report_.counts.largest_part =
        std::max(report_.counts.largest_part, static_cast<std::int64_t>(view.part(p).size()));
  }
}

void AuditRun::add_counts(const attack::SearchCounts& counts) {
  report_.counts.lp_solves += counts.lp_solves;
  report_.counts.flows += counts.flows;
  report_.counts.reused_witnesses += counts.reused;
  report_.counts.single_equation_proofs += counts.one_equation;
  report_.counts.full_part_searches += counts.full_part;
}

template <class Work>
void AuditRun::work_on(std::size_t number, Work&& work) {
  std::atomic<std::size_t> done{0};
  const auto workers = static_cast<std::size_t>(std::max(1, run_.threads));
  base::share_among(run_, workers, number, [&](std::size_t worker, std::size_t i) {
    work(i);
    const double finished = static_cast<double>(++done) / static_cast<double>(number);
    if (worker == 0 && run_.on_progress)
      run_.on_progress(
          {.phase = "audit", .fraction = done_before_ + (done_after_ - done_before_) * finished});
  });
}

}  // namespace lacuna::audit

// SPDX-License-Identifier: Apache-2.0
// The audit proper: per attacker a view, per view its parts, per part and requirement a search for
// evidence, each piece confirmed before it counts. Work is cut into chunks that do not depend on
// the number of threads, so that neither do the results.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <unordered_map>

#include "attack/evidence_check.h"
#include "attack/exposure.h"
#include "attack/part_search.h"
#include "attack/view.h"
#include "audit/adjusted.h"
#include "audit/confirm.h"
#include "audit/count_audit.h"
#include "audit/hints.h"
#include "audit/judge.h"
#include "audit/kept_witnesses.h"
#include "base/check.h"
#include "base/parallel.h"
#include "base/rational.h"
#include "base/work.h"
#include "lacuna/audit.h"
#include "lacuna/lp.h"
#include "release/system.h"
#include "table/labels.h"
#include "table/network.h"

namespace lacuna {
namespace {

// Large enough that a chunk reuses its witnesses, small enough that both cores have work.
constexpr std::size_t kChunk = 256;
constexpr double kHintShare = 0.5;  // of the progress for an attacker: the check of the hints

struct Sought {               // one cell of one attacker
  std::int32_t finding = -1;  // index of the finding, or -1
  std::int32_t range = -1;    // index of the range, or -1
  CellId cell;
  std::int32_t order = 0;  // part, for sorting
};

struct Answer {  // evidence found for a question; open: only the whole part can tell
  Reach low, high;
  std::optional<HintId> low_hint, high_hint;  // instead of a reach
  bool low_open = false, high_open = false;
  bool by_hint() const { return low_hint || high_hint; }
};

// Made when the first question needs it: what hints answer needs none.
class SearchOnDemand {
 public:
  SearchOnDemand(const AttackView& view, const AuditOptions& options, const Network* network)
      : view_(view), options_(options), network_(network) {}

  PartSearch& operator*() {
    if (!search_)
      search_.emplace(view_, LpOptions{}, options_.engine, network_);
    return *search_;
  }
  SearchCounts counts() const { return search_ ? search_->counts() : SearchCounts{}; }
  std::vector<Displacement> witnesses() const {
    return search_ ? search_->witnesses() : std::vector<Displacement>{};
  }

 private:
  const AttackView& view_;
  const AuditOptions& options_;
  const Network* network_;
  std::optional<PartSearch> search_;
};

class Audit {
 public:
  Audit(const Problem& problem,
        const Draft& draft,
        const AuditOptions& options,
        const RunContext& run,
        const Network* network,
        std::int32_t given_cells)
      : problem_(problem),
        draft_(draft),
        options_(options),
        run_(run),
        network_(network),
        given_cells_(given_cells) {}

  // Whole numbers first: their witnesses are hints for the requirements, which ask less of them.
  Status run_counts() {
    const auto start = std::chrono::steady_clock::now();
    const std::int64_t work_before = work_done();
    LACUNA_RETURN_IF_ERROR(
        audit_counts(problem_, draft_, options_, network_, run_, report_, kept_));
    report_.work = work_done() - work_before;
    report_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return ok_status();
  }

  AuditReport run_all() {
    const auto start = std::chrono::steady_clock::now();
    const std::int64_t work_before = work_done();
    report_.engine = options_.engine.empty() ? lp_engines().front() : options_.engine;
    list_findings();
    groups_ = by_attacker(report_.of(Domain::kRational), problem_.attackers().size());
    if (options_.all_withheld)
      list_ranges();
    for (std::size_t a = 0; a < problem_.attackers().size(); ++a)
      attack(static_cast<std::int32_t>(a));
    const std::size_t rational = report_.of(Domain::kRational).size();
    for (std::size_t i = 0; i < rational; ++i) {
      Finding& finding = report_.findings[i];
      Facts facts;
      facts.published = is_published(problem_.table(), draft_, finding.question.cell);
      judge(problem_, facts, finding);
    }
    report_.verdict = overall(report_);
    report_.work += work_done() - work_before;
    report_.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(report_);
  }

 private:
  // Before those about counts, which are there already.
  void list_findings() {
    std::vector<Finding> rational;
    const auto add = [&](const Requirement& need) {
      rational.emplace_back().question = lacuna::question_of(need);
    };
    if (options_.only.empty()) {
      for (const Requirement& need : problem_.requirements())
        add(need);
    }
    for (const std::int32_t i : options_.only)
      add(problem_.requirements()[static_cast<std::size_t>(i)]);
    std::move(report_.findings.begin(), report_.findings.end(), std::back_inserter(rational));
    report_.findings = std::move(rational);
  }

  void list_ranges() {
    std::vector<bool> required(static_cast<std::size_t>(problem_.table().num_cells()), false);
    for (const Requirement& need : problem_.requirements()) {
      if (need.attacker == 0)
        required[static_cast<std::size_t>(need.cell.value)] = true;
    }
    for (const CellEntry& entry : draft_.each()) {
      if (entry.cell.value < given_cells_ &&
          !required[static_cast<std::size_t>(entry.cell.value)])
        report_.ranges.push_back({entry.cell, {}, {}});
    }
  }

  void attack(std::int32_t attacker) {
    std::vector<Sought> questions = ask(attacker);
    if (questions.empty())
      return;
    ++report_.counts.attackers;
    const Attacker& who = problem_.attackers()[static_cast<std::size_t>(attacker)];
    const AttackView view(problem_.table(), draft_, who);
    const std::vector<Room> rooms = attacker_rooms(problem_.table(), draft_, who);
    count_parts(view);
    const double all = static_cast<double>(problem_.attackers().size());
    done_before_ = attacker / all;
    done_after_ = (attacker + kHintShare) / all;
    const std::vector<Displacement> suggested = suggestions();
    Hints hints(suggested);
    if (!suggested.empty())
      hints.admit(problem_.table(), rooms, [&](std::size_t n, auto&& work) { work_on(n, work); });
    done_before_ = done_after_;
    done_after_ = (attacker + 1) / all;
    for (Sought& question : questions) {
      const std::int32_t free = view.free_index(question.cell);
      question.order = free < 0 ? -1 : view.free_cell(free).part;
    }
    std::stable_sort(questions.begin(), questions.end(), [](const Sought& a, const Sought& b) {
      return a.order < b.order;
    });
    const std::size_t chunks = (questions.size() + kChunk - 1) / kChunk;
    std::vector<Answer> answers(questions.size());
    std::vector<SearchCounts> counts(chunks);
    std::vector<std::vector<Displacement>> found(chunks);
    work_on(chunks, [&](std::size_t chunk) {
      SearchOnDemand search(view, options_, network_);
      const std::size_t end = std::min(questions.size(), (chunk + 1) * kChunk);
      for (std::size_t q = chunk * kChunk; q < end; ++q)
        answers[q] = answer(search, questions[q], hints);
      counts[chunk] = search.counts();
      found[chunk] = search.witnesses();
    });
    for (const SearchCounts& each : counts)
      add_counts(each);
    settle_hard(view, questions, found, answers);
    for (const Answer& each : answers)
      report_.counts.hints_used += each.by_hint() ? 1 : 0;
    for (std::size_t q = 0; q < questions.size(); ++q)
      file(questions[q], std::move(answers[q]), rooms, hints);
  }

  // Those of the options, and the whole ones, of which rays are no displacements and drop out.
  std::vector<Displacement> suggestions() const {
    std::vector<Displacement> all = options_.hints;
    if (!options_.intervals)
      all.insert(all.end(), report_.evidence.witnesses.begin(), report_.evidence.witnesses.end());
    return all;
  }

  // What the neighbourhood of a cell did not tell is asked of the whole part, one search per part,
  // which knows all witnesses found so far: one hard case often settles the next.
  void settle_hard(const AttackView& view,
                   const std::vector<Sought>& questions,
                   const std::vector<std::vector<Displacement>>& found,
                   std::vector<Answer>& answers) {
    std::vector<std::vector<std::size_t>> by_part;
    for (std::size_t q = 0; q < questions.size(); ++q) {
      if (!answers[q].low_open && !answers[q].high_open)
        continue;
      if (by_part.empty() || questions[by_part.back().front()].order != questions[q].order)
        by_part.emplace_back();
      by_part.back().push_back(q);
    }
    std::vector<SearchCounts> counts(by_part.size());
    work_on(by_part.size(), [&](std::size_t i) {
      PartSearch search(view, LpOptions{}, options_.engine, network_);
      const std::int32_t part = questions[by_part[i].front()].order;
      for (const auto& witnesses : found) {
        for (const Displacement& witness : witnesses) {
          if (view.free_cell(view.free_index(witness.cells.front())).part == part)
            search.remember(witness);
        }
      }
      for (const std::size_t q : by_part[i]) {
        if (run_.should_stop())
          break;
        const Question need = question_of(questions[q]);
        if (answers[q].high_open)
          answers[q].high = search.decide_whole(need.cell, Direction::kHigh, need.upper, run_);
        if (answers[q].low_open && !answers[q].high.proof)
          answers[q].low = search.decide_whole(need.cell, Direction::kLow, need.lower, run_);
      }
      counts[i] = search.counts();
    });
    for (const SearchCounts& each : counts)
      add_counts(each);
  }

  std::vector<Sought> ask(std::int32_t attacker) const {
    std::vector<Sought> questions;
    for (const std::size_t i : groups_[static_cast<std::size_t>(attacker)]) {
      const Question& need = report_.findings[i].question;
      if (draft_.state(need.cell) == CellState::kExact)
        continue;  // exposed without a search
      questions.push_back({static_cast<std::int32_t>(i), -1, need.cell, 0});
    }
    if (attacker == 0) {
      for (std::size_t i = 0; i < report_.ranges.size(); ++i) {
        questions.push_back({-1, static_cast<std::int32_t>(i), report_.ranges[i].cell, 0});
      }
    }
    return questions;
  }

  Answer answer(SearchOnDemand& search, const Sought& question, const Hints& hints) const {
    Answer found;
    if (run_.should_stop())
      return found;
    const bool ends = question.finding < 0 || options_.intervals;
    const Question need = question_of(question);
    // A sliding level is about both ends together, which single levels do not settle.
    const bool sliding = need.sliding > 0 && Wide{need.sliding} > Wide{need.lower} + need.upper;
    if (!ends) {
      if (auto known = answer_by_hints(need, sliding, hints))
        return *std::move(known);
    }
    if (!ends && sliding && need.lower == 0 && need.upper == 0 &&
        slides_one_way(search, need, found))
      return found;
    if (ends || sliding) {
      found.low = (*search).extent(question.cell, Direction::kLow, run_);
      found.high = (*search).extent(question.cell, Direction::kHigh, run_);
      return found;
    }
    if (need.upper > 0)
      ask_nearby(*search, need.cell, Direction::kHigh, need.upper, found.high, found.high_open);
    if (found.high.proof)
      return found;  // exposed already
    if (need.lower > 0)
      ask_nearby(*search, need.cell, Direction::kLow, need.lower, found.low, found.low_open);
    return found;
  }

  // A sliding level that one end has by itself needs no ends.
  bool slides_one_way(SearchOnDemand& search, const Question& need, Answer& found) const {
    for (const Direction direction : {Direction::kHigh, Direction::kLow}) {
      auto near = (*search).decide_nearby(need.cell, direction, need.sliding, run_);
      if (!near || !near->witness || near->proof)
        continue;
      (direction == Direction::kHigh ? found.high : found.low) = *std::move(near);
      return true;
    }
    return false;
  }

  // One end may do for a sliding level, and a short witness is confirmed sooner than two long ones.
  static std::optional<Answer> answer_by_one_hint(const Question& need, const Hints& hints) {
    Answer found;
    found.high_hint = hints.reaching(need.cell, Direction::kHigh, need.sliding);
    if (!found.high_hint)
      found.low_hint = hints.reaching(need.cell, Direction::kLow, need.sliding);
    return found.by_hint() ? std::optional(std::move(found)) : std::nullopt;
  }

  // Both ends by hints, or nothing: what they leave open is searched.
  static std::optional<Answer> answer_by_hints(const Question& need,
                                               bool sliding,
                                               const Hints& hints) {
    if (sliding && need.lower == 0 && need.upper == 0) {
      if (auto known = answer_by_one_hint(need, hints))
        return known;
    }
    Answer found;
    const auto take = [&](Direction direction, Units level, std::optional<HintId>& hint) {
      if (level == 0 && !sliding)
        return true;
      hint = sliding ? hints.farthest(need.cell, direction)
                     : hints.reaching(need.cell, direction, level);
      return hint ? hints.reaches(*hint, need.cell, direction, level) : level == 0;
    };
    if (!take(Direction::kHigh, need.upper, found.high_hint) ||
        !take(Direction::kLow, need.lower, found.low_hint))
      return std::nullopt;
    if (sliding) {
      Fraction width;
      if (found.high_hint)
        width += displacement_of(hints[*found.high_hint], need.cell, Direction::kHigh);
      if (found.low_hint)
        width += displacement_of(hints[*found.low_hint], need.cell, Direction::kLow);
      if (width < to_integer(need.sliding))
        return std::nullopt;
    }
    return found;
  }

  void ask_nearby(PartSearch& search,
                  CellId cell,
                  Direction direction,
                  Units level,
                  Reach& reach,
                  bool& open) const {
    auto near = search.decide_nearby(cell, direction, level, run_);
    open = !near.has_value();
    if (near)
      reach = *std::move(near);
  }

  Question question_of(const Sought& sought) const {
    if (sought.finding < 0)
      return {};
    return report_.findings[static_cast<std::size_t>(sought.finding)].question;
  }

  void file(const Sought& question,
            Answer found,
            std::span<const Room> rooms,
            const Hints& hints) {
    const auto end_of = [&](Direction direction, Reach& reach, const std::optional<HintId>& hint) {
      if (hint)
        return shown_by(hints, *hint, question.cell, direction);
      End end = keep(std::move(reach));
      settle(question, direction, rooms, end);
      return end;
    };
    const End low = end_of(Direction::kLow, found.low, found.low_hint);
    const End high = end_of(Direction::kHigh, found.high, found.high_hint);
    if (question.finding >= 0) {
      Finding& finding = report_.findings[static_cast<std::size_t>(question.finding)];
      finding.low = low;
      finding.high = high;
      if (run_.should_stop())
        finding.reason = "stopped before the cell was settled";
    } else {
      CellRange& range = report_.ranges[static_cast<std::size_t>(question.range)];
      range.low = low;
      range.high = high;
    }
  }

  // A hint was checked in integers against the rooms of this attacker when it was admitted.
  End shown_by(const Hints& hints, HintId hint, CellId cell, Direction direction) {
    std::int32_t& witness = kept_hints_.try_emplace(hint.value, -1).first->second;
    if (witness < 0)
      witness = keep(Displacement(hints[hint]));
    End end;
    end.witness = witness;
    end.reached = displacement_of(hints[hint], cell, direction);
    return end;
  }

  End keep(Reach reach) {
    End end;
    if (reach.witness && !reach.witness->cells.empty()) {
      end.unbounded = reach.unbounded;
      end.witness = keep(*std::move(reach.witness));
    }
    if (reach.proof) {
      end.proof = static_cast<std::int32_t>(report_.evidence.proofs.size());
      report_.evidence.proofs.push_back(std::move(*reach.proof));
    }
    return end;
  }

  std::int32_t keep(Displacement witness) {
    return kept_.keep(report_.evidence.witnesses, std::move(witness));
  }

  // Evidence that the checker refuses is dropped: it shows nothing.
  void settle(const Sought& question,
              Direction direction,
              std::span<const Room> rooms,
              End& end) {
    const Status status =
        confirm_end(problem_.table(), rooms, question.cell, direction, report_.evidence, end);
    if (!status)
      end = End{};
  }

  void count_parts(const AttackView& view) {
    report_.counts.parts += view.num_parts();
    report_.counts.free_cells += static_cast<std::int64_t>(view.free_cells().size());
    report_.counts.determined += static_cast<std::int64_t>(view.determined().size());
    for (std::int32_t p = 0; p < view.num_parts(); ++p) {
      report_.counts.largest_part =
          std::max(report_.counts.largest_part, static_cast<std::int64_t>(view.part(p).size()));
    }
  }

  void add_counts(const SearchCounts& counts) {
    report_.counts.lp_solves += counts.lp_solves;
    report_.counts.flows += counts.flows;
    report_.counts.reused_witnesses += counts.reused;
    report_.counts.single_equation_proofs += counts.one_equation;
    report_.counts.whole_part_searches += counts.whole_part;
  }

  template <class Work>
  void work_on(std::size_t chunks, Work&& work) {
    std::atomic<std::size_t> done{0};
    const auto workers = static_cast<std::size_t>(std::max(1, run_.threads));
    share_among(run_, workers, chunks, [&](std::size_t worker, std::size_t chunk) {
      work(chunk);
      const double finished = static_cast<double>(++done) / static_cast<double>(chunks);
      if (worker == 0 && run_.on_progress)
        run_.on_progress(
            {.phase = "audit", .fraction = done_before_ + (done_after_ - done_before_) * finished});
    });
  }

  const Problem& problem_;
  const Draft& draft_;
  const AuditOptions& options_;
  const RunContext& run_;
  const Network* network_;    // of the whole table; null if it is none
  std::int32_t given_cells_;  // those of the release; others are of its system
  AuditReport report_;
  std::vector<std::vector<std::size_t>> groups_;  // findings by attacker
  KeptWitnesses kept_;
  std::unordered_map<std::int32_t, std::int32_t> kept_hints_;
  double done_before_ = 0, done_after_ = 1;  // shares of the audit around what is worked on
};

// With only the primaries withheld: exposed by the audit, and initially if one equation says so.
std::vector<Exposure> classify(const Problem& problem,
                               const AuditOptions& options,
                               const RunContext& run,
                               const Network* network) {
  const Draft bare = Draft::withholding_primaries(problem.table());
  AuditOptions verdicts = options;
  verdicts.intervals = false;
  verdicts.all_withheld = false;
  const AuditReport report = Audit(problem, bare, verdicts, run, network, problem.table().num_cells()).run_all();
  std::vector<Exposure> classes(report.findings.size(), Exposure::kUnknown);
  const auto groups = by_attacker(report.of(Domain::kRational), problem.attackers().size());
  for (std::size_t a = 0; a < groups.size(); ++a) {
    if (groups[a].empty())
      continue;
    const std::vector<Room> rooms = attacker_rooms(problem.table(), bare, problem.attackers()[a]);
    for (const std::size_t i : groups[a]) {
      const Finding& finding = report.findings[i];
      if (is_met(finding.verdict)) {
        classes[i] = Exposure::kNotExposed;
      } else if (finding.verdict != Verdict::kUndecided) {  // waived or not
        classes[i] = initially_exposed(problem.table(), rooms, finding.question)
                         ? Exposure::kInitially
                         : Exposure::kConsequentially;
      }
    }
  }
  return classes;
}

std::shared_ptr<const Network> network_of(const Table& table) {
  const std::vector<bool> all(static_cast<std::size_t>(table.num_cells()), true);
  auto network = network_form(table, all);
  return network ? std::make_shared<const Network>(*std::move(network)) : nullptr;
}

// An adjusted table is judged by its numbers; there is nothing to search for.
Result<AuditReport> audit_adjusted(const Problem& problem,
                                   const Draft& draft,
                                   const AuditOptions& options) {
  LACUNA_RETURN_IF_ERROR(check_adjusted(problem.table(), draft));
  AuditReport report;
  for (std::size_t i = 0; i < problem.requirements().size(); ++i) {
    Finding finding;
    finding.question = question_of(problem.requirements()[i]);
    judge_adjusted(problem, draft, finding);
    report.findings.push_back(std::move(finding));
  }
  if (!options.only.empty()) {
    std::vector<Finding> some;
    for (const std::int32_t i : options.only)
      some.push_back(report.findings[static_cast<std::size_t>(i)]);
    report.findings = std::move(some);
  }
  report.verdict = overall(report);
  report.engine = "none";
  return report;
}

// "3 questions exposed (exact 2, small 1), 0 undecided"
std::string questions_refused(const AuditReport& report) {
  std::vector<std::int32_t> exposed(enum_names(CountKind{}).size());
  for (const Finding& finding : report.of(Domain::kInteger))
    exposed[static_cast<std::size_t>(finding.question.kind)] +=
        finding.verdict == Verdict::kExposed ? 1 : 0;
  std::string kinds;
  for (std::size_t k = 0; k < exposed.size(); ++k) {
    if (exposed[k] > 0)
      kinds += (kinds.empty() ? " (" : ", ") + std::string(enum_names(CountKind{})[k]) + " " +
               std::to_string(exposed[k]);
  }
  const std::int32_t all = report.count(Verdict::kExposed, Domain::kInteger);
  return std::to_string(all) + (all == 1 ? " question" : " questions") + " exposed" + kinds +
         (kinds.empty() ? "" : ")") + ", " +
         std::to_string(report.count(Verdict::kUndecided, Domain::kInteger)) + " undecided";
}

// The cells that a report does not pass, exposed ones first: " (region=N, region=S and 4 more)".
std::string cells_refused(const Table& table, const AuditReport& report) {
  std::vector<CellId> cells;
  for (const Verdict wanted : {Verdict::kExposed, Verdict::kUndecided}) {
    for (const Finding& finding : report.findings) {
      const CellId cell = finding.question.cell;
      if (finding.verdict == wanted && std::find(cells.begin(), cells.end(), cell) == cells.end())
        cells.push_back(cell);
    }
  }
  return cells.empty() ? "" : " (" + labels_text(table, cells) + ")";
}

}  // namespace

Auditor::Auditor(std::shared_ptr<const Problem> problem) : problem_(std::move(problem)) {
  if (problem_->requirements().empty() && !problem_->counts())
    return;  // nothing is searched for
  network_ = network_of(problem_->table());
}

Result<AuditReport> Auditor::audit(const Draft& draft,
                                   const AuditOptions& options,
                                   const RunContext& given) const {
  const RunContext run = with_helpers(given);
  LACUNA_RETURN_IF_ERROR(check_draft(problem_->table(), draft));
  if (draft.adjusted())
    return audit_adjusted(*problem_, draft, options);
  if (auto probe = make_lp_solver(options.engine); !probe)
    return probe.error();
  const ReleaseSystem system(*problem_, draft);
  std::shared_ptr<const Network> network = network_;
  if (system.changes_table())
    network = network_of(system.problem().table());
  Audit audit(system.problem(),
              system.draft(),
              options,
              run,
              network.get(),
              problem_->table().num_cells());
  if (problem_->counts() && !options.reals && options.only.empty())
    LACUNA_RETURN_IF_ERROR(audit.run_counts());
  AuditReport report = audit.run_all();
  if (options.exposure)
    report.exposure = classify(*problem_, options, run, network_.get());
  return report;
}

std::string refusal_text(const AuditReport& report) {
  const std::int32_t exposed = report.count(Verdict::kExposed, Domain::kRational);
  std::string text = "the audit does not pass the release: " + std::to_string(exposed) +
                     (exposed == 1 ? " requirement" : " requirements") + " exposed, " +
                     std::to_string(report.count(Verdict::kUndecided, Domain::kRational)) + " undecided";
  if (!report.of(Domain::kInteger).empty())
    text += "; in whole numbers " + questions_refused(report);
  return text;
}

std::string refusal_text(const AuditReport& report, const Table& table) {
  return refusal_text(report) + cells_refused(table, report);
}

Result<ReleaseDecision> Auditor::decide(const Draft& draft,
                                        const AuditOptions& options,
                                        const RunContext& run) const {
  AuditOptions every;
  const bool partial = !options.only.empty() || options.reals;
  if (partial) {  // hints may be many: copied in need only
    every = options;
    every.only.clear();
    every.reals = false;
  }
  LACUNA_TRY(AuditReport report, audit(draft, partial ? every : options, run));
  ReleaseDecision decision;
  if (passes(report.verdict))
    decision.release = AuditedRelease(problem_, draft, std::move(report));
  else
    decision.refusal = std::move(report);
  return decision;
}

Result<AuditedRelease> Auditor::release(const Draft& draft,
                                        const AuditOptions& options,
                                        const RunContext& run) const {
  LACUNA_TRY(ReleaseDecision decision, decide(draft, options, run));
  if (!decision.release)
    return Error{ErrorCode::kNotProtected, refusal_text(decision.refusal, problem_->table()), ""};
  return *std::move(decision.release);
}

}  // namespace lacuna

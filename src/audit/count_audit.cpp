// SPDX-License-Identifier: Apache-2.0
#include "audit/count_audit.h"

#include <algorithm>
#include <utility>

#include "attack/counted_rooms.h"
#include "attack/evidence_check.h"
#include "attack/whole_check.h"
#include "attack/whole_search.h"
#include "audit/judge.h"
#include "audit/judge_count.h"
#include "audit/kept_witnesses.h"
#include "base/parallel.h"
#include "base/rational.h"
#include "base/work.h"

namespace lacuna::inline audit {
namespace {

// As of the audit in reals: a chunk reuses its witnesses, and all threads have work.
constexpr std::size_t kQuestionsPerChunk = 64;
// Chunks at work at the same time do not see each other's witnesses; after a round all later ones
// see them. The first rounds are short, and their lengths are the same for any number of threads.
constexpr std::size_t kFirstRound = 2;
constexpr std::size_t kLongestRound = 64;
constexpr Units kLongestList = 20;  // a range that is longer is not listed value by value

WholeEvidence evidence_of(const AuditReport& report) {
  return {report.witnesses, report.proofs, report.steps, report.chains, report.trees};
}

template <class Item>
std::int32_t append(std::vector<Item>& list, Item item) {
  list.push_back(std::move(item));
  return static_cast<std::int32_t>(list.size()) - 1;
}

std::vector<std::vector<std::size_t>> by_attacker(const std::vector<CountFinding>& findings,
                                                  std::size_t attackers) {
  std::vector<std::vector<std::size_t>> groups(attackers);
  for (std::size_t i = 0; i < findings.size(); ++i)
    groups[static_cast<std::size_t>(findings[i].question.attacker)].push_back(i);
  return groups;
}

// Evidence into a verdict, for search and confirmation alike.
class Confirmation {
 public:
  Confirmation(const Problem& problem, const Draft& draft, const CountedRooms& known)
      : problem_(problem),
        draft_(draft),
        holes_(known.holes),
        checker_(problem.table(), known.rooms, known.holes) {}

  Status confirm_end(const AuditReport& report,
                     const CountQuestion& question,
                     Direction direction,
                     WholeEnd& end) {
    return checker_.confirm(question.form, direction, evidence_of(report), end);
  }

  // The moves that further witnesses show.
  Status add_shown(const AuditReport& report, const CountFinding& finding, CountFacts& facts) {
    for (const std::int32_t index : finding.shown) {
      if (index < 0 || static_cast<std::size_t>(index) >= report.witnesses.size())
        return Error{ErrorCode::kWrongEvidence, "a value names a witness that is not there", ""};
      WholeEnd end;
      end.witness = index;
      LACUNA_RETURN_IF_ERROR(
          checker_.confirm(finding.question.form, Direction::kHigh, evidence_of(report), end));
      facts.moves.insert(end.reached);
    }
    return ok_status();
  }

  void finish(const AuditReport& report, CountFacts facts, CountFinding& finding) const {
    facts.published = is_published(problem_.table(), draft_, finding.question.cell);
    facts.moves.insert(0);
    facts.moves.insert(finding.high.reached);
    facts.moves.insert(Integer(-finding.low.reached));
    for (const WholeEnd* end : {&finding.low, &finding.high}) {
      if (end->has_bound && end->tree < 0 && end->step >= 0)
        facts.step = std::max(facts.step, report.steps[static_cast<std::size_t>(end->step)].q);
    }
    const LinearForm& form = finding.question.form;
    if (form.size() == 1 && finding.low.has_bound && finding.high.has_bound)
      facts.missing = holes_.missing(form.front().cell, finding.low.bound, finding.high.bound);
    keep_true_values(facts, finding);
    judge(problem_, facts, finding);
    finding.verdict = waived(problem_, finding.verdict);
  }

 private:
  // A list of values stays if its witnesses show each of them and no other.
  void keep_true_values(const CountFacts& facts, CountFinding& finding) const {
    const Units truth = form_value(problem_.table(), finding.question.form);
    std::vector<Units> found;
    for (const Integer& move : facts.moves) {
      if (fits_units(move))
        found.push_back(truth + to_units(move));
    }
    if (finding.values != found)
      finding.values.clear();
  }

  const Problem& problem_;
  const Draft& draft_;
  const Holes& holes_;
  WholeChecker checker_;
};

struct CountAnswer {
  WholeReach low, high;
  std::vector<WholeValue> values;
  bool complete = false;  // the values are all there are
  bool stopped = false;
};

class CountAudit {
 public:
  CountAudit(const Problem& problem,
             const Draft& draft,
             const AuditOptions& options,
             const Network* network,
             const RunContext& run,
             AuditReport& report,
             KeptWitnesses& kept)
      : problem_(problem),
        draft_(draft),
        options_(options),
        network_(network),
        run_(run),
        report_(report),
        kept_(kept) {}

  Status run_all() {
    for (const CountQuestion& question : problem_.counts()->questions) {
      CountFinding finding;
      finding.question = question;
      report_.count_findings.push_back(std::move(finding));
    }
    const auto groups = by_attacker(report_.count_findings, problem_.attackers().size());
    for (std::size_t a = 0; a < groups.size(); ++a) {
      // What is told must fit the release also where nothing is asked.
      LACUNA_TRY(const CountedRooms known, counted_rooms(problem_, draft_, problem_.attackers()[a]));
      if (!groups[a].empty())
        attack(groups[a], known);
    }
    return ok_status();
  }

 private:
  void attack(std::vector<std::size_t> group, const CountedRooms& left) {
    const WholeView view(problem_.table(), left.rooms, network_, left.holes);
    sort_by_part(view.core(), group);
    WitnessStore known(view.core());
    for (const Displacement& hint : options_.hints)
      known.remember(hint);
    const std::size_t chunks = (group.size() + kQuestionsPerChunk - 1) / kQuestionsPerChunk;
    std::vector<CountAnswer> answers(group.size());
    std::vector<std::vector<Displacement>> found(chunks);
    std::vector<WholeCounts> counts(chunks);
    const auto work = [&](std::size_t chunk) {
      WholeSearch search(view, {options_.node_limit, options_.engine}, &known);
      const std::size_t end = std::min(group.size(), (chunk + 1) * kQuestionsPerChunk);
      for (std::size_t q = chunk * kQuestionsPerChunk; q < end; ++q)
        answers[q] = answer(search, report_.count_findings[group[q]].question);
      counts[chunk] = search.counts();
      found[chunk] = search.witnesses();
    };
    const auto workers = static_cast<std::size_t>(std::max(1, run_.threads));
    for (std::size_t first = 0, round = kFirstRound; first < chunks;
         first += round, round = std::min(2 * round, kLongestRound)) {
      const std::size_t number = std::min(round, chunks - first);
      share_among(run_, workers, number, [&](std::size_t, std::size_t i) { work(first + i); });
      for (std::size_t i = first; i < first + number; ++i) {
        for (const Displacement& witness : std::exchange(found[i], {}))
          known.remember(witness);
      }
    }
    add_counts(counts);
    Confirmation confirmation(problem_, draft_, left);
    for (std::size_t q = 0; q < group.size(); ++q)
      file(confirmation, report_.count_findings[group[q]], std::move(answers[q]));
  }

  // A search makes the linear program of a part once if the questions about it are neighbours.
  void sort_by_part(const AttackView& view, std::vector<std::size_t>& group) const {
    const auto part_of = [&](std::size_t finding) {
      for (const Term& term : report_.count_findings[finding].question.form) {
        if (const std::int32_t free = view.free_index(term.cell); free >= 0)
          return view.free_cell(free).part;
      }
      return -1;
    };
    std::stable_sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) {
      return part_of(a) < part_of(b);
    });
  }

  void add_counts(const std::vector<WholeCounts>& counts) {
    for (const WholeCounts& each : counts) {
      report_.counts.lp_solves += each.lp_solves;
      report_.counts.flows += each.flows;
      report_.counts.reused_witnesses += each.reused;
    }
  }

  CountAnswer answer(WholeSearch& search, const CountQuestion& question) const {
    CountAnswer found;
    if (run_.should_stop()) {
      found.stopped = true;
      return found;
    }
    const bool many = question.kind == CountKind::kExact && problem_.counts()->ambiguity > 1;
    const bool sliding =
        question.kind == CountKind::kLevels && requirement_of(problem_, question).sliding > 0;
    if (options_.intervals || options_.values || many || sliding) {
      const CountLevels levels = levels_of(problem_, question);
      found.low = end_of(search, question, Direction::kLow, levels.low);
      found.high = end_of(search, question, Direction::kHigh, levels.high);
      if (options_.values || many)
        list_values(search, question, many, found);
      return found;
    }
    const CountLevels levels = levels_of(problem_, question);
    if (levels.either && asks(levels.low) && asks(levels.high)) {
      auto ends =
          search.decide_either(question.form, to_units(levels.low), to_units(levels.high), run_);
      found.low = std::move(ends.low);
      found.high = std::move(ends.high);
      return found;
    }
    found.high = decided(search, question, Direction::kHigh, levels.high);
    if (levels.either && found.high.witness)
      return found;
    found.low = decided(search, question, Direction::kLow, levels.low);
    return found;
  }

  // The end; where limits stood in the way of it, at least what the verdict needs.
  WholeReach end_of(WholeSearch& search,
                    const CountQuestion& question,
                    Direction direction,
                    const Integer& level) const {
    const std::int64_t undecided = search.counts().undecided;
    WholeReach reach = search.extent(question.form, direction, run_);
    if (search.counts().undecided == undecided)
      return reach;
    WholeReach least = decided(search, question, direction, level);
    if (least.bounded() || least.unbounded) {
      if (!least.witness && !reach.unbounded)
        least.witness = std::move(reach.witness);
      return least;
    }
    if (least.witness)
      reach.witness = std::move(least.witness);
    return reach;
  }

  static bool asks(const Integer& level) { return level > 0 && fits_units(level); }

  WholeReach decided(WholeSearch& search,
                     const CountQuestion& question,
                     Direction direction,
                     const Integer& level) const {
    if (!asks(level))
      return {};
    return search.decide(question.form, direction, to_units(level), run_);
  }

  // How far the search says that the form goes, at most `most`; the checker has the last word.
  static Units reach_of(const CountQuestion& question,
                        Direction direction,
                        const WholeReach& reach,
                        Units most) {
    if (!reach.witness)
      return 0;
    if (reach.unbounded)
      return most;
    Fraction moved = 0;
    for (const Term& term : question.form)
      moved += term.coefficient * displacement_of(*reach.witness, term.cell, direction);
    return moved >= to_integer(most) ? most : to_units(moved.numerator());
  }

  void list_values(WholeSearch& search,
                   const CountQuestion& question,
                   bool many,
                   CountAnswer& found) const {
    const Units longest =
        many ? std::max(kLongestList, 2 * std::min(problem_.counts()->ambiguity, kMaxUnits / 4))
             : kLongestList;
    const Units low = reach_of(question, Direction::kLow, found.low, longest + 1);
    const Units high = reach_of(question, Direction::kHigh, found.high, longest + 1);
    found.complete = low + high <= longest && found.low.bounded() && found.high.bounded();
    if (!found.complete && !many)
      return;
    const Units least = std::min(low, longest);
    auto values = search.values(question.form, -least, std::min(high, longest - least), run_);
    found.complete = found.complete && values.has_value();
    if (values)
      found.values = *std::move(values);
  }

  void file(Confirmation& confirmation, CountFinding& finding, CountAnswer found) {
    finding.low = settled(confirmation, finding.question, Direction::kLow, std::move(found.low));
    finding.high = settled(confirmation, finding.question, Direction::kHigh, std::move(found.high));
    const Units truth = form_value(problem_.table(), finding.question.form);
    for (WholeValue& value : found.values) {
      if (found.complete)
        finding.values.push_back(truth + value.move);
      if (value.move != 0)
        finding.shown.push_back(keep(std::move(value.witness)));
    }
    std::sort(finding.values.begin(), finding.values.end());
    CountFacts facts;
    if (!confirmation.add_shown(report_, finding, facts)) {
      finding.shown.clear();  // what the checker refuses shows nothing
      facts = {};
    }
    if (found.stopped)
      finding.reason = "stopped before the question was settled";
    confirmation.finish(report_, std::move(facts), finding);
  }

  WholeEnd settled(Confirmation& confirmation,
                   const CountQuestion& question,
                   Direction direction,
                   WholeReach reach) {
    WholeEnd end = keep(std::move(reach));
    if (!confirmation.confirm_end(report_, question, direction, end))
      end = WholeEnd{};
    return end;
  }

  WholeEnd keep(WholeReach reach) {
    WholeEnd end;
    if (reach.witness && !reach.witness->cells.empty()) {
      end.unbounded = reach.unbounded;
      end.witness = keep(*std::move(reach.witness));
    }
    if (reach.chain && !reach.chain->empty())
      end.chain = append(report_.chains, *std::move(reach.chain));
    if (reach.tree)
      end.tree = keep(*std::move(reach.tree));
    if (reach.proof)
      end.proof = append(report_.proofs, *std::move(reach.proof));
    if (reach.step)
      end.step = append(report_.steps, *std::move(reach.step));
    return end;
  }

  std::int32_t keep(WholeTreeEvidence found) {
    const auto moved_by = [](std::int32_t& index, std::size_t offset) {
      index += index < 0 ? 0 : static_cast<std::int32_t>(offset);
    };
    for (TreeNode& node : found.tree) {
      moved_by(node.proof, report_.proofs.size());
      moved_by(node.step, report_.steps.size());
      moved_by(node.chain, report_.chains.size());
    }
    for (Multipliers& proof : found.proofs)
      report_.proofs.push_back(std::move(proof));
    for (Step& step : found.steps)
      report_.steps.push_back(std::move(step));
    for (Chain& chain : found.chains)
      report_.chains.push_back(std::move(chain));
    return append(report_.trees, std::move(found.tree));
  }

  std::int32_t keep(Displacement witness) {
    return kept_.keep(report_.witnesses, std::move(witness));
  }

  const Problem& problem_;
  const Draft& draft_;
  const AuditOptions& options_;
  const Network* network_;
  const RunContext& run_;
  AuditReport& report_;
  KeptWitnesses& kept_;
};

}  // namespace

Status audit_counts(const Problem& problem,
                    const Draft& draft,
                    const AuditOptions& options,
                    const Network* network,
                    const RunContext& run,
                    AuditReport& report,
                    KeptWitnesses& kept) {
  return CountAudit(problem, draft, options, network, run, report, kept).run_all();
}

Status confirm_counts(const Problem& problem, const Draft& draft, AuditReport& confirmed) {
  const std::vector<CountQuestion>& questions = problem.counts()->questions;
  if (confirmed.count_findings.size() != questions.size()) {
    return Error{ErrorCode::kWrongEvidence,
                 "the evidence covers " + std::to_string(confirmed.count_findings.size()) +
                     " questions about counts of " + std::to_string(questions.size()),
                 ""};
  }
  for (std::size_t i = 0; i < questions.size(); ++i)
    confirmed.count_findings[i].question = questions[i];
  const auto groups = by_attacker(confirmed.count_findings, problem.attackers().size());
  for (std::size_t a = 0; a < groups.size(); ++a) {
    LACUNA_TRY(const CountedRooms known, counted_rooms(problem, draft, problem.attackers()[a]));
    Confirmation confirmation(problem, draft, known);
    for (const std::size_t i : groups[a]) {
      CountFinding& finding = confirmed.count_findings[i];
      finding.reason.clear();
      CountFacts facts;
      Status holds =
          confirmation.confirm_end(confirmed, finding.question, Direction::kLow, finding.low);
      if (holds)
        holds =
            confirmation.confirm_end(confirmed, finding.question, Direction::kHigh, finding.high);
      if (holds)
        holds = confirmation.add_shown(confirmed, finding, facts);
      if (!holds)
        return Error{ErrorCode::kWrongEvidence,
                     holds.error().message,
                     problem.table().label(finding.question.cell)};
      confirmation.finish(confirmed, std::move(facts), finding);
    }
  }
  return ok_status();
}

}  // namespace lacuna::inline audit

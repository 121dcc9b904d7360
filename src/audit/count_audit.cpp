// SPDX-License-Identifier: Apache-2.0
#include "audit/count_audit.h"

#include <algorithm>
#include <utility>

#include "attack/counted_rooms.h"
#include "attack/evidence_check.h"
#include "attack/whole_check.h"
#include "attack/whole_search.h"
#include "audit/judge.h"
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

template <class Item>
std::int32_t append(std::vector<Item>& list, Item item) {
  list.push_back(std::move(item));
  return static_cast<std::int32_t>(list.size()) - 1;
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
                     const Question& question,
                     Direction direction,
                     End& end) {
    return checker_.confirm(question.form, direction, report.evidence, end);
  }

  // The moves that further witnesses show.
  Status add_shown(const AuditReport& report, const Finding& finding, Facts& facts) {
    for (const std::int32_t index : finding.shown) {
      if (index < 0 || static_cast<std::size_t>(index) >= report.evidence.witnesses.size())
        return Error{ErrorCode::kWrongEvidence, "a value names a witness that is not there", ""};
      End end;
      end.witness = index;
      LACUNA_RETURN_IF_ERROR(
          checker_.confirm(finding.question.form, Direction::kHigh, report.evidence, end));
      facts.moves.insert(end.reached.numerator());
    }
    return ok_status();
  }

  void finish(const AuditReport& report, Facts facts, Finding& finding) const {
    facts.published = is_published(problem_.table(), draft_, finding.question.cell);
    facts.moves.insert(0);
    facts.moves.insert(finding.high.reached.numerator());
    facts.moves.insert(Integer(-finding.low.reached.numerator()));
    for (const End* end : {&finding.low, &finding.high}) {
      if (end->has_bound && end->tree < 0 && end->step >= 0)
        facts.step = std::max(facts.step, report.evidence.steps[static_cast<std::size_t>(end->step)].q);
    }
    const LinearForm& form = finding.question.form;
    if (form.size() == 1 && finding.low.has_bound && finding.high.has_bound)
      facts.missing = holes_.missing(
          form.front().cell, finding.low.bound.numerator(), finding.high.bound.numerator());
    keep_true_values(facts, finding);
    judge(problem_, facts, finding);
  }

 private:
  // A list of values stays if its witnesses show each of them and no other.
  void keep_true_values(const Facts& facts, Finding& finding) const {
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
    for (const CountQuestion& asked : problem_.counts()->questions)
      report_.findings.emplace_back().question = question_of(problem_, asked);
    const auto groups = by_attacker(report_.findings, problem_.attackers().size());
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
        answers[q] = answer(search, report_.findings[group[q]].question);
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
      file(confirmation, report_.findings[group[q]], std::move(answers[q]));
  }

  // A search makes the linear program of a part once if the questions about it are neighbours.
  void sort_by_part(const AttackView& view, std::vector<std::size_t>& group) const {
    const auto part_of = [&](std::size_t finding) {
      for (const Term& term : report_.findings[finding].question.form) {
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

  CountAnswer answer(WholeSearch& search, const Question& question) const {
    CountAnswer found;
    if (run_.should_stop()) {
      found.stopped = true;
      return found;
    }
    const bool many = question.kind == CountKind::kExact && question.values > 2;
    if (options_.intervals || options_.values || many || question.sliding > 0) {
      found.low = end_of(search, question, Direction::kLow, question.lower);
      found.high = end_of(search, question, Direction::kHigh, question.upper);
      if (options_.values || many)
        list_values(search, question, many, found);
      return found;
    }
    if (question.either && question.lower > 0 && question.upper > 0) {
      auto ends = search.decide_either(question.form, question.lower, question.upper, run_);
      found.low = std::move(ends.low);
      found.high = std::move(ends.high);
      return found;
    }
    found.high = decided(search, question, Direction::kHigh, question.upper);
    if (question.either && found.high.witness)
      return found;
    found.low = decided(search, question, Direction::kLow, question.lower);
    return found;
  }

  // The end; where limits stood in the way of it, at least what the verdict needs.
  WholeReach end_of(WholeSearch& search,
                    const Question& question,
                    Direction direction,
                    Units level) const {
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

  WholeReach decided(WholeSearch& search,
                     const Question& question,
                     Direction direction,
                     Units level) const {
    return level > 0 ? search.decide(question.form, direction, level, run_) : WholeReach{};
  }

  // How far the search says that the form goes, at most `most`; the checker has the last word.
  static Units reach_of(const Question& question,
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
                   const Question& question,
                   bool many,
                   CountAnswer& found) const {
    const Units longest =
        many ? std::max(kLongestList, 2 * std::min(question.values - 1, kMaxUnits / 4))
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

  void file(Confirmation& confirmation, Finding& finding, CountAnswer found) {
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
    Facts facts;
    if (!confirmation.add_shown(report_, finding, facts)) {
      finding.shown.clear();  // what the checker refuses shows nothing
      facts = {};
    }
    if (found.stopped)
      finding.reason = "stopped before the question was settled";
    confirmation.finish(report_, std::move(facts), finding);
  }

  End settled(Confirmation& confirmation,
                   const Question& question,
                   Direction direction,
                   WholeReach reach) {
    End end = keep(std::move(reach));
    if (!confirmation.confirm_end(report_, question, direction, end))
      end = End{};
    return end;
  }

  End keep(WholeReach reach) {
    End end;
    if (reach.witness && !reach.witness->cells.empty()) {
      end.unbounded = reach.unbounded;
      end.witness = keep(*std::move(reach.witness));
    }
    if (reach.chain && !reach.chain->empty())
      end.chain = append(report_.evidence.chains, *std::move(reach.chain));
    if (reach.tree)
      end.tree = keep(*std::move(reach.tree));
    if (reach.proof)
      end.proof = append(report_.evidence.proofs, *std::move(reach.proof));
    if (reach.step)
      end.step = append(report_.evidence.steps, *std::move(reach.step));
    return end;
  }

  std::int32_t keep(WholeTreeEvidence found) {
    const auto moved_by = [](std::int32_t& index, std::size_t offset) {
      index += index < 0 ? 0 : static_cast<std::int32_t>(offset);
    };
    for (TreeNode& node : found.tree) {
      moved_by(node.proof, report_.evidence.proofs.size());
      moved_by(node.step, report_.evidence.steps.size());
      moved_by(node.chain, report_.evidence.chains.size());
    }
    for (Multipliers& proof : found.proofs)
      report_.evidence.proofs.push_back(std::move(proof));
    for (Step& step : found.steps)
      report_.evidence.steps.push_back(std::move(step));
    for (Chain& chain : found.chains)
      report_.evidence.chains.push_back(std::move(chain));
    return append(report_.evidence.trees, std::move(found.tree));
  }

  std::int32_t keep(Displacement witness) {
    return kept_.keep(report_.evidence.witnesses, std::move(witness));
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
  const std::size_t rational = problem.requirements().size();
  const std::span<Finding> findings = std::span(confirmed.findings).subspan(rational);
  const auto groups = by_attacker(findings, problem.attackers().size());
  for (std::size_t a = 0; a < groups.size(); ++a) {
    LACUNA_TRY(const CountedRooms known, counted_rooms(problem, draft, problem.attackers()[a]));
    Confirmation confirmation(problem, draft, known);
    for (const std::size_t i : groups[a]) {
      Finding& finding = findings[i];
      finding.reason.clear();
      Facts facts;
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

// SPDX-License-Identifier: Apache-2.0
#include "data/certificate/certificate_lines.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/draft/system.h"
#include "core/table/unpublished.h"
#include "judge/bound/check_bound.h"
#include "judge/bound/check_intervals.h"

namespace lacuna::certificate {
namespace {

class Lines {
 public:
  explicit Lines(const draft::ReleaseSystem& system, const Certificate& certificate)
      : problem_(system.problem()),
        draft_(system.draft()),
        table_(problem_.table()),
        certificate_(certificate),
        evidence_(certificate.claimed.evidence),
        findings_(certificate.claimed.findings),
        counts_(problem_.counts() && !draft_.adjusted()) {}

  std::string write() {
    word("lacuna-lines").number(1).end_line();
    sizes();
    table();
    attackers();
    requirements();
    release();
    counts();
    evidence();
    findings();
    if (certificate_.bound)
      bound(*certificate_.bound);
    word("end").end_line();
    return std::move(text_);
  }

 private:
  // ---- words of a line

  Lines& word(std::string_view text) {
    if (!text_.empty() && text_.back() != '\n')
      text_ += ' ';
    text_ += text;
    return *this;
  }
  Lines& number(std::int64_t value) { return word(std::to_string(value)); }
  Lines& number(const Integer& value) { return word(value.text()); }
  Lines& count(const auto& list) { return number(static_cast<std::int64_t>(std::size(list))); }
  Lines& ends(const Bounds& bounds) {
    bounds.has_lower() ? number(bounds.lower) : word("-");
    return bounds.has_upper() ? number(bounds.upper) : word("-");
  }
  Lines& index(const char* name, std::int32_t index) {  // of evidence, if there is any
    return index < 0 ? word("none") : word(name).number(index);
  }
  void end_line() { text_ += '\n'; }

  Lines& terms(std::span<const Term> terms) {
    count(terms);
    for (const Term& term : terms)
      number(term.cell.value).number(term.coefficient);
    return *this;
  }
  Lines& multiples(const auto& ids, const std::vector<Integer>& numbers) {
    count(ids);
    for (std::size_t i = 0; i < ids.size(); ++i)
      number(ids[i].value).number(numbers[i]);
    return *this;
  }

  // ---- what is asked

  void sizes() {
    word("cells").number(table_.num_cells()).end_line();
    word("equations").number(table_.num_equations()).end_line();
    word("attackers").count(problem_.attackers()).end_line();
    word("witnesses").count(evidence_.witnesses).end_line();
    word("proofs").count(evidence_.proofs).end_line();
    word("steps").count(evidence_.steps).end_line();
    word("chains").count(evidence_.chains).end_line();
    word("trees").count(evidence_.trees).end_line();
  }

  void table() {
    word("values").number(table_.num_cells()).end_line();
    for (const Cell& cell : table_.cells())
      number(cell.value).ends(cell.prior).end_line();
    word("sums").number(table_.num_equations()).end_line();
    for (std::int32_t e = 0; e < table_.num_equations(); ++e)
      number(table_.rhs(EquationId{e})).terms(table_.equation(EquationId{e})).end_line();
  }

  void attackers() {
    word("knowledge").count(problem_.attackers()).end_line();
    for (const Attacker& attacker : problem_.attackers()) {
      count(attacker.known);
      for (const Knowledge& known : attacker.known)
        number(known.cell.value).ends(known.bounds);
      end_line();
    }
  }

  // Levels as they stand in files: whoever reads them raises zeros anew.
  void requirements() {
    const auto& needs = problem_.requirements();
    word("requirements").count(needs).end_line();
    Units unit = 1;
    bool meant = false;
    for (const Requirement& need : needs) {
      number(need.cell.value).number(need.attacker).number(need.lower).number(need.upper);
      number(need.given_sliding()).end_line();
      if (need.origin == LevelOrigin::kImplied)
        unit = need.sliding;
      meant = meant || need.origin == LevelOrigin::kStated;
    }
    word("zeros").word(meant ? "meant" : "raised").number(unit).end_line();
    const bool waives = problem_.waiver() == Waiver::kExposed;
    word("waived").word(waives ? "exposed" : "nothing").end_line();
  }

  // ---- what is published

  void release() {
    word("release").number(draft_.num_entries()).end_line();
    std::int64_t holes = 0;
    for (const CellEntry& entry : draft_.each()) {
      number(entry.cell.value).word(to_string(entry.state()));
      std::visit([this](const auto& says) { statement(says); }, entry.says);
      end_line();
      holes += entry.among().empty() ? 0 : 1;
    }
    word("among").number(holes).end_line();
    for (const CellEntry& entry : draft_.each()) {
      if (entry.among().empty())
        continue;
      number(entry.cell.value).count(entry.among());
      for (const Units number_left : entry.among())
        number(number_left);
      end_line();
    }
  }

  void statement(const Exact&) {}
  void statement(const Withheld&) {}
  void statement(const IntervalEnds& says) { number(says.ends.lower).number(says.ends.upper); }
  void statement(const Rounded& says) { number(says.value).number(says.base).number(says.steps); }
  void statement(const Altered& says) {
    number(says.value).number(says.range.lower).number(says.range.upper);
  }
  void statement(const Adjusted& says) { number(says.value); }

  // ---- counts

  void cells_that(const char* name, const auto& is_one) {
    std::vector<std::int32_t> found;
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      if (is_one(table_.cell(CellId{c})))
        found.push_back(c);
    }
    word(name).count(found);
    for (const std::int32_t cell : found)
      number(cell);
    end_line();
  }

  void counts() {
    word("counts");
    if (!counts_) {
      word("none").end_line();
      return;
    }
    const CountRules& rules = *problem_.counts();
    number(rules.threshold).number(rules.ambiguity).number(rules.coalition);
    word(enum_names(rules.withheld_means)[static_cast<std::size_t>(rules.withheld_means)]);
    word(enum_names(rules.zeros)[static_cast<std::size_t>(rules.zeros)]).end_line();
    cells_that("primaries", [](const Cell& cell) { return cell.status == CellStatus::kPrimary; });
    cells_that("unlisted", [](const Cell& cell) { return table::is_unpublished(cell); });
    word("questions").count(rules.questions).end_line();
    for (const CountQuestion& asked : rules.questions) {
      word(enum_names(asked.kind)[static_cast<std::size_t>(asked.kind)]);
      number(asked.attacker).number(asked.cell.value).terms(asked.form).end_line();
    }
  }

  // ---- evidence

  void evidence() {
    word("moves").count(evidence_.witnesses).end_line();
    for (const Displacement& witness : evidence_.witnesses)
      number(witness.denominator).multiples(witness.cells, witness.moves).end_line();
    word("multipliers").count(evidence_.proofs).end_line();
    for (const Multipliers& proof : evidence_.proofs)
      number(proof.denominator).multiples(proof.equations, proof.values).end_line();
    if (!counts_)
      return;
    word("multiples").count(evidence_.steps).end_line();
    for (const Step& step : evidence_.steps) {
      number(step.q).number(step.h.denominator);
      multiples(step.h.equations, step.h.values).end_line();
    }
    word("passed").count(evidence_.chains).end_line();
    for (const Chain& chain : evidence_.chains) {
      count(chain);
      for (const ChainLine& line : chain) {
        number(line.cell.value).word(line.side == Direction::kHigh ? "high" : "low");
        number(line.equation.value).number(line.value);
      }
      end_line();
    }
    word("cases").count(evidence_.trees).end_line();
    for (const IntegerTree& tree : evidence_.trees) {
      node(tree, 0);
      end_line();
    }
  }

  void node(const IntegerTree& tree, std::int32_t at) {
    const TreeNode& here = tree[static_cast<std::size_t>(at)];
    if (here.cell.value >= 0) {
      word("case").number(here.cell.value).number(here.at);
      node(tree, here.low);
      node(tree, here.high);
      return;
    }
    word(here.empty ? "empty" : "leaf").index("chain", here.chain);
    index("proof", here.proof).index("step", here.step);
  }

  void findings() {
    const std::size_t needs = std::min(problem_.requirements().size(), findings_.size());
    const std::span all(findings_);
    word("findings").count(all.first(needs)).end_line();
    for (const Finding& finding : all.first(needs)) {
      number(finding.question.cell.value).number(finding.question.attacker);
      shown(finding.low).index("proof", finding.low.proof);
      shown(finding.high).index("proof", finding.high.proof).end_line();
    }
    if (!counts_)
      return;
    word("answers").count(all.subspan(needs)).end_line();
    for (const Finding& finding : all.subspan(needs)) {
      end(finding.low);
      end(finding.high);
      count(finding.shown);
      for (const std::int32_t witness : finding.shown)
        number(witness);
      end_line();
    }
  }

  Lines& shown(const End& end) { return index(end.unbounded ? "ray" : "witness", end.witness); }
  void end(const End& end) {
    shown(end).index("chain", end.chain).index("proof", end.proof);
    index("step", end.step).index("tree", end.tree);
  }

  // ---- the bound

  // Cells that are withheld in any case (of adjusted tables: none), and those with weights that may
  // be published otherwise than they are.
  void bound(const BoundLog& log) {
    const std::vector<bool> always =
        log.tables      ? std::vector<bool>()
        : log.intervals ? bound::withheld_cells(problem_)
                        : bound::always_withheld(problem_);
    word("bound").number(std::count(always.begin(), always.end(), true));
    for (std::size_t c = 0; c < always.size(); ++c) {
      if (always[c])
        number(static_cast<std::int64_t>(c));
    }
    end_line();
    word("weights").multiples(log.cells, log.values).end_line();
    if (log.intervals)
      intervals(*log.intervals);
    else if (log.tables)
      tables(*log.tables);
    else
      ties_and_steps(log);
    word("claim").number(log.at_least).end_line();
  }

  void intervals(const IntervalBound& log) {
    word("intervals").number(log.weight).count(log.needs).end_line();
    for (const NeedStep& need : log.needs) {
      bound_step(need);
      end_line();
    }
  }

  void tables(const TableBound& log) {
    word("tables").number(log.norm).count(log.trees).end_line();
    for (const TableTree& tree : log.trees) {
      word("tree").count(tree.cells);
      for (const CellId cell : tree.cells)
        number(cell.value);
      number(tree.at_least);
      for (const SenseNode& node : tree.nodes) {
        if (node.cell.value >= 0)
          word("case").number(node.cell.value);
        else
          word("closed").number(node.weight).multiples(node.sum.equations, node.sum.values);
      }
      end_line();
    }
  }

  void ties_and_steps(const BoundLog& log) {
    word("ties").count(log.ties).end_line();
    for (const BoundTie& tie : log.ties) {
      number(tie.cell.value).number(tie.with.value);
      multiples(tie.sum.equations, tie.sum.values).end_line();
    }
    word("by").count(log.steps).end_line();
    for (const BoundStep& step : log.steps) {
      std::visit([this](const auto& each) { bound_step(each); }, step);
      end_line();
    }
  }

  void bound_step(const NeedStep& step) {
    static constexpr std::array<const char*, 3> kSides{"high", "low", "both"};
    word(kSides[static_cast<std::size_t>(step.side)]).number(step.requirement);
    if (step.side != BoundSide::kLow)
      number(step.high.denominator).multiples(step.high.equations, step.high.values);
    if (step.side != BoundSide::kHigh)
      number(step.low.denominator).multiples(step.low.equations, step.low.values);
  }
  void bound_step(const BridgelessStep& step) {
    word("bridgeless").number(step.cell.value);
    multiples(step.sum.equations, step.sum.values);
  }
  void bound_step(const SumStep& step) {
    word("sum");
    steps(step.steps, step.times).multiples(step.capped, step.by).number(step.divisor);
  }
  void bound_step(const TreeStep& step) {
    word("tree").multiples(step.cells, step.values).number(step.at_least);
    for (const BoundNode& node : step.nodes) {
      if (node.kind == BoundNode::Kind::kCase) {
        word("case").number(node.cell.value);
        continue;
      }
      word(node.kind == BoundNode::Kind::kLeaf ? "closed" : "settled").number(node.weight);
      steps(node.steps, node.times);
    }
  }
  Lines& steps(const std::vector<std::int32_t>& steps, const std::vector<Integer>& times) {
    count(steps);
    for (std::size_t k = 0; k < steps.size(); ++k)
      number(steps[k]).number(times[k]);
    return *this;
  }

  std::string text_;
  const Problem& problem_;
  const Draft& draft_;
  const Table& table_;
  const Certificate& certificate_;
  const Evidence& evidence_;
  const std::vector<Finding>& findings_;
  bool counts_;
};

}  // namespace

std::string certificate_lines(const Problem& problem, const Certificate& certificate) {
  const draft::ReleaseSystem system(problem, certificate.draft);
  return Lines(system, certificate).write();
}

}  // namespace lacuna::certificate

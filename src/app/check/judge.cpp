// SPDX-License-Identifier: Apache-2.0
#include "app/check/judge.h"

#include <algorithm>
#include <map>
#include <set>

#include "app/check/audit_cells.h"
#include "app/check/derive.h"
#include "core/base/check.h"
#include "core/base/exact.h"
#include "core/base/index.h"
#include "core/base/rational.h"

namespace lacuna::checking {
namespace {

class Judge {
 public:
  Judge(const CheckSystem& system,
        const Outputs& outputs,
        const JudgeOptions& options,
        const RunContext& run)
      : system_(system), outputs_(outputs), options_(options), run_(run) {
    for (const CheckCell& each : system.cells)
      found_.push_back(each.kind != CellKind::kPrinted && options.told_before.contains(each.label));
    together_.assign(system.links.size(), false);
  }

  Result<std::vector<CheckFinding>> judge() {
    add_shown();
    LACUNA_RETURN_IF_ERROR(judge_round(false));
    const bool any_guess = std::any_of(system_.links.begin(),
                                       system_.links.end(),
                                       [](const Link& each) { return !each.guess.empty(); });
    if (any_guess)
      LACUNA_RETURN_IF_ERROR(judge_round(true));
    add_clashes();
    for (CheckFinding& each : findings_)
      name_terms(system_, outputs_, each);
    return std::move(findings_);
  }

 private:
  const CheckCell& cell(std::int32_t c) const { return system_.cells[base::at(c)]; }
  const CheckTable& table_at(RowPlace place) const {
    return outputs_.tables[base::at(place.table)];
  }
  bool is_released(RowPlace place) const {
    return outputs_.outputs[table_at(place).output].released;
  }
  bool is_small(Units value) const {
    return value >= (options_.zeros_are_sensitive ? 0 : 1) && value < options_.threshold;
  }
  // That a group which nobody prints is empty tells nothing of a person.
  bool is_small_rest(Units value) const { return value >= 1 && value < options_.threshold; }

  static void add_output(std::size_t output, std::vector<std::size_t>& outputs) {
    if (std::find(outputs.begin(), outputs.end(), output) == outputs.end())
      outputs.push_back(output);
  }

  // ---- what is printed

  void add_shown() {
    for (std::size_t c = 0; c < system_.cells.size(); ++c) {
      const CheckCell& each = system_.cells[c];
      if (each.kind != CellKind::kPrinted || !is_small(each.known.lower))
        continue;
      found_[c] = true;
      CheckFinding finding;
      finding.kind = each.known.lower == 0 ? FindingKind::kZero : FindingKind::kShown;
      finding.cell = static_cast<std::int32_t>(c);
      finding.label = each.label;
      EvidenceSum sum;
      for (const RowPlace& place : each.places) {
        if (is_released(place))
          continue;
        add_output(table_at(place).output, finding.outputs);
        if (sum.terms.empty())
          sum.terms.push_back({1, finding.cell, place, each.known.lower, false});
      }
      finding.past = finding.outputs.empty();
      if (finding.past)
        sum.terms.push_back({1, finding.cell, each.places.front(), each.known.lower, false});
      sum.total = each.known.lower;
      finding.sums.push_back(std::move(sum));
      finding.reason = each.known.lower == 0
                           ? "it prints an empty cell"
                           : "it prints a count below " + std::to_string(options_.threshold);
      findings_.push_back(std::move(finding));
    }
  }

  // ---- what follows

  Status judge_round(bool with_guesses) {
    std::vector<bool> open, uses;
    for (const CheckCell& each : system_.cells)
      open.push_back(each.kind == CellKind::kPrinted);
    for (const Link& link : system_.links)
      uses.push_back(with_guesses || link.guess.empty());
    const Derivation known = derive(system_, open, uses);
    for (std::size_t c = 0; c < system_.cells.size(); ++c) {
      const auto& derived = known.cells[c];
      if (!derived || open[c] || found_[c])
        continue;
      const bool small = system_.cells[c].kind == CellKind::kRest ? is_small_rest(derived->value)
                                                                  : is_small(derived->value);
      if (small)
        add_derived(static_cast<std::int32_t>(c), *derived);
    }
    add_together(known, uses);
    return add_audited(known, uses, with_guesses);
  }

  static EvidenceSum sum_of(const Derived& derived, const CheckSystem& system) {
    EvidenceSum sum;
    for (const auto& [cell, factor] : derived.form)
      sum.terms.push_back({factor, cell, {}, system.cells[base::at(cell)].known.lower, false});
    sum.total = derived.value;
    return sum;
  }

  static FindingKind kind_of(const CheckCell& cell, Units value) {
    if (cell.kind == CellKind::kRest)
      return FindingKind::kRest;
    return value == 0 ? FindingKind::kZero : FindingKind::kTold;
  }

  void add_derived(std::int32_t c, const Derived& derived) {
    CheckFinding finding;
    finding.kind = kind_of(cell(c), derived.value);
    finding.cell = c;
    finding.label = cell(c).label;
    finding.sums.push_back(sum_of(derived, system_));
    finish(std::move(finding), {derived.links.begin(), derived.links.end()});
    found_[base::at(c)] = true;
  }

  // Blanks of a sum that are small together: the group of all of them is.
  void add_together(const Derivation& known, const std::vector<bool>& uses) {
    for (std::size_t l = 0; l < system_.links.size(); ++l) {
      if (uses[l] && !together_[l])
        add_together(static_cast<std::int32_t>(l), known);
    }
  }

  void add_together(std::int32_t l, const Derivation& known) {
    const Link& link = system_.links[base::at(l)];
    Derived left;
    left.links.insert(l);
    std::string label;
    std::size_t unknown = 0, told = 0;
    Wide value = 0;
    for (std::size_t i = 0; i < link.terms.size(); ++i) {
      const LinkTerm& term = link.terms[i];
      if (!known.is_known(term.cell)) {
        if (i == 0)
          return;  // the whole itself
        ++unknown;
        label += (label.empty() ? "" : " and ") + cell(term.cell).label;
        continue;
      }
      const Derived& own = *known.cells[base::at(term.cell)];
      told += i > 0 && own.value > 0 ? 1 : 0;
      value += Wide{own.value} * term.coefficient;
      left.links.insert(own.links.begin(), own.links.end());
      for (const auto& [printed, factor] : own.form)
        left.form[printed] += factor * term.coefficient;
    }
    if (unknown < 2 || told == 0 || value < 1 || value >= options_.threshold)
      return;
    std::erase_if(left.form, [](const auto& term) { return term.second == Fraction(0); });
    left.value = static_cast<Units>(value);
    CheckFinding finding;
    finding.kind = FindingKind::kTogether;
    finding.cell = link.terms.front().cell;
    finding.label = label + " together";
    if (options_.told_before.contains(finding.label))
      return;
    finding.sums.push_back(sum_of(left, system_));
    finish(std::move(finding), {left.links.begin(), left.links.end()});
    together_[base::at(l)] = true;
  }

  Status add_audited(const Derivation& known, const std::vector<bool>& uses, bool with_guesses) {
    LACUNA_TRY(AuditedCells audited, audit_cells(system_, known, uses, found_, options_, run_));
    for (BoundedCell& each : audited.small)
      add_bounded(each);
    if (!with_guesses) {
      for (const auto& cells : audited.contradictions)
        add_contradiction(cells);
    }
    return ok_status();
  }

  void add_bounded(BoundedCell& bounded) {
    const CheckCell& each = cell(bounded.cell);
    if (each.kind == CellKind::kRest && bounded.decided && bounded.low < 1)
      return;
    CheckFinding finding;
    finding.cell = bounded.cell;
    finding.label = each.label;
    finding.kind = bounded.decided ? kind_of(each, bounded.high) : FindingKind::kUndecided;
    finding.sums = std::move(bounded.sums);
    if (bounded.decided && finding.sums.empty()) {
      EvidenceSum low, high;
      low.side = "at least";
      low.total = bounded.low;
      high.side = "at most";
      high.total = bounded.high;
      finding.sums = {low, high};
    }
    found_[base::at(bounded.cell)] = true;
    if (!bounded.decided) {
      finding.weight = Weight::kReview;
      finding.reason = "whether this count is surely small was not settled";
      blame_links_of(bounded.cell, finding);
      findings_.push_back(std::move(finding));
      return;
    }
    finish(std::move(finding), {bounded.links.begin(), bounded.links.end()});
  }

  void blame_links_of(std::int32_t c, CheckFinding& finding) {
    for (const Link& link : system_.links) {
      const bool has = std::any_of(link.terms.begin(), link.terms.end(), [&](const LinkTerm& term) {
        return term.cell == c;
      });
      for (const LinkTerm& term : link.terms) {
        for (const RowPlace& place : cell(term.cell).places) {
          if (has && !is_released(place))
            add_output(table_at(place).output, finding.outputs);
        }
      }
    }
    finding.past = finding.outputs.empty();
  }

  void add_contradiction(const std::vector<std::int32_t>& cells) {
    CheckFinding finding;
    finding.kind = FindingKind::kContradict;
    finding.weight = Weight::kReview;
    for (const std::int32_t c : cells) {
      if (finding.label.size() < 120)
        finding.label += (finding.label.empty() ? "" : "; ") + cell(c).label;
      for (const RowPlace& place : cell(c).places) {
        if (!is_released(place))
          add_output(table_at(place).output, finding.outputs);
      }
    }
    finding.past = finding.outputs.empty();
    finding.reason =
        "no table has these numbers: they were rounded or changed, or the subsets are not as "
        "stated or read; what they tell was not computed";
    findings_.push_back(std::move(finding));
  }

  // ---- who prints it, and what was guessed

  // Of the places of every term those whose table prints most terms; released ones first.
  void choose_places(CheckFinding& finding) const {
    std::map<std::int32_t, std::size_t> terms_of;
    for (const EvidenceSum& sum : finding.sums) {
      for (const EvidenceTerm& term : sum.terms) {
        for (const RowPlace& place : cell(term.cell).places)
          ++terms_of[place.table];
      }
    }
    for (EvidenceSum& sum : finding.sums) {
      for (EvidenceTerm& term : sum.terms) {
        const std::vector<RowPlace>& places = cell(term.cell).places;
        if (places.empty())
          continue;
        term.place = *std::max_element(
            places.begin(), places.end(), [&](const RowPlace& a, const RowPlace& b) {
              if (is_released(a) != is_released(b))
                return is_released(b);
              return terms_of[a.table] < terms_of[b.table];
            });
      }
    }
  }

  void finish(CheckFinding finding, const std::set<std::int32_t>& links) {
    choose_places(finding);
    std::set<std::int32_t> tables;
    std::set<std::size_t> chosen;
    for (const EvidenceSum& sum : finding.sums) {
      for (const EvidenceTerm& term : sum.terms) {
        if (term.at_bound || cell(term.cell).places.empty())
          continue;
        tables.insert(term.place.table);
        if (!is_released(term.place))
          chosen.insert(table_at(term.place).output);
      }
    }
    for (const std::size_t output : chosen)
      add_output(output, finding.outputs);
    if (chosen.size() > 1)
      blame_all(finding);
    if (tables.empty())
      blame_links_of(finding.cell, finding);
    finding.past = finding.outputs.empty();
    add_guesses(links, tables, finding);
    finding.weight = finding.guesses.empty() ? Weight::kFail : Weight::kReview;
    if (finding.reason.empty())
      finding.reason = reason_of(finding);
    findings_.push_back(std::move(finding));
  }

  // Without one of these outputs, another that prints the same number tells as much.
  void blame_all(CheckFinding& finding) const {
    for (const EvidenceSum& sum : finding.sums) {
      for (const EvidenceTerm& term : sum.terms) {
        if (term.at_bound || cell(term.cell).places.empty() || is_released(term.place))
          continue;
        for (const RowPlace& place : cell(term.cell).places)
          add_output(table_at(place).output, finding.outputs);
      }
    }
    std::sort(finding.outputs.begin(), finding.outputs.end());
  }

  void add_guesses(const std::set<std::int32_t>& links,
                   const std::set<std::int32_t>& tables,
                   CheckFinding& finding) const {
    std::set<std::string> guesses;
    for (const std::int32_t link : links) {
      if (!system_.links[base::at(link)].guess.empty())
        guesses.insert(system_.links[base::at(link)].guess);
    }
    std::set<std::int32_t> populations;
    for (const std::int32_t table : tables) {
      populations.insert(system_.population_of[base::at(table)]);
      const std::string& guess = outputs_.tables[base::at(table)].guess;
      if (tables.size() > 1 && !guess.empty())
        guesses.insert(guess);
    }
    if (populations.size() > 1 && guesses.empty())
      guesses.insert(
          "that these tables are about the same records is a guess: they have no number in common, "
          "and nobody stated it");
    finding.guesses.assign(guesses.begin(), guesses.end());
  }

  std::string reason_of(const CheckFinding& finding) const {
    const bool several = finding.sums.size() > 1;
    switch (finding.kind) {
      case FindingKind::kRest:
        return "a group of fewer than " + std::to_string(options_.threshold) +
               " is left when the numbers are subtracted";
      case FindingKind::kTogether:
        return "the blanks of a sum are fewer than " + std::to_string(options_.threshold) +
               " together";
      case FindingKind::kZero:
        return "that a cell is empty follows";
      default:
        return several ? "a withheld count is surely below " + std::to_string(options_.threshold)
                       : "a withheld count below " + std::to_string(options_.threshold) +
                             " can be computed";
    }
  }

  // ---- tables of one description with other numbers

  // Those that differ by little may be n and n - 1. Of all others it is not known which records
  // they are about, so that nothing could be said of them together.
  void add_clashes() {
    std::set<std::int32_t> asked;
    for (const bool close_ones : {true, false}) {
      for (const Clash& clash : system_.clashes) {
        std::vector<std::pair<RowPlace, RowPlace>> close;
        for (const auto& pair : clash.differing) {
          const Units off = number_at(pair.first) - number_at(pair.second);
          if (off < options_.threshold && -off < options_.threshold)
            close.push_back(pair);
        }
        if (close.empty() == close_ones)
          continue;
        if (!close_ones && asked.contains(clash.one) && asked.contains(clash.other))
          continue;
        asked.insert(clash.one);
        asked.insert(clash.other);
        add_clash(clash, close);
      }
    }
  }

  void add_clash(const Clash& clash, const std::vector<std::pair<RowPlace, RowPlace>>& close) {
    CheckFinding finding;
    finding.kind = FindingKind::kClash;
    finding.weight = Weight::kReview;
    const auto& first = close.empty() ? clash.differing.front() : close.front();
    finding.cell = system_.cell_of[base::at(first.first.table)][base::at(first.first.row)];
    finding.label =
        cell(system_.cell_of[base::at(first.second.table)][base::at(first.second.row)]).label;
    for (const RowPlace& place : {first.first, first.second}) {
      if (!is_released(place))
        add_output(table_at(place).output, finding.outputs);
    }
    finding.past = finding.outputs.empty();
    const std::string number = std::to_string(close.size()), of = std::to_string(clash.common);
    finding.reason = table_at(first.first).name + " and " + table_at(first.second).name +
                     " describe the same cells with other numbers" +
                     (close.empty() ? ""
                                    : ", and " + number + " of " + of + " differ by less than " +
                                          std::to_string(options_.threshold)) +
                     ": say in lacuna-check.toml which records each is about (subset)";
    finding.sums.push_back(difference_of(first));
    findings_.push_back(std::move(finding));
  }

  Units number_at(RowPlace place) const {
    return cell(system_.cell_of[base::at(place.table)][base::at(place.row)]).known.lower;
  }

  EvidenceSum difference_of(const std::pair<RowPlace, RowPlace>& pair) const {
    EvidenceSum sum;
    const Units one = number_at(pair.first), other = number_at(pair.second);
    sum.terms.push_back({1,
                         system_.cell_of[base::at(pair.first.table)][base::at(pair.first.row)],
                         pair.first,
                         one,
                         false});
    sum.terms.push_back({-1,
                         system_.cell_of[base::at(pair.second.table)][base::at(pair.second.row)],
                         pair.second,
                         other,
                         false});
    sum.total = one - other;
    return sum;
  }

  const CheckSystem& system_;
  const Outputs& outputs_;
  const JudgeOptions& options_;
  const RunContext& run_;
  std::vector<bool> found_, together_;
  std::vector<CheckFinding> findings_;
};

}  // namespace

std::string_view to_string(FindingKind kind) {
  switch (kind) {
    case FindingKind::kShown:
      return "shown";
    case FindingKind::kTold:
      return "told";
    case FindingKind::kRest:
      return "difference";
    case FindingKind::kTogether:
      return "together";
    case FindingKind::kZero:
      return "zero";
    case FindingKind::kClash:
      return "other records";
    case FindingKind::kContradict:
      return "contradiction";
    case FindingKind::kUndecided:
      return "undecided";
    case FindingKind::kFewBehind:
      return "few contributors";
    case FindingKind::kUnknown:
      return "contributors unknown";
    case FindingKind::kDominated:
      return "dominance";
    case FindingKind::kDiffers:
      return "other than the records";
    case FindingKind::kUnread:
      return "not read";
  }
  return "";
}

std::string_view to_string(Weight weight) {
  switch (weight) {
    case Weight::kPass:
      return "pass";
    case Weight::kReview:
      return "review";
    case Weight::kFail:
      return "fail";
  }
  return "";
}

void name_terms(const CheckSystem& system, const Outputs& outputs, CheckFinding& finding) {
  for (EvidenceSum& sum : finding.sums) {
    for (EvidenceTerm& term : sum.terms) {
      const CheckCell& cell = system.cells[base::at(term.cell)];
      term.label = cell.label;
      if (term.at_bound || cell.places.empty())
        continue;
      const CheckTable& table = outputs.tables[base::at(term.place.table)];
      term.where = table.rows[base::at(term.place.row)].where;
      term.output = outputs.outputs[table.output].name;
      term.released = outputs.outputs[table.output].released;
    }
  }
}

Result<std::vector<CheckFinding>> judge(const CheckSystem& system,
                                        const Outputs& outputs,
                                        const JudgeOptions& options,
                                        const RunContext& run) {
  return Judge(system, outputs, options, run).judge();
}

}  // namespace lacuna::checking

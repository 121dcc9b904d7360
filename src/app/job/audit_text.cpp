// SPDX-License-Identifier: Apache-2.0
#include "app/job/audit_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/job/cellkey_text.h"
#include "app/job/count_text.h"
#include "app/load/assessment.h"
#include "app/report/cell_view.h"
#include "core/base/decimal.h"
#include "core/base/json_writer.h"
#include "data/publish/pattern.h"
#include "lacuna/report.h"

namespace lacuna::job {
namespace {

constexpr std::size_t kCellsListed = 40;

// Which cell it is.
void write_cell_place(base::JsonWriter& json, const Table& table, CellId cell) {
  json.member("cell", cell.value);
  if (!table.codes(cell).empty())
    publish::write_codes(json.key("codes"), table, cell);
}

void write_range(base::JsonWriter& json, const report::InferredView& inferred) {
  json.key("lower").raw(inferred.low.text("null")).key("upper").raw(inferred.high.text("null"));
  if (!inferred.low.fraction.empty())
    json.member("lower_exact", inferred.low.fraction);
  if (!inferred.high.fraction.empty())
    json.member("upper_exact", inferred.high.fraction);
  json.member("exact", inferred.exact);
}

void write_finding(base::JsonWriter& json,
                   const Problem& problem,
                   const AuditReport& report,
                   const load::VerdictBasis& basis,
                   std::size_t i) {
  const Finding& finding = report.of(Domain::kRational)[i];
  const load::ChangeFacts* change = basis.change(finding.question.cell);
  const report::FindingView view =
      report::finding_view(problem, finding, change != nullptr ? change->added : 0);
  json.object([&] {
    write_cell_place(json, problem.table(), view.cell);
    if (change != nullptr)
      json.member("change_since", change->since);
    json.member("attacker", view.attacker);
    write_range(json, view.inferred);
    json.member("verdict", to_string(view.verdict));
    if (!view.reason.empty())
      json.member("reason", view.reason);
    if (!report.exposure.empty())
      json.member("exposure", to_string(report.exposure[i]));
  });
}

void write_cell_range(base::JsonWriter& json, const Problem& problem, const CellRange& range) {
  json.object([&] {
    write_cell_place(json, problem.table(), range.cell);
    json.member("attacker", problem.attackers().front().name);
    write_range(json, report::inferred_view(problem.table(), range.cell, range.low, range.high));
    json.key("verdict").null();
  });
}

void write_counts(base::JsonWriter& json, const Problem& problem, const AuditReport& report) {
  const AuditCounts& c = report.counts;
  json.object([&] {
    json.member("requirements", report.of(Domain::kRational).size());
    json.member("protected", report.count(Verdict::kProtected, Domain::kRational));
    json.member("exposed", report.count(Verdict::kExposed, Domain::kRational));
    json.member("undecided", report.count(Verdict::kUndecided, Domain::kRational));
    json.member("waived", report.count(Verdict::kWaived, Domain::kRational));
    json.member("unasked", report.count(Verdict::kUnasked, Domain::kRational));
    json.member("attackers", c.attackers).member("parts", c.parts);
    json.member("largest_part", c.largest_part).member("free_cells", c.free_cells);
    json.member("determined", c.determined).member("lp_solves", c.lp_solves);
    json.member("flows", c.flows).member("reused_witnesses", c.reused_witnesses);
    json.member("single_equation_proofs", c.single_equation_proofs);
    json.member("whole_part_searches", c.full_part_searches);
    write_whole(json, problem, report);
  });
}

void write_exposure(base::JsonWriter& json, const AuditReport& report) {
  const auto count = [&](Exposure kind) {
    return std::count(report.exposure.begin(), report.exposure.end(), kind);
  };
  json.object([&] {
    json.member("not_exposed", count(Exposure::kNotExposed));
    json.member("initially", count(Exposure::kInitially));
    json.member("consequentially", count(Exposure::kConsequentially));
    json.member("unknown", count(Exposure::kUnknown));
  });
}

struct CellsOfTable {  // without those that stand behind it
  std::int32_t all = 0, withheld = 0;
};

CellsOfTable cells_of_table(const Problem& problem,
                            const Draft& draft,
                            const load::VerdictBasis& basis) {
  const std::int32_t all = problem.table().num_cells();
  CellsOfTable cells{basis.own_cells < 0 ? all : basis.own_cells,
                     draft.count(StatementKind::kWithheld)};
  for (std::int32_t c = cells.all; c < all; ++c)
    cells.withheld -= draft.state(CellId{c}) == StatementKind::kWithheld ? 1 : 0;
  return cells;
}

void write_summary(base::JsonWriter& json,
                   const Problem& problem,
                   const Draft& draft,
                   const AuditReport& report,
                   const load::VerdictBasis& basis) {
  const Table& table = problem.table();
  json.member("verdict", to_string(report.verdict)).key("table").object([&] {
    const CellsOfTable cells = cells_of_table(problem, draft, basis);
    json.member("cells", cells.all).member("equations", table.num_equations());
    json.member("withheld", cells.withheld);
  });
  if (report.verdict == Verdict::kUnasked)
    json.member("note", load::unasked_text(report, basis.rules, basis.lifted));
  load::write_basis(json, basis);
  const load::HiddenOnly hidden = load::hidden_only(problem);
  json.member("zero_level_cells", hidden.cells).member("levels_cut", hidden.cut);
  const InformationLoss loss = information_loss(problem, draft, report);
  json.key("information_loss").raw(information_loss_json(loss, table.decimals()));
  write_counts(json.key("counts"), problem, report);
  if (!report.of(Domain::kInteger).empty())
    write_kinds(json.key("kinds"), report);
  if (!report.exposure.empty())
    write_exposure(json.key("exposure"), report);
  write_cell_keys(json, problem, draft);
}

// "[10, 25/3]": as exact as it is known.
std::string shown_ends(const report::InferredView& inferred) {
  const auto shown = [](const report::InferredEnd& end, const char* none) {
    return end.fraction.empty() ? end.text(none) : end.fraction;
  };
  return (inferred.exact ? "as [" : "no closer than [") + shown(inferred.low, "-inf") + ", " +
         shown(inferred.high, "inf") + "]";
}

// An adjusted table shows a number that must lie outside the protection interval.
std::string adjusted_line(const Problem& problem, const Draft& draft, const Finding& finding) {
  const Table& table = problem.table();
  const Question& need = finding.question;
  const Units value = table.value(need.cell);
  const Units half = need.half_sliding();
  return fmt::format("  {:<24} value {}  published as {}  must lie outside ({}, {})  {}{}\n",
                     table.label(need.cell),
                     base::format_units(value, table.decimals()),
                     report::published_text(table, report::published_view(table, draft, need.cell)),
                     base::format_units(value - std::max(need.lower, half), table.decimals()),
                     base::format_units(value + std::max(need.upper, half), table.decimals()),
                     to_string(finding.verdict),
                     finding.reason.empty() ? "" : ": " + finding.reason);
}

// "[10, 14]", "a width of 5", or both.
std::string needed(const Table& table, const Question& need, Units less) {
  const auto number = [&](Units units) { return base::format_units(units, table.decimals()); };
  const Units value = table.value(need.cell) - less;
  const std::string ends =
      "[" + number(value - need.lower) + ", " + number(value + need.upper) + "]";
  if (Wide{need.sliding} <= Wide{need.lower} + need.upper)
    return ends;
  const std::string width = "a width of " + number(need.sliding);
  return need.lower == 0 && need.upper == 0 ? width : ends + " and " + width;
}

std::string finding_line(const Problem& problem,
                         const Finding& finding,
                         const load::ChangeFacts* change) {
  const Table& table = problem.table();
  const Units less = change != nullptr ? change->added : 0;
  const report::FindingView view = report::finding_view(problem, finding, less);
  const std::string what = change != nullptr ? "change since " + change->since : "value";
  return fmt::format("  {:<24} {} {}  can be inferred{} {}  needs {}  {}{}\n",
                     table.label(view.cell),
                     what,
                     base::format_units(view.value, table.decimals()),
                     finding.question.attacker == 0 ? "" : " by " + view.attacker,
                     shown_ends(view.inferred),
                     needed(table, finding.question, less),
                     to_string(view.verdict),
                     view.reason.empty() ? "" : ": " + view.reason);
}

// Below the headline, which is about what was called safe by hand where nothing else was asked.
std::string notes_text(const Problem& problem,
                       const AuditReport& report,
                       load::VerdictBasis basis) {
  std::string out;
  basis.read_as.clear();  // stands above it
  if (report.verdict == Verdict::kUnasked) {
    if (basis.rules.empty())
      out += load::unasked_text(report, basis.rules, basis.lifted) + "\n";
    basis.lifted = 0;
  }
  for (const std::string& remark : load::limits_of(basis, problem))
    out += "note: " + remark + "\n";
  return out;
}

}  // namespace

std::string audit_json(const AuditOutcome& made, int threads) {
  const Problem& problem = *made.problem;
  const Draft& draft = made.draft;
  const AuditReport& report = made.report;
  const load::VerdictBasis& basis = made.basis;
  const auto write = [&](base::JsonWriter& json) {
    write_summary(json, problem, draft, report, basis);
    json.member("work", report.work).key("seconds").fixed(report.seconds, 6);
    json.member("threads", threads).member("engine", report.engine).key("cells").list([&] {
      for (std::size_t i = 0; i < report.of(Domain::kRational).size(); ++i)
        write_finding(json.line(), problem, report, basis, i);
      for (const CellRange& range : report.ranges)
        write_cell_range(json.line(), problem, range);
      for (const Finding& finding : report.of(Domain::kInteger))
        write_finding_of_counts(json.line(), problem, draft, report, finding);
    });
    if (made.replay)
      json.key("replay").object([&] { write_replays(json, problem, *made.replay); });
  };
  return base::json_object(write) + "\n";
}

std::string replay_text(const AuditOutcome& made) {
  return made.replay ? replay_text(*made.problem, *made.replay) : std::string();
}

std::string audit_text(const Problem& problem,
                       const Draft& draft,
                       const AuditReport& report,
                       const load::VerdictBasis& basis) {
  const CellsOfTable cells = cells_of_table(problem, draft, basis);
  std::string out = fmt::format("{}{}; {} of {} cells withheld; {:.3f} s with {}\n",
                                basis.read_as.empty() ? "" : basis.read_as + "\n",
                                load::headline(report, basis.rules, basis.lifted, basis.waived_by),
                                cells.withheld,
                                cells.all,
                                report.seconds,
                                report.engine);
  out += notes_text(problem, report, basis);
  std::size_t listed = 0;
  const bool all = report.of(Domain::kRational).size() <= kCellsListed;
  for (const Finding& finding : report.of(Domain::kRational)) {
    if (!all && is_met(finding.verdict))
      continue;
    if (++listed > kCellsListed) {
      out += "  ... (all of them with --json)\n";
      break;
    }
    out +=
        draft.adjusted()
            ? adjusted_line(problem, draft, finding)
            : finding_line(problem, finding, basis.change(finding.question.cell));
  }
  out += findings_of_counts_text(problem, draft, report);
  out += cell_key_text(problem, draft);
  for (const CellRange& range : report.ranges) {
    out += fmt::format(
        "  {:<24} can be inferred {}\n",
        problem.table().label(range.cell),
        shown_ends(report::inferred_view(problem.table(), range.cell, range.low, range.high)));
  }
  out += basis.policy.empty() ? "" : basis.policy + "\n";
  return out + (basis.status_reading.empty() ? "" : basis.status_reading + "\n");
}

}  // namespace lacuna::job

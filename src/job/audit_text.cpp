// SPDX-License-Identifier: Apache-2.0
#include "job/audit_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/decimal.h"
#include "io/json_tree.h"
#include "job/asked.h"
#include "job/cellkey_text.h"
#include "job/count_text.h"
#include "lacuna/report.h"
#include "report/cell_view.h"

namespace lacuna::inline job {
namespace {

constexpr std::size_t kCellsListed = 40;

std::string codes_json(const Table& table, CellId cell) {
  const auto codes = table.codes(cell);
  if (codes.empty())
    return "";
  std::string out = ",\"codes\":[";
  for (std::size_t d = 0; d < codes.size(); ++d) {
    out += (d > 0 ? "," : "") + json_quoted(table.dimensions()[d].code(codes[d]));
  }
  return out + "]";
}

std::string range_json(const InferredView& inferred) {
  std::string out =
      ",\"lower\":" + inferred.low.text("null") + ",\"upper\":" + inferred.high.text("null");
  if (!inferred.low.fraction.empty())
    out += ",\"lower_exact\":\"" + inferred.low.fraction + "\"";
  if (!inferred.high.fraction.empty())
    out += ",\"upper_exact\":\"" + inferred.high.fraction + "\"";
  return out + ",\"exact\":" + (inferred.exact ? "true" : "false");
}

std::string finding_json(const Problem& problem, const AuditReport& report, std::size_t i) {
  const FindingView view = finding_view(problem, report.findings[i]);
  std::string out = "{\"cell\":" + std::to_string(view.cell.value) +
                    codes_json(problem.table(), view.cell) +
                    ",\"attacker\":" + json_quoted(view.attacker) + range_json(view.inferred) +
                    ",\"verdict\":\"" + std::string(to_string(view.verdict)) + '"';
  if (!view.reason.empty())
    out += ",\"reason\":" + json_quoted(view.reason);
  if (!report.exposure.empty())
    out += ",\"exposure\":\"" + std::string(to_string(report.exposure[i])) + '"';
  return out + "}";
}

std::string counts_json(const Problem& problem, const AuditReport& report) {
  const AuditCounts& c = report.counts;
  return fmt::format(
      "{{\"requirements\":{},\"protected\":{},\"exposed\":{},\"undecided\":{},\"waived\":{},"
      "\"unasked\":{},\"attackers\":{},"
      "\"parts\":{},"
      "\"largest_part\":{},\"free_cells\":{},\"determined\":{},\"lp_solves\":{},\"flows\":{},"
      "\"reused_"
      "witnesses\":{},"
      "\"single_equation_proofs\":{},\"whole_part_searches\":{}{}}}",
      report.findings.size(),
      report.count(Verdict::kProtected),
      report.count(Verdict::kExposed),
      report.count(Verdict::kUndecided),
      report.count(Verdict::kWaived),
      report.count(Verdict::kUnasked),
      c.attackers,
      c.parts,
      c.largest_part,
      c.free_cells,
      c.determined,
      c.lp_solves,
      c.flows,
      c.reused_witnesses,
      c.single_equation_proofs,
      c.whole_part_searches,
      whole_json(problem, report));
}

std::string exposure_json(const AuditReport& report) {
  std::int64_t counts[4] = {0, 0, 0, 0};
  for (const Exposure each : report.exposure)
    ++counts[static_cast<std::size_t>(each)];
  return fmt::format(
      "{{\"not_exposed\":{},\"initially\":{},\"consequentially\":{},\"unknown\":{}}}",
      counts[static_cast<std::size_t>(Exposure::kNotExposed)],
      counts[static_cast<std::size_t>(Exposure::kInitially)],
      counts[static_cast<std::size_t>(Exposure::kConsequentially)],
      counts[static_cast<std::size_t>(Exposure::kUnknown)]);
}

// "[10, 25/3]": as exact as it is known.
std::string shown_ends(const InferredView& inferred) {
  const auto shown = [](const InferredEnd& end, const char* none) {
    return end.fraction.empty() ? end.text(none) : end.fraction;
  };
  return (inferred.exact ? "as [" : "no closer than [") + shown(inferred.low, "-inf") + ", " +
         shown(inferred.high, "inf") + "]";
}

// An adjusted table shows a number that must lie outside the protection interval.
std::string adjusted_line(const Problem& problem, const Draft& draft, const Finding& finding) {
  const Table& table = problem.table();
  const Requirement& need = finding.requirement;
  const Units value = table.value(need.cell);
  const Units half = need.half_sliding();
  return fmt::format(
      "  {:<24} value {}  published as {}  must lie outside ({}, {})  {}{}\n",
      table.label(need.cell),
      format_units(value, table.decimals()),
      published_text(table, published_view(table, draft, need.cell)),
      format_units(value - std::max(need.lower, half), table.decimals()),
      format_units(value + std::max(need.upper, half), table.decimals()),
      to_string(finding.verdict),
      finding.reason.empty() ? "" : ": " + finding.reason);
}

// "[10, 14]", "a width of 5", or both.
std::string needed(const Table& table, const Requirement& need) {
  const auto number = [&](Units units) { return format_units(units, table.decimals()); };
  const Units value = table.value(need.cell);
  const std::string ends =
      "[" + number(value - need.lower) + ", " + number(value + need.upper) + "]";
  if (Wide{need.sliding} <= Wide{need.lower} + need.upper)
    return ends;
  const std::string width = "a width of " + number(need.sliding);
  return need.lower == 0 && need.upper == 0 ? width : ends + " and " + width;
}

std::string finding_line(const Problem& problem, const Finding& finding) {
  const Table& table = problem.table();
  const FindingView view = finding_view(problem, finding);
  return fmt::format("  {:<24} value {}  can be inferred{} {}  needs {}  {}{}\n",
                     table.label(view.cell),
                     format_units(view.value, table.decimals()),
                     finding.requirement.attacker == 0 ? "" : " by " + view.attacker,
                     shown_ends(view.inferred),
                     needed(table, finding.requirement),
                     to_string(view.verdict),
                     view.reason.empty() ? "" : ": " + view.reason);
}

// Below the headline, which is about what was called safe by hand where nothing else was asked.
std::string notes_text(const Problem& problem, const AuditReport& report, Basis basis) {
  std::string out;
  basis.read_as.clear();  // stands above it
  if (report.verdict == Verdict::kUnasked) {
    if (basis.rules.empty())
      out += unasked_text(report, basis.rules, basis.lifted) + "\n";
    basis.lifted = 0;
  }
  for (const std::string& remark : limits_of(basis, problem))
    out += "note: " + remark + "\n";
  return out;
}

}  // namespace

std::string audit_json(const Problem& problem,
                       const Draft& draft,
                       const AuditReport& report,
                       const Basis& basis,
                       int threads) {
  std::string out = "{\"verdict\":\"" + std::string(to_string(report.verdict)) + "\"";
  out += fmt::format(",\"table\":{{\"cells\":{},\"equations\":{},\"withheld\":{}}}",
                     problem.table().num_cells(),
                     problem.table().num_equations(),
                     draft.count(CellState::kWithheld));
  if (report.verdict == Verdict::kUnasked)
    out += ",\"note\":" + json_quoted(unasked_text(report, basis.rules, basis.lifted));
  out += basis_json(basis);
  const HiddenOnly hidden = hidden_only(problem);
  out += fmt::format(",\"zero_level_cells\":{},\"levels_cut\":{}", hidden.cells, hidden.cut);
  out += ",\"information_loss\":" +
         information_loss_json(information_loss(problem, draft, report), problem.table().decimals());
  out += ",\"counts\":" + counts_json(problem, report);
  if (!report.count_findings.empty())
    out += ",\"kinds\":" + kinds_json(report);
  if (!report.exposure.empty())
    out += ",\"exposure\":" + exposure_json(report);
  out += cell_key_json(problem, draft);
  out += fmt::format(",\"work\":{},\"seconds\":{:.6f},\"threads\":{},\"engine\":\"{}\",\"cells\":[",
                     report.work,
                     report.seconds,
                     threads,
                     report.engine);
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    out += (i > 0 ? ",\n" : "\n") + finding_json(problem, report, i);
  }
  for (std::size_t i = 0; i < report.ranges.size(); ++i) {
    const CellRange& range = report.ranges[i];
    out += i > 0 || !report.findings.empty() ? ",\n" : "\n";
    out += "{\"cell\":" + std::to_string(range.cell.value) + codes_json(problem.table(), range.cell) +
           ",\"attacker\":" + json_quoted(problem.attackers().front().name) +
           range_json(inferred_view(problem.table(), range.cell, range.low, range.high)) +
           ",\"verdict\":null}";
  }
  for (std::size_t i = 0; i < report.count_findings.size(); ++i) {
    out += i > 0 || !report.findings.empty() || !report.ranges.empty() ? ",\n" : "\n";
    out += count_finding_json(problem, draft, report, report.count_findings[i]);
  }
  return out + "]}\n";
}

std::string audit_text(const Problem& problem,
                       const Draft& draft,
                       const AuditReport& report,
                       const Basis& basis) {
  std::string out = fmt::format("{}{}; {} of {} cells withheld; {:.3f} s with {}\n",
                                basis.read_as.empty() ? "" : basis.read_as + "\n",
                                headline(report, basis.rules, basis.lifted, basis.waived_by),
                                draft.count(CellState::kWithheld),
                                problem.table().num_cells(),
                                report.seconds,
                                report.engine);
  out += notes_text(problem, report, basis);
  std::size_t listed = 0;
  const bool all = report.findings.size() <= kCellsListed;
  for (const Finding& finding : report.findings) {
    if (!all && is_met(finding.verdict))
      continue;
    if (++listed > kCellsListed) {
      out += "  ... (all of them with --json)\n";
      break;
    }
    out +=
        draft.adjusted() ? adjusted_line(problem, draft, finding) : finding_line(problem, finding);
  }
  out += count_findings_text(problem, draft, report);
  out += cell_key_text(problem, draft);
  for (const CellRange& range : report.ranges) {
    out += fmt::format(
        "  {:<24} can be inferred {}\n",
        problem.table().label(range.cell),
        shown_ends(inferred_view(problem.table(), range.cell, range.low, range.high)));
  }
  return out + (basis.status_reading.empty() ? "" : basis.status_reading + "\n");
}

}  // namespace lacuna::inline job

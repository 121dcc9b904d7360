// SPDX-License-Identifier: Apache-2.0
#include "app/load/verdict_basis.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/load/assessment.h"
#include "app/report/assurance.h"
#include "core/table/check_counts.h"
#include "core/table/unpublished.h"

namespace lacuna::load {
std::string rules_text(const SensitivityOptions& options) {
  std::string text;
  const auto add = [&](const std::string& rule) { text += (text.empty() ? "" : ", ") + rule; };
  const auto add_number = [&](const char* name, std::int64_t number) {
    if (number > 0)
      add(std::string(name) + " " + std::to_string(number));
  };
  const auto add_text = [&](const char* name, const std::string& value) {
    if (!value.empty())
      add(std::string(name) + " " + value);
  };
  const auto number_text = [](const std::optional<Decimal>& number) {
    return number ? number->text() : "";
  };
  add_number("minimum-frequency", options.minimum_frequency);
  add_text("dominance", field_text(options.dominance));
  add_text("p-percent", number_text(options.p_percent));
  add_text("prior-posterior", field_text(options.prior_posterior));
  add_text("request-percent", number_text(options.request_percent));
  add_number("request-minimum", options.request_minimum);
  add_text("zero-level", number_text(options.zero_level));
  return text;
}

std::string rules_applied(const std::string& rules, const Problem& problem) {
  if (!problem.requirements().empty())
    return "";
  if (!problem.counts() || problem.counts()->threshold <= 1)  // below which there is no count
    return rules;
  return rules + (rules.empty() ? "" : ", ") + "counts below " +
         std::to_string(problem.counts()->threshold);
}

std::int64_t ask_of_withheld(Problem& problem, const Draft& release) {
  if (!problem.asks_nothing())
    return 0;
  ProblemParts parts = std::move(problem).parts();
  for (const CellEntry& entry : release.each()) {
    const Cell& cell = parts.table.cell(entry.cell);
    if (entry.state() != StatementKind::kWithheld || table::is_unpublished(cell) ||
        cell.prior.is_point())
      continue;
    Requirement need;
    need.cell = entry.cell;
    need.sliding = 1;
    need.origin = LevelOrigin::kImplied;
    parts.requirements.push_back(need);
    if (parts.counts)
      parts.counts->questions.push_back(
          {CountKind::kExact, 0, entry.cell, CellId{-1}, table::form_of_cell(entry.cell)});
  }
  std::sort(parts.requirements.begin(),
            parts.requirements.end(),
            [](const Requirement& a, const Requirement& b) { return a.cell < b.cell; });
  problem = assemble_problem(std::move(parts)).value();  // of withheld cells, each once
  return static_cast<std::int64_t>(problem.requirements().size());
}

VerdictBasis judged_as(VerdictBasis basis, const Problem& problem, bool adjusted) {
  if (problem.counts() && adjusted)
    basis.read_as =
        "read as numbers alone: what readers of counts can work out from an adjusted table was not "
        "asked";
  return basis;
}

std::string lifted_text(std::int64_t lifted) {
  if (lifted == 0)
    return "";
  if (lifted == 1)
    return "1 sensitive cell was called safe by hand, and nothing was asked about it";
  return fmt::format(
      "{} sensitive cells were called safe by hand, and nothing was asked about them", lifted);
}

std::string unasked_text(const AuditReport& report, const std::string& rules, std::int64_t lifted) {
  if (!report.of(Domain::kRational).empty())
    return "NOTHING IS ASKED of the sensitive cells except that their numbers are not printed: "
           "zero levels were stated for them, or readers know them in advance" +
           (lifted == 0 ? "" : "; " + lifted_text(lifted));
  if (lifted > 0)
    return (rules.empty() ? "" : "the rules (" + rules + ") were overruled: ") +
           lifted_text(lifted);
  if (!rules.empty())
    return "the rules (" + rules + ") make no cell sensitive: there was nothing to protect";
  return "NO CELL IS MARKED AS SENSITIVE: nothing was asked of this release, and it is not known "
         "what it discloses. If some are sensitive, name the column that says which (status), or "
         "state rules ([[rule]])";
}

std::string withheld_asked_text(const VerdictBasis& basis) {
  if (basis.withheld == 0)
    return "";
  const std::string which = basis.withheld == 1
                                ? "the withheld cell"
                                : fmt::format("each of the {} withheld cells", basis.withheld);
  return "the table marks no cell as sensitive: the only thing asked was that " + which +
         " cannot be computed exactly";
}

std::vector<std::string> limits_of(const VerdictBasis& basis, const Problem& problem) {
  std::vector<std::string> texts{basis.read_as,
                                 withheld_asked_text(basis),
                                 lifted_text(basis.lifted),
                                 hidden_only_text(hidden_only(problem))};
  std::erase(texts, "");
  return texts;
}

void write_basis(base::JsonWriter& json, const VerdictBasis& basis) {
  if (basis.lifted > 0)
    json.member("called_safe_by_hand", basis.lifted);
  if (!basis.read_as.empty())
    json.member("read_as", basis.read_as);
  if (!basis.status_reading.empty())
    json.member("status_read", basis.status_reading);
  if (!basis.policy.empty())
    json.member("policy", basis.policy);
  if (basis.withheld > 0)
    json.member("asked_because_withheld", basis.withheld);
}

std::string headline(const AuditReport& report,
                     const std::string& rules,
                     std::int64_t lifted,
                     const std::string& waived_by) {
  const std::string verdict = std::string(to_string(report.verdict)) + ": ";
  if (report.verdict == Verdict::kUnasked && report.of(Domain::kRational).empty())
    return verdict + (rules.empty() ? "nothing was asked of this release"
                                    : unasked_text(report, rules, lifted));
  if (report.verdict == Verdict::kWaived)
    return verdict + report::share_text(report, Verdict::kWaived) +
           " are exposed and were waived by " + waived_by + report::asks_nothing_text(report);
  return verdict + report::held_text(report);
}

}  // namespace lacuna::load

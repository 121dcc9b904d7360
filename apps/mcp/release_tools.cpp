// SPDX-License-Identifier: Apache-2.0
// protect, explain and report: a release, why its cells are withheld, and the page about it.
#include "app/explain/cell_explanation.h"
#include "app/job/explain_job.h"
#include "app/job/outcomes.h"
#include "apps/mcp/answers.h"
#include "data/files/file.h"

namespace lacuna::mcp {
namespace {

template <class Options>
void add_options(std::vector<ArgumentInfo>& arguments,
                 std::initializer_list<std::string_view> names) {
  for (ArgumentInfo& each : options_among(describe_options<Options>(), names))
    arguments.push_back(std::move(each));
}

// ---- protect

// Why there is no release; of what --json would print only the words.
Json refusal_of(const job::ProtectOutcome& made) {
  Json answer{{"written", Json::array()}};
  const Result<Json> said = parse_json(made.decision.refusal.text);
  for (const char* name : {"verdict", "status", "message"}) {
    if (said && said->contains(name))
      answer[name] = (*said)[name];
  }
  return answer;
}

std::vector<CellId> withheld_cells(const AuditedRelease& release) {
  std::vector<CellId> cells;
  for (const CellEntry& entry : release.content().each()) {
    if (entry.state() == StatementKind::kWithheld)
      cells.push_back(entry.cell);
  }
  return cells;
}

Result<Json> answer_of(const session::SessionRelease& held, const session::ReleaseFiles& files) {
  const job::PassedRelease& passed = held.run();
  const publish::RunSummary& summary = passed.summary;
  Json answer = Json::object();
  add_verdict(answer, passed.release.report(), held.made.table.basis, passed.release.problem());
  answer["method"] = summary.method;
  answer["stopped"] = summary.status;
  answer["reproducible"] = summary.reproducible;
  answer["cells"] = summary.cells;
  answer["sensitive"] = summary.primary;
  if (summary.method == "suppress") {
    answer["withheld"] = summary.suppressed;
    answer["gap"] = summary.gap();
    list_cells(
        answer, "withheld_cells", passed.release.problem().table(), withheld_cells(passed.release));
  }
  Json written = Json::array();
  for (const auto& names : {files.shown, files.kept, std::vector<std::string>{files.certificate}}) {
    for (const std::string& name : names) {
      if (!name.empty())
        written.push_back(name);
    }
  }
  answer["written"] = std::move(written);
  return answer;
}

Result<Json> protect(const Call& call) {
  std::vector<std::string> notes;
  job::RunOptions run;
  session::SessionRelease held;
  LACUNA_TRY(held.problem, table_of(call, call.arguments.text("path"), notes));
  held.given = call.arguments.options();
  const std::string prefer = call.arguments.text("prefer");
  if (!prefer.empty())
    held.given.push_back({"prefer", {prefer}});
  LACUNA_TRY(held.job, session::protect_job(held.problem, held.given, {}, run));
  session::ReleaseFiles files;
  files.shown = call.arguments.texts("output");
  files.kept = call.arguments.texts("result");
  files.certificate = call.arguments.text("certificate");
  LACUNA_TRY(held.made, job::run_protect(held.job, context_of(call, run, notes)));
  if (!held.made.decision.passed)
    return refusal_of(held.made);
  if (!call.stop.stop_requested())  // who has cancelled the call wants no files either
    LACUNA_RETURN_IF_ERROR(session::write_release(held, files, {}));
  LACUNA_TRY(Json answer, answer_of(held, files));
  add_notes(answer, notes);
  return answer;
}

// ---- explain

// The sum by which a cell would be told, by the names of the cells in it.
Json named_sum(const Table& table, const explain::Sum& sum) {
  Json terms = Json::array();
  for (const explain::SumTerm& term : sum.terms)
    terms.push_back({{"cell", table.label(term.cell)},
                     {"sign", term.factor < 0 ? "-" : "+"},
                     {"published", term.is_known()}});
  return {{"cell", table.label(sum.cell)}, {"equations", sum.equations}, {"terms", terms}};
}

Json explained(const Table& table, const explain::CellExplanation& told) {
  Json answer{{"cell", table.label(told.cell)},
              {"role", enum_names(told.role)[static_cast<std::size_t>(told.role)]}};
  Verdict worst = Verdict::kUnasked;
  for (const Finding& finding : told.findings)
    worst = worse(worst, finding.verdict);
  if (!told.findings.empty())
    answer["verdict"] = to_string(worst);
  if (told.if_published.computed) {
    const explain::IfPublished& then = told.if_published;
    answer["if_published"] = {{"verdict", to_string(then.then)}, {"exposed", then.exposed}};
    list_cells(answer, "keeps_safe", table, then.keeps_safe);
    Json sums = Json::array();
    for (const explain::Consequence& each : then.consequences) {
      if (each.sum && sums.size() < kMostListed)
        sums.push_back(named_sum(table, *each.sum));
    }
    answer["sums"] = std::move(sums);
  }
  const explain::Exchange& exchange = told.exchange;
  answer["exchange"] = enum_names(exchange.state)[static_cast<std::size_t>(exchange.state)];
  if (!exchange.withheld.empty())
    list_cells(answer, "withheld_instead", table, exchange.withheld);
  if (!exchange.published.empty())
    list_cells(answer, "published_besides", table, exchange.published);
  return answer;
}

Result<Json> explain_cells(const Call& call) {
  std::vector<std::string> notes;
  job::RunOptions run;
  job::ExplainJob asked;
  LACUNA_RETURN_IF_ERROR(session::set_options(asked, run, call.arguments.options(), {}));
  asked.result = call.arguments.text("result");
  asked.input = call.arguments.text("path");
  asked.cells = call.arguments.texts("cells");
  asked.inputs.choices.policy = call.policy;
  LACUNA_TRY(const job::ExplainOutcome made, job::run_explain(asked, context_of(call, run, notes)));
  Json cells = Json::array();
  for (const explain::CellExplanation& each : made.cells)
    cells.push_back(explained(made.problem->table(), each));
  Json answer{{"cells", std::move(cells)}};
  add_notes(answer, notes);
  return answer;
}

// ---- report

Result<Json> report(const Call& call) {
  std::vector<std::string> notes;
  job::RunOptions run;
  job::ReportJob asked;
  LACUNA_RETURN_IF_ERROR(session::set_options(asked, run, call.arguments.options(), {}));
  asked.result = call.arguments.text("result");
  asked.input = call.arguments.text("path");
  asked.output = call.arguments.text("output");
  asked.inputs.choices.policy = call.policy;
  LACUNA_TRY(const job::ReportOutcome made, job::run_report(asked, context_of(call, run, notes)));
  Json answer{{"verdict", to_string(made.audit.verdict)}, {"written", Json::array()}};
  if (made.html.empty()) {
    answer["message"] = job::no_page_text(asked, made);
  } else if (!call.stop.stop_requested()) {
    LACUNA_TRY(
        const bool written,
        files::write_file_below(call.place.root, asked.output, made.html, files::Existing::kStays));
    if (!written)
      return Error{ErrorCode::kFileUnwritable,
                   "a file of this name is there already and stays as it is: choose another name",
                   asked.output};
    answer["written"].push_back(asked.output);
    answer["audience"] = asked.public_view ? "everybody" : "the office only";
  }
  add_notes(answer, notes);
  return answer;
}

}  // namespace

Tool protect_tool() {
  Tool tool{"protect",
            "Make a table safe to publish, and prove it",
            "Find a release of a table in which no sensitive cell can be computed, audit it, and "
            "write it. What is sensitive is said by the file, its job or the owner's policy; "
            "nothing is written unless the audit passes. Gives the verdict and, with the method "
            "suppress, the cells that are withheld, by their codes.",
            true,
            {{"path", ArgumentKind::kFile, true, "the true table, a job or a problem", {}},
             {"output",
              ArgumentKind::kNewFile,
              true,
              "a new file for the public release: .csv, .xlsx, .json, .px, .sdmx.csv and more",
              {}},
             {"result",
              ArgumentKind::kNewFile,
              false,
              "a new .json file for the office, which explain and report read; confidential",
              {}},
             {"certificate",
              ArgumentKind::kNewFile,
              false,
              "a new .json file for the evidence; confidential",
              {}},
             {"prefer",
              ArgumentKind::kFile,
              false,
              "an earlier release whose withheld cells should stay withheld",
              {}}},
            protect};
  add_options<job::ProtectJob>(tool.arguments, {"method", "effort", "gap", "base", "weights"});
  add_options<job::RunOptions>(tool.arguments, {"time-limit", "work", "threads", "seed"});
  return tool;
}

Tool explain_tool() {
  Tool tool{
      "explain",
      "Why a cell is withheld",
      "Say of cells of a release which other cells they keep safe, by which sums, and what "
      "could be withheld in their place. Cells are named by their codes, without numbers.",
      false,
      {{"result",
        ArgumentKind::kFile,
        true,
        "the result that protect has written, or with path any release",
        {}},
       {"cells",
        ArgumentKind::kCells,
        true,
        "cells as DIMENSION=CODE,DIMENSION=CODE; dimensions that are not named are at their "
        "totals",
        {}},
       {"path", ArgumentKind::kFile, false, "the table, where the result does not name it", {}}},
      explain_cells};
  add_options<job::ExplainJob>(tool.arguments, {"no-exchange", "exchange-work"});
  add_options<job::RunOptions>(tool.arguments, {"time-limit", "threads"});
  return tool;
}

Tool report_tool() {
  Tool tool{
      "report",
      "Write a page about a release",
      "Audit a result again and write a page about it: for the office with confidential "
      "numbers, or for everybody (public). The page is written and not handed out.",
      true,
      {{"result", ArgumentKind::kFile, true, "the result that protect has written", {}},
       {"output", ArgumentKind::kNewFile, true, "a new .html file", {}},
       {"path", ArgumentKind::kFile, false, "the table, where the result does not name it", {}}},
      report};
  add_options<job::ReportJob>(tool.arguments,
                              {"public", "title", "unit", "verdicts-only", "exact"});
  add_options<job::RunOptions>(tool.arguments, {"time-limit", "threads"});
  return tool;
}

}  // namespace lacuna::mcp

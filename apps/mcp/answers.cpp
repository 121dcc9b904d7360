// SPDX-License-Identifier: Apache-2.0
#include "apps/mcp/answers.h"

#include "app/job/count_text.h"
#include "core/base/confidential.h"
#include "data/jobfile/record_job.h"

namespace lacuna::mcp {

bool is_plain_table(const std::string& path) {
  const auto ends = [&](const char* ending) { return path.ends_with(ending); };
  const bool problem = ends(".jj") || ends(".json") || ends(".jj.gz") || ends(".json.gz") ||
                       ends(".jj.xz") || ends(".json.xz");
  return !problem && !jobfile::is_job_name(path);
}

Error without_guesses(const Error& error, const std::string& path) {
  if (!is_plain_table(path) || error.kind() == ErrorKind::kFile ||
      error.kind() == ErrorKind::kOption)
    return error;
  return {error.code,
          "the table is not understood by itself; what is not certain may be confidential and is "
          "not told here: `lacuna inspect` shows it to the owner, who writes a job for the table",
          path};
}

namespace {

Result<session::SessionProblem> read_table(const Call& call,
                                           const std::string& path,
                                           std::vector<std::string>& notes,
                                           const session::GivenOptions& choices) {
  session::GivenOptions given = choices;
  if (!call.policy.empty())
    given.push_back({"policy", {call.policy}});
  job::RunOptions run;
  LACUNA_TRY(session::SessionProblem problem, session::begin_problem(path, {}, given, run));
  LACUNA_RETURN_IF_ERROR(session::read_problem(problem, false, {}, context_of(call, run, notes)));
  return problem;
}

}  // namespace

Result<session::SessionProblem> table_of(const Call& call,
                                         const std::string& path,
                                         std::vector<std::string>& notes,
                                         const session::GivenOptions& choices) {
  std::vector<std::string> said;
  Result<session::SessionProblem> problem = read_table(call, path, said, choices);
  if (!problem)
    return without_guesses(problem.error(), path);
  if (!is_plain_table(path))  // of a guess they show what it was made of
    notes.insert(notes.end(), said.begin(), said.end());
  return problem;
}

RunContext context_of(const Call& call,
                      const job::RunOptions& run,
                      std::vector<std::string>& notes) {
  RunContext context = run.context(call.stop);
  context.log = [&notes](std::string_view note) {
    notes.push_back(base::without_confidential(note));
  };
  return context;
}

void list_cells(Json& answer,
                const char* name,
                const Table& table,
                const std::vector<CellId>& cells) {
  Json listed = Json::array();
  for (const CellId cell : cells) {
    if (listed.size() < kMostListed)
      listed.push_back(table.label(cell));
  }
  answer[name] = std::move(listed);
  if (cells.size() > kMostListed)
    answer[std::string(name) + "_left_out"] = cells.size() - kMostListed;
}

void add_verdict(Json& answer,
                 const AuditReport& report,
                 const load::VerdictBasis& basis,
                 const Problem& problem) {
  answer["verdict"] = to_string(report.verdict);
  Json asked = Json::object();
  for (const Verdict verdict : kVerdictsOfFindings)
    asked[std::string(to_string(verdict))] = report.count(verdict, Domain::kRational);
  answer["requirements"] = std::move(asked);
  if (!report.of(Domain::kInteger).empty()) {
    Json kinds = Json::object();
    for (const job::KindVerdicts& kind : job::kinds_of(report)) {
      for (const auto& [verdict, number] : kind.verdicts)
        kinds[kind.kind][verdict] = number;
    }
    answer["questions_about_counts"] = std::move(kinds);
  }
  if (report.verdict == Verdict::kUnasked)
    answer["note"] = load::unasked_text(report, basis.rules, basis.lifted);
  const std::vector<std::string> limits = load::limits_of(basis, problem);
  if (!limits.empty())
    answer["limits"] = limits;
}

void add_notes(Json& answer, const std::vector<std::string>& notes) {
  if (!notes.empty())
    answer["notes"] = notes;
}

}  // namespace lacuna::mcp

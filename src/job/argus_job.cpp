// SPDX-License-Identifier: Apache-2.0
// A batch job of tau-ARGUS from its text to what is printed of it.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "argus/order.h"
#include "base/readable.h"
#include "io/file.h"
#include "io/json_tree.h"
#include "job/argus_session.h"
#include "job/argus_text.h"
#include "job/file_roles.h"
#include "job/jobs.h"

namespace lacuna::inline job {
namespace {

std::string list_json(const std::vector<std::string>& texts) {
  std::string json = "[";
  for (const std::string& text : texts)
    json += (json.size() == 1 ? "" : ",") + json_quoted(text);
  return json + "]";
}

std::string row_json(const ArgusRunRow& row) {
  std::string tables;
  for (const std::size_t table : row.tables)
    tables += (tables.empty() ? "" : ",") + std::to_string(table);
  std::string run = run_json(row.summary);
  run.erase(0, 1);  // the brace
  return fmt::format(
      "{{\"tables\":[{}],\"command\":{},{}", tables, json_quoted(row.old_method), run);
}

// The members of the last run stand at the top, so that a job with one <SUPPRESS> reads like
// `protect`; all runs are listed.
std::string session_json(const ArgusSession& session) {
  std::string top = "{";
  if (!session.rows().empty()) {
    top = run_json(session.rows().back().summary);
    top.back() = ',';
  } else {
    top += "\"method\":null,\"status\":\"done\",";
  }
  std::string rows;
  for (const ArgusRunRow& row : session.rows())
    rows += (rows.empty() ? "" : ",") + row_json(row);
  return fmt::format("{}\"runs\":[{}],\"written\":{}}}\n", top, rows, list_json(session.written()));
}

std::string session_text(const ArgusSession& session) {
  std::string text;
  for (const ArgusRunRow& row : session.rows()) {
    std::string tables;
    for (const std::size_t table : row.tables)
      tables += (tables.empty() ? "" : ", ") + std::to_string(table);
    const RunSummary& run = row.summary;
    text += fmt::format(
        "table {}: {}: {} of {} cells withheld ({} primary, {} secondary), cost {} "
        "(bound {}, gap {:.2f}%), {}, {:.3f} s\n",
        tables,
        run.verdict,
        run.suppressed,
        run.cells,
        run.primary,
        run.secondary,
        readable(run.objective),
        readable(run.bound),
        run.gap() * 100,
        run.status,
        run.seconds);
  }
  for (const std::string& path : session.written())
    text += "written: " + path + "\n";
  if (session.rows().empty() && session.written().empty())
    text += "nothing was protected or written: the job does not ask for it\n";
  return text;
}

JobOutput failed(const ArgusJob& job, const Error& error) {
  if (!job.json)
    return {ExitCode::kNotProtected, "", error.text()};
  return {ExitCode::kNotProtected,
          "{\"status\":\"error\",\"verdict\":\"undecided\",\"message\":" +
              json_quoted(error.text()) + "}\n",
          ""};
}

}  // namespace

Result<JobOutput> run_job(const ArgusJob& job, const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(check_files(job));
  if (!job.data.empty() && !std::filesystem::is_directory(job.data))
    return Error{ErrorCode::kBadOption, "there is no such folder", "--data " + job.data};
  auto bytes = read_file(job.input);
  if (!bytes)
    return failed(job, bytes.error());
  const auto batch = argus::read_batch(*std::move(bytes), job.input);
  if (!batch)
    return failed(job, batch.error());
  if (const Status order = argus::check_order(*batch); !order)
    return failed(job, order.error());
  ArgusSession session(*batch, job.input, job.check, run);
  if (!job.data.empty())
    session.look_in(job.data);
  if (!job.log.empty())
    session.log_to(job.log);
  if (const Status done = session.run_all(); !done)
    return failed(job, done.error());
  if (job.check)
    return JobOutput{ExitCode::kDone, job.json ? check_json(session) : check_text(session)};
  return JobOutput{ExitCode::kDone, job.json ? session_json(session) : session_text(session)};
}

}  // namespace lacuna::inline job

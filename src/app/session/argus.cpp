// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "app/session/session.h"

namespace lacuna::session {
namespace {

// A release as protect() makes one.
Result<SessionRelease> held_release(const argus_run::ArgusRelease& release,
                                    const std::string& path) {
  SessionRelease held;
  const std::vector<LinkedTable> tables =
      release.tables.size() > 1 ? release.tables : std::vector<LinkedTable>{};
  held.problem.path = path;
  held.problem.loaded = std::make_shared<const load::LoadedProblem>(load::LoadedProblem{
      *release.problem, tables, release.reasons, release.attackers, {}, {}, release.basis});
  held.given = {{"method", {release.judged.summary.method}}};
  job::RunOptions ignored;
  LACUNA_RETURN_IF_ERROR(set_options(held.job, ignored, held.given, {}));
  held.job.input = path;
  held.job.json = true;
  held.job.inputs = held.problem.inputs();
  held.notes = release.notes;
  held.made.table = {release.problem, release.attackers, {}, {}, release.reasons, release.basis};
  held.made.tables = tables;
  held.made.decision.passed = release.judged;
  return held;
}

}  // namespace

Result<std::vector<SessionArgusTable>> tables_of(
    const std::shared_ptr<const argus_run::ArgusRun>& run, const std::string& job) {
  const std::string path = std::filesystem::path(job).filename().string();
  std::map<const argus_run::ArgusRelease*, std::shared_ptr<const SessionRelease>> releases;
  std::vector<SessionArgusTable> tables;
  for (std::size_t t = 0; t < run->tables.size(); ++t) {
    SessionArgusTable& table = tables.emplace_back(SessionArgusTable{run, t, nullptr});
    const auto& release = run->tables[t].release;
    if (!release)
      continue;
    auto& held = releases[release.get()];
    if (!held) {
      LACUNA_TRY(SessionRelease made, held_release(*release, path));
      held = std::make_shared<const SessionRelease>(std::move(made));
    }
    table.release = held;
  }
  return tables;
}

std::map<std::string, std::int64_t> counts_of(const SessionArgusTable& table) {
  std::map<std::string, std::int64_t> counts;
  const columns::OutputTable status = argus_run::argus_status(table.table().cells);
  for (const std::string& why : status.columns.back().texts)
    ++counts[why];
  return counts;
}

}  // namespace lacuna::session

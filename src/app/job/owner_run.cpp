// SPDX-License-Identifier: Apache-2.0
#include "app/job/owner_run.h"

#include <fmt/core.h>

#include <chrono>
#include <utility>

#include "app/job/replay.h"
#include "app/load/public_parts.h"
#include "core/base/json_writer.h"
#include "core/base/spelling.h"
#include "lacuna/run_context.h"

namespace lacuna::job {
namespace {

constexpr std::size_t kMostNamed = 3;

// "product=wood|region=South, ... and 4 more"
std::string named_cells(const Problem& problem, const std::vector<std::int32_t>& requirements) {
  std::string text;
  for (std::size_t i = 0; i < requirements.size() && i < kMostNamed; ++i) {
    const auto r = static_cast<std::size_t>(requirements[i]);
    text += (i == 0 ? "" : ", ") + problem.table().label(problem.requirements()[r].cell);
  }
  if (requirements.size() > kMostNamed)
    text += fmt::format(" and {} more", requirements.size() - kMostNamed);
  return text;
}

std::string promise_text(const Problem& problem, const owner::Course& course) {
  const std::size_t all = problem.requirements().size();
  const std::size_t kept = all - course.short_first.size();
  std::string text = fmt::format(
      "against the owner of the program: {} of {} sensitive cells keep their public width, since "
      "every table that fits the first choice has this release; no more than the width is promised",
      kept,
      all);
  if (kept < all)
    text += fmt::format(
        "; for {} the first choice was too narrow, so that their width is kept against readers "
        "without the program, and {} says how much of it is left to its owner",
        named_cells(problem, course.short_first),
        base::named_option("replay") + " of audit");
  return text;
}

}  // namespace

Status check_owner_job(const ProtectJob& job,
                       const load::PreparedProblem& ready,
                       const RunContext& run) {
  if (job.replay)
    LACUNA_RETURN_IF_ERROR(check_replay(ready, run));
  if (job.asked.against != load::Against::kOwner)
    return ok_status();
  const auto refused = [](const char* option, const std::string& why) {
    return Error{ErrorCode::kOptionConflict, why, option};
  };
  const std::string hidden =
      "against the owner of the program this cannot be had, since it depends on hidden values";
  if (job.method != Method::kSuppress)
    return refused("--method",
                   "what is published in the place of numbers depends on hidden values; against "
                   "the owner of the program only " +
                       base::named_option("method", "suppress") + " is possible");
  if (!job.weights.empty() && job.weights != "unity")
    return refused("--weights",
                   "these weights depend on hidden values; against the owner of the program take "
                   "unity, or last period's public file with " +
                       base::named_option("weights-from"));
  if (job.suppress.minimum_width > 0)
    return refused("--minimum-width", hidden);
  if (job.suppress.max_withheld >= 0)
    return refused("--max-withheld", hidden);
  if (!job.prefer.empty())
    return refused("--prefer", hidden + ": " + base::named_option("weights-from") +
                                   " makes what was withheld before cheap to withhold again");
  if (!job.checkpoint.empty())
    return refused("--checkpoint", hidden);
  if (run.deadline != std::chrono::steady_clock::time_point::max())
    return refused("--time-limit",
                   "a run that a clock may stop has no course that its owner could repeat; " +
                       base::named_option("effort") + " limits the work instead");
  if (run.work_end != kNoWorkLimit)
    return refused("--work",
                   "the work of the audit depends on hidden values; " +
                       base::named_option("effort") + " limits that of the search instead");
  if (ready.together)
    return refused("--against owner",
                   "earlier periods and derived columns are not yet judged together with a reader "
                   "who owns the program");
  return ok_status();
}

owner::CourseOptions course_options(const ProtectJob& job) {
  owner::CourseOptions options;
  static_cast<MethodOptions&>(options) = job;
  options.reserve = job.asked.owner_reserve;
  return options;
}

Result<ProtectResult> protect_against_owner(const ProtectJob& job,
                                            const std::shared_ptr<const Problem>& problem,
                                            const RunContext& run) {
  LACUNA_TRY(const owner::PublicParts parts,
             load::public_parts(*problem, job.asked, job.inputs));
  const std::int64_t before = work_done();
  LACUNA_TRY(owner::Course course,
             owner::suppress_by_public_parts(problem, parts, course_options(job), run));
  ProtectResult found;
  found.details = {{"first_choice", static_cast<double>(course.first.num_entries())},
                   {"short_at_first", static_cast<double>(course.short_first.size())},
                   {"repairs", static_cast<double>(course.repairs)}};
  found.note = promise_text(*problem, course);
  found.work = work_done() - before;
  found.reproducible = !run.braked();
  static_cast<MethodResult&>(found) = std::move(course);
  return found;
}

Status check_replay(const load::PreparedProblem& ready, const RunContext& run) {
  if (ready.together)
    return Error{ErrorCode::kUnsupported,
                 "what is judged together with earlier periods or derived columns cannot be run "
                 "again on another table",
                 "--replay"};
  if (run.deadline != std::chrono::steady_clock::time_point::max() ||
      run.work_end != kNoWorkLimit)
    return Error{ErrorCode::kOptionConflict,
                 "a limit on the time or the work of the whole run cannot be repeated on another "
                 "table; " +
                     base::named_option("effort") + " limits the work of the search instead",
                 "--replay"};
  return ok_status();
}

Status add_replays(const ProtectJob& job,
                   const std::shared_ptr<const Problem>& problem,
                   const RunContext& run,
                   PassedRelease& judged) {
  AuditOptions options;
  options.engine = job.engine;
  options.hints = judged.release.report().evidence.witnesses;
  const Draft& released = judged.release.content();
  LACUNA_TRY(const AuditReport report, Auditor(problem).audit(released, options, run));
  LACUNA_TRY(Rerun again, Rerun::of_job(problem, released, job, run));
  LACUNA_TRY(const ReplayOutcome found,
             find_replays(*problem, released, report, job.replay_runs, again));
  judged.summary.replay =
      base::json_object([&](base::JsonWriter& json) { write_replays(json, *problem, found); });
  judged.remark += replay_text(*problem, found);
  return ok_status();
}

}  // namespace lacuna::job

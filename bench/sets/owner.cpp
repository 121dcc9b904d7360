// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/owner.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "bench/sets/owner_peel.h"
#include "bench/sets/owner_prices.h"
#include "bench/sets/run.h"
#include "data/files/file.h"

namespace lacuna::bench {
namespace {

// What the same table costs by the cheapest pattern with two-sided levels.
double reference_cost(const OwnerRow& row,
                      const OwnerFrame& frame,
                      const OwnerTable& table,
                      const RunContext& run) {
  OwnerTerms terms = row.terms;
  terms.widths = false;
  auto made = owner_problem(terms, frame, table, table.values);
  if (!made)
    return 0;
  ProtectOptions options;
  options.weights = "value";
  auto found = protect(std::make_shared<const Problem>(std::move(made).value()), options, run);
  return found && found->complete ? found->cost : 0;
}

bool has_price(const OwnerRow& row) {
  return row.options.method == Method::kSuppress && row.terms.rule != OwnerRule::kCounts;
}

OwnerSums attack_row(const OwnerRow& row,
                     std::int64_t first,
                     std::int64_t tables,
                     double seconds,
                     const RunContext& run) {
  OwnerSums sums;
  const OwnerFrame frame(row.terms.shape);
  const OwnerLimits limits;
  RunContext quiet;  // a run of its own each, with one thread
  quiet.stop = run.stop;
  for (std::int64_t number = first; number < first + tables && !run.stop.stop_requested();
       ++number) {
    if (seconds > 0 && sums.seconds >= seconds)
      break;
    base::Random random = base::Random::of_item(run.seed, static_cast<std::uint64_t>(number));
    const OwnerTable table = draw_owner_table(row.terms, frame, random);
    const auto attack = row.peeled ? peel_release : attack_release;
    const OwnerRelease release = attack(row, frame, table, limits, quiet);
    if (run.stop.stop_requested())  // what was not run would count as ruled out
      break;
    count(release, number, sums);
    if (release.end == OwnerRelease::End::kRefused || !has_price(row))
      continue;
    if (const double cost = reference_cost(row, frame, table, quiet); cost > 0) {
      sums.price += release.cost / cost;
      ++sums.priced;
    }
  }
  return sums;
}

Result<std::vector<OwnerRow>> chosen_rows(const BenchJob& job) {
  std::vector<OwnerRow> rows;
  for (OwnerRow& each : owner_rows()) {
    const bool wanted = job.rows.empty() ||
                        std::any_of(job.rows.begin(), job.rows.end(), [&](const std::string& word) {
                          return each.name.find(word) != std::string::npos;
                        });
    if (wanted)
      rows.push_back(std::move(each));
  }
  if (rows.empty())
    return Error{ErrorCode::kOptionValue, "no row of the set 'owner' has such a name", "--rows"};
  return rows;
}

Status make_folder(const std::string& folder) {
  std::error_code trouble;
  std::filesystem::create_directories(folder, trouble);
  if (trouble)
    return Error{
        ErrorCode::kFileUnwritable, "the folder cannot be made: " + trouble.message(), folder};
  return ok_status();
}

// On tables of a folder, too large to list what fits.
Result<job::JobOutput> price_instances(const BenchJob& job, const RunContext& run) {
  constexpr double kSeconds = 60;
  const std::int64_t samples = job.tables.empty() ? kOwnerTables : job.tables.front();
  std::vector<OwnerPrice> prices;
  for (const std::string& path : all_instances(job.instances)) {
    const std::string name = instance_name(path);
    const bool wanted =
        job.rows.empty() || std::find(job.rows.begin(), job.rows.end(), name) != job.rows.end();
    if (!wanted || run.stop.stop_requested())
      continue;
    prices.push_back(price_of(path, job.seconds > 0 ? job.seconds : kSeconds, samples, run));
    if (job.output.empty())
      continue;
    LACUNA_RETURN_IF_ERROR(make_folder(job.output));
    LACUNA_RETURN_IF_ERROR(
        files::write_file_atomically(job.output + "/prices.csv", prices_csv(prices)));
  }
  if (prices.empty())
    return Error{ErrorCode::kOptionValue, "no such table is in the folder", "--instances"};
  return job::JobOutput{job::ExitCode::kDone, prices_text(prices), ""};
}

}  // namespace

void count(const OwnerRelease& release, std::int64_t table, OwnerSums& sums) {
  ++sums.tables;
  sums.runs += static_cast<std::int64_t>(release.runs);
  sums.seconds += release.seconds;
  if (release.end == OwnerRelease::End::kRefused) {
    ++sums.refused;
    return;
  }
  sums.stood += release.first_stood ? 1 : 0;
  sums.withheld += static_cast<double>(release.withheld);
  if (release.end == OwnerRelease::End::kTooWide) {
    ++sums.wide;
    return;
  }
  ++sums.attacked;
  bool broken = false, narrow = false, exact = false, fits = false;
  for (const OwnerCell& cell : release.cells) {
    broken = broken || cell.broken;
    narrow = narrow || cell.narrow;
    exact = exact || cell.exact;
    fits = fits || cell.fits_broken;
    ++sums.cells;
    const auto before = static_cast<double>(cell.fits.upper - cell.fits.lower);
    const auto after = static_cast<double>(cell.kept.upper - cell.kept.lower);
    sums.shrink += before > 0 ? 1 - after / before : 0;
  }
  sums.broken += broken ? 1 : 0;
  sums.narrow += narrow ? 1 : 0;
  sums.exact += exact ? 1 : 0;
  sums.fits_broken += fits ? 1 : 0;
  if (release.all_run) {
    ++sums.listed;
    sums.single += release.kept == 1 ? 1 : 0;
    sums.whole += release.kept == release.fit ? 1 : 0;
    sums.fit.push_back(release.fit);
    sums.kept.push_back(release.kept);
  }
  if (release.narrow_promise)
    sums.narrow_promise.push_back(table);
  if (release.other_course)
    sums.other_course.push_back(table);
}

Result<job::JobOutput> bench_owner(const BenchJob& job, const RunContext& run) {
  if (job.tables.size() > 1 || (job.tables.size() == 1 && job.tables.front() < 1))
    return Error{
        ErrorCode::kOptionValue, "owner takes one number of tables, at least 1", "--tables"};
  if (!job.instances.empty())
    return price_instances(job, run);
  LACUNA_TRY(const std::vector<OwnerRow> rows, chosen_rows(job));
  const std::int64_t tables = job.tables.empty() ? kOwnerTables : job.tables.front();
  std::vector<OwnerSums> sums;
  for (const OwnerRow& row : rows) {
    if (run.on_progress)
      run.on_progress(
          {row.name, static_cast<double>(sums.size()) / static_cast<double>(rows.size()), 0, 0});
    sums.push_back(attack_row(row, job.first, tables, job.seconds, run));
    if (run.log)
      run.log(fmt::format("{}: {} attacked, {} broken, {} runs, {:.1f} s",
                          row.name,
                          sums.back().attacked,
                          sums.back().broken,
                          sums.back().runs,
                          sums.back().seconds));
    if (job.output.empty())
      continue;
    LACUNA_RETURN_IF_ERROR(make_folder(job.output));
    const std::vector<OwnerRow> done(rows.begin(),
                                     rows.begin() + static_cast<std::ptrdiff_t>(sums.size()));
    LACUNA_RETURN_IF_ERROR(
        files::write_file_atomically(job.output + "/owner.csv", owner_csv(done, sums)));
    LACUNA_RETURN_IF_ERROR(
        files::write_file_atomically(job.output + "/summary.md", owner_text(done, sums)));
  }
  const std::string failures = owner_failures(rows, sums);
  const auto code = run.stop.stop_requested() ? job::ExitCode::kNoResult
                    : failures.empty()        ? job::ExitCode::kDone
                                              : job::ExitCode::kNotProtected;
  return job::JobOutput{
      code, job.json ? owner_json(rows, sums) : owner_text(rows, sums), failures};
}

}  // namespace lacuna::bench

// SPDX-License-Identifier: Apache-2.0
// lacuna bench scale: the same generated records in a Parquet file, tabulated by the program's own
// reader and by DuckDB's library (engine = "duckdb"), beside a plain GROUP BY of that file (one row
// per leaf, no hierarchy, no contributors); and a plan of many tables (scripts/run_plans). Records:
// 120,000 leaves, ten records a respondent, of whom a share has records anywhere and the others in
// one leaf. Tables 1 to 4 (--tables) are 10^5 to 10^8 records, 5 is the plan. Every step is a
// process of its own, so that its peak memory is its own; growth is the time of a record against
// that of the next smaller file.
#include <fmt/core.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <span>
#include <sstream>

#include "app/load/engine.h"
#include "app/load/records.h"
#include "bench/sets/output.h"
#include "bench/sets/process.h"
#include "bench/sets/sets.h"
#include "data/columns/duckdb_library.h"
#include "data/files/file.h"
#include "data/files/temporary_folder.h"
#include "lacuna/tabulate.h"

namespace lacuna::bench {
namespace {

constexpr const char* kMemory = "6GB";  // that DuckDB may use; the rest of 8 GiB is the program's
constexpr std::array<std::int64_t, 4> kRecordCounts{100'000, 1'000'000, 10'000'000, 100'000'000};
constexpr std::int64_t kMostForPlanB = 1'000'000;  // its work grows with the product of the depths
constexpr std::array<int, 2> kSpreadPercents{5, 100};
constexpr std::int64_t kMostAllSpread = 10'000'000;
constexpr std::int32_t kPlanTable = 5;

std::string records_statement(std::int64_t records, int spread, const std::string& path) {
  return fmt::format(
      "COPY (SELECT printf('%04d', 1000 + h % 1000) AS act, printf('%02d', (h // 1000) % 40) AS "
      "reg, printf('%d', (h // 40000) % 3) AS size, printf('F%d', firm) AS firm, "
      "CAST((hash(i + 7) % 1000000) / 100 AS DECIMAL(18,2)) AS turnover "
      "FROM (SELECT i, i // 10 AS firm, hash(CASE WHEN hash(i // 10 + 3) % 100 < {} THEN i "
      "ELSE -1 - i // 10 END) AS h FROM range({}) t(i))) TO '{}' (FORMAT PARQUET)",
      spread,
      records,
      path);
}

std::string job_text(const std::string& engine, const std::string& temporary) {
  return "[input]\nrecords = \"records.parquet\"\ndecimals = 2\n" + engine +
         (engine.empty()
              ? ""
              : fmt::format("memory = \"{}\"\ntemporary = \"{}\"\n", kMemory, temporary)) +
         "[columns]\nvalue = \"turnover\"\nrespondent = \"firm\"\n"
         "[[dimension]]\nname = \"act\"\ndigits = [2, 1, 1]\n"
         "[[dimension]]\nname = \"reg\"\n[[dimension]]\nname = \"size\"\n"
         "[[rule]]\ntype = \"p-percent\"\np = 10\n"
         "[attackers]\nknowledge = \"sensitive-only\"\nrespondents = false\n";
}

// A number that two tabulations share if all that they hold is the same.
class Digest {
 public:
  void add(std::uint64_t part) {
    sum_ = (sum_ ^ part) * 0x9E3779B97F4A7C15U;
    sum_ ^= sum_ >> 29;
  }
  void add(const std::string& text) { add(std::hash<std::string>()(text)); }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 1;
};

std::uint64_t digest_of(const Tabulation& tabulation) {
  Digest digest;
  for (const std::int32_t code : tabulation.codes)
    digest.add(static_cast<std::uint64_t>(code));
  for (const CellFacts& facts : tabulation.cells) {
    for (const std::int64_t number :
         {facts.value, facts.absolute, facts.records, facts.contributors, facts.weighted})
      digest.add(static_cast<std::uint64_t>(number));
    for (const Contribution& each : facts.largest) {
      digest.add(static_cast<std::uint64_t>(each.amount));
      digest.add(tabulation.respondents[static_cast<std::size_t>(each.respondent)]);
    }
  }
  return digest.sum();
}

// What a step in a process of its own tells: seconds, cells and digest, or an error.
struct Told {
  double seconds = 0;
  std::size_t cells = 0;
  std::uint64_t digest = 0;
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Result<Tabulation> tabulated(const std::string& path, const RunContext& run) {
  LACUNA_TRY(const auto job, jobfile::read_record_job(path));
  LACUNA_TRY(const load::RecordAssessment asked, load::assessment_of_records(*job));
  if (load::is_by_engine(*job))
    return load::tabulate_by_engine(*job, asked.tabulate, run);
  LACUNA_TRY(const auto source, jobfile::open_records(*job, run.threads));
  return tabulate(*source, asked.tabulate, run);
}

Result<Told> tabulate_step(const std::string& path, int threads) {
  RunContext run;
  run.threads = threads;
  const auto begin = std::chrono::steady_clock::now();
  LACUNA_TRY(const Tabulation tabulation, tabulated(path, run));
  return Told{seconds_since(begin), tabulation.cells.size(), digest_of(tabulation)};
}

Result<Told> statement_step(const std::string& statement,
                            const std::string& temporary,
                            int threads) {
  LACUNA_TRY(const columns::duckdb::Session session,
             columns::duckdb::Session::open(threads, {kMemory, temporary}));
  const auto begin = std::chrono::steady_clock::now();
  LACUNA_RETURN_IF_ERROR(session.run(statement));
  return Told{seconds_since(begin)};
}

class ScaleRuns {
 public:
  explicit ScaleRuns(BenchRecorder& recorder) : recorder_(recorder) {}

  void run(std::int64_t records, int spread) {
    instance_ = fmt::format("{} records, {}% spread", records, spread);
    records_ = records;
    const files::TemporaryFolder folder("scale");
    const std::string file = folder.file("records.parquet");
    const std::string temporary = folder.file("temporary");
    std::filesystem::create_directories(temporary);
    const int threads = std::max(recorder_.context().threads, 1);
    if (!step("making the file", [&] {
          return statement_step(records_statement(records, spread, file), temporary, threads);
        }))
      return;
    step("plain GROUP BY", [&] {
      return statement_step(
          "CREATE TEMPORARY TABLE plain AS SELECT act, reg, size, sum(turnover), count(*) FROM "
          "read_parquet('" +
              file + "') GROUP BY ALL",
          temporary,
          threads);
    });
    own_digest_ = 0;
    tabulate_by("own reader", "", folder, threads);
    tabulate_by("duckdb, plan A", "engine = \"duckdb\"\n", folder, threads);
    if (records <= kMostForPlanB)
      tabulate_by("duckdb, plan B", "engine = \"duckdb\"\nplan = \"B\"\n", folder, threads);
  }

 private:
  void tabulate_by(const std::string& method,
                   const std::string& engine,
                   const files::TemporaryFolder& folder,
                   int threads) {
    const std::string path = folder.file("job.toml");
    if (!files::write_file_atomically(path, job_text(engine, folder.file("temporary"))))
      return;
    step(method, [&] { return tabulate_step(path, threads); });
  }

  // Whether it came to its end. Of a tabulation the verdict is whether it equals that of the own
  // reader.
  bool step(const std::string& method, const std::function<Result<Told>()>& work) {
    BenchRow row;
    row.instance = instance_;
    row.method = method;
    row.options = fmt::format("threads {}", std::max(recorder_.context().threads, 1));
    row.seed = 0;
    ChildLimits limits;
    limits.longest = std::chrono::seconds(static_cast<std::int64_t>(recorder_.job().seconds));
    limits.stop = recorder_.context().stop;
    const ChildResult child = run_apart([&] { return sources_clause(work()); }, limits);
    row.cpu_seconds = child.cpu_seconds;
    row.peak_memory = static_cast<double>(child.peak_kib) / 1024;
    fill(child, row);
    const bool finished = row.status == "done";
    recorder_.add(std::move(row));
    return finished;
  }

  static std::string sources_clause(const Result<Told>& told) {
    return told ? fmt::format("ok {} {} {}", told->seconds, told->cells, told->digest)
                : told.error().text();
  }

  void fill(const ChildResult& child, BenchRow& row) {
    std::istringstream text(child.output);
    std::string word;
    Told told;
    if (!child.finished || !(text >> word >> told.seconds >> told.cells >> told.digest) ||
        word != "ok") {
      row.status = "failed";
      row.verdict = "none";
      row.note = child.finished ? child.output : child.trouble;
      return;
    }
    row.status = "done";
    row.seconds = told.seconds;
    row.cells = static_cast<std::int64_t>(told.cells);
    row.is_measure = true;
    row.details["records_per_second"] = static_cast<double>(records_) / told.seconds;
    if (told.cells == 0) {
      row.verdict = "measured";
    } else if (own_digest_ == 0) {
      own_digest_ = told.digest;
      row.verdict = "measured";
    } else {
      row.is_measure = told.digest == own_digest_;
      row.verdict = row.is_measure ? "the same" : "DIFFERENT";
    }
  }

  BenchRecorder& recorder_;
  std::string instance_;
  std::int64_t records_ = 0;
  std::uint64_t own_digest_ = 0;  // of the own reader's tabulation of this instance
};

// Of a line run,tables,groups,seconds,verdict.
BenchRow plan_row(const std::string& line) {
  std::istringstream text(line);
  std::array<std::string, 5> fields;
  for (std::string& field : fields)
    std::getline(text, field, ',');
  BenchRow row;
  row.method = fields[0];
  row.instance = fmt::format("{} tables in {} groups", fields[1], fields[2]);
  row.status = "done";
  row.seed = 0;
  row.seconds = std::atof(fields[3].c_str());
  row.verdict = fields[4];
  row.is_measure = row.verdict == "the same";
  return row;
}

void run_plans(BenchRecorder& recorder) {
  const std::string& script = recorder.job().plan_runner;
  if (script.empty() || !std::filesystem::exists(script)) {
    recorder.note("The plan was not run: there is no " + (script.empty() ? "script" : script) +
                  " (LACUNA_PLAN_RUNNER names it).");
    return;
  }
  ChildLimits limits;
  limits.longest = std::chrono::seconds(static_cast<std::int64_t>(recorder.job().seconds));
  limits.stop = recorder.context().stop;
  const ChildResult child = run_program({"python3", script, recorder.job().program}, limits);
  if (!child.finished)
    recorder.note("The plan did not come to its end: " + child.trouble);
  std::istringstream lines(child.output);
  std::string line;
  std::getline(lines, line);  // the names of the columns
  while (std::getline(lines, line))
    recorder.add(plan_row(line));
}

std::string table_of(std::span<const BenchRow> rows) {
  return rows_table(rows,
                    {text_column("instance", &BenchRow::instance),
                     text_column("run", &BenchRow::method),
                     number_column("seconds", &BenchRow::seconds, "{:.2f}"),
                     number_column("processor, s", &BenchRow::cpu_seconds, "{:.1f}"),
                     {"million records a second",
                      [](const BenchRow& row) {
                        const double rate = row.detail("records_per_second");
                        return rate > 0 ? fmt::format("{:.2f}", rate / 1e6) : "";
                      }},
                     number_column("MiB", &BenchRow::peak_memory, "{:.0f}"),
                     count_column("cells", &BenchRow::cells),
                     text_column("tabulation", &BenchRow::verdict),
                     text_column("trouble", &BenchRow::note)});
}

}  // namespace

Result<std::string> bench_scale(BenchRecorder& recorder) {
  if (const auto library = columns::duckdb::find_library(); !library) {
    recorder.note("Nothing was tabulated: " + library.error().text());
  } else {
    ScaleRuns runs(recorder);
    for (std::size_t i = 0; i < kRecordCounts.size() && !recorder.stopped(); ++i) {
      if (!recorder.wants_table(static_cast<std::int32_t>(i) + 1))
        continue;
      for (const int spread : kSpreadPercents) {
        if (spread < 100 || kRecordCounts[i] <= kMostAllSpread)
          runs.run(kRecordCounts[i], spread);
      }
    }
  }
  if (recorder.wants_table(kPlanTable) && !recorder.stopped())
    run_plans(recorder);
  return "\n" + table_of(recorder.rows());
}

}  // namespace lacuna::bench

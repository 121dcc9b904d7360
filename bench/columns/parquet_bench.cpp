// SPDX-License-Identifier: Apache-2.0
// How fast is a Parquet file read, beside DuckDB's own scan of it? Lets DuckDB write a file of
// random records (three columns of codes, a decimal, the number of the respondent), then does in
// turn, in one process, as often as asked:
//   scan       DuckDB fetches all rows of the five columns, in their order, and they are dropped
//   read       the same file as a source of records: blocks read and split into fields
//   tabulate   the file to a table of 5,544 cells with its three largest contributors
// One CSV row per run, with the processor time of all threads, which other work on the machine
// moves less: what,records,threads,run,seconds,cpu_seconds
//
//   parquet_bench [--records N] [--threads N] [--runs N] [--file PATH] [--only WHAT] [--keep]
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "data/columns/duckdb_library.h"
#include "data/files/column_files.h"
#include "lacuna/tabulate.h"

namespace lacuna {
namespace {

struct Setting {
  std::int64_t records = 5'000'000;
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  int runs = 5;
  std::string file = "parquet_bench.parquet";
  std::string only;  // empty: all three
  bool keep = false;
};

const std::vector<std::string> kColumns{"act", "reg", "size", "turnover", "respondent"};

Status write_records(const Setting& setting) {
  LACUNA_TRY(const columns::duckdb::Session session,
             columns::duckdb::Session::open(setting.threads));
  LACUNA_RETURN_IF_ERROR(session.run("SELECT setseed(0.5)"));
  return session.run(
      "COPY (SELECT chr(65 + floor(random() * 20)::INTEGER) || (10 + floor(random() * 10)::INTEGER)"
      " AS act, 'R' || (100 + floor(random() * 20)::INTEGER) AS reg, floor(random() * 5)::INTEGER "
      "AS"
      " size, (floor(exp(random() * 12) * 100) / 100)::DECIMAL(12, 2) AS turnover, 100000000 +"
      " floor(random() * " +
      std::to_string(std::max<std::int64_t>(1, setting.records / 10)) +
      ")::BIGINT AS respondent FROM range(" + std::to_string(setting.records) + ")) TO " +
      columns::duckdb::sql_text(setting.file) + " (FORMAT parquet)");
}

Result<std::uint64_t> scan(const Setting& setting) {
  LACUNA_TRY(const columns::duckdb::Session session,
             columns::duckdb::Session::open(setting.threads));
  const columns::duckdb::Api& api = session.api();
  std::string sql = "SELECT ";
  for (const std::string& column : kColumns)
    sql += column + (column == kColumns.back() ? "" : ", ");
  sql += " FROM read_parquet(" + columns::duckdb::sql_text(setting.file) + ")";
  columns::duckdb::Statement statement = nullptr;
  columns::duckdb::QueryResult result;
  if (api.prepare(session.connection(), sql.c_str(), &statement) != 0)
    return columns::duckdb::query_error(api.prepare_error(statement));
  if (api.execute_prepared_streaming(statement, &result) != 0)
    return columns::duckdb::query_error(api.result_error(&result));
  std::uint64_t rows = 0;
  while (columns::duckdb::Chunk chunk = api.fetch_chunk(result)) {
    rows += api.data_chunk_get_size(chunk);
    api.destroy_data_chunk(&chunk);
  }
  api.destroy_result(&result);
  api.destroy_prepare(&statement);
  return rows;
}

Result<std::uint64_t> read(const Setting& setting) {
  LACUNA_TRY(const auto source, files::open_column_records(setting.file, setting.threads));
  LACUNA_RETURN_IF_ERROR(source->select(kColumns));
  std::mutex mutex;
  std::atomic<std::uint64_t> rows = 0;
  std::atomic<bool> failed = false;
  const auto work = [&] {
    RecordBlock block;
    for (;;) {
      {
        const std::lock_guard lock(mutex);
        const auto more = source->read(block);
        failed = failed || !more;
        if (!more || !*more)
          return;
      }
      failed = failed || !source->split(block);
      rows += block.num_records;
    }
  };
  std::vector<std::jthread> helpers;
  for (int i = 1; i < setting.threads; ++i)
    helpers.emplace_back(work);
  work();
  helpers.clear();
  if (failed)
    return Error{ErrorCode::kDamaged, "the records could not be read", setting.file};
  return rows.load();
}

Result<std::uint64_t> make_table(const Setting& setting) {
  LACUNA_TRY(const auto source, files::open_column_records(setting.file, setting.threads));
  TabulateOptions options;
  options.dimensions = {digit_dimension("act", "act", {1, 2}),
                        flat_dimension("reg", "reg"),
                        flat_dimension("size", "size")};
  options.value = "turnover";
  options.respondent = "respondent";
  options.decimals = 2;
  options.top = 3;
  RunContext run;
  run.threads = setting.threads;
  LACUNA_TRY(const Tabulation table, tabulate(*source, options, run));
  return static_cast<std::uint64_t>(table.cells[0].records);
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    constexpr double kMicro = 1'000'000;
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / kMicro;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Status measure(const Setting& setting, const char* what, int run) {
  const auto begin = std::chrono::steady_clock::now();
  const double cpu = processor_seconds();
  const std::string name = what;
  LACUNA_TRY(const std::uint64_t rows,
             name == "scan"   ? scan(setting)
             : name == "read" ? read(setting)
                              : make_table(setting));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (rows != static_cast<std::uint64_t>(setting.records))
    return Error{ErrorCode::kDamaged, "rows are missing: " + std::to_string(rows), setting.file};
  std::printf("%s,%lld,%d,%d,%.3f,%.3f\n",
              what,
              static_cast<long long>(setting.records),
              setting.threads,
              run,
              seconds.count(),
              processor_seconds() - cpu);
  std::fflush(stdout);
  return ok_status();
}

Status measure_all(const Setting& setting) {
  LACUNA_RETURN_IF_ERROR(write_records(setting));
  std::printf("what,records,threads,run,seconds,cpu_seconds\n");
  for (int run = 1; run <= setting.runs; ++run) {
    for (const char* what : {"scan", "read", "tabulate"}) {
      if (setting.only.empty() || setting.only == what)
        LACUNA_RETURN_IF_ERROR(measure(setting, what, run));
    }
  }
  if (!setting.keep)
    std::remove(setting.file.c_str());
  return ok_status();
}

bool read_arguments(int argc, char** argv, Setting& setting) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--keep") {
      setting.keep = true;
      continue;
    }
    if (i + 1 == argc)
      return false;
    const std::string value = argv[++i];
    if (name == "--records")
      setting.records = std::max(1LL, std::atoll(value.c_str()));
    else if (name == "--threads")
      setting.threads = std::max(1, std::atoi(value.c_str()));
    else if (name == "--runs")
      setting.runs = std::max(1, std::atoi(value.c_str()));
    else if (name == "--only")
      setting.only = value;
    else if (name == "--file")
      setting.file = value;
    else
      return false;
  }
  return true;
}

}  // namespace
}  // namespace lacuna

int main(int argc, char** argv) {
  lacuna::Setting setting;
  if (!lacuna::read_arguments(argc, argv, setting)) {
    std::fprintf(stderr, "parquet_bench: see the head of bench/columns/parquet_bench.cpp\n");
    return EXIT_FAILURE;
  }
  const auto done = lacuna::measure_all(setting);
  if (!done) {
    std::fprintf(stderr, "parquet_bench: %s\n", done.error().text().c_str());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

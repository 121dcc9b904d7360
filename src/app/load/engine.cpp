// SPDX-License-Identifier: Apache-2.0
#include "app/load/engine.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>

#include "core/base/moved_error.h"
#include "core/base/spelling.h"
#include "data/columns/duckdb_tables.h"
#include "data/files/column_files.h"
#include "data/files/confinement.h"
#include "data/files/position.h"
#include "data/problems/microdata.h"
#include "lacuna/aggregates.h"

namespace lacuna::load {
namespace {

using Sources = std::map<std::string, std::unique_ptr<RecordSource>>;  // leaf, top_leaf, ...

// ---- what stands after FROM

std::string table_name(const std::string& name, tabulation::SqlDialect dialect) {
  std::string text;
  std::size_t begin = 0;
  while (begin <= name.size()) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    text +=
        (text.empty() ? "" : ".") + tabulation::sql_name(name.substr(begin, end - begin), dialect);
    begin = end + 1;
  }
  return text;
}

bool all_parquet(const std::vector<std::string>& files) {
  return std::all_of(files.begin(), files.end(), [](const std::string& file) {
    return file.ends_with(".parquet");
  });
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts)
    list +=
        (list.empty() ? "" : ", ") + tabulation::sql_text(text, tabulation::SqlDialect::kDuckdb);
  return "[" + list + "]";
}

std::string duckdb_files(const jobfile::RecordJob& job) {
  if (all_parquet(job.engine.files))
    return "read_parquet(" + list_of(job.engine.files) +
           ", hive_partitioning = false, binary_as_string = true)";
  std::string text =
      "read_csv(" + list_of(job.engine.files) + ", all_varchar = true, delim = " +
      tabulation::sql_text(std::string(1, job.csv.separator), tabulation::SqlDialect::kDuckdb) +
      ", quote = '\"', escape = '\"'";
  if (job.csv.header.empty())
    return text + ", header = true)";
  return text + ", header = false, names = " + list_of(job.csv.header) + ")";
}

std::string spark_files(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files)
    text += (text.empty() ? "" : " UNION ALL ") + std::string("SELECT * FROM parquet.") +
            tabulation::sql_name(file, tabulation::SqlDialect::kSpark);
  return "(" + text + ")";
}

Error not_reached(const jobfile::RecordJob& job, const std::string& message) {
  return {ErrorCode::kUnsupported, message, job.records_where};
}

Result<std::string> from_text(const jobfile::RecordJob& job, tabulation::SqlDialect dialect) {
  const jobfile::EngineSection& engine = job.engine;
  if (!engine.query.empty())
    return "(" + engine.query + ")";
  if (!engine.table.empty())
    return table_name(engine.table, dialect);
  if (dialect == tabulation::SqlDialect::kDuckdb && !job.is_fixed)
    return duckdb_files(job);
  if (dialect == tabulation::SqlDialect::kSpark && all_parquet(engine.files))
    return spark_files(engine.files);
  return not_reached(job,
                     "the engine cannot read these files: name the table that holds the records, "
                     "from_table = \"<table>\", or from_query = \"SELECT ...\"");
}

// A server reads for others (data/files/confinement.h), and an engine opens by itself what a query,
// the name of a table or a pattern tells it to.
Status check_reach_of(const jobfile::RecordJob& job) {
  if (!files::reading_is_confined())
    return ok_status();
  const jobfile::EngineSection& engine = job.engine;
  const auto is_pattern = [](const std::string& file) {
    return file.find_first_of("*?[{") != std::string::npos;
  };
  if (!engine.table.empty() || !engine.query.empty() || !engine.temporary.empty() ||
      std::any_of(engine.files.begin(), engine.files.end(), is_pattern))
    return Error{ErrorCode::kUnsupported,
                 "here an engine reads only files that are named: no query, table, pattern or "
                 "temporary folder; make the table with lacuna tabulate and open that",
                 engine.where};
  for (const std::string& file : engine.files)
    LACUNA_RETURN_IF_ERROR(files::check_readable(file));
  return ok_status();
}

// ---- sums in files

constexpr std::array<const char*, 4> kEndings{".parquet", ".arrow", ".feather", ".csv"};

bool is_sum_file(const std::filesystem::path& path) {
  return std::any_of(kEndings.begin(), kEndings.end(), [&](const char* ending) {
    return path.extension() == ending;
  });
}

// The files of a name in the folder: leaf.csv, or all in leaf/ (an engine writes as many as it has
// tasks).
Result<std::vector<std::string>> sum_files(const std::string& folder, const std::string& name) {
  namespace fs = std::filesystem;
  std::vector<std::string> alone;
  std::vector<std::string> parts;
  std::error_code ignored;
  for (const char* ending : kEndings) {
    const fs::path path = fs::path(folder) / (name + ending);
    if (fs::is_regular_file(path, ignored))
      alone.push_back(path.string());
  }
  for (const auto& entry : fs::directory_iterator(fs::path(folder) / name, ignored)) {
    const std::string file = entry.path().filename().string();
    if (is_sum_file(entry.path()) && file.front() != '.' && file.front() != '_')
      parts.push_back(entry.path().string());
  }
  std::sort(parts.begin(), parts.end());
  if (alone.size() + (parts.empty() ? 0 : 1) > 1) {
    alone.insert(alone.end(), parts.begin(), parts.end());
    return Error{ErrorCode::kContradiction,
                 "two files hold the sums of " + name + ": leave one of them (" + alone[0] + ", " +
                     alone[1] + ")",
                 folder};
  }
  return alone.empty() ? parts : alone;
}

Result<std::unique_ptr<RecordSource>> open_sums(const std::string& path, int threads) {
  if (files::is_column_file(path))
    return files::open_column_records(path, threads);
  // The header tells the separator: no name of a column holds one.
  LACUNA_TRY(auto start, files::open_byte_stream(path));
  std::string header(1024, '\0');
  LACUNA_TRY(const std::size_t size, start->read(header.data(), header.size()));
  header.resize(size);
  const std::size_t at = header.find_first_of(",;\t\n");
  problems::CsvRecordsOptions options;
  options.separator = at == std::string::npos || header[at] == '\n' ? ',' : header[at];
  LACUNA_TRY(auto stream, files::open_byte_stream(path));
  return problems::csv_records(std::move(stream), path, options);
}

// Several files of one name are read as one table, by DuckDB's library.
Result<std::unique_ptr<RecordSource>> open_parts(const std::vector<std::string>& files,
                                                 const std::string& name,
                                                 const std::string& folder,
                                                 int threads) {
  if (files.size() == 1)
    return open_sums(files.front(), threads);
  if (!all_parquet(files))
    return Error{ErrorCode::kContradiction,
                 "several files hold the sums of " + name +
                     ": only Parquet files may, put the others together",
                 folder};
  for (const std::string& file : files)
    LACUNA_RETURN_IF_ERROR(files::check_readable(file));
  LACUNA_TRY(columns::duckdb::Session opened, columns::duckdb::Session::open(threads));
  LACUNA_TRY(
      auto source,
      columns::open_duckdb(std::make_shared<const columns::duckdb::Session>(std::move(opened)),
                           "read_parquet(" + list_of(files) + ")"));
  return files::column_records(std::move(source), name);
}

Result<Sources> open_folder(const std::string& folder, const Inputs& inputs, int threads) {
  Sources sources;
  for (const char* name : {"leaf", "top_leaf", "spread", "celltop", "cellnum"}) {
    const std::string held = folder + "/" + name + ".arrow";
    LACUNA_TRY(auto frame, inputs.records(held, held));
    if (frame) {
      sources[name] = std::move(frame);
      continue;
    }
    if (!inputs.frames.empty())  // what is held is no folder
      continue;
    LACUNA_TRY(const std::vector<std::string> files, sum_files(folder, name));
    if (files.empty())
      continue;
    LACUNA_TRY(sources[name], open_parts(files, name, folder, threads));
  }
  if (!sources.contains("leaf"))
    return Error{ErrorCode::kNoRows,
                 "there is no leaf.parquet, leaf.arrow or leaf.csv in the folder: run the text of "
                 "lacuna sql there first",
                 folder};
  return sources;
}

// ---- sums by DuckDB's library

// The counts of records that must not be tabulated: an error if some are there.
Status check_counts(const std::shared_ptr<const columns::duckdb::Session>& session,
                    const tabulation::SqlText& text) {
  if (text.checks.empty())
    return ok_status();
  LACUNA_TRY(const auto source, columns::open_duckdb(session, "lacuna_checked"));
  LACUNA_TRY(const files::CsvFile table, files::column_table(*source, "lacuna_checked"));
  std::string found;
  for (std::size_t i = 0; i < text.checks.size(); ++i) {
    const std::string count(table.field(0, i));
    if (count != "0")
      found += (found.empty() ? "" : "; ") + text.checks[i].trouble + ": " + count;
  }
  if (found.empty())
    return ok_status();
  return Error{ErrorCode::kDamaged, "the records cannot be tabulated: " + found, ""};
}

Result<Sources> sums_by_duckdb(const jobfile::RecordJob& job,
                               const TabulateOptions& options,
                               const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(check_reach_of(job));
  LACUNA_TRY(tabulation::SqlOptions sql, sql_options(job, jobfile::Engine::kDuckdb));
  LACUNA_TRY(
      columns::duckdb::Session opened,
      columns::duckdb::Session::open(run.threads, {job.engine.memory, job.engine.temporary}));
  const auto session = std::make_shared<const columns::duckdb::Session>(std::move(opened));
  LACUNA_TRY(const auto columns, columns::duckdb_columns(*session, sql.from));
  for (const columns::DuckdbColumn& column : columns) {
    if (column.kind == columns::DuckdbKind::kExact)
      sql.exact.insert(column.name);
    if (column.kind == columns::DuckdbKind::kTruth)
      sql.booleans.insert(column.name);
  }
  LACUNA_TRY(const tabulation::SqlText text, tabulation::aggregate_sql(options, sql));
  for (const std::string& statement : text.check)
    LACUNA_RETURN_IF_ERROR(session->run(statement));
  LACUNA_RETURN_IF_ERROR(check_counts(session, text));
  for (const std::string& statement : text.sums) {
    if (run.should_stop())
      return Error{ErrorCode::kStopped, "the tabulation was stopped before it was complete", ""};
    LACUNA_RETURN_IF_ERROR(session->run(statement));
  }
  Sources sources;
  for (const std::string& name : text.results) {
    LACUNA_TRY(auto source, columns::open_duckdb(session, tabulation::sql_table_of(name)));
    sources[name] = files::column_records(std::move(source), name);
  }
  return sources;
}

Result<Tabulation> tabulate_sums(const Sources& sources,
                                 const jobfile::RecordJob& job,
                                 const TabulateOptions& options,
                                 const RunContext& run) {
  const auto source = [&](const char* name) {
    const auto at = sources.find(name);
    return at == sources.end() ? nullptr : at->second.get();
  };
  AggregateSources given;
  given.leaf = source("leaf");
  given.top_leaf = source("top_leaf");
  given.spread = source("spread");
  given.hashed = !job.engine.salt.empty();
  if (given.spread == nullptr) {
    given.celltop = source("celltop");
    given.cellnum = source("cellnum");
  }
  return tabulate_from_aggregates(given, options, run);
}

Error to_be_run(const jobfile::RecordJob& job) {
  return {ErrorCode::kNoEngine,
          "lacuna does not connect to this engine itself: print the SQL text with lacuna sql, have "
          "it run there, and name the folder with the results, " +
              base::named_setting("aggregates", "\"<folder>\"") +
              base::words_of_files(" or --aggregates FOLDER"),
          job.engine.where};
}

}  // namespace

bool is_by_engine(const jobfile::RecordJob& job) {
  return job.engine.engine != jobfile::Engine::kLacuna || !job.engine.aggregates.empty();
}

Result<tabulation::SqlOptions> sql_options(const jobfile::RecordJob& job, jobfile::Engine engine) {
  tabulation::SqlOptions sql;
  sql.dialect = engine == jobfile::Engine::kPostgresql ? tabulation::SqlDialect::kPostgresql
                : engine == jobfile::Engine::kSpark    ? tabulation::SqlDialect::kSpark
                                                       : tabulation::SqlDialect::kDuckdb;
  LACUNA_TRY(sql.from, from_text(job, sql.dialect));
  sql.plan_b = job.engine.plan_b;
  sql.trim = job.csv.trim;
  sql.salt = job.engine.salt;
  return sql;
}

Result<Tabulation> tabulate_by_engine(const jobfile::RecordJob& job,
                                      const TabulateOptions& options,
                                      const RunContext& run,
                                      const Inputs& inputs) {
  const std::string& folder = job.engine.aggregates;
  if (folder.empty() && job.engine.engine != jobfile::Engine::kDuckdb)
    return to_be_run(job);
  auto sources =
      folder.empty() ? sums_by_duckdb(job, options, run) : open_folder(folder, inputs, run.threads);
  if (!sources)
    return sources.error().where.empty() ? base::moved_to(sources.error(), job.engine.where)
                                         : sources.error();
  auto tabulation = tabulate_sums(*sources, job, options, run);
  if (!tabulation && tabulation.error().where.empty())
    return base::moved_to(tabulation.error(), folder.empty() ? job.engine.where : folder);
  return tabulation;
}

}  // namespace lacuna::load

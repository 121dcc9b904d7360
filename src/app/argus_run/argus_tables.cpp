// SPDX-License-Identifier: Apache-2.0
#include "app/argus_run/argus_tables.h"

#include <filesystem>

#include "app/argus_run/argus_session.h"
#include "app/argus_run/argus_text.h"
#include "app/job/file_roles.h"
#include "data/argus/order.h"
#include "data/argus/write_parts.h"
#include "data/files/file.h"

namespace lacuna::argus_run {
namespace {

ArgusMode mode_of(const ArgusJob& job, ArgusFiles files) {
  if (job.check)
    return ArgusMode::kCheck;
  return files == ArgusFiles::kWrite ? ArgusMode::kWrite : ArgusMode::kNoFile;
}

ArgusRun result_of(ArgusSession& session, bool check) {
  ArgusRun done;
  done.notes = session.notes();
  done.written = session.written();
  done.log = session.log();
  done.code = session.code();
  done.json = check ? check_json(session) : session_json(session);
  done.text = check ? check_text(session) : session_text(session);
  int part = 0;
  for (std::vector<ArgusTable>& tables : session.take_tables()) {
    ++part;
    for (ArgusTable& table : tables)
      done.tables.push_back({part,
                             std::move(table.name),
                             std::move(table.now),
                             table.is_read,
                             table.is_public,
                             std::move(table.release),
                             table.place});
  }
  return done;
}

Result<argus::Batch> read_job(const std::string& path) {
  LACUNA_TRY(std::string bytes, files::read_file(path));
  LACUNA_TRY(argus::Batch batch, argus::read_batch(std::move(bytes), path));
  LACUNA_RETURN_IF_ERROR(argus::check_order(batch));
  return batch;
}

// ---- columns

columns::OutputTable code_columns(const argus::Table& table) {
  columns::OutputTable columns;
  for (const argus::CodeList& list : table.variables)
    columns.columns.push_back({list.variable, columns::OutputKind::kText, {}, {}, 0, {}});
  for (std::size_t c = 0; c < table.cells.size(); ++c) {
    const std::vector<std::int32_t> codes = table.codes_of(c);
    for (std::size_t v = 0; v < codes.size(); ++v)
      columns.columns[v].texts.push_back(
          table.variables[v].codes[static_cast<std::size_t>(codes[v])]);
  }
  return columns;
}

// text(cell) for each cell.
template <class Text>
void add_texts(columns::OutputTable& columns,
               const argus::Table& table,
               const char* name,
               Text text) {
  columns::OutputColumn column{name, columns::OutputKind::kText, {}, {}, 0, {}};
  for (const argus::Cell& cell : table.cells)
    column.texts.push_back(text(cell));
  columns.columns.push_back(std::move(column));
}

// number(cell) for each cell; none where it has no value.
template <class Number>
void add_numbers(columns::OutputTable& columns,
                 const argus::Table& table,
                 const char* name,
                 int decimals,
                 Number number) {
  columns::OutputColumn column{name, columns::OutputKind::kNumber, {}, {}, decimals, {}};
  for (const argus::Cell& cell : table.cells) {
    const std::optional<Units> value = number(cell);
    column.numbers.push_back(value.value_or(0));
    column.nulls.push_back(!value.has_value());
  }
  columns.columns.push_back(std::move(column));
}

void add_letters(columns::OutputTable& columns, const argus::Table& table) {
  add_texts(columns, table, "status", [](const argus::Cell& cell) {
    return std::string(1, argus::letter_of(cell.status));
  });
}

// What argus::released_text prints: a number, "x" or "-".
std::string state_of(const argus::Table& table, const argus::Cell& cell) {
  if (cell.status == argus::CellStatus::kEmpty && !argus::hides_zeros(table))
    return "empty";
  return argus::is_blank(table, cell) ? "withheld" : "published";
}

}  // namespace

std::string_view to_string(ArgusDone done) {
  switch (done) {
    case ArgusDone::kNotReached:
      return "not reached";
    case ArgusDone::kDone:
      return "done";
    case ArgusDone::kDifferently:
      return "done differently";
    case ArgusDone::kRefused:
      return "refused";
  }
  return "";
}

Result<ArgusRun> run_argus(const ArgusJob& job, ArgusFiles files, const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(job::check_files(job));
  if (!job.data.empty() && !std::filesystem::is_directory(job.data))
    return Error{ErrorCode::kOptionValue, "there is no such folder", "--data " + job.data};
  const auto batch = read_job(job.input);
  if (!batch) {
    ArgusRun nothing;
    nothing.refused = batch.error();
    nothing.code = job::ExitCode::kBadInput;
    return nothing;
  }
  ArgusSession session(*batch, job.input, mode_of(job, files), run);
  if (!job.data.empty())
    session.look_in(job.data);
  if (!job.log.empty())
    session.log_to(job.log);
  session.on_unasked(job.unasked);
  const Status status = session.run_all();
  ArgusRun done = result_of(session, job.check);
  if (!status) {
    done.refused = status.error();
    done.code = session.ending().code;
    done.verdict = session.ending().verdict;
  }
  return done;
}

columns::OutputTable argus_status(const argus::Table& table) {
  columns::OutputTable columns = code_columns(table);
  add_letters(columns, table);
  add_texts(columns, table, "why", [](const argus::Cell& cell) {
    return std::string(argus::words_for(cell.status));
  });
  return columns;
}

Result<columns::OutputTable> argus_safe(const ArgusRunTable& table) {
  if (!table.is_public)
    return Error{ErrorCode::kUnsupported,
                 table.name + " is not protected, so there is nothing that readers may see",
                 ""};
  columns::OutputTable columns = code_columns(table.cells);
  add_numbers(columns, table.cells, "value", table.cells.decimals, [&](const argus::Cell& cell) {
    const bool is_shown = state_of(table.cells, cell) == "published";
    return is_shown ? std::optional(argus::released_value(table.cells, cell)) : std::nullopt;
  });
  add_texts(columns, table.cells, "state", [&](const argus::Cell& cell) {
    return state_of(table.cells, cell);
  });
  return columns;
}

columns::OutputTable argus_unsafe(const argus::Table& table) {
  columns::OutputTable columns = code_columns(table);
  add_numbers(columns, table, "value", table.decimals, [](const argus::Cell& cell) {
    return std::optional(cell.response);
  });
  if (table.frequencies)
    add_numbers(columns, table, "frequency", 0, [](const argus::Cell& cell) {
      return std::optional<Units>(cell.frequency);
    });
  add_letters(columns, table);
  return columns;
}

}  // namespace lacuna::argus_run

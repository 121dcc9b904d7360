// SPDX-License-Identifier: Apache-2.0
// What was released: patterns, results and public files as drafts, and certificates with their evidence.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/load/load.h"
#include "core/base/exact.h"
#include "core/base/spelling.h"
#include "core/table/unpublished.h"
#include "data/files/column_files.h"
#include "data/files/file.h"
#include "data/formats/recognise.h"
#include "data/infer/open_table.h"
#include "data/infer/released_table.h"
#include "data/publish/pattern.h"
#include "data/publish/public_file.h"
#include "data/publish/published_csv.h"
#include "data/publish/release_formats.h"
#include "judge/bound/check_bound.h"
#include "lacuna/protect.h"

namespace lacuna::load {

bool is_foreign(const std::string& bytes) {
  const formats::Format format = formats::recognise(bytes);
  return format != formats::Format::kUnknown && format != formats::Format::kJson &&
         format != formats::Format::kSdmxCsv && format != formats::Format::kParquet &&
         format != formats::Format::kArrow;
}

namespace {

enum class Kind { kPattern, kOwnJson, kOwnCsv, kPublished };  // of a file with a release

// A file with a release as text.
struct ReleaseText {
  std::string path, text;
  bool of_columns = false;
};

Kind kind_of(const ReleaseText& file, const Table& table) {
  const std::string& text = file.text;
  if (publish::is_public_json(text))
    return Kind::kOwnJson;
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const bool json = first != std::string::npos && text[first] == '{';
  const bool csv = file.of_columns || file.path.ends_with(".csv") || file.path.ends_with(".csv.gz");
  if (json || (!csv && !publish::has_columns(text)))
    return Kind::kPattern;
  return publish::is_public_csv(text, table) ? Kind::kOwnCsv : Kind::kPublished;
}

// A workbook or any other format and shape of tables, as one row per cell.
Result<std::string> shaped_release(std::string bytes,
                                   const std::string& path,
                                   const Table& table,
                                   const Inputs& inputs) {
  LACUNA_TRY(const JobSpec said, inputs.choices.spec());
  std::vector<std::string> names;
  for (const Dimension& dimension : table.dimensions())
    names.push_back(dimension.name());
  infer::ShapeChoice choice = infer::shape_choice_of(said);
  choice.codes.clear();
  return infer::release_as_csv(std::move(bytes), path, std::move(choice), names);
}

// A list of withheld cells is empty where nothing is withheld; no other file of a release is.
Result<ReleaseText> text_of_release(const std::string& path,
                                    const Table& table,
                                    const Inputs& inputs) {
  auto bytes = inputs.read(path);
  std::error_code unknown;
  const bool is_list = !path.ends_with(".csv") && !path.ends_with(".json") &&
                       !path.ends_with(".gz") && !files::is_column_file(path);
  if (!bytes && is_list && std::filesystem::is_regular_file(path, unknown) &&
      std::filesystem::file_size(path, unknown) == 0 && !unknown)
    return ReleaseText{path, "", false};
  if (!bytes)
    return bytes.error();
  if (is_foreign(*bytes)) {
    LACUNA_TRY(std::string text, shaped_release(*std::move(bytes), path, table, inputs));
    return ReleaseText{path, std::move(text), true};
  }
  const bool of_columns = files::holds_columns(*bytes, path);
  LACUNA_TRY(std::string text, files::columns_as_csv(*std::move(bytes), path));
  return ReleaseText{path, std::move(text), of_columns};
}

// Whether every number of the release that is published as it is is a multiple of the one base of
// the rounded ones, and the truth of none of these is: it may be a rule that readers know.
bool may_have_exact_multiples(const Table& table, const Draft& draft) {
  Units base = 0;
  for (const CellEntry& entry : draft.each()) {
    const auto* rounded = std::get_if<Rounded>(&entry.says);
    if (rounded == nullptr)
      continue;
    if ((base != 0 && rounded->base != base) || table.value(entry.cell) % rounded->base == 0)
      return false;
    base = rounded->base;
  }
  bool any = false;
  for (std::int32_t c = 0; c < table.num_cells() && base > 0; ++c) {
    const CellId cell{c};
    if (!draft.is_exact(cell) || table::is_unpublished(table.cell(cell)))
      continue;
    if (table.value(cell) % base != 0)
      return false;
    any = true;
  }
  return any;
}

void note_multiples(const std::string& path,
                    const Problem& problem,
                    const Draft& draft,
                    const RunContext& run) {
  if (problem.counts() && run.log && may_have_exact_multiples(problem.table(), draft))
    run.log(path +
            ": every count published exactly is a multiple of the base of the rounded ones; "
            "readers who know that multiples are published exactly know that no rounded count is a "
            "multiple, which is not judged");
}

Result<Draft> draft_of(const ReleaseText& file,
                       Problem& problem,
                       const files::TableView* view,
                       const infer::StatusWords& words,
                       const RunContext& run) {
  const std::string &path = file.path, &text = file.text;
  const Kind kind = kind_of(file, problem.table());
  if (kind == Kind::kPublished) {
    std::vector<std::string> notes;
    LACUNA_TRY(Draft draft,
               publish::read_published_csv(text, path, problem.table(), &notes, view, words));
    log_all(notes, run);
    return draft;
  }
  LACUNA_TRY(const int decimals,
             kind == Kind::kOwnCsv ? publish::public_csv_decimals(text, path, problem.table())
                                   : publish::pattern_decimals(text, path));
  if (decimals > problem.table().decimals()) {
    if (view != nullptr)
      return Error{ErrorCode::kOtherFormat,
                   "the tables of a release with more decimals than the input are read from one "
                   "file, without {table}",
                   path};
    LACUNA_TRY(problem, with_decimals(problem, decimals));
  }
  if (kind == Kind::kOwnCsv)
    return publish::read_public_csv(text, path, problem.table(), view);
  return kind == Kind::kOwnJson ? publish::read_public_json(text, path, problem.table(), view)
                                : publish::read_pattern(text, path, problem.table());
}

// What the user says of flags.
infer::StatusWords flag_words(const Inputs& inputs) {
  const auto said = inputs.choices.spec();
  return said ? infer::flag_words_in(said->input.means) : infer::StatusWords{};
}

// One file; with a view, of one table of several.
Result<Draft> load_file(const std::string& path,
                        Problem& problem,
                        const files::TableView* view,
                        const RunContext& run,
                        const Inputs& inputs) {
  LACUNA_TRY(const ReleaseText file, text_of_release(path, problem.table(), inputs));
  const infer::StatusWords words = flag_words(inputs);
  auto draft = draft_of(file, problem, view, words, run);
  if (draft || file.of_columns || !file.path.ends_with(".csv"))
    return draft ? std::move(draft) : inputs.placed(draft.error(), path);
  // One whose dimension stands in the heading, or with titles above.
  auto shaped = shaped_release(file.text, path, problem.table(), inputs);
  if (shaped && *shaped != file.text) {
    if (auto again = draft_of({path, *std::move(shaped), true}, problem, view, words, run))
      return again;
  }
  return inputs.placed(draft.error(), path);
}

// No file lists what nobody publishes.
Draft without_unpublished(Draft draft, const Table& table) {
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const Cell& cell = table.cell(CellId{c});
    if (table::is_unpublished(cell) && may_be_withheld(cell) && draft.is_exact(CellId{c}))
      draft.withhold(CellId{c});
  }
  return draft;
}

}  // namespace

Result<Draft> load_release(const std::string& path,
                           Problem& problem,
                           const RunContext& run,
                           std::span<const LinkedTable> tables,
                           const Inputs& inputs) {
  if (path.empty())
    return Draft::withholding_primaries(problem.table());
  if (!publish::is_per_table(path)) {
    LACUNA_TRY(Draft draft, load_file(path, problem, nullptr, run, inputs));
    note_multiples(path, problem, draft, run);
    return without_unpublished(std::move(draft), problem.table());
  }
  std::vector<bool> seen(static_cast<std::size_t>(problem.table().num_cells()), false);
  Draft all;
  for (const publish::OutputFile& file :
       publish::files_of_tables(path, problem.table(), tables, "table")) {
    const files::TableView& view = file.tables.front();
    LACUNA_TRY(const Draft draft, load_file(file.path, problem, &view, run, inputs));
    all.set_adjusted(all.adjusted() || draft.adjusted());
    for (const CellId cell : view.cells) {
      const auto index = static_cast<std::size_t>(cell.value);
      const auto now = draft.find(cell), before = all.find(cell);
      const bool same =
          (now == nullptr) == (before == nullptr) && (now == nullptr || *now == *before);
      if (seen[index] && !same)
        return Error{ErrorCode::kFalseRelease,
                     "another table says something else about " + problem.table().label(cell) +
                         ", which is in both: together they publish more than either",
                     file.path};
      seen[index] = true;
      if (now != nullptr)
        all.set(*now);
    }
  }
  note_multiples(path, problem, all, run);
  return without_unpublished(std::move(all), problem.table());
}

Result<Draft> load_earlier(const std::string& path,
                           const Table& table,
                           const RunContext& run,
                           const Inputs& inputs) {
  LACUNA_TRY(const ReleaseText file, text_of_release(path, table, inputs));
  const Kind kind = kind_of(file, table);
  auto earlier = kind == Kind::kOwnJson   ? publish::read_earlier_json(file.text, path, table)
                 : kind == Kind::kPattern ? publish::read_earlier_pattern(file.text, path, table)
                                          : publish::read_earlier_csv(file.text, path, table);
  if (!earlier)
    return inputs.placed(earlier.error(), path);
  if (earlier->gone > 0 && run.log)
    run.log(path + ": " + std::to_string(earlier->gone) +
            " cells are not cells of this table and are ignored");
  return std::move(earlier->draft);
}

Result<certificate::Certificate> load_certificate(const std::string& path,
                                                  Problem& problem,
                                                  const Inputs& inputs,
                                                  std::int64_t* withheld) {
  LACUNA_TRY(const std::string text, inputs.read(path));
  if (problem.asks_nothing()) {
    LACUNA_TRY(const certificate::Certificate alone,
               certificate::read_certified_release(text, path, problem));
    Problem asked = problem;
    const std::int64_t cells = ask_of_withheld(asked, alone.draft);
    if (cells > 0 && alone.problem_sha256 == certificate::problem_digest(asked)) {
      problem = std::move(asked);
      if (withheld != nullptr)
        *withheld = cells;
    }
  }
  LACUNA_TRY(certificate::Certificate certificate,
             certificate::read_certificate(text, path, problem));
  if (certificate.problem_sha256 != certificate::problem_digest(problem))
    return Error{ErrorCode::kOtherTable, "the certificate is for another table", path};
  if (certificate.decimals > problem.table().decimals()) {
    LACUNA_TRY(problem, with_decimals(problem, certificate.decimals));
  }
  return certificate;
}

Result<AuditReport> confirm_certificate(const certificate::Certificate& certificate,
                                        const std::string& path,
                                        const Problem& problem) {
  auto confirmed = confirm(problem, certificate.draft, certificate.claimed);
  if (confirmed)
    return confirmed;
  Error error = confirmed.error();
  error.where = path + (error.where.empty() ? "" : ": " + error.where);
  return error;
}

Result<ConfirmedBound> confirm_bound(const certificate::Certificate& certificate,
                                     const std::string& path,
                                     const Problem& problem) {
  LACUNA_TRY(const Problem weighed, weigh(problem, certificate.bound->weights));
  auto checked = bound::check(weighed, *certificate.bound);
  if (!checked) {
    Error error = checked.error();
    error.where = path + ": " + error.where;
    return error;
  }
  const BoundLog& log = *certificate.bound;
  ConfirmedBound confirmed{log.intervals ? ConfirmedBound::Of::kIntervals
                           : log.tables  ? ConfirmedBound::Of::kTables
                                         : ConfirmedBound::Of::kPattern,
                           *std::move(checked),
                           0};
  for (const CellEntry& entry : certificate.draft.each()) {
    const Cell& cell = weighed.table().cell(entry.cell);
    const auto much = bound::how_much(entry, cell, weighed.table().decimals(), log);
    if (much)
      confirmed.weight += bound::exact_weight(cell.weight) * *much;
    else
      confirmed.has_end = confirmed.has_end && cell.weight == 0;
  }
  return confirmed;
}

}  // namespace lacuna::load

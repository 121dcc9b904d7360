// SPDX-License-Identifier: Apache-2.0
#include "app/job/record_release.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include "app/load/provenance.h"
#include "core/base/decimal.h"
#include "core/base/grace_period.h"
#include "core/base/index.h"
#include "core/base/json_writer.h"
#include "core/base/quotes.h"
#include "core/base/rational.h"
#include "core/base/spelling.h"
#include "core/table/digest.h"
#include "core/table/unpublished.h"
#include "data/files/csv.h"
#include "data/jobfile/record_job.h"
#include "data/publish/pattern.h"

namespace lacuna::job {
namespace {

using Ends = std::vector<std::optional<Bounds>>;

// From the truth as far as it was confirmed, in whole units.
Units moved(Units value, const End& end, Direction direction) {
  if (end.unbounded)
    return direction == Direction::kHigh ? kUnboundedAbove : kUnboundedBelow;
  const mpq_class& reached = end.reached;
  const mpz_class whole = base::rounded_down(reached);
  const Wide at = Wide{value} + Wide{sign(direction)} * base::to_units(whole);
  if (!base::fits_units(whole) || at > kMaxUnits || at < -kMaxUnits)
    return direction == Direction::kHigh ? kMaxUnits : -kMaxUnits;
  return static_cast<Units>(at);
}

void take(Ends& ends, const Table& table, CellId cell, const End& low, const End& high) {
  if (cell.value < 0 || base::at(cell) >= ends.size())
    return;
  const Units value = table.value(cell);
  ends[base::at(cell)] = Bounds{moved(value, low, Direction::kLow), moved(value, high, Direction::kHigh)};
}

// Of counts nobody knows more than that they are whole: each is asked whether it could be another.
Result<std::shared_ptr<const Problem>> asking_all(const ReleaseToRecord& what) {
  if (!what.problem->counts())
    return what.problem;
  CountRules rules = *what.problem->counts();
  rules.questions.clear();
  for (std::int32_t c = 0; c < what.own_cells; ++c) {
    const CellId cell{c};
    if (what.draft.is_exact(cell) || table::is_unpublished(what.problem->table().cell(cell)))
      continue;
    rules.questions.push_back({CountKind::kExact, 0, cell, CellId{-1}, {{cell, 1}}});
  }
  Problem asked = *what.problem;
  LACUNA_RETURN_IF_ERROR(asked.set_counts(std::move(rules)));
  return std::make_shared<const Problem>(std::move(asked));
}

// By cell of the table that is not published as it is. What was not confirmed in time is the truth,
// which takes readers to know more than they do.
Result<Ends> ends_of(const ReleaseToRecord& what,
                     const std::string& engine,
                     const RunContext& run) {
  const Table& table = what.problem->table();
  Ends ends(base::at(what.own_cells));
  LACUNA_TRY(const auto problem, asking_all(what));
  AuditOptions options;
  options.all_withheld = true;
  options.engine = engine;
  // A limit was meant for the search. Later periods rest on these ends.
  const RunContext unhurried =
      base::run_with_grace(run, std::chrono::steady_clock::now(), false, std::chrono::seconds(0));
  LACUNA_TRY(const AuditReport report, Auditor(problem).audit(what.draft, options, unhurried));
  const bool counts = problem->counts().has_value();
  for (const Finding& finding : report.of(counts ? Domain::kInteger : Domain::kRational)) {
    const Question& asked = finding.question;
    if (asked.attacker == 0 && (!counts || asked.kind == CountKind::kExact))
      take(ends, table, asked.cell, finding.low, finding.high);
  }
  if (!counts) {
    for (const CellRange& range : report.ranges)
      take(ends, table, range.cell, range.low, range.high);
  }
  return ends;
}

std::string end_text(Units end, int decimals) {
  if (end == kUnboundedAbove)
    return "inf";
  return end == kUnboundedBelow ? "-inf" : base::format_units(end, decimals);
}

std::string cells_csv(const ReleaseToRecord& what, const Ends& ends) {
  const Table& table = what.problem->table();
  std::string text;
  for (const Dimension& dimension : table.dimensions())
    text += files::csv_quoted(dimension.name(), ';') + ";";
  text += "value;contributors;state;lower;upper\n";
  for (std::int32_t c = 0; c < what.own_cells; ++c) {
    const CellId cell{c};
    const Cell& facts = table.cell(cell);
    if (table::is_unpublished(facts))
      continue;
    const auto codes = table.codes(cell);
    for (std::size_t d = 0; d < codes.size(); ++d)
      text += files::csv_quoted(table.dimensions()[d].code(codes[d]), ';') + ";";
    text += base::format_units(facts.value, table.decimals()) + ";";
    text += facts.frequency < 0 ? ";" : std::to_string(facts.frequency) + ";";
    if (what.draft.is_exact(cell)) {
      text += "published;;\n";
      continue;
    }
    const Bounds at = ends[base::at(c)].value_or(Bounds{facts.value, facts.value});
    text += std::string(to_string(what.draft.state(cell))) + ";" +
            end_text(at.lower, table.decimals()) + ";" + end_text(at.upper, table.decimals()) +
            "\n";
  }
  return text;
}

std::string release_json(const ReleaseToRecord& what) {
  const Table& table = what.problem->table();
  return base::json_object([&](base::JsonWriter& json) {
           json.member("format", "lacuna-kept-1").member("decimals", table.decimals());
           publish::write_release_entries(json.key("release"), what.draft, table);
         }) +
         "\n";
}

// ".csv" of "may.csv.gz": what is kept is not packed.
std::string ending_of(const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  for (const char* packed : {".gz", ".xz"}) {
    if (name.ends_with(packed))
      name.resize(name.size() - 3);
  }
  const std::size_t point = name.find_last_of('.');
  return point == std::string::npos ? "" : name.substr(point);
}

Result<std::vector<store::NewFile>> files_of(const ReleaseToRecord& what, const Ends& ends) {
  const load::Stored& stored = *what.together->stored;
  if (stored.inputs.size() != 1)
    return Error{ErrorCode::kUnsupported,
                 "a store keeps the one file that the table is made of; write the records or the "
                 "table to a file, and name it in [input]",
                 stored.where};
  const std::string& input = stored.inputs.front();
  LACUNA_TRY(std::string bytes, what.inputs.read(input));
  const std::string ending = what.inputs.frames.contains(input) ? ".arrow" : ending_of(input);
  std::vector<store::NewFile> files;
  files.push_back({std::string(store::kInput), "input" + ending, std::move(bytes)});
  files.push_back({std::string(store::kCells), "cells.csv", cells_csv(what, ends)});
  files.push_back({std::string(store::kRelease), "release.json", release_json(what)});
  if (jobfile::is_job_name(what.input) && !what.inputs.is_held(what.input)) {
    LACUNA_TRY(std::string job, what.inputs.read(what.input));
    files.push_back({std::string(store::kJob), "job.toml", std::move(job)});
  }
  for (std::size_t i = 0; i < what.published.size(); ++i) {
    const std::string number = i == 0 ? "" : "-" + std::to_string(i + 1);
    files.push_back({std::string(store::kPublic),
                     "public" + number + ending_of(what.published[i].name),
                     what.published[i].bytes});
  }
  return files;
}

}  // namespace

Status check_record(const load::Together* together) {
  if (together == nullptr || !together->stored)
    return Error{ErrorCode::kOptionConflict,
                 "the job names no store; add [store] with its folder",
                 "--record"};
  const load::Stored& stored = *together->stored;
  if (stored.is_in && !stored.said.revision)
    return Error{ErrorCode::kJobValue,
                 "the store has a release of " + base::in_quotes(stored.period) + " already (entry " +
                     std::to_string(stored.store.latest(stored.period)->number) +
                     "); name another period, or say revision = true in [store] if this one "
                     "corrects it",
                 stored.where};
  return ok_status();
}

Result<std::string> record_release(const ReleaseToRecord& what,
                                   const std::string& engine,
                                   const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(check_record(what.together));
  const load::Stored& stored = *what.together->stored;
  if (what.draft.adjusted())
    return Error{ErrorCode::kUnsupported,
                 "an adjusted table gives no bounds, so changes since then could not be judged; it "
                 "is not put into the store",
                 "--record"};
  LACUNA_TRY(const Ends ends, ends_of(what, engine, run));
  LACUNA_TRY(const std::vector<store::NewFile> files, files_of(what, ends));
  store::StoreEntry entry;
  entry.at = load::utc_now();
  entry.period = stored.period;
  entry.revision = stored.is_in;
  entry.method = what.method;
  entry.verdict = to_string(what.verdict);
  const Table& table = what.problem->table();
  for (std::int32_t c = 0; c < what.own_cells; ++c) {
    if (table::is_unpublished(table.cell(CellId{c})))
      continue;
    ++entry.cells;
    entry.withheld += what.draft.state(CellId{c}) == StatementKind::kWithheld ? 1 : 0;
  }
  entry.table_sha256 = table::table_digest(table);
  LACUNA_RETURN_IF_ERROR(store::add_entry(stored.store, entry, files));
  return fmt::format("entry {} of {}: {}, {} of {} cells withheld\n",
                     stored.store.entries.size() + 1,
                     stored.said.folder,
                     stored.period,
                     entry.withheld,
                     entry.cells);
}

}  // namespace lacuna::job

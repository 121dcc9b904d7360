// SPDX-License-Identifier: Apache-2.0
#include "data/publish/release_file.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "data/files/file.h"
#include "data/publish/pattern.h"

namespace lacuna::publish {

namespace {

void write_text(base::JsonWriter& json, const char* name, const std::string& text) {
  if (!text.empty())
    json.member(name, text);
}

}  // namespace

void write_run(base::JsonWriter& json, const RunSummary& run) {
  json.member("method", run.method).member("status", run.status);
  // JSON has no infinity: what blanks of every width cost, for one.
  json.member("objective", run.objective).member("bound", run.bound).member("gap", run.gap());
  json.member("seconds", run.seconds).member("cells", run.cells).member("primary", run.primary);
  json.member("suppressed", run.suppressed).member("secondary", run.secondary);
  json.member("verdict", run.verdict).member("reproducible", run.reproducible);
  json.member("work", run.work).member("threads", run.threads).member("seed", run.seed);
  json.member("engine", run.engine).member("version", run.version).member("input", run.input);
  json.member("table_sha256", run.table).member("options", run.options);
  json.member("finished", run.finished);
  for (const auto& [name, value] : run.details)
    json.member(name, value);
  for (const auto& [name, state] : run.states)
    json.member(name, state);
  write_text(json, "note", run.note);
  write_text(json, "read_as", run.read_as);
  write_text(json, "status_read", run.status_read);
  write_text(json, "policy", run.policy);
  if (!run.attackers.empty())
    json.key("attackers").raw(run.attackers);
  if (!run.loss.empty())
    json.key("information_loss").raw(run.loss);
  if (!run.cell_keys.empty())
    json.members(run.cell_keys);
  if (!run.replay.empty())
    json.key("replay").raw(run.replay);
}

std::string run_json(const RunSummary& run) {
  return base::json_object([&](base::JsonWriter& json) { write_run(json, run); });
}

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kStateOfFigure = "_state";

// Members that write_run() writes by name; all other numbers are details.
struct RunReader {
  const Json& json;

  template <class T>
  void get(const char* name, T& field) {
    field = json.at(name).get<T>();
    known.insert(name);
  }
  void number(const char* name, double& field) {  // null: infinite
    const Json& value = json.at(name);
    field = value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
    known.insert(name);
  }
  void text(const char* name, std::string& field) {
    if (json.contains(name))
      get(name, field);
  }
  void object(const char* name, std::string& field) {
    if (json.contains(name))
      field = json.at(name).dump();
    known.insert(name);
  }
  std::set<std::string> known = {"gap"};
};

RunSummary run_from(const Json& json) {
  RunSummary run;
  RunReader from{json};
  from.get("method", run.method);
  from.get("status", run.status);
  from.number("objective", run.objective);
  from.number("bound", run.bound);
  from.get("seconds", run.seconds);
  from.get("cells", run.cells);
  from.get("primary", run.primary);
  from.get("suppressed", run.suppressed);
  from.get("secondary", run.secondary);
  from.get("verdict", run.verdict);
  from.get("reproducible", run.reproducible);
  from.get("work", run.work);
  from.get("threads", run.threads);
  from.get("seed", run.seed);
  from.get("engine", run.engine);
  from.get("version", run.version);
  from.get("input", run.input);
  from.get("table_sha256", run.table);
  from.get("options", run.options);
  from.get("finished", run.finished);
  from.text("note", run.note);
  from.text("read_as", run.read_as);
  from.text("status_read", run.status_read);
  from.text("policy", run.policy);
  from.object("attackers", run.attackers);
  from.object("information_loss", run.loss);
  from.object("replay", run.replay);
  for (const auto& [name, value] : json.items()) {
    if (name.ends_with(kStateOfFigure) && value.is_string())
      run.states.emplace_back(name, value.get<std::string>());
    const bool is_detail = value.is_number() || value.is_null();
    if (is_detail && !from.known.contains(name))
      from.number(name.c_str(), run.details.emplace_back(name, 0).second);
  }
  return run;
}

}  // namespace

Result<RunSummary> read_run_json(const std::string& text, const std::string& where) {
  try {
    return run_from(Json::parse(text));
  } catch (const Json::exception&) {
    return Error{ErrorCode::kFalseRelease, "it does not say how the release was made", where};
  }
}

namespace {

constexpr std::string_view kNotice =
    "office only: costs and losses are sums over hidden cells; publish what --public writes";

}  // namespace

std::string release_text(const AuditedRelease& release,
                         const RunSummary& run,
                         std::span<const ExtraColumn> columns) {
  const Table& table = release.problem().table();
  const auto write = [&](base::JsonWriter& json) {
    json.member("notice", kNotice);
    json.line().key("run").object([&] { write_run(json, run); });
    // An adjusted table may have more decimals than the one that was given.
    if (release.content().adjusted())
      json.line().member("adjusted", true).member("decimals", table.decimals());
    write_release_entries(json.line().key("release"), release.content(), table);
    if (!columns.empty())
      write_extra_columns(json.line().key("derived"), columns, table);
  };
  return base::json_object(write) + "\n";
}

Status write_release(const AuditedRelease& release,
                     const RunSummary& run,
                     const std::string& path) {
  return files::write_file_atomically(path, release_text(release, run));
}

}  // namespace lacuna::publish

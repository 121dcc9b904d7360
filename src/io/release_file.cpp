// SPDX-License-Identifier: Apache-2.0
#include "io/release_file.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "base/decimal.h"
#include "io/file.h"
#include "io/json_tree.h"
#include "io/pattern.h"

namespace lacuna::inline io {

std::string run_json(const RunSummary& run) {
  const auto text = [](const char* name, const std::string& value) {
    return std::string("\"") + name + "\":" + json_quoted(value);
  };
  const auto number = [](const char* name, double value) {
    // JSON has no infinity: what blanks of every width cost, for one.
    return std::string(",\"") + name +
           "\":" + (std::isfinite(value) ? format_double(value) : "null");
  };
  const auto count = [](const char* name, std::int64_t value) {
    return std::string(",\"") + name + "\":" + std::to_string(value);
  };
  std::string details;
  for (const auto& [name, value] : run.details)
    details += number(name.c_str(), value);
  for (const auto& [name, state] : run.states)
    details += "," + text(name.c_str(), state);
  return "{" + text("method", run.method) + "," + text("status", run.status) +
         number("objective", run.objective) + number("bound", run.bound) +
         number("gap", run.gap()) + number("seconds", run.seconds) + count("cells", run.cells) +
         count("primary", run.primary) + count("suppressed", run.suppressed) +
         count("secondary", run.secondary) + "," + text("verdict", run.verdict) +
         ",\"reproducible\":" + (run.reproducible ? "true" : "false") + count("work", run.work) +
         count("threads", run.threads) + ",\"seed\":" + std::to_string(run.seed) + "," +
         text("engine", run.engine) + "," + text("version", run.version) + "," +
         text("input", run.input) + "," + text("table_sha256", run.table) + "," +
         text("options", run.options) + "," + text("finished", run.finished) + details +
         (run.note.empty() ? "" : "," + text("note", run.note)) +
         (run.read_as.empty() ? "" : "," + text("read_as", run.read_as)) +
         (run.status_read.empty() ? "" : "," + text("status_read", run.status_read)) +
         (run.attackers.empty() ? "" : ",\"attackers\":" + run.attackers) +
         (run.loss.empty() ? "" : ",\"information_loss\":" + run.loss) + run.cell_keys + "}";
}

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kStateOfFigure = "_state";

// Members that run_json() writes by name; all other numbers are details.
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
  from.object("attackers", run.attackers);
  from.object("information_loss", run.loss);
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

// An adjusted table may have more decimals than the one that was given.
std::string kind_of(const AuditedRelease& release) {
  if (!release.content().adjusted())
    return "";
  return ",\n\"adjusted\":true,\"decimals\":" + std::to_string(release.problem().table().decimals());
}

constexpr std::string_view kNotice =
    "office only: costs and losses are sums over hidden cells; publish what --public writes";

}  // namespace

std::string release_text(const AuditedRelease& release, const RunSummary& run) {
  return "{\"notice\":" + json_quoted(kNotice) + ",\n\"run\":" + run_json(run) + kind_of(release) +
         ",\n\"release\":" + write_release_entries(release.content(), release.problem().table()) +
         "}\n";
}

Status write_release(const AuditedRelease& release,
                     const RunSummary& run,
                     const std::string& path) {
  return write_file_atomically(path, release_text(release, run));
}

}  // namespace lacuna::inline io

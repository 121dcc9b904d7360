// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/job_engine.h"

#include <algorithm>
#include <filesystem>

#include "core/base/spelling.h"
#include "data/files/position.h"

namespace lacuna::jobfile {
namespace {

constexpr std::size_t kLeastSalt = 16;  // bytes

Status read_salt(const spec::ReadSpec& spec, const FileLoader& load, EngineSection& section) {
  if (spec.job.input.salt.empty())
    return ok_status();
  auto bytes = load(spec.job.input.salt);
  if (!bytes)
    return spec.places.moved(bytes.error(), "input.salt");
  section.salt = std::move(bytes).value();
  while (!section.salt.empty() && (section.salt.back() == '\n' || section.salt.back() == '\r'))
    section.salt.pop_back();
  const bool plain = std::all_of(
      section.salt.begin(), section.salt.end(), [](char c) { return c > ' ' && c < '\x7F'; });
  if (section.salt.size() < kLeastSalt || !plain)
    return spec.places.error("input.salt",
                             "the salt must be one line of at least 16 characters without blanks");
  return ok_status();
}

Status read_place(const spec::ReadSpec& spec, const std::string& folder, EngineSection& section) {
  const auto path_of = [&](const std::string& name) {
    return (std::filesystem::path(folder) / name).string();
  };
  const JobSpec::Input& input = spec.job.input;
  section.table = input.from_table;
  section.query = input.from_query;
  section.aggregates = input.aggregates.empty() ? "" : path_of(input.aggregates);
  section.temporary = input.temporary.empty() ? "" : path_of(input.temporary);
  if (input.records.empty() && spec.places.has("input.records"))
    return spec.places.error("input.records", "the list of records is empty");
  for (const SpecSource& source : input.records)
    section.files.push_back(source.kind == SpecSource::Kind::kFrame ? source.name
                                                                    : path_of(source.name));
  return ok_status();
}

// What only an engine knows, by key, and whether the job says it.
std::vector<std::pair<const char*, bool>> engine_settings(const JobSpec::Input& input) {
  return {{"salt", !input.salt.empty()},
          {"memory", !input.memory.empty()},
          {"temporary", !input.temporary.empty()},
          {"plan", input.plan.has_value()}};
}

// Parquet in several files, or with settings that only an engine knows, is DuckDB's where no engine
// is named.
bool is_left_to_duckdb(const JobSpec::Input& input, const EngineSection& section) {
  const bool parquet =
      !section.files.empty() &&
      std::all_of(section.files.begin(), section.files.end(), [](const std::string& file) {
        return file.ends_with(".parquet");
      });
  if (input.engine || !section.aggregates.empty() || !parquet)
    return false;
  const auto settings = engine_settings(input);
  return section.files.size() > 1 ||
         section.files.front().find_first_of("*?[") != std::string::npos ||
         std::any_of(
             settings.begin(), settings.end(), [](const auto& each) { return each.second; });
}

Status check_place(const spec::SpecPlaces& places, const EngineSection& section) {
  const int count = (section.files.empty() ? 0 : 1) + (section.table.empty() ? 0 : 1) +
                    (section.query.empty() ? 0 : 1);
  if (count == 0)
    return places.error("input",
                        base::named_section("[input]") + " needs " +
                            base::named_setting("records", "\"<file>\"") +
                            ", or from_table or from_query of an engine");
  if (count > 1)
    return places.error("input", "give only one of records, from_table and from_query");
  const bool several = section.files.size() > 1;
  if (section.engine == Engine::kLacuna && section.aggregates.empty() &&
      (section.files.empty() || several))
    return places.error("input",
                        "engine = \"lacuna\" reads one file; say engine = \"duckdb\" for several, "
                        "or the engine that has the table");
  return ok_status();
}

}  // namespace

const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> names = [] {
    const auto words = enum_names(Engine{});
    return std::vector<std::string>(words.begin(), words.end());
  }();
  return names;
}

Result<EngineSection> read_engine(const spec::ReadSpec& spec,
                                  const std::string& folder,
                                  const FileLoader& load) {
  const JobSpec::Input& input = spec.job.input;
  EngineSection section;
  section.engine = input.engine.value_or(Engine::kLacuna);
  section.plan_b = input.plan == SpecPlan::kB;
  section.memory = input.memory;
  LACUNA_RETURN_IF_ERROR(read_place(spec, folder, section));
  if (is_left_to_duckdb(input, section))
    section.engine = Engine::kDuckdb;
  LACUNA_RETURN_IF_ERROR(check_place(spec.places, section));
  LACUNA_RETURN_IF_ERROR(read_salt(spec, load, section));
  if (section.engine == Engine::kLacuna && section.aggregates.empty()) {
    for (const auto& [key, stated] : engine_settings(input)) {
      if (stated)
        return spec.places.error("input." + std::string(key),
                                 std::string(key) + " is for an engine other than lacuna");
    }
  }
  section.where =
      spec.places.has("input.engine") ? spec.places.where("input.engine") : spec.places.filename();
  return section;
}

}  // namespace lacuna::jobfile

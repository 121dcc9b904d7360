// SPDX-License-Identifier: Apache-2.0
#include "io/job_engine.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "io/job_dimension.h"
#include "io/job_sections.h"
#include "io/position.h"

namespace lacuna::inline io {
namespace {

constexpr std::size_t kLeastSalt = 16;  // bytes

Status read_salt(const TomlDocument& document,
                 const toml::table& input,
                 const FileLoader& load,
                 EngineSection& section) {
  const toml::node* node = input.get("salt");
  if (node == nullptr)
    return ok_status();
  LACUNA_TRY(const std::string name, document.string(*node));
  auto bytes = load(name);
  if (!bytes)
    return moved_to(bytes.error(), document.where(node->source()));
  section.salt = std::move(bytes).value();
  while (!section.salt.empty() && (section.salt.back() == '\n' || section.salt.back() == '\r'))
    section.salt.pop_back();
  const bool plain = std::all_of(
      section.salt.begin(), section.salt.end(), [](char c) { return c > ' ' && c < '\x7F'; });
  if (section.salt.size() < kLeastSalt || !plain)
    return document.error(*node,
                          "the salt must be one line of at least 16 characters without blanks");
  return ok_status();
}

Status read_place(const TomlDocument& document,
                  const toml::table& input,
                  const std::string& folder,
                  EngineSection& section) {
  const auto path_of = [&](const std::string& name) {
    return (std::filesystem::path(folder) / name).string();
  };
  LACUNA_TRY(section.table, string_at(document, input, "from_table", ""));
  LACUNA_TRY(section.query, string_at(document, input, "from_query", ""));
  LACUNA_TRY(section.aggregates, string_at(document, input, "aggregates", ""));
  LACUNA_TRY(section.temporary, string_at(document, input, "temporary", ""));
  for (std::string* name : {&section.aggregates, &section.temporary}) {
    if (!name->empty())
      *name = path_of(*name);
  }
  const toml::node* records = input.get("records");
  if (records == nullptr)
    return ok_status();
  std::vector<std::string> names;
  if (records->is_array()) {
    LACUNA_TRY(names, document.strings(*records));
  } else {
    LACUNA_TRY(const std::string name, document.string(*records));
    names = {name};
  }
  if (names.empty())
    return document.error(*records, "the list of records is empty");
  for (const std::string& name : names)
    section.files.push_back(path_of(name));
  return ok_status();
}

constexpr std::array<const char*, 4> kEngineSettings{"salt", "memory", "temporary", "plan"};

// Parquet in several files, or with settings that only an engine knows, is DuckDB's where no engine
// is named.
bool is_left_to_duckdb(const toml::table& input, const EngineSection& section) {
  const auto has = [&](const char* key) { return input.contains(key); };
  const bool parquet =
      !section.files.empty() &&
      std::all_of(section.files.begin(), section.files.end(), [](const std::string& file) {
        return file.ends_with(".parquet");
      });
  if (has("engine") || !section.aggregates.empty() || !parquet)
    return false;
  return section.files.size() > 1 ||
         section.files.front().find_first_of("*?[") != std::string::npos ||
         std::any_of(kEngineSettings.begin(), kEngineSettings.end(), has);
}

Status check_place(const TomlDocument& document,
                   const toml::table& input,
                   const EngineSection& section) {
  const int places = (section.files.empty() ? 0 : 1) + (section.table.empty() ? 0 : 1) +
                     (section.query.empty() ? 0 : 1);
  if (places == 0)
    return document.error(
        input, "[input] needs records = \"<file>\", or from_table or from_query of an engine");
  if (places > 1)
    return document.error(input, "give one of records, from_table and from_query");
  const bool several = section.files.size() > 1;
  if (section.engine == Engine::kLacuna && section.aggregates.empty() &&
      (section.files.empty() || several))
    return document.error(
        input,
        "engine = \"lacuna\" reads one file; say engine = \"duckdb\" for several, "
        "or the engine that has the table");
  return ok_status();
}

}  // namespace

const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> names{"lacuna", "duckdb", "postgresql", "spark"};
  return names;
}

const std::vector<std::string_view>& engine_keys() {
  static const std::vector<std::string_view> keys{
      "engine", "from_table", "from_query", "aggregates", "salt", "memory", "temporary", "plan"};
  return keys;
}

Result<EngineSection> read_engine(const TomlDocument& document,
                                  const toml::table& input,
                                  const std::string& folder,
                                  const FileLoader& load) {
  EngineSection section;
  constexpr std::array<std::string_view, 4> kEngines{"lacuna", "duckdb", "postgresql", "spark"};
  LACUNA_TRY(const std::size_t engine, choice_at(document, input, "engine", kEngines));
  section.engine = static_cast<Engine>(engine);
  constexpr std::array<std::string_view, 2> kPlans{"A", "B"};
  LACUNA_TRY(const std::size_t plan, choice_at(document, input, "plan", kPlans));
  section.plan_b = plan == 1;
  LACUNA_TRY(section.memory, string_at(document, input, "memory", ""));
  LACUNA_RETURN_IF_ERROR(read_place(document, input, folder, section));
  if (is_left_to_duckdb(input, section))
    section.engine = Engine::kDuckdb;
  LACUNA_RETURN_IF_ERROR(check_place(document, input, section));
  LACUNA_RETURN_IF_ERROR(read_salt(document, input, load, section));
  if (section.engine == Engine::kLacuna && section.aggregates.empty()) {
    for (const char* other : kEngineSettings) {
      if (const toml::node* node = input.get(other); node != nullptr)
        return document.error(*node, std::string(other) + " is for an engine other than lacuna");
    }
  }
  const toml::node* named = input.get("engine");
  section.where = named != nullptr ? document.where(named->source()) : document.filename();
  return section;
}

}  // namespace lacuna::inline io

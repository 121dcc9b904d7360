// SPDX-License-Identifier: Apache-2.0
#include "app/plan/plan_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>

#include "data/files/file.h"
#include "data/files/toml_document.h"

namespace lacuna::plan {
namespace {

namespace fs = std::filesystem;
using Keys = std::span<const std::string_view>;

constexpr std::array<std::string_view, 4> kSections{"plan", "options", "table", "publish"};
constexpr std::array<std::string_view, 2> kPlanKeys{"output", "unit_cells"};
constexpr std::array<std::string_view, 5> kTableKeys{
    "input", "name", "response", "public", "options"};
constexpr std::array<std::string_view, 2> kPublishKeys{"response", "codes"};

class PlanReader {
 public:
  PlanReader(const files::TomlDocument& document, fs::path folder)
      : document_(document), folder_(std::move(folder)) {}

  Result<ReleasePlan> read() {
    LACUNA_RETURN_IF_ERROR(document_.check_keys(document_.root(), kSections, "a plan"));
    LACUNA_RETURN_IF_ERROR(read_head());
    LACUNA_RETURN_IF_ERROR(
        each("options", [&](const toml::table& table) { return read_options(table, common_); }));
    LACUNA_RETURN_IF_ERROR(
        each("table", [&](const toml::table& table) { return read_table(table); }));
    LACUNA_RETURN_IF_ERROR(
        each("publish", [&](const toml::table& table) { return read_published(table); }));
    if (plan_.tables.empty())
      return Error{ErrorCode::kMissingKey,
                   "the plan names no table; give each a section [[table]] with its input",
                   document_.filename()};
    return std::move(plan_);
  }

 private:
  template <class Read>
  Status each(std::string_view name, Read&& read) {
    const toml::node* node = document_.root().get(name);
    if (node == nullptr)
      return ok_status();
    LACUNA_TRY(const auto tables, document_.tables(*node));
    for (const toml::table* table : tables)
      LACUNA_RETURN_IF_ERROR(read(*table));
    return ok_status();
  }

  Status text(const toml::table& table, std::string_view key, std::string& field) {
    const toml::node* node = table.get(key);
    if (node == nullptr)
      return ok_status();
    LACUNA_TRY(field, document_.string(*node));
    return ok_status();
  }

  std::string from_plan(const std::string& path) const {
    const fs::path named(path);
    return named.is_absolute() ? path : (folder_ / named).lexically_normal().string();
  }

  Status read_head() {
    plan_.folder = folder_.string();
    plan_.output = "release";
    LACUNA_RETURN_IF_ERROR(each("plan", [&](const toml::table& table) { return read_own(table); }));
    plan_.output = from_plan(plan_.output);
    return ok_status();
  }

  Status read_own(const toml::table& table) {
    LACUNA_RETURN_IF_ERROR(document_.check_keys(table, kPlanKeys, "[plan]"));
    LACUNA_RETURN_IF_ERROR(text(table, "output", plan_.output));
    const toml::node* node = table.get("unit_cells");
    if (node == nullptr)
      return ok_status();
    const std::optional<std::int64_t> number = node->value_exact<std::int64_t>();
    if (!number || *number < 1)
      return document_.error(*node, "unit_cells is a number of cells, at least 1");
    plan_.unit_cells = *number;
    return ok_status();
  }

  Status read_options(const toml::table& table, std::vector<jobfile::JobOption>& options) {
    for (const auto& [key, node] : files::TomlDocument::in_order(table)) {
      std::string value;
      if (node->is_boolean())
        value = node->as_boolean()->get() ? "true" : "false";
      else {
        LACUNA_TRY(value, document_.number_text(*node));
      }
      const std::string name(key->str());
      std::erase_if(options, [&](const jobfile::JobOption& option) { return option.name == name; });
      options.push_back({name, value, document_.where(node->source())});
    }
    return ok_status();
  }

  Status read_table(const toml::table& table) {
    LACUNA_RETURN_IF_ERROR(document_.check_keys(table, kTableKeys, "[[table]]"));
    PlannedTable planned;
    planned.where = document_.where(table.source());
    planned.options = common_;
    LACUNA_RETURN_IF_ERROR(text(table, "input", planned.input));
    if (planned.input.empty())
      return document_.error(table, "a table needs input = \"<file>\"");
    planned.input = from_plan(planned.input);
    planned.name = fs::path(planned.input).stem().string();
    LACUNA_RETURN_IF_ERROR(text(table, "name", planned.name));
    LACUNA_RETURN_IF_ERROR(text(table, "response", planned.response));
    if (const toml::node* formats = table.get("public"); formats != nullptr) {
      LACUNA_TRY(planned.formats, document_.strings(*formats));
    }
    if (const toml::node* options = table.get("options"); options != nullptr) {
      if (!options->is_table())
        return document_.error(*options, "options = { name = value, ... }");
      LACUNA_RETURN_IF_ERROR(read_options(*options->as_table(), planned.options));
    }
    if (planned.name.empty() || planned.name.find('/') != std::string::npos)
      return document_.error(
          table, "a table needs a name without '/', because the names of its files contain it");
    if (!names_.insert(planned.name).second)
      return document_.error(table,
                             "two tables are called '" + planned.name + "'; give one another name");
    plan_.tables.push_back(std::move(planned));
    return ok_status();
  }

  Status read_published(const toml::table& table) {
    LACUNA_RETURN_IF_ERROR(document_.check_keys(table, kPublishKeys, "[[publish]]"));
    PublishedCell cell;
    cell.where = document_.where(table.source());
    LACUNA_RETURN_IF_ERROR(text(table, "response", cell.response));
    if (const toml::node* codes = table.get("codes"); codes != nullptr) {
      if (!codes->is_table())
        return document_.error(*codes, "codes = { dimension = \"code\", ... }");
      for (const auto& [key, node] : files::TomlDocument::in_order(*codes->as_table())) {
        LACUNA_TRY(cell.codes[std::string(key->str())], document_.string(*node));
      }
    }
    plan_.published.push_back(std::move(cell));
    return ok_status();
  }

  const files::TomlDocument& document_;
  fs::path folder_;
  ReleasePlan plan_;
  std::vector<jobfile::JobOption> common_;
  std::set<std::string> names_;
};

}  // namespace

Result<ReleasePlan> read_plan_text(std::string text, const std::string& path) {
  LACUNA_TRY(const files::TomlDocument document, files::TomlDocument::parse(std::move(text), path));
  return PlanReader(document, fs::path(path).parent_path()).read();
}

Result<ReleasePlan> read_plan(const std::string& path) {
  LACUNA_TRY(std::string text, files::read_file(path));
  return read_plan_text(std::move(text), path);
}

}  // namespace lacuna::plan

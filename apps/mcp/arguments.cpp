// SPDX-License-Identifier: Apache-2.0
#include "apps/mcp/arguments.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/check.h"
#include "core/base/nearest.h"
#include "data/files/confinement.h"

namespace lacuna::mcp {
namespace fs = std::filesystem;
namespace {

std::string with_underscores(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string help_of(const OptionInfo& option) {
  std::string help = option.help;
  if (!option.unit.empty())
    help += " (" + option.unit + ")";
  if (!option.absent.empty())
    help += "; default: " + option.absent;
  return help;
}

// ---- schemas

Json limits_of(const OptionInfo& option, const char* type) {
  Json schema{{"type", type}};
  if (std::isfinite(option.least))
    schema[option.range.starts_with("above") ? "exclusiveMinimum" : "minimum"] = option.least;
  if (std::isfinite(option.most))
    schema["maximum"] = option.most;
  return schema;
}

Json schema_of_option(const OptionInfo& option) {
  if (option.is_flag())
    return {{"type", "boolean"}};
  if (option.type == "one of")
    return {{"type", "string"}, {"enum", option.choices}};
  if (option.type == "whole number")
    return limits_of(option, "integer");
  if (option.type == "number" || option.type == "exact number")
    return limits_of(option, "number");
  if (option.is_list())
    return {{"type", "array"}, {"items", {{"type", "string"}}}};
  return {{"type", "string"}};
}

Json schema_of_argument(const ArgumentInfo& argument) {
  const bool several =
      argument.kind == ArgumentKind::kFiles || argument.kind == ArgumentKind::kCells;
  Json schema = argument.kind == ArgumentKind::kOption ? schema_of_option(argument.option)
                : several
                    ? Json{{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}}
                    : Json{{"type", "string"}};
  schema["description"] = argument.help;
  return schema;
}

// ---- names of files

Error no_file(const std::string& message, const std::string& name) {
  return {ErrorCode::kOutOfReach, message, name};
}

bool is_plain(const std::string& name) {
  const fs::path path(name);
  if (name.empty() || name == "-" || path.is_absolute() || !path.has_filename())
    return false;
  const bool odd = std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20; });
  return !odd && std::none_of(path.begin(), path.end(), [](const fs::path& part) {
    return part == ".." || part == ".";
  });
}

bool is_inside(const fs::path& path, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

// ---- what was given

Error wrong_type(const ArgumentInfo& argument) {
  return {ErrorCode::kOptionValue,
          "does not have the type that the schema of the tool says",
          argument.name};
}

Result<std::string> text_of(const Json& value, const ArgumentInfo& argument) {
  const bool of_option = argument.kind == ArgumentKind::kOption;
  if (value.is_string())
    return value.get<std::string>();
  if (of_option && (value.is_number() || value.is_boolean()))
    return value.dump();
  return wrong_type(argument);
}

Result<std::vector<std::string>> texts_of(const Json& value, const ArgumentInfo& argument) {
  std::vector<std::string> texts;
  if (!value.is_array()) {
    LACUNA_TRY(std::string text, text_of(value, argument));
    return std::vector<std::string>{std::move(text)};
  }
  const bool several = argument.kind == ArgumentKind::kFiles ||
                       argument.kind == ArgumentKind::kCells || argument.option.is_list();
  if (!several || value.empty())
    return wrong_type(argument);
  for (const Json& item : value) {
    LACUNA_TRY(std::string text, text_of(item, argument));
    texts.push_back(std::move(text));
  }
  return texts;
}

Status check_place(const ArgumentInfo& argument,
                   const std::vector<std::string>& texts,
                   const Place& place) {
  const bool file = argument.kind == ArgumentKind::kFile || argument.kind == ArgumentKind::kFiles;
  for (const std::string& text : texts) {
    if (file)
      LACUNA_RETURN_IF_ERROR(place.check_file(text));
    if (argument.kind == ArgumentKind::kNewFile)
      LACUNA_RETURN_IF_ERROR(place.check_new(text));
  }
  return ok_status();
}

Error unknown_argument(const std::string& name, const std::vector<ArgumentInfo>& known) {
  std::vector<std::string_view> names;
  for (const ArgumentInfo& argument : known)
    names.push_back(argument.name);
  return {ErrorCode::kUnknownOption,
          "the tool has no such argument" + base::did_you_mean(name, names),
          name};
}

}  // namespace

std::vector<ArgumentInfo> options_among(const std::vector<OptionInfo>& known,
                                        std::initializer_list<std::string_view> names) {
  std::vector<ArgumentInfo> found;
  for (const std::string_view name : names) {
    const auto option = std::find_if(
        known.begin(), known.end(), [&](const OptionInfo& each) { return each.name == name; });
    LACUNA_CHECK(option != known.end());
    found.push_back(
        {with_underscores(option->name), ArgumentKind::kOption, false, help_of(*option), *option});
  }
  return found;
}

Json schema_of(const std::vector<ArgumentInfo>& arguments) {
  Json properties = Json::object(), needed = Json::array();
  for (const ArgumentInfo& argument : arguments) {
    properties[argument.name] = schema_of_argument(argument);
    if (argument.needed)
      needed.push_back(argument.name);
  }
  Json schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!needed.empty())
    schema["required"] = std::move(needed);
  schema["additionalProperties"] = false;
  return schema;
}

Status Place::check_file(const std::string& name) const {
  if (!is_plain(name))
    return no_file("a file is named from the folder on, without '..'", name);
  std::error_code error;
  const fs::path real = fs::weakly_canonical(fs::path(root) / name, error);
  if (error || !is_inside(real, root))
    return no_file("this leads out of the folder that lacuna mcp was started with", name);
  if (!fs::is_regular_file(real, error))
    return Error{ErrorCode::kFileMissing, "there is no such file below the folder", name};
  return files::check_readable(real.string());
}

Status Place::check_new(const std::string& name) const {
  if (!is_plain(name))
    return no_file("a file is named from the folder on, without '..'", name);
  std::error_code error;
  const fs::path parent = fs::weakly_canonical((fs::path(root) / name).parent_path(), error);
  if (error || !is_inside(parent, root))
    return no_file("this leads out of the folder that lacuna mcp was started with", name);
  if (!fs::is_directory(parent, error))
    return Error{ErrorCode::kFileMissing, "there is no such folder", name};
  if (fs::exists(fs::symlink_status(parent / fs::path(name).filename(), error)))
    return Error{ErrorCode::kFileUnwritable,
                 "a file of this name is there already and stays as it is: choose another name",
                 name};
  return ok_status();
}

bool Place::is_published(const std::string& name) const {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(fs::path(root) / name, error);
  return !error && std::any_of(published.begin(), published.end(), [&](const std::string& each) {
    return is_inside(real, each);
  });
}

Result<Arguments> Arguments::read(const Json& given,
                                  const std::vector<ArgumentInfo>& known,
                                  const Place& place) {
  Arguments arguments;
  for (const auto& [name, value] : given.items()) {
    const auto argument = std::find_if(
        known.begin(), known.end(), [&](const ArgumentInfo& each) { return each.name == name; });
    if (argument == known.end())
      return unknown_argument(name, known);
    if (value.is_null())
      continue;
    LACUNA_TRY(std::vector<std::string> texts, texts_of(value, *argument));
    LACUNA_RETURN_IF_ERROR(check_place(*argument, texts, place));
    if (argument->kind == ArgumentKind::kOption)
      arguments.options_.push_back({argument->option.name, std::move(texts)});
    else
      arguments.given_.push_back({argument->name, std::move(texts)});
  }
  for (const ArgumentInfo& argument : known) {
    if (argument.needed && arguments.texts(argument.name).empty())
      return Error{ErrorCode::kOptionMissing, "the tool needs this argument", argument.name};
  }
  return arguments;
}

std::string Arguments::text(std::string_view name) const {
  const std::vector<std::string> found = texts(name);
  return found.empty() ? "" : found.front();
}

std::vector<std::string> Arguments::texts(std::string_view name) const {
  const auto found = std::find_if(
      given_.begin(), given_.end(), [&](const auto& each) { return each.name == name; });
  return found == given_.end() ? std::vector<std::string>() : found->texts;
}

session::GivenOptions Arguments::options(const std::vector<OptionInfo>& known) const {
  session::GivenOptions found;
  for (const session::OptionTexts& each : options_) {
    const auto same = [&](const OptionInfo& option) { return option.name == each.name; };
    if (std::any_of(known.begin(), known.end(), same))
      found.push_back(each);
  }
  return found;
}

}  // namespace lacuna::mcp

// SPDX-License-Identifier: Apache-2.0
#include "texts.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>

#include "core/base/confidential.h"
#include "data/spec/spec_text.h"
#include "data/spec/value.h"
#include "lacuna/files.h"
#include "lacuna/version.h"

namespace lacuna::c {
namespace {

constexpr const char* kOptions = "options";  // the file of their places

std::string text_of_value(const spec::SpecValue& value, const std::string& name) {
  if (value.is(spec::SpecValue::Kind::kTruth))
    return value.truth ? "true" : "false";
  if (value.is(spec::SpecValue::Kind::kText) || value.is(spec::SpecValue::Kind::kNumber))
    return value.text;
  fail({ErrorCode::kOptionValue,
        name + " must be a text, a number, true or false, or a list of these",
        value.where});
}

nlohmann::ordered_json described(const OptionInfo& option) {
  nlohmann::ordered_json out;
  out["name"] = option.name;
  out["help"] = option.help;
  out["type"] = option.type;
  out["default"] = option.default_text;
  out["absent"] = option.absent;
  out["unit"] = option.unit;
  out["range"] = option.range;
  out["choices"] = option.choices;
  out["methods"] = option.methods;
  return out;
}

}  // namespace

JobText form_of(std::int32_t form, const char* name) {
  if (form != LACUNA_JSON && form != LACUNA_TOML)
    misuse(std::string(name) + " must be LACUNA_JSON or LACUNA_TOML");
  return form == LACUNA_JSON ? JobText::kJson : JobText::kToml;
}

char* copy_of(std::string_view bytes) {
  char* copy = static_cast<char*>(std::malloc(bytes.size() + 1));
  if (copy == nullptr)
    throw std::bad_alloc();
  std::memcpy(copy, bytes.data(), bytes.size());
  copy[bytes.size()] = '\0';
  return copy;
}

char* shown_copy(std::string_view text) {
  return copy_of(base::without_confidential(text));
}

session::GivenOptions given_options(const char* json) {
  session::GivenOptions given;
  if (json == nullptr)
    return given;
  const spec::SpecValue all =
      value_or_fail(spec::value_from_json(text_of(json, kOptions), kOptions));
  if (!all.is(spec::SpecValue::Kind::kTable))
    fail({ErrorCode::kOptionValue,
          "options must be a JSON object, {\"method\": \"round\"}",
          all.where});
  for (const spec::SpecValue::Member& member : all.members) {
    session::OptionTexts& option = given.emplace_back();
    option.name = member.key;
    if (member.value.is(spec::SpecValue::Kind::kList)) {
      for (const spec::SpecValue& item : member.value.items)
        option.texts.push_back(text_of_value(item, member.key));
    } else {
      option.texts.push_back(text_of_value(member.value, member.key));
    }
  }
  return given;
}

void refuse_options(const session::GivenOptions& given,
                    std::initializer_list<std::string_view> names) {
  for (const session::OptionTexts& option : given) {
    if (std::find(names.begin(), names.end(), option.name) != names.end())
      fail({ErrorCode::kOptionValue,
            "is not an option of this call: use the argument or the function that takes its place",
            "--" + option.name});
  }
}

std::vector<std::string> take_options(session::GivenOptions& given, std::string_view name) {
  for (auto option = given.begin(); option != given.end(); ++option) {
    if (option->name != name)
      continue;
    std::vector<std::string> texts = std::move(option->texts);
    given.erase(option);
    return texts;
  }
  return {};
}

std::string take_option(session::GivenOptions& given, std::string_view name) {
  const auto option =
      std::find_if(given.begin(), given.end(), [&](const session::OptionTexts& each) {
        return each.name == name;
      });
  if (option == given.end())
    return "";
  if (option->texts.size() != 1)
    fail({ErrorCode::kOptionValue, "expected one text", "--" + std::string(name)});
  std::string text = std::move(option->texts.front());
  given.erase(option);
  return text;
}

}  // namespace lacuna::c

extern "C" {

using namespace lacuna;
using namespace lacuna::c;

std::int32_t lacuna_abi_version() {
  return LACUNA_ABI_VERSION;
}

const char* lacuna_version() {
  return lacuna::version().data();
}

void lacuna_text_free(char* text) {
  std::free(text);
}

lacuna_status lacuna_spec_convert(
    const char* text, std::int32_t from, std::int32_t to, char** out, lacuna_error** error) {
  return guarded(error, [&] {
    char*& target = place_of(out, "out");
    const JobText wanted = form_of(to, "to");
    const JobSpec spec =
        value_or_fail(parse_job(lacuna::c::text_of(text, "text"), form_of(from, "from"), "spec"));
    target = shown_copy(job_text(spec, wanted));
  });
}

lacuna_status lacuna_options(const char* command, char** json, lacuna_error** error) {
  return guarded(error, [&] {
    char*& target = place_of(json, "json");
    auto list = nlohmann::ordered_json::array();
    for (const OptionInfo& option :
         value_or_fail(session::options_of(lacuna::c::text_of(command, "command"))))
      list.push_back(described(option));
    target = copy_of(list.dump());
  });
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include "errors.h"
#include "frames.h"

namespace lacuna::python {
namespace {

nb::list describe(const std::string& command) {
  nb::list list;
  for (const OptionInfo& option : value_or_raise(session::options_of(command))) {
    nb::dict entry;
    entry["name"] = str_of(option.name);
    entry["help"] = str_of(option.help);
    entry["unit"] = str_of(option.unit);
    entry["absent"] = str_of(option.absent);
    entry["type"] = str_of(option.type);
    entry["default"] = str_of(option.default_text);
    entry["range"] = str_of(option.range);
    entry["shown_as"] = str_of(option.shown_as);
    entry["is_argument"] = option.place != FieldPlace::kOption;
    nb::list choices, methods;
    for (const std::string& choice : option.choices)
      choices.append(str_of(choice));
    for (const std::string& method : option.methods)
      methods.append(str_of(method));
    entry["choices"] = choices;
    entry["methods"] = methods;
    list.append(entry);
  }
  return list;
}

}  // namespace

session::GivenOptions given_options(const nb::dict& options) {
  session::GivenOptions given;
  for (const auto& [key, value] : options) {
    session::OptionTexts& option = given.emplace_back();
    option.name = text_of(key);
    for (const nb::handle text : nb::list(value))
      option.texts.push_back(text_of(text));
  }
  return given;
}

void bind_options_of_jobs(nb::module_& module) {
  module.def(
      "describe",
      [](nb::handle command) { return describe(text_of(command)); },
      nb::arg("command"),
      nb::sig("def describe(command: str) -> list[dict[str, typing.Any]]"),
      "The options of a command: name, help, type, default, range, choices.");
}

}  // namespace lacuna::python

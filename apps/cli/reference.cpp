// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/reference.h"

#include "apps/cli/job_reference.h"
#include "lacuna/sensitivity.h"

namespace lacuna {
namespace {

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : between) + word;
  return text;
}

std::string usage_name(const OptionInfo& option) {
  if (option.place == FieldPlace::kArgument)
    return "`" + option.shown_as + "`";
  std::string name = "`--" + option.name + "`";
  if (option.letter != '\0')
    name = std::string("`-") + option.letter + "`, " + name;
  if (option.place == FieldPlace::kNamedArgument)
    name = "`" + option.shown_as + "`, " + name;
  return name;
}

std::string value_of(const OptionInfo& option) {
  if (option.is_flag())
    return "";
  if (option.type == "one of")
    return joined(option.choices, ", ");
  const std::string kind = option.shown_as == "FILE" || option.shown_as == "OUT" ? "file"
                           : option.shown_as == "FOLDER"                         ? "folder"
                           : option.is_list()                                    ? "list"
                                                                                 : option.type;
  return kind + (option.range.empty() ? "" : ", " + option.range) +
         (option.unit.empty() ? "" : " (" + option.unit + ")");
}

std::string default_of(const OptionInfo& option) {
  if (!option.absent.empty())
    return option.absent;
  if (option.place != FieldPlace::kOption)
    return "needed";
  return option.is_flag() ? (option.default_text == "true" ? "yes" : "") : option.default_text;
}

std::string table_of(const std::vector<OptionInfo>& options) {
  bool any_methods = false;
  for (const OptionInfo& option : options)
    any_methods = any_methods || !option.methods.empty();
  std::string text = std::string("| option | value | default |") +
                     (any_methods ? " methods |" : "") + " meaning |\n|---|---|---|" +
                     (any_methods ? "---|" : "") + "---|\n";
  for (const OptionInfo& option : options) {
    text +=
        "| " + usage_name(option) + " | " + value_of(option) + " | " + default_of(option) + " |";
    if (any_methods)
      text += " " + joined(option.methods, ", ") + " |";
    text += " " + option.help + " |\n";
  }
  return text;
}

}  // namespace

std::string reference_page(std::span<const Command* const> commands) {
  std::string page =
      "# Options\n\nEvery option of every command, from the lists that the program itself is made "
      "of: `lacuna --reference` prints this page, and a test compares the two. Names are the same "
      "in `[options]` of a job file ([formats.md](formats.md)); what stands on the command line "
      "wins. In C++ the same lists are read by `describe_options` and `set_option` "
      "([library.md](library.md)).\n";
  for (const Command* command : commands)
    page += "\n## lacuna " + command->name() + "\n\n" + command->help() + "\n\n" +
            table_of(command->options());
  page +=
      "\n## Rules of jobs over records\n\nKeys of `[rules]`, `[levels]`, `[bounds]` and "
      "`[attackers]` ([sensitivity.md](sensitivity.md)), allowed in `[options]` as well.\n\n";
  std::vector<OptionInfo> rules = describe_options<SensitivityOptions>();
  return page + table_of(rules) + job_reference();
}

std::string errors_page() {
  std::string page;
  for (const ErrorInfo& info : error_codes())
    page += std::string(info.name) + "\t" +
            std::string(enum_names(info.kind)[static_cast<std::size_t>(info.kind)]) + "\t" +
            std::string(info.when) + "\n";
  return page;
}

}  // namespace lacuna

// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/command.h"

#include <algorithm>
#include <set>

#include "core/base/confidential.h"

namespace lacuna {

std::string value_word(const OptionInfo& option) {
  if (!option.shown_as.empty() && option.place != FieldPlace::kArgument)
    return option.shown_as == "OUT" ? "FILE" : option.shown_as;
  if (option.type == "one of") {
    std::string words;
    for (const std::string& choice : option.choices)
      words += (words.empty() ? "" : "|") + choice;
    return words;
  }
  return option.type == "text" ? "TEXT" : "NUMBER";
}

std::string full_help(const OptionInfo& option) {
  std::string more;
  const auto add = [&](const std::string& text) {
    if (!text.empty())
      more += (more.empty() ? "" : "; ") + text;
  };
  add(option.unit);
  add(option.range);
  add(option.absent.empty() ? "" : "default: " + option.absent);
  return option.help + (more.empty() ? "" : " (" + more + ")");
}

std::string option_group(const OptionInfo& option) {
  std::string methods;
  for (const std::string& method : option.methods)
    methods += (methods.empty() ? "" : ", ") + method;
  return methods.empty() ? "Options" : "Options of " + methods;
}

bool stands_by_place(const OptionInfo& option) {
  return option.place == FieldPlace::kArgument || option.place == FieldPlace::kNamedArgument;
}

namespace {

std::string names_of(const OptionInfo& option) {
  std::string names;
  const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ",") + name; };
  if (stands_by_place(option))
    add(option.shown_as);
  if (option.place == FieldPlace::kArgument)
    return names;
  if (option.letter != '\0')
    add(std::string("-") + option.letter);
  add("--" + option.name);
  if (!option.alias.empty())
    add("--" + option.alias);
  return names;
}

// "--gap: must be ..." as all errors of options; CLI11 puts the name before the message itself.
void pass_on(const Status& status) {
  if (!status)
    throw CLI::ValidationError(status.error().where, base::in_full(status.error().message));
}

CLI::App* add_to(CLI::App& app, const std::string& name, const std::string& help) {
  const std::size_t blank = name.find(' ');
  if (blank == std::string::npos)
    return app.add_subcommand(name, help);
  const std::string first = name.substr(0, blank);
  const auto named = [&](const CLI::App* known) { return known->get_name() == first; };
  const std::vector<CLI::App*> found = app.get_subcommands(named);
  CLI::App* group = found.empty() ? nullptr : found.front();
  if (group == nullptr) {
    group = app.add_subcommand(first, "commands of its own: lacuna " + first + " --help");
    group->require_subcommand(1);
  }
  return group->add_subcommand(name.substr(blank + 1), help);
}

}  // namespace

Command::Command(CLI::App& app, const std::string& name, const std::string& help)
    : name_(name), help_(help), app_(add_to(app, name, help)) {}

CLI::Option* Command::add_to_app(const BoundOption& option) {
  const OptionInfo& info = option.info;
  if (info.is_flag()) {
    const auto set = [&option] {
      const std::string yes = "true";
      pass_on(option.set({&yes, 1}));
    };
    return app_->add_flag_callback(names_of(info), set, full_help(info));
  }
  if (info.is_list()) {
    const auto set = [&option](const std::vector<std::string>& texts) {
      pass_on(option.set(texts));
    };
    CLI::Option* added =
        app_->add_option_function<std::vector<std::string>>(names_of(info), set, full_help(info));
    // Only files that are read come several at a time: after anything else a table may follow.
    static const std::set<std::string_view> kOneByOne{
        "OUT", "CELL", "RANGE", "BLANKS", "SIGN", "CODE", "NAME"};
    const bool one_by_one = kOneByOne.contains(info.shown_as);
    return one_by_one ? added->allow_extra_args(false) : added;
  }
  const auto set = [&option](const std::string& text) { pass_on(option.set({&text, 1})); };
  return app_->add_option_function<std::string>(names_of(info), set, full_help(info));
}

void Command::add(BoundOption bound) {
  Entry& entry = entries_.emplace_back(Entry{std::move(bound)});
  const OptionInfo& info = entry.option.info;
  entry.cli = add_to_app(entry.option);
  const bool needed = info.place != FieldPlace::kOption && info.absent.empty();
  if (!info.is_flag())  // who must say something has no use for a default
    entry.cli->type_name(value_word(info))->default_str(needed ? "" : info.default_text);
  if (info.place != FieldPlace::kOption)
    entry.cli->required(needed);  // else who is silent means something
  else
    entry.cli->group(option_group(info));
}

Command::Entry* Command::find(std::string_view option) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.option.info.name == option || entry.option.info.alias == option;
  });
  return found == entries_.end() ? nullptr : &*found;
}

void Command::explain(std::string_view option, const std::string& help) {
  if (Entry* entry = find(option); entry != nullptr) {
    entry->option.info.help = help;
    entry->cli->description(full_help(entry->option.info));
  }
}

void Command::hide() {
  app_->group("");
  app_->allow_extras();
  app_->set_help_flag();
}

std::vector<OptionInfo> Command::options() const {
  std::vector<OptionInfo> options;
  for (const Entry& entry : entries_)
    options.push_back(entry.option.info);
  return options;
}

Status Command::set_if_open(const std::string& option,
                            const std::string& text,
                            const std::string& where) {
  Entry* entry = find(option);
  if (entry == nullptr || entry->is_set || entry->cli->count() > 0)
    return ok_status();
  const Status status = entry->option.set({&text, 1});
  if (!status)
    return Error{ErrorCode::kOptionValue, option + " " + status.error().message, where};
  entry->is_set = true;
  return ok_status();
}

std::string Command::given_text(std::string_view option) const {
  std::string text;
  for (const Entry& entry : entries_) {
    if (entry.option.info.name != option)
      continue;
    for (const std::string& value : entry.cli->results())
      text = value;
  }
  return text;
}

std::string Command::given() const {
  std::string text;
  for (const Entry& entry : entries_) {
    const std::string& name = entry.option.info.name;
    const bool is_output = entry.option.info.shown_as == "OUT" || name == "json";
    if (entry.cli->count() == 0 || is_output || entry.option.info.place == FieldPlace::kArgument)
      continue;
    text += (text.empty() ? "--" : " --") + name;
    if (entry.option.info.is_flag())
      continue;
    for (const std::string& value : entry.cli->results())
      text += " " + value;
  }
  return text;
}

}  // namespace lacuna

// SPDX-License-Identifier: Apache-2.0
// A command of the program, made from the fields() lists of its jobs: options, help, what job files
// may set, and its section of the reference page.
#pragma once

#include <CLI/CLI.hpp>
#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/fields.h"
#include "lacuna/result.h"

namespace lacuna {

// What stands for its value in a usage line: FILE, NUMBER, or the words it may be.
std::string value_word(const OptionInfo& option);
// Its help, with unit, range and what its absence means.
std::string full_help(const OptionInfo& option);
// The heading under which --help and the manual list it.
std::string option_group(const OptionInfo& option);
// Whether it may be given by its position alone.
bool stands_by_place(const OptionInfo& option);

class Command {
 public:
  // A name of two words ("ptable make") is a command within the one of the first, which is made if
  // it is not there yet.
  Command(CLI::App& app, const std::string& name, const std::string& help);

  // The options must outlive the command.
  template <class Options>
  void add_options_of(Options& options) {
    for (BoundOption& option : bind_options(options))
      add(std::move(option));
  }
  template <class Options>
  void add_options_of(Options& options, std::initializer_list<std::string_view> only) {
    for (BoundOption& option : bind_options(options)) {
      if (std::find(only.begin(), only.end(), option.info.name) != only.end())
        add(std::move(option));
    }
  }
  void explain(std::string_view option, const std::string& help);  // instead of that of the field

  void hide();  // not in the list of commands; takes any option
  bool hidden() const { return app_->get_group().empty(); }

  const std::string& name() const { return name_; }
  const std::string& help() const { return help_; }
  bool parsed() const { return app_->parsed(); }
  std::vector<OptionInfo> options() const;

  // What is named on the command line wins, then what is set first: an option that is open takes
  // the text of the job file.
  // No such option: nothing happens. Errors are placed at `where`.
  Status set_if_open(const std::string& option, const std::string& text, const std::string& where);

  // The text of an option as it was given; empty: it was not, or there is no such option.
  std::string given_text(std::string_view option) const;

  // The options as they were given, without those that say where results go.
  std::string given() const;

 private:
  struct Entry {
    BoundOption option;
    CLI::Option* cli = nullptr;
    bool is_set = false;  // by a job file, or a policy after it
  };
  void add(BoundOption option);
  CLI::Option* add_to_app(const BoundOption& option);
  Entry* find(std::string_view option);

  std::string name_, help_;
  CLI::App* app_;
  std::deque<Entry> entries_;  // callbacks point into it
};

}  // namespace lacuna

// SPDX-License-Identifier: Apache-2.0
// What messages name and each front end writes in its own way: keys of a job and options of a run.
// A message has them as a job file and the command line write them, marked by two characters
// without a shape (U+2062, U+2064); whoever shows it to a caller that has arguments instead
// (Python, R) puts the caller's own words in their place. As with what is confidential
// (confidential.h), the mark is set where the message is made.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace lacuna::base {

// What is marked. `section` is as job files write it: "[input]", "[[rule]]".
struct NamedSetting {
  enum class Kind { kKey, kSection, kOption, kWords };
  Kind kind = Kind::kKey;
  std::string section;  // of a key; may be empty
  std::string name;     // of a key or an option, without dashes
  std::string value;    // may be empty
  std::string text;     // as a job file and the command line write it
};

std::string named_setting(std::string_view key, std::string_view value);  // round = true
std::string named_setting(std::string_view section,                       // round = true in [input]
                          std::string_view key,
                          std::string_view value);
std::string named_key(std::string_view section, std::string_view key);         // value in [columns]
std::string named_section(std::string_view name);                              // [[rule]]
std::string named_option(std::string_view name, std::string_view value = "");  // --unasked publish
std::string named_letter(char letter, std::string_view value);                 // -o result.json
// Words that are right of a job file alone: "a string" + words_of_files(" in quotes").
std::string words_of_files(std::string_view words);

// A place that is an option, by the name of its argument: time_limit for --time-limit. Of a file to
// be written, its path.
std::string place_in_call(std::string_view where);

using Spelling = std::function<std::string(const NamedSetting&)>;
std::string spelled(std::string_view message, const Spelling& spelling);
std::string as_in_files(std::string_view message);  // without the marks

}  // namespace lacuna::base

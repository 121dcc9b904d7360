// SPDX-License-Identifier: Apache-2.0
// Keys and options (spelling.h) as arguments of a call: value in [columns] is numVar of R and value
// of Python, --unasked publish is unasked = "publish". What all languages with calls share is
// here; each has its own names, its own sign between name and value, and its own values.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/spelling.h"

namespace lacuna::base {

class CallWords {
 public:
  virtual ~CallWords() = default;

  // For a caller who has only arguments.
  std::string word(const NamedSetting& named) const;
  // For one whose job is a file: keys stay as they are.
  std::string word_beside_files(const NamedSetting& named) const;

 protected:
  using Pair = std::pair<std::string_view, std::string_view>;
  // Sections and keys that have another name as an argument; `is` stands between name and value.
  CallWords(std::span<const Pair> sections, std::span<const Pair> keys, std::string_view is)
      : sections_(sections), keys_(keys), is_(is) {}

  virtual std::string value(const std::string& text) const = 0;
  virtual std::string dimension_key(const NamedSetting& named) const = 0;
  std::string argument(const std::string& name, const std::string& text) const;

 private:
  std::string section(std::string_view name) const;
  std::string key(const NamedSetting& named) const;
  std::string option(const NamedSetting& named) const;

  std::span<const Pair> sections_, keys_;
  std::string_view is_;
};

}  // namespace lacuna::base

// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/job_reference.h"

#include <map>

#include "app/job/job_keys.h"

namespace lacuna {
namespace {

std::string joined(const std::vector<std::string>& words, const std::string& quote) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty()    ? ""
             : quote.empty() ? ","
                             : ", ") +
            quote + word + (quote.empty() ? "" : "\"`");
  return text;
}

std::string value_of(const job::JobKey& key) {
  static const std::map<std::string, std::string> kWords{
      {"flag", "true or false"},
      {"whole", "whole number"},
      {"text", "text"},
      {"number", "number"},
      {"scalar", "number or word"},
      {"lists", "codes with lists of codes"},
      {"words", "any keys"},
      {"texts", "text, or a list of texts"},
      {"files", "text, or a list of texts"},
  };
  if (key.kind == "choice")
    return joined(key.choices, "`\"");
  const auto found = kWords.find(key.kind);
  return found == kWords.end() ? "list" : found->second;
}

std::string section_text(const job::JobKey& section) {
  std::string text = "\n### `" + section.shown_as + "`: " + section.help +
                     "\n\n| key | value | if absent | in | meaning |\n|---|---|---|---|---|\n";
  for (const job::JobKey& key : section.keys)
    text += "| `" + key.name + "` | " + value_of(key) + " | " + key.absent + " | " +
            joined(key.of, "") + " | " + key.help + " |\n";
  for (const job::JobKey& key : section.keys)
    text += key.keys.empty() ? "" : section_text(key);
  return text;
}

}  // namespace

std::string job_reference() {
  std::string page =
      "\n## Keys of a job\n\nThe sections of a job and their keys, as TOML has them "
      "([formats.md](formats.md) explains them). \"in\" names the kind of job, or of rule, that "
      "has the key; empty: all.\n";
  for (const job::JobKey& key : job::job_keys()) {
    if (key.kind == "text")
      page += "\nAbove the sections may stand `" + key.name + " = \"...\"`: " + key.help + ".\n";
  }
  for (const job::JobKey& section : job::job_keys())
    page += section.keys.empty() ? "" : section_text(section);
  return page;
}

}  // namespace lacuna

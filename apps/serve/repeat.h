// SPDX-License-Identifier: Apache-2.0
// What repeats a run elsewhere: its command line, and the files that it reads. A command that reads
// what is nowhere on disk (an edited job, what was decided by hand, uploads, examples) repeats
// nothing until these are saved; all of them together are one archive.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/session/options.h"
#include "apps/serve/document.h"
#include "lacuna/result.h"

namespace lacuna::serve {

struct RepeatedRun {
  const Document& document;
  std::string command;                 // protect, audit
  const session::GivenOptions& given;  // with the paths of files
  const session::GivenOptions& shown;  // with the names that they go by
  const Json& asked;                   // as the page sent them
};

// Which of job, changes, input and options are not where the command line looks for them.
std::vector<std::string> unsaved(const RepeatedRun& run);

// "lacuna protect sales.toml --method round --apriori sales-changes.csv"
std::string command_line(const RepeatedRun& run);

// A ZIP archive with every file that the command line reads, under the names that it uses, and the
// command line itself as command.txt. Errors: a file cannot be read, two have one name.
Result<std::string> repeat_archive(const RepeatedRun& run);
// The same as files by name.
Result<std::map<std::string, std::string>> repeat_files(const RepeatedRun& run);
// The file that the page opened, and what its job names, from where it stands.
Result<std::map<std::string, std::string>> files_read_by(const Document& document);

// What is given and what was changed by hand, as one list of options.
session::GivenOptions with_changes_of(const Document& document, session::GivenOptions given);

// "upload:3/released.csv" is released.csv to its owner.
std::string name_of_upload(const std::string& text);

}  // namespace lacuna::serve

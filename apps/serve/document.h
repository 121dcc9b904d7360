// SPDX-License-Identifier: Apache-2.0
// A table that is open on the page: as it was read, and as it is after what was changed by hand.
// Documents are never changed: a change makes another, so that runs go on with what they began
// with. Changes are kept as a-priori entries and codes to collapse, which the command line takes as
// one file (data/problems/apriori.h, app/load/manual_overrides.h). Cells are named by their codes:
// their numbers are others as soon as a code is collapsed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "apps/serve/files.h"
#include "apps/serve/json.h"
#include "lacuna/apriori.h"
#include "lacuna/result.h"

namespace lacuna::serve {

struct Change {
  std::vector<AprioriEntry> entries;
  std::vector<std::string> collapse;  // "region=North"
  std::string label, text, reason;
};

struct Document {
  int id = 0;
  std::string name, file;                          // as the page calls it
  std::string kind;                                // table, records, problem, argus
  std::string path;                                // where its file lies
  std::optional<std::string> job;                  // TOML that reads it
  Json job_shown;                                  // the same as the page has it (job.h), or null
  Json columns;                                    // of its data: names and samples, or null
  session::SessionProblem held;                    // as it was read; nothing of an argus job
  std::shared_ptr<const load::LoadedProblem> now;  // with the changes
  std::vector<Change> done, undone;
  std::vector<std::string> notes;
  std::int64_t asked_together = 0;  // requirements about earlier periods and other variables
  bool job_is_new = false;  // written on the page, not on disk
  Lease upload;             // what it was read from goes with it

  bool is_argus() const { return kind == "argus"; }
  const Problem& problem() const { return now->problem.as_read(); }
  // The changes as a file of its own; empty: there is none. And what that file is called.
  std::string apriori_text() const;
  std::string changes_name() const;
  // What the command line calls the file that is read: an edited job has a name that no file of the
  // user's has, so that nobody runs the one from before by mistake.
  std::string input_name() const;
  std::string job_name() const;
  std::vector<std::string> collapsed() const;
  std::vector<AprioriEntry> entries() const;  // of cells that are still there
  // Options that every run on the document has, and the texts that they name.
  session::GivenOptions options_of_changes() const;
  load::Inputs named_texts() const;
  Json json() const;
};
using DocumentPtr = std::shared_ptr<const Document>;

// What could be understood of a file that cannot be opened as it is: for the form.
struct OpenFailure {
  Error error;
  Json draft;
};
using Opened = std::variant<DocumentPtr, OpenFailure>;

// `job`: the text of a job that takes the place of the file's own. It is no file: it is read as a
// value, and the names in it are those of the folder of the file.
Opened open_document(Files& files, const std::string& file, const std::optional<std::string>& job);

// Of the cells in "codes", a list of codes by name, one of each dimension; or in "cells", numbers
// of the table as it is now. Errors: no such cell, levels that make no sense, a code without parts.
Result<DocumentPtr> with_change(const Document& document, const Json& asked);
// All of an a-priori file. Errors: what its reader says.
Result<DocumentPtr> with_file(const Document& document,
                              const Files& files,
                              const std::string& file);
// The same of a text, under the words that it had.
Result<DocumentPtr> with_text(const Document& document, const std::string& text, Change words);
// One change alone, as an a-priori file. Errors: a table whose cells have no names.
Result<std::string> change_text(const Document& document, const Change& change);
Result<DocumentPtr> with_collapse(const Document& document,
                                  const std::string& dimension,
                                  const std::string& code);
// Errors: there is nothing to take back, or to do again.
Result<DocumentPtr> undone(const Document& document);
Result<DocumentPtr> redone(const Document& document);

// The job that reads the table as it is now. Errors: a table without codes.
Result<std::string> job_text(const Document& document);

// A name without anything that a header or a shell could take otherwise.
std::string safe_name(const std::string& name);

// The a-priori file. Errors: nothing was decided by hand.
Result<std::string> changes_text(const Document& document);

// "lacuna protect sales.toml --method round": what repeats a run.
std::string command_line(const Document& document,
                         const std::string& command,
                         const session::GivenOptions& given);

}  // namespace lacuna::serve

// SPDX-License-Identifier: Apache-2.0
// The formats in which released tables are written, by the ending of the name: the one list, to
// which a new format adds a line (release_formats.cpp). Each may have a public writer, which looks
// at nothing but what the draft says, and one for the office, with true values, flags that tell
// sensitive cells from others, and the reasons.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/files/output_options.h"
#include "data/files/sheet.h"
#include "data/publish/extra_columns.h"
#include "data/publish/release_file.h"
#include "lacuna/audit.h"
#include "lacuna/result.h"

namespace lacuna::publish {

struct ReleaseFacts {    // what may be said of any release
  std::string title;     // name of the table
  std::string method;    // empty: not said
  std::string date;      // "2026-11-15"; empty: not said
  std::string audit{};   // what was checked, for readers; empty: not said
  bool unasked = false;  // nothing was asked and nobody has let it go: no cell is called free
  std::string asked{};   // for readers: what was asked of the release and found, in sentences
  bool meaning = false;  // public files say what numbers mean that are not as they are
};

struct PublicRelease {  // all that a public writer is given
  const AuditedRelease& release;
  std::vector<files::TableView> tables;  // one, or as many as the format can hold
  const files::OutputOptions& options;
  ReleaseFacts facts;
  std::span<const ExtraColumn> columns{};  // behind all others, where the format has a place
};

struct OfficeRelease : PublicRelease {
  const RunSummary& run;
  std::span<const std::string> reasons;  // by cell; may be empty
};

struct ReleaseFormat {
  std::string_view ending;
  bool several_tables;  // in one file
  bool ranges;          // can say "between 5 and 9"
  std::function<Result<std::string>(const PublicRelease&)> public_text;
  std::function<Result<std::string>(const OfficeRelease&)> office_text;  // may be missing
};
const std::vector<ReleaseFormat>& release_formats();

enum class Audience : std::uint8_t { kOffice, kPublic };

// The format of a name (also packed, .csv.gz). A stream without an ending gets the first of its
// audience: JSON for the office, CSV for the public. Errors: an ending that is not known, with all
// that are.
Result<const ReleaseFormat*> release_format(const std::string& path, Audience audience);

// Whether the name holds {table}, in whose place comes that of each table.
bool is_per_table(const std::string& path);

struct OutputFile {
  std::string path;
  std::vector<files::TableView> tables;  // that it holds
};
// The files that a name stands for: one, or one per table. Errors: several tables in a format that
// holds one; ranges that it cannot hold.
Result<std::vector<OutputFile>> output_files(const std::string& path,
                                             Audience audience,
                                             const Table& table,
                                             std::span<const LinkedTable> tables,
                                             const std::string& title);

// One file per table, with its name in the place of {table}.
std::vector<OutputFile> files_of_tables(const std::string& path,
                                        const Table& table,
                                        std::span<const LinkedTable> tables,
                                        const std::string& title);

// Text that a file name can hold: what separates folders and control characters become '_'.
std::string as_file_name(std::string_view text);

}  // namespace lacuna::publish

// SPDX-License-Identifier: Apache-2.0
// Which files may be read and written at all. On the command line and in other programs whoever
// names a file may, and nothing is asked here. A server reads for others: jobs name tables,
// hierarchies and metadata, those name further files, and every format has its own ways to spell a
// name. So the question is asked where files are opened, of the file behind all links, and not
// where names are written: it holds for the whole process, as long as its Confinement lives, and no
// reader can forget to hand it on.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/result.h"

namespace lacuna::files {

struct FileLimits {
  std::vector<std::string> read_below;   // plain files below these folders alone; empty: anything
  std::vector<std::string> write_below;  // files (file.h) below these alone; empty: anywhere
  std::uint64_t unpacked_megabytes = 0;  // the most that a packed file may unpack to; 0: any number
  std::string remedy;                    // what to do about a file that unpacks to more
};

struct ConfinedFolders;

// From here to its end the process keeps the limits. One at a time, made before threads read or
// write and ended after them.
class Confinement {
 public:
  explicit Confinement(const FileLimits& limits);
  Confinement(const Confinement&) = delete;
  Confinement& operator=(const Confinement&) = delete;
  ~Confinement();

 private:
  std::unique_ptr<const ConfinedFolders> folders_;
};

// Whether reading is confined: then whoever lets another library open files asks for each by its
// name, and lets it find none by itself.
bool reading_is_confined();

// Errors: a file outside the folders, or what is no plain file, while reading is confined. A file
// that is not there passes: who opens it says so.
Status check_readable(const std::string& path);

// Errors: a file outside the folders while writing is confined. `path` is behind all links.
Status check_may_write(const std::string& path);

// Errors: more has been unpacked than a file may unpack to.
Status check_unpacked(std::uint64_t bytes, const std::string& path);

}  // namespace lacuna::files

// SPDX-License-Identifier: Apache-2.0
// Which files may be read and written at all. On the command line whoever names a file may, and
// nothing is asked here. A server reads for others: jobs name tables, hierarchies and metadata, those name
// further files, and every format has its own ways to spell a name. So the question is asked where
// files are opened, of the file behind all links, and not where names are written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/result.h"

namespace lacuna::inline io {

// From now on this process reads plain files below these folders alone; an empty list: anything.
// To be called before threads read.
void confine_reading(const std::vector<std::string>& folders);

// Whether reading is confined: then whoever lets another library open files asks for each by its
// name, and lets it find none by itself.
bool reading_is_confined();

// Errors: a file outside the folders, or what is no plain file, while reading is confined. A file
// that is not there passes: who opens it says so.
Status check_reach(const std::string& path);

// From now on this process writes files (file.h) below these folders alone, whatever a job or an
// option names; an empty list: anywhere. To be called before threads write.
void confine_writing(const std::vector<std::string>& folders);

// Errors: a file outside the folders while writing is confined. `path` is behind all links.
Status check_may_write(const std::string& path);

// From now on no packed file may unpack to more megabytes than this, 0: to any number. `remedy` says
// what to do about it. To be called before threads read.
void limit_unpacking(std::uint64_t megabytes, const std::string& remedy);

// Errors: more has been unpacked than that.
Status check_unpacked(std::uint64_t bytes, const std::string& path);

}  // namespace lacuna::inline io

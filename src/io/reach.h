// SPDX-License-Identifier: Apache-2.0
// Which files may be read at all. On the command line whoever names a file may read it, and nothing
// is asked here. A server reads for others: jobs name tables, hierarchies and metadata, those name
// further files, and every format has its own ways to spell a name. So the question is asked where
// files are opened, of the file behind all links, and not where names are written.
#pragma once

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

}  // namespace lacuna::inline io

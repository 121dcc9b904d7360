// SPDX-License-Identifier: Apache-2.0
// Which files a run reads because its job names them, so that no output is written over one.
#pragma once

#include <string>
#include <vector>

namespace lacuna::jobfile {

// Every text of a job, outside [options] and [output], that is the name of a file that is there:
// table, records, hierarchies, a-priori lines, and whatever a later version reads as well. Nothing
// if the path is no job or cannot be parsed, which whoever reads it will say.
std::vector<std::string> files_named_by(const std::string& path);
// The same of a text that would stand at the path.
std::vector<std::string> files_named_in(const std::string& text, const std::string& path);

}  // namespace lacuna::jobfile

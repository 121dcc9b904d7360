// SPDX-License-Identifier: Apache-2.0
// The checker's desk on the page: `lacuna check` of a folder, and decisions in its log.
#pragma once

#include <string>

#include "apps/serve/files.h"
#include "apps/serve/json.h"

namespace lacuna::serve {

// `asked` has "folder" (below that of the server, or "upload:3"), "options" of `lacuna check`, and
// "form": "json" or "page". With `accept` or `refuse` among the options the log of decisions is
// written, which is FOLDER.released.log beside the folder; of uploads there is none. Errors: as of
// the command.
Result<std::string> checked_folder(Files& files, const Json& asked);

}  // namespace lacuna::serve

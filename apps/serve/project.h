// SPDX-License-Identifier: Apache-2.0
// A project: all that is open, in one archive (.lacuna) that opens again another day. It holds
//
//   project.json             tables, decisions, runs and the page's own record of what was done
//   documents/1/…            every file that the first table is read from, under its own name
//   runs/3/…                 what repeats the third run on the command line (repeat.h), and what came
//                            out of it: result.json, certificate.json, public.csv, report.html
//   README.txt               the command lines
//
// A release is audited again when the project is opened; how its run went is taken as it was told.
#pragma once

#include "apps/serve/workspace.h"

namespace lacuna::serve {

// `page`: what the page wants to have back. Errors: a file cannot be read.
Result<std::string> project_archive(const Workspace& workspace, const Json& page);

// Opens all of it beside what is open already. The answer has the numbers of the documents, "page",
// and "notes": what could not be had back. Errors: no project, or a damaged one.
Result<Json> open_project(Workspace& workspace, Files& files, const std::string& file);

}  // namespace lacuna::serve

// SPDX-License-Identifier: Apache-2.0
// `lacuna mcp`: the verbs of the program as tools of an assistant, by the Model Context Protocol
// (modelcontextprotocol.io) over standard input and output. The assistant is no member of the
// office: it gets verdicts, counts and names of cells, and no number of a table, except those of
// files that were named as public when the program was started (docs/mcp.md).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "app/load/table_choices.h"
#include "lacuna/fields.h"
#include "lacuna/result.h"

namespace lacuna::mcp {

struct McpJob {
  std::string input = ".";
  std::vector<std::string> published;
  std::string policy;
  bool read_only = false;
  std::int32_t line_limit = 4;
  std::int32_t unpack_limit = 512;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "input",
                    .help = "the folder whose files the assistant may name; nothing outside it is "
                            "read or written",
                    .absent = "this folder",
                    .shown_as = "FOLDER",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.input);
    visit(FieldInfo{.name = "published",
                    .help = "a file, or a folder of files, below FOLDER that everybody may read: "
                            "of these, infer hands out numbers; may be given several times",
                    .absent = "none",
                    .shown_as = "PATH",
                    .in_jobs = false},
          self.published);
    visit(FieldInfo{.name = "read-only",
                    .help = "write no file: leave out the tools that do",
                    .in_jobs = false},
          self.read_only);
    visit(load::kPolicyField, self.policy);
    visit(FieldInfo{.name = "line-limit",
                    .help = "size of the largest message",
                    .unit = "megabytes",
                    .least = 1,
                    .most = 256,
                    .in_jobs = false},
          self.line_limit);
    visit(FieldInfo{.name = "unpack-limit",
                    .help = "size that a packed file may have after unpacking",
                    .unit = "megabytes",
                    .least = 1,
                    .most = 4096,
                    .in_jobs = false},
          self.unpack_limit);
  }
};

// Until the input ends. Nothing but messages of the protocol goes to `out`. Errors: no such folder;
// a public file that is not below it; no such policy.
Status run_mcp(const McpJob& job, std::istream& in, std::ostream& out);

}  // namespace lacuna::mcp

// SPDX-License-Identifier: Apache-2.0
// The tools: what they are called, what they take, and what they answer. An answer is made of
// verdicts, counts, names of cells and words of our own; nothing in it is made of the number of a
// cell. The exception is infer, of files that everybody may read.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "apps/mcp/arguments.h"
#include "apps/mcp/json.h"

namespace lacuna::mcp {

// What a call knows besides its arguments.
struct Call {
  const Arguments& arguments;
  const Place& place;
  const std::string& policy;  // of the owner; empty: none
  std::stop_token stop;
};

struct Tool {
  std::string name, title, help;
  bool writes = false;
  std::vector<ArgumentInfo> arguments;
  std::function<Result<Json>(const Call&)> run;
};

Tool inspect_tool();
Tool audit_tool();
Tool infer_tool();
Tool protect_tool();
Tool explain_tool();
Tool report_tool();

class Tools {
 public:
  Tools(Place place, std::string policy, bool read_only);

  Json list() const;  // what tools/list answers
  bool has(std::string_view name) const;
  // What tools/call answers: a result, or what was wrong.
  Json call(const std::string& name, const Json& arguments, std::stop_token stop) const;

 private:
  const Tool* find(std::string_view name) const;
  Place place_;
  std::string policy_;
  std::vector<Tool> tools_;
};

}  // namespace lacuna::mcp

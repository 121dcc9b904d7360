// SPDX-License-Identifier: Apache-2.0
#include "apps/mcp/tools.h"

#include <algorithm>
#include <exception>
#include <new>

#include "core/base/confidential.h"

namespace lacuna::mcp {
namespace {

Json answer_of(Json content, bool is_error) {
  content = shown(std::move(content));
  std::string text = dump(content);
  return {{"content", Json::array({{{"type", "text"}, {"text", std::move(text)}}})},
          {"structuredContent", std::move(content)},
          {"isError", is_error}};
}

Json error_of(std::string_view code, const std::string& message, const std::string& where) {
  Json error{{"code", code}, {"message", message}};
  if (!where.empty())
    error["where"] = where;
  return {{"error", std::move(error)}};
}

}  // namespace

Tools::Tools(Place place, std::string policy, bool read_only)
    : place_(std::move(place)), policy_(std::move(policy)) {
  for (Tool& tool : std::vector<Tool>{inspect_tool(),
                                      audit_tool(),
                                      infer_tool(),
                                      protect_tool(),
                                      explain_tool(),
                                      report_tool()}) {
    if (!read_only || !tool.writes)
      tools_.push_back(std::move(tool));
  }
}

Json Tools::list() const {
  Json listed = Json::array();
  for (const Tool& tool : tools_) {
    listed.push_back({{"name", tool.name},
                      {"title", tool.title},
                      {"description", tool.help},
                      {"inputSchema", schema_of(tool.arguments)},
                      {"annotations",
                       {{"readOnlyHint", !tool.writes},
                        {"destructiveHint", false},
                        {"idempotentHint", !tool.writes},
                        {"openWorldHint", false}}}});
  }
  return listed;
}

const Tool* Tools::find(std::string_view name) const {
  const auto found = std::find_if(
      tools_.begin(), tools_.end(), [&](const Tool& tool) { return tool.name == name; });
  return found == tools_.end() ? nullptr : &*found;
}

bool Tools::has(std::string_view name) const {
  return find(name) != nullptr;
}

// What an unexpected exception says may be anything, so that it is not passed on.
Json Tools::call(const std::string& name, const Json& arguments, std::stop_token stop) const {
  const Tool& tool = *find(name);
  try {
    const Result<Arguments> read = Arguments::read(arguments, tool.arguments, place_);
    Result<Json> made =
        read ? tool.run({*read, place_, policy_, std::move(stop)}) : Result<Json>(read.error());
    if (made)
      return answer_of(std::move(made).value(), false);
    const Error& error = made.error();
    return answer_of(
        error_of(info_of(error.code).name,
                 error.message,
                 error.path.empty() || !error.where.empty() ? error.where : error.path),
        true);
  } catch (const std::bad_alloc&) {
    return answer_of(error_of("no-memory", "there is not enough memory for this call", ""), true);
  } catch (const std::exception&) {
    return answer_of(error_of("internal", "an internal error; the call was not completed", ""),
                     true);
  }
}

}  // namespace lacuna::mcp

// SPDX-License-Identifier: Apache-2.0
#include "apps/mcp/server.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <string_view>
#include <thread>

#include "lacuna/version.h"

namespace lacuna::mcp {
namespace {

// The last is what a client gets that asks for another.
constexpr std::array<std::string_view, 4> kRevisions{
    "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};

// Codes of JSON-RPC 2.0.
constexpr int kNoJson = -32700;
constexpr int kNoRequest = -32600;
constexpr int kNoMethod = -32601;
constexpr int kBadParams = -32602;
constexpr int kBusy = -32000;

constexpr std::size_t kMostWaiting = 100;

constexpr std::string_view kInstructions =
    "Lacuna judges and protects statistical tables. These tools name files below one folder and "
    "hand out verdicts, counts and names of cells. They never hand out the numbers of a table, "
    "because these may be confidential; only infer gives numbers, and only of files that the owner "
    "has named as published. Begin with inspect without a path, which lists the files. What is "
    "protected is decided by the files and by the owner, not by these calls.";

bool is_id(const Json& id) {
  return id.is_string() || id.is_number();
}

const Json& member(const Json& object, const char* name) {
  static const Json nothing;
  const auto found = object.find(name);
  return found == object.end() ? nothing : *found;
}

}  // namespace

void Server::run(std::istream& in, std::size_t longest_line) {
  const std::jthread worker([this] { work(); });
  while (const std::optional<Line> line = next_line(in, longest_line))
    take(*line);
  const std::scoped_lock lock(mutex_);
  ended_ = true;
  arrived_.notify_all();
}

void Server::take(const Line& line) {
  if (line.too_long)
    return refuse({}, kNoRequest, "the message is longer than --line-limit allows");
  if (line.text.find_first_not_of(" \t") == std::string::npos)
    return;
  const Result<Json> parsed = parse_json(line.text);
  if (!parsed)
    return refuse({}, kNoJson, parsed.error().message);
  const Json& message = *parsed;
  if (!message.is_object())
    return refuse({}, kNoRequest, "a message is an object; there are no batches");
  const Json& id = member(message, "id");
  const bool has_id = message.contains("id");
  if (has_id && !is_id(id))
    return refuse({}, kNoRequest, "an id is a string or a number");
  if (member(message, "jsonrpc") != "2.0")
    return refuse(id, kNoRequest, "a message says that it is of JSON-RPC 2.0");
  const Json& method = member(message, "method");
  if (!message.contains("method") && (message.contains("result") || message.contains("error")))
    return;  // an answer, and nothing was asked
  if (!method.is_string())
    return refuse(id, kNoRequest, "a message has a method");
  const Json& params = member(message, "params");
  if (!params.is_null() && !params.is_object()) {
    if (has_id)
      refuse(id, kBadParams, "params are an object");
    return;
  }
  if (has_id)
    take_request(id, method.get<std::string>(), params);
  else
    take_notification(method.get<std::string>(), params);
}

void Server::take_request(const Json& id, const std::string& method, const Json& params) {
  if (method == "ping")
    return answer(id, Json::object());
  if (method == "initialize")
    return initialize(id, params);
  if (method != "tools/list" && method != "tools/call")
    return refuse(id, kNoMethod, "there is no such method");
  if (!begun_)
    return refuse(id, kNoRequest, "the first request is initialize");
  if (method == "tools/list")
    return answer(id, {{"tools", tools_.list()}});
  call_tool(id, params);
}

void Server::initialize(const Json& id, const Json& params) {
  const Json& asked = params.is_object() ? member(params, "protocolVersion") : params;
  if (!asked.is_string())
    return refuse(id, kBadParams, "initialize names a protocolVersion");
  const auto known = std::find(kRevisions.begin(), kRevisions.end(), asked.get<std::string>());
  begun_ = true;
  answer(id,
         {{"protocolVersion", known == kRevisions.end() ? kRevisions.back() : *known},
          {"capabilities", {{"tools", {{"listChanged", false}}}}},
          {"serverInfo", {{"name", "lacuna"}, {"title", "Lacuna"}, {"version", version()}}},
          {"instructions", kInstructions}});
}

void Server::take_notification(const std::string& method, const Json& params) {
  if (method == "notifications/cancelled" && params.is_object())
    cancel(member(params, "requestId"));
}

bool Server::is_known(const Json& id) const {
  const auto same = [&](const std::shared_ptr<Call>& call) { return call->id == id; };
  return (running_ && same(running_)) || std::any_of(waiting_.begin(), waiting_.end(), same);
}

void Server::call_tool(const Json& id, const Json& params) {
  const Json& name = params.is_object() ? member(params, "name") : params;
  if (!name.is_string())
    return refuse(id, kBadParams, "tools/call names a tool");
  if (!tools_.has(name.get<std::string>()))
    return refuse(id, kBadParams, "there is no such tool: tools/list lists them");
  const Json& arguments = member(params, "arguments");
  if (!arguments.is_null() && !arguments.is_object())
    return refuse(id, kBadParams, "the arguments of a tool are an object");
  std::string trouble;
  {
    const std::scoped_lock lock(mutex_);
    if (is_known(id))
      trouble = "a call with this id is not answered yet";
    else if (waiting_.size() >= kMostWaiting)
      trouble = "too many calls wait for their turn";
    else
      waiting_.push_back(std::make_shared<Call>(Call{
          id, arguments.is_null() ? Json(Json::object()) : arguments, name.get<std::string>()}));
  }
  arrived_.notify_all();
  if (!trouble.empty())
    refuse(id, kBusy, trouble);
}

// Who cancels a call waits for no answer and gets none.
void Server::cancel(const Json& id) {
  const std::scoped_lock lock(mutex_);
  const auto same = [&](const std::shared_ptr<Call>& call) { return call->id == id; };
  waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(), same), waiting_.end());
  if (running_ && same(running_))
    running_->stop.request_stop();
}

void Server::work() {
  while (true) {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
    if (waiting_.empty())
      return;
    running_ = waiting_.front();
    waiting_.pop_front();
    const std::shared_ptr<Call> call = running_;
    lock.unlock();
    Json result = tools_.call(call->tool, call->arguments, call->stop.get_token());
    lock.lock();
    running_.reset();
    const bool cancelled = call->stop.stop_requested();
    lock.unlock();
    if (!cancelled)
      answer(call->id, std::move(result));
  }
}

void Server::answer(const Json& id, Json result) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Server::refuse(const Json& id, int code, const std::string& message) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

void Server::send(const Json& message) {
  const std::string line = dump(message);
  const std::scoped_lock lock(writing_);
  out_ << line << '\n' << std::flush;
}

}  // namespace lacuna::mcp

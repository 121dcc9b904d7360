// SPDX-License-Identifier: Apache-2.0
// The protocol: JSON-RPC 2.0, a message per line. Calls of tools wait in a line of their own and
// are done one after the other, so that a ping is answered while a run is busy, and a run can be
// cancelled. Source: modelcontextprotocol.io, revisions 2024-11-05 to 2025-11-25. Of the revision
// 2025-03-26 batches are left out, as the next one did.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "apps/mcp/json.h"
#include "apps/mcp/lines.h"
#include "apps/mcp/tools.h"

namespace lacuna::mcp {

class Server {
 public:
  Server(Tools& tools, std::ostream& out) : tools_(tools), out_(out) {}

  // Until the input ends and everything that was asked is answered.
  void run(std::istream& in, std::size_t longest_line);

 private:
  struct Call {
    Json id, arguments;
    std::string tool;
    std::stop_source stop{};
  };

  void take(const Line& line);
  void take_request(const Json& id, const std::string& method, const Json& params);
  void take_notification(const std::string& method, const Json& params);
  void initialize(const Json& id, const Json& params);
  void call_tool(const Json& id, const Json& params);
  void cancel(const Json& id);
  bool is_known(const Json& id) const;  // of a call that is not answered yet
  void work();                          // of the thread that does the calls
  void answer(const Json& id, Json result);
  void refuse(const Json& id, int code, const std::string& message);
  void send(const Json& message);

  Tools& tools_;
  std::ostream& out_;
  std::mutex writing_;
  bool begun_ = false;  // initialize was answered

  std::mutex mutex_;  // of all below
  std::condition_variable arrived_;
  std::deque<std::shared_ptr<Call>> waiting_;
  std::shared_ptr<Call> running_;
  bool ended_ = false;
};

}  // namespace lacuna::mcp

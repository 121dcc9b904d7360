// SPDX-License-Identifier: Apache-2.0
// Who may ask: every page that a browser has open can send requests to this machine, and a name
// that resolves to it today can be made to mean another tomorrow (DNS rebinding). So the host must
// be one of ours, a foreign origin is refused, calls carry a header that no foreign page can send
// without being asked first, and the secret of the session. Links hold a token that is good for one
// trade against that secret; what stays of it in a browser's history is worth nothing. There is no
// cookie: browsers send cookies to every port of a machine, also to the server of another user.
// docs/serve.md says what this defends against and what not.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "apps/serve/http.h"

namespace lacuna::serve {

// 256 random bits of the system as hexadecimal digits.
Result<std::string> random_token();

// In a time that does not depend on where they differ.
bool same_secret(const std::string& given, const std::string& secret);

class Gate {
 public:
  // `names`: hosts as a browser writes them, without the port; links have the first.
  Gate(std::vector<std::string> names, std::uint16_t port, bool tls, std::string session);

  // Why the request is refused, if it is. A call of the interface (/api/...) must be authorized,
  // except for the one that trades a token for the session.
  std::optional<Response> refusal(const Request& request) const;

  bool is_authorized(const Request& request) const;

  // A link with a token of its own. Of links that nobody opens the latest stay good.
  Result<std::string> new_link();

  // The trade: the secret of the session for a token, once; or a refusal.
  Response open_session(const std::string& token);

 private:
  bool is_our_host(const std::string& host) const;
  bool is_our_origin(const std::string& origin) const;
  Response wrong_host(const Request& request) const;

  std::vector<std::string> names_;
  std::string port_;
  std::string scheme_;
  std::string session_;
  std::mutex mutex_;
  std::vector<std::string> tokens_;  // of links that were not opened yet, oldest first
};

}  // namespace lacuna::serve

// SPDX-License-Identifier: Apache-2.0
// Who may ask: every page that a browser has open can send requests to this machine, and a name
// that resolves to it today can be made to mean another tomorrow (DNS rebinding). So the host must
// be one of ours, a foreign origin is refused, calls carry a header that no foreign page can send
// without being asked first, and a token that only the one who started the server has.
// docs/serve.md says what this defends against and what not.
#pragma once

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
  // `names`: hosts as a browser writes them, without the port.
  Gate(std::vector<std::string> names, std::uint16_t port, bool tls, std::string token);

  // Why the request is refused, if it is. A call of the interface (/api/...) must be authorized,
  // except for the one that trades the token for a session.
  std::optional<Response> refusal(const Request& request) const;

  // The answer to the trade: a cookie that scripts cannot read, or a refusal.
  Response open_session(const std::string& token) const;

  const std::string& token() const { return token_; }

 private:
  bool is_our_host(const std::string& host) const;
  bool is_our_origin(const std::string& origin) const;
  bool is_authorized(const Request& request) const;

  std::vector<std::string> names_;
  std::string port_;
  std::string scheme_;
  std::string token_;
  std::string session_;  // another secret: the token never comes back in a cookie
};

Response refusal_of(int status, const std::string& message);

}  // namespace lacuna::serve

// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/gate.h"

#include <sys/random.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "io/json_tree.h"

namespace lacuna::serve {
namespace {

// The value of a cookie among "a=1; b=2".
std::string cookie_of(const std::string& cookies, const std::string& name) {
  std::size_t at = 0;
  while (at < cookies.size()) {
    const std::size_t end = std::min(cookies.find(';', at), cookies.size());
    std::size_t begin = at;
    while (begin < end && cookies[begin] == ' ')
      ++begin;
    const std::string pair = cookies.substr(begin, end - begin);
    if (pair.starts_with(name + "="))
      return pair.substr(name.size() + 1);
    at = end + 1;
  }
  return "";
}

}  // namespace

Result<std::string> random_token() {
  std::array<unsigned char, 32> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return Error{ErrorCode::kIo, "the system gives no random bytes", ""};
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

bool same_secret(const std::string& given, const std::string& secret) {
  unsigned char differs = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < secret.size(); ++i)
    differs |= static_cast<unsigned char>((i < given.size() ? given[i] : '\0') ^ secret[i]);
  return differs == 0 && !secret.empty();
}

Response refusal_of(int status, const std::string& message) {
  return {status, "application/json", "{\"error\":{\"message\":" + json_quoted(message) + "}}"};
}

Gate::Gate(std::vector<std::string> names, std::uint16_t port, bool tls, std::string token)
    : names_(std::move(names)),
      port_(std::to_string(port)),
      scheme_(tls ? "https://" : "http://"),
      token_(std::move(token)) {
  const Result<std::string> session = random_token();
  session_ = session ? *session : "";  // an empty one matches nothing
}

bool Gate::is_our_host(const std::string& host) const {
  return std::any_of(names_.begin(), names_.end(), [&](const std::string& name) {
    return host == name + ":" + port_;
  });
}

bool Gate::is_our_origin(const std::string& origin) const {
  return origin.starts_with(scheme_) && is_our_host(origin.substr(scheme_.size()));
}

bool Gate::is_authorized(const Request& request) const {
  const std::string bearer = request.header("authorization");
  if (bearer.starts_with("Bearer "))
    return same_secret(bearer.substr(7), token_);
  return same_secret(cookie_of(request.header("cookie"), "lacuna_" + port_), session_);
}

std::optional<Response> Gate::refusal(const Request& request) const {
  if (!is_our_host(request.header("host")))
    return refusal_of(403, "this server does not go by that name");
  const std::string origin = request.header("origin");
  if (!origin.empty() && !is_our_origin(origin))
    return refusal_of(403, "another page may not ask here");
  const bool is_call = request.path.starts_with("/api/");
  const std::string site = request.header("sec-fetch-site");
  if (is_call && !site.empty() && site != "same-origin" && site != "none")
    return refusal_of(403, "another page may not ask here");
  if (!is_call)
    return std::nullopt;
  if (request.header("x-lacuna") != "1")
    return refusal_of(403, "calls carry the header X-Lacuna: 1");
  if (request.path == "/api/session" || is_authorized(request))
    return std::nullopt;
  return refusal_of(401, "the token is missing or wrong; open the link that the server printed");
}

Response Gate::open_session(const std::string& token) const {
  if (!same_secret(token, token_) || session_.empty())
    return refusal_of(401, "the token is wrong; open the link that the server printed");
  const std::string secure = scheme_ == "https://" ? "; Secure" : "";
  return {204,
          "",
          "",
          {{"Set-Cookie",
            "lacuna_" + port_ + "=" + session_ + "; HttpOnly; SameSite=Strict; Path=/" + secure}}};
}

}  // namespace lacuna::serve

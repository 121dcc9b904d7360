// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/gate.h"

#include <algorithm>
#include <array>

#include "core/base/check.h"
#include "core/base/json_writer.h"
#include "core/platform/system.h"

namespace lacuna::serve {
namespace {

constexpr std::size_t kMostTokens = 16;

constexpr const char* kAnotherLink =
    "press Enter where the program runs and open the link that it prints, or choose New window on "
    "a "
    "page that is open";

// "127.0.0.1" of "127.0.0.1:8801", "[::1]" of "[::1]:8801".
std::string name_of_host(const std::string& host) {
  const std::size_t colon = host.rfind(':');
  const bool has_port = colon != std::string::npos &&
                        host.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return has_port ? host.substr(0, colon) : host;
}

}  // namespace

Result<std::string> random_token() {
  std::array<unsigned char, 32> bytes{};
  if (!platform::random_bytes(bytes.data(), bytes.size()))
    return Error{ErrorCode::kNoMemory, "the system gives no random bytes", ""};
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

Gate::Gate(std::vector<std::string> names, std::uint16_t port, bool tls, std::string session)
    : names_(std::move(names)),
      port_(std::to_string(port)),
      scheme_(tls ? "https://" : "http://"),
      session_(std::move(session)) {}

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
  return bearer.starts_with("Bearer ") && same_secret(bearer.substr(7), session_);
}

// A name of this machine with another port is a tunnel whose ends differ: whoever made it reads
// what to do. Any other name is told as little as possible.
Response Gate::wrong_host(const Request& request) const {
  const std::string name = name_of_host(request.header("host"));
  if (std::find(names_.begin(), names_.end(), name) == names_.end())
    return refusal_of(403, "this server does not have that name");
  const std::string why =
      "this page is served at port " + port_ +
      " and was asked for at another; an SSH tunnel needs the same port at both "
      "ends: ssh -L " +
      port_ + ":" + names_.front() + ":" + port_ + " HOST, then open " + scheme_ + names_.front() +
      ":" + port_ + "/ with what stands behind the # of the link";
  if (request.path.starts_with("/api/"))
    return refusal_of(403, why);
  return {403,
          "text/html; charset=utf-8",
          "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>Lacuna</title>"
          "<h1>Another port</h1><p>" +
              why + ".</p></html>\n"};
}

std::optional<Response> Gate::refusal(const Request& request) const {
  if (!is_our_host(request.header("host")))
    return wrong_host(request);
  const std::string origin = request.header("origin");
  if (!origin.empty() && !is_our_origin(origin))
    return refusal_of(403, "requests from another page are not allowed here");
  const bool is_call = request.path.starts_with("/api/");
  const std::string site = request.header("sec-fetch-site");
  if (is_call && !site.empty() && site != "same-origin" && site != "none")
    return refusal_of(403, "requests from another page are not allowed here");
  if (!is_call)
    return std::nullopt;
  if (request.header("x-lacuna") != "1")
    return refusal_of(403, "calls must carry the header X-Lacuna: 1");
  if (request.path == "/api/session" || is_authorized(request))
    return std::nullopt;
  return refusal_of(401, std::string("this window has no session; ") + kAnotherLink);
}

Result<std::string> Gate::new_link() {
  LACUNA_TRY(const std::string token, random_token());
  const std::scoped_lock lock(mutex_);
  tokens_.push_back(token);
  if (tokens_.size() > kMostTokens)
    tokens_.erase(tokens_.begin());
  return scheme_ + names_.front() + ":" + port_ + "/#" + token;
}

Response Gate::open_session(const std::string& token) {
  const std::scoped_lock lock(mutex_);
  const auto found = std::find_if(tokens_.begin(), tokens_.end(), [&](const std::string& each) {
    return same_secret(token, each);
  });
  if (found == tokens_.end() || session_.empty())
    return refusal_of(401, std::string("a link opens one window, once; ") + kAnotherLink);
  tokens_.erase(found);
  const auto write = [&](base::JsonWriter& json) { json.member("session", session_); };
  return {200, "application/json", base::json_object(write)};
}

}  // namespace lacuna::serve

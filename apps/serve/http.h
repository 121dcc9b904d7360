// SPDX-License-Identifier: Apache-2.0
// HTTP as the page speaks it: requests with a body in memory, answers with a body or a stream of
// events, over Boost.Beast and coroutines. What a request may do is not decided here (gate.h,
// api.h). Limits: headers of 8 KiB, a body as large as the handler allows before it is read, 30
// seconds to send a request, so many connections. Connections that have not shown yet that they may
// ask have less of everything, and make room for each other: they cannot keep anyone out.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lacuna/result.h"

namespace lacuna::serve {

struct Request {
  std::string method;                          // "GET"
  std::string path;                            // "/api/runs/7", decoded, without the query
  std::map<std::string, std::string> query;    // decoded
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;

  std::string header(const std::string& name) const;  // empty: there is none
  std::string parameter(const std::string& name) const;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};
  // If set, instead of the body: asked five times a second for what is to be sent, until it is
  // nothing at all.
  std::function<std::optional<std::string>()> events{};
};

Response refusal_of(int status, const std::string& message);

class Handler {
 public:
  virtual ~Handler() = default;
  // Before the body is read: a refusal, or how many bytes it may have.
  virtual std::variant<Response, std::uint64_t> begin(const Request& request) = 0;
  virtual Response answer(const Request& request) = 0;
  // Whether whoever asks has shown that they may: their connection is then kept.
  virtual bool is_known(const Request& request) const = 0;
  virtual bool is_busy() const = 0;  // then the server stays, whether anyone asks or not
};

struct HttpOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;                // 0: any that is free
  std::string tls_certificate, tls_key;  // files; empty: no TLS
  int connections = 128;                 // of those who may ask
  int strangers = 64;                    // of those who have not shown it
  int idle_minutes = 0;                  // ends after so long without a request; 0: never
};

class HttpServer {
 public:
  // Errors: an address that cannot be listened on, a certificate that cannot be used.
  static Result<std::unique_ptr<HttpServer>> listen(const HttpOptions& options);
  virtual ~HttpServer() = default;
  virtual std::uint16_t port() const = 0;
  // Until somebody stops it, or nobody asks for long.
  virtual void run(Handler& handler, std::stop_token stop) = 0;
};

// "a%20b" as "a b"; nothing if it is not well formed or has a zero byte.
std::optional<std::string> url_decoded(std::string_view text);

}  // namespace lacuna::serve

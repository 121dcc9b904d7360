// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/http.h"

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#ifdef LACUNA_HAVE_TLS
#include <boost/beast/ssl.hpp>
#endif
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "core/base/json_writer.h"

namespace lacuna::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using std::chrono::steady_clock;

constexpr auto kSendLimit = std::chrono::seconds(30);
constexpr auto kStrangerLimit = std::chrono::seconds(10);
constexpr auto kEventPause = std::chrono::milliseconds(200);
constexpr int kBeatEvery = 50;  // pauses
constexpr std::uint32_t kHeaderLimit = 8 * 1024;
constexpr int kWorkers = 8;

int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// The connections that are open. Strangers, who have not shown that they may ask, are few; the one
// that has been silent longest makes room for the next.
class Connections {
 public:
  Connections(int known, int strangers) : most_known_(known), most_strangers_(strangers) {}

  // `close` ends the connection, from any thread. Its number.
  std::uint64_t enter(std::function<void()> close) {
    const std::scoped_lock lock(mutex_);
    while (strangers_.size() >= static_cast<std::size_t>(most_strangers_))
      end_oldest();
    const std::uint64_t id = ++last_;
    strangers_[id] = {std::move(close), steady_clock::now()};
    return id;
  }
  // It has sent a request. False: it may ask, but there are too many that may.
  bool heard(std::uint64_t id, bool is_known) {
    const std::scoped_lock lock(mutex_);
    const auto stranger = strangers_.find(id);
    if (stranger == strangers_.end())
      return true;  // known long since, or ended meanwhile
    stranger->second.last = steady_clock::now();
    if (!is_known)
      return true;
    if (known_.size() >= static_cast<std::size_t>(most_known_))
      return false;
    strangers_.erase(stranger);
    known_.insert(id);
    return true;
  }
  void leave(std::uint64_t id) {
    const std::scoped_lock lock(mutex_);
    strangers_.erase(id);
    known_.erase(id);
  }

 private:
  struct Stranger {
    std::function<void()> close;
    steady_clock::time_point last;
  };
  void end_oldest() {
    const auto oldest =
        std::min_element(strangers_.begin(), strangers_.end(), [](const auto& a, const auto& b) {
          return a.second.last < b.second.last;
        });
    oldest->second.close();
    strangers_.erase(oldest);
  }

  const int most_known_, most_strangers_;
  std::mutex mutex_;
  std::map<std::uint64_t, Stranger> strangers_;
  std::set<std::uint64_t> known_;
  std::uint64_t last_ = 0;
};

// What the sessions of a server share.
struct Shared {
  explicit Shared(const HttpOptions& options)
      : connections(options.connections, options.strangers) {}

  Handler* handler = nullptr;
  Connections connections;
  std::atomic<std::int64_t> last_request{0};  // of the steady clock, in its own ticks

  void touch() { last_request = steady_clock::now().time_since_epoch().count(); }
};

bool read_query(std::string_view text, std::map<std::string, std::string>& query) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('&'), text.size());
    const std::string_view pair = text.substr(0, end);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const auto name = url_decoded(pair.substr(0, equals));
    const auto value = url_decoded(equals < pair.size() ? pair.substr(equals + 1) : "");
    if (!name || !value)
      return false;
    query[*name] = *value;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

template <class Message>
std::optional<Request> request_of(const Message& message) {
  Request request;
  request.method = std::string(message.method_string());
  std::string_view target(message.target().data(), message.target().size());
  const std::size_t mark = std::min(target.find('?'), target.size());
  const auto path = url_decoded(target.substr(0, mark));
  if (!path || path->empty() || path->front() != '/' ||
      !read_query(mark < target.size() ? target.substr(mark + 1) : "", request.query))
    return std::nullopt;
  request.path = *path;
  for (const auto& field : message) {
    std::string name(field.name_string());
    for (char& c : name)
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::string& value = request.headers[name];
    if (!value.empty())  // a header that comes twice is nobody's mistake
      return std::nullopt;
    value = std::string(field.value());
  }
  return request;
}

template <class Message>
void set_headers(Message& message, const Response& response) {
  message.set(http::field::server, "lacuna");
  if (!response.type.empty())
    message.set(http::field::content_type, response.type);
  message.set("Content-Security-Policy",
              "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
              "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  message.set("X-Content-Type-Options", "nosniff");
  message.set("Referrer-Policy", "no-referrer");
  message.set("Cross-Origin-Opener-Policy", "same-origin");
  message.set("Cross-Origin-Resource-Policy", "same-origin");
  message.set("Cache-Control", "no-store");
  for (const auto& [name, value] : response.headers)
    message.set(name, value);
}

// One connection, request after request.
template <class Stream>
class Session {
 public:
  Session(Stream& stream, Shared& shared, std::uint64_t id)
      : stream_(stream), shared_(shared), id_(id) {}

  asio::awaitable<void> run() {
    for (bool goes_on = true; goes_on;) {  // awaited in a statement of its own: GCC 12
      const bool another = co_await one_request();
      goes_on = another;
    }
  }

 private:
  using Parser = http::request_parser<http::string_body>;

  void wait_at_most(steady_clock::duration time) {
    beast::get_lowest_layer(stream_).expires_after(time);
  }
  static auto into(beast::error_code& error) {
    return asio::redirect_error(asio::use_awaitable, error);
  }

  steady_clock::duration limit() const { return known_ ? kSendLimit : kStrangerLimit; }

  std::string_view received() const {
    return {static_cast<const char*>(buffer_.data().data()), buffer_.size()};
  }

  // All of the next header, before anything is made of it.
  asio::awaitable<beast::error_code> fetch_head() {
    beast::error_code error;
    while (!error && received().find(kHeadEnd) == std::string_view::npos) {
      if (received().size() >= kHeaderLimit)
        co_return beast::error_code(http::error::header_limit);
      const std::size_t count =
          co_await stream_.async_read_some(buffer_.prepare(kHeaderLimit), into(error));
      buffer_.commit(count);
    }
    co_return error;
  }

  // A header over several lines (RFC 9112, 5.2) is read in one way here and in another elsewhere.
  bool has_folded_line() const {
    const std::string_view head = received().substr(0, received().find(kHeadEnd));
    return head.find("\r\n ") != std::string_view::npos ||
           head.find("\r\n\t") != std::string_view::npos;
  }

  // "chunked, identity" would be read as a request without a body, and its body as the next one.
  static bool has_odd_encoding(const Request& request) {
    const std::string encoding = request.header("transfer-encoding");
    return !encoding.empty() && !beast::iequals(encoding, "chunked");
  }

  // Whether another request may follow.
  asio::awaitable<bool> one_request() {
    Parser parser;
    parser.header_limit(kHeaderLimit);
    parser.body_limit(boost::none);  // set once it is known what is asked
    wait_at_most(limit());
    beast::error_code error = co_await fetch_head();
    if (!error && has_folded_line()) {
      co_await refuse(refusal_of(400, "a header is continued on a second line"));
      co_return false;
    }
    if (!error)
      co_await http::async_read_header(stream_, buffer_, parser, into(error));
    if (error == http::error::header_limit) {
      co_await refuse(refusal_of(431, "the headers are too large"));
      co_return false;
    }
    if (error == http::error::end_of_stream || (error && error.category() != http_category()))
      co_return false;  // gone, or too slow
    if (error) {
      co_await refuse(refusal_of(400, "this is not an HTTP request"));
      co_return false;
    }
    shared_.touch();
    std::optional<Request> request = request_of(parser.get());
    if (request && has_odd_encoding(*request)) {
      co_await refuse(
          refusal_of(400, "a body must be sent in chunks, or have the length that it states"));
      co_return false;
    }
    if (!request) {
      co_await refuse(refusal_of(400, "the address or a header is malformed"));
      co_return false;
    }
    known_ = known_ || shared_.handler->is_known(*request);
    if (!shared_.connections.heard(id_, known_)) {
      co_await refuse(refusal_of(503, "too many connections are open; try again"));
      co_return false;
    }
    const auto begun = shared_.handler->begin(*request);
    if (const Response* refused = std::get_if<Response>(&begun)) {
      co_await refuse(*refused);
      co_return false;
    }
    const std::optional<Response> refusal =
        co_await read_body(parser, std::get<std::uint64_t>(begun));
    if (refusal) {
      co_await refuse(*refusal);
      co_return false;
    }
    request->body = std::move(parser.get().body());
    const bool another = co_await reply(*request, parser.get().keep_alive());
    co_return another;
  }

  static const beast::error_category& http_category() {
    return beast::error_code(http::error::bad_method).category();
  }

  asio::awaitable<std::optional<Response>> read_body(Parser& parser, std::uint64_t limit) {
    if (parser.content_length().value_or(0) > limit)
      co_return refusal_of(413, "the body is too large");
    parser.body_limit(limit);
    beast::error_code error;
    if (beast::iequals(parser.get()[http::field::expect], "100-continue")) {
      http::response<http::empty_body> go_on{http::status::continue_, 11};
      co_await http::async_write(stream_, go_on, into(error));
    }
    while (!parser.is_done() && !error) {
      if (known_)
        wait_at_most(kSendLimit);  // anew for every piece: a slow line is no slow sender
      co_await http::async_read_some(stream_, buffer_, parser, into(error));
    }
    if (error == http::error::body_limit)
      co_return refusal_of(413, "the body is too large");
    if (error)
      co_return refusal_of(400, "the body is not complete");
    co_return std::nullopt;
  }

  asio::awaitable<bool> reply(const Request& request, bool keep) {
    Response response;
    try {
      response = shared_.handler->answer(request);
    } catch (const std::bad_alloc&) {
      response = refusal_of(503, "there is not enough memory for this now");
    } catch (const std::exception&) {
      response = refusal_of(500, "an internal error; the server goes on");
    }
    bool another = false;
    if (response.events)
      another = co_await stream_events(response);
    else
      another = co_await send(response, keep, request.method == "HEAD");
    co_return another;
  }

  // The rest of what was sent is not read.
  asio::awaitable<void> refuse(const Response& response) { co_await send(response, false, false); }

  asio::awaitable<bool> send(const Response& response, bool keep, bool head) {
    http::response<http::string_body> message{
        static_cast<http::status>(response.status), 11, response.body};
    set_headers(message, response);
    message.keep_alive(keep);
    message.prepare_payload();
    if (head)
      message.body().clear();
    wait_at_most(kSendLimit * 4);  // of a page of a million cells
    beast::error_code error;
    co_await http::async_write(stream_, message, into(error));
    if (!keep && !error) {
      // What is still on its way must not reset the connection before the answer is read.
      beast::get_lowest_layer(stream_).socket().shutdown(tcp::socket::shutdown_send, error);
      std::string rest(4096, ' ');
      for (int i = 0; i < 64 && !error; ++i) {
        wait_at_most(std::chrono::seconds(1));
        co_await beast::get_lowest_layer(stream_).async_read_some(asio::buffer(rest), into(error));
      }
    }
    co_return keep && !error;
  }

  asio::awaitable<bool> stream_events(const Response& response) {
    http::response<http::empty_body> message{http::status::ok, 11};
    set_headers(message, response);
    message.chunked(true);
    http::response_serializer<http::empty_body> serializer{message};
    beast::error_code error;
    wait_at_most(kSendLimit);
    co_await http::async_write_header(stream_, serializer, into(error));
    asio::steady_timer timer(co_await asio::this_coro::executor);
    for (int quiet = 0; !error;) {
      const std::optional<std::string> text = response.events();
      if (!text)
        break;
      quiet = text->empty() ? quiet + 1 : 0;
      const std::string& sent = quiet == kBeatEvery ? kBeat : *text;
      if (!sent.empty()) {
        wait_at_most(kSendLimit);
        co_await asio::async_write(stream_, http::make_chunk(asio::buffer(sent)), into(error));
        quiet = 0;
      }
      timer.expires_after(kEventPause);
      co_await timer.async_wait(asio::use_awaitable);
      shared_.touch();
    }
    if (!error)
      co_await asio::async_write(stream_, http::make_chunk_last(), into(error));
    co_return !error;
  }

  inline static const std::string kBeat = ": beat\n\n";
  static constexpr std::string_view kHeadEnd = "\r\n\r\n";
  Stream& stream_;
  Shared& shared_;
  std::uint64_t id_;
  bool known_ = false;
  beast::flat_buffer buffer_;
};

class Counted {  // one of the connections
 public:
  Counted(Shared& shared, beast::tcp_stream& stream) : shared_(&shared), stream_(&stream) {
    id_ = shared.connections.enter([held = held_, executor = stream.get_executor()] {
      asio::post(executor, [held] {
        if (*held != nullptr)
          (*held)->close();
      });
    });
  }
  ~Counted() {
    *held_ = nullptr;
    shared_->connections.leave(id_);
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  std::uint64_t id() const { return id_; }

 private:
  Shared* shared_;
  beast::tcp_stream* stream_;
  // Used on the strand of the connection alone; null once it has ended.
  std::shared_ptr<beast::tcp_stream*> held_ = std::make_shared<beast::tcp_stream*>(stream_);
  std::uint64_t id_ = 0;
};

asio::awaitable<void> serve_plain(tcp::socket socket, Shared& shared) {
  beast::tcp_stream stream(std::move(socket));
  const Counted counted(shared, stream);
  Session<beast::tcp_stream> session(stream, shared, counted.id());
  co_await session.run();
}

#ifdef LACUNA_HAVE_TLS
using TlsContext = asio::ssl::context;
asio::awaitable<void> serve_tls(tcp::socket socket, TlsContext& tls, Shared& shared) {
  beast::ssl_stream<beast::tcp_stream> stream(beast::tcp_stream(std::move(socket)), tls);
  const Counted counted(shared, beast::get_lowest_layer(stream));
  beast::get_lowest_layer(stream).expires_after(kStrangerLimit);
  beast::error_code error;
  co_await stream.async_handshake(asio::ssl::stream_base::server,
                                  asio::redirect_error(asio::use_awaitable, error));
  if (error)
    co_return;
  Session<beast::ssl_stream<beast::tcp_stream>> session(stream, shared, counted.id());
  co_await session.run();
}
#else
struct TlsContext {};
asio::awaitable<void> serve_tls(tcp::socket, TlsContext&, Shared&) {
  co_return;
}
#endif

class BeastServer : public HttpServer {
 public:
  explicit BeastServer(const HttpOptions& options) : options_(options), shared_(options) {}

  Status open() {
    LACUNA_RETURN_IF_ERROR(open_tls());
    boost::system::error_code error;
    const auto address = asio::ip::make_address(options_.address, error);
    if (error)
      return refused("this is not an address to listen on");
    const tcp::endpoint endpoint(address, options_.port);
    acceptor_.open(endpoint.protocol(), error);
    if (!error)
      acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error)
      acceptor_.bind(endpoint, error);
    if (!error)
      acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error)
      return refused("port " + std::to_string(options_.port) +
                     " cannot be listened on: " + error.message());
    return ok_status();
  }

  std::uint16_t port() const override { return acceptor_.local_endpoint().port(); }

  void run(Handler& handler, std::stop_token stop) override {
    shared_.handler = &handler;
    shared_.touch();
    asio::co_spawn(pool_, accept_all(), asio::detached);
    while (!stop.stop_requested() && !is_idle())
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    pool_.stop();
    pool_.join();
  }

 private:
  Error refused(const std::string& why) const {
    return {ErrorCode::kOptionValue, why, options_.address};
  }

  Status open_tls() {
    if (options_.tls_certificate.empty())
      return ok_status();
#ifdef LACUNA_HAVE_TLS
    boost::system::error_code error;
    tls_.set_options(TlsContext::default_workarounds | TlsContext::no_sslv2 | TlsContext::no_sslv3 |
                     TlsContext::no_tlsv1 | TlsContext::no_tlsv1_1);
    tls_.use_certificate_chain_file(options_.tls_certificate, error);
    if (!error)
      tls_.use_private_key_file(options_.tls_key, TlsContext::pem, error);
    if (error)
      return Error{ErrorCode::kFileUnreadable,
                   "this certificate or its key cannot be used: " + error.message(),
                   options_.tls_certificate};
    return ok_status();
#else
    return refused("this program was built without TLS; use an SSH tunnel to the loopback address");
#endif
  }

  bool is_idle() const {
    if (options_.idle_minutes <= 0 || shared_.handler->is_busy())
      return false;
    const steady_clock::duration last(shared_.last_request.load());
    return steady_clock::now().time_since_epoch() - last >
           std::chrono::minutes(options_.idle_minutes);
  }

  asio::awaitable<void> accept_all() {
    for (;;) {
      boost::system::error_code error;
      tcp::socket socket = co_await acceptor_.async_accept(
          asio::make_strand(pool_), asio::redirect_error(asio::use_awaitable, error));
      if (error == asio::error::operation_aborted)
        co_return;
      if (error)
        continue;
      const auto executor = socket.get_executor();
      const auto ended = [](std::exception_ptr) {};  // of one connection, whatever it was
      if (options_.tls_certificate.empty())
        asio::co_spawn(executor, serve_plain(std::move(socket), shared_), ended);
      else
        asio::co_spawn(executor, serve_tls(std::move(socket), tls_, shared_), ended);
    }
  }

  HttpOptions options_;
  Shared shared_;
#ifdef LACUNA_HAVE_TLS
  TlsContext tls_{TlsContext::tls_server};
#else
  TlsContext tls_;
#endif
  asio::thread_pool pool_{kWorkers};
  tcp::acceptor acceptor_{pool_};
};

}  // namespace

Response refusal_of(int status, const std::string& message) {
  const auto write = [&](base::JsonWriter& json) {
    json.key("error").object([&] { json.member("message", message); });
  };
  return {status, "application/json", base::json_object(write)};
}

std::optional<std::string> url_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
      if (low < 0)
        return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  if (out.find('\0') != std::string::npos)
    return std::nullopt;
  return out;
}

std::string Request::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

std::string Request::parameter(const std::string& name) const {
  const auto found = query.find(name);
  return found == query.end() ? "" : found->second;
}

Result<std::unique_ptr<HttpServer>> HttpServer::listen(const HttpOptions& options) {
  auto server = std::make_unique<BeastServer>(options);
  LACUNA_RETURN_IF_ERROR(server->open());
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace lacuna::serve

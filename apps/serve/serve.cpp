// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/serve.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "apps/serve/api.h"
#include "apps/serve/gate.h"
#include "data/files/confinement.h"

namespace lacuna::serve {
namespace fs = std::filesystem;
namespace {

bool is_loopback(const std::string& address) {
  return address == "::1" || address == "localhost" || address.starts_with("127.");
}

Status check_address(const ServeJob& job) {
  const bool tls = !job.tls_certificate.empty();
  if (tls != !job.tls_key.empty())
    return Error{ErrorCode::kOptionMissing,
                 "a certificate needs its key, and a key its certificate",
                 "--tls-certificate"};
  if (!is_loopback(job.bind) && !tls)
    return Error{ErrorCode::kOptionMissing,
                 "confidential numbers leave this machine only over TLS; give --tls-certificate "
                 "and --tls-key, or use an SSH tunnel to the loopback address",
                 "--bind " + job.bind};
  return ok_status();
}

// The names by which browsers reach the address; the first is for links.
std::vector<std::string> names_of(const std::string& bind) {
  const bool everywhere = bind == "0.0.0.0" || bind == "::";
  std::vector<std::string> names;
  if (!everywhere && bind != "localhost")
    names.push_back(bind.find(':') == std::string::npos ? bind : "[" + bind + "]");
  std::string host(256, '\0');
  if (!is_loopback(bind) && gethostname(host.data(), host.size() - 1) == 0)
    names.emplace_back(host.c_str());
  for (const char* name : {"127.0.0.1", "localhost", "[::1]"}) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.emplace_back(name);
  }
  return names;
}

// A page that leads to the link, which others cannot read: command lines are everybody's.
Result<std::string> write_redirect(const std::string& folder, const std::string& link) {
  const std::string path = folder + "/open.html";
  const int file = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0)
    return Error{
        ErrorCode::kFileUnwritable, "no page can be written to open the browser with", path};
  const std::string text =
      "<!DOCTYPE html><meta charset=\"utf-8\"><title>Lacuna</title><meta "
      "http-equiv=\"refresh\" content=\"0; url=" +
      link + "\">\n";
  const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(file);
  if (!written)
    return Error{
        ErrorCode::kFileUnwritable, "no page can be written to open the browser with", path};
  return path;
}

// Whether the program is still there, or has ended well: some open the page and go, others are the
// browser itself and stay.
bool has_begun(pid_t child) {
  int status = 0;
  for (int tenth = 0; tenth < 20; ++tenth) {
    if (waitpid(child, &status, WNOHANG) == child)
      return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return true;
}

bool open_browser(const std::string& path) {
  for (const char* program : {"xdg-open", "sensible-browser", "open"}) {
    std::string name = program, argument = path;
    char* words[] = {name.data(), argument.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, program, &actions, nullptr, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed == 0 && has_begun(child))
      return true;
  }
  return false;
}

// A terminal that is closed ends the server as Ctrl-C does, and nothing stays behind; under nohup
// it goes on.
class HangUp {
 public:
  HangUp() {
    sigaction(SIGHUP, nullptr, &before_);
    if (before_.sa_handler == SIG_IGN)
      return;
    struct sigaction action {};
    action.sa_handler = [](int) { ::kill(::getpid(), SIGTERM); };
    sigaction(SIGHUP, &action, nullptr);
  }
  ~HangUp() { sigaction(SIGHUP, &before_, nullptr); }
  HangUp(const HangUp&) = delete;
  HangUp& operator=(const HangUp&) = delete;

 private:
  struct sigaction before_ {};
};

// Whoever sits at the terminal gets another link by Enter. A server in the background of a shell
// leaves the keys to the shell.
class Doorbell {
 public:
  Doorbell(Gate& gate, std::ostream& out) {
    if (isatty(STDIN_FILENO) == 1)
      thread_ = std::jthread([&gate, &out](const std::stop_token& stop) { wait(gate, out, stop); });
  }

 private:
  static bool is_pressed() {
    pollfd keys{STDIN_FILENO, POLLIN, 0};
    if (poll(&keys, 1, 200) <= 0)
      return false;
    std::array<char, 256> typed{};
    const ssize_t count = tcgetpgrp(STDIN_FILENO) == getpgrp()
                              ? ::read(STDIN_FILENO, typed.data(), typed.size())
                              : -1;
    if (count <= 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    return count > 0 && std::find(typed.begin(), typed.end(), '\n') != typed.end();
  }

  static void wait(Gate& gate, std::ostream& out, const std::stop_token& stop) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTTIN);  // reading in the background fails then, and stops nobody
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    while (!stop.stop_requested()) {
      if (!is_pressed())
        continue;
      if (const auto link = gate.new_link())
        out << *link << std::endl;
    }
  }

  std::jthread thread_;
};

struct Place {  // what was given on the command line
  std::string folder, file;
};

Result<Place> place_of(const std::string& input) {
  std::error_code error;
  if (fs::is_directory(input, error))
    return Place{input, ""};
  if (!fs::exists(input, error))
    return Error{ErrorCode::kFileMissing, "there is no such file or folder", input};
  const fs::path path(input);
  const std::string folder = path.parent_path().string();
  return Place{folder.empty() ? "." : folder, path.filename().string()};
}

}  // namespace

Status run_server(const ServeJob& job, std::ostream& out, std::ostream& log, std::stop_token stop) {
  LACUNA_RETURN_IF_ERROR(check_address(job));
  LACUNA_TRY(const Place place, place_of(job.input));
  LACUNA_TRY(const auto files, Files::open(place.folder));
  std::vector<std::string> folders = files->folders();
  if (!job.web.empty())
    folders.push_back(job.web);
  const files::Confinement confined({
      .read_below = folders,
      .write_below = {files->own()},  // exports have a way of their own (data/files/file.h)
      .unpacked_megabytes = static_cast<std::uint64_t>(job.upload_limit),
      .remedy = "unpack it yourself, or start lacuna serve with a larger --upload-limit",
  });
  const HangUp hang_up;
  HttpOptions options;
  options.address = job.bind == "localhost" ? "127.0.0.1" : job.bind;
  options.port = static_cast<std::uint16_t>(job.port);
  options.tls_certificate = job.tls_certificate;
  options.tls_key = job.tls_key;
  options.idle_minutes = job.idle;
  LACUNA_TRY(const auto server, HttpServer::listen(options));
  LACUNA_TRY(std::string session, random_token());
  const bool tls = !job.tls_certificate.empty();
  Gate gate(names_of(job.bind), server->port(), tls, std::move(session));
  ApiOptions api_options;
  api_options.upload_limit = static_cast<std::uint64_t>(job.upload_limit) << 20U;
  api_options.web = job.web;
  Api api(*files, gate, api_options);
  if (!place.file.empty())
    LACUNA_RETURN_IF_ERROR(api.open(place.file));
  LACUNA_TRY(const std::string link, gate.new_link());
  bool opened = false;
  if (!job.no_open) {
    LACUNA_TRY(const std::string scratch, files->scratch());
    LACUNA_TRY(const std::string page, write_redirect(scratch, link));
    opened = open_browser(page);
  }
  if (!opened)
    out << link << std::endl;
  log << "lacuna: the page is at port " << server->port()
      << "; Enter prints another link, Ctrl-C ends it" << std::endl;
  const Doorbell doorbell(gate, out);
  server->run(api, stop);
  log << "lacuna: the page has ended\n";
  return ok_status();
}

}  // namespace lacuna::serve

// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/serve.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "apps/serve/api.h"
#include "apps/serve/gate.h"
#include "core/platform/file.h"
#include "core/platform/process.h"
#include "core/platform/system.h"
#include "core/platform/terminal.h"
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
  if (!is_loopback(bind)) {
    if (const std::string host = platform::host_name(); !host.empty())
      names.push_back(host);
  }
  for (const char* name : {"127.0.0.1", "localhost", "[::1]"}) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.emplace_back(name);
  }
  return names;
}

// A page that leads to the link, which others cannot read: command lines are everybody's.
Result<std::string> write_redirect(const std::string& folder, const std::string& link) {
  const std::string path = folder + "/open.html";
  const std::string text =
      "<!DOCTYPE html><meta charset=\"utf-8\"><title>Lacuna</title><meta "
      "http-equiv=\"refresh\" content=\"0; url=" +
      link + "\">\n";
  platform::OpenFile file = platform::create_file(path, true);
  if (!file.is_open() || !file.write(text) || !file.close())
    return Error{
        ErrorCode::kFileUnwritable, "no page can be written to open the browser with", path};
  return path;
}

// Whoever sits at the terminal gets another link by Enter.
class Doorbell {
 public:
  Doorbell(Gate& gate, std::ostream& out) {
    if (platform::is_terminal(platform::Stream::kInput))
      thread_ = std::jthread([&gate, &out](const std::stop_token& stop) { wait(gate, out, stop); });
  }

 private:
  static void wait(Gate& gate, std::ostream& out, const std::stop_token& stop) {
    platform::read_without_stopping();
    while (!stop.stop_requested()) {
      if (!platform::enter_is_pressed())
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
  const platform::EndWithTerminal hang_up;
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
    opened = platform::open_in_browser(page);
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

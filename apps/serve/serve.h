// SPDX-License-Identifier: Apache-2.0
// `lacuna serve`: the page to work with, on the user's own machine.
#pragma once

#include <cstdint>
#include <ostream>
#include <stop_token>
#include <string>

#include "lacuna/fields.h"
#include "lacuna/result.h"

namespace lacuna::serve {

struct ServeJob {
  std::string input = ".";
  std::int32_t port = 0;
  std::string bind = "127.0.0.1";
  std::string tls_certificate, tls_key;
  std::int32_t idle = 0;
  std::int32_t upload_limit = 512;
  std::string web;
  bool no_open = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "input",
                    .help = "a file to open, or the folder whose files the page may read",
                    .absent = "this folder",
                    .shown_as = "PATH",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.input);
    visit(FieldInfo{.name = "port",
                    .help = "port to listen on",
                    .least = 0,
                    .most = 65535,
                    .absent = "any free port",
                    .in_jobs = false},
          self.port);
    visit(FieldInfo{.name = "no-open",
                    .help = "print the link instead of opening the browser",
                    .in_jobs = false},
          self.no_open);
    visit(FieldInfo{.name = "bind",
                    .help = "address to listen on; addresses other than loopback need TLS",
                    .shown_as = "ADDRESS",
                    .in_jobs = false},
          self.bind);
    visit(FieldInfo{.name = "tls-certificate",
                    .help = "file with the certificate chain, PEM",
                    .shown_as = "FILE",
                    .in_jobs = false},
          self.tls_certificate);
    visit(FieldInfo{.name = "tls-key",
                    .help = "file with its private key, PEM",
                    .shown_as = "FILE",
                    .in_jobs = false},
          self.tls_key);
    visit(FieldInfo{.name = "idle",
                    .help = "end after this time without a request and without a run",
                    .unit = "minutes",
                    .least = 0,
                    .absent = "never",
                    .in_jobs = false},
          self.idle);
    visit(FieldInfo{.name = "upload-limit",
                    .help = "size of the largest file that the page may send, also after unpacking",
                    .unit = "megabytes",
                    .least = 1,
                    .most = 4096,
                    .in_jobs = false},
          self.upload_limit);
    visit(FieldInfo{.name = "web",
                    .help = "serve the page from this folder; for developers of the page",
                    .shown_as = "FOLDER",
                    .in_jobs = false},
          self.web);
  }
};

// Until it is stopped. `out` gets the link, `log` all else. Errors: an address that cannot be used,
// a file that cannot be opened, an address beyond loopback without TLS.
Status run_server(const ServeJob& job, std::ostream& out, std::ostream& log, std::stop_token stop);

}  // namespace lacuna::serve

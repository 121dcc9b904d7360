// SPDX-License-Identifier: Apache-2.0
// The interface: every route with its method, who answers it, and how large its body may be. What
// the page does is done by these calls and by nothing else; web/openapi.json describes them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/serve/files.h"
#include "apps/serve/gate.h"
#include "apps/serve/http.h"
#include "apps/serve/published.h"
#include "apps/serve/workspace.h"

namespace lacuna::serve {

struct ApiOptions {
  std::uint64_t upload_limit = std::uint64_t{512} << 20U;  // bytes
  std::string web;  // a folder instead of the pages inside; for those who write them
};

class Api : public Handler {
 public:
  Api(Files& files, Gate& gate, const ApiOptions& options);

  std::variant<Response, std::uint64_t> begin(const Request& request) override;
  Response answer(const Request& request) override;
  bool is_known(const Request& request) const override { return gate_.is_authorized(request); }
  bool is_busy() const override {
    return workspace_.running() + workspace_.queued() > 0 || published_.is_busy();
  }

  // Opens a file before anyone asks. Errors: it cannot be read.
  Status open(const std::string& file);

  struct Call {  // of a route, with what stands in its path for {}
    const Request& request;
    std::vector<std::string> words;
    Json body;  // of calls that have one

    int number(std::size_t index) const;  // -1: no number
  };

 private:
  using Answer = Response (Api::*)(const Call&);
  struct Route {
    std::string method, path;  // "/api/runs/{}/stop"
    Answer answer;
    std::uint64_t body = 0;  // bytes; 0: none
    bool is_json = true;
  };
  void add_routes();
  void add_run_routes();
  void add_published_routes();
  void add_project_routes();
  const Route* find(const Request& request,
                    std::vector<std::string>& words,
                    bool& path_known) const;
  Response page(const Request& request) const;

  Response session(const Call& call);
  Response new_link(const Call& call);
  Response about(const Call& call);
  Response openapi(const Call& call);
  Response list_files(const Call& call);
  Response upload(const Call& call);
  Response option_list(const Call& call);

  Response read_job(const Call& call);
  Response job_keys(const Call& call);
  Response open_document(const Call& call);
  Response list_documents(const Call& call);
  Response show_document(const Call& call);
  Response close_document(const Call& call);
  Response document_page(const Call& call);
  Response document_cell(const Call& call);
  Response change(const Call& call);
  Response collapse(const Call& call);
  Response undo(const Call& call);
  Response redo(const Call& call);
  Response apriori(const Call& call);
  Response read_apriori(const Call& call);
  Response document_job(const Call& call);

  Response look(const Call& call);
  Response check_folder(const Call& call);
  Response reopen(const Call& call);
  Response project(const Call& call);
  Response write_project(const Call& call);
  Response open_project(const Call& call);

  Response open_published(const Call& call);
  Response list_published(const Call& call);
  Response show_published(const Call& call);
  Response close_published(const Call& call);
  Response export_published(const Call& call);

  Response start_run(const Call& call);
  Response list_runs(const Call& call);
  Response show_run(const Call& call);
  Response forget_run(const Call& call);
  Response stop_run(const Call& call);
  Response run_events(const Call& call);
  Response run_page(const Call& call);
  Response run_cell(const Call& call);
  Response run_explanation(const Call& call);
  Response run_exposed(const Call& call);
  Response run_periods(const Call& call);
  Response compare(const Call& call);
  Response export_run(const Call& call);
  Response write_run(const Call& call);

  template <class Make>
  Response changed(const Call& call, Make&& make);
  template <class Show>
  Response seen(const Call& call, Show&& show);
  struct Exported {
    std::string name, type, bytes;
  };
  struct Wanted {
    std::string what, format;
    int table = 0;        // of a job of tau-ARGUS
    std::string unasked;  // "publish": also where nothing was asked
  };
  Result<Exported> exported(const Run& run, const Wanted& wanted);
  Result<std::string> release_bytes(const session::SessionRelease& release,
                                    const std::string& what,
                                    const std::string& format);

  Files& files_;
  Gate& gate_;
  ApiOptions options_;
  Workspace workspace_;
  PublishedList published_;
  std::vector<Route> routes_;
};

Response json_response(const Json& json, int status = 200);
Response error_response(const Error& error, int status = 422);

}  // namespace lacuna::serve

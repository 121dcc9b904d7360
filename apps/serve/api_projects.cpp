// SPDX-License-Identifier: Apache-2.0
// Projects, what was closed by mistake, files before they are tables, and the checker's desk.
#include "apps/serve/api.h"
#include "apps/serve/desk.h"
#include "apps/serve/project.h"

namespace lacuna::serve {

void Api::add_project_routes() {
  constexpr std::uint64_t kLimit = 4 << 20U;
  routes_.push_back({"POST", "/api/looks", &Api::look, kLimit});
  routes_.push_back({"POST", "/api/checks", &Api::check_folder, kLimit});
  routes_.push_back({"POST", "/api/reopen", &Api::reopen, kLimit, false});
  routes_.push_back({"GET", "/api/project", &Api::project});
  routes_.push_back({"POST", "/api/project", &Api::write_project, kLimit});
  routes_.push_back({"POST", "/api/projects", &Api::open_project, kLimit});
}

Response Api::check_folder(const Call& call) {
  auto made = checked_folder(files_, call.body);
  if (!made)
    return error_response(made.error());
  const bool is_page = text_member(call.body, "form") == "page";
  return {200, is_page ? "text/html; charset=utf-8" : "application/json", *std::move(made)};
}

// What was closed or forgotten with undo=keep: ?document= or ?run=, else the last of them.
Response Api::reopen(const Call& call) {
  const auto number = [&](const char* name) {
    return std::atoi(call.request.parameter(name).c_str());
  };
  const auto closed = workspace_.reopen(number("document"), number("run"));
  if (!closed)
    return error_response({ErrorCode::kNoSuchThing, "there is nothing to reopen", ""});
  Json runs = Json::array();
  for (const RunPtr& run : closed->runs)
    runs.push_back(run->id());
  return json_response(
      {{"document", closed->document ? Json(closed->document->id) : Json()}, {"runs", runs}});
}

// As it would be written, without what the page knows besides.
Response Api::project(const Call&) {
  auto bytes = project_archive(workspace_, Json());
  if (!bytes)
    return error_response(bytes.error());
  return {200,
          "application/zip",
          *std::move(bytes),
          {{"Content-Disposition", "attachment; filename=\"project.lacuna\""}}};
}

Response Api::write_project(const Call& call) {
  const std::string file = text_member(call.body, "file");
  if (!file.ends_with(".lacuna"))
    return error_response(
        {ErrorCode::kOutputName, "the name of a project ends in .lacuna", file});
  if (const Status fits = files_.check_new(file); !fits)
    return error_response(fits.error());
  const bool overwrite = call.body.value("overwrite", Json()) == Json(true);
  const auto bytes = project_archive(workspace_, call.body.value("page", Json()));
  if (!bytes)
    return error_response(bytes.error());
  const auto written = files_.write(file, *bytes, overwrite);
  if (!written)
    return error_response({written.error().code, written.error().message, file});
  if (!*written)
    return refusal_of(409, "the file exists already: " + file);
  return json_response({{"file", file}, {"bytes", bytes->size()}}, 201);
}

Response Api::open_project(const Call& call) {
  const std::string file = text_member(call.body, "file");
  const auto opened = serve::open_project(workspace_, files_, file);
  files_.opened(file);  // an upload is not needed any more
  return opened ? json_response(*opened, 201) : error_response(opened.error());
}

}  // namespace lacuna::serve

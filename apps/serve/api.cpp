// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/api.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "apps/serve/assets.h"
#include "data/files/file.h"
#include "lacuna/version.h"

namespace lacuna::serve {
namespace {

constexpr std::uint64_t kJsonLimit = 4 << 20U;
constexpr std::uint64_t kTokenLimit = 4 << 10U;  // of a call that anyone may make

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t at = 1;
  while (at <= path.size()) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool matches(const std::vector<std::string>& pattern,
             const std::vector<std::string>& path,
             std::vector<std::string>& words) {
  if (pattern.size() != path.size())
    return false;
  words.clear();
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (pattern[i] == "{}")
      words.push_back(path[i]);
    else if (pattern[i] != path[i])
      return false;
  }
  return true;
}

}  // namespace

Response json_response(const Json& json, int status) {
  return {status, "application/json", dump(json)};
}

Response error_response(const Error& error, int status) {
  return json_response(error_json(error), status);
}

int Api::Call::number(std::size_t index) const {
  int number = -1;
  if (index >= words.size())
    return -1;
  const std::string& word = words[index];
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size() ? number : -1;
}

Api::Api(Files& files, Gate& gate, const ApiOptions& options)
    : files_(files), gate_(gate), options_(options) {
  add_routes();
  add_run_routes();
  add_published_routes();
  add_project_routes();
}

void Api::add_routes() {
  routes_.push_back({"POST", "/api/session", &Api::session, kTokenLimit});
  routes_.push_back({"POST", "/api/links", &Api::new_link, kJsonLimit, false});
  routes_.push_back({"GET", "/api/about", &Api::about});
  routes_.push_back({"GET", "/api/openapi.json", &Api::openapi});
  routes_.push_back({"GET", "/api/files", &Api::list_files});
  routes_.push_back({"POST", "/api/uploads", &Api::upload, options_.upload_limit, false});
  routes_.push_back({"GET", "/api/options/{}", &Api::option_list});
  routes_.push_back({"GET", "/api/job-keys", &Api::job_keys});
  routes_.push_back({"POST", "/api/jobs", &Api::read_job, kJsonLimit});
  routes_.push_back({"POST", "/api/documents", &Api::open_document, kJsonLimit});
  routes_.push_back({"GET", "/api/documents", &Api::list_documents});
  routes_.push_back({"GET", "/api/documents/{}", &Api::show_document});
  routes_.push_back({"DELETE", "/api/documents/{}", &Api::close_document});
  routes_.push_back({"GET", "/api/documents/{}/page", &Api::document_page});
  routes_.push_back({"GET", "/api/documents/{}/cells/{}", &Api::document_cell});
  routes_.push_back({"POST", "/api/documents/{}/changes", &Api::change, kJsonLimit});
  routes_.push_back({"POST", "/api/documents/{}/collapse", &Api::collapse, kJsonLimit});
  routes_.push_back({"POST", "/api/documents/{}/undo", &Api::undo, kJsonLimit, false});
  routes_.push_back({"POST", "/api/documents/{}/redo", &Api::redo, kJsonLimit, false});
  routes_.push_back({"GET", "/api/documents/{}/apriori", &Api::apriori});
  routes_.push_back({"POST", "/api/documents/{}/apriori", &Api::read_apriori, kJsonLimit});
  routes_.push_back({"GET", "/api/documents/{}/job", &Api::document_job});
}

void Api::add_run_routes() {
  routes_.push_back({"POST", "/api/documents/{}/runs", &Api::start_run, kJsonLimit});
  routes_.push_back({"GET", "/api/runs", &Api::list_runs});
  routes_.push_back({"GET", "/api/runs/{}", &Api::show_run});
  routes_.push_back({"DELETE", "/api/runs/{}", &Api::forget_run});
  routes_.push_back({"POST", "/api/runs/{}/stop", &Api::stop_run, kJsonLimit, false});
  routes_.push_back({"GET", "/api/runs/{}/events", &Api::run_events});
  routes_.push_back({"GET", "/api/runs/{}/page", &Api::run_page});
  routes_.push_back({"GET", "/api/runs/{}/cells/{}", &Api::run_cell});
  routes_.push_back({"GET", "/api/runs/{}/cells/{}/explanation", &Api::run_explanation});
  routes_.push_back({"GET", "/api/runs/{}/exposed", &Api::run_exposed});
  routes_.push_back({"GET", "/api/runs/{}/periods", &Api::run_periods});
  routes_.push_back({"GET", "/api/compare", &Api::compare});
  routes_.push_back({"GET", "/api/runs/{}/export", &Api::export_run});
  routes_.push_back({"POST", "/api/runs/{}/export", &Api::write_run, kJsonLimit});
}

const Api::Route* Api::find(const Request& request,
                            std::vector<std::string>& words,
                            bool& path_known) const {
  const auto path = split_path(request.path);
  path_known = false;
  for (const Route& route : routes_) {
    std::vector<std::string> found;
    if (!matches(split_path(route.path), path, found))
      continue;
    path_known = true;
    if (route.method == request.method) {
      words = found;
      return &route;
    }
  }
  return nullptr;
}

std::variant<Response, std::uint64_t> Api::begin(const Request& request) {
  if (auto refused = gate_.refusal(request))
    return *refused;
  if (!request.path.starts_with("/api/")) {
    if (request.method != "GET" && request.method != "HEAD")
      return refusal_of(405, "pages are read only");
    return std::uint64_t{0};
  }
  std::vector<std::string> words;
  bool path_known = false;
  const Route* route = find(request, words, path_known);
  if (route == nullptr)
    return refusal_of(path_known ? 405 : 404,
                      path_known ? "this address has no such method" : "there is no such address");
  return route->body;
}

Response Api::answer(const Request& request) {
  if (!request.path.starts_with("/api/"))
    return page(request);
  Call call{request, {}, nullptr};
  bool path_known = false;
  const Route* route = find(request, call.words, path_known);
  if (route->body > 0 && route->is_json) {
    auto body = parse_json(request.body);
    if (!body)
      return error_response(body.error(), 400);
    if (!body->is_object())
      return refusal_of(400, "the body must be a JSON object");
    call.body = *std::move(body);
  }
  return (this->*route->answer)(call);
}

std::string media_type(std::string_view name) {
  const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
  if (ends(".html"))
    return "text/html; charset=utf-8";
  if (ends(".js"))
    return "text/javascript; charset=utf-8";
  if (ends(".css"))
    return "text/css; charset=utf-8";
  if (ends(".svg"))
    return "image/svg+xml";
  if (ends(".json"))
    return "application/json";
  return "application/octet-stream";
}

Response Api::page(const Request& request) const {
  const std::string name = request.path == "/" ? "/index.html" : request.path;
  for (const Asset& asset : assets()) {
    if (asset.name != name || name.starts_with("/examples/"))
      continue;
    if (!options_.web.empty()) {
      if (const auto text = files::read_file(options_.web + name))
        return {200, media_type(name), *text};
    }
    return {200, media_type(name), std::string(asset.text)};
  }
  if (!options_.web.empty() && name.find("..") == std::string::npos) {
    if (const auto text = files::read_file(options_.web + name))
      return {200, media_type(name), *text};
  }
  return refusal_of(404, "there is no such page");
}

// ---- the server itself

Response Api::session(const Call& call) {
  return gate_.open_session(text_member(call.body, "token"));
}

Response Api::new_link(const Call&) {
  const auto link = gate_.new_link();
  return link ? json_response({{"link", *link}}, 201) : error_response(link.error(), 503);
}

Response Api::about(const Call&) {
  Json examples = Json::array();
  for (const std::string& file : files_.examples())
    examples.push_back({{"file", file}, {"title", file.substr(file.find(':') + 1)}});
  return json_response({{"version", std::string(version())},
                        {"commit", std::string(commit())},
                        {"folder", files_.folder()},
                        {"examples", examples},
                        {"cores", workspace_.cores()},
                        {"running", workspace_.running()},
                        {"queued", workspace_.queued()}});
}

Response Api::openapi(const Call&) {
  for (const Asset& asset : assets()) {
    if (asset.name == "/openapi.json")
      return {200, "application/json", std::string(asset.text)};
  }
  return refusal_of(404, "there is no description");
}

Response Api::list_files(const Call& call) {
  const std::string folder = call.request.parameter("folder");
  const auto entries = files_.list(folder);
  if (!entries)
    return error_response(entries.error());
  Json list = Json::array();
  for (const FolderEntry& entry : *entries)
    list.push_back({{"name", entry.name},
                    {"folder", entry.is_folder},
                    {"bytes", entry.bytes},
                    {"file", entry.file},
                    {"kind", entry.kind}});
  return json_response({{"folder", folder}, {"entries", list}});
}

Response Api::upload(const Call& call) {
  const std::string into = call.request.parameter("into");
  int number = 0;
  if (!into.empty())
    number = Call{call.request, {into}, nullptr}.number(0);
  const auto kept = files_.keep(call.request.parameter("name"), number, call.request.body);
  return kept ? json_response({{"file", *kept}}, 201) : error_response(kept.error());
}

namespace {

// As the forms of the page call it.
std::string kind_of_option(const OptionInfo& option) {
  if (option.type == "one of")
    return "choice";
  if (option.type == "exact number")
    return "number";
  return option.type == "whole number" ? "whole" : option.type;
}

Json option_json(const OptionInfo& option) {
  Json told{{"name", option.name},
            {"help", option.help},
            {"kind", kind_of_option(option)},
            {"choices", option.choices},
            {"default", option.default_text},
            {"unit", option.unit},
            {"range", option.range},
            {"absent", option.absent},
            {"methods", option.methods},
            {"file", option.shown_as == "FILE"}};
  told["least"] = std::isfinite(option.least) ? Json(option.least) : Json();
  told["most"] = std::isfinite(option.most) ? Json(option.most) : Json();
  return told;
}

}  // namespace

Response Api::option_list(const Call& call) {
  const auto own = session::options_of(call.words[0]);
  if (!own)
    return error_response(own.error(), 404);
  std::vector<OptionInfo> options = *own;
  for (const OptionInfo& option : describe_options<job::RunOptions>())  // of every run
    options.push_back(option);
  Json list = Json::array();
  Json methods = Json::array();
  for (const OptionInfo& option : options) {
    if (option.place == FieldPlace::kArgument || option.shown_as == "OUT" ||
        option.name == "json" || option.name == "quiet")
      continue;
    if (option.name == "method") {
      for (const std::string& method : option.choices)
        methods.push_back({{"name", method}});
    }
    list.push_back(option_json(option));
  }
  return json_response({{"options", list}, {"methods", methods}});
}

}  // namespace lacuna::serve

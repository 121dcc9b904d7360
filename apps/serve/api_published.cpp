// SPDX-License-Identifier: Apache-2.0
// Published tables: what readers can infer from them alone.
#include "apps/serve/api.h"

namespace lacuna::serve {
namespace {

Response no_published() {
  return refusal_of(404, "there are no such published tables; they may have been closed");
}

}  // namespace

void Api::add_published_routes() {
  constexpr std::uint64_t kLimit = 4 << 20U;
  routes_.push_back({"POST", "/api/published", &Api::open_published, kLimit});
  routes_.push_back({"GET", "/api/published", &Api::list_published});
  routes_.push_back({"GET", "/api/published/{}", &Api::show_published});
  routes_.push_back({"DELETE", "/api/published/{}", &Api::close_published});
  routes_.push_back({"GET", "/api/published/{}/export", &Api::export_published});
}

Response Api::open_published(const Call& call) {
  const auto files = call.body.find("files");
  std::vector<std::string> names;
  if (files != call.body.end() && files->is_array()) {
    for (const Json& file : *files) {
      if (file.is_string())
        names.push_back(file.get<std::string>());
    }
  }
  if (files == call.body.end() || !files->is_array() || names.size() != files->size())
    return refusal_of(400, "files must be a list of names of files");
  const auto options = call.body.find("options");
  const bool given = options != call.body.end() && !options->is_null();
  if (given && !options->is_object())
    return refusal_of(400, "options must be an object of names and values");
  const auto opened = PublishedTables::open(names, given ? Json(*options) : Json::object(), files_);
  if (!opened)
    return error_response(opened.error());
  if (const Status added = published_.add(*opened); !added)
    return error_response(added.error(), 503);
  return json_response((*opened)->json(true), 202);
}

Response Api::list_published(const Call&) {
  Json list = Json::array();
  for (const PublishedPtr& each : published_.all())
    list.push_back(each->json(false));
  return json_response(list);
}

Response Api::show_published(const Call& call) {
  const PublishedPtr published = published_.find(call.number(0));
  return published ? json_response(published->json(true)) : no_published();
}

Response Api::close_published(const Call& call) {
  return published_.forget(call.number(0)) ? Response{204, ""} : no_published();
}

Response Api::export_published(const Call& call) {
  const PublishedPtr published = published_.find(call.number(0));
  if (!published)
    return no_published();
  const std::string what = call.request.parameter("form");
  auto text = published->exported(what);
  if (!text)
    return error_response(text.error());
  const bool is_page = what == "page", is_text = what == "text";
  const std::string name = published->stem() +
                           (what == "certificate" ? "-inference-certificate" : "-inference") +
                           (is_page   ? ".html"
                            : is_text ? ".txt"
                                      : ".json");
  return {200,
          is_page   ? "text/html; charset=utf-8"
          : is_text ? "text/plain; charset=utf-8"
                    : "application/json",
          *std::move(text),
          {{"Content-Disposition", "attachment; filename=\"" + safe_name(name) + "\""}}};
}

}  // namespace lacuna::serve

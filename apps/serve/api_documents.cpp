// SPDX-License-Identifier: Apache-2.0
// Tables: opened, looked at, changed by hand.
#include "app/report/page_data.h"
#include "apps/serve/api.h"
#include "apps/serve/cell_json.h"
#include "apps/serve/job.h"
#include "apps/serve/look.h"

namespace lacuna::serve {
namespace {

Response no_document() {
  return refusal_of(404, "there is no such table; it may have been closed");
}

Response attachment(std::string text, const std::string& type, const std::string& name) {
  return {200,
          type,
          std::move(text),
          {{"Content-Disposition", "attachment; filename=\"" + safe_name(name) + "\""}}};
}

}  // namespace

Status Api::open(const std::string& file) {
  const Opened opened = serve::open_document(files_, file, std::nullopt);
  if (const auto* failure = std::get_if<OpenFailure>(&opened))
    return failure->error;
  const auto added = workspace_.add(std::get<DocumentPtr>(opened));
  return added ? ok_status() : Status(added.error());
}

Response Api::open_document(const Call& call) {
  std::optional<std::string> job;
  const auto given = call.body.find("job");
  if (given != call.body.end() && !given->is_null()) {
    auto text = sent_job(*given);
    if (!text)
      return error_response(text.error(), 400);
    job = *std::move(text);
  }
  if (const auto file = call.body.find("file"); file == call.body.end() || !file->is_string())
    return refusal_of(400, "file must be the name of a file");
  const Opened opened = serve::open_document(files_, text_member(call.body, "file"), job);
  if (const auto* failure = std::get_if<OpenFailure>(&opened)) {
    Json told = error_json(failure->error);
    told["draft"] = failure->draft;
    return json_response(told, 422);
  }
  const auto added = workspace_.add(std::get<DocumentPtr>(opened));
  return added ? json_response((*added)->json(), 201) : error_response(added.error(), 503);
}

// A job between a form and an editor: no file is read. With `spec` that is put in the place of the
// value of `text`, else the text is read.
Response Api::read_job(const Call& call) {
  const auto text = call.body.find("text");
  if (text == call.body.end() || !text->is_string())
    return refusal_of(400, "text must be the text of a job");
  const auto spec = call.body.find("spec");
  if (spec == call.body.end() || spec->is_null())
    return json_response(job_json(text->get<std::string>(), "job.toml"));
  if (!spec->is_object())
    return refusal_of(400, "spec must be an object with the sections of a job");
  const auto edited = edited_job(*spec, text->get<std::string>());
  return edited ? json_response(*edited) : error_response(edited.error());
}

Response Api::job_keys(const Call&) {
  return json_response({{"sections", job_keys_json()}});
}

Response Api::list_documents(const Call&) {
  Json list = Json::array();
  for (const DocumentPtr& document : workspace_.documents())
    list.push_back(document->json());
  return json_response(list);
}

Response Api::show_document(const Call& call) {
  const DocumentPtr document = workspace_.document(call.number(0));
  return document ? json_response(document->json()) : no_document();
}

// A file as it stands, and what it is taken for.
Response Api::look(const Call& call) {
  const auto told = look_at(files_, call.body);
  return told ? json_response(*told) : error_response(told.error());
}

// Whoever will open the same upload again (upload=keep), as the form does, keeps it.
Response Api::close_document(const Call& call) {
  const DocumentPtr document = workspace_.document(call.number(0));
  const bool may_return = call.request.parameter("undo") == "keep";
  if (!document || !workspace_.close(document->id, may_return))
    return no_document();
  files_.closed(document->file, call.request.parameter("upload") == "keep");
  return {204, ""};
}

Response Api::document_page(const Call& call) {
  const DocumentPtr document = workspace_.document(call.number(0));
  if (!document)
    return no_document();
  if (!document->now)
    return refusal_of(422, "a job of tau-ARGUS has tables once it has run");
  const Problem& problem = document->problem();
  return {200,
          "application/json",
          report::office_data(problem, {}, {}, document->now->tables, document->now->reasons)};
}

Response Api::document_cell(const Call& call) {
  const DocumentPtr document = workspace_.document(call.number(0));
  if (!document)
    return no_document();
  const int cell = call.number(1);
  if (!document->now || cell < 0 || cell >= document->problem().table().num_cells())
    return refusal_of(404, "there is no such cell");
  return json_response(
      cell_json(document->problem(), document->now->reasons, document->held, CellId{cell}));
}

// Somebody else may change the same table at the same time: then on top of that.
template <class Make>
Response Api::changed(const Call& call, Make&& make) {
  for (int attempt = 0; attempt < 8; ++attempt) {
    const DocumentPtr before = workspace_.document(call.number(0));
    if (!before)
      return no_document();
    const Result<DocumentPtr> after = make(*before);
    if (!after)
      return error_response(after.error());
    if (workspace_.replace(before, *after))
      return json_response((*after)->json());
  }
  return refusal_of(409, "the table is being changed elsewhere; try again");
}

Response Api::change(const Call& call) {
  return changed(call, [&](const Document& before) { return with_change(before, call.body); });
}

Response Api::collapse(const Call& call) {
  return changed(call, [&](const Document& before) {
    return with_collapse(
        before, text_member(call.body, "dimension"), text_member(call.body, "code"));
  });
}

Response Api::undo(const Call& call) {
  return changed(call, [](const Document& before) { return undone(before); });
}

Response Api::redo(const Call& call) {
  return changed(call, [](const Document& before) { return redone(before); });
}

Response Api::apriori(const Call& call) {
  const DocumentPtr document = workspace_.document(call.number(0));
  if (!document)
    return no_document();
  auto text = changes_text(*document);
  return text ? attachment(*std::move(text), "text/csv; charset=utf-8", document->changes_name())
              : error_response(text.error());
}

Response Api::read_apriori(const Call& call) {
  const std::string file = text_member(call.body, "file");
  Response response =
      changed(call, [&](const Document& before) { return with_file(before, files_, file); });
  files_.refused(file, false);  // it is read, or it is not: an upload is not needed any more
  return response;
}

Response Api::document_job(const Call& call) {
  const DocumentPtr document = workspace_.document(call.number(0));
  if (!document)
    return no_document();
  const auto text = job_text(*document);
  return text ? attachment(*text, "application/toml", document->job_name())
              : error_response(text.error());
}

}  // namespace lacuna::serve

// SPDX-License-Identifier: Apache-2.0
// Runs: started, watched, stopped, looked at, compared, exported.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "app/explain/cell_explanation.h"
#include "app/explain/explanation_text.h"
#include "app/job/calendar.h"
#include "app/report/assurance.h"
#include "app/report/cell_view.h"
#include "app/report/page_data.h"
#include "apps/serve/api.h"
#include "apps/serve/assets.h"
#include "apps/serve/cell_json.h"
#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/json_writer.h"
#include "data/files/file.h"
#include "lacuna/report.h"

namespace lacuna::serve {
namespace {

constexpr std::size_t kMostDiffering = 1000, kMostCompared = 8;

Response no_run() {
  return refusal_of(404, "there is no such run; it may have been forgotten");
}

int table_of(const Request& request) {
  const std::string text = request.parameter("table");
  return text.empty() ? 0 : std::atoi(text.c_str());
}

Json loss_json(const Seen& seen) {
  const InformationLoss loss = information_loss(*seen.problem, *seen.draft, *seen.report);
  return Json::parse(information_loss_json(loss, seen.problem->table().decimals()), nullptr, false);
}

Json number_or_null(FigureState state, double value) {
  const double known = report::figure_value(state, value);
  return std::isfinite(known) ? Json(known) : Json();
}

Json risk_json(const Seen& seen) {
  const Utility utility = release_utility(*seen.problem, *seen.draft, *seen.report);
  const Risk risk = release_risk(*seen.problem, *seen.draft, *seen.report);
  return {{"requirements", risk.requirements},
          {"unbounded", risk.unbounded},
          {"tight", risk.tight},
          {"least_ratio", number_or_null(risk.state(), risk.least_ratio)},
          {"mean_ratio", number_or_null(risk.state(), risk.mean_ratio)},
          {"ratio_state", to_string(risk.state())},
          {"mean_deviation_percent", number_or_null(utility.state(), utility.mean_percent)},
          {"largest_deviation_percent", number_or_null(utility.state(), utility.max_percent)},
          {"deviation_state", to_string(utility.state())}};
}

std::string published_of(const Seen& seen, CellId cell) {
  const report::PublishedView published =
      report::published_view(seen.problem->table(), *seen.draft, cell);
  std::string text = state_word(published.state);
  if (published.state != StatementKind::kExact && published.number)
    text += " " + base::format_units(*published.number, seen.problem->table().decimals());
  return text;
}

}  // namespace

Response Api::start_run(const Call& call) {
  const DocumentPtr document = workspace_.document(call.number(0));
  if (!document)
    return refusal_of(404, "there is no such table; it may have been closed");
  const auto options = call.body.find("options");
  const bool given = options != call.body.end() && !options->is_null();
  if (given && !options->is_object())
    return refusal_of(400, "options must be an object of names and values");
  const auto run = workspace_.start(
      document, text_member(call.body, "command"), given ? Json(*options) : Json::object(), files_);
  if (!run)
    return error_response(run.error(), run.error().code == ErrorCode::kTooMany ? 503 : 422);
  return json_response((*run)->json(true), 202);
}

Response Api::list_runs(const Call& call) {
  Json list = Json::array();
  const std::string document = call.request.parameter("document");
  for (const RunPtr& run : workspace_.runs(document.empty() ? 0 : std::atoi(document.c_str())))
    list.push_back(run->json(false));
  return json_response(list);
}

Response Api::show_run(const Call& call) {
  const RunPtr run = workspace_.run(call.number(0));
  return run ? json_response(run->json(true)) : no_run();
}

Response Api::forget_run(const Call& call) {
  const bool may_return = call.request.parameter("undo") == "keep";
  return workspace_.forget(call.number(0), may_return) ? Response{204, ""} : no_run();
}

Response Api::stop_run(const Call& call) {
  const RunPtr run = workspace_.run(call.number(0));
  if (!run)
    return no_run();
  if (!run->is_over())
    run->stop();
  return json_response(run->json(true));
}

Response Api::run_events(const Call& call) {
  const RunPtr run = workspace_.run(call.number(0));
  if (!run)
    return no_run();
  Response response{200, "text/event-stream"};
  response.events =
      [run, told = std::int64_t{0}, ended = false]() mutable -> std::optional<std::string> {
    if (ended)
      return std::nullopt;
    const std::int64_t version = run->version();
    if (version == told)
      return "";
    ended = run->is_over();
    told = version;
    return "event: run\ndata: " + dump(run->json(true)) + "\n\n";
  };
  return response;
}

// What is to be seen of the run that the call names, or why there is nothing.
template <class Show>
Response Api::seen(const Call& call, Show&& show) {
  const RunPtr run = workspace_.run(call.number(0));
  if (!run)
    return no_run();
  const auto seen = run->seen(table_of(call.request));
  return seen ? show(*run, *seen) : error_response(seen.error());
}

Response Api::run_page(const Call& call) {
  return seen(call, [](const Run&, const Seen& seen) {
    return Response{
        200,
        "application/json",
        report::office_data(
            *seen.problem, *seen.draft, *seen.report, seen.tables, seen.reasons, seen.columns)};
  });
}

Response Api::run_cell(const Call& call) {
  return seen(call, [&](const Run& run, const Seen& seen) {
    const int cell = call.number(1);
    if (cell < 0 || cell >= seen.problem->table().num_cells())
      return refusal_of(404, "there is no such cell");
    Json json = cell_json(*seen.problem, seen.reasons, run.document().held, CellId{cell});
    json.update(release_json(*seen.problem, *seen.draft, *seen.report, CellId{cell}));
    return json_response(json);
  });
}

// Why the cell is withheld, while whoever asked waits.
Response Api::run_explanation(const Call& call) {
  constexpr std::int64_t kWork = 3'000'000;  // of the search for an exchange
  constexpr std::chrono::seconds kMost{20};
  return seen(call, [&](const Run& run, const Seen& seen) {
    const int cell = call.number(1);
    if (cell < 0 || cell >= seen.problem->table().num_cells())
      return refusal_of(404, "there is no such cell");
    const auto release = run.outcome().release;
    Result<Problem> weighed =
        release ? weigh(*seen.problem, weight_formula(release->job)) : Result(*seen.problem);
    if (!weighed)
      return error_response(weighed.error());
    const auto problem = std::make_shared<const Problem>(std::move(weighed).value());
    explain::ExplainOptions options;
    options.search.work = kWork;
    RunContext limited;
    limited.deadline = std::chrono::steady_clock::now() + kMost;
    const auto told = explain::explain_cell(problem, *seen.draft, CellId{cell}, options, limited);
    if (!told)
      return error_response(told.error());
    Json json = Json::parse(base::json_text([&](base::JsonWriter& writer) {
      explain::write_explanation(writer, *problem, *seen.draft, seen.reasons, *told);
    }));
    json["text"] =
        base::in_full(explain::explanation_text(*problem, *seen.draft, seen.reasons, *told));
    return json_response(json);
  });
}

Response Api::run_exposed(const Call& call) {
  return seen(call, [](const Run&, const Seen& seen) {
    return json_response(exposed_json(*seen.problem, *seen.draft, *seen.report));
  });
}

// The release beside those of earlier periods; without any the list of periods is empty.
Response Api::run_periods(const Call& call) {
  return seen(call, [](const Run&, const Seen& seen) {
    const auto periods = job::periods_with_calendar(*seen.problem,
                                                    seen.audit->own_cells,
                                                    *seen.draft,
                                                    seen.audit->together.get(),
                                                    seen.audit->changes,
                                                    seen.reasons);
    if (!periods)
      return error_response(periods.error());
    Json rows = Json::array();
    for (const PeriodColumns::Row& row : periods->rows)
      rows.push_back({{"cell", row.cell.value},
                      {"label", seen.problem->table().label(row.cell)},
                      {"texts", row.texts},
                      {"note", row.note}});
    return json_response(
        {{"periods", periods->periods}, {"rows", rows}, {"left_out", periods->left_out}});
  });
}

Response Api::compare(const Call& call) {
  std::vector<Seen> all;
  Json rows = Json::array();
  for (const std::string& word : split_list(call.request.parameter("runs"))) {
    const RunPtr run = workspace_.run(std::atoi(word.c_str()));
    if (!run || all.size() >= kMostCompared)
      return no_run();
    auto seen = run->seen(0);
    if (!seen)
      return error_response(seen.error());
    const Json about = run->json(false);
    const Json summary = about["summary"];
    const auto member = [&](const char* name) {
      return summary.is_object() && summary.contains(name) ? summary[name] : Json();
    };
    const Json method = member("method");
    rows.push_back({{"id", run->id()},
                    {"method", method.is_null() ? about["command"] : method},
                    {"cost", member("objective")},
                    {"bound", member("bound")},
                    {"gap", member("gap")},
                    {"verdict", about["verdict"]},
                    {"seconds", about["seconds"]},
                    {"loss", loss_json(*seen)},
                    {"risk", risk_json(*seen)}});
    all.push_back(std::move(seen).value());
  }
  Json cells = Json::array();
  std::int64_t differing = 0;
  const bool same_table = !all.empty() && std::all_of(all.begin(), all.end(), [&](const Seen& s) {
    return s.problem->table().num_cells() == all[0].problem->table().num_cells();
  });
  for (std::int32_t c = 0; same_table && c < all[0].problem->table().num_cells(); ++c) {
    std::vector<std::string> states;
    for (const Seen& seen : all)
      states.push_back(published_of(seen, CellId{c}));
    if (std::all_of(states.begin(), states.end(), [&](const auto& s) { return s == states[0]; }))
      continue;
    if (static_cast<std::size_t>(differing++) < kMostDiffering)
      cells.push_back(
          {{"cell", c}, {"label", all[0].problem->table().label(CellId{c})}, {"states", states}});
  }
  return json_response({{"runs", rows}, {"cells", cells}, {"differing", differing}});
}

// ---- export

Result<std::string> Api::release_bytes(const session::SessionRelease& release,
                                       const std::string& what,
                                       const std::string& format) {
  LACUNA_TRY(const std::string folder, files_.scratch());
  const std::string path = folder + "/release." + format;
  using Paths = std::vector<std::string>;
  const session::ReleaseFiles files{what == "public" ? Paths{path} : Paths(),
                                    what == "office" ? Paths{path} : Paths(),
                                    "",
                                    job::UnaskedRule::kPublish};  // exported() asks for the word
  const Status written = session::write_release(release, files, {});
  Result<std::string> bytes =
      written ? files::read_file(path) : Result<std::string>(written.error());
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  if (!bytes) {
    Error error = bytes.error();
    error.where = what + " ." + format;
    return error;
  }
  return bytes;
}

Result<Api::Exported> Api::exported(const Run& run, const Wanted& wanted) {
  const auto& [what, format, table, unasked] = wanted;
  const Document& document = run.document();
  const std::string stem = std::filesystem::path(document.name).stem().string();
  if (what == "apriori") {
    LACUNA_TRY(std::string text, changes_text(document));
    return Exported{document.changes_name(), "text/csv; charset=utf-8", std::move(text)};
  }
  if (what == "job") {
    LACUNA_TRY(std::string text, job_text(document));
    return Exported{document.job_name(), "application/toml", std::move(text)};
  }
  if (what == "repeat") {
    LACUNA_TRY(std::string bytes, run.repeat_archive());
    return Exported{stem + "-repeat.zip", "application/zip", std::move(bytes)};
  }
  const Outcome outcome = run.outcome();
  auto release = outcome.release;
  if (table >= 0 && static_cast<std::size_t>(table) < outcome.tables.size())
    release = outcome.tables[static_cast<std::size_t>(table)].release;
  if (what == "certificate" && !release && outcome.audit)
    return Exported{
        stem + "-certificate.json", "application/json", session::certificate_text(*outcome.audit)};
  if (!release)
    return Error{ErrorCode::kNotProtected, "the run has no release that passed the audit", what};
  if (what.starts_with("public") && needs_word(*release) && unasked != "publish")
    return Error{ErrorCode::kNothingAsked,
                 "nothing was asked, so nothing was checked: add a rule or mark cells, or set "
                 "unasked = publish to publish the table anyway",
                 what};
  if (what == "certificate")
    return Exported{stem + "-certificate.json", "application/json", release->certificate_text()};
  if (what == "report" || what == "public-report") {
    job::RunOptions options;
    session::GivenOptions given;
    if (what == "public-report")
      given.push_back({"public", {"true"}});
    given.push_back({"unasked", {"publish"}});
    LACUNA_TRY(job::ReportJob job, session::report_job(*release, "", given, options));
    job.title = stem;
    LACUNA_TRY(job::ReportOutcome made, job::run_report(job, options.context({})));
    if (made.html.empty())
      return Error{
          ErrorCode::kNotProtected, "a release that is not protected has no public page", what};
    return Exported{stem + "-" + what + ".html", "text/html; charset=utf-8", std::move(made.html)};
  }
  if (what != "public" && what != "office")
    return Error{ErrorCode::kOptionValue,
                 "one of public, office, report, public-report, certificate, job, apriori and "
                 "repeat",
                 "what"};
  const std::string ending = format.empty() ? "csv" : format;
  if (ending.find_first_not_of("abcdefghijklmnopqrstuvwxyz.") != std::string::npos)
    return Error{ErrorCode::kOptionValue, "there is no such format", "format"};
  LACUNA_TRY(std::string bytes, release_bytes(*release, what, ending));
  return Exported{stem + "-" + what + "." + ending, "application/octet-stream", std::move(bytes)};
}

Response Api::export_run(const Call& call) {
  const RunPtr run = workspace_.run(call.number(0));
  if (!run)
    return no_run();
  auto made = exported(*run,
                       {call.request.parameter("what"),
                        call.request.parameter("format"),
                        table_of(call.request),
                        call.request.parameter("unasked")});
  if (!made)
    return error_response(made.error());
  Exported out = std::move(made).value();
  return {200,
          out.type,
          std::move(out.bytes),
          {{"Content-Disposition", "attachment; filename=\"" + safe_name(out.name) + "\""}}};
}

namespace {

// "sales.csv" and "sales.csv.gz" for csv: what is in a file is what its name says.
Status check_ending(const std::string& file, const std::string& made) {
  const std::string form =
      made.ends_with(".sdmx.csv") ? ".sdmx.csv" : std::filesystem::path(made).extension().string();
  std::string_view name = file;
  const bool may_be_packed = form == ".csv" || form == ".json" || form == ".sdmx.csv";
  if (may_be_packed && name.ends_with(".gz"))
    name.remove_suffix(3);
  if (name.ends_with(form))
    return ok_status();
  return Error{ErrorCode::kOutputName, "the name of this file ends in " + form, file};
}

}  // namespace

Response Api::write_run(const Call& call) {
  const RunPtr run = workspace_.run(call.number(0));
  if (!run)
    return no_run();
  const std::string file = text_member(call.body, "file");
  if (const Status fits = files_.check_new(file); !fits)
    return error_response(fits.error());
  const auto consent = call.body.find("overwrite");
  if (consent != call.body.end() && !consent->is_boolean())
    return refusal_of(400, "overwrite must be true or false");
  const bool overwrite = consent != call.body.end() && consent->get<bool>();
  auto made = exported(*run,
                       {text_member(call.body, "what"),
                        text_member(call.body, "format"),
                        std::atoi(text_member(call.body, "table").c_str()),
                        text_member(call.body, "unasked")});
  if (!made)
    return error_response(made.error());
  if (const Status fits = check_ending(file, made->name); !fits)
    return error_response(fits.error());
  const auto written = files_.write(file, made->bytes, overwrite);
  if (!written)
    return error_response({written.error().code, written.error().message, file});
  if (!*written)
    return refusal_of(409, "the file exists already: " + file);
  return json_response({{"file", file}, {"bytes", made->bytes.size()}}, 201);
}

}  // namespace lacuna::serve

// SPDX-License-Identifier: Apache-2.0
// Protection: a run, and the release that has passed the audit.
#include <nlohmann/json.hpp>

#include "data/columns/arrow_c_writer.h"
#include "data/publish/release_file.h"
#include "inputs.h"
#include "run.h"
#include "texts.h"

namespace lacuna::c {
namespace {

// What a run without a release has to say, with the audit if that said no.
Failure refusal_of(const job::ProtectOutcome& made, bool stopped) {
  const job::JobOutput& refusal = made.decision.refusal;
  const auto said = nlohmann::json::parse(refusal.text);
  Failure failure{LACUNA_REFUSED, "refused", said.at("message").get<std::string>()};
  if (refusal.code == job::ExitCode::kNoResult) {
    failure.status = stopped ? LACUNA_CANCELLED : LACUNA_NO_RESULT;
    failure.code = stopped ? "cancelled" : "no-result";
  }
  if (std::optional<session::SessionAudit> audit = session::refused_audit(made))
    failure.refused_by = std::make_shared<const session::SessionAudit>(*std::move(audit));
  return failure;
}

session::SessionRelease protect_problem(const session::SessionProblem& problem,
                                        const session::GivenOptions& given,
                                        const load::Inputs& files,
                                        lacuna_run* listener) {
  session::SessionRelease held;
  job::RunOptions run;
  held.problem = problem;
  held.given = given;
  held.job = value_or_fail(session::protect_job(problem, given, files, run));
  auto done = wait_for<job::ProtectOutcome>(listener, run, [&](const RunContext& context) {
    return job::run_protect(held.job, context);
  });
  if (!done.value.decision.passed)
    throw refusal_of(done.value, done.interrupted);
  held.made = std::move(done.value);
  held.notes = std::move(done.notes);
  held.interrupted = done.interrupted;
  return held;
}

job::UnaskedRule taken_word(session::GivenOptions& given) {
  job::ProtectJob job;
  const std::string word = take_option(given, "unasked");
  if (!word.empty())
    ok_or_fail(set_option(job, "unasked", word));
  return job.unasked;
}

void check_table(const session::SessionRelease& release, std::int32_t table) {
  const std::size_t tables = std::max<std::size_t>(1, release.made.tables.size());
  if (table < -1 || (table >= 0 && static_cast<std::size_t>(table) >= tables))
    misuse("there is no table " + std::to_string(table) +
           ": they are numbered from 0, and -1 is all");
}

}  // namespace
}  // namespace lacuna::c

extern "C" {

using namespace lacuna;
using namespace lacuna::c;

lacuna_status lacuna_problem_protect(const lacuna_problem* problem,
                                     const char* options,
                                     const lacuna_inputs* inputs,
                                     lacuna_run* run,
                                     lacuna_release** out,
                                     lacuna_error** error) {
  return guarded(error, [&] {
    lacuna_release*& target = place_of(out, "out");
    const session::SessionProblem& held = needed(problem, "problem").held;
    const session::GivenOptions given = given_options(options);
    refuse_options(given, {"input", "output", "public", "certificate", "json"});
    target =
        new lacuna_release{Mark::kRelease, protect_problem(held, given, files_for(inputs), run)};
  });
}

lacuna_status lacuna_release_verdict(const lacuna_release* release,
                                     const char** verdict,
                                     lacuna_error** error) {
  return guarded(error, [&] {
    const char*& target = place_of(verdict, "verdict");
    const session::SessionRelease& held = needed(release, "release").held;
    target = to_string(held.run().release.report().verdict).data();
  });
}

lacuna_status lacuna_release_summary(const lacuna_release* release,
                                     char** json,
                                     lacuna_error** error) {
  return guarded(error, [&] {
    char*& target = place_of(json, "json");
    target = shown_copy(publish::run_json(needed(release, "release").held.run().summary));
  });
}

lacuna_status lacuna_release_published(const lacuna_release* release,
                                       std::int32_t table,
                                       const char* options,
                                       ArrowArrayStream* out,
                                       lacuna_error** error) {
  return guarded(error, [&] {
    if (out == nullptr)
      misuse("out is NULL");
    *out = {};
    const session::SessionRelease& held = needed(release, "release").held;
    session::GivenOptions given = given_options(options);
    const job::UnaskedRule word = taken_word(given);
    if (!given.empty())
      fail(unknown_option(given.front().name, {}));
    check_table(held, table);
    columns::export_stream(value_or_fail(session::published(held, table, word)), *out);
  });
}

lacuna_status lacuna_release_published_file(const lacuna_release* release,
                                            const char* ending,
                                            const char* options,
                                            char** bytes,
                                            std::size_t* size,
                                            lacuna_error** error) {
  return guarded(error, [&] {
    char*& target = place_of(bytes, "bytes");
    const session::SessionRelease& held = needed(release, "release").held;
    const std::string made = value_or_fail(session::published_bytes(
        held, lacuna::c::text_of(ending, "ending"), given_options(options)));
    target = copy_of(made);
    if (size != nullptr)
      *size = made.size();
  });
}

lacuna_status lacuna_release_certificate(const lacuna_release* release,
                                         char** json,
                                         lacuna_error** error) {
  return guarded(error, [&] {
    char*& target = place_of(json, "json");
    target = copy_of(needed(release, "release").held.certificate_text());
  });
}

lacuna_status lacuna_release_save(const lacuna_release* release,
                                  const char* options,
                                  lacuna_error** error) {
  return guarded(error, [&] {
    const session::SessionRelease& held = needed(release, "release").held;
    session::GivenOptions given = given_options(options);
    session::ReleaseFiles files;
    files.shown = take_options(given, "public");
    files.kept = take_options(given, "output");
    files.certificate = take_option(given, "certificate");
    if (files.shown.empty() && files.kept.empty() && files.certificate.empty())
      fail({ErrorCode::kOptionMissing,
            "name a file to be written: public, output or certificate",
            ""});
    ok_or_fail(session::write_release(held, files, given));
  });
}

lacuna_status lacuna_release_report(const lacuna_release* release,
                                    const char* path,
                                    const char* options,
                                    lacuna_run* run,
                                    char** html,
                                    lacuna_error** error) {
  return guarded(error, [&] {
    char* nowhere = nullptr;
    char*& target = place_of(html == nullptr ? &nowhere : html, "html");
    const session::SessionRelease& held = needed(release, "release").held;
    const session::GivenOptions given = given_options(options);
    refuse_options(given, {"input", "output", "result", "certificate", "json"});
    job::RunOptions limits;
    const job::ReportJob job =
        value_or_fail(session::report_job(held, text_or_empty(path, "path"), given, limits));
    const auto done = wait_for<job::ReportOutcome>(run, limits, [&](const RunContext& context) {
      return session::write_report(job, context);
    });
    if (done.value.html.empty())
      throw Failure{LACUNA_REFUSED, "refused", job::no_page_text(job, done.value)};
    if (html != nullptr)
      target = shown_copy(done.value.html);
  });
}

lacuna_status lacuna_release_audit(const lacuna_release* release,
                                   lacuna_audit** out,
                                   lacuna_error** error) {
  return guarded(error, [&] {
    lacuna_audit*& target = place_of(out, "out");
    target = new lacuna_audit{Mark::kAudit, needed(release, "release").held.audit()};
  });
}

void lacuna_release_free(lacuna_release* release) {
  delete release;
}

}  // extern "C"

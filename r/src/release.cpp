// SPDX-License-Identifier: Apache-2.0
// Protection: a run, and the release that has passed the audit.
#include "app/session/session.h"
#include "data/publish/release_file.h"
#include "entries.h"
#include "frames.h"
#include "waiting.h"

namespace lacuna::r {
namespace {

// What a run without a release has to say, with the audit if that said no.
cpp11::sexp refusal_of(const job::ProtectOutcome& made, bool interrupted) {
  NamedList out;
  out.add("said", from_json(made.decision.refusal.text));
  out.truth("interrupted", interrupted);
  if (std::optional<session::SessionAudit> audit = session::refused_audit(made))
    out.add("audit", pointer_to(*std::move(audit)));
  return out.list();
}

}  // namespace

SEXP protect_entry(SEXP pointer, SEXP options, SEXP named, SEXP progress) {
  return entry([&]() -> SEXP {
    session::SessionRelease release;
    job::RunOptions run;
    release.problem = held<session::SessionProblem>(pointer);
    release.given = given_options(options);
    release.job =
        value_or_refuse(protect_job(release.problem, release.given, files_of(named), run));
    auto done = wait_for<job::ProtectOutcome>(run, progress, [&](const RunContext& context) {
      return run_protect(release.job, context);
    });
    if (!done.value.decision.passed)
      return NamedList().add("refused", refusal_of(done.value, done.interrupted)).list();
    release.made = std::move(done.value);
    release.notes = std::move(done.notes);
    release.interrupted = done.interrupted;
    return NamedList()
        .truth("interrupted", done.interrupted)
        .add("release", pointer_to(std::move(release)))
        .list();
  });
}

// `kept`: the result, the run, and perhaps the certificate.
SEXP restore_entry(SEXP pointer, SEXP options, SEXP named, SEXP kept) {
  return entry([&]() -> SEXP {
    const std::vector<std::string> texts = texts_of(kept);
    return pointer_to(value_or_refuse(restore_release(held<session::SessionProblem>(pointer),
                                                      given_options(options),
                                                      files_of(named),
                                                      {texts.at(0), texts.at(1), ""})));
  });
}

SEXP release_info_entry(SEXP pointer) {
  return entry([&]() -> SEXP {
    const auto& release = held<session::SessionRelease>(pointer);
    return NamedList()
        .add("run", from_json(run_json(release.run().summary)))
        .text("json", run_json(release.run().summary))
        .text("title", std::string_view(release.title()))
        .add("notes", sexp_of(release.notes))
        .truth("is_public", is_public(release))
        .list();
  });
}

SEXP release_problem_entry(SEXP pointer) {
  return entry(
      [&]() -> SEXP { return pointer_to(held<session::SessionRelease>(pointer).problem); });
}

SEXP release_published_entry(SEXP pointer, SEXP table, SEXP unasked) {
  return entry([&]() -> SEXP {
    const job::UnaskedRule word =
        cpp11::as_cpp<bool>(unasked) ? job::UnaskedRule::kPublish : job::UnaskedRule::kRefuse;
    return frame_of(value_or_refuse(
        published(held<session::SessionRelease>(pointer), cpp11::as_cpp<int>(table), word)));
  });
}

SEXP release_office_entry(SEXP pointer) {
  return entry([&]() -> SEXP {
    return frame_of(value_or_refuse(office(held<session::SessionRelease>(pointer))));
  });
}

SEXP release_periods_entry(SEXP pointer) {
  return entry([&]() -> SEXP {
    return frame_of(value_or_refuse(periods(held<session::SessionRelease>(pointer))));
  });
}

SEXP release_text_entry(SEXP pointer) {
  return entry(
      [&]() -> SEXP { return sexp_of(held<session::SessionRelease>(pointer).result_text()); });
}

SEXP release_certificate_entry(SEXP pointer) {
  return entry(
      [&]() -> SEXP { return sexp_of(held<session::SessionRelease>(pointer).certificate_text()); });
}

SEXP release_audit_entry(SEXP pointer) {
  return entry(
      [&]() -> SEXP { return pointer_to(held<session::SessionRelease>(pointer).audit()); });
}

// `files`: a list of paths for the public, for the office, and of the certificate; any may be
// empty.
SEXP release_write_entry(SEXP pointer, SEXP files, SEXP options) {
  return entry([&]() -> SEXP {
    const cpp11::list named(files);
    const std::vector<std::string> certificates = texts_of(named[2]);
    ok_or_refuse(write_release(
        held<session::SessionRelease>(pointer),
        {texts_of(named[0]), texts_of(named[1]), certificates.empty() ? "" : certificates.front()},
        given_options(options)));
    return R_NilValue;
  });
}

}  // namespace lacuna::r

// SPDX-License-Identifier: Apache-2.0
// What goes wrong comes back as a status and an error, whatever it is.
#include "errors.h"

#include <lacuna.h>

#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "c/handles_of_tests.h"
#include "core/base/check.h"
#include "run.h"

namespace lacuna {
namespace {

TEST(CErrors, OfNullNothingIsSaid) {
  EXPECT_EQ(lacuna_error_status(nullptr), LACUNA_OK);
  EXPECT_STREQ(lacuna_error_code(nullptr), "");
  EXPECT_STREQ(lacuna_error_message(nullptr), "");
  EXPECT_STREQ(lacuna_error_message_in_full(nullptr), "");
  EXPECT_STREQ(lacuna_error_where(nullptr), "");
  EXPECT_STREQ(lacuna_error_path(nullptr), "");
}

TEST(CErrors, NullIsFreed) {
  lacuna_error_free(nullptr);
  lacuna_inputs_free(nullptr);
  lacuna_run_free(nullptr);
  lacuna_problem_free(nullptr);
  lacuna_release_free(nullptr);
  lacuna_audit_free(nullptr);
  lacuna_text_free(nullptr);
}

TEST(CErrors, NoHandleIsMisuse) {
  char* text = nullptr;
  const char* word = nullptr;
  lacuna_problem* problem = nullptr;
  lacuna_release* release = nullptr;
  lacuna_audit* audit = nullptr;
  ArrowArrayStream stream{};
  const lacuna_status all[] = {
      lacuna_inputs_new(nullptr, nullptr),
      lacuna_inputs_add_stream(nullptr, "a", &stream, nullptr),
      lacuna_inputs_add_text(nullptr, "a", "b", 1, nullptr),
      lacuna_run_new(nullptr, nullptr),
      lacuna_run_on_progress(nullptr, nullptr, nullptr, nullptr),
      lacuna_run_cancel(nullptr, nullptr),
      lacuna_spec_convert(nullptr, LACUNA_JSON, LACUNA_TOML, &text, nullptr),
      lacuna_spec_convert("{}", LACUNA_JSON, LACUNA_TOML, nullptr, nullptr),
      lacuna_options(nullptr, &text, nullptr),
      lacuna_problem_read(nullptr, nullptr, nullptr, &problem, nullptr),
      lacuna_problem_read("a.toml", nullptr, nullptr, nullptr, nullptr),
      lacuna_problem_read_spec(nullptr, LACUNA_JSON, "a", nullptr, nullptr, &problem, nullptr),
      lacuna_problem_read_spec("{}", LACUNA_JSON, nullptr, nullptr, nullptr, &problem, nullptr),
      lacuna_problem_read_spec("{}", 9, "a", nullptr, nullptr, &problem, nullptr),
      lacuna_problem_describe(nullptr, &text, nullptr),
      lacuna_problem_protect(nullptr, nullptr, nullptr, nullptr, &release, nullptr),
      lacuna_problem_audit(nullptr, nullptr, nullptr, nullptr, nullptr, &audit, nullptr),
      lacuna_problem_verify(nullptr, "c", nullptr, nullptr, nullptr, &word, nullptr),
      lacuna_release_verdict(nullptr, &word, nullptr),
      lacuna_release_summary(nullptr, &text, nullptr),
      lacuna_release_published(nullptr, -1, nullptr, &stream, nullptr),
      lacuna_release_published_file(nullptr, ".csv", nullptr, &text, nullptr, nullptr),
      lacuna_release_certificate(nullptr, &text, nullptr),
      lacuna_release_save(nullptr, "{}", nullptr),
      lacuna_release_report(nullptr, nullptr, nullptr, nullptr, &text, nullptr),
      lacuna_release_audit(nullptr, &audit, nullptr),
      lacuna_error_audit(nullptr, &audit, nullptr),
      lacuna_audit_verdict(nullptr, &word, nullptr),
      lacuna_audit_report(nullptr, &text, nullptr),
  };
  for (std::size_t i = 0; i < std::size(all); ++i)
    EXPECT_EQ(all[i], LACUNA_MISUSE) << i;
}

TEST(CErrors, AHandleOfAnotherTypeIsMisuse) {
  const Called<lacuna_inputs> inputs = call<lacuna_inputs>(lacuna_inputs_new);
  const auto* confused = reinterpret_cast<const lacuna_problem*>(inputs.value.get());
  const Called<lacuna_release> release = protect(confused);
  EXPECT_EQ(release.status, LACUNA_MISUSE);
  EXPECT_EQ(release.message(), "problem is a handle of another type");
  EXPECT_STREQ(lacuna_error_code(release.error.get()), "misuse");
}

TEST(CErrors, PlacesInASpecAreTold) {
  const Called<lacuna_problem> no_json = read_sizes(nullptr, "{\"input\": ");
  EXPECT_EQ(no_json.status, LACUNA_BAD_INPUT);
  EXPECT_EQ(std::string(lacuna_error_where(no_json.error.get())).rfind("sizes.json", 0), 0U);
  const Called<lacuna_problem> no_key = read_sizes(nullptr, "{\"inputs\": {}}");
  EXPECT_EQ(no_key.status, LACUNA_BAD_INPUT);
  EXPECT_NE(no_key.message().find("input"), std::string::npos);
  const Called<lacuna_problem> no_frame = read_sizes(nullptr);
  EXPECT_EQ(no_frame.status, LACUNA_BAD_INPUT);
  EXPECT_NE(no_frame.message().find("not among the inputs"), std::string::npos);
  const Called<lacuna_problem> no_option =
      read_sizes(inputs_with(sizes("u")).get(),
                 R"({"input": {"table": {"frame": "sizes"}}, "columns": {"value": "value"},
          "dimension": [{"name": "region"}], "options": {"metod": "round"}})");
  EXPECT_EQ(no_option.status, LACUNA_BAD_INPUT);
  EXPECT_NE(no_option.message().find("method"), std::string::npos);
}

TEST(CErrors, OptionsThatAreNoneAreRefused) {
  const Owned<lacuna_problem> problem = sizes_problem();
  for (const char* options : {R"({"metod": "round"})",
                              R"({"method": "rund"})",
                              R"({"base": {"of": 5}})",
                              R"(["round"])",
                              R"({"public": "there.csv"})",
                              R"({"time-limit": -1})"}) {
    const Called<lacuna_release> release = protect(problem.get(), options);
    EXPECT_EQ(release.status, LACUNA_BAD_OPTION) << options << release.message();
  }
  EXPECT_EQ(protect(problem.get(), "{").status, LACUNA_BAD_INPUT);
  EXPECT_EQ(protect(problem.get(), "\xff").status, LACUNA_MISUSE);
}

// The table does not add up, by numbers that only the office may read.
TEST(CErrors, MessagesHoldNoConfidentialNumber) {
  const Called<lacuna_problem> read = read_sizes(inputs_with(sizes("u", "17")).get());
  EXPECT_EQ(read.status, LACUNA_NOT_ADDITIVE);
  EXPECT_EQ(read.message().find("off by 7"), std::string::npos) << read.message();
  const std::string in_full = lacuna_error_message_in_full(read.error.get());
  EXPECT_NE(in_full.find("off by 7"), std::string::npos) << in_full;
}

// Records of counts: a count that is shown as 0 is known to be small.
Owned<lacuna_problem> halves() {
  columns::OutputTable records;
  records.columns.resize(2);
  records.columns[0].name = "r";
  records.columns[0].texts = {"a", "b"};
  records.columns[1].name = "n";
  records.columns[1].texts = {"1", "20"};
  Called<lacuna_problem> read =
      read_sizes(inputs_with(records).get(),
                 R"({"input": {"records": {"frame": "sizes"}}, "columns": {"frequency": "n"},
          "dimension": [{"name": "r", "total": "T"}], "counts": {"threshold": 7}})");
  EXPECT_EQ(read.status, LACUNA_OK) << read.message();
  return std::move(read.value);
}

TEST(CErrors, WhatIsExposedIsNoRelease) {
  const Called<lacuna_release> release =
      protect(halves().get(), R"({"method": "round", "midpoint": true, "base": 6})");
  EXPECT_EQ(release.status, LACUNA_REFUSED) << release.message();
  EXPECT_STREQ(lacuna_error_code(release.error.get()), "refused");
  EXPECT_NE(release.message().find("nothing is released"), std::string::npos);
  const Called<lacuna_audit> audit = call<lacuna_audit>(lacuna_error_audit, release.error.get());
  ASSERT_EQ(audit.status, LACUNA_OK);
  const char* verdict = nullptr;
  EXPECT_EQ(lacuna_audit_verdict(audit.value.get(), &verdict, nullptr), LACUNA_OK);
  EXPECT_STREQ(verdict, "exposed");
  const Called<lacuna_release> misspelt = protect(sizes_problem().get(), R"({"metod": 1})");
  EXPECT_EQ(call<lacuna_audit>(lacuna_error_audit, misspelt.error.get()).status, LACUNA_MISUSE);
}

TEST(CErrors, AStreamIsTakenOverEvenInVain) {
  const Called<lacuna_inputs> inputs = call<lacuna_inputs>(lacuna_inputs_new);
  for (const char* name : {static_cast<const char*>(nullptr), "", "\xff"}) {
    ArrowArrayStream stream;
    columns::export_stream(sizes("u"), stream);
    EXPECT_EQ(lacuna_inputs_add_stream(inputs.value.get(), name, &stream, nullptr), LACUNA_MISUSE);
    EXPECT_EQ(stream.release, nullptr);
    EXPECT_EQ(lacuna_inputs_add_stream(inputs.value.get(), "a", &stream, nullptr), LACUNA_MISUSE);
  }
  EXPECT_EQ(lacuna_inputs_add_text(inputs.value.get(), "a", "1", 1, nullptr), LACUNA_OK);
  EXPECT_EQ(lacuna_inputs_add_text(inputs.value.get(), "a", "1", 1, nullptr), LACUNA_MISUSE);
}

// ---- exceptions

template <class Thrown>
Owned<lacuna_error> error_of(const Thrown& thrown) {
  lacuna_error* error = nullptr;
  EXPECT_EQ(c::guarded(&error, [&] { throw thrown; }), LACUNA_INTERNAL);
  EXPECT_EQ(c::guarded(nullptr, [&] { throw thrown; }), LACUNA_INTERNAL);
  return Owned<lacuna_error>(error);
}

TEST(CErrors, NoExceptionGetsOut) {
  EXPECT_STREQ(lacuna_error_code(error_of(std::bad_alloc()).get()), "no-memory");
  EXPECT_STREQ(lacuna_error_message(error_of(base::InternalError("a check failed")).get()),
               "a check failed");
  const Owned<lacuna_error> other = error_of(std::runtime_error("cell 4711"));
  EXPECT_EQ(std::string(lacuna_error_message(other.get())).find("4711"), std::string::npos);
  EXPECT_NE(std::string(lacuna_error_message_in_full(other.get())).find("4711"), std::string::npos);
  EXPECT_STREQ(lacuna_error_code(error_of(7).get()), "internal");
}

TEST(CErrors, NorOneOfTheThreadOfARun) {
  const lacuna_status status = c::guarded(nullptr, [] {
    c::wait_for<int>(
        nullptr, {}, [](const RunContext&) -> Result<int> { throw base::InternalError("there"); });
  });
  EXPECT_EQ(status, LACUNA_INTERNAL);
}

// ---- runs

Result<int> until_stopped(const RunContext& run) {
  while (!run.stop.stop_requested()) {
    if (run.on_progress)
      run.on_progress({.phase = "search"});
    std::this_thread::yield();
  }
  return Error{ErrorCode::kDamaged, "stopped", ""};
}

TEST(CErrors, ARunIsCancelledFromElsewhere) {
  const Called<lacuna_run> run = call<lacuna_run>(lacuna_run_new);
  std::thread other([&] { EXPECT_EQ(lacuna_run_cancel(run.value.get(), nullptr), LACUNA_OK); });
  lacuna_error* error = nullptr;
  const lacuna_status status =
      c::guarded(&error, [&] { c::wait_for<int>(run.value.get(), {}, until_stopped); });
  other.join();
  EXPECT_EQ(status, LACUNA_CANCELLED);
  EXPECT_STREQ(lacuna_error_code(error), "cancelled");
  lacuna_error_free(error);
}

TEST(CErrors, ARunIsCancelledByItsListener) {
  const Called<lacuna_run> run = call<lacuna_run>(lacuna_run_new);
  struct Heard {
    std::string phase;
    std::thread::id thread;
  } heard;
  const auto listen = [](const lacuna_progress* progress, void* user) {
    EXPECT_EQ(progress->size, sizeof(lacuna_progress));
    *static_cast<Heard*>(user) = {progress->phase, std::this_thread::get_id()};
    return 1;
  };
  ASSERT_EQ(lacuna_run_on_progress(run.value.get(), listen, &heard, nullptr), LACUNA_OK);
  const lacuna_status status =
      c::guarded(nullptr, [&] { c::wait_for<int>(run.value.get(), {}, until_stopped); });
  EXPECT_EQ(status, LACUNA_CANCELLED);
  EXPECT_EQ(heard.phase, "search");
  EXPECT_EQ(heard.thread, std::this_thread::get_id());
}

}  // namespace
}  // namespace lacuna

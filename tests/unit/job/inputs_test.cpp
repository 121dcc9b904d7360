// SPDX-License-Identifier: Apache-2.0
// What is held in memory takes the place of files, for every reader of a job.
#include "job/inputs.h"

#include <gtest/gtest.h>

#include "columns/arrow_c_reader.h"
#include "columns/arrow_c_writer.h"
#include "io/certificate.h"
#include "job/load.h"
#include "job/made.h"

namespace lacuna {
namespace {

OutputColumn text_column(std::string name, std::vector<std::string> texts) {
  OutputColumn column;
  column.name = std::move(name);
  column.texts = std::move(texts);
  return column;
}

OutputColumn number_column(std::string name, std::vector<Units> numbers) {
  OutputColumn column;
  column.name = std::move(name);
  column.kind = OutputKind::kNumber;
  column.numbers = std::move(numbers);
  return column;
}

Inputs::OpenColumns opener(const OutputTable& table) {
  return [table]() {
    ArrowArrayStream stream{};
    export_stream(table, stream);
    return columns_of_stream(stream);
  };
}

// Two regions by two sizes with their totals; the cell N|a is sensitive.
OutputTable sales() {
  return {{text_column("region", {"N", "N", "N", "S", "S", "S", "All", "All", "All"}),
           text_column("size", {"a", "b", "All", "a", "b", "All", "a", "b", "All"}),
           number_column("value", {10, 20, 30, 30, 40, 70, 40, 60, 100}),
           text_column("status", {"u", "s", "s", "s", "s", "s", "s", "s", "s"})},
          {}};
}

constexpr const char* kTableJob = R"([input]
table = "memory:/sales.arrow"
[columns]
value = "value"
status = "status"
[[dimension]]
name = "region"
total = "All"
[[dimension]]
name = "size"
total = "All"
)";

Inputs sales_in_memory() {
  Inputs inputs;
  inputs.texts["memory:/job.toml"] = kTableJob;
  inputs.frames["memory:/sales.arrow"] = opener(sales());
  return inputs;
}

TEST(Inputs, TablesAreRead) {
  const auto loaded = load_tables("memory:/job.toml", {}, sales_in_memory());
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_EQ(loaded->problem.table().num_cells(), 9);
  EXPECT_EQ(loaded->problem.as_read().requirements().size(), 1U);
}

TEST(Inputs, PlacesOfAFrameAreRowsAndColumns) {
  OutputTable table = sales();
  table.columns[3].texts[4] = "perhaps";
  Inputs inputs = sales_in_memory();
  inputs.frames["memory:/sales.arrow"] = opener(table);
  const auto loaded = load_tables("memory:/job.toml", {}, inputs);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().where, "memory:/sales.arrow, row 5, column status");
}

TEST(Inputs, RecordsAreTabulated) {
  Inputs inputs;
  inputs.texts["memory:/job.toml"] = R"([input]
records = "memory:/firms.arrow"
[columns]
value = "value"
[[dimension]]
name = "region"
parents = "memory:/regions.csv"
[[rule]]
type = "frequency"
n = 2
)";
  inputs.texts["memory:/regions.csv"] = "code;parent\nN;Total\nS;Total\n";
  inputs.frames["memory:/firms.arrow"] =
      opener({{text_column("region", {"N", "N", "S"}), number_column("value", {1, 2, 5})}, {}});
  const auto tables = load_records("memory:/job.toml", {}, inputs);
  ASSERT_TRUE(tables) << tables.error().text();
  EXPECT_EQ(tables->problem.table().num_cells(), 3);
  EXPECT_EQ(tables->report.sensitive, 1);
  inputs.texts["memory:/job.toml"] = kTableJob;
  const auto wrong = load_records("memory:/job.toml", {}, inputs);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().where, "memory:/job.toml");
}

// A problem that has been read once is protected, audited, verified and reported without a file.
TEST(Inputs, ProblemsAreUsedByEveryJob) {
  const auto loaded = load_tables("memory:/job.toml", {}, sales_in_memory());
  ASSERT_TRUE(loaded) << loaded.error().text();
  ProtectJob protect;
  protect.input = "memory:/sales";
  protect.inputs.problems["memory:/sales"] = std::make_shared<const LoadedProblem>(*loaded);
  const auto made = make_release(protect, {});
  ASSERT_TRUE(made) << made.error().text();
  ASSERT_TRUE(made->judgement.judged);
  const AuditedRelease& release = made->judgement.judged->release;

  AuditJob audit;
  audit.input = protect.input;
  audit.inputs = protect.inputs;
  audit.inputs.texts["memory:/release.json"] =
      release_text(release, made->judgement.judged->summary);
  audit.pattern = "memory:/release.json";
  const auto audited = make_audit(audit, {});
  ASSERT_TRUE(audited) << audited.error().text();
  EXPECT_EQ(audited->report.verdict, Verdict::kProtected);
  EXPECT_TRUE(same_release(release.problem().table(), audited->draft, release.content()));
  audit.pattern.clear();
  EXPECT_EQ(make_audit(audit, {})->report.verdict, Verdict::kExposed);

  VerifyJob verify;
  verify.input = protect.input;
  verify.inputs = audit.inputs;
  verify.inputs.texts["memory:/certificate.json"] =
      write_certificate(*made->table.given, release.content(), release.report());
  verify.certificate = "memory:/certificate.json";
  verify.pattern = "memory:/release.json";
  const auto verified = make_verification(verify, {});
  ASSERT_TRUE(verified) << verified.error().text();
  EXPECT_EQ(verified->verdict, Verdict::kProtected);

  ReportJob report;
  report.input = protect.input;
  report.inputs = audit.inputs;
  report.result = "memory:/release.json";
  const auto page = make_report(report, {});
  ASSERT_TRUE(page) << page.error().text();
  EXPECT_NE(page->html.find("<html"), std::string::npos);
  EXPECT_EQ(page->html.find("memory:/"), std::string::npos);
}

// What readers have already may be a frame, read more than once.
TEST(Inputs, EarlierReleasesMayBeFrames) {
  OutputTable published = sales();
  published.columns.pop_back();
  ProtectJob protect;
  protect.input = "memory:/job.toml";
  protect.inputs = sales_in_memory();
  protect.inputs.frames["memory:/before.arrow"] = opener(published);
  protect.asked.released = {"memory:/before.arrow"};
  const auto made = make_release(protect, {});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_FALSE(made->judgement.judged);
  EXPECT_EQ(made->judgement.refusal.code, ExitCode::kNotProtected);
}

}  // namespace
}  // namespace lacuna

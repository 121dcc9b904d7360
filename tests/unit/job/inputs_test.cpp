// SPDX-License-Identifier: Apache-2.0
// What is held in memory takes the place of files, for every reader of a job.
#include "app/load/inputs.h"

#include <gtest/gtest.h>

#include "app/job/outcomes.h"
#include "app/load/load.h"
#include "data/certificate/certificate.h"
#include "data/columns/arrow_c_reader.h"
#include "data/columns/arrow_c_writer.h"

namespace lacuna::job {
namespace {

columns::OutputColumn text_column(std::string name, std::vector<std::string> texts) {
  columns::OutputColumn column;
  column.name = std::move(name);
  column.texts = std::move(texts);
  return column;
}

columns::OutputColumn number_column(std::string name, std::vector<Units> numbers) {
  columns::OutputColumn column;
  column.name = std::move(name);
  column.kind = columns::OutputKind::kNumber;
  column.numbers = std::move(numbers);
  return column;
}

load::Inputs::OpenColumns opener(const columns::OutputTable& table) {
  return [table]() {
    ArrowArrayStream stream{};
    columns::export_stream(table, stream);
    return columns::columns_of_stream(stream);
  };
}

// Two regions by two sizes with their totals; the cell N|a is sensitive.
columns::OutputTable sales() {
  return {{text_column("region", {"N", "N", "N", "S", "S", "S", "All", "All", "All"}),
           text_column("size", {"a", "b", "All", "a", "b", "All", "a", "b", "All"}),
           number_column("value", {10, 20, 30, 30, 40, 70, 40, 60, 100}),
           text_column("status", {"u", "s", "s", "s", "s", "s", "s", "s", "s"})},
          {}};
}

constexpr const char* kTableJob = R"([input]
table = { frame = "sales" }
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

load::Inputs sales_in_memory() {
  load::Inputs inputs;
  inputs.texts["job.toml"] = kTableJob;
  inputs.frames["sales"] = opener(sales());
  return inputs;
}

TEST(Inputs, TablesAreRead) {
  const auto loaded = load::load_tables("job.toml", {}, sales_in_memory());
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_EQ(loaded->problem.table().num_cells(), 9);
  EXPECT_EQ(loaded->problem.as_read().requirements().size(), 1U);
}

TEST(Inputs, PlacesOfAFrameAreRowsAndColumns) {
  columns::OutputTable table = sales();
  table.columns[3].texts[4] = "perhaps";
  load::Inputs inputs = sales_in_memory();
  inputs.frames["sales"] = opener(table);
  const auto loaded = load::load_tables("job.toml", {}, inputs);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().where, "row 5, column status");
}

// Of several frames each place says which; a frame that nobody holds is no file.
TEST(Inputs, FramesAreToldApart) {
  const std::string one = "{ frame = \"sales\" }";
  std::string job = kTableJob;
  job.replace(job.find(one), one.size(), "[{ frame = \"sales\" }, { frame = \"again\" }]");
  columns::OutputTable table = sales();
  table.columns[3].texts[4] = "perhaps";
  load::Inputs inputs = sales_in_memory();
  inputs.texts["job.toml"] = job;
  const auto missing = load::load_tables("job.toml", {}, inputs);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().text(),
            "job.toml:2:9: no data frame 'again' was passed; name a file instead");
  inputs.frames["again"] = opener(table);
  const auto wrong = load::load_tables("job.toml", {}, inputs);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().where, "again, row 5, column status");
}

TEST(Inputs, PlacesInWhatIsHeldAreInTheTermsOfItsHolder) {
  load::Inputs inputs;
  inputs.frames["cells"] = opener(sales());
  inputs.texts["release"] = "1\n99\n";
  inputs.texts["kept"] = "{}";
  const auto where = [&](const std::string& name, const std::string& place) {
    return inputs.placed({ErrorCode::kBadField, "no", place}, name).where;
  };
  EXPECT_EQ(where("cells", "cells:18:2"), "cells, row 17");
  EXPECT_EQ(where("cells", "cells:1:1"), "cells, names of columns");
  EXPECT_EQ(where("release", "release:2:1"), "release, number 2");
  EXPECT_EQ(where("kept", "kept:1:2"), "kept:1:2");
  EXPECT_EQ(where("a.csv", "a.csv:18:2"), "a.csv:18:2");
}

TEST(Inputs, RecordsAreTabulated) {
  load::Inputs inputs;
  inputs.texts["job.toml"] = R"([input]
records = { frame = "firms" }
[columns]
value = "value"
[[dimension]]
name = "region"
parents = "regions.csv"
[[rule]]
type = "frequency"
n = 2
)";
  inputs.texts["regions.csv"] = "code;parent\nN;Total\nS;Total\n";
  inputs.frames["firms"] =
      opener({{text_column("region", {"N", "N", "S"}), number_column("value", {1, 2, 5})}, {}});
  const auto tables = load::load_records("job.toml", {}, inputs);
  ASSERT_TRUE(tables) << tables.error().text();
  EXPECT_EQ(tables->problem.table().num_cells(), 3);
  EXPECT_EQ(tables->report.sensitive, 1);
  inputs.texts["job.toml"] = kTableJob;
  const auto wrong = load::load_records("job.toml", {}, inputs);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().where, "job.toml:2:9");
}

// A problem that has been read once is protected, audited, verified and reported without a file.
TEST(Inputs, ProblemsAreUsedByEveryJob) {
  const auto loaded = load::load_tables("job.toml", {}, sales_in_memory());
  ASSERT_TRUE(loaded) << loaded.error().text();
  ProtectJob protect;
  protect.input = "sales";
  protect.inputs.problems["sales"] = std::make_shared<const load::LoadedProblem>(*loaded);
  const auto made = run_protect(protect, {});
  ASSERT_TRUE(made) << made.error().text();
  ASSERT_TRUE(made->decision.passed);
  const AuditedRelease& release = made->decision.passed->release;

  AuditJob audit;
  audit.input = protect.input;
  audit.inputs = protect.inputs;
  audit.inputs.texts["release.json"] =
      publish::release_text(release, made->decision.passed->summary);
  audit.pattern = "release.json";
  const auto audited = run_audit(audit, {});
  ASSERT_TRUE(audited) << audited.error().text();
  EXPECT_EQ(audited->report.verdict, Verdict::kProtected);
  EXPECT_TRUE(same_release(release.problem().table(), audited->draft, release.content()));
  audit.pattern.clear();
  EXPECT_EQ(run_audit(audit, {})->report.verdict, Verdict::kExposed);

  VerifyJob verify;
  verify.input = protect.input;
  verify.inputs = audit.inputs;
  verify.inputs.texts["certificate.json"] =
      certificate::write_certificate(*made->table.given, release.content(), release.report());
  verify.certificate = "certificate.json";
  verify.pattern = "release.json";
  const auto verified = run_verify(verify, {});
  ASSERT_TRUE(verified) << verified.error().text();
  EXPECT_EQ(verified->verdict, Verdict::kProtected);

  ReportJob report;
  report.input = protect.input;
  report.inputs = audit.inputs;
  report.result = "release.json";
  const auto page = run_report(report, {});
  ASSERT_TRUE(page) << page.error().text();
  EXPECT_NE(page->html.find("<html"), std::string::npos);
  EXPECT_EQ(page->html.find("release.json"), std::string::npos);
}

// What readers have already may be a frame, read more than once.
TEST(Inputs, EarlierReleasesMayBeFrames) {
  columns::OutputTable published = sales();
  published.columns.pop_back();
  ProtectJob protect;
  protect.input = "job.toml";
  protect.inputs = sales_in_memory();
  protect.inputs.frames["before"] = opener(published);
  protect.asked.released = {"before"};
  const auto made = run_protect(protect, {});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_FALSE(made->decision.passed);
  EXPECT_EQ(made->decision.refusal.code, ExitCode::kNotProtected);
}

}  // namespace
}  // namespace lacuna::job

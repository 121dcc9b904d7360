// SPDX-License-Identifier: Apache-2.0
// Codes of errors that the command line does not give, or not on an ordinary day (docs/errors.md);
// tests/cli/errors.cases has the others.
#include <gtest/gtest.h>

#include <set>

#include "app/job/protect_outputs.h"
#include "app/load/inputs.h"
#include "core/base/confidential.h"
#include "data/files/confinement.h"
#include "data/sensitivity/attacker_reach.h"
#include "lacuna/audit.h"
#include "lacuna/protect.h"
#include "lacuna/report.h"

namespace lacuna::job {
namespace {

// 10 = 7 + 3; the last is sensitive.
std::shared_ptr<const Problem> small() {
  TableBuilder builder(0, {});
  for (const Units value : {10, 7, 3}) {
    Cell cell{.value = value};
    cell.prior.lower = 0;
    cell.status = value == 3 ? CellStatus::kPrimary : CellStatus::kFree;
    EXPECT_TRUE(builder.add_cell(cell));
  }
  EXPECT_TRUE(
      builder.add_equation(std::vector<Term>{{CellId{0}, -1}, {CellId{1}, 1}, {CellId{2}, 1}}));
  return std::make_shared<const Problem>(
      make_problem(*std::move(builder).build(), {outsider()}, {}).value());
}

void expect_error(const Error& error, const char* code, const std::string& message) {
  EXPECT_EQ(info_of(error.code).name, code);
  EXPECT_EQ(base::in_full(error.message).substr(0, message.size()), message);
}

TEST(ErrorCodes, NamesAreDifferent) {
  std::set<std::string_view> names;
  for (const ErrorInfo& info : error_codes())
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
}

TEST(ErrorCodes, PartsOfASentenceKnowWhoMayReadThem) {
  const Error error{
      ErrorCode::kLevelMisfit, "the level " + base::confidential("40") + " is too large", ""};
  const auto parts = error.parts();
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_FALSE(parts[0].confidential);
  EXPECT_TRUE(parts[1].confidential);
  EXPECT_EQ(parts[1].text, "40");
  EXPECT_EQ(error.kind(), ErrorKind::kInput);
}

TEST(ErrorCodes, OutOfReach) {
  const files::Confinement confined({.read_below = {"/usr/include"}});
  const Status read = files::check_readable("/usr/bin");
  ASSERT_FALSE(read);
  expect_error(
      read.error(), "out-of-reach", "this file is outside the folder whose files may be read");
}

TEST(ErrorCodes, TooLarge) {
  TextGridOptions options;
  options.most = 2;
  const auto grid = text_grid(small()->table(), {}, options);
  ASSERT_FALSE(grid);
  expect_error(
      grid.error(), "too-large", "the table has 3 cells, more than the 2 that are shown as text");
}

TEST(ErrorCodes, WrongEvidence) {
  const auto problem = small();
  const auto found = confirm(*problem, Draft::withholding_primaries(problem->table()), {});
  ASSERT_FALSE(found);
  expect_error(found.error(), "wrong-evidence", "the evidence covers 0 requirements of 1");
}

TEST(ErrorCodes, NotProtected) {
  const auto problem = small();
  const auto release =
      Auditor(problem).release(Draft::withholding_primaries(problem->table()), {}, {});
  ASSERT_FALSE(release);
  expect_error(release.error(), "not-protected", "");
  EXPECT_NE(release.error().message.find("exposed"), std::string::npos) << release.error().text();
}

TEST(ErrorCodes, Stopped) {
  const auto decided = decide_release(small(), {}, {}, {});
  ASSERT_FALSE(decided);
  expect_error(decided.error(), "stopped", "there is no complete draft to be audited");
}

TEST(ErrorCodes, NoMemory) {
  expect_error(
      sensitivity::out_of_memory(), "no-memory", "there is not enough memory for this run");
}

TEST(ErrorCodes, NothingAsked) {
  const auto problem = small();
  Problem nothing = *problem;
  nothing.drop_requirements([](const Requirement&) { return true; });
  const auto release = Auditor(std::make_shared<const Problem>(nothing)).release({}, {}, {});
  ASSERT_TRUE(release) << release.error().text();
  ProtectJob job;
  job.public_files = {"out.csv"};
  const auto bytes = public_bytes(job, {"out.csv", {}}, *release, {}, {});
  ASSERT_FALSE(bytes);
  expect_error(bytes.error(),
               "nothing-asked",
               "out.csv: not written, because nothing was asked of the release");
}

}  // namespace
}  // namespace lacuna::job

// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/cell_json.h"

#include <gmock/gmock.h>

namespace lacuna::serve {
namespace {

// North 5, East 3, South 2; South is sensitive.
Problem regions() {
  std::vector<Dimension> dimensions{
      *Dimension::build("region", {"All", "North", "East", "South"}, {{0, {1, 2, 3}}})};
  TableBuilder builder(0, dimensions);
  std::int32_t code = 0;
  for (const Units value : {10, 5, 3, 2}) {
    Cell cell;
    cell.value = value;
    if (code == 3)
      cell.status = CellStatus::kPrimary;
    const std::vector<std::int32_t> codes{code++};
    EXPECT_TRUE(builder.add_cell(cell, codes));
  }
  const std::vector<Term> terms{{CellId{0}, -1}, {CellId{1}, 1}, {CellId{2}, 1}, {CellId{3}, 1}};
  EXPECT_TRUE(builder.add_equation(terms));
  return *make_problem(*std::move(builder).build(), {outsider()}, {});
}

AuditReport audited(const Problem& problem, const Draft& draft) {
  const Auditor auditor(std::make_shared<const Problem>(problem));
  AuditOptions options;
  options.all_withheld = true;
  return *auditor.audit(draft, options, {});
}

TEST(CellJson, TellsHowACellIsGivenAway) {
  const Problem problem = regions();
  const Draft draft = Draft::withholding_primaries(problem.table());
  const AuditReport report = audited(problem, draft);
  ASSERT_EQ(report.verdict, Verdict::kExposed);
  const Json exposed = exposed_json(problem, draft, report);
  ASSERT_EQ(exposed.size(), 1U);
  EXPECT_EQ(exposed[0]["label"], "South");
  const auto steps = exposed[0]["steps"].get<std::vector<std::string>>();
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0], "Total = North + East + South");
  EXPECT_EQ(steps[1], "South = Total − North − East = 10 − 5 − 3 = 2");
}

TEST(CellJson, TellsWhoNeedsASecondary) {
  const Problem problem = regions();
  Draft draft = Draft::withholding_primaries(problem.table());
  draft.withhold(CellId{1});
  const AuditReport report = audited(problem, draft);
  ASSERT_EQ(report.verdict, Verdict::kProtected);
  EXPECT_TRUE(exposed_json(problem, draft, report).empty());
  const Json north = release_json(problem, draft, report, CellId{1});
  EXPECT_EQ(north["state"], "withheld");
  EXPECT_EQ(north["published"], "");
  ASSERT_EQ(north["needed_by"].size(), 1U);
  EXPECT_EQ(north["needed_by"][0]["label"], "South");
  EXPECT_EQ(north["range"]["low"], "0");
  EXPECT_EQ(north["range"]["high"], "7");
  const Json south = release_json(problem, draft, report, CellId{3});
  EXPECT_EQ(south["findings"][0]["verdict"], "protected");
  EXPECT_EQ(release_json(problem, draft, report, CellId{2})["published"], "3");
}

TEST(CellJson, TellsLevelsAndEquations) {
  load::LoadedProblem loaded;
  loaded.problem = regions();
  session::SessionProblem held;
  held.loaded = std::make_shared<const load::LoadedProblem>(loaded);
  const Json cell = cell_json(loaded.problem.as_read(), loaded.reasons, held, CellId{3});
  EXPECT_EQ(cell["value"], "2");
  EXPECT_EQ(cell["status"], "sensitive");
  EXPECT_EQ(cell["levels"].size(), 1U);
  EXPECT_EQ(cell["equations"][0]["text"], "Total = North + East + South");
  EXPECT_TRUE(cell["shares"].is_null());
}

}  // namespace
}  // namespace lacuna::serve

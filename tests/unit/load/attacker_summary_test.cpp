// SPDX-License-Identifier: Apache-2.0
#include "app/load/attacker_summary.h"

#include <gtest/gtest.h>

#include "support/tables.h"

namespace lacuna::load {
namespace {

std::shared_ptr<const Problem> table_within(Bounds prior, std::vector<Attacker> attackers = {}) {
  return testing::problem_of(
      testing::two_way({{10, 20, 30}, {30, 40, 70}, {40, 60, 100}}, prior, 0, {0}),
      {{.cell = CellId{0}}},
      std::move(attackers));
}

std::string text(Bounds prior, std::vector<Attacker> attackers = {}) {
  return summarize_attackers(*table_within(prior, std::move(attackers)), {}).text();
}

TEST(AttackerSummary, SaysWhatEveryoneKnows) {
  EXPECT_EQ(text({0, kUnboundedAbove}), "outsider; everyone knows values >= 0");
  EXPECT_EQ(text({}), "outsider; everyone knows no bounds of the values");
  EXPECT_EQ(text({0, 500}),
            "outsider; everyone knows values >= 0 and upper bounds of 9 of 9 cells");
  EXPECT_EQ(text({-5, 500}), "outsider; everyone knows bounds of 9 of 9 cells (9 lower, 9 upper)");
}

TEST(AttackerSummary, CountsTheAttackersOfAFile) {
  const std::vector<Attacker> attackers{outsider(),
                                        {"a", {{CellId{0}, {5, 15}}, {CellId{1}, {}}}},
                                        {"b", {{CellId{0}, {1, kUnboundedAbove}}}}};
  EXPECT_EQ(text({}, attackers),
            "outsider; 2 attackers of the file, knowing bounds of 3 cells; everyone knows no "
            "bounds of the values");
  EXPECT_EQ(summarize_attackers(*table_within({}, attackers), {}).json(),
            "{\"count\":3,\"kinds\":{\"outsider\":1,\"named\":2},\"known_bounds\":3,"
            "\"everyone\":\"no bounds of the values\"}");
}

TEST(AttackerSummary, SaysWhatRespondentsKnow) {
  AttackerCounts counts;
  counts.respondents = 41;
  counts.coalitions = 3;
  counts.largest_coalition = 2;
  counts.all_cells = true;
  const auto problem = table_within({0, kUnboundedAbove});
  EXPECT_EQ(summarize_attackers(*problem, counts).text(),
            "outsider; 41 respondents, each knowing its contributions to all cells; 3 coalitions "
            "of 2; everyone knows values >= 0");
  EXPECT_EQ(summarize_attackers(*problem, counts).count(), 45);
  counts.all_cells = false;
  counts.anonymous = 40;
  counts.largest_coalition = 3;
  EXPECT_EQ(summarize_attackers(*problem, counts).text(),
            "outsider; 1 respondent knowing its contributions to sensitive cells only; 40 "
            "anonymous contributors, each knowing its contribution to one cell; 3 coalitions of "
            "up to 3; everyone knows values >= 0");
}

}  // namespace
}  // namespace lacuna::load

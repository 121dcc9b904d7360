// SPDX-License-Identifier: Apache-2.0
// Questions about counts against all whole-number tables: random tables of one to three dimensions,
// flat, with trees or two groupings, with insiders and every meaning of withheld cells.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "data/certificate/certificate.h"
#include "lacuna/audit.h"
#include "support/drawn_counts.h"

namespace lacuna {
namespace {

using namespace testing::drawn_counts;

class CountAudit : public ::testing::TestWithParam<std::uint64_t> {};

// Each parameter stands for 50 tables.
TEST_P(CountAudit, AgreesWithAllTables) {
  std::map<CountKind, std::set<bool>> seen;
  for (std::uint64_t i = 0; i < 50; ++i) {
    base::Random random(GetParam() * 1000 + i);
    const Drawn drawn = draw(random);
    const Draft draft = draw_draft(drawn, random);
    const auto problem = std::make_shared<const Problem>(drawn.problem);
    AuditOptions options;
    options.intervals = below(random, 2) == 0;
    options.values = below(random, 2) == 0;
    RunContext run;
    run.threads = static_cast<int>(1 + below(random, 3));
    const auto report = Auditor(problem).audit(draft, options, run);
    ASSERT_TRUE(report) << report.error().text();
    std::vector<Enumeration> tables;
    for (const Attacker& attacker : drawn.problem.attackers())
      tables.emplace_back(drawn, draft, attacker);
    for (const Finding& finding : report->of(Domain::kInteger)) {
      const Question& question = finding.question;
      const auto values = tables[static_cast<std::size_t>(question.attacker)].values(question.form);
      const bool safe = is_protected(drawn, draft, question, values);
      const auto kind = enum_names(question.kind)[static_cast<std::size_t>(question.kind)];
      EXPECT_EQ(finding.verdict, safe ? Verdict::kProtected : Verdict::kExposed)
          << "seed " << GetParam() << " table " << i << " kind " << kind << " "
          << drawn.problem.table().label(question.cell) << ": " << finding.reason;
      if (options.values && values.size() < 20) {
        EXPECT_EQ(finding.values, std::vector<Units>(values.begin(), values.end()))
            << "seed " << GetParam() << " table " << i;
      }
      seen[question.kind].insert(safe);
    }
    const auto again = confirm(*problem, draft, *report);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->verdict, report->verdict);
    const auto read = certificate::read_certificate(
        certificate::write_certificate(*problem, draft, *report), "c", *problem);
    ASSERT_TRUE(read) << read.error().text();
    const auto reread = confirm(*problem, read->draft, read->claimed);
    ASSERT_TRUE(reread) << reread.error().text();
    ASSERT_EQ(reread->of(Domain::kInteger).size(), report->of(Domain::kInteger).size());
    for (std::size_t f = 0; f < reread->of(Domain::kInteger).size(); ++f)
      EXPECT_EQ(reread->of(Domain::kInteger)[f].verdict, report->of(Domain::kInteger)[f].verdict);
  }
  EXPECT_EQ(seen[CountKind::kExact].size(), 2U);
  EXPECT_EQ(seen[CountKind::kAll].size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CountAudit, ::testing::Range(std::uint64_t{1}, std::uint64_t{13}));

}  // namespace
}  // namespace lacuna

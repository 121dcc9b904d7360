// SPDX-License-Identifier: Apache-2.0
// An audit of nothing is no assurance, and a waiver is none either: verdicts of audits, of releases
// and of certificates that are read again.
#include <gtest/gtest.h>

#include "app/generate/generate.h"
#include "data/certificate/certificate.h"
#include "data/problems/problem_json.h"
#include "lacuna/audit.h"
#include "support/random_draft.h"
#include "support/tables.h"

namespace lacuna::audit {
namespace {

using testing::audit;
using testing::problem_of;
using testing::random_draft;
using testing::two_way;
using testing::withholding;

using Shared = std::shared_ptr<const Problem>;

Shared square(std::vector<Requirement> needs, Waiver waiver = Waiver::kNothing) {
  Problem problem = *problem_of(
      two_way({{10, 20, 30}, {30, 40, 70}, {40, 60, 100}}, {0, kUnboundedAbove}, 0, {}), needs);
  problem.set_waiver(waiver);
  return std::make_shared<const Problem>(std::move(problem));
}

const Requirement kNeed{.cell = CellId{0}, .attacker = 0, .lower = 4, .upper = 4};
const Requirement kOther{.cell = CellId{4}, .attacker = 0, .lower = 4, .upper = 4};

TEST(Unasked, WordsAreReadBack) {
  for (const Verdict verdict : {Verdict::kProtected,
                                Verdict::kExposed,
                                Verdict::kUndecided,
                                Verdict::kWaived,
                                Verdict::kUnasked})
    EXPECT_EQ(find_verdict(to_string(verdict)), verdict);
  EXPECT_EQ(find_verdict("safe"), std::nullopt);
}

TEST(Unasked, TheWorseOfTwo) {
  EXPECT_EQ(worse(Verdict::kUndecided, Verdict::kExposed), Verdict::kExposed);
  EXPECT_EQ(worse(Verdict::kWaived, Verdict::kUndecided), Verdict::kUndecided);
  EXPECT_EQ(worse(Verdict::kProtected, Verdict::kWaived), Verdict::kWaived);
  EXPECT_EQ(worse(Verdict::kUnasked, Verdict::kProtected), Verdict::kProtected);
  EXPECT_FALSE(passes(Verdict::kExposed) || passes(Verdict::kUndecided));
  EXPECT_TRUE(passes(Verdict::kProtected) && passes(Verdict::kWaived));
}

// Whatever is released of whatever table: where nothing is asked, nothing is called protected, by
// the audit, by the release, or by its certificate.
TEST(Unasked, NothingIsCalledProtectedWithoutAQuestion) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto made = generation::generate_small(seed);
    ASSERT_TRUE(made);
    Problem bare = *std::move(made);
    bare.drop_requirements([](const Requirement&) { return true; });
    bare.drop_counts();
    const auto problem = std::make_shared<const Problem>(std::move(bare));
    base::Random random(seed);
    const Draft draft = random_draft(*problem, random);
    const auto report = Auditor(problem).audit(draft, {}, {});
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report->verdict, Verdict::kUnasked);
    const auto decision = Auditor(problem).decide(draft, {}, {});
    ASSERT_TRUE(decision && decision->release);
    EXPECT_EQ(decision->release->report().verdict, Verdict::kUnasked);
    const auto read = certificate::read_certificate(
        certificate::write_certificate(*problem, draft, *report), "c.json", *problem);
    ASSERT_TRUE(read) << read.error().text();
    const auto confirmed = confirm(*problem, read->draft, read->claimed);
    ASSERT_TRUE(confirmed);
    EXPECT_EQ(confirmed->verdict, Verdict::kUnasked);
  }
}

TEST(Unasked, AnAdjustedTableNeither) {
  const Shared problem = square({});
  Draft draft;
  draft.set_adjusted(true);
  for (std::int32_t c = 0; c < problem->table().num_cells(); ++c)
    draft.set({CellId{c}, Adjusted{problem->table().value(CellId{c})}});
  EXPECT_EQ(audit(problem, draft).verdict, Verdict::kUnasked);
}

// Levels that are all zero ask for nothing but that the number is not printed. Neither such a
// finding nor a release of them alone is called protected, by nobody.
TEST(Unasked, ZeroLevelsAreNothingThatHolds) {
  std::int32_t printed = 0, hidden = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto made = generation::generate_small(seed);
    ASSERT_TRUE(made);
    const auto problem =
        std::make_shared<const Problem>(testing::changed(*made, [](ProblemParts& parts) {
          parts.counts.reset();
          for (Requirement& need : parts.requirements) {
            need.lower = need.upper = need.sliding = 0;
            need.origin = LevelOrigin::kStated;
          }
        }));
    base::Random random(seed);
    const Draft draft = random_draft(*problem, random);
    const auto report = Auditor(problem).audit(draft, {}, {});
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report->count(Verdict::kProtected) + report->count(Verdict::kUndecided), 0);
    printed += report->count(Verdict::kExposed);
    hidden += report->count(Verdict::kUnasked);
    EXPECT_EQ(report->count_asked(), report->count(Verdict::kExposed));
    const auto confirmed = confirm(*problem, draft, *report);
    ASSERT_TRUE(confirmed);
    EXPECT_EQ(confirmed->verdict, report->verdict);
    EXPECT_EQ(confirmed->count(Verdict::kUnasked), report->count(Verdict::kUnasked));
  }
  EXPECT_TRUE(printed > 0 && hidden > 0);
}

TEST(Unasked, WhatAsksNothingIsCountedBesideWhatHolds) {
  const Requirement nothing{.cell = CellId{1}, .origin = LevelOrigin::kStated};
  const AuditReport report = audit(square({kNeed, nothing}), withholding({0, 1, 3, 4}));
  EXPECT_EQ(report.verdict, Verdict::kProtected);
  EXPECT_EQ(report.count(Verdict::kProtected), 1);
  EXPECT_EQ(report.count_asked(), 1);
  EXPECT_EQ(audit(square({nothing}), withholding({1})).verdict, Verdict::kUnasked);
  EXPECT_EQ(audit(square({nothing}), withholding({0})).verdict, Verdict::kExposed);
}

// In whole numbers as in rational ones: levels that somebody has set to zero ask for nothing.
TEST(Unasked, LevelsOfCountsThatAskNothing) {
  const Requirement nothing{.cell = CellId{1}, .origin = LevelOrigin::kStated};
  Problem problem = *square({nothing});
  CountRules rules;
  rules.questions.push_back({CountKind::kLevels, 0, CellId{1}, CellId{-1}, {{CellId{1}, 1}}});
  ASSERT_TRUE(problem.set_counts(rules));
  const auto shared = std::make_shared<const Problem>(std::move(problem));
  const AuditReport report = audit(shared, withholding({1}));
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[1].question.domain, Domain::kInteger);
  EXPECT_EQ(report.count(Verdict::kUnasked), 2);
  EXPECT_EQ(report.verdict, Verdict::kUnasked);
  const auto confirmed = confirm(*shared, withholding({1}), report);
  ASSERT_TRUE(confirmed);
  EXPECT_EQ(confirmed->verdict, Verdict::kUnasked);
}

// ---- waivers

TEST(Waived, WhatIsExposedAndNothingElse) {
  const Draft draft = withholding({0});
  EXPECT_EQ(audit(square({kNeed, kOther}), draft).verdict, Verdict::kExposed);
  const Shared problem = square({kNeed, kOther}, Waiver::kExposed);
  const AuditReport report = audit(problem, draft);
  EXPECT_EQ(report.verdict, Verdict::kWaived);
  EXPECT_EQ(report.count(Verdict::kWaived), 2);
  EXPECT_FALSE(report.findings[0].reason.empty());  // why it is exposed stays
  const AuditReport safe = audit(problem, withholding({0, 1, 3, 4}));
  EXPECT_EQ(safe.verdict, Verdict::kProtected);
}

TEST(Waived, AReleaseIsHandedOutWithItsVerdict) {
  const auto decision = Auditor(square({kNeed}, Waiver::kExposed)).decide(withholding({0}), {}, {});
  ASSERT_TRUE(decision && decision->release);
  EXPECT_EQ(decision->release->report().verdict, Verdict::kWaived);
  EXPECT_FALSE(Auditor(square({kNeed})).decide(withholding({0}), {}, {})->release);
}

// A claim of the certificate waives nothing; the problem of whoever verifies does.
TEST(Waived, ByTheProblemAndNotByTheCertificate) {
  const Draft draft = withholding({0});
  const Shared waiving = square({kNeed}, Waiver::kExposed), plain = square({kNeed});
  const std::string text = certificate::write_certificate(*waiving, draft, audit(waiving, draft));
  EXPECT_NE(text.find("\"verdict\":\"waived\""), std::string::npos);
  for (const auto& [problem, verdict] :
       {std::pair(waiving, Verdict::kWaived), std::pair(plain, Verdict::kExposed)}) {
    const auto read = certificate::read_certificate(text, "c.json", *problem);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->problem_sha256, certificate::problem_digest(*problem));
    const auto confirmed = confirm(*problem, read->draft, read->claimed);
    ASSERT_TRUE(confirmed);
    EXPECT_EQ(confirmed->verdict, verdict);
  }
}

TEST(Waived, StandsInProblemFiles) {
  const Shared problem = square({kNeed}, Waiver::kExposed);
  const auto read = problems::read_problem_json(problems::write_problem_json(*problem), "p.json");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->waiver(), Waiver::kExposed);
  EXPECT_EQ(problems::write_problem_json(*square({kNeed})).find("waived"), std::string::npos);
}

TEST(RefusalText, NamesCellsAndCountsInEnglish) {
  const Shared problem = square({kNeed});
  const AuditReport report = audit(problem, withholding({0}));
  EXPECT_EQ(refusal_text(report, problem->table()),
            "the audit does not pass the release: 1 requirement exposed, 0 undecided (" +
                problem->table().label(CellId{0}) + ")");
}

}  // namespace
}  // namespace lacuna::audit

// SPDX-License-Identifier: Apache-2.0
// The auditor must be seen to say no: to releases that fall short by one cell or one unit, and to
// evidence that someone has touched.
#include <gtest/gtest.h>

#include <functional>

#include "app/generate/generate.h"
#include "core/base/exact.h"
#include "data/certificate/certificate.h"
#include "data/problems/jj.h"
#include "data/problems/problem_json.h"
#include "lacuna/lp.h"
#include "support/minimal_pattern.h"
#include "support/oracle.h"
#include "support/random_draft.h"
#include "support/tables.h"

namespace lacuna::audit {
namespace {

using testing::audit;
using testing::minimal_pattern;
using testing::Oracle;
using testing::problem_of;
using testing::random_draft;
using testing::two_way;
using testing::withholding;

using Shared = std::shared_ptr<const Problem>;

Shared small_problem(std::uint64_t seed) {
  auto made = generation::generate_small(seed);
  EXPECT_TRUE(made);
  return std::make_shared<const Problem>(std::move(made).value());
}

Verdict worst_by_oracle(const Problem& problem, const Draft& draft) {
  for (std::size_t a = 0; a < problem.attackers().size(); ++a) {
    Oracle oracle(problem.table(), draft, problem.attackers()[a]);
    for (const Requirement& need : problem.requirements()) {
      const bool asked = static_cast<std::size_t>(need.attacker) == a;
      if (asked && oracle.verdict(need) == Verdict::kExposed)
        return Verdict::kExposed;
    }
  }
  return Verdict::kProtected;
}

// ---- releases that fall short

TEST(SaysNo, ToEveryMinimalPatternWithoutOneSecondary) {
  int removed = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Shared problem = small_problem(seed);
    base::Random random(seed);
    const auto pattern = minimal_pattern(problem, random);
    if (!pattern)
      continue;
    ASSERT_EQ(worst_by_oracle(*problem, *pattern), Verdict::kProtected);
    ASSERT_TRUE(Auditor(problem).release(*pattern, {}, RunContext{}));
    for (const CellEntry& entry : pattern->entries()) {
      Draft without = *pattern;
      without.publish_exact(entry.cell);
      EXPECT_EQ(audit(problem, without).verdict, Verdict::kExposed);
      EXPECT_EQ(worst_by_oracle(*problem, without), Verdict::kExposed);
      EXPECT_FALSE(Auditor(problem).release(without, {}, RunContext{}));
      ++removed;
    }
  }
  EXPECT_GT(removed, 80);
}

// The problem with one requirement changed, or nothing if no release could meet it.
Shared with_requirement(const Problem& problem, std::size_t which, const Requirement& need) {
  std::vector<Requirement> needs = problem.requirements();
  needs[which] = need;
  auto made = make_problem(problem.table(), problem.attackers(), needs);
  return made ? std::make_shared<const Problem>(std::move(made).value()) : nullptr;
}

Units full_part(const Fraction& end) {  // ends are never negative
  return Integer(end.numerator() / end.denominator()).to_int64().value();
}

Verdict verdict_with(const Problem& problem,
                     const Draft& draft,
                     std::size_t which,
                     const Requirement& need,
                     bool intervals) {
  const Shared changed = with_requirement(problem, which, need);
  EXPECT_TRUE(changed);
  AuditOptions options;
  options.intervals = intervals;
  return changed ? audit(changed, draft, options).findings[which].verdict : Verdict::kUndecided;
}

TEST(SaysNo, ToOneUnitBeyondTheExactEnd) {
  int pushed = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Shared problem = small_problem(seed);
    base::Random random(seed);
    const Draft draft = random_draft(*problem, random);
    const AuditReport report = audit(problem, draft);
    for (std::size_t i = 0; i < report.findings.size(); ++i) {
      const Finding& finding = report.findings[i];
      const CellId cell = finding.question.cell;
      if (draft.implied(problem->table(), cell).is_point())
        continue;
      for (const Direction direction : {Direction::kLow, Direction::kHigh}) {
        const End& end = direction == Direction::kLow ? finding.low : finding.high;
        ASSERT_TRUE(end.exact());
        if (end.unbounded)
          continue;
        Requirement need{.cell = cell,
                         .attacker = finding.question.attacker,
                         .origin = LevelOrigin::kStated};  // one end at a time
        Units& level = direction == Direction::kLow ? need.lower : need.upper;
        level = full_part(end.reached);
        const Verdict met = level == 0 ? Verdict::kUnasked : Verdict::kProtected;
        EXPECT_EQ(verdict_with(*problem, draft, i, need, true), met);
        EXPECT_EQ(verdict_with(*problem, draft, i, need, false), met);
        ++level;
        if (!with_requirement(*problem, i, need))
          continue;  // the bounds alone say no already
        EXPECT_EQ(verdict_with(*problem, draft, i, need, true), Verdict::kExposed);
        EXPECT_EQ(verdict_with(*problem, draft, i, need, false), Verdict::kExposed);
        ++pushed;
      }
    }
  }
  EXPECT_GT(pushed, 50);
}

TEST(SaysNo, ToARangeThatIsAPoint) {
  const auto problem =
      problem_of(two_way({{3, 4, 7}, {3, 1, 4}, {6, 5, 11}}, {0, 100}, 0, {0}), {});
  Draft draft = withholding({0, 1, 3, 4});
  EXPECT_EQ(audit(problem, draft).verdict, Verdict::kProtected);
  draft.publish_interval(CellId{0}, {3, 3});
  EXPECT_EQ(audit(problem, draft).verdict, Verdict::kExposed);
  EXPECT_FALSE(Auditor(problem).release(draft, {}, RunContext{}));
}

TEST(SaysNo, ToARunThatWasStopped) {
  const Shared problem = small_problem(3);
  base::Random random(3);
  const auto pattern = minimal_pattern(problem, random);
  ASSERT_TRUE(pattern);
  RunContext late;
  late.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  const auto report = Auditor(problem).audit(*pattern, {}, late);
  ASSERT_TRUE(report);
  EXPECT_NE(report->verdict, Verdict::kProtected);
  EXPECT_FALSE(Auditor(problem).release(*pattern, {}, late));
}

TEST(SaysNo, ToADraftThatLies) {
  const auto problem =
      problem_of(two_way({{3, 4, 7}, {3, 1, 4}, {6, 5, 11}}, {0, 100}, 0, {0}), {});
  Draft draft = withholding({0, 1, 3, 4});
  draft.publish_interval(CellId{8}, {12, 20});
  EXPECT_FALSE(Auditor(problem).audit(draft, {}, RunContext{}));
  draft.publish_interval(CellId{8}, {kUnboundedBelow + 1, 20});
  EXPECT_FALSE(Auditor(problem).audit(draft, {}, RunContext{}));
  draft.publish_exact(CellId{8});
  draft.withhold(CellId{9});
  EXPECT_FALSE(Auditor(problem).audit(draft, {}, RunContext{}));
}

// ---- evidence that someone has touched

// Salazar-Gonzalez (2002), Figure 2, with the largest levels that hold: [5, 30] around 22.
struct Tight {
  Shared problem =
      problem_of(two_way({{20, 50, 10, 80}, {8, 19, 22, 49}, {17, 32, 12, 61}, {45, 101, 44, 190}},
                         {0, kUnboundedAbove},
                         0,
                         {6, 8}),
                 {{.cell = CellId{6}, .lower = 17, .upper = 8, .sliding = 25},
                  {.cell = CellId{8}, .lower = 17, .upper = 8}});
  Draft draft = withholding({4, 6, 8, 10});
  AuditReport report = audit(problem, draft);

  Displacement& low() { return report.evidence.witnesses[index(report.findings[0].low.witness)]; }
  Displacement& high() { return report.evidence.witnesses[index(report.findings[0].high.witness)]; }
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

  bool refused() const {
    const auto confirmed = confirm(*problem, draft, report);
    return !confirmed || confirmed->verdict != Verdict::kProtected;
  }
  bool is_error() const { return !confirm(*problem, draft, report); }
};

TEST(SaysNo, OnlyTheTrueEvidenceIsConfirmed) {
  Tight tight;
  ASSERT_EQ(tight.report.verdict, Verdict::kProtected);
  ASSERT_FALSE(tight.refused());
  ASSERT_EQ(tight.low().cells.size(), 4U);
  ASSERT_EQ(tight.high().cells.size(), 4U);
}

TEST(SaysNo, ToATouchedWitness) {
  for (std::size_t i = 0; i < 4; ++i) {
    for (const int step : {-1, 1}) {
      Tight tight;
      tight.low().moves[i] += step;
      EXPECT_TRUE(tight.is_error()) << "one unit, cell " << i;
    }
    Tight flipped;
    flipped.high().moves[i] = -flipped.high().moves[i];
    EXPECT_TRUE(flipped.is_error()) << "one sign, cell " << i;
    Tight dropped;
    dropped.high().moves[i] = 0;
    EXPECT_TRUE(dropped.is_error()) << "one move, cell " << i;
    for (const std::int32_t other : {-1, 5, 7, 16, 2'000'000'000}) {
      Tight swapped;
      swapped.low().cells[i] = CellId{other};
      EXPECT_TRUE(swapped.is_error()) << "cell " << other;
    }
  }
  Tight unsorted;
  std::swap(unsorted.low().cells[0], unsorted.low().cells[1]);
  std::swap(unsorted.low().moves[0], unsorted.low().moves[1]);
  EXPECT_TRUE(unsorted.is_error());
}

TEST(SaysNo, ToAShorterWitness) {
  for (const bool low : {true, false}) {
    Tight shaved;  // balanced, one unit short of the level
    for (Integer& move : low ? shaved.low().moves : shaved.high().moves)
      move -= move > 0 ? 1 : -1;
    EXPECT_TRUE(shaved.refused());
    Tight mirrored;
    for (Integer& move : low ? mirrored.low().moves : mirrored.high().moves)
      move = -move;
    EXPECT_TRUE(mirrored.refused());
    for (const int denominator : {-1, 0, 2, 1'000'000}) {
      Tight divided;
      (low ? divided.low() : divided.high()).denominator = denominator;
      EXPECT_TRUE(divided.refused()) << "denominator " << denominator;
    }
    Tight longer;  // beyond the slack
    for (Integer& move : low ? longer.low().moves : longer.high().moves)
      move += move > 0 ? 1 : -1;
    EXPECT_TRUE(longer.is_error());
  }
}

TEST(SaysNo, ToMovesThatWrapAround) {
  Tight tight;  // the sums of 2^127 and 2^127 are zero in 128 bits
  for (Integer& move : tight.low().moves)
    move = Integer(1) << 126U;
  EXPECT_TRUE(tight.is_error());
}

TEST(SaysNo, ToEvidenceOfAnotherFinding) {
  Tight swapped;
  std::swap(swapped.report.findings[0].low.witness, swapped.report.findings[0].high.witness);
  EXPECT_TRUE(swapped.refused());
  for (const std::int32_t nowhere : {1'000, 2'147'483'647}) {
    Tight lost;
    lost.report.findings[0].low.witness = nowhere;
    EXPECT_TRUE(lost.is_error());
    Tight no_proof;
    no_proof.report.findings[0].low.proof = nowhere;
    EXPECT_TRUE(no_proof.is_error());
  }
  Tight as_ray;
  as_ray.report.findings[0].high.unbounded = true;
  EXPECT_TRUE(as_ray.is_error());
}

TEST(SaysNo, ToFindingsThatDoNotCoverTheRequirements) {
  Tight dropped;
  dropped.report.findings.pop_back();
  EXPECT_TRUE(dropped.is_error());
  Tight twice;
  twice.report.findings.push_back(twice.report.findings[0]);
  EXPECT_TRUE(twice.is_error());
  Tight first_for_both;  // evidence for one cell says nothing of the other
  first_for_both.report.findings[1] = first_for_both.report.findings[0];
  EXPECT_TRUE(first_for_both.refused());
}

// What holds of whole numbers says nothing of rational ones.
TEST(SaysNo, ToStepsChainsAndTreesInRationalNumbers) {
  for (std::int32_t End::*piece : {&End::step, &End::chain, &End::tree}) {
    Tight tight;
    tight.report.evidence.steps.emplace_back();
    tight.report.evidence.chains.emplace_back();
    tight.report.evidence.trees.push_back({TreeNode{}});
    ASSERT_FALSE(tight.is_error());
    tight.report.findings[0].high.*piece = 0;
    EXPECT_TRUE(tight.is_error());
  }
  Tight listed;
  listed.report.findings[0].shown = {0};
  EXPECT_TRUE(listed.is_error());
}

TEST(SaysNo, ToClaimsWithoutEvidence) {
  Tight bare;
  for (Finding& finding : bare.report.findings) {
    finding.verdict = Verdict::kProtected;
    for (End* end : {&finding.low, &finding.high}) {
      *end = End{};
      end->reached = 1000;
      end->unbounded = true;
      end->has_bound = true;
      end->bound = 1000;
    }
  }
  bare.report.verdict = Verdict::kProtected;
  const auto confirmed = confirm(*bare.problem, bare.draft, bare.report);
  ASSERT_TRUE(confirmed);
  EXPECT_EQ(confirmed->verdict, Verdict::kUndecided);
  EXPECT_EQ(confirmed->count(Verdict::kUndecided), 2);
}

TEST(SaysNo, ToAnotherRelease) {
  Tight empty;
  empty.draft = Draft{};
  EXPECT_TRUE(empty.refused());
  for (const std::int32_t cell : {4, 6, 8, 10}) {
    Tight shown;
    shown.draft.publish_exact(CellId{cell});
    EXPECT_TRUE(shown.refused()) << "cell " << cell;
    Tight narrowed;  // one unit closer than the witness goes, on either side
    const Units value = narrowed.problem->table().value(CellId{cell});
    narrowed.draft.publish_interval(CellId{cell}, {value - 7, value + 7});
    EXPECT_TRUE(narrowed.refused()) << "cell " << cell;
  }
}

TEST(SaysNo, ToProofsThatProveLess) {
  // Levels one unit beyond the ends: exposed, with proofs. Touched, they prove nothing.
  Tight tight;
  Requirement need = tight.problem->requirements()[0];
  need.upper = 9;
  const Shared problem = with_requirement(*tight.problem, 0, need);
  ASSERT_TRUE(problem);
  const AuditReport report = audit(problem, tight.draft);
  ASSERT_EQ(report.findings[0].verdict, Verdict::kExposed);
  const auto exposed = [&](const AuditReport& claim) {
    const auto confirmed = confirm(*problem, tight.draft, claim);
    return confirmed && confirmed->findings[0].verdict == Verdict::kExposed;
  };
  ASSERT_TRUE(exposed(report));
  const auto which = static_cast<std::size_t>(report.findings[0].high.proof);
  ASSERT_FALSE(report.evidence.proofs[which].equations.empty());
  for (std::size_t j = 0; j < report.evidence.proofs[which].values.size(); ++j) {
    for (const int step : {-1, 1}) {
      AuditReport touched = report;
      touched.evidence.proofs[which].values[j] += step;
      EXPECT_FALSE(exposed(touched)) << "multiplier " << j;
    }
    AuditReport far = report;
    far.evidence.proofs[which].equations[j] = EquationId{99};
    EXPECT_FALSE(exposed(far));
  }
  for (const int denominator : {-1, 0, 3}) {
    AuditReport divided = report;
    divided.evidence.proofs[which].denominator = denominator;
    EXPECT_FALSE(exposed(divided)) << "denominator " << denominator;
  }
  AuditReport empty = report;
  empty.evidence.proofs[which] = Multipliers{};
  EXPECT_FALSE(exposed(empty));
  AuditReport twice = report;
  twice.evidence.proofs[which].equations.push_back(report.evidence.proofs[which].equations[0]);
  twice.evidence.proofs[which].values.push_back(0);
  EXPECT_FALSE(exposed(twice));
}

// ---- text

TEST(SaysNo, ToNumbersThatAreNone) {
  const auto jj = [](const std::string& value, const std::string& level) {
    return "0\n3\n0 " + value + " 1 u 0 100 " + level +
           " 1 0\n1 4 1 s 0 100 0 0 0\n2 7 1 s 0 100 0 0 0\n1\n0 3 : 0 (1) 1 (1) 2 (-1)\n";
  };
  ASSERT_TRUE(problems::read_jj(jj("3", "1"), "t.jj"));
  for (const char* bad : {"nan",
                          "NaN",
                          "-nan",
                          "inf",
                          "1e30",
                          "9223372036854775808",
                          "3.0000000000"
                          "00000000001",
                          "0x3",
                          "3,0",
                          ""}) {
    EXPECT_FALSE(problems::read_jj(jj(bad, "1"), "t.jj")) << bad;
  }
  for (const char* bad : {"nan", "inf", "1e30", "-1", "101"})
    EXPECT_FALSE(problems::read_jj(jj("3", bad), "t.jj")) << bad;

  const auto json = [](const std::string& value) {
    return R"({"format":"lacuna-problem-1","cells":[{"value":)" + value +
           R"(,"status":"primary"},{"value":3}],"equations":[{"cells":[0,1],"coefficients":[1,-1]}]})";
  };
  ASSERT_TRUE(problems::read_problem_json(json("3"), "t.json"));
  for (const char* bad : {"NaN",
                          "nan",
                          "Infinity",
                          "1e400",
                          "3.5",
                          "9223372036854775808",
                          "null",
                          "\"3\"",
                          "4611686018427387904",
                          "[3]"}) {
    EXPECT_FALSE(problems::read_problem_json(json(bad), "t.json")) << bad;
  }
}

TEST(SaysNo, ToCertificatesWithMissingOrStrangeParts) {
  Tight tight;
  const std::string text =
      certificate::write_certificate(*tight.problem, tight.draft, tight.report);
  ASSERT_TRUE(certificate::read_certificate(text, "c.json", *tight.problem));
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    changed.replace(at, from.size(), to);
    return changed;
  };
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"denominator\":1,", ""},
           {"\"denominator\":1,", "\"denominator\":NaN,"},
           {"\"denominator\":1,", "\"denominator\":1.0,"},
           {"\"denominator\":1,", "\"denominator\":1,\"denominator\":1,"},
           {"\"denominator\":1,\"cells\":[4,", "\"denominator\":1,\"cells\":["},
           {"\"moves\":[", "\"moves\":[1e2,"},
           {"\"moves\":[", "\"moves\":[99999999999999999999999999999999999999999999,"},
           {"\"moves\":", "\"move\":"},
           {"\"cell\":4,", ""},
           {"\"cell\":4,", "\"cell\":16,"},
           {"\"cell\":4,", "\"cell\":6,"},
           {"\"state\":\"withheld\"", "\"state\":\"exact\""},
           {"\"attacker\":0,", ""},
           {"\"attacker\":0,", "\"attacker\":1,"},
           {"\"verdict\":\"protected\",", ""},
           {"\"witness\":", "\"witness\":9"},
           {"\"decimals\":0", "\"decimals\":1"},
           {"lacuna-certificate-3", "lacuna-certificate-1"},
           {"lacuna-certificate-3", "lacuna-certificate-2"},
           {"\"domain\":\"rational\",", ""},
           {"\"domain\":\"rational\"", "\"domain\":\"integer\""},
           {"\"kind\":\"levels\",", ""},
           {"\"kind\":\"levels\"", "\"kind\":\"exact\""},
           {"\"proofs\":", "\"proof\":"},
           {"}\n", ""}}) {
    EXPECT_FALSE(certificate::read_certificate(replaced(from, to), "c.json", *tight.problem))
        << from << " -> " << to;
  }
}

std::string mutated(std::string text, base::Random& random) {
  constexpr std::string_view kBytes = "0123456789-,:[]{}\". entwul";
  const auto place = [&] {
    return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(text.size()) - 1));
  };
  const auto some_digit = [&] {  // numbers carry the meaning, so most mutations hit one
    for (std::size_t at = place(); at < text.size(); ++at) {
      if (text[at] >= '0' && text[at] <= '9')
        return at;
    }
    return place();
  };
  for (std::int64_t i = random.between(1, 3); i > 0; --i) {
    const auto digit = static_cast<char>('0' + random.between(0, 9));
    switch (random.between(0, 5)) {
      case 0:
      case 1:
        text[some_digit()] = digit;
        break;
      case 2:
        text.insert(some_digit(), 1, random.chance(1, 2) ? '-' : digit);
        break;
      case 3:
        text.erase(some_digit(), 1);
        break;
      case 4:
        text[place()] = kBytes[static_cast<std::size_t>(random.between(0, 26))];
        break;
      default: {  // a line twice, or gone
        const std::size_t start = text.rfind('\n', place());
        const std::size_t from = start == std::string::npos ? 0 : start;
        const std::size_t end = std::min(text.find('\n', from + 1), text.size());
        if (random.chance(1, 2)) {
          text.erase(from, end - from);
        } else {
          text.insert(end, text.substr(from, end - from));
        }
      }
    }
  }
  return text;
}

// Whatever is read and confirmed of a mutated certificate is true of the release that it states.
TEST(SaysNo, ToNothingButTheTruthInMutatedCertificates) {
  int refused = 0;
  int accepted = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Shared problem = small_problem(seed);
    base::Random random(seed);
    const Draft draft = random_draft(*problem, random);
    const AuditReport report = audit(problem, draft);
    const std::string text = certificate::write_certificate(*problem, draft, report);
    for (int i = 0; i < 150; ++i) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", mutation " + std::to_string(i));
      const auto read = certificate::read_certificate(mutated(text, random), "c.json", *problem);
      if (!read) {
        ++refused;
        continue;
      }
      const auto confirmed = confirm(*problem, read->draft, read->claimed);
      if (!confirmed) {
        ++refused;
        continue;
      }
      ++accepted;
      std::vector<Oracle> oracles;
      oracles.reserve(problem->attackers().size());
      for (const Attacker& attacker : problem->attackers())
        oracles.emplace_back(problem->table(), read->draft, attacker);
      for (std::size_t f = 0; f < confirmed->findings.size(); ++f) {
        const Finding& finding = confirmed->findings[f];
        if (finding.verdict == Verdict::kUndecided)
          continue;
        const auto attacker = static_cast<std::size_t>(problem->requirements()[f].attacker);
        EXPECT_EQ(finding.verdict, oracles[attacker].verdict(problem->requirements()[f]));
      }
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace lacuna::audit

// SPDX-License-Identifier: Apache-2.0
// Releases of counts by every method that hides or rounds, on random tables of one to three
// dimensions, flat, with trees or two groupings, with insiders and every meaning of withheld cells:
// what is released is read back from disk and attacked by trying all whole-number tables; where
// suppression says that no release will do, withholding all that may be does not either.
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "core/draft/system.h"
#include "data/files/file.h"
#include "data/files/temporary_folder.h"
#include "data/problems/problem_json.h"
#include "data/publish/pattern.h"
#include "data/publish/release_file.h"
#include "judge/attack/count_slacks.h"
#include "lacuna/audit.h"
#include "lacuna/protect.h"
#include "support/drawn_counts.h"

namespace lacuna {
namespace {

using namespace testing::drawn_counts;

constexpr People kPeople{.least = 4, .most = 9, .total_known = true};

// Every other table asks for what most offices ask for; all kinds together can seldom be hidden.
Drawn draw_to_protect(base::Random& random) {
  Drawn drawn = draw(random, kPeople);
  if (below(random, 2) == 0)
    return drawn;
  drawn.options.kinds = {CountKind::kExact, CountKind::kSmall, CountKind::kImplied};
  drawn.options.groups.clear();
  auto asked = with_count_rules(drawn.problem, drawn.options);
  EXPECT_TRUE(asked) << asked.error().text();
  drawn.problem = *std::move(asked);
  return drawn;
}

bool all_is_hidden(const Drawn& drawn, const Draft& draft, const std::vector<Question>& questions) {
  std::vector<Enumeration> tables;
  for (const Attacker& attacker : drawn.problem.attackers())
    tables.emplace_back(drawn, draft, attacker);
  return std::all_of(questions.begin(), questions.end(), [&](const Question& question) {
    const auto& seen = tables[static_cast<std::size_t>(question.attacker)];
    return is_protected(drawn, draft, question, seen.values(question.form));
  });
}

Draft all_withheld(const Drawn& drawn) {
  Draft draft;
  for (std::int32_t c = 0; c < drawn.problem.table().num_cells(); ++c) {
    const Cell& cell = drawn.problem.table().cell(CellId{c});
    if (may_be_withheld(cell) && told(drawn, {CellId{c}, Withheld{}}).contains(cell.value))
      draft.withhold(CellId{c});
  }
  return draft;
}

// Sensitive only because a requirement says so: `rule` would be a lie.
bool contradicts_rule(const Drawn& drawn) {
  const auto cells = drawn.problem.table().cells();
  return drawn.options.withheld_means == WithheldMeans::kRule &&
         std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) {
           return cell.status == CellStatus::kPrimary && cell.value >= drawn.options.threshold;
         });
}

void expect_safe_on_disk(const Drawn& drawn,
                         const AuditedRelease& release,
                         const files::TemporaryFolder& folder) {
  const std::string path = folder.file("release.json"), asked = folder.file("problem.json");
  ASSERT_TRUE(publish::write_release(release, publish::RunSummary{}, path));
  ASSERT_TRUE(files::write_file_atomically(asked, problems::write_problem_json(drawn.problem)));
  const auto problem = problems::read_problem_json(*files::read_file(asked), asked);
  ASSERT_TRUE(problem) << problem.error().text();
  const auto read = publish::read_pattern(*files::read_file(path), path, problem->table());
  ASSERT_TRUE(read) << read.error().text();
  std::vector<Question> questions;
  for (const Finding& finding : release.report().of(Domain::kInteger))
    questions.push_back(finding.question);
  EXPECT_TRUE(all_is_hidden(drawn, *read, questions));
}

// About counts.
std::vector<Question> asked_of(const Problem& problem, const Draft& draft) {
  const draft::ReleaseSystem system(problem, draft);
  std::vector<Question> questions = questions_of(system.problem());
  std::erase_if(questions, [](const Question& each) { return each.domain != Domain::kInteger; });
  return questions;
}

ProtectOptions by(Method method) {
  ProtectOptions options;
  options.method = method;
  options.off_center = 0;
  if (method == Method::kRound || method == Method::kMixed)
    options.round.base = options.small_counts.base = 3;
  // The way of publication must not tell which counts are small.
  options.mixed.sensitive_as = options.mixed.others_as = options.mixed.totals_as =
      PublishAs::kRounded;
  return options;
}

class CountProtect : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(CountProtect, BySuppression) {
  const files::TemporaryFolder folder("lacuna_count_protect");
  std::map<bool, int> released;
  for (std::uint64_t i = 0; i < 25; ++i) {
    SCOPED_TRACE(i);
    base::Random random(GetParam() * 1000 + i);
    const Drawn drawn = draw_to_protect(random);
    if (contradicts_rule(drawn))
      continue;
    const auto problem = std::make_shared<const Problem>(drawn.problem);
    const auto found = protect(problem, by(Method::kSuppress), RunContext{});
    ++released[found.has_value()];
    if (!found) {
      const Draft most = all_withheld(drawn);
      AuditOptions reals;
      reals.reals = true;  // levels may be out of reach, whatever readers know of the rule
      const auto plain = Auditor(problem).audit(most, reals, RunContext{});
      ASSERT_TRUE(plain) << plain.error().text();
      EXPECT_FALSE(plain->verdict == Verdict::kProtected &&
                   all_is_hidden(drawn, most, asked_of(drawn.problem, most)))
          << found.error().text();
      continue;
    }
    ASSERT_TRUE(found->complete) << found->reason;
    EXPECT_LE(found->bound, found->cost + 1e-9);
    const auto decided = decide_release(problem, *found, {}, RunContext{});
    ASSERT_TRUE(decided) << decided.error().text();
    ASSERT_TRUE(decided->release) << refusal_text(decided->refusal);
    expect_safe_on_disk(drawn, *decided->release, folder);
  }
  EXPECT_GT(released[true], 0);
  EXPECT_GT(released[false], 0);
}

// What these cannot repair is refused, never released.
TEST_P(CountProtect, ByOtherMethods) {
  const files::TemporaryFolder folder("lacuna_count_protect");
  for (std::uint64_t i = 0; i < 6; ++i) {
    SCOPED_TRACE(i);
    base::Random random(GetParam() * 1000 + 500 + i);
    const Drawn drawn = draw_to_protect(random);
    if (contradicts_rule(drawn))
      continue;
    const auto problem = std::make_shared<const Problem>(drawn.problem);
    for (const Method method : {Method::kRound, Method::kMixed, Method::kInterval}) {
      const auto found = protect(problem, by(method), RunContext{});
      if (!found || !found->complete)
        continue;
      const auto decided = decide_release(problem, *found, {}, RunContext{});
      ASSERT_TRUE(decided) << decided.error().text();
      if (decided->release)
        expect_safe_on_disk(drawn, *decided->release, folder);
    }
  }
}

// That all of a group are in one part, or in some, is hidden by rounding and mixtures, too, or
// nothing is released.
TEST_P(CountProtect, GroupsByRoundingAndMixtures) {
  const files::TemporaryFolder folder("lacuna_count_protect");
  std::map<Method, int> released;
  for (std::uint64_t i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    base::Random random(GetParam() * 1000 + 700 + i);
    Drawn drawn = draw(random, kPeople);
    drawn.options.kinds = {CountKind::kExact, CountKind::kAll};
    if (!drawn.options.groups.empty())
      drawn.options.kinds.push_back(CountKind::kGroup);
    auto asked = with_count_rules(drawn.problem, drawn.options);
    ASSERT_TRUE(asked) << asked.error().text();
    drawn.problem = *std::move(asked);
    if (contradicts_rule(drawn))
      continue;
    const auto problem = std::make_shared<const Problem>(drawn.problem);
    for (const Method method : {Method::kRound, Method::kMixed}) {
      const auto found = protect(problem, by(method), RunContext{});
      if (!found || !found->complete)
        continue;
      const auto decided = decide_release(problem, *found, {}, RunContext{});
      ASSERT_TRUE(decided) << decided.error().text();
      if (!decided->release) {
        EXPECT_NE(decided->refusal.verdict, Verdict::kProtected);
        continue;
      }
      ++released[method];
      expect_safe_on_disk(drawn, *decided->release, folder);
    }
  }
  EXPECT_GT(released[Method::kRound], 0);
  EXPECT_GT(released[Method::kMixed], 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CountProtect, ::testing::Range(std::uint64_t{1}, std::uint64_t{9}));

}  // namespace
}  // namespace lacuna

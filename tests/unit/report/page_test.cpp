// SPDX-License-Identifier: Apache-2.0
// The public page is searched for every confidential number; the office page must have them, so
// that the search is seen to find what is there.
#include <gtest/gtest.h>

#include <set>

#include "core/base/decimal.h"
#include "core/base/readable.h"
#include "core/table/unpublished.h"
#include "lacuna/report.h"
#include "support/tables.h"

namespace lacuna::report {
namespace {

// The page has the number as a word of its own.
bool has_number(const std::string& page, const std::string& number) {
  const auto part_of_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '#';
  };
  for (std::size_t at = page.find(number); at != std::string::npos;
       at = page.find(number, at + 1)) {
    const char after = at + number.size() < page.size() ? page[at + number.size()] : ' ';
    if (!part_of_word(page[at - 1]) && !part_of_word(after))
      return true;
  }
  return false;
}

constexpr std::int32_t kSide = 5;

Dimension dimension(const std::string& name) {
  std::vector<std::string> codes{"all"};
  Relation relation{0, {}};
  for (std::int32_t k = 1; k <= kSide; ++k) {
    codes.push_back(name + "<" + std::to_string(k) + ">");
    relation.children.push_back(k);
  }
  return Dimension::build(name, codes, {relation}).value();
}

// Values, frequencies, levels and weights far from each other and from any number of the page's
// own. Cells stand row by row, the total first.
std::shared_ptr<const Problem> make_problem_of_large_numbers() {
  constexpr std::int32_t kWidth = kSide + 1;
  std::vector<std::vector<Units>> values(kWidth, std::vector<Units>(kWidth, 0));
  for (std::int32_t r = 1; r < kWidth; ++r) {
    for (std::int32_t c = 1; c < kWidth; ++c) {
      const Units value = 31'415'927 + 7'654'321 * r * r + 1'234'577 * c * c * r;
      for (const auto& [i, j] : {std::pair{r, c}, {0, c}, {r, 0}, {0, 0}})
        values[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] += value;
    }
  }
  TableBuilder builder(2, {dimension("row"), dimension("column")});
  std::vector<Requirement> requirements;
  for (std::int32_t r = 0; r < kWidth; ++r) {
    for (std::int32_t c = 0; c < kWidth; ++c) {
      const Units value = values[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
      Cell cell{.value = value, .prior = {0, value * 3 + 123}, .weight = 1'000'003.25 + r * 7 + c};
      cell.frequency = 70'001 + r * 1009 + c * 13;
      if (r == 2 && (c == 2 || c == 4)) {
        cell.status = CellStatus::kPrimary;
        requirements.push_back({CellId{r * kWidth + c}, 0, 1'234'567, 2'345'678, 3'456'789});
      }
      EXPECT_TRUE(builder.add_cell(cell, std::vector<std::int32_t>{r, c}));
    }
  }
  for (std::int32_t k = 0; k < kWidth; ++k) {
    std::vector<Term> row, column;
    for (std::int32_t j = 0; j < kWidth; ++j) {
      row.push_back({CellId{k * kWidth + j}, j == 0 ? -1 : 1});
      column.push_back({CellId{j * kWidth + k}, j == 0 ? -1 : 1});
    }
    EXPECT_TRUE(builder.add_equation(row));
    EXPECT_TRUE(builder.add_equation(column));
  }
  return testing::problem_of(std::move(builder), std::move(requirements));
}

struct Numbers {
  std::set<std::string> published, secret;
};

Numbers numbers_of(const Problem& problem, const Draft& draft, const AuditReport& report) {
  const Table& table = problem.table();
  const auto text = [&](Units value) { return base::format_units(value, table.decimals()); };
  Numbers numbers;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const Cell& cell = table.cell(CellId{c});
    const auto entry = draft.find(CellId{c});
    if (entry == nullptr)
      numbers.published.insert(text(cell.value));
    else if (entry->state() == StatementKind::kInterval)
      numbers.published.insert({text(entry->bounds().lower), text(entry->bounds().upper)});
    else if (entry->state() != StatementKind::kWithheld)
      numbers.published.insert(text(*entry->number()));
    if (entry != nullptr && entry->state() == StatementKind::kRounded)
      numbers.published.insert({text(entry->bounds().lower), text(entry->bounds().upper)});
    for (const std::string& secret : {text(cell.value),
                                      text(cell.prior.upper),
                                      std::to_string(cell.frequency),
                                      base::format_double(cell.weight)})
      numbers.secret.insert(secret);
  }
  for (const Requirement& need : problem.requirements()) {
    const Units value = table.value(need.cell);
    for (const Units secret :
         {need.lower, need.upper, need.sliding, value - need.lower, value + need.upper})
      numbers.secret.insert(text(secret));
  }
  for (const Finding& finding : report.findings) {
    const double value =
        base::units_to_double(table.value(finding.question.cell), table.decimals());
    const double unit = base::units_to_double(1, table.decimals());
    numbers.secret.insert(base::format_double(value - finding.low.reached.to_double() * unit));
    numbers.secret.insert(base::format_double(value + finding.high.reached.to_double() * unit));
  }
  numbers.secret.erase("0");
  for (const std::string& number : numbers.published)
    numbers.secret.erase(number);
  return numbers;
}

void expect_nothing_secret(const std::shared_ptr<const Problem>& problem, const Draft& draft) {
  const auto release = Auditor(problem).release(draft, {}, RunContext{});
  ASSERT_TRUE(release) << release.error().text();
  const Numbers numbers = numbers_of(*problem, draft, release->report());
  const std::string open = public_page(*release, {"A <table>", "suppress", "9.9.9", "2026-01-02"});
  for (const std::string& number : numbers.secret) {
    EXPECT_FALSE(has_number(open, number)) << number;
    EXPECT_FALSE(has_number(open, base::grouped(number))) << number;
  }
  for (const std::string& number : numbers.published)
    EXPECT_TRUE(has_number(open, number)) << number;
  EXPECT_EQ(open.find("\"value\""), std::string::npos);
  EXPECT_EQ(open.find("\"status\""), std::string::npos);
  EXPECT_EQ(open.find("guess"), std::string::npos);
  EXPECT_EQ(open.substr(0, open.find("<script")).find("sensitive cell"), std::string::npos);
}

TEST(PublicPage, HasNoConfidentialNumberOfWithheldCells) {
  const auto problem = make_problem_of_large_numbers();
  expect_nothing_secret(problem, testing::withholding({14, 16, 20, 22}));
}

TEST(PublicPage, HasNoConfidentialNumberBehindIntervals) {
  const auto problem = make_problem_of_large_numbers();
  Draft draft;
  for (const std::int32_t c : {14, 16, 20, 22}) {
    const Units value = problem->table().value(CellId{c});
    draft.publish_interval(CellId{c}, {value - 5'111'222, value + 6'222'333});
  }
  expect_nothing_secret(problem, draft);
}

TEST(PublicPage, HasNoConfidentialNumberBehindRoundedOnes) {
  const auto problem = make_problem_of_large_numbers();
  constexpr Units kBase = 10'000'000;
  Draft draft;
  for (const std::int32_t c : {14, 16, 20, 22})
    draft.publish_rounded(
        CellId{c}, (problem->table().value(CellId{c}) + kBase / 2) / kBase * kBase, kBase);
  expect_nothing_secret(problem, draft);
}

TEST(PublicPage, DoesNotTellWhichNumbersWereAdjusted) {
  const auto problem = make_problem_of_large_numbers();
  Draft draft;
  draft.set_adjusted(true);
  constexpr Units kMove = 4'000'001;
  for (const auto& [c, up] : {std::pair{14, true}, {16, false}, {20, false}, {22, true}}) {
    const Units value = problem->table().value(CellId{c});
    draft.publish_adjusted(CellId{c}, up ? value + kMove : value - kMove);
  }
  expect_nothing_secret(problem, draft);
  const auto release = Auditor(problem).release(draft, {}, RunContext{});
  ASSERT_TRUE(release);
  const std::string open = public_page(*release, {"t", "adjust", "9.9.9", "2026-01-02"});
  EXPECT_NE(open.find("\"state\":\"eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee\""), std::string::npos);
}

TEST(OfficePage, HasWhatThePublicPageHides) {
  const auto problem = make_problem_of_large_numbers();
  const Draft draft = testing::withholding({14, 16, 20, 22});
  const AuditReport report = testing::audit(problem, draft);
  OfficePage page;
  page.title = "A <table>";
  page.provenance = {{"SHA-256", "abc"}};
  page.reasons.assign(static_cast<std::size_t>(problem->table().num_cells()), "");
  page.reasons[14] = "unsafe: <2> contributors";
  const std::string html = office_page(*problem, draft, report, page);
  const auto text = [&](std::int32_t c) {
    return base::format_units(problem->table().value(CellId{c}), problem->table().decimals());
  };
  for (const std::int32_t c : {14, 16, 20, 22})
    EXPECT_TRUE(has_number(html, text(c)));
  EXPECT_TRUE(has_number(html, std::to_string(problem->table().cell(CellId{14}).frequency)));
  EXPECT_NE(html.find("A &lt;table&gt;"), std::string::npos);
  EXPECT_EQ(html.find("<2>"), std::string::npos);
  EXPECT_NE(html.find("class=\"verdict protected\""), std::string::npos);
}

// One line of counts, 15 = 10 + 3 + 1 + 1, whose readers know that zeros are never withheld: 2 in
// two blanks is 1 and 1. The last cell of all is one that nobody publishes.
std::shared_ptr<const Problem> make_problem_of_counts() {
  Dimension parts =
      Dimension::build(
          "part", {"T", "a", "b", "<c>", "d", "e", "f"}, {{0, {1, 2, 3, 4}}, {1, {5, 6}}})
          .value();
  TableBuilder builder(0, {parts});
  std::vector<Term> sum;
  const std::vector<Units> values{15, 10, 3, 1, 1};
  for (std::int32_t c = 0; c < 5; ++c) {
    Cell cell{.value = values[static_cast<std::size_t>(c)]};
    if (cell.value == 1)
      cell.status = CellStatus::kPrimary;
    EXPECT_TRUE(builder.add_cell(cell, std::vector<std::int32_t>{c}));
    sum.push_back({CellId{c}, c == 0 ? -1 : 1});
  }
  EXPECT_TRUE(builder.add_cell(
      {.value = 7, .frequency = table::kUnpublished, .status = CellStatus::kSecondary},
      std::vector<std::int32_t>{5}));
  EXPECT_TRUE(builder.add_equation(sum));
  auto problem = std::make_shared<Problem>(*testing::problem_of(std::move(builder), {}));
  CountRules rules;
  rules.threshold = 2;
  rules.withheld_means = WithheldMeans::kNonzero;
  for (const std::int32_t c : {3, 4})
    rules.questions.push_back({CountKind::kExact, 0, CellId{c}, CellId{-1}, {{CellId{c}, 1}}});
  EXPECT_TRUE(problem->set_counts(std::move(rules)));
  return problem;
}

TEST(OfficePage, ShowsKindsOfCountsWithTheirEvidence) {
  const auto problem = make_problem_of_counts();
  const Draft told = testing::withholding({3, 4, 5});
  AuditOptions options;
  options.values = true;
  const AuditReport exposed = testing::audit(problem, told, options);
  const std::string page = office_page(*problem, told, exposed, {});
  const auto has = [](const std::string& html, const std::string& text) {
    return html.find(text) != std::string::npos;
  };
  EXPECT_TRUE(has(page, "href=\"#kinds-part\""));
  EXPECT_TRUE(has(page, "<td class=\"number\">0</td><td class=\"number exposed\">2</td>"));
  EXPECT_TRUE(
      has(page, "part=&lt;c&gt;</td><td>exact</td><td class=\"number\">[1, 1]</td><td>1</td>"));
  EXPECT_TRUE(has(page, "at most total - (part a + part b"));
  EXPECT_TRUE(has(page, "Of 4 requirements checked, 2 hold; in 2 too much can be worked out"));

  const Draft safe = testing::withholding({2, 3, 4, 5});
  const AuditReport held = testing::audit(problem, safe);
  const std::string good = office_page(*problem, safe, held, {});
  EXPECT_TRUE(has(good, "<td class=\"number protected\">2</td><td class=\"number\">0</td>"));
  EXPECT_TRUE(has(good, "other tables that fit all that is published"));
  EXPECT_TRUE(has(good, "In all 4 cases enough remains open."));
}

TEST(PublicPage, LeavesOutWhatNobodyPublishesAndAllKinds) {
  const auto problem = make_problem_of_counts();
  const Draft draft = testing::withholding({2, 3, 4, 5});
  const auto release = Auditor(problem).release(draft, {}, RunContext{});
  ASSERT_TRUE(release) << release.error().text();
  const std::string open = public_page(*release, {"t", "suppress", "9.9.9", "2026-01-02"});
  EXPECT_NE(open.find("\"state\":\"eewww\""), std::string::npos);
  EXPECT_NE(open.find("3 of 5 cells"), std::string::npos);
  EXPECT_NE(open.find("Which of the two is not said."), std::string::npos);
  EXPECT_EQ(open.find("kinds-part"), std::string::npos);
  const std::string office = office_page(*problem, draft, release->report(), {});
  EXPECT_NE(office.find("\"state\":\"eewwww\""), std::string::npos);
}

TEST(OfficePage, SaysWhatAReaderWouldGuess) {
  const auto problem = make_problem_of_large_numbers();
  Draft draft;
  for (const std::int32_t c : {14, 16, 20, 22}) {
    const Units value = problem->table().value(CellId{c});
    draft.publish_interval(CellId{c}, {value - 5'000'000, value + 5'000'000});
  }
  OfficePage page;
  page.near_percent = 2.5;
  page.guesses = {{"near guesses before", "7"}};
  const std::string html = office_page(*problem, draft, testing::audit(problem, draft), page);
  const auto has = [&](const std::string& name, const std::string& value) {
    return html.find("<dt>" + name + "</dt><dd>" + value + "</dd>") != std::string::npos;
  };
  std::set<CellId> sensitive;
  for (const Requirement& need : problem->requirements())
    sensitive.insert(need.cell);
  const std::string all = std::to_string(sensitive.size()) + " (100.0%)";
  EXPECT_TRUE(has("best guess within 2.5% of the truth", all));
  EXPECT_TRUE(has("best guess equal to the truth", all));
  EXPECT_TRUE(has("an end of the interval is the truth", "0 (0.0%)"));
  EXPECT_TRUE(has("near guesses before", "7"));
}

TEST(OfficePage, BeginsInPlainWords) {
  const auto problem = make_problem_of_large_numbers();
  OfficePage page;
  page.cost = 1234567;
  page.bound = 1222222;
  page.unit = "thousand euro";
  const Draft draft = testing::withholding({14, 16, 20, 22});
  const std::string html = office_page(*problem, draft, testing::audit(problem, draft), page);
  for (const char* words :
       {"2 sensitive cells",
        "4 of 36 cells",
        "2 cells are withheld because they are sensitive, and 2 more because",
        "In all 2 cases enough remains open.",
        "It is proven that, by the measure of the run, the best release that meets what "
        "was asked of it is at most 1% cheaper.",
        "Numbers in thousand euro.",
        "1,234,567"})
    EXPECT_NE(html.find(words), std::string::npos) << words;
}

TEST(OfficePage, CountsTheNumbersThatWereMoved) {
  const auto problem = make_problem_of_large_numbers();
  Draft draft;
  draft.set_adjusted(true);
  constexpr Units kMove = 4'000'001;
  for (std::int32_t c = 0; c < problem->table().num_cells(); ++c)
    draft.publish_adjusted(CellId{c}, problem->table().value(CellId{c}));
  for (const auto& [c, up] : {std::pair{14, true}, {16, false}, {20, false}, {22, true}}) {
    const Units value = problem->table().value(CellId{c});
    draft.publish_adjusted(CellId{c}, up ? value + kMove : value - kMove);
  }
  const std::string html = office_page(*problem, draft, testing::audit(problem, draft), {});
  EXPECT_NE(html.find("4 of 36 cells (11.1%) differ from the truth"), std::string::npos);
}

TEST(OfficePage, ATableWithoutSensitiveCellsSaysSo) {
  const auto problem = testing::problem_of(
      testing::two_way({{10, 20, 30}, {30, 40, 70}, {40, 60, 100}}, {0, 200}), {});
  const std::string html = office_page(*problem, {}, testing::audit(problem, {}), {});
  for (const char* words : {"No sensitive cell",
                            "No requirement is stated for any cell.",
                            "Nothing was asked",
                            "this page does not say that the table is safe to publish",
                            "All 9 cells"})
    EXPECT_NE(html.find(words), std::string::npos) << words;
  for (const char* claim : {"Safe, and checked", "\u2713", "card protected", "enough remains open"})
    EXPECT_EQ(html.substr(0, html.find("<script")).find(claim), std::string::npos) << claim;
  EXPECT_EQ(html.find("id=\"sensitive\""), std::string::npos);
}

// Many attackers of one cell do not make the page many times as large.
TEST(OfficePage, TellsOfFewAttackersWhoseRequirementsHold) {
  const auto base = make_problem_of_large_numbers();
  ProblemParts parts = base->parts();
  for (std::int32_t k = 1; k <= 40; ++k) {
    parts.attackers.push_back({"reader-" + std::to_string(k), {}});
    parts.requirements.push_back({CellId{14}, k, 1, 1, 0});
  }
  std::sort(parts.requirements.begin(),
            parts.requirements.end(),
            [](const Requirement& a, const Requirement& b) {
              return a.cell != b.cell ? a.cell < b.cell : a.attacker < b.attacker;
            });
  const auto shared = std::make_shared<const Problem>(assemble_problem(std::move(parts)).value());
  const auto readers_of = [&](const Draft& draft) {
    const std::string html = office_page(*shared, draft, testing::audit(shared, draft), {});
    std::size_t found = 0;
    for (std::int32_t k = 1; k <= 40; ++k)
      found += html.find("\"reader-" + std::to_string(k) + "\"") != std::string::npos ? 1U : 0U;
    return found;
  };
  EXPECT_LE(readers_of(testing::withholding({14, 16, 20, 22})), 6U);
  EXPECT_EQ(readers_of(testing::withholding({14, 16})), 40U);  // none of them is confirmed
}

TEST(Pages, LinkedTablesHaveTheirNames) {
  const auto problem = make_problem_of_large_numbers();
  const Draft draft = testing::withholding({14, 16, 20, 22});
  const std::vector<LinkedTable> tables{{"by <row>", {0}}, {"by column", {1}}};
  OfficePage page;
  page.tables = tables;
  const std::string office = office_page(*problem, draft, testing::audit(problem, draft), page);
  const auto release = Auditor(problem).release(draft, {}, RunContext{});
  ASSERT_TRUE(release);
  const std::string open =
      public_page(*release, {"t", "suppress", "9.9.9", "2026-01-02", tables, "euro"});
  for (const std::string& html : {office, open}) {
    EXPECT_NE(html.find("by &lt;row&gt;"), std::string::npos);
    EXPECT_NE(html.find("\"name\":\"by column\",\"dimensions\":[1]"), std::string::npos);
  }
  EXPECT_EQ(open.find("sensitive</th>"), std::string::npos);
}

TEST(OfficePage, SaysWhatIsExposed) {
  const auto problem = make_problem_of_large_numbers();
  const Draft draft = testing::withholding({14, 16});
  const AuditReport report = testing::audit(problem, draft);
  const std::string html = office_page(*problem, draft, report, {});
  EXPECT_NE(html.find("class=\"verdict exposed\""), std::string::npos);
  EXPECT_EQ(html.find("class=\"verdict protected\""), std::string::npos);
}

TEST(OfficePage, LoadsNothingFromElsewhere) {
  const auto problem = make_problem_of_large_numbers();
  const Draft draft = testing::withholding({14, 16, 20, 22});
  const std::string html = office_page(*problem, draft, testing::audit(problem, draft), {});
  for (const char* part : {"src=", "url(", "@import", "https://", "fetch("})
    EXPECT_EQ(html.find(part), std::string::npos) << part;
  for (std::size_t at = html.find("href="); at != std::string::npos;
       at = html.find("href=", at + 1))
    EXPECT_EQ(html.substr(at, 7), "href=\"#") << "only places of the page itself";
}

}  // namespace
}  // namespace lacuna::report

// SPDX-License-Identifier: Apache-2.0
// What a column of a release tells besides its cells: nothing if it is computed from them, else all
// its true numbers.
#include "app/load/together.h"

#include <gtest/gtest.h>

#include "read_table.h"

namespace lacuna::load {
namespace {

using testing::branches;
using testing::cell_at;

// Percentages without decimals of 200 = 101 + 59 + 40, which are 51, 30 and 20.
struct Percentages {
  Problem problem = branches({200, 101, 59, 40});
  std::vector<DerivedColumn> columns;

  Percentages() {
    Together together;
    JobSpec::Derived& said = together.derived.emplace_back();
    said.name = "pct";
    said.type = "percentage";
    said.decimals = 0;
    together.places.emplace_back("job.toml:9:1");
    together.populations.emplace_back();
    columns = attach(problem, together).value().columns;
  }

  CellId cell(const char* code) const { return cell_at(problem.table(), code); }

  // Rounded to tens: 200, 100, 60, 40, whose percentages are 50, 30 and 20.
  Draft rounded() const {
    Draft draft;
    for (const auto& [code, value] :
         {std::pair("all", 200), {"a", 100}, {"b", 60}, {"c", 40}})
      draft.set({cell(code), Rounded{value, 10}});
    return draft;
  }

  Result<DerivedChoice> choice(const std::vector<std::pair<const char*, Units>>& numbers,
                               const Draft& draft) const {
    ReadColumns read;
    auto& column = read.columns.emplace_back().emplace();
    for (const auto& [code, printed] : numbers)
      column.push_back({static_cast<std::size_t>(cell(code).value), printed, "pub.csv:2:3"});
    return choice_of(read, columns, problem.table(), draft);
  }

  // Codes of the numbers that are judged.
  std::string judged(const std::vector<std::pair<const char*, Units>>& numbers,
                     const Draft& draft) const {
    const auto made = choice(numbers, draft);
    if (!made)
      return made.error().text();
    std::string codes;
    for (const char* code : {"all", "a", "b", "c"})
      codes += (*made)[0] && (*(*made)[0])[static_cast<std::size_t>(cell(code).value)] ? code : "";
    return codes;
  }
};

TEST(ChoiceOf, NumbersOfThePublishedCellsTellNothing) {
  const Percentages table;
  EXPECT_EQ(table.judged({{"a", 50}, {"b", 30}, {"c", 20}}, table.rounded()), "");
  EXPECT_EQ(table.judged({{"a", 51}, {"b", 30}, {"c", 20}}, Draft()), "") << "both parts are open";
}

TEST(ChoiceOf, OneThatIsNotOfThemMakesAllTrueOnesTell) {
  const Percentages table;
  // 30 and 20 are the percentages of the rounded counts, too: whoever sees 51 knows that they are
  // those of the true ones.
  EXPECT_EQ(table.judged({{"a", 51}, {"b", 30}, {"c", 20}}, table.rounded()), "abc");
  // Those of the published numbers alone, and not true, tell nothing.
  EXPECT_EQ(table.judged({{"a", 50}, {"b", 30}}, table.rounded()), "");
}

TEST(ChoiceOf, NumbersBesideBlanksAreJudged) {
  const Percentages table;
  Draft draft;
  draft.withhold(table.cell("a"));
  draft.withhold(table.cell("b"));
  EXPECT_EQ(table.judged({{"a", 51}, {"c", 20}}, draft), "a");
  EXPECT_EQ(table.judged({{"c", 20}}, draft), "");
}

TEST(ChoiceOf, WhatIsNeitherIsAnError) {
  const Percentages table;
  EXPECT_EQ(table.judged({{"a", 52}, {"b", 30}}, table.rounded()),
            "pub.csv:2:3: the number is not the one that follows from the table by [[derived]] "
            "'pct'; check its parts, decimals and rounding");
}

TEST(DerivedTexts, AreOfThePublishedNumbersOrTheChoice) {
  const Percentages table;
  const auto shown = derived_texts(table.columns[0], {}, table.problem.table(), table.rounded());
  EXPECT_EQ(shown[static_cast<std::size_t>(table.cell("a").value)], "50");
  Draft draft;
  draft.withhold(table.cell("a"));
  std::vector<bool> chosen(4, false);
  EXPECT_EQ(derived_texts(table.columns[0], chosen, table.problem.table(), draft)
                [static_cast<std::size_t>(table.cell("a").value)],
            "");
  chosen[static_cast<std::size_t>(table.cell("a").value)] = true;
  EXPECT_EQ(derived_texts(table.columns[0], chosen, table.problem.table(), draft)
                [static_cast<std::size_t>(table.cell("a").value)],
            "51");
}

}  // namespace
}  // namespace lacuna::load

// SPDX-License-Identifier: Apache-2.0
// Records as they come: every kind of trouble of every column in one error, and the rules by which
// they are read all the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/base/confidential.h"
#include "core/base/random.h"
#include "core/base/spelling.h"
#include "lacuna/tabulate.h"
#include "unit/tabulate/cells.h"

namespace lacuna::tabulation {
namespace {

using Row = std::vector<std::string>;

const std::vector<std::string> kColumns{"no", "act", "size", "x", "id"};

TabulateOptions strict_options() {
  const auto size = Dimension::build("SIZE", {"all", "s", "l"}, {{0, {1, 2}}});
  EXPECT_TRUE(size);
  TabulateOptions options;
  options.dimensions = {digit_dimension("ACT", "act", {1, 1}), given_dimension(*size, "size")};
  options.value = "x";
  options.decimals = 1;
  options.respondent = "id";
  return options;
}

std::string text_of(const Error& error) {
  return base::as_in_files(base::in_full(error.text()));
}

std::string error_of_rows(const std::vector<Row>& rows, const TabulateOptions& options) {
  RowRecords records(kColumns, rows);
  const auto result = tabulate(records, options, {});
  EXPECT_FALSE(result);
  return result ? "" : text_of(result.error());
}

TEST(BrokenRecords, AllTroublesOfAllColumnsInOneGo) {
  const std::vector<Row> rows{{"1", "11", "s", "1", "p"},
                              {"2", "", "s", "2", "p"},
                              {"3", "12", "x", "3.25", "q"},
                              {"4", "1", "s", "4", ""},
                              {"5", "12", "y", "many", "q"},
                              {"6", "12", "x", "-1", "q"},
                              {"7", "12", "all", "", "q"}};
  EXPECT_EQ(
      error_of_rows(rows, strict_options()),
      "record 2, column act: 6 of 7 records cannot be used as they are, and this is the first "
      "of them:\n"
      "  column act: 1 record without a code of dimension ACT (record 2, column act): missing "
      "= \"drop\" or \"code\" in its [[dimension]]\n"
      "  column act: 1 record with a code shorter than the 2 characters of the levels of "
      "dimension ACT ('1' in record 4, column act): missing_values = [\"<code>\"] in its "
      "[[dimension]], or unknown = \"drop\" or \"missing\" in its [[dimension]]\n"
      "  column size: 3 records with a code that dimension SIZE does not have (first 'x' in "
      "record 3, column size, 'y' in record 5, column size): unknown = \"drop\" or "
      "\"missing\" in its [[dimension]]\n"
      "  column size: 1 record with a total of dimension SIZE for a code ('all' in record 7, "
      "column size): unknown = \"drop\" or \"missing\" in its [[dimension]]\n"
      "  column x: 1 record without a value (record 7, column x): empty_value = \"zero\" or "
      "\"drop\" in [input]\n"
      "  column x: 1 record with something that is not a number ('many' in record 5, column "
      "x): correct them\n"
      "  column x: 1 record with a number of more than 1 decimals ('3.25' in record 3, column "
      "x): allow more, or say round = true in [input]\n"
      "  column x: 1 record with a value below zero (record 6, column x): negative = true in "
      "[input]\n"
      "  column id: 1 record without a respondent (record 4, column id): "
      "missing_respondent = \"drop\" or \"own\" in [columns]");
}

TEST(BrokenRecords, NamesOfRespondentsAreNeverShown) {
  TabulateOptions options = strict_options();
  options.unique = {"id"};
  const std::string text =
      error_of_rows({{"1", "11", "s", "1", "Qorvex"}, {"2", "11", "s", "1", "Qorvex"}}, options);
  EXPECT_EQ(text,
            "record 2, column id: the record repeats an earlier one: say duplicates = \"drop\" or "
            "\"keep\" in [input] (the first: record 1, column id)");
}

TEST(BrokenRecords, RulesReadThemAllTheSame) {
  TabulateOptions options = strict_options();
  options.dimensions[0].unknown = UnknownPolicy::kDrop;
  options.dimensions[1].unknown = UnknownPolicy::kMissing;
  options.dimensions[1].missing = {MissingPolicy::kCode, {}, "l"};
  options.missing_respondent = RespondentPolicy::kOwn;
  options.unique = {"no"};
  options.duplicates = DuplicatePolicy::kDrop;
  RowRecords records(kColumns,
                     {{"1", "11", "s", "1", "p"},
                      {"2", "1", "s", "2", "p"},
                      {"3", "12", "x", "4", ""},
                      {"4", "12", "", "8", ""},
                      {"1", "12", "s", "16", "q"}});
  std::string log;
  RunContext run;
  run.log = [&](std::string_view line) { log += std::string(line) + "\n"; };
  const auto result = tabulate(records, options, run);
  ASSERT_TRUE(result) << text_of(result.error());
  const auto cells = cells_by_name(*result);
  EXPECT_EQ(cells.at({"Total", "all"}).value, 130);
  EXPECT_EQ(cells.at({"Total", "all"}).contributors, 3);
  EXPECT_EQ(cells.at({"12", "l"}).contributors, 2);
  EXPECT_EQ(log,
            "tabulate: 5 records, 2 of them dropped (1 with an unknown code of ACT, 1 repeating an "
            "earlier one), 10 cells\ntabulate: 2 records have no respondent: each is taken as the "
            "record of a respondent of its own\n");
}

TEST(BrokenRecords, DuplicatesThatAreKeptAreSaid) {
  TabulateOptions options = strict_options();
  options.unique = {"no", "act"};
  options.duplicates = DuplicatePolicy::kKeep;
  RowRecords records(kColumns,
                     {{"1", "11", "s", "1", "p"},
                      {"11", "1", "s", "1", "p"},
                      {"1", "11", "s", "1", "p"},
                      {"1", "11", "s", "2", "q"}});
  options.dimensions[0].unknown = UnknownPolicy::kDrop;
  std::string last;
  RunContext run;
  run.log = [&](std::string_view line) { last = line; };
  const auto result = tabulate(records, options, run);
  ASSERT_TRUE(result) << text_of(result.error());
  EXPECT_EQ(cells_by_name(*result).at({"11", "s"}).value, 40);
  EXPECT_EQ(last, "tabulate: 2 records are repeated and counted anyway");
}

TEST(BrokenRecords, CodesLongerThanTheLevelsAreCut) {
  TabulateOptions options = strict_options();
  RowRecords records(
      kColumns,
      {{"1", "1101", "s", "1", "p"}, {"2", "1102", "s", "2", "q"}, {"3", "1201", "l", "4", "p"}});
  std::string log;
  RunContext run;
  run.log = [&](std::string_view line) { log += std::string(line) + "\n"; };
  const auto result = tabulate(records, options, run);
  ASSERT_TRUE(result) << text_of(result.error());
  EXPECT_EQ(cells_by_name(*result).at({"11", "s"}).value, 30);
  EXPECT_EQ(cells_by_name(*result).at({"11", "s"}).contributors, 2);
  EXPECT_TRUE(
      log.starts_with("dimension ACT: 3 codes are cut to the 2 characters of its levels: "
                      "the table is coarser than the records\n"))
      << log;
  options.dimensions[0].longer = LongerPolicy::kError;
  EXPECT_TRUE(error_of_rows({{"1", "1101", "s", "1", "p"}}, options)
                  .ends_with("has 4 characters, but its levels have 2: correct it, or say longer = "
                             "\"cut\" in its [[dimension]]"));
}

// Nobody has said that they are to be cut, and a code too long may be a slip.
TEST(BrokenRecords, CodesOfSeveralLengthsAreCutOnDemandAlone) {
  TabulateOptions options = strict_options();
  const std::vector<Row> rows{{"1", "110", "s", "1", "p"}, {"2", "12", "s", "2", "q"}};
  EXPECT_EQ(
      error_of_rows(rows, options),
      "dimension ACT: the levels have 2 characters, but the codes are 1 of 2 characters (such "
      "as '12'), 1 of 3 characters (such as '110'): say longer = \"cut\" in its "
      "[[dimension]] if the table is coarser than the records, or unknown = \"drop\" or "
      "\"missing\" in its [[dimension]] with longer = \"error\"");
  options.dimensions[0].longer = LongerPolicy::kCut;
  RowRecords records(kColumns, rows);
  const auto result = tabulate(records, options, {});
  ASSERT_TRUE(result) << text_of(result.error());
  EXPECT_EQ(cells_by_name(*result).at({"11", "s"}).value, 10);
}

TEST(BrokenRecords, ColumnsThatContradictEachOtherAreShownAsPairs) {
  TabulateOptions options = strict_options();
  options.dimensions = {nested_dimension("ACT", {{"act", "size"}})};
  EXPECT_EQ(error_of_rows({{"1", "A", "x", "1", "p"},
                           {"2", "B", "x", "1", "p"},
                           {"3", "C", "x", "1", "p"},
                           {"4", "A", "y", "1", "p"},
                           {"5", "B", "y", "1", "p"}},
                          options),
            "dimension ACT: the code 'x' stands below all of 'A', 'B' and 'C'; 'y' stands below "
            "both 'A' and 'B'");
}

TEST(BrokenRecords, KeysAreMadeFromASeedWhereThereAreNone) {
  const std::vector<Row> rows{{"1", "11", "s", "1", "p"}, {"2", "11", "l", "2", "q"}};
  const auto keys = [&](std::uint64_t seed) {
    TabulateOptions options = strict_options();
    options.value = "";
    options.keys.seed = seed;
    options.keys.modulus = 256;
    options.keys.is_decimal = false;
    RowRecords records(kColumns, rows);
    const auto result = tabulate(records, options, {});
    EXPECT_TRUE(result);
    return result->keys->keys;
  };
  EXPECT_EQ(keys(1), keys(1));
  EXPECT_NE(keys(1), keys(2));
  for (const std::uint64_t key : keys(3))
    EXPECT_LT(key, 256U);
}

// ---- any number of records, broken in any way

struct Broken {
  std::vector<Row> rows, clean;               // clean: what the rules leave, by hand
  std::map<std::string, std::int64_t> kinds;  // a text of the error's line, and how many records
};

Broken draw(base::Random& random) {
  Broken drawn;
  const auto count = random.between(2, 400);
  for (std::int64_t i = 0; i < count; ++i) {
    Row row{std::to_string(i),
            std::to_string(random.between(11, 19)),
            random.chance(1, 2) ? "s" : "l",
            std::to_string(random.between(0, 99)),
            "R" + std::to_string(random.between(1, 30))};
    const auto kind = random.between(0, 30);
    bool gone = true;
    if (kind == 0) {
      row[1] = "";
      ++drawn.kinds["without a code of dimension ACT"];
    } else if (kind == 1) {
      row[1] = "7";
      ++drawn.kinds["with a code shorter than"];
    } else if (kind == 2) {
      row[2] = "?" + std::to_string(random.between(1, 5));
      ++drawn.kinds["with a code that dimension SIZE does not have"];
    } else if (kind == 3) {
      row[3] = "";
      ++drawn.kinds["without a value"];
    } else if (kind == 4) {
      row[4] = "";
      ++drawn.kinds["without a respondent"];
    } else if (kind == 5 && !drawn.rows.empty()) {
      row = drawn.rows[static_cast<std::size_t>(
          random.between(0, static_cast<std::int64_t>(drawn.rows.size()) - 1))];
      if (row[1].size() == 2 && row[2].front() != '?' && !row[3].empty() && !row[4].empty())
        ++drawn.kinds["repeating an earlier one"];
      else
        continue;
    } else {
      gone = false;
    }
    drawn.rows.push_back(row);
    if (!gone)
      drawn.clean.push_back(row);
  }
  return drawn;
}

TabulateOptions with_rules() {
  TabulateOptions options = strict_options();
  options.dimensions[0].missing.policy = MissingPolicy::kDrop;
  options.dimensions[0].unknown = UnknownPolicy::kDrop;
  options.dimensions[1].unknown = UnknownPolicy::kDrop;
  options.empty_value = EmptyValue::kDrop;
  options.missing_respondent = RespondentPolicy::kDrop;
  options.unique = {"no"};
  options.duplicates = DuplicatePolicy::kDrop;
  return options;
}

TEST(BrokenRecords, AnyBreakageIsCountedAndTheRulesLeaveTheRest) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    base::Random random(seed);
    const Broken drawn = draw(random);
    if (drawn.clean.empty())
      continue;
    TabulateOptions strict = strict_options();
    strict.unique = {"no"};
    RowRecords all(kColumns, drawn.rows);
    const auto refused = tabulate(all, strict, {});
    ASSERT_EQ(static_cast<bool>(refused), drawn.kinds.empty());
    std::int64_t troubles = 0;
    for (const auto& [what, count] : drawn.kinds)
      troubles += count;
    if (troubles > 1) {
      const std::string text = text_of(refused.error());
      for (const auto& [what, count] : drawn.kinds) {
        EXPECT_NE(text.find(std::to_string(count) + (count == 1 ? " record " : " records ") + what),
                  std::string::npos)
            << what << " " << count << "\n"
            << text;
      }
      EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
                static_cast<std::ptrdiff_t>(drawn.kinds.size()))
          << text;
      EXPECT_NE(text.find(std::to_string(troubles) + " of " + std::to_string(drawn.rows.size())),
                std::string::npos)
          << text;
    }
    RowRecords broken(kColumns, drawn.rows);
    RowRecords clean(kColumns, drawn.clean);
    const auto by_rules = tabulate(broken, with_rules(), {});
    const auto by_hand = tabulate(clean, strict_options(), {});
    ASSERT_TRUE(by_rules) << text_of(by_rules.error());
    ASSERT_TRUE(by_hand) << text_of(by_hand.error());
    const auto ruled = cells_by_name(*by_rules);  // a code of a dropped record is one, if no cell
    const auto cleaned = cells_by_name(*by_hand);
    ASSERT_EQ(ruled.size(), cleaned.size());
    for (const auto& [names, facts] : cleaned) {
      ASSERT_TRUE(ruled.contains(names));
      EXPECT_EQ(ruled.at(names).value, facts.value);
      EXPECT_EQ(ruled.at(names).contributors, facts.contributors);
      EXPECT_EQ(ruled.at(names).records, facts.records);
    }
  }
}

}  // namespace
}  // namespace lacuna::tabulation

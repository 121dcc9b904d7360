// SPDX-License-Identifier: Apache-2.0
// Jobs written by hand and changed by a form: one value is set, and comments, order and digits
// stay.
#include "data/spec/spec_edit.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "core/base/random.h"

namespace lacuna::spec {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string kJob = R"(# Sales of last year.
[input]
table = "sales.csv"  # from the warehouse
round_totals = 12345678901234567

[[dimension]]
name = "product"
# Products have groups.
[dimension.tree]
"Total" = ["9", "10"]  # all
"9" = ["91", "92"]
"10" = ["a # b"]

# The office's rules.
[[rule]]
type = "frequency"
n = 3  # contributors

# Added in May.
[[rule]]
type = "p-percent"
p = 10.50
# The end.
)";

SpecValue value_of(const std::string& text) {
  return in_lists(value_from_toml(text, "job.toml").value());
}

SpecValue& at(SpecValue& table, const std::string& key) {
  return std::find_if(table.members.begin(),
                      table.members.end(),
                      [&](const SpecValue::Member& member) { return member.key == key; })
      ->value;
}

TEST(SpecEdit, OneKeyChangesAndAllElseStays) {
  SpecValue job = value_of(kJob);
  at(at(job, "rule").items[0], "n") = number_value("8");
  const EditedText edited = edited_toml(kJob, job).value();
  EXPECT_EQ(edited.text, R"(# Sales of last year.
[input]
table = "sales.csv"  # from the warehouse
round_totals = 12345678901234567

[[dimension]]
name = "product"
# Products have groups.
[dimension.tree]
"Total" = ["9", "10"]  # all
"9" = ["91", "92"]
"10" = ["a # b"]

# The office's rules.
[[rule]]
type = "frequency"
n = 8  # contributors

# Added in May.
[[rule]]
type = "p-percent"
p = 10.50
# The end.
)");
  EXPECT_THAT(edited.lost, IsEmpty());
}

// A page has numbers as doubles and no order of keys that are numbers.
TEST(SpecEdit, NumbersAndOrderAreThoseOfTheText) {
  SpecValue job = value_of(kJob);
  at(at(job, "input"), "round_totals") = number_value("12345678901234568");
  at(at(job, "rule").items[1], "p") = number_value("10.5");
  SpecValue& tree = at(at(job, "dimension").items[0], "tree").items[0];
  std::rotate(tree.members.begin(), tree.members.begin() + 1, tree.members.end());
  std::reverse(job.members.begin(), job.members.end());
  EXPECT_EQ(edited_toml(kJob, job).value().text, kJob);
}

TEST(SpecEdit, CommentsGoWithWhatIsTakenOutAndAreTold) {
  SpecValue job = value_of(kJob);
  SpecValue& rules = at(job, "rule");
  rules.items.erase(rules.items.begin());
  const EditedText edited = edited_toml(kJob, job).value();
  EXPECT_THAT(edited.lost, ElementsAre("# The office's rules.", "# contributors"));
  EXPECT_THAT(edited.text, HasSubstr("\n# Added in May.\n[[rule]]\ntype = \"p-percent\"\n"));
  EXPECT_THAT(edited.text, Not(HasSubstr("frequency")));
}

TEST(SpecEdit, CommentsInsideOfLongValuesStayBeforeThem) {
  const std::string text =
      "[columns]\nlargest = [\n  \"a\",  # one\n  # two\n  \"b\"]\nvalue = \"v\"\n";
  const EditedText edited = edited_toml(text, value_of(text)).value();
  EXPECT_EQ(edited.text, "[columns]\n# one\nlargest = [\"a\", \"b\"]\n# two\nvalue = \"v\"\n");
  EXPECT_THAT(edited.lost, IsEmpty());
}

TEST(SpecEdit, TreesAsPairs) {
  const std::string text = "[[dimension]]\nname = \"d\"\n";
  const SpecValue job =
      value_from_json(R"({"dimension":[{"name":"d","tree":[["Total",["2","1"]],["2",["21"]]]}]})",
                      "job.json")
          .value();
  EXPECT_EQ(edited_toml(text, job).value().text,
            text + "[dimension.tree]\n\"Total\" = [\"2\", \"1\"]\n\"2\" = [\"21\"]\n");
}

TEST(SpecEdit, WhatIsNoSectionComesFirst) {
  SpecValue job = table_value();
  add_member(job, "input", table_value());
  add_member(job, "decimals", number_value("2"));
  EXPECT_EQ(toml_of(job), "decimals = 2\n\n[input]\n");
}

TEST(SpecEdit, NumbersOfTomlThatJsonDoesNotHaveAreTexts) {
  const SpecValue value =
      value_of("[a]\nb = [+1.5, inf, -0.5, 1e3, 2.5E-1, 0.0, 999999999999999989, 0x10, 1_000]\n");
  EXPECT_EQ(json_of(value),
            R"({"a":{"b":["+1.5","inf",-0.5,1e3,2.5E-1,0.0,999999999999999989,16,1000]}})");
}

TEST(SpecEdit, Lines) {
  const auto lines = lines_of(value_of(kJob));
  EXPECT_EQ(lines.at("input"), 2);
  EXPECT_EQ(lines.at("dimension[0]"), 6);
  EXPECT_EQ(lines.at("dimension[0].tree[0].9"), 11);
  EXPECT_EQ(lines.at("rule[1]"), 20);
  EXPECT_EQ(lines.at("rule[1].p"), 22);
}

TEST(SpecEdit, ATextThatIsNoTomlSaysWhere) {
  const auto edited = edited_toml("[input\n", table_value());
  ASSERT_FALSE(edited);
  EXPECT_THAT(edited.error().where, HasSubstr("job.toml:1:"));
}

// Keys set and taken out in turn: what was set is what is read, and nothing else has changed.
TEST(SpecEdit, ManyChangesInTurn) {
  base::Random random(7);
  std::string text = kJob;
  for (int k = 0; k < 300; ++k) {
    SpecValue job = value_of(text);
    SpecValue& section =
        random.chance(1, 2) ? at(job, "input") : at(job, "rule").items[random.chance(1, 2) ? 1 : 0];
    const std::string key = "key" + std::to_string(random.between(0, 3));
    std::erase_if(section.members, [&](const auto& member) { return member.key == key; });
    if (random.chance(2, 3))
      add_member(section, key, number_value(std::to_string(random.between(0, 99))));
    const EditedText edited = edited_toml(text, job).value();
    EXPECT_EQ(edited_toml(edited.text, job).value().text, edited.text);
    EXPECT_EQ(json_of(value_of(edited.text)).size(), json_of(job).size());
    EXPECT_THAT(edited.lost, IsEmpty());
    EXPECT_EQ(std::count(edited.text.begin(), edited.text.end(), '#'),
              std::count(kJob.begin(), kJob.end(), '#'));
    text = edited.text;
  }
}

}  // namespace
}  // namespace lacuna::spec

// SPDX-License-Identifier: Apache-2.0
#include "data/infer/table_guess.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/base/confidential.h"
#include "data/files/number_style.h"
#include "data/files/text_encoding.h"
#include "data/infer/csv_guess.h"
#include "data/infer/sum_guess.h"
#include "data/jobfile/job_file.h"
#include "data/publish/column_output.h"
#include "support/random_problem.h"

namespace lacuna::infer {
namespace {

using ::lacuna::testing::seed_in_use;

Result<jobfile::Job> read_alone(const std::string& csv) {
  LACUNA_TRY(GuessedJob job, guess_job(csv, "t.csv", "t.csv"));
  return jobfile::read_job_text(
      std::move(job.text()), "t.csv", [&](const std::string&) { return Result<std::string>(csv); });
}

std::string guess_error(const std::string& csv) {
  const auto job = guess_job(csv, "t.csv", "t.csv");
  return job ? "read as:\n" + job->text() : base::in_full(job.error().text());
}

TEST(NumberStyle, ReadsWhatOfficesWrite) {
  EXPECT_EQ(files::plain_number("1 234,50", {',', " "}), "1234.50");
  EXPECT_EQ(files::plain_number("1\xC2\xA0"
                                "234",
                                {',', " "}),
            "1234");
  EXPECT_EQ(files::plain_number("1.234.567", {',', "."}), "1234567");
  EXPECT_EQ(files::plain_number("-1'234.5", {'.', "'"}), "-1234.5");
  EXPECT_EQ(files::plain_number("1.5e3", {}), "1.5e3");
  EXPECT_FALSE(files::plain_number("1.23.456", {',', "."}));
  EXPECT_FALSE(files::plain_number("12345.678,0", {',', "."}).has_value() &&
               files::plain_number("12345.678,0", {',', "."}) == "12345678.0");
  EXPECT_FALSE(files::plain_number("1,5", {}));
  EXPECT_FALSE(files::plain_number("", {}));
  EXPECT_FALSE(files::plain_number("-", {}));
}

TEST(NumberStyle, SaysWhenTheTextsDoNotTell) {
  const auto styles = [](std::vector<std::string_view> texts) {
    return files::possible_styles(texts).size();
  };
  EXPECT_EQ(styles({"1.5"}), 1U);
  EXPECT_EQ(styles({"1.234"}), 2U);
  EXPECT_EQ(styles({"1,234"}), 2U);
  EXPECT_EQ(styles({"1,234", "0,5"}), 1U);
  EXPECT_EQ(styles({"1.234,5"}), 1U);
  EXPECT_EQ(styles({"1.5", "2,5"}), 0U);
}

TEST(TextEncoding, TurnsWhatSpreadsheetsWriteIntoUtf8) {
  EXPECT_EQ(files::likely_encoding("caf\xC3\xA9"), files::Encoding::kUtf8);
  EXPECT_EQ(files::likely_encoding("caf\xE9"), files::Encoding::kWindows1252);
  EXPECT_EQ(files::to_utf8("caf\xE9 \x80", files::Encoding::kWindows1252, "f").value(),
            "caf\xC3\xA9 \xE2\x82\xAC");
  EXPECT_EQ(files::to_utf8(std::string("\xFF\xFE"
                                       "a\0\xE9\0",
                                       6),
                           files::Encoding::kUtf16,
                           "f")
                .value(),
            "a\xC3\xA9");
  EXPECT_FALSE(files::to_utf8("\x81", files::Encoding::kWindows1252, "f"));
  EXPECT_FALSE(files::to_utf8(std::string("\xFF\xFE\0", 3), files::Encoding::kUtf16, "f"));
}

TEST(Separator, IsTheOneThatSplitsAllLinesAlike) {
  EXPECT_EQ(guess_separator("a;b;v\nx;y;1,5\nx;z;2,5\n", "f").value(), ';');
  EXPECT_EQ(guess_separator("a,b\nx,1\n", "f").value(), ',');
  EXPECT_EQ(guess_separator("a\tb\n\"x;y\"\t1\n", "f").value(), '\t');
  EXPECT_EQ(guess_separator("a|b\nx,y|1\nz,w|2\n", "f").value(), '|');
  EXPECT_FALSE(guess_separator("a b\nx y\n", "f"));
  EXPECT_FALSE(guess_separator("a,b;c\nx,y;z\n", "f"));  // both could be
}

TEST(SumGuess, FindsFlatTotalsAndTrees) {
  const auto flat = guess_tree({{"x", "All", "y"}, {{1, 2}, {4, 5}, {3, 3}}});
  ASSERT_TRUE(flat);
  EXPECT_TRUE(flat->flat);
  EXPECT_EQ(flat->total, "All");
  const auto deep = guess_tree({{"T", "A", "A1", "A2", "B"}, {{10}, {7}, {4}, {3}, {3}}});
  EXPECT_FALSE(deep);  // A2 and B are equal
  const auto tree = guess_tree(
      {{"T", "A", "B", "a", "b", "c"}, {{10, 9}, {7, 5}, {3, 4}, {2, 2}, {5, 3}, {3, 4}}});
  ASSERT_TRUE(tree) << tree.error().text();
  EXPECT_FALSE(tree->flat);
  ASSERT_EQ(tree->tree.relations.size(), 3U);
  EXPECT_EQ(tree->tree.relations[1], (files::NamedRelation{"A", {"a", "b"}}));
  EXPECT_EQ(tree->tree.relations[2], (files::NamedRelation{"B", {"c"}}));
  EXPECT_FALSE(guess_tree({{"T", "A", "a", "z"}, {{10}, {9}, {8}, {0}}}));
  EXPECT_FALSE(guess_tree({{"x", "y"}, {{1}, {2}}}));
}

TEST(TableGuess, ReadsATableAsItIs) {
  const auto job = read_alone(
      "region,size,TOT,N_OBS,MAX,secret\n"
      "All,T,\"1,120.5\",20,300,FALSE\nAll,s,620.5,12,300,FALSE\nAll,l,500,8,200,FALSE\n"
      "N,T,700,12,300,FALSE\nN,s,400,8,300,FALSE\nN,l,300,4,100,FALSE\n"
      "S,T,420.5,8,200,FALSE\nS,s,220.5,4,100,FALSE\nS,l,200,4,200,TRUE\n");
  ASSERT_TRUE(job) << job.error().text();
  const Table& table = job->problem.table();
  EXPECT_EQ(table.num_cells(), 9);
  EXPECT_EQ(table.dimensions()[0].code(table.dimensions()[0].total()), "All");
  EXPECT_EQ(table.dimensions()[1].code(table.dimensions()[1].total()), "T");
  EXPECT_EQ(table.decimals(), 1);
  EXPECT_EQ(table.value(CellId{0}), 11205);
  EXPECT_EQ(table.cell(CellId{8}).status, CellStatus::kPrimary);
  EXPECT_EQ(table.cell(CellId{0}).frequency, 20);
}

TEST(TableGuess, ReadsOtherEncodingsAndEndsOfLines) {
  const auto latin = read_alone("a;v;s\r\nT;10;s\r\ncaf\xE9;4;u\r\nx;5;s\r\ny;1;s\r\n");
  ASSERT_TRUE(latin) << latin.error().text();
  EXPECT_GE(latin->problem.table().dimensions()[0].find("caf\xC3\xA9"), 0);
  const auto marked = read_alone(
      "\xEF\xBB\xBF"
      "a;v;s\nT;10;s\nw;4;u\nx;5;s\ny;1;s\n");
  ASSERT_TRUE(marked) << marked.error().text();
  EXPECT_EQ(marked->problem.table().num_cells(), 4);
}

// What would take for ever or fill the memory is refused.
TEST(TableGuess, RefusesTablesThatAreTooThin) {
  std::string csv = "a;b;v\n";
  for (int i = 0; i < 30'000; ++i)
    csv += "x" + std::to_string(i) + ";y" + std::to_string(i / 2) + ";" +
           std::to_string(i % 9 + 1) + "\n";
  EXPECT_NE(guess_error(csv).find("too thin"), std::string::npos);
  std::string many = "a;v\nT;1\n";
  for (int i = 0; i < 6'000; ++i)
    many += "x" + std::to_string(i) + ";" + std::to_string(i % 7) + "\n";
  EXPECT_NE(guess_error(many).find("is not searched for"), std::string::npos);
}

TEST(TableGuess, ShowsTheCandidatesWhereItIsNotCertain) {
  EXPECT_NE(
      guess_error("a;v;w\nT;3;30\nx;1;10\ny;2;20\n").find("could be any of the columns 'v', 'w'"),
      std::string::npos);
  EXPECT_NE(guess_error("a;v\nT;3\nx;1\ny;1\n").find("the totals of column 'a' are not certain"),
            std::string::npos);
  EXPECT_NE(guess_error("a;v\nT;3.003\nx;1.001\ny;2.002\n").find("could be read with"),
            std::string::npos);
  EXPECT_NE(guess_error("a;v\nT;3\nx;1\nx;2\n").find("do not tell the rows apart"),
            std::string::npos);
  EXPECT_NE(guess_error("a;b\nx;y\nz;w\n").find("no column holds numbers"), std::string::npos);
}

// A table of one to three dimensions, each flat or a tree of two levels, with positive values; rows
// in any order.
struct RandomTable {
  std::vector<std::vector<files::NamedRelation>> relations;  // by dimension
  std::string csv;

  explicit RandomTable(base::Random& random) {
    const int dimensions = static_cast<int>(random.between(1, 3));
    for (int d = 0; d < dimensions; ++d)
      relations.push_back(random_relations(random, std::string(1, static_cast<char>('p' + d))));
    std::map<std::vector<std::string>, std::int64_t> cells;
    fill(random, {}, cells);
    std::vector<std::string> rows;
    for (const auto& [codes, value] : cells) {
      std::string row;
      for (const std::string& code : codes)
        row += code + ";";
      rows.push_back(row + std::to_string(value) + "\n");
    }
    for (std::size_t i = rows.size(); i > 1; --i)
      std::swap(
          rows[i - 1],
          rows[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i) - 1))]);
    for (int d = 0; d < dimensions; ++d)
      csv += "code" + std::to_string(d) + ";";
    csv += "amount\n";
    for (const std::string& row : rows)
      csv += row;
  }

 private:
  static std::vector<files::NamedRelation> random_relations(base::Random& random,
                                                            const std::string& name) {
    std::vector<files::NamedRelation> found{{"All", {}}};
    const bool deep = random.between(0, 1) == 1;
    const std::int64_t parts = random.between(deep ? 2 : 3, 6);
    for (std::int64_t i = 0; i < parts; ++i) {
      const std::string part = name + std::string(1, static_cast<char>('A' + i));
      found[0].children.push_back(part);
      if (!deep || random.between(0, 1) == 0)
        continue;
      files::NamedRelation below{part, {}};
      for (std::int64_t j = 0; j < random.between(2, 4); ++j)
        below.children.push_back(part + std::to_string(j));
      found.push_back(below);
    }
    return found;
  }

  std::vector<std::vector<std::string>> paths(std::size_t dimension) const {  // of all leaves
    std::vector<std::vector<std::string>> found;
    const auto& all = relations[dimension];
    for (const std::string& part : all[0].children) {
      const auto below =
          std::find_if(all.begin() + 1, all.end(), [&](const files::NamedRelation& each) {
            return each.parent == part;
          });
      if (below == all.end())
        found.push_back({part, all[0].parent});
      else
        for (const std::string& leaf : below->children)
          found.push_back({leaf, part, all[0].parent});
    }
    return found;
  }

  void fill(base::Random& random,
            const std::vector<std::vector<std::string>>& chosen,
            std::map<std::vector<std::string>, std::int64_t>& cells) {
    if (chosen.size() < relations.size()) {
      for (const auto& path : paths(chosen.size())) {
        auto more = chosen;
        more.push_back(path);
        fill(random, more, cells);
      }
      return;
    }
    const std::int64_t value = random.between(1, 1'000'000'000);
    std::vector<std::vector<std::string>> tuples{{}};
    for (const auto& path : chosen) {
      std::vector<std::vector<std::string>> next;
      for (const auto& tuple : tuples) {
        for (const std::string& code : path) {
          next.push_back(tuple);
          next.back().push_back(code);
        }
      }
      tuples = std::move(next);
    }
    for (const auto& tuple : tuples)
      cells[tuple] += value;
  }
};

std::set<std::pair<std::string, std::set<std::string>>> sums_of(const Dimension& dimension) {
  std::set<std::pair<std::string, std::set<std::string>>> sums;
  for (const Relation& relation : dimension.relations()) {
    std::set<std::string> children;
    for (const std::int32_t child : relation.children)
      children.insert(dimension.code(child));
    sums.emplace(dimension.code(relation.parent), children);
  }
  return sums;
}

TEST(TableGuess, FindsTheSumsOfRandomTables) {
  base::Random random(seed_in_use(16));
  int understood = 0;
  constexpr int kTables = 200;
  for (int i = 0; i < kTables; ++i) {
    const RandomTable table(random);
    const auto job = read_alone(table.csv);
    if (!job)
      continue;  // it said why
    ++understood;
    const auto& dimensions = job->problem.table().dimensions();
    ASSERT_EQ(dimensions.size(), table.relations.size());
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      std::set<std::pair<std::string, std::set<std::string>>> wanted;
      for (const files::NamedRelation& relation : table.relations[d])
        wanted.emplace(relation.parent,
                       std::set<std::string>(relation.children.begin(), relation.children.end()));
      EXPECT_EQ(sums_of(dimensions[d]), wanted) << table.csv;
    }
  }
  EXPECT_GT(understood, kTables * 9 / 10);
}

TEST(TableGuess, NumbersOfColumnFilesHaveAPoint) {
  const std::vector<publish::TextColumn> columns{
      {"region", columns::OutputKind::kText, {"All", "N", "S", "W"}},
      {"value", columns::OutputKind::kNumber, {"7.369", "3.123", "3.123", "1.123"}},
  };
  const auto bytes = publish::column_file(columns, {}, "t.arrow");
  ASSERT_TRUE(bytes) << bytes.error().text();
  const auto job = guess_job(*bytes, "t.arrow", "t.arrow");
  ASSERT_TRUE(job) << job.error().text();
  const auto read = jobfile::read_job_text(
      job->text(), "t.arrow", [&](const std::string&) { return Result<std::string>(*bytes); });
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->problem.table().decimals(), 3);
}

}  // namespace
}  // namespace lacuna::infer

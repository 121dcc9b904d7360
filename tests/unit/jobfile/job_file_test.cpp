// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/job_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "core/base/confidential.h"
#include "data/files/file.h"
#include "data/jobfile/problem_file.h"
#include "data/problems/jj.h"
#include "support/random_problem.h"
#include "support/test_data.h"

namespace lacuna::jobfile {
namespace {

using Files = std::map<std::string, std::string>;

FileLoader from(const Files& files) {
  return [&files](const std::string& name) -> Result<std::string> {
    const auto at = files.find(name);
    if (at == files.end())
      return Error{ErrorCode::kFileMissing, "the file does not exist", name};
    return at->second;
  };
}

const std::string kJob = R"([input]
table = "t.csv"
separator = ","

[columns]
value = "turnover"
frequency = "n"
status = "st"
lower_level = "lpl"
upper_level = "upl"

[defaults]
upper = 1000
weight = "value"

[[dimension]]
name = "NACE"
column = "nace"
hierarchy = "nace.hrc"

[[dimension]]
name = "REG"
total = "All"

[options]
time-limit = 60
method = "suppress"
exact = true
)";

const std::string kCsv =
    "nace,REG,turnover,n,st,lpl,upl\n"
    "Total,All,100.5,9,s,0,0\n"
    "A,All,60.5,5,s,0,0\n"
    "B,All,40,4,,,\n"
    "A1,All,20.25,2,u,2.5,3\n"
    "A2,All,40.25,3,S,0,0\n"
    "Total,N,60.5,5,s,0,0\n"
    "A,N,60.5,5,s,0,0\n"
    "A1,N,20.25,2,Unsafe,1,1\n"
    "A2,N,40.25,3,s,0,0\n"
    "Total,S,40,4,s,0,0\n"
    "B,S,40,4,z,0,0\n";

const std::string kHrc = "A\n@A1\n@A2\nB\n";

Files example_files() {
  return {{"t.csv", kCsv}, {"nace.hrc", kHrc}};
}

std::string replaced(std::string text, const std::string& from_text, const std::string& to) {
  const std::size_t at = text.find(from_text);
  EXPECT_NE(at, std::string::npos) << from_text;
  return text.replace(at, from_text.size(), to);
}

std::string error_of(const std::string& job, const Files& files) {
  const auto read = read_job_text(job, "job.toml", from(files));
  return read ? "no error" : base::in_full(read.error().text());
}

std::string with_job(const std::string& from_text, const std::string& to) {
  return error_of(replaced(kJob, from_text, to), example_files());
}

std::string with_csv(const std::string& from_text, const std::string& to) {
  Files files = example_files();
  files["t.csv"] = replaced(kCsv, from_text, to);
  return error_of(kJob, files);
}

TEST(JobFile, ReadsATableWithAHierarchy) {
  const Files files = example_files();
  const auto job = read_job_text(kJob, "job.toml", from(files));
  ASSERT_TRUE(job) << job.error().text();
  const Table& table = job->problem.table();
  EXPECT_EQ(table.num_cells(), 11);
  EXPECT_EQ(table.decimals(), 2);
  EXPECT_EQ(table.label(CellId{7}), "NACE=A1|REG=N");
  EXPECT_EQ(table.cell(CellId{7}).status, CellStatus::kPrimary);
  EXPECT_EQ(table.cell(CellId{3}).prior, (Bounds{0, 100000}));
  EXPECT_EQ(table.cell(CellId{3}).weight, 20.25);
  EXPECT_EQ(table.cell(CellId{3}).frequency, 2);
  EXPECT_EQ(table.cell(CellId{10}).status, CellStatus::kMustPublish);
  EXPECT_EQ(job->problem.requirements(),
            (std::vector<Requirement>{{CellId{3}, 0, 250, 300, 0}, {CellId{7}, 0, 100, 100, 0}}));
  ASSERT_EQ(job->options.size(), 3U);
  EXPECT_EQ(job->options[0].name, "time-limit");
  EXPECT_EQ(job->options[0].value, "60");
  EXPECT_EQ(job->options[0].where, "job.toml:26:1");
  EXPECT_EQ(job->options[2].value, "true");
}

TEST(JobFile, ComputesTotalsExactly) {
  Files files{{"t.csv",
               "nace,REG,turnover,n,st,lpl,upl\n"
               "A1,N,20.25,2,u,1,1\nA2,N,40.25,3,s,0,0\nB,S,40,4,z,0,0\n"
               "A1,,,2,u,2.5,3\n"},
              {"nace.hrc", kHrc}};
  const auto job =
      read_job_text(replaced(kJob, "separator = \",\"", "separator = \",\"\ntotals = \"computed\""),
                    "job.toml",
                    from(files));
  ASSERT_TRUE(job) << job.error().text();
  const Table& table = job->problem.table();
  EXPECT_EQ(table.num_cells(), 11);
  std::map<std::string, const Cell*> cells;
  for (std::int32_t c = 0; c < table.num_cells(); ++c)
    cells[table.label(CellId{c})] = &table.cell(CellId{c});
  EXPECT_EQ(cells.at("NACE=Total|REG=All")->value, 10050);
  EXPECT_EQ(cells.at("NACE=Total|REG=All")->frequency, 9);
  EXPECT_EQ(cells.at("NACE=A1|REG=All")->value, 2025);
  EXPECT_EQ(cells.at("NACE=A1|REG=All")->status, CellStatus::kPrimary);
  EXPECT_EQ(cells.count("NACE=B|REG=N"), 0U);
}

TEST(JobFile, ComputesTotalsOfSeveralHierarchies) {
  const Files files{{"t.csv", "D;value\na;1\nb;2\nc;4\n"}};
  const auto job = read_job_text(
      "[input]\ntable = \"t.csv\"\ntotals = \"computed\"\n[columns]\nvalue = \"value\"\n"
      "[[dimension]]\nname = \"D\"\n"
      "tree = [{ T = [\"X\", \"c\"], X = [\"a\", \"b\"] }, { T = [\"a\", \"Y\"], Y = [\"b\", "
      "\"c\"] "
      "}]\n",
      "job.toml",
      from(files));
  ASSERT_TRUE(job) << job.error().text();
  EXPECT_EQ(job->problem.table().num_cells(), 6);
  EXPECT_EQ(job->problem.table().num_equations(), 4);
}

TEST(JobFile, LinksTablesOfSeveralFiles) {
  const Files files{
      {"a.csv", "D,E,value,st\nT,T,6,s\nd,T,2,s\ne,T,4,u\nT,x,6,s\nd,x,2,s\ne,x,4,s\n"},
      {"b.csv", "D,F,value,st\nT,,6,s\nd,,2,s\ne,T,4.0,u\nT,p,6,s\nd,p,2,s\ne,p,4,s\n"}};
  const std::string job_text =
      "[input]\ntable = [\"a.csv\", \"b.csv\"]\nseparator = \",\"\n"
      "[columns]\nvalue = \"value\"\nstatus = \"st\"\n"
      "[[dimension]]\nname = \"D\"\ntotal = \"T\"\n[[dimension]]\nname = \"E\"\ntotal = \"T\"\n"
      "[[dimension]]\nname = \"F\"\ntotal = \"T\"\n"
      "[[table]]\nname = \"one\"\ndimensions = [\"D\", \"E\"]\n"
      "[[table]]\nname = \"two\"\ndimensions = [\"D\", \"F\"]\n";
  const auto job = read_job_text(job_text, "job.toml", from(files));
  ASSERT_TRUE(job) << job.error().text();
  EXPECT_EQ(job->problem.table().num_cells(), 9);
  const auto written = write_job(job->problem, job->tables, "t.csv");
  ASSERT_TRUE(written) << written.error().text();
  const Files again_files{{"t.csv", written->csv}};
  const auto again = read_job_text(written->toml(), "job.toml", from(again_files));
  ASSERT_TRUE(again) << again.error().text() << written->toml();
  EXPECT_EQ(testing::what_differs(job->problem, again->problem), "");

  Files other = files;
  other["b.csv"] = replaced(files.at("b.csv"), "e,T,4.0,u", "e,T,4,s");
  EXPECT_EQ(error_of(job_text, other), "b.csv:4:7: the cell is given differently at a.csv:4:7");
}

TEST(JobFile, ReadsAttackers) {
  const Files files = example_files();
  const auto job = read_job_text(kJob + R"(
[[attacker]]
name = "firm A1"
known = [{ cell = ["A1", "N"] }, { cell = ["A2", ""], lower = 40.05, upper = "unbounded" }]
[[attacker]]
name = "coalition"
known = []
levels = [{ cell = ["A1", "All"], lower = 0.1, sliding = 1_0.5 }]
[[attacker]]
name = "outsider"
known = [{ cell = ["B", "All"], lower = 39.999 }]
)",
                                 "job.toml",
                                 from(files));
  ASSERT_TRUE(job) << job.error().text();
  const Problem& problem = job->problem;
  EXPECT_EQ(problem.table().decimals(), 3);
  ASSERT_EQ(problem.attackers().size(), 3U);
  EXPECT_EQ(problem.attackers()[0].known,
            (std::vector<Knowledge>{{CellId{2}, {39999, kUnboundedAbove}}}));
  EXPECT_EQ(
      problem.attackers()[1].known,
      (std::vector<Knowledge>{{CellId{4}, {40050, kUnboundedAbove}}, {CellId{7}, {20250, 20250}}}));
  EXPECT_EQ(problem.requirements(),
            (std::vector<Requirement>{{CellId{3}, 0, 2500, 3000, 0},
                                      {CellId{3}, 1, 2500, 3000, 0},
                                      {CellId{3}, 2, 100, 0, 10500},
                                      {CellId{7}, 0, 1000, 1000, 0}}));
}

TEST(JobFile, AppliesPercentDefaults) {
  const Files files{{"t.csv", "D;v;s\nTotal;30;s\na;10.5;u\nb;19.5;s\n"}};
  const auto job = read_job_text(
      "[input]\ntable = \"t.csv\"\n[columns]\nvalue = \"v\"\nstatus = \"s\"\n"
      "[defaults]\nlower_percent = 50\nupper_percent = 12.5\nlower_level_percent = 10\n"
      "upper_level_percent = 1\n[[dimension]]\nname = \"D\"\n",
      "job.toml",
      from(files));
  ASSERT_TRUE(job) << job.error().text();
  // Attackers know at least what is stated, and levels are at least what is asked for.
  EXPECT_EQ(job->problem.table().cell(CellId{1}).prior, (Bounds{105 - 52, 105 + 13}));
  EXPECT_EQ(job->problem.requirements(), (std::vector<Requirement>{{CellId{1}, 0, 11, 2, 0}}));
}

TEST(JobFile, LeavesTablesWithNegativeValuesUnbounded) {
  const Files files{{"t.csv", "D;v\nTotal;3\na;-7\nb;10\n"}};
  const auto job = read_job_text(
      "[input]\ntable = \"t.csv\"\n[columns]\nvalue = \"v\"\n[[dimension]]\nname = \"D\"\n",
      "job.toml",
      from(files));
  ASSERT_TRUE(job) << job.error().text();
  EXPECT_EQ(job->problem.table().cell(CellId{2}).prior, Bounds{});
}

TEST(JobFile, PlacesErrorsOfTheJob) {
  EXPECT_EQ(
      error_of("[input\n", {}),
      "job.toml:1:7: not valid TOML: Error while parsing table header: expected ']', saw '\\n'");
  EXPECT_EQ(error_of("", {}), "job.toml: the section [input] is missing");
  EXPECT_EQ(with_job("[input]", "[inputs]"),
            "job.toml:1:2: unknown key 'inputs' in the job; did you mean 'input'?");
  EXPECT_EQ(with_job("separator =", "seperator ="),
            "job.toml:3:1: unknown key 'seperator' in [input]; did you mean 'separator'?");
  EXPECT_EQ(with_job("lower_level =", "lower_lvel ="),
            "job.toml:9:1: unknown key 'lower_lvel' in [columns]; did you mean 'lower_level'?");
  EXPECT_EQ(with_job("column = \"nace\"", "colum = \"nace\""),
            "job.toml:18:1: unknown key 'colum' in [[dimension]]; did you mean 'column'?");
  EXPECT_EQ(with_job("weight = \"value\"", "wieght = \"value\""),
            "job.toml:14:1: unknown key 'wieght' in [defaults]; did you mean 'weight'?");
  EXPECT_EQ(with_job("\"t.csv\"", "\"u.csv\""), "job.toml:2:9: the file does not exist (u.csv)");
  EXPECT_EQ(with_job("\"nace.hrc\"", "\"nice.hrc\""),
            "job.toml:19:13: the file does not exist (nice.hrc)");
  EXPECT_EQ(with_job("separator = \",\"", "separator = \"ab\""),
            "job.toml:3:13: the separator must be one ASCII character, not a quote");
  EXPECT_EQ(with_job("separator = \",\"", "decimals = 19"),
            "job.toml:3:12: decimals must be a whole number from 0 to 18");
  EXPECT_EQ(with_job("separator = \",\"", "totals = \"no\""),
            "job.toml:3:10: totals must be one of given, computed, recomputed, not 'no'");
  EXPECT_EQ(with_job("value = \"turnover\"", "value = 3"),
            "job.toml:6:9: expected a string in quotes");
  EXPECT_EQ(
      with_job("value = \"turnover\"\nfrequency = \"n\"\n", ""),
      "job.toml:5:1: [columns] needs value = \"<column>\", or frequency = \"<column>\" for a table "
      "of counts");
  EXPECT_EQ(with_job("upper = 1000", "upper = nan"), "job.toml:13:9: 'nan' is not a number");
  EXPECT_EQ(with_job("upper = 1000", "upper = \"1,5\""), "job.toml:13:9: '1,5' is not a number");
  EXPECT_EQ(with_job("upper = 1000", "upper = 1000\nupper_percent = 3"),
            "job.toml:14:17: give either upper or upper_percent");
  EXPECT_EQ(with_job("upper = 1000", "upper_percent = -3"),
            "job.toml:13:17: the percentage must be between 0 and 1000000");
  EXPECT_EQ(with_job("weight = \"value\"", "weight = \"much\""),
            "job.toml:14:10: the default weight must be a number, \"value\" or \"frequency\"");
  EXPECT_EQ(with_job("name = \"REG\"", "name = \"NACE\""),
            "job.toml:21:1: two dimensions are called 'NACE'");
  EXPECT_EQ(with_job("total = \"All\"", "tree = { All = [\"N\", \"S\"], N = [\"All\"] }"),
            "job.toml:21:1: the hierarchy has a cycle through code 'All' (dimension REG)");
  EXPECT_EQ(with_job("total = \"All\"", "tree = { All = [\"N\", \"S\"], N = [\"S\"] }"),
            "job.toml:23:32: the code 'S' stands twice below a parent in one tree");
  EXPECT_EQ(with_job("total = \"All\"", "tree = { A = [\"N\", \"S\"] }\ntotal = \"All\""),
            "job.toml:21:1: the total of dimension REG is stated as 'All', but 'A' heads the "
            "hierarchy");
  EXPECT_EQ(with_job("total = \"All\"", "tree = {}\nparents = \"p\""),
            "job.toml:21:1: give only one of hierarchy, parents, correspondence and tree");
  EXPECT_EQ(with_job("[options]", "[[table]]\ndimensions = [\"NACE\", \"REGG\"]\n[options]"),
            "job.toml:26:14: there is no dimension 'REGG'; did you mean 'REG'?");
  EXPECT_EQ(with_job("[options]", "[[table]]\ndimensions = [\"NACE\"]\n[options]"),
            "t.csv:7:1: the cell belongs to none of the tables");
  const auto attacker = [](const std::string& known) {
    return with_job("[options]", "[[attacker]]\nname = \"a\"\nknown = [" + known + "]\n[options]");
  };
  EXPECT_EQ(attacker("{ cell = [\"A9\", \"N\"] }"),
            "job.toml:27:10: dimension NACE has no code 'A9'; did you mean 'A1'?");
  EXPECT_EQ(attacker("{ cell = [\"B\", \"N\"] }"), "job.toml:27:10: the table has no such cell");
  EXPECT_EQ(attacker("{ cell = [\"B\"] }"),
            "job.toml:27:10: the cell needs one code per dimension: 2, found 1");
  EXPECT_EQ(attacker("{ cell = [\"B\", \"S\"], lower = 41 }"),
            "t.csv:12:5: what attacker 'a' knows does not contain the value (NACE=B|REG=S)");
}

TEST(JobFile, PlacesErrorsOfTheTable) {
  EXPECT_EQ(with_csv("nace,REG", "nace,REGION"),
            "t.csv:1:1: there is no column 'REG', only 'nace', 'REGION', 'turnover', 'n', 'st', "
            "'lpl', 'upl'");
  EXPECT_EQ(with_csv("turnover,n", "turnver,n"),
            "t.csv:1:1: there is no column 'turnover'; did you mean 'turnver'?");
  EXPECT_EQ(with_csv("turnover,n", "turnover,st"), "t.csv:1:1: the header has two columns 'st'");
  EXPECT_EQ(with_csv("A1,N", "A9,N"),
            "t.csv:9:1: dimension NACE has no code 'A9'; did you mean 'A1'?");
  EXPECT_EQ(with_csv("A2,N", "A1,N"), "t.csv:10:1: the cell is given twice, first at t.csv:9:1");
  EXPECT_EQ(with_csv("40.25,3,S", "40.2x,3,S"), "t.csv:6:8: '40.2x' is not a number");
  EXPECT_EQ(with_csv("40.25,3,S", "nan,3,S"),
            "t.csv:6:8: the value is empty: say empty_value = \"zero\" or \"drop\" in [input], or "
            "totals = "
            "\"computed\" if it is a total");
  EXPECT_EQ(with_csv("40.25,3,S", ",3,S"),
            "t.csv:6:8: the value is empty: say empty_value = \"zero\" or \"drop\" in [input], or "
            "totals = "
            "\"computed\" if it is a total");
  EXPECT_EQ(with_csv("40.25,3,S", "40.25,-3,S"), "t.csv:6:14: the frequency is negative");
  EXPECT_EQ(
      with_csv("40.25,3,S", "40.25,3,Q"),
      "t.csv:6:16: the status 'Q' is not one of s, u, p, m, e, a, b, d, v, c, TRUE, FALSE, 1, "
      "0; words of "
      "your own go into [status_words] of the job; the column has 'Q' (1), "
      "'Unsafe' (1), 's' (6), 'u' (1), 'z' (1), empty (1)");
  EXPECT_EQ(with_csv("40.25,3,S", "40.25,3,publshed"),
            "t.csv:6:16: the status 'publshed' is not one of s, u, p, m, e, a, b, d, v, c, TRUE, "
            "FALSE, 1, 0; did you "
            "mean 'published'?; words of your own go into [status_words] of the job; the column "
            "has "
            "'Unsafe' (1), 'publshed' (1), 's' (6), 'u' (1), 'z' (1), empty (1)");
  EXPECT_EQ(
      with_csv("40.25,3,S", "1e25,3,S"),
      "t.csv:6:8: the number 1e25 does not fit 63 bits with 2 decimals; use fewer decimals or "
      "a larger unit, or say decimals = <number> and round = true in [input]");
  EXPECT_EQ(with_csv("2.5,3", "-2.5,3"), "t.csv:5:18: the protection level is negative");
  EXPECT_EQ(with_csv("2.5,3", "25,3"),
            "t.csv:5:18: no release can meet the lower protection level 25: the cell's bounds are "
            "closer");
  EXPECT_EQ(with_job("upper = 1000", "upper = 40"),
            "t.csv:2:11: the value 100.5 lies outside its bounds [0, 40] (NACE=Total|REG=All)");
  EXPECT_EQ(with_csv("A2,All,40.25", "A2,All,40.24"),
            "t.csv:3:7: the table is not additive: 2 sums do not hold; correct the table, or say "
            "round_totals = 0.01 (totals as far from their parts are set to the sum) or totals = "
            "\"recomputed\" in [input]\n"
            "  t.csv:3:7: NACE=A|REG=All, the sum over NACE, is off by 0.01\n"
            "  t.csv:6:8: NACE=A2|REG=All, the sum over REG, is off by 0.01");
  Files empty = example_files();
  empty["t.csv"] = "nace,REG,turnover,n,st,lpl,upl\n";
  EXPECT_EQ(error_of(kJob, empty), "t.csv:2:1: the file has a header but no rows");
}

TEST(JobFile, RoundTripsRandomProblems) {
  base::Random random(testing::seed_in_use(15));
  for (int i = 0; i < 200; ++i) {
    const Problem problem = testing::random_problem(random, {});
    const auto written = write_job(problem, {}, "t.csv");
    ASSERT_TRUE(written) << written.error().text();
    const Files files{{"t.csv", written->csv}};
    const auto again = read_job_text(written->toml(), "job.toml", from(files));
    ASSERT_TRUE(again) << again.error().text() << "\n" << written->toml() << written->csv;
    ASSERT_EQ(testing::what_differs(problem, again->problem), "")
        << written->toml() << written->csv;
  }
}

TEST(JobFile, RefusesWhatItCannotHold) {
  base::Random random(5);
  const Problem bare = testing::random_problem(random, {.dimensions = false});
  EXPECT_EQ(write_job(bare, {}, "t.csv").error().text(),
            "a job file cannot hold a table without dimensions; write the problem as JSON instead");
  const Files files = example_files();
  const Problem problem = read_job_text(kJob, "job.toml", from(files)).value().problem;
  TableBuilder builder(problem.table().decimals(), problem.table().dimensions());
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c)
    static_cast<void>(
        builder.add_cell(problem.table().cell(CellId{c}), problem.table().codes(CellId{c}))
            .value());
  const Problem loose = make_problem(std::move(builder).build().value(), {outsider()}, {}).value();
  EXPECT_EQ(
      write_job(loose, {}, "t.csv").error().text(),
      "a job file cannot hold equations other than those of its dimensions; write the problem "
      "as JSON instead");
}

TEST(ReadProblem, TakesTheExamplesInEveryFormat) {
  const std::string folder = LACUNA_SOURCE_DIR "/examples/";
  const auto job = read_problem(folder + "sales.toml");
  ASSERT_TRUE(job) << job.error().text();
  const auto jj = read_problem(folder + "sales.jj");
  ASSERT_TRUE(jj) << jj.error().text();
  EXPECT_EQ(problems::write_jj(*job).value(), problems::write_jj(*jj).value());
  EXPECT_EQ(read_problem(folder + "missing.jj").error().message, "the file does not exist");
}

// A table of an office, from its columns and trees, is the problem of its JJ file.
void expect_as_its_jj(const std::filesystem::path& folder,
                      const std::string& table,
                      const std::vector<std::string>& dimensions,
                      const std::string& upper) {
  const auto load = [&](const std::string& name) {
    return files::read_file((folder / name).string());
  };
  std::string text =
      "[input]\ntable = \"" + table +
      ".tab.xz\"\n[columns]\nvalue = \"value\"\nfrequency = \"freq\"\nstatus = \"status\"\n"
      "lower_level = \"lpl\"\nupper_level = \"upl\"\n[defaults]\nupper = " +
      upper + "\n";
  for (const std::string& name : dimensions) {
    text += "[[dimension]]\nname = \"" + name + "\"\nhierarchy = \"hrc/" + table + "_" + name +
            ".hrc\"\n";
  }
  const auto job = read_job_text(text, "job.toml", load);
  ASSERT_TRUE(job) << job.error().text();
  const auto jj = read_problem((folder / (table + ".jj.xz")).string());
  ASSERT_TRUE(jj) << jj.error().text();
  ASSERT_EQ(job->problem.table().num_cells(), jj->table().num_cells());
  EXPECT_EQ(job->problem.table().num_equations(), jj->table().num_equations());
  EXPECT_EQ(job->problem.requirements(), jj->requirements());
  for (std::int32_t c = 0; c < jj->table().num_cells(); ++c)
    ASSERT_EQ(job->problem.table().value(CellId{c}), jj->table().value(CellId{c}));
}

TEST(ReadProblem, ReadsTablesOfAnOfficeAsTheirJj) {
  const std::filesystem::path folder = testing::test_data("turnover");
  expect_as_its_jj(folder, "turnover_act_size", {"ACTIVITY", "SIZE"}, "182780310.0761");
  expect_as_its_jj(folder, "turnover_act_cj", {"ACTIVITY", "CJ"}, "182780310.0761");
  expect_as_its_jj(testing::test_data("cox3"), "cox3", {"plane", "row", "col"}, "212352");
}

TEST(ReadProblem, ReadsATableOfEnterprisesAsItsJj) {
  LACUNA_NEEDS_SHARED("instances/real");
  expect_as_its_jj(testing::shared_data("instances/real"),
                   "ent_act_product_p10",
                   {"act", "product"},
                   "5214849.23");
}

}  // namespace
}  // namespace lacuna::jobfile

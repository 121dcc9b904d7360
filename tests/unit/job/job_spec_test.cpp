// SPDX-License-Identifier: Apache-2.0
// A job as a value: the same problem as by its text, whatever the text, and errors that name the
// part of the job where no text is at hand.
#include "lacuna/job_spec.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "lacuna/files.h"
#include "support/random_problem.h"
#include "support/temporary_folder.h"

namespace lacuna::job {
namespace {

class JobValues : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "table.csv")
        << "area;sex;n\nT;T;12\nT;f;5\nT;m;7\na;T;4\na;f;1\na;m;3\n"
           "b;T;8\nb;f;4\nb;m;4\n";
    std::ofstream(folder_ / "persons.csv") << "area;sex\na;f\na;m\na;m\nb;f\nb;m\nb;m\n";
  }

  static JobSpec::Dimension dimension(const std::string& name) {
    JobSpec::Dimension dimension;
    dimension.name = name;
    dimension.total = "T";
    return dimension;
  }

  static JobSpec table_job() {
    JobSpec job;
    job.input.table = {{SpecSource::Kind::kFile, "table.csv"}};
    job.columns.emplace().value = "n";
    job.dimensions = {dimension("area"), dimension("sex")};
    JobSpec::Attacker insider{"insider", {{{"a", "f"}, {"0"}, {"3"}, {}}}, {}};
    insider.levels.emplace().push_back({{"b", "f"}, {"1"}, {"2"}, {}});
    job.named_attackers = {insider};
    return job;
  }

  static JobSpec records_job() {
    JobSpec job;
    job.input.records = {{SpecSource::Kind::kFile, "persons.csv"}};
    job.dimensions = {dimension("area"), dimension("sex")};
    JobSpec::Rule rule;
    rule.type = "frequency";
    rule.n.text = "2";
    job.rules = {rule};
    return job;
  }

  Result<Problem> by_text(const JobSpec& job) {
    std::ofstream(folder_ / "job.toml") << job_text(job, JobText::kToml);
    return load_problem((folder_ / "job.toml").string());
  }

  const testing::UniqueFolder place_;
  const std::filesystem::path folder_ = place_.path();
};

TEST_F(JobValues, GiveTheProblemOfTheirText) {
  for (const JobSpec& job : {table_job(), records_job()}) {
    const auto value = load_problem(job, folder_.string());
    ASSERT_TRUE(value) << value.error().text();
    const auto text = by_text(job);
    ASSERT_TRUE(text) << text.error().text();
    EXPECT_EQ(testing::what_differs(*value, *text), "");
    EXPECT_FALSE(value->requirements().empty());
  }
}

TEST_F(JobValues, AreTheSameInTomlAndJson) {
  for (const JobSpec& job : {table_job(), records_job()}) {
    for (const JobText form : {JobText::kToml, JobText::kJson}) {
      const auto again = parse_job(job_text(job, form), form, "job");
      ASSERT_TRUE(again) << again.error().text();
      EXPECT_TRUE(*again == job);
    }
  }
}

TEST_F(JobValues, ErrorsNameThePart) {
  JobSpec job = table_job();
  job.input.round = true;
  const auto rounded = load_problem(job, folder_.string());
  ASSERT_FALSE(rounded);
  EXPECT_EQ(rounded.error().where, "input.round");

  job = table_job();
  job.dimensions[1].name.clear();
  const auto unnamed = load_problem(job, folder_.string());
  ASSERT_FALSE(unnamed);
  EXPECT_EQ(unnamed.error().text(), "dimension[1]: a dimension needs a name");

  job = records_job();
  job.rules[0].type = "frequenzy";
  const auto misspelt = load_problem(job, folder_.string());
  ASSERT_FALSE(misspelt);
  EXPECT_EQ(misspelt.error().where, "rule[0]");
}

TEST_F(JobValues, ErrorsOfATextNameItsPlace) {
  const auto toml =
      parse_job("[input]\ntable = \"t.csv\"\ndecimals = -1\n", JobText::kToml, "j.toml");
  ASSERT_FALSE(toml);
  EXPECT_EQ(toml.error().text(), "j.toml:3:12: decimals must be a whole number from 0 to 18");
  const auto json = parse_job(R"({"input": {"tabel": "t.csv"}})", JobText::kJson, "j.json");
  ASSERT_FALSE(json);
  EXPECT_NE(json.error().message.find("did you mean 'table'?"), std::string::npos)
      << json.error().text();
  EXPECT_NE(json.error().where.find("j.json"), std::string::npos) << json.error().text();
  const auto twice =
      parse_job(R"({"input": {"table": "a"}, "input": {"table": "b"}})", JobText::kJson, "j.json");
  EXPECT_FALSE(twice);
}

}  // namespace
}  // namespace lacuna::job

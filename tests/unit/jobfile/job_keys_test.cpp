// SPDX-License-Identifier: Apache-2.0
// Keys in files: problem JSON there and back, the column of a table, sections of jobs, and what is
// wrong with them.
#include "data/jobfile/job_keys.h"

#include <gtest/gtest.h>

#include <memory>

#include "core/base/confidential.h"
#include "data/certificate/certificate.h"
#include "data/jobfile/job_file.h"
#include "data/jobfile/record_job.h"
#include "data/problems/problem_json.h"
#include "support/random_problem.h"

namespace lacuna::jobfile {
namespace {

std::shared_ptr<const CellKeys> random_keys(base::Random& random,
                                            const Table& table,
                                            bool magnitude) {
  CellKeys keys;
  keys.modulus = static_cast<std::uint64_t>(random.between(2, 1'000'000'000'000'000'000));
  for (const Cell& cell : table.cells()) {
    keys.keys.push_back(
        static_cast<std::uint64_t>(random.between(0, static_cast<std::int64_t>(keys.modulus) - 1)));
    keys.records.push_back(random.chance(1, 2) ? cell.frequency : random.between(0, 9));
    if (!magnitude)
      continue;
    keys.largest.emplace_back();
    for (std::int64_t i = random.between(0, 3); i > 0; --i)
      keys.largest.back().push_back(random.between(-500, 500));
    keys.spread.push_back(random.between(0, 1000));
    keys.weights.push_back(static_cast<double>(random.between(0, 1000)) / 8);
  }
  return std::make_shared<const CellKeys>(std::move(keys));
}

TEST(JobKeys, ProblemJsonKeepsThem) {
  base::Random random(testing::seed_in_use(31));
  for (int i = 0; i < 60; ++i) {
    Problem problem = testing::random_problem(random, {.dimensions = i % 2 == 0});
    const std::string digest = certificate::problem_digest(problem);
    ASSERT_TRUE(problem.set_keys(random_keys(random, problem.table(), i % 3 == 0)));
    const auto again = problems::read_problem_json(problems::write_problem_json(problem), "t.json");
    ASSERT_TRUE(again) << again.error().text();
    ASSERT_EQ(testing::what_differs(problem, *again), "");
    EXPECT_EQ(certificate::problem_digest(problem), digest);  // no part of what is judged
  }
}

TEST(JobKeys, ProblemJsonPlacesErrors) {
  const auto error_of = [](const std::string& cell, const std::string& keys) {
    const auto problem = problems::read_problem_json(
        "{\"format\":\"lacuna-problem-1\",\n\"cells\":[" + cell + "]" + keys + "}", "t.json");
    return problem ? "no error" : problem.error().text();
  };
  EXPECT_EQ(error_of("{\"value\":3,\"key\":7}", ",\"keys\":{\"modulus\":16}"), "no error");
  EXPECT_EQ(error_of("{\"value\":3,\"key\":16}", ",\"keys\":{\"modulus\":16}"),
            "t.json:cells[0].key: the key is not from 0 to 15");
  EXPECT_EQ(
      error_of("{\"value\":3,\"key\":7}", ""),
      "t.json:cells[0].key: a cell with a key needs \"keys\":{\"modulus\":...} of the problem");
  EXPECT_EQ(error_of("{\"value\":3}", ",\"keys\":{\"modulus\":16}"),
            "t.json:cells[0]: the name 'key' is missing");
  EXPECT_EQ(error_of("{\"value\":3,\"key\":0}", ",\"keys\":{\"modulus\":1}"),
            "t.json:keys.modulus: the modulus of keys must be from 2 to 10^18");
}

constexpr const char* kTable = R"([input]
table = "t.csv"
[columns]
value = "n"
key = "ckey"
[[dimension]]
name = "R"
column = "r"
)";

Result<Job> table_job(const std::string& toml, const std::string& csv) {
  return read_job_text(toml, "t.toml", [&](const std::string&) { return Result(csv); });
}

std::string table_error(const std::string& toml, const std::string& csv) {
  const auto job = table_job(toml, csv);
  return job ? "no error" : base::in_full(job.error().text());
}

TEST(JobKeys, ColumnOfATable) {
  const auto job = table_job(kTable, "r;n;ckey\nTotal;5;0.5\na;3;0.25\nb;2;0.25000000\n");
  ASSERT_TRUE(job) << job.error().text();
  ASSERT_TRUE(job->problem.keys());
  EXPECT_EQ(job->problem.keys()->modulus, 100'000'000U);
  EXPECT_EQ(job->problem.keys()->keys,
            (std::vector<std::uint64_t>{50'000'000, 25'000'000, 25'000'000}));
  const auto files = write_job(job->problem, {}, "t.csv");
  ASSERT_TRUE(files) << files.error().text();
  const auto again = table_job(files->toml(), files->csv);
  ASSERT_TRUE(again) << again.error().text() << files->toml();
  EXPECT_EQ(testing::what_differs(job->problem, again->problem), "");
}

TEST(JobKeys, ErrorsOfATable) {
  EXPECT_EQ(table_error(kTable, "r;n;ckey\nTotal;5;0.5\na;3;\nb;2;0.1\n"),
            "t.csv:3:5: the key of the cell is empty");
  EXPECT_EQ(table_error(kTable, "r;n;ckey\nTotal;5;0.5\na;3;7\nb;2;0.1\n"),
            "t.csv:3:5: a decimal key lies from 0 to below 1; whole keys need modulus in [keys]");
  const std::string whole = std::string(kTable) + "[keys]\nmodulus = 16\n";
  EXPECT_EQ(table_error(whole, "r;n;ckey\nTotal;5;15\na;3;16\nb;2;0\n"),
            "t.csv:3:5: the key is not from 0 to 15, below the modulus");
  EXPECT_EQ(table_error(std::string(kTable) + "[keys]\nmodulus = 16\ndigits = 3\n", "r;n\n"),
            "t.toml:10:11: give either digits (decimal keys) or modulus (whole keys)");
  EXPECT_EQ(table_error(std::string(kTable) + "[keys]\ndigits = 19\n", "r;n\n"),
            "t.toml:10:10: digits must be a whole number from 0 to 18");
}

constexpr const char* kRecords = R"([input]
records = "r.csv"
[[dimension]]
name = "R"
column = "r"
[keys]
from = "person"
secret = "key.bin"
)";

Result<std::optional<RecordJob>> record_job(const std::string& toml, const std::string& secret) {
  return read_record_job_text(
      toml, "j.toml", "", [&](const std::string&) { return Result(secret); });
}

TEST(JobKeys, MadeFromIdentitiesOfRecords) {
  const auto job = record_job(kRecords, "0123456789abcdef");
  ASSERT_TRUE(job) << job.error().text();
  const KeyOptions& keys = (*job)->tabulate.keys;
  EXPECT_EQ(keys.from, "person");
  EXPECT_EQ(keys.secret, "0123456789abcdef");
  EXPECT_EQ(keys.modulus, 100'000'000U);
  EXPECT_EQ(record_job(kRecords, "short").error().text(),
            "j.toml:8:10: keys are made with a secret of at least 16 bytes, this one has 5");
  std::string text = kRecords;
  text.erase(text.find("secret"));
  EXPECT_EQ(base::in_full(record_job(text, "").error().text()),
            "j.toml:6:1: from = \"<column>\" and secret = \"<file>\" must be given together");
}

}  // namespace
}  // namespace lacuna::jobfile

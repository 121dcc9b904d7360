// SPDX-License-Identifier: Apache-2.0
// Records added up by DuckDB's library against the program's own reader: every field of the
// tabulation, by both plans. tests/engines/tabulation_test.py does it with the other engines.
#include "app/load/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/load/records.h"
#include "core/base/random.h"
#include "data/columns/duckdb_library.h"
#include "lacuna/tabulate.h"
#include "support/part_of.h"

namespace lacuna::load {
namespace {

namespace fs = std::filesystem;

int num_records() {
  return testing::part_of(200'000);
}

// Holdings, weights, negative values, ties, two hierarchies over one dimension, missing codes,
// requests and waivers; a third of the firms has all its records in one place.
void write_records(const fs::path& path, int count) {
  std::ofstream out(path);
  out << "act;zone;kind;area;size;x;w;firm;grp;ask;free\n";
  base::Random random(11);
  for (int i = 0; i < count; ++i) {
    const auto firm = random.between(0, count / 12);
    base::Random own(static_cast<std::uint64_t>(firm));
    base::Random& place = firm % 3 == 0 ? own : random;
    const auto area = place.between(0, 11);
    const auto tenths = random.chance(1, 10) ? 100 : random.between(-40, 400);
    constexpr std::array<const char*, 5> kSizes{"s", "m", "l", "NA", ""};
    constexpr std::array<const char*, 4> kWeights{"1", "1.25", "2.5", "0.75"};
    out << place.between(1, 3) << place.between(1, 4) << place.between(1, 3) << ";z" << area / 4
        << ";k" << area % 3 << ";a" << area << ';'
        << kSizes[static_cast<std::size_t>(place.between(0, 4))] << ';' << (tenths < 0 ? "-" : "")
        << std::abs(tenths) / 10 << '.' << std::abs(tenths) % 10 << ';'
        << kWeights[static_cast<std::size_t>(random.between(0, 3))] << ';'
        << (firm % 5 != 0 ? "F" : "a firm with a long name, \xC3\xA9 ") << firm << ';';
    if (firm % 4 == 0)
      out << 'G' << firm % 97;
    out << ';' << (random.chance(1, 10) ? "y" : "n") << ';' << (random.chance(1, 2) ? "1" : "")
        << '\n';
  }
}

struct JobShape {
  std::string name;
  bool plan_b = false;
  bool linked = false;
  bool anonymous = false;
};

std::string job_text(const JobShape& shape, const std::string& place) {
  std::string text = "[input]\n" + place +
                     "\nseparator = \";\"\ndecimals = 1\nweight_decimals = 2\nnegative = true\n"
                     "[columns]\nvalue = \"x\"\nweight = \"w\"\nrequest = \"ask\"\n"
                     "request_codes = [\"y\"]\nwaiver = \"free\"\n";
  if (!shape.anonymous)
    text += "respondent = \"firm\"\nholding = \"grp\"\n";
  text +=
      "[[dimension]]\nname = \"act\"\ndigits = [1, 1, 1]\n"
      "[[dimension]]\nname = \"area\"\ncolumns = [[\"zone\", \"area\"], [\"kind\", \"area\"]]\n"
      "[[dimension]]\nname = \"size\"\ntotal = \"All\"\nmissing = \"code\"\n"
      "missing_values = [\"NA\"]\nmissing_code = \"unknown\"\n";
  if (shape.linked)
    text +=
        "[[table]]\ndimensions = [\"act\", \"area\"]\n[[table]]\ndimensions = [\"size\", "
        "\"area\"]\n";
  text += "[[rule]]\ntype = \"p-percent\"\np = 10\n";
  return text + (shape.plan_b ? "[attackers]\nknowledge = \"sensitive-only\"\n" : "");
}

class EngineTest : public ::testing::TestWithParam<JobShape> {
 protected:
  static void SetUpTestSuite() {
    folder_ = fs::temp_directory_path() / ("lacuna-engine-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    write_records(folder_ / "records.csv", num_records());
  }
  static void TearDownTestSuite() { fs::remove_all(folder_); }

  Result<jobfile::RecordJob> job(const std::string& place) const {
    const fs::path path = folder_ / "job.toml";
    std::ofstream(path) << job_text(GetParam(), place);
    LACUNA_TRY(auto read, jobfile::read_record_job(path.string()));
    return std::move(*read);
  }
  static Result<Tabulation> by_reader(const jobfile::RecordJob& job) {
    LACUNA_TRY(const RecordAssessment asked, assessment_of_records(job));
    LACUNA_TRY(const auto source, jobfile::open_records(job));
    return tabulate(*source, asked.tabulate, {});
  }
  static Result<Tabulation> by_engine(const jobfile::RecordJob& job) {
    LACUNA_TRY(const RecordAssessment asked, assessment_of_records(job));
    RunContext run;
    run.threads = 2;
    return tabulate_by_engine(job, asked.tabulate, run);
  }
  static inline fs::path folder_;
};

void expect_same(const CellFacts& got, const CellFacts& want) {
  EXPECT_EQ(got.value, want.value);
  EXPECT_EQ(got.absolute, want.absolute);
  EXPECT_EQ(got.records, want.records);
  EXPECT_EQ(got.contributors, want.contributors);
  EXPECT_EQ(got.weighted, want.weighted);
  ASSERT_EQ(got.largest.size(), want.largest.size());
  for (std::size_t i = 0; i < got.largest.size(); ++i) {
    EXPECT_EQ(got.largest[i].respondent, want.largest[i].respondent);
    EXPECT_EQ(got.largest[i].amount, want.largest[i].amount);
    EXPECT_EQ(got.largest[i].requested, want.largest[i].requested);
    EXPECT_EQ(got.largest[i].waived, want.largest[i].waived);
  }
}

TEST_P(EngineTest, DuckdbGivesTheTabulationOfTheOwnReader) {
  if (const auto library = columns::duckdb::find_library(); !library)
    GTEST_SKIP() << "DuckDB's library is not there (scripts/setup --with-duckdb)";
  const auto own = job("records = \"records.csv\"");
  ASSERT_TRUE(own) << own.error().text();
  const auto want = by_reader(*own);
  ASSERT_TRUE(want) << want.error().text();
  const auto engine = job("records = [\"rec*.csv\"]\nengine = \"duckdb\"\nplan = \"" +
                          std::string(GetParam().plan_b ? "B" : "A") + "\"");
  ASSERT_TRUE(engine) << engine.error().text();
  const auto got = by_engine(*engine);
  ASSERT_TRUE(got) << got.error().text();
  EXPECT_EQ(got->decimals, want->decimals);
  EXPECT_EQ(got->top, want->top);
  EXPECT_EQ(got->codes, want->codes);
  EXPECT_EQ(got->respondents, want->respondents);
  EXPECT_EQ(got->contributions != nullptr, want->contributions != nullptr);
  ASSERT_EQ(got->cells.size(), want->cells.size());
  for (std::size_t c = 0; c < got->cells.size(); ++c)
    expect_same(got->cells[c], want->cells[c]);
}

TEST_P(EngineTest, ParquetInSeveralFilesIsDuckdbs) {
  for (const char* place : {"records = [\"a.parquet\", \"b.parquet\"]",
                            "records = \"lake/*.parquet\"",
                            "records = \"a.parquet\"\nmemory = \"2GB\""}) {
    const auto read = job(place);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->engine.engine, jobfile::Engine::kDuckdb) << place;
  }
  const auto alone = job("records = \"a.parquet\"");
  ASSERT_TRUE(alone) << alone.error().text();
  EXPECT_EQ(alone->engine.engine, jobfile::Engine::kLacuna);
  const auto several = job("records = [\"a.csv\", \"b.csv\"]");
  ASSERT_FALSE(several);
  EXPECT_THAT(several.error().text(), ::testing::HasSubstr("engine = \"duckdb\""));
}

TEST_P(EngineTest, OtherEnginesAreRunByTheirAdministrators) {
  const auto read = job("from_table = \"survey.firms\"\nengine = \"postgresql\"");
  ASSERT_TRUE(read) << read.error().text();
  const auto refused = by_engine(*read);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), ::testing::HasSubstr("lacuna sql"));
  EXPECT_THAT(refused.error().text(), ::testing::HasSubstr("job.toml"));
  const auto sql = sql_options(*read, jobfile::Engine::kSpark);
  ASSERT_TRUE(sql) << sql.error().text();
  EXPECT_EQ(sql->from, "`survey`.`firms`");
}

INSTANTIATE_TEST_SUITE_P(Plans,
                         EngineTest,
                         ::testing::Values(JobShape{"A"},
                                           JobShape{"B", true},
                                           JobShape{"LinkedA", false, true},
                                           JobShape{"LinkedB", true, true},
                                           JobShape{"Anonymous", false, false, true}),
                         [](const auto& shape) { return shape.param.name; });

}  // namespace
}  // namespace lacuna::load

// SPDX-License-Identifier: Apache-2.0
// Seeded mutations of valid files: every reader must return a Result, whatever the bytes. The seed
// is printed; LACUNA_SEED=... replays, LACUNA_FUZZ_ROUNDS=... runs longer.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "io/apriori.h"
#include "io/csv.h"
#include "io/file.h"
#include "io/hierarchy_file.h"
#include "io/jj.h"
#include "io/job_file.h"
#include "io/pattern.h"
#include "io/problem_json.h"
#include "io/record_job.h"
#include "unit/io/random_problem.h"

namespace lacuna {
namespace {

constexpr int kDefaultRounds = 3000;

int rounds() {
  const char* text = std::getenv("LACUNA_FUZZ_ROUNDS");
  return text == nullptr ? kDefaultRounds : std::atoi(text);
}

// Pieces that files of these formats are sensitive to.
const std::vector<std::string> kPieces{"",
                                       "0",
                                       "-1",
                                       "1e999",
                                       "1e-999",
                                       "nan",
                                       "inf",
                                       "-inf",
                                       "9223372036854775807",
                                       "-9223372036854775808",
                                       "4611686018427387903",
                                       "99999999999999999999999999999999999999999",
                                       "0.00000000000000000000000001",
                                       ".",
                                       "-",
                                       "+",
                                       "e",
                                       "\"",
                                       "\\",
                                       ";",
                                       ",",
                                       ":",
                                       "(",
                                       ")",
                                       "[",
                                       "]",
                                       "{",
                                       "}",
                                       "\n",
                                       "\r\n",
                                       "\t",
                                       "#",
                                       "@",
                                       "=",
                                       "null",
                                       "true",
                                       "[[",
                                       "]]",
                                       "\xEF\xBB\xBF",
                                       "\xFF",
                                       "\xC3",
                                       "é",
                                       "Total",
                                       "'''",
                                       "\"\"\"",
                                       std::string(1, '\0'),
                                       "1_000.5",
                                       "1979-05-27",
                                       "0x7fffffffffffffff",
                                       "[input]",
                                       "u",
                                       "1e20"};

std::size_t place(Random& random, std::size_t size) {
  return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(size)));
}

void mutate_once(Random& random, std::string& text) {
  const std::size_t at = place(random, text.size());
  const std::size_t length = std::min(text.size() - at, place(random, 12));
  switch (random.between(0, 7)) {
    case 0:  // cut the end off
      text.resize(at);
      break;
    case 1:  // remove a piece
      text.erase(at, length);
      break;
    case 2:  // repeat a piece
      text.insert(at, text.substr(at, length));
      break;
    case 3:  // flip bits of a byte
      if (at < text.size())
        text[at] = static_cast<char>(text[at] ^ (1 << random.between(0, 7)));
      break;
    case 4: {  // move a piece
      const std::string piece = text.substr(at, length);
      text.erase(at, length);
      text.insert(place(random, text.size()), piece);
      break;
    }
    case 5: {  // another digit
      const std::size_t digit = text.find_first_of("0123456789", at);
      if (digit != std::string::npos)
        text[digit] = static_cast<char>('0' + random.between(0, 9));
      break;
    }
    case 6: {  // replace a piece
      text.replace(at, length, kPieces[place(random, kPieces.size() - 1)]);
      break;
    }
    default:
      text.insert(at, kPieces[place(random, kPieces.size() - 1)]);
  }
}

std::string mutated(Random& random, std::string text) {
  for (std::int64_t n = random.between(1, 4); n > 0; --n)
    mutate_once(random, text);
  return text;
}

using Reader = std::function<bool(const std::string&)>;  // true if it was read

void fuzz(std::uint64_t seed, const std::vector<std::string>& valid, const Reader& read) {
  Random random(testing::seed_in_use(seed));
  int accepted = 0;
  int rejected = 0;
  for (const std::string& text : valid)
    ASSERT_TRUE(read(text)) << text;
  for (int i = 0; i < rounds(); ++i) {
    const std::string text = mutated(random, valid[place(random, valid.size() - 1)]);
    ASSERT_NO_THROW((read(text) ? accepted : rejected)++) << "round " << i << ":\n" << text;
  }
  EXPECT_GT(accepted, 0);
  EXPECT_GT(rejected, 0);
}

std::vector<Problem> problems(const testing::ProblemShape& shape) {
  Random random(3);
  std::vector<Problem> all;
  for (int i = 0; i < 6; ++i)
    all.push_back(testing::random_problem(random, shape));
  return all;
}

// A problem that was read must be one that can be written and read again.
TEST(Fuzz, Jj) {
  std::vector<std::string> valid;
  for (const Problem& problem : problems({.dimensions = false, .attackers = false}))
    valid.push_back(write_jj(problem).value());
  fuzz(101, valid, [](const std::string& text) {
    const auto problem = read_jj(text, "f.jj");
    if (!problem)
      return false;
    const auto written = write_jj(*problem);
    EXPECT_TRUE(written);
    const auto again = read_jj(*written, "f.jj");
    EXPECT_TRUE(again) << again.error().text();
    return true;
  });
}

TEST(Fuzz, ProblemJson) {
  std::vector<std::string> valid;
  for (const Problem& problem : problems({}))
    valid.push_back(write_problem_json(problem));
  fuzz(102, valid, [](const std::string& text) {
    const auto problem = read_problem_json(text, "f.json");
    if (!problem)
      return false;
    const auto again = read_problem_json(write_problem_json(*problem), "f.json");
    EXPECT_TRUE(again) << again.error().text();
    EXPECT_EQ(testing::what_differs(*problem, *again), "");
    return true;
  });
}

TEST(Fuzz, JobToml) {
  std::vector<std::string> valid;
  std::vector<std::string> tables;
  for (const Problem& problem : problems({})) {
    const auto files = write_job(problem, {}, "t" + std::to_string(valid.size()) + ".csv").value();
    valid.push_back(files.toml);
    tables.push_back(files.csv);
  }
  const FileLoader load = [&](const std::string& name) -> Result<std::string> {
    if (name.size() == 6 && name[1] >= '0' && name[1] <= '5')
      return tables[static_cast<std::size_t>(name[1] - '0')];
    return Error{ErrorCode::kIo, "the file does not exist", name};
  };
  fuzz(103, valid, [&](const std::string& text) {
    return read_job_text(text, "f.toml", load).has_value();
  });
}

TEST(Fuzz, RecordJobs) {
  const std::string valid = R"([input]
records = "r.csv"
decimals = 1
[columns]
value = "v"
request = "q"
[[dimension]]
name = "a"
digits = [1, 2]
[[dimension]]
name = "b"
columns = [["x", "y"], ["z", "y"]]
[[dimension]]
name = "c"
hierarchy = "c.hrc"
missing = "code"
missing_code = "c1"
[[table]]
dimensions = ["a", "b"]
[[rule]]
type = "dominance"
n = 2
k = 90
[[rule]]
type = "request"
percent = 10
[levels]
ratio = 2
[bounds]
upper_percent = 50
[attackers]
coalition = 2
[apriori]
file = "m.csv"
[options]
threads = 2
)";
  const std::string fixed = R"([input]
records = "r.txt"
fixed = [ { name = "a", start = 1, length = 2 } ]
[[dimension]]
name = "a"
[[rule]]
type = "frequency"
n = 3
)";
  const FileLoader load = [](const std::string& name) -> Result<std::string> {
    if (name == "c.hrc")
      return std::string("c1\nc2\n");
    return Error{ErrorCode::kIo, "the file does not exist", name};
  };
  fuzz(110, {valid, fixed}, [&](const std::string& text) {
    const auto job = read_record_job_text(text, "f.toml", "", load);
    return job.has_value() && job->has_value();
  });
}

TEST(Fuzz, TableCsv) {
  const Problem problem = problems({}).front();
  const auto files = write_job(problem, {}, "t.csv").value();
  for (const char* totals : {"given", "computed"}) {
    std::string job = files.toml;
    job.insert(job.find("separator"), std::string("totals = \"") + totals + "\"\n");
    fuzz(104, {files.csv}, [&](const std::string& text) {
      return read_job_text(
                 job, "f.toml", [&](const std::string&) -> Result<std::string> { return text; })
          .has_value();
    });
  }
}

TEST(Fuzz, Hierarchies) {
  fuzz(105, {"A\n@A1\n@@A11\n@A2\nB\n", "@T\n@@A\n@@@A1\n@@B\n"}, [](const std::string& text) {
    const auto tree = read_hrc(text, "f.hrc", "@", "T");
    return tree.has_value() && build_dimension("D", {*tree}).has_value();
  });
  fuzz(106, {"code,parent\nT,\nA,T\n\"A1\",A\nA2,A\n"}, [](const std::string& text) {
    const auto tree = read_parents_csv(text, "f.csv", ',', "T");
    if (tree) {
      EXPECT_TRUE(build_dimension("D", {*tree}));
    }
    return tree.has_value();
  });
}

TEST(Fuzz, Patterns) {
  const Problem problem = problems({}).front();
  Draft draft = Draft::withholding_primaries(problem.table);
  draft.publish_rounded(CellId{0}, problem.table.value(CellId{0}), 5);
  const std::string result =
      "{\"run\":{},\"release\":" + write_release_entries(draft, problem.table) + "}";
  fuzz(107, {result, "# list\n0\n1\n"}, [&](const std::string& text) {
    return read_pattern(text, "f", problem.table).has_value();
  });
}

TEST(Fuzz, AprioriFiles) {
  const std::vector<Dimension> dimensions{
      std::move(Dimension::build("NACE", {"Total", "A", "B"}, {{0, {1, 2}}})).value(),
      std::move(Dimension::build("REG", {"Total", "1", "2"}, {{0, {1, 2}}})).value()};
  const std::string csv =
      "REG,status,NACE,cost,lower,upper,sliding,lower_bound,upper_bound\n"
      "1,unsafe,A,,1.005,2,,0,inf\n,P,B,2.5,,,,,\n";
  const std::string hst = "A;1;U\nB;2;P\nA;2;C;5\nB;1;PL;3;4\n";
  fuzz(109, {csv, hst}, [&](const std::string& text) {
    const bool as_csv = read_apriori_csv(text, "f", dimensions, 2, {}).has_value();
    const bool as_hst = read_hst(text, "f", dimensions, 2, {';'}).has_value();
    return as_csv || as_hst;
  });
}

TEST(Fuzz, PackedFiles) {
  const std::string packed = pack_gzip(std::string(3000, 'x') + "end").value();
  const std::string xz(
      "\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f"
      "\xe5\xa3\x01\x00\x05\x68\x65\x6c\x6c\x6f\x0a\x00\x00\x00\xa5\x60\x97\xf1\x94\xf6\xfd\xe0"
      "\x00\x01\x1e\x06\xc1\x2f\xa4\x1d\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a",
      64);
  fuzz(108, {packed, xz}, [](const std::string& bytes) {
    return unpack(bytes, "f", 1 << 20).has_value();
  });
}

}  // namespace
}  // namespace lacuna

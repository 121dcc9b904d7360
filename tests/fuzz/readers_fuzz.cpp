// SPDX-License-Identifier: Apache-2.0
// The targets without a fuzzer: every file of corpus/ is replayed, and seeded mutations of these
// files and of what the writers make follow. The seed is printed; LACUNA_SEED=... replays,
// LACUNA_FUZZ_ROUNDS=... runs longer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz/targets.h"
#include "fuzz/use.h"
#include "support/random_problem.h"

namespace lacuna::fuzz {
namespace {

constexpr int kDefaultRounds = 1500;

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
                                       "1e20",
                                       "%",
                                       "-0",
                                       "\n==== job.toml\n",
                                       std::string(300, '9'),
                                       std::string(300, '[')};

std::size_t place(base::Random& random, std::size_t size) {
  return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(size)));
}

void mutate_once(base::Random& random, std::string& text) {
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

std::string mutated(base::Random& random, std::string text) {
  for (std::int64_t n = random.between(1, 4); n > 0; --n)
    mutate_once(random, text);
  return text;
}

struct Input {
  std::string name;
  std::string bytes;
  bool valid = false;  // must be accepted
};

// Files that begin with "valid" are made by hand and accepted; the others came from a fuzzer or
// repeat a fault, and may end either way.
std::vector<Input> corpus_of(const Target& target) {
  namespace fs = std::filesystem;
  std::vector<Input> inputs;
  const fs::path folder = fs::path(LACUNA_SOURCE_DIR) / "tests" / "fuzz" / "corpus" / target.name;
  for (const auto& file : fs::directory_iterator(folder)) {
    std::ostringstream bytes;
    bytes << std::ifstream(file.path(), std::ios::binary).rdbuf();
    const std::string name = file.path().filename().string();
    inputs.push_back({name, bytes.str(), name.starts_with("valid")});
  }
  std::sort(
      inputs.begin(), inputs.end(), [](const Input& a, const Input& b) { return a.name < b.name; });
  for (const std::string& seed : target.seeds())
    inputs.push_back({"seed", seed, true});
  return inputs;
}

class Readers : public ::testing::TestWithParam<Target> {};

TEST_P(Readers, ReplayTheCorpus) {
  for (const Input& input : corpus_of(GetParam())) {
    bool accepted = false;
    ASSERT_NO_THROW(accepted = fuzz_one(GetParam(), input.bytes)) << input.name;
    EXPECT_TRUE(accepted || !input.valid) << input.name << ":\n" << input.bytes;
  }
}

TEST_P(Readers, SurviveMutations) {
  const std::vector<Input> inputs = corpus_of(GetParam());
  ASSERT_FALSE(inputs.empty());
  base::Random random(testing::seed_in_use(101));
  int accepted = 0;
  int rejected = 0;
  for (int i = 0; i < rounds(); ++i) {
    const std::string bytes = mutated(random, inputs[place(random, inputs.size() - 1)].bytes);
    ASSERT_NO_THROW((fuzz_one(GetParam(), bytes) ? accepted : rejected)++) << "round " << i << ":\n"
                                                                           << bytes;
  }
  EXPECT_GT(accepted, 0);
  EXPECT_GT(rejected, 0);
}

INSTANTIATE_TEST_SUITE_P(Fuzz,
                         Readers,
                         ::testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& target) { return std::string(target.param.name); });

// A check that cannot fail is not a test: forged verdicts are seen.
TEST(Properties, AreSeenToSayNo) {
  EXPECT_THROW(require(false, "does not hold"), PropertyBroken);
  EXPECT_EQ(find_target("no such target"), nullptr);
  const SharedProblem& problem = fixed_problems().front();
  const Draft draft = Draft::withholding_primaries(problem->table());
  const AuditReport honest = Auditor(problem).audit(draft, {}, {}).value();
  ASSERT_EQ(honest.verdict, Verdict::kExposed);
  AuditReport forged = honest;
  for (Finding& finding : forged.findings)
    finding.verdict = Verdict::kUndecided;
  EXPECT_NO_THROW(require_agreement(honest, forged));
  for (Finding& finding : forged.findings)
    finding.verdict = Verdict::kProtected;
  EXPECT_THROW(require_agreement(honest, forged), PropertyBroken);
}

}  // namespace
}  // namespace lacuna::fuzz

// SPDX-License-Identifier: Apache-2.0
// Suppression of counts of records against the mechanism itself (docs/knowledge.md): every table of
// persons that gives the same public file, the same rows with the same numbers and the same blanks.
// Empty cells are rows of zeros, or no rows at all. The oracle knows of no bounds and no system;
// what the audit calls protected must be open among all these tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "core/base/random.h"
#include "data/files/byte_stream.h"
#include "data/problems/microdata.h"
#include "lacuna/audit.h"
#include "lacuna/count_rules.h"
#include "lacuna/protect.h"
#include "lacuna/sensitivity.h"
#include "lacuna/tabulate.h"
#include "seeds.h"

namespace lacuna {
namespace {

constexpr int kRows = 2, kColumns = 3, kInner = kRows * kColumns;
constexpr Units kMost = 8;  // persons in an inner cell that the oracle thinks of

using Inner = std::vector<Units>;  // persons by row and column

Inner drawn(base::Random& random) {
  Inner persons;
  for (int i = 0; i < kInner; ++i)
    persons.push_back(std::max<Units>(0, random.between(-1, 5)));
  persons[0] = std::max<Units>(persons[0], 1);  // somebody
  return persons;
}

std::string records_of(const Inner& persons) {
  std::string text = "r,c\n";
  for (int i = 0; i < kInner; ++i) {
    for (Units n = 0; n < persons[static_cast<std::size_t>(i)]; ++n)
      text += "r" + std::to_string(i / kColumns) + ",c" + std::to_string(i % kColumns) + "\n";
  }
  return text;
}

Problem problem_of(const Inner& persons, bool empty_cells, Units threshold) {
  TabulateOptions options;
  options.dimensions = {flat_dimension("r", "r"), flat_dimension("c", "c")};
  options.keep_empty_cells = empty_cells;
  auto source = problems::csv_records(files::text_byte_stream(records_of(persons)), "r.csv", {});
  EXPECT_TRUE(source);
  const auto tabulation = tabulate(**source, options, {});
  EXPECT_TRUE(tabulation) << tabulation.error().text();
  SensitivityOptions rules;
  rules.minimum_frequency = threshold;
  rules.attackers = AttackersMeant::kOutsider;
  SensitivityReport report;
  const auto problem = make_sensitive_problem(*tabulation, rules, {}, report);
  EXPECT_TRUE(problem) << problem.error().text();
  CountOptions counts;
  counts.threshold = threshold;
  auto counted = with_count_questions(*problem, counts);
  EXPECT_TRUE(counted) << counted.error().text();
  return std::move(counted).value();
}

// The rows of a public file: a number, or a blank.
class PublicFile {
 public:
  PublicFile(const Problem& problem, const Draft& draft, bool empty_cells)
      : table_(problem.table()), draft_(draft), empty_cells_(empty_cells) {
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      listed_.insert(table_.label(CellId{c}));
      inner_.push_back(inner_of(CellId{c}));
    }
    Inner persons(kInner, 0);
    place(0, persons);
  }

  std::size_t size() const { return tables_.size(); }

  std::set<Units> values(const LinearForm& form) const {
    std::set<Units> found;
    for (const Inner& persons : tables_) {
      Units sum = 0;
      for (const Term& term : form)
        sum += term.coefficient * count(persons, term.cell);
      found.insert(sum);
    }
    return found;
  }

 private:
  static bool lies_in(const Dimension& dimension, std::int32_t code, const std::string& inner) {
    return code == dimension.total() || dimension.code(code) == inner;
  }

  std::vector<std::size_t> inner_of(CellId cell) const {
    const auto codes = table_.codes(cell);
    std::vector<std::size_t> inside;
    for (int i = 0; i < kInner; ++i) {
      if (lies_in(table_.dimensions()[0], codes[0], "r" + std::to_string(i / kColumns)) &&
          lies_in(table_.dimensions()[1], codes[1], "c" + std::to_string(i % kColumns)))
        inside.push_back(static_cast<std::size_t>(i));
    }
    return inside;
  }

  Units count(const Inner& persons, CellId cell) const {
    Units sum = 0;
    for (const std::size_t i : inner_[static_cast<std::size_t>(cell.value)])
      sum += persons[i];
    return sum;
  }

  bool has_row(int i) const {
    return listed_.contains("r=r" + std::to_string(i / kColumns) + "|c=c" +
                            std::to_string(i % kColumns));
  }

  void place(int at, Inner& persons) {
    if (at == kInner) {
      if (gives_the_file(persons))
        tables_.push_back(persons);
      return;
    }
    // A row without a number may be anybody's; without empty cells no row is an empty cell.
    const Units least = has_row(at) && !empty_cells_ ? 1 : 0;
    for (Units n = least; n <= (has_row(at) ? kMost : 0); ++n) {
      persons[static_cast<std::size_t>(at)] = n;
      place(at + 1, persons);
    }
  }

  bool gives_the_file(const Inner& persons) const {
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      const CellId cell{c};
      const Units sum = count(persons, cell);
      if (draft_.is_exact(cell) ? sum != table_.value(cell) : sum == 0 && !empty_cells_)
        return false;
    }
    return true;
  }

  const Table& table_;
  const Draft& draft_;
  const bool empty_cells_;
  std::set<std::string> listed_;
  std::vector<std::vector<std::size_t>> inner_;  // by cell
  std::vector<Inner> tables_;
};

bool is_told(const Problem& problem, const Question& question, const std::set<Units>& values) {
  switch (question.kind) {
    case CountKind::kExact:
      return values.size() < 2;
    case CountKind::kSmall:
      return *values.begin() > 0 && *values.rbegin() < problem.counts()->threshold;
    default:
      return *values.rbegin() < 1 + problem.counts()->coalition;
  }
}

void look_at(std::uint64_t seed, std::map<std::string, int>& seen) {
  base::Random random(seed);
  const bool empty_cells = random.between(0, 2) == 0;
  const Units threshold = random.between(2, 4);
  const auto problem =
      std::make_shared<const Problem>(problem_of(drawn(random), empty_cells, threshold));
  const auto found = protect(problem, ProtectOptions{}, {});
  if (!found || !found->complete) {
    ++seen["no pattern"];
    return;
  }
  const auto decided = decide_release(problem, *found, {}, {});
  ASSERT_TRUE(decided) << decided.error().text();
  if (!decided->release) {
    ++seen["refused"];
    return;
  }
  const Draft& draft = decided->release->content();
  if (draft.entries().empty())
    return;
  ++seen[empty_cells ? "with empty cells" : "without"];
  const PublicFile file(*problem, draft, empty_cells);
  ASSERT_GT(file.size(), 0U);
  for (const Finding& finding : decided->release->report().of(Domain::kInteger)) {
    const auto values = file.values(finding.question.form);
    EXPECT_FALSE(is_told(*problem, finding.question, values))
        << "seed " << seed << ": " << problem->table().label(finding.question.cell) << " kind "
        << static_cast<int>(finding.question.kind) << ", " << *values.begin() << " to "
        << *values.rbegin();
  }
}

TEST(AbsentRows, NothingProtectedIsToldByThem) {
  std::map<std::string, int> seen;
  testing::for_each_seed(1, 120, [&](std::uint64_t seed) { look_at(seed, seen); });
  if (std::getenv("LACUNA_SEED") == nullptr) {
    EXPECT_GT(seen["with empty cells"], 10);
    EXPECT_GT(seen["without"], 20);
  }
}

}  // namespace
}  // namespace lacuna

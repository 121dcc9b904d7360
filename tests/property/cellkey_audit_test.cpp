// SPDX-License-Identifier: Apache-2.0
// Cell-key releases against all whole tables behind them: random tables of at most eight leaves,
// random tables of perturbations with holes, numbers left out below a threshold, blanks, insiders.
// Keys are those of units, and the tables behind a release are those of which the mechanism could
// have made it: each count may show its number, and what are the same units shows the same.
// Each certificate goes through both verifiers, and so do certificates that someone has touched.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "data/certificate/certificate.h"
#include "data/problems/problem_json.h"
#include "lacuna/audit.h"
#include "lacuna/cellkey.h"
#include "lacuna/keys.h"
#include "lacuna/protect.h"
#include "support/drawn_counts.h"
#include "support/temporary_folder.h"

namespace lacuna {
namespace {

using namespace testing::drawn_counts;

constexpr std::int64_t kLastRow = 4, kMostNoise = 2;

// Rows 1 .. 4 with some of the targets that are at most 2 away: holes of S are frequent.
Ptable draw_ptable(base::Random& random) {
  PtableParts parts;
  parts.denominator = 100;
  parts.cycle.length = 0;
  parts.rows.push_back({PtableType::kAll, 0, {{0, 0, 100, 1}}});
  for (std::int64_t i = 1; i <= kLastRow; ++i) {
    PtableRow row{PtableType::kAll, i, {}};
    std::vector<std::int64_t> targets;
    for (std::int64_t j = std::max<std::int64_t>(0, i - kMostNoise); j <= i + kMostNoise; ++j) {
      if (below(random, 3) > 0)
        targets.push_back(j);
    }
    if (targets.empty())
      targets.push_back(i);
    for (std::size_t k = 0; k < targets.size(); ++k)
      row.entries.push_back({targets[k],
                             targets[k] - i,
                             100 * (k + 1) / targets.size(),
                             1.0 / static_cast<double>(targets.size())});
    parts.rows.push_back(row);
  }
  return Ptable::make(parts).value();
}

bool reaches(const Ptable& ptable, Units count, Units shown) {
  const PtableRow& row = ptable.rows()[static_cast<std::size_t>(std::min<Units>(count, kLastRow))];
  return std::any_of(row.entries.begin(), row.entries.end(), [&](const PtableEntry& entry) {
    return entry.noise == shown - count;
  });
}

// The whole tables behind a release, leaf by leaf; it knows nothing of equations.
class Behind {
 public:
  Behind(const Drawn& drawn,
         const Draft& draft,
         const Ptable& ptable,
         Units least,
         const Attacker& attacker)
      : drawn_(drawn) {
    const Table& table = drawn.problem.table();
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      std::set<Units>& left = possible_.emplace_back();
      const auto entry = draft.find(CellId{c});
      const Bounds known = known_bounds(table, attacker, CellId{c});
      for (Units n = 0; n <= kMost; ++n) {
        bool fits = entry != nullptr || n == table.value(CellId{c});
        if (entry != nullptr && entry->state() == StatementKind::kAltered)
          fits = reaches(ptable, n, *entry->number());
        if (entry != nullptr && entry->state() == StatementKind::kInterval) {
          fits = false;
          for (Units shown = 0; shown < least; ++shown)
            fits = fits || reaches(ptable, n, shown);
        }
        if (fits && known.contains(n))
          left.insert(n);
      }
    }
    for (std::size_t c = 0; c < drawn.leaves_of.size(); ++c) {
      if (drawn.leaves_of[c].size() == 1)
        own_[drawn.leaves_of[c].front()] = c;
      const auto entry = draft.find(CellId{static_cast<std::int32_t>(c)});
      shown_.push_back(kNone);
      if (entry != nullptr && entry->state() == StatementKind::kAltered)
        shown_.back() = *entry->number();
      if (entry != nullptr && entry->state() == StatementKind::kInterval)
        shown_.back() = kLeftOut;
    }
    std::vector<Units> leaves(static_cast<std::size_t>(drawn.num_leaves), 0);
    place(0, leaves);
  }

  std::set<Units> values(const LinearForm& form) const {
    std::set<Units> found;
    for (const auto& cells : tables_) {
      Units sum = 0;
      for (const Term& term : form)
        sum += term.coefficient * cells[static_cast<std::size_t>(term.cell.value)];
      found.insert(sum);
    }
    return found;
  }

 private:
  static constexpr Units kMost = 14;
  static constexpr Units kNone = -1, kLeftOut = -2;  // nothing is shown; less than the least number

  void place(std::size_t at, std::vector<Units>& leaves) {
    if (at == leaves.size()) {
      keep(leaves);
      return;
    }
    for (const Units number : possible_[own_[static_cast<int>(at)]]) {
      leaves[at] = number;
      place(at + 1, leaves);
    }
  }

  void keep(const std::vector<Units>& leaves) {
    std::vector<Units> cells;
    std::map<std::set<int>, Units> shown;  // by the leaves in which the units are
    for (std::size_t c = 0; c < drawn_.leaves_of.size(); ++c) {
      Units sum = 0;
      std::set<int> units;
      for (const int leaf : drawn_.leaves_of[c]) {
        sum += leaves[static_cast<std::size_t>(leaf)];
        if (leaves[static_cast<std::size_t>(leaf)] > 0)
          units.insert(leaf);
      }
      if (!possible_[c].contains(sum))
        return;
      if (shown_[c] != kNone && shown.try_emplace(units, shown_[c]).first->second != shown_[c])
        return;
      cells.push_back(sum);
    }
    tables_.push_back(std::move(cells));
  }

  const Drawn& drawn_;
  std::vector<std::set<Units>> possible_;
  std::map<int, std::size_t> own_;
  std::vector<Units> shown_;  // by cell
  std::vector<std::vector<Units>> tables_;
};

// Of units: those of a leaf have some sum, and an empty one has 0.
CellKeys draw_keys(const Drawn& drawn, base::Random& random) {
  CellKeys keys;
  std::map<int, std::uint64_t> of_leaf;
  for (std::size_t c = 0; c < drawn.leaves_of.size(); ++c) {
    const bool empty = drawn.problem.table().value(CellId{static_cast<std::int32_t>(c)}) == 0;
    const auto key = static_cast<std::uint64_t>(random.between(0, 99'999'999));
    if (drawn.leaves_of[c].size() == 1)
      of_leaf[drawn.leaves_of[c].front()] = empty ? 0 : key;
  }
  for (std::size_t c = 0; c < drawn.leaves_of.size(); ++c) {
    std::uint64_t sum = 0;
    for (const int leaf : drawn.leaves_of[c])
      sum += of_leaf[leaf];
    keys.keys.push_back(sum % keys.modulus);
    keys.records.push_back(drawn.problem.table().value(CellId{static_cast<std::int32_t>(c)}));
  }
  return keys;
}

struct Released {
  Drawn drawn;
  Ptable ptable;
  Units least = 0;
  Draft draft;
};

Drawn draw_few_leaves(base::Random& random) {
  Drawn drawn = draw(random, {2, 8});
  while (drawn.num_leaves > 8)
    drawn = draw(random, {2, 8});
  return drawn;
}

Released draw_release(base::Random& random) {
  Drawn drawn = draw_few_leaves(random);
  Problem keyed = drawn.problem;
  EXPECT_TRUE(keyed.set_keys(std::make_shared<const CellKeys>(draw_keys(drawn, random))));
  Ptable ptable = draw_ptable(random);
  CellKeyOptions options;
  options.ptable = std::make_shared<const Ptable>(ptable);
  if (drawn.options.withheld_means == WithheldMeans::kAny) {
    options.least_count = below(random, 4) == 0 ? 3 : 0;
    const std::uint64_t blanks = below(random, 3) == 0 ? 1 + below(random, 3) : 0;
    std::set<CellId> withheld;
    for (std::uint64_t i = 0; i < blanks; ++i)
      withheld.insert(CellId{static_cast<std::int32_t>(
          below(random, static_cast<std::uint64_t>(drawn.problem.table().num_cells() - 1)))});
    options.withheld.assign(withheld.begin(), withheld.end());
  }
  auto made = publish_by_cell_key(std::make_shared<const Problem>(keyed), options, {});
  EXPECT_TRUE(made) << made.error().text();
  EXPECT_TRUE(check_draft(drawn.problem.table(), made->draft));
  return {std::move(drawn), std::move(ptable), options.least_count, std::move(made->draft)};
}

// What the script says of certificates: one line each.
class OtherVerifier {
 public:
  void add(const Problem& problem, const std::string& certificate) {
    const std::string stem = (folder_ / std::to_string(count_++)).string();
    std::ofstream(stem + ".json") << problems::write_problem_json(problem);
    std::ofstream(stem + ".certificate") << certificate;
    list_ += stem + ".json\t" + stem + ".certificate\traised\n";
  }

  std::vector<std::string> answers() {
    const std::string list = (folder_ / "list").string(), out = (folder_ / "out").string();
    std::ofstream(list) << list_;
    const std::string command = "python3 " LACUNA_SOURCE_DIR
                                "/scripts/verify_certificate.py --batch '" +
                                list + "' > '" + out + "' 2>&1";
    static_cast<void>(std::system(command.c_str()));
    std::ifstream text(out);
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
      lines.push_back(line);
    return lines;
  }

 private:
  const testing::UniqueFolder place_;
  const std::filesystem::path folder_ = place_.path();
  std::string list_;
  int count_ = 0;
};

std::string told_by(const AuditReport& report) {
  std::ostringstream out;
  const auto tell = [&](Domain domain, const char* what) {
    out << report.of(domain).size() << " " << what << ", confirmed protected "
        << report.count(Verdict::kProtected, domain) << ", confirmed exposed "
        << report.count(Verdict::kExposed, domain) << ", undecided "
        << report.count(Verdict::kUndecided, domain);
  };
  out << to_string(report.verdict) << ": ";
  tell(Domain::kRational, "requirements");
  if (!report.of(Domain::kInteger).empty()) {
    out << "; ";
    tell(Domain::kInteger, "questions about counts");
  }
  return out.str();
}

class CellKeyAudit : public ::testing::TestWithParam<std::uint64_t> {};

// Each parameter stands for 50 tables.
TEST_P(CellKeyAudit, AgreesWithAllTables) {
  std::map<CountKind, std::set<bool>> seen;
  std::int64_t holes = 0, unsettled = 0;
  OtherVerifier other;
  std::vector<std::string> expected;
  for (std::uint64_t i = 0; i < 50; ++i) {
    base::Random random(GetParam() * 1000 + i);
    const Released released = draw_release(random);
    const Drawn& drawn = released.drawn;
    for (const CellEntry& entry : released.draft.entries())
      holes += entry.among().empty() ? 0 : 1;
    const auto problem = std::make_shared<const Problem>(drawn.problem);
    AuditOptions options;
    options.intervals = below(random, 2) == 0;
    options.values = below(random, 2) == 0;
    const auto report = Auditor(problem).audit(released.draft, options, {});
    ASSERT_TRUE(report) << report.error().text();
    std::vector<Behind> tables;
    for (const Attacker& attacker : drawn.problem.attackers())
      tables.emplace_back(drawn, released.draft, released.ptable, released.least, attacker);
    for (const Finding& finding : report->of(Domain::kInteger)) {
      const Question& question = finding.question;
      const auto values = tables[static_cast<std::size_t>(question.attacker)].values(question.form);
      const bool safe = is_protected(drawn, released.draft, question, values);
      seen[question.kind].insert(safe);
      // That two values are left of three may rest on the holes of other cells alone.
      if (finding.verdict == Verdict::kUndecided && drawn.options.ambiguity > 1 &&
          question.kind == CountKind::kExact) {
        ++unsettled;
        continue;
      }
      EXPECT_EQ(finding.verdict, safe ? Verdict::kProtected : Verdict::kExposed)
          << "seed " << GetParam() << " table " << i << " kind "
          << enum_names(question.kind)[static_cast<std::size_t>(question.kind)] << " "
          << drawn.problem.table().label(question.cell) << ": " << finding.reason;
      if (options.values && values.size() < 20) {
        EXPECT_EQ(finding.values, std::vector<Units>(values.begin(), values.end()))
            << "seed " << GetParam() << " table " << i;
      }
    }
    const std::string text = certificate::write_certificate(*problem, released.draft, *report);
    const auto read = certificate::read_certificate(text, "c", *problem);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_TRUE(same_release(problem->table(), read->draft, released.draft));
    const auto again = confirm(*problem, read->draft, read->claimed);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(told_by(*again), told_by(*report));
    other.add(*problem, text);
    expected.push_back(told_by(*report));
  }
  EXPECT_EQ(other.answers(), expected);
  EXPECT_EQ(seen[CountKind::kExact].size(), 2U);
  EXPECT_EQ(seen[CountKind::kSmall].size(), 2U);
  EXPECT_GT(holes, 100);
  EXPECT_LT(unsettled, 20);
}

// One number of the evidence is another: what is still said must be true, by both verifiers, and
// most of it is refused.
TEST_P(CellKeyAudit, TouchedCertificatesProveNothingFalse) {
  OtherVerifier other;
  std::vector<std::string> true_verdicts;
  std::int64_t refused = 0, touched = 0;
  for (std::uint64_t i = 0; i < 25; ++i) {
    base::Random random(GetParam() * 1000 + i);
    const Released released = draw_release(random);
    const auto problem = std::make_shared<const Problem>(released.drawn.problem);
    const auto report = Auditor(problem).audit(released.draft, {}, {});
    ASSERT_TRUE(report);
    if (report->verdict == Verdict::kUndecided)
      continue;
    const std::string text = certificate::write_certificate(*problem, released.draft, *report);
    const std::size_t from = text.find("\"witnesses\"");
    std::vector<std::size_t> digits;
    for (std::size_t at = from; at < text.size(); ++at) {
      if (text[at] >= '0' && text[at] <= '9' &&
          (text[at - 1] == '[' || text[at - 1] == ',' || text[at - 1] == ':'))
        digits.push_back(at);
    }
    for (int k = 0; k < 4 && !digits.empty(); ++k) {
      std::string changed = text;
      char& digit = changed[digits[below(random, digits.size())]];
      digit = digit == '9' ? '0' : static_cast<char>(digit + 1);
      ++touched;
      other.add(*problem, changed);
      true_verdicts.emplace_back(to_string(report->verdict));
      const auto read = certificate::read_certificate(changed, "c", *problem);
      const auto again = read ? confirm(*problem, read->draft, read->claimed) : read.error();
      refused += again ? 0 : 1;
      for (std::size_t f = 0; again && f < again->of(Domain::kInteger).size(); ++f) {
        if (again->of(Domain::kInteger)[f].verdict != Verdict::kUndecided)
          EXPECT_EQ(again->of(Domain::kInteger)[f].verdict, report->of(Domain::kInteger)[f].verdict)
              << changed;
      }
    }
  }
  const auto answers = other.answers();
  ASSERT_EQ(answers.size(), true_verdicts.size());
  std::int64_t refused_by_other = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const std::string word = answers[i].substr(0, answers[i].find(':'));
    refused_by_other += word == "bad input" ? 1 : 0;
    EXPECT_TRUE(word == "bad input" || word == "undecided" || word == true_verdicts[i])
        << answers[i];
  }
  EXPECT_GT(refused, touched / 4);
  EXPECT_GT(refused_by_other, touched / 4);
}

int blank_leaves(const Drawn& drawn, const Draft& draft) {
  int blank = 0;
  for (std::size_t c = 0; c < drawn.leaves_of.size(); ++c) {
    const CellId cell{static_cast<std::int32_t>(c)};
    blank +=
        drawn.leaves_of[c].size() == 1 && draft.state(cell) == StatementKind::kWithheld ? 1 : 0;
  }
  return blank;
}

// What the method lets out, with blanks where need be and all else by default: of no table behind
// it is anything told that was asked.
TEST_P(CellKeyAudit, ReleasesOfTheMethodTellNothing) {
  std::int64_t released = 0, with_blanks = 0;
  for (std::uint64_t i = 0; i < 40; ++i) {
    base::Random random(GetParam() * 1000 + 500 + i);
    const Drawn drawn = draw_few_leaves(random);
    Problem keyed = drawn.problem;
    EXPECT_TRUE(keyed.set_keys(std::make_shared<const CellKeys>(draw_keys(drawn, random))));
    const auto problem = std::make_shared<const Problem>(std::move(keyed));
    const auto ptable = std::make_shared<const Ptable>(draw_ptable(random));
    ProtectOptions options;
    options.method = Method::kCellKey;
    options.cellkey.ptable = ptable;
    options.exposed = ExposedRule::kWithhold;
    const bool may_leave_out = drawn.options.withheld_means == WithheldMeans::kAny;  // zeros, too
    options.cellkey.least_count = may_leave_out && below(random, 2) == 0 ? 3 : 0;
    const auto found = protect(problem, options, RunContext{});
    ASSERT_TRUE(found) << found.error().text();
    if (!found->complete || blank_leaves(drawn, found->draft) > 2)
      continue;  // nothing is released; too many tables to look at
    const auto decided = decide_release(problem, *found, {}, RunContext{});
    ASSERT_TRUE(decided) << decided.error().text();
    if (!decided->release)
      continue;
    ++released;
    with_blanks += found->draft.count(StatementKind::kWithheld) > 0 ? 1 : 0;
    std::vector<Behind> tables;
    for (const Attacker& attacker : drawn.problem.attackers())
      tables.emplace_back(drawn, found->draft, *ptable, options.cellkey.least_count, attacker);
    for (const Finding& finding : decided->release->report().of(Domain::kInteger)) {
      const Question& question = finding.question;
      const auto values = tables[static_cast<std::size_t>(question.attacker)].values(question.form);
      EXPECT_TRUE(is_protected(drawn, found->draft, question, values))
          << "seed " << GetParam() << " table " << i << " kind "
          << enum_names(question.kind)[static_cast<std::size_t>(question.kind)] << " "
          << drawn.problem.table().label(question.cell);
    }
  }
  EXPECT_GT(released, 5);
  EXPECT_GT(with_blanks, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CellKeyAudit, ::testing::Range(std::uint64_t{1}, std::uint64_t{7}));

}  // namespace
}  // namespace lacuna

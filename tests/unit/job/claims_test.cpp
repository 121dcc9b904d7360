// SPDX-License-Identifier: Apache-2.0
// No sentence and no figure claims what was not asked or not computed: runs in which one part each
// was left out, read as every front end shows them, and searched for the claims of that part.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "app/job/jobs.h"
#include "data/files/file.h"
#include "data/files/temporary_folder.h"
#include "data/jobfile/problem_file.h"
#include "support/tables.h"

namespace lacuna::job {
namespace {

// What a run had to do for a claim to be made.
enum Part : unsigned {
  kAsked = 1U << 0U,    // something was required of the release
  kHeld = 1U << 1U,     // ... and all of it holds
  kEnds = 1U << 2U,     // exact ends of what readers can infer
  kCounts = 1U << 3U,   // questions about whole numbers
  kKeys = 1U << 4U,     // cell keys
  kRun = 1U << 5U,      // the run that made the release, with its cost and bound
  kMiddles = 1U << 6U,  // of what is published, at least
  kWhole = 1U << 7U,    // nothing that the table says of itself was left out of the questions
};

struct Text {
  std::string name;
  unsigned parts = 0;  // that were done
  std::string text;
};

struct Phrase {
  unsigned needs = 0;
  std::string pattern;  // a regular expression
};

const std::vector<Phrase>& phrases() {
  static const std::vector<Phrase> all{
      {kAsked | kHeld | kWhole, "\u2713"},
      {kAsked | kHeld | kWhole, "Safe, and checked"},
      {kAsked | kHeld | kWhole, "Confidentiality checked"},
      {kAsked | kHeld | kWhole, "Every requirement"},
      {kAsked | kHeld | kWhole, "enough remains open"},
      {kAsked | kHeld | kWhole, "class=\"card protected\""},
      {kAsked | kHeld, "\"verdict\":\"protected\""},
      {kAsked | kHeld, "^protected\\b"},
      {kAsked, "[0-9]+ of [0-9]+ requirements"},
      {kEnds, "could work out at best"},
      {kEnds, "best guess is within"},
      {kMiddles, "\"guess_(known|near|exact)(_share)?\":[0-9]"},
      {kMiddles, "the middle or number that is published is within"},
      {kEnds, "\"guess_state\":\"computed\""},
      {kEnds, "best guess (within|equal)[^\n]*</dt><dd>[0-9]"},
      {kEnds, "mean deviation of what[^\n]*</dt><dd>[0-9]"},
      {kEnds, "largest deviation[^\n]*</dt><dd>[0-9]"},
      {kEnds, "room required: least[^\n]*</dt><dd>[0-9]"},
      {kEnds, "width of what can be inferred[^\n]*</dt><dd>[0-9u]"},
      {kEnds, "\"width_exact\":true"},
      {kEnds, "\"(mean|max)_percent\":[0-9]"},
      {kEnds, "\"(least|mean)_ratio\":[0-9]"},
      {kEnds, "What attackers can infer, against what is required"},
      {kEnds, "can be inferred as \\["},
      {kCounts, "questions? about counts"},
      {kCounts, "in whole numbers: [0-9]"},
      {kCounts, "id=\"kinds-part\""},
      {kCounts, "\"whole\":true"},
      {kKeys, "by cell keys"},
      {kKeys, "\"left_variance\""},
      {kRun, "It is proven that"},
      {kRun, "proven bound"},
  };
  return all;
}

// What people read of a page: its data and scripts are no sentences.
std::string without_scripts(const std::string& page) {
  return page.substr(0, page.find("<script"));
}

class Claims : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.file(name); }

  template <class Job>
  std::string said(const Job& job) const {
    const auto output = run_job(job, RunContext{});
    return output ? output->text + output->message : output.error().text();
  }

  // Everything that can be said of one release of a table, with and without exact intervals.
  void read_release(const std::string& name,
                    const std::string& table,
                    const std::string& release,
                    const load::Assessment& asked,
                    unsigned parts) {
    for (const bool verdicts_only : {false, true}) {
      const unsigned done = verdicts_only ? parts : parts | kEnds | kMiddles;
      const std::string how = name + (verdicts_only ? ", verdicts only" : "");
      for (const bool json : {false, true}) {
        AuditJob audit;
        audit.input = table;
        audit.pattern = release;
        audit.asked = asked;
        audit.verdicts_only = verdicts_only;
        audit.all = !verdicts_only;
        audit.json = json;
        texts_.push_back({how + ", audit", done, said(audit)});
        read_report(how, table, release, asked, done, json);
      }
    }
  }

  void read_report(const std::string& name,
                   const std::string& table,
                   const std::string& release,
                   const load::Assessment& asked,
                   unsigned done,
                   bool json) {
    for (const bool open : {false, true}) {
      ReportJob report;
      report.input = table;
      report.result = release;
      report.asked = asked;
      report.unasked = UnaskedRule::kPublish;
      report.output = path("page.html");
      report.public_view = open;
      report.verdicts_only = (done & kEnds) == 0;
      report.json = json;
      report.own_run = json && (done & kRun) != 0;
      std::filesystem::remove(report.output);
      // A bound that was read from a file is nothing that this process has proven.
      const unsigned parts =
          done & ~(open ? unsigned{kEnds} : 0U) & ~(report.own_run ? 0U : unsigned{kRun});
      texts_.push_back({name + (open ? ", public report" : ", report"), parts, said(report)});
      if (const auto page = files::read_file(report.output))
        texts_.push_back(
            {name + (open ? ", public page" : ", page"), parts, without_scripts(*page)});
    }
  }

  // By a run of `protect`, of which the result is kept.
  void read_run(const std::string& name, const std::string& table, ProtectJob job, unsigned parts) {
    job.input = table;
    job.outputs = {path("result.json")};
    job.public_files = {path("public.csv")};
    job.unasked = UnaskedRule::kPublish;
    for (const bool json : {false, true}) {
      job.json = json;
      texts_.push_back({name + ", protect", parts | kRun, said(job)});
    }
    ASSERT_TRUE(std::filesystem::exists(job.outputs.front())) << name << ": " << texts_.back().text;
    read_release(name, table, job.outputs.front(), job.asked, parts | kRun);
    read_release(name + ", public file", table, job.public_files.front(), job.asked, parts);
  }

  void compare(const std::string& name,
               const std::string& table,
               const load::Assessment& asked,
               unsigned parts) {
    for (const int kind : {0, 1, 2}) {
      CompareJob job;
      job.input = table;
      job.methods = "suppress,interval,round";
      job.asked = asked;
      job.json = kind == 1;
      job.markdown = kind == 2;
      job.plot = path("plot.html");
      texts_.push_back({name + ", compare", parts | kEnds | kMiddles | kRun, said(job)});
      texts_.push_back(
          {name + ", plot", parts | kEnds | kMiddles | kRun, files::read_file(job.plot).value()});
    }
  }

  std::string written(const std::string& name,
                      const std::shared_ptr<const Problem>& problem) const {
    EXPECT_TRUE(jobfile::write_problem(*problem, path(name)));
    return path(name);
  }

  files::TemporaryFolder folder_{"claims"};
  std::vector<Text> texts_;
};

const std::vector<std::vector<Units>> kRows{{15, 25, 40}, {35, 25, 60}, {50, 50, 100}};

std::shared_ptr<const Problem> asking() {
  return testing::problem_of(testing::two_way(kRows, {0, 400}, 0, {0}), {{CellId{0}, 0, 5, 5, 0}});
}

std::shared_ptr<const Problem> asking_nothing() {
  return testing::problem_of(testing::two_way(kRows, {0, 400}), {});
}

// Counts, of which 2 is small.
std::string counts_file(const files::TemporaryFolder& folder) {
  const std::string csv = folder.file("counts.csv"), job = folder.file("counts.toml");
  EXPECT_TRUE(
      files::write_file_atomically(csv,
                                   "area;sex;n\nT;T;60\nT;m;31\nT;f;29\nn;T;32\nn;m;30\nn;f;2\ns;T;"
                                   "28\ns;m;1\ns;f;27\n"));
  EXPECT_TRUE(
      files::write_file_atomically(job,
                                   "[input]\ntable = \"counts.csv\"\nseparator = \";\"\n[columns]\n"
                                   "value = \"n\"\n[[dimension]]\nname = \"area\"\ntotal = \"T\"\n"
                                   "[[dimension]]\nname = \"sex\"\ntotal = \"T\"\n[counts]\n"
                                   "threshold = 3\n"));
  return job;
}

TEST_F(Claims, AreMadeOfWhatWasAskedAndComputedAlone) {
  const std::string asked = written("asked.json", asking());
  const std::string unasked = written("unasked.json", asking_nothing());
  const std::string counts = counts_file(folder_);
  ProtectJob suppress, interval, round, adjust;
  interval.method = Method::kInterval;
  round.method = Method::kRound;
  round.round.base = 10;
  adjust.method = Method::kAdjust;
  read_run("asked", asked, suppress, kAsked | kHeld | kWhole);
  read_run("intervals", asked, interval, kAsked | kHeld | kWhole | kMiddles);
  read_run("rounded", asked, round, kAsked | kHeld | kWhole | kEnds | kMiddles);
  // Numbers need no ends.
  read_run("adjusted", asked, adjust, kAsked | kHeld | kWhole | kEnds | kMiddles);
  read_run("adjusted counts", counts, adjust, kAsked | kHeld | kEnds | kMiddles);
  read_run("unasked", unasked, suppress, kEnds | kMiddles);  // all cells are as they are
  read_run("counts", counts, suppress, kAsked | kHeld | kWhole | kCounts);
  load::Assessment reals;
  reals.counts.reals = true;
  read_release("counts as reals", counts, path("public.csv"), reals, kAsked | kHeld);
  compare("asked", asked, {}, kAsked | kHeld | kWhole);
  compare("unasked", unasked, {}, 0);
  const std::string exposed = path("exposed.txt");
  ASSERT_TRUE(files::write_file_atomically(exposed, "0\n"));
  // A cell that is alone in its sums is told: its ends are part of the verdict.
  const unsigned told = kAsked | kEnds | kMiddles;
  read_release("exposed", asked, exposed, {}, told);
  load::Assessment waiving;
  waiving.waiver = Waiver::kExposed;
  read_release("waived", asked, exposed, waiving, told);

  std::vector<bool> alive(phrases().size(), false);
  for (const Text& each : texts_) {
    for (std::size_t i = 0; i < phrases().size(); ++i) {
      const Phrase& phrase = phrases()[i];
      const std::regex pattern(phrase.pattern, std::regex::ECMAScript | std::regex::multiline);
      std::smatch found;
      if (!std::regex_search(each.text, found, pattern))
        continue;
      alive[i] = true;
      EXPECT_EQ(phrase.needs & ~each.parts, 0U)
          << each.name << ": '" << found.str() << "' claims what was not done";
    }
  }
  for (std::size_t i = 0; i < phrases().size(); ++i)
    EXPECT_TRUE(alive[i] || (phrases()[i].needs & kKeys) != 0)
        << "nobody says '" << phrases()[i].pattern << "' any more: the test looks for nothing";
}

}  // namespace
}  // namespace lacuna::job

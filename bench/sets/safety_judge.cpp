// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/safety_judge.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <utility>

#include "app/load/load.h"
#include "app/load/prepare.h"
#include "bench/sets/process.h"
#include "bench/sets/safety_words.h"
#include "core/base/json_writer.h"
#include "data/certificate/certificate.h"
#include "data/files/file.h"
#include "data/jobfile/problem_file.h"
#include "data/publish/pattern.h"
#include "lacuna/lp.h"

namespace lacuna::bench {
namespace {

constexpr std::string_view kProtected = "protected", kExposed = "exposed", kRefused = "refused",
                           kUnasked = "unasked";
constexpr std::int32_t kSample = 6;  // requirements of a release that the plain program looks at

std::string word_of(const Result<AuditReport>& report) {
  return report ? std::string(to_string(report->verdict)) : std::string(kRefused);
}

// A release that the program has let out.
void compare_released(const Opinions& said, std::vector<std::string>& troubles) {
  const std::pair<const char*, const std::string&> all[] = {
      {"the audit of the result", said.result},
      {"the audit of the public file", said.shown},
      {"the confirmation of the certificate", said.confirmed},
      {"the second verifier", said.verifier}};
  const bool unasked = said.plain == kUnasked && said.plain_complete;
  for (const auto& [who, word] : all) {
    if (word != (unasked ? kUnasked : said.plain == kUnasked ? said.result : kProtected))
      troubles.push_back(fmt::format("{} says '{}' of a release", who, word));
  }
  if (said.plain == kExposed || said.plain == kRefused || said.plain.empty())
    troubles.push_back("the plain linear program says '" + said.plain + "' of a release");
}

// One that was made to tell more, with evidence of its own.
void compare_changed(const Opinions& said, std::vector<std::string>& troubles) {
  const auto say = [&](const char* what) {
    troubles.push_back(fmt::format(
        "{}: audit '{}', confirmation '{}', second verifier '{}', plain linear program '{}'",
        what,
        said.result,
        said.confirmed,
        said.verifier,
        said.plain));
  };
  if (said.result == kRefused) {
    if (said.plain == kProtected)
      say("a changed release is refused and safe");
    return;
  }
  if (said.confirmed != said.result || said.verifier != said.result)
    say("a changed release is not confirmed as it was judged");
  if (said.plain == kExposed && said.result != kExposed)
    say("an unsafe release passes");
  if (said.plain == kProtected && said.plain_complete && said.result != kProtected)
    say("a safe release does not pass");
}

// Evidence of another release: it may still hold, but not for what is not safe.
void compare_tampered(const Opinions& said, std::vector<std::string>& troubles) {
  if (said.confirmed != said.verifier)
    troubles.push_back(
        fmt::format("old evidence for a changed release: confirmation '{}', second verifier '{}'",
                    said.confirmed,
                    said.verifier));
  if (said.plain == kExposed && (said.confirmed == kProtected || said.verifier == kProtected))
    troubles.emplace_back("old evidence passes for an unsafe release");
}

double distance(const End& end) {
  return end.unbounded ? std::numeric_limits<double>::infinity() : end.reached.to_double();
}

void compare_ends(const Finding& finding,
                  const PlainFinding& plain,
                  const PlainOptions& options,
                  std::vector<std::string>& troubles) {
  const std::pair<const End&, double> ends[] = {{finding.low, plain.low},
                                                {finding.high, plain.high}};
  for (const auto& [end, reached] : ends) {
    if (end.exact() && !nearly_equal(distance(end), reached, plain.value, options))
      troubles.push_back(fmt::format(
          "cell {}, attacker {}: the audit proves that an end is {} away, the plain linear program "
          "finds {}",
          plain.cell,
          plain.attacker,
          distance(end),
          reached));
  }
}

// ---- judging

struct Library {                           // what the library makes of the files
  Problem given;                           // as asked
  std::shared_ptr<const Problem> problem;  // at the decimals of the release
  Draft draft;
  AuditReport report;
  certificate::Certificate certificate;
};

Result<AuditReport> audit_of(const std::shared_ptr<const Problem>& problem,
                             const Draft& draft,
                             bool intervals,
                             const std::string& engine,
                             const RunContext& run) {
  AuditOptions options;
  options.intervals = intervals;
  options.engine = engine;
  return Auditor(problem).audit(draft, options, run);
}

Result<Problem> problem_of(const std::string& table,
                           const load::Assessment& asked,
                           const RunContext& run) {
  LACUNA_TRY(load::PreparedProblem ready, load::load_prepared(table, run, {}, asked));
  return std::move(ready.problem);
}

std::string some_engine(base::Random& random) {
  const std::vector<std::string> engines = lp_engines();
  return engines[static_cast<std::size_t>(
      random.between(0, static_cast<std::int64_t>(engines.size()) - 1))];
}

class Judge {
 public:
  Judge(const ReleaseFiles& files, base::Random& random, const RunContext& run)
      : files_(files), random_(random), run_(run) {
    plain_.minimal = files.asked.levels != load::LevelChoice::kFile;
    plain_.zeros_meant = files.asked.zero_levels == load::ZeroLevels::kStated;
    plain_.released = files.asked.released;
    plain_.engine = some_engine(random);
    plain_.seed = random.next();
  }

  Judgement judge(bool change) {
    if (const Status read = read_released(); !read)
      trouble("what was written cannot be read back: " + read.error().text());
    else if (change)
      show_changed();
    return std::move(judgement_);
  }

 private:
  void trouble(std::string text) { judgement_.troubles.push_back(std::move(text)); }
  std::string file(const char* name) const { return files_.folder + "/" + name; }

  CertifiedPair& add_pair(ReleaseKind kind, const std::string& certificate) {
    CertifiedPair& pair = judgement_.pairs.emplace_back();
    pair.table = file("asked.json");
    pair.certificate = certificate;
    pair.zeros_meant = plain_.zeros_meant;
    pair.opinions.kind = kind;
    return pair;
  }

  Status read_released() {
    LACUNA_TRY(library_.given, problem_of(files_.table, files_.asked, run_));
    LACUNA_RETURN_IF_ERROR(jobfile::write_problem(library_.given, file("asked.json")));
    Problem problem = library_.given;
    LACUNA_TRY(library_.draft, load_draft(files_.result, problem));
    library_.problem = std::make_shared<const Problem>(std::move(problem));
    CertifiedPair& pair = add_pair(ReleaseKind::kReleased, files_.certificate);
    const auto report =
        audit_of(library_.problem, library_.draft, true, some_engine(random_), run_);
    pair.opinions.result = word_of(report);
    if (report)
      library_.report = *report;
    LACUNA_RETURN_IF_ERROR(read_shown(pair));
    LACUNA_RETURN_IF_ERROR(read_certificate(pair));
    plain_.most = kSample;
    const auto plain = ask_plainly(
        random_.chance(1, 3) ? files_.result : files_.shown, pair.opinions, &library_.report);
    if (plain)
      read_words(*plain);
    return ok_status();
  }

  // What the front ends say of it, in words and figures.
  void read_words(const PlainJudgement& plain) {
    const PlainFacts facts = facts_of(plain, library_.draft);
    const ReadRelease read{files_.table, files_.result, files_.folder, files_.asked};
    for (const SaidText& said : said_of_release(read, run_)) {
      ++judgement_.texts;
      for (std::string& text : contradictions(said, facts))
        trouble(std::move(text));
    }
  }

  // At the decimals of the result: a public CSV does not say how many it has.
  Status read_shown(CertifiedPair& pair) {
    Problem problem = *library_.problem;
    LACUNA_TRY(const Draft draft, load_draft(files_.shown, problem));
    if (!same_release(problem.table(), draft, library_.draft))
      trouble("the public file shows another release than the result");
    pair.opinions.shown = word_of(audit_of(std::make_shared<const Problem>(std::move(problem)),
                                           draft,
                                           false,
                                           some_engine(random_),
                                           run_));
    return ok_status();
  }

  Status read_certificate(CertifiedPair& pair) {
    Problem problem = library_.given;
    LACUNA_TRY(library_.certificate, load::load_certificate(files_.certificate, problem));
    if (!same_release(problem.table(), library_.certificate.draft, library_.draft))
      trouble("the certificate is for another release than the result");
    pair.opinions.confirmed =
        word_of(load::confirm_certificate(library_.certificate, files_.certificate, problem));
    return ok_status();
  }

  std::optional<PlainJudgement> ask_plainly(const std::string& release,
                                            Opinions& opinions,
                                            const AuditReport* report) {
    const auto plain = judge_plainly(files_.table, release, plain_, run_);
    opinions.plain = plain ? std::string(to_string(plain->word)) : std::string(kRefused);
    if (!plain) {
      if (opinions.kind == ReleaseKind::kReleased)
        trouble("the plain linear program cannot read a release: " + plain.error().text());
      return std::nullopt;
    }
    opinions.plain_complete = plain->complete;
    judgement_.looked_at += std::ssize(plain->findings);
    judgement_.unanswered += std::count_if(
        plain->findings.begin(), plain->findings.end(), [](const PlainFinding& finding) {
          return finding.word == PlainWord::kNone;
        });
    if (report != nullptr) {
      for (std::string& text : disagreements(*report, *plain, plain_))
        trouble(std::move(text));
    }
    return *plain;
  }

  // One entry that tells more: the value itself, or a narrow interval; of an adjusted table also
  // all of them, so that it still adds up.
  Draft changed() {
    Draft draft = library_.draft;
    const std::vector<CellEntry> entries = draft.entries();
    if (draft.adjusted() && random_.chance(2, 3)) {
      for (const CellEntry& entry : entries)
        draft.publish_adjusted(entry.cell, library_.problem->table().value(entry.cell));
      return draft;
    }
    std::size_t at = static_cast<std::size_t>(random_.between(0, std::ssize(entries) - 1));
    if (draft.adjusted() || random_.chance(1, 3)) {
      const auto& needs = library_.problem->requirements();
      const CellId cell =
          needs[static_cast<std::size_t>(random_.between(0, std::ssize(needs) - 1))].cell;
      const auto found = std::find_if(entries.begin(), entries.end(), [&](const CellEntry& entry) {
        return entry.cell == cell;
      });
      if (found != entries.end())
        at = static_cast<std::size_t>(found - entries.begin());
    }
    const CellId cell = entries[at].cell;
    const bool must_show =  // a number, and no interval
        library_.problem->table().cell(cell).status == CellStatus::kMustPublish;
    if (draft.adjusted() || must_show || random_.chance(1, 2)) {
      draft.publish_exact(cell);
      return draft;
    }
    const Units value = library_.problem->table().value(cell);
    const Units most = std::max<Units>(1, (value < 0 ? -value : value) / 8);
    const Bounds narrow{value - random_.between(0, most), value + random_.between(0, most)};
    draft.publish_interval(cell, intersect(narrow, entries[at].bounds()));
    return draft;
  }

  void show_changed() {
    if (library_.draft.num_entries() == 0 || library_.problem->requirements().empty())
      return;
    const Draft draft = changed();
    const Table& table = library_.problem->table();
    const std::string release = file("changed.json");
    const std::string text = base::json_object([&](base::JsonWriter& json) {
      json.member("decimals", table.decimals()).member("adjusted", draft.adjusted());
      publish::write_release_entries(json.key("release"), draft, table);
    });
    if (!files::write_file_atomically(release, text + "\n"))
      return trouble("a changed release cannot be written");
    CertifiedPair pair = judge_changed(release);
    if (library_.draft.adjusted())
      return;  // there is no evidence to keep
    CertifiedPair& old = add_pair(ReleaseKind::kTampered, file("tampered.certificate.json"));
    old.opinions.plain = pair.opinions.plain;
    if (!files::write_file_atomically(
            old.certificate,
            certificate::write_certificate(
                library_.given, table.decimals(), draft, library_.certificate.claimed)))
      return trouble("a changed certificate cannot be written");
    old.opinions.confirmed = confirmed(old.certificate);
  }

  std::string confirmed(const std::string& path) const {
    Problem problem = library_.given;
    const auto certificate = load::load_certificate(path, problem);
    if (!certificate)
      return std::string(kRefused);
    return word_of(load::confirm_certificate(*certificate, path, problem));
  }

  // From the file, as any other release.
  CertifiedPair judge_changed(const std::string& release) {
    CertifiedPair& pair = add_pair(ReleaseKind::kChanged, file("changed.certificate.json"));
    Problem problem = library_.given;
    const auto draft = load_draft(release, problem);
    const auto shared = std::make_shared<const Problem>(std::move(problem));
    auto report = draft ? audit_of(shared, *draft, random_.chance(1, 2), some_engine(random_), run_)
                        : Result<AuditReport>(draft.error());
    pair.opinions.result = word_of(report);
    plain_.most = -1;
    ask_plainly(release, pair.opinions, report ? &*report : nullptr);
    if (!report) {
      pair.certificate.clear();  // nothing to certify
      return pair;
    }
    const std::string text =
        certificate::write_certificate(library_.given, shared->table().decimals(), *draft, *report);
    if (!files::write_file_atomically(pair.certificate, text))
      trouble("a certificate cannot be written");
    pair.opinions.confirmed = confirmed(pair.certificate);
    return pair;
  }

  const ReleaseFiles& files_;
  base::Random& random_;
  const RunContext& run_;
  PlainOptions plain_;
  Library library_;
  Judgement judgement_;
};

std::string word_of_line(const std::string& line) {
  const std::string word = line.substr(0, line.find(':'));
  return word == "bad input" ? std::string(kRefused) : word;
}

}  // namespace

std::vector<std::string> disagreements(const Opinions& opinions) {
  std::vector<std::string> troubles;
  switch (opinions.kind) {
    case ReleaseKind::kReleased:
      compare_released(opinions, troubles);
      break;
    case ReleaseKind::kChanged:
      compare_changed(opinions, troubles);
      break;
    case ReleaseKind::kTampered:
      compare_tampered(opinions, troubles);
      break;
  }
  return troubles;
}

std::vector<std::string> disagreements(const AuditReport& report,
                                       const PlainJudgement& plain,
                                       const PlainOptions& options) {
  std::vector<std::string> troubles;
  std::map<std::pair<std::int32_t, std::int32_t>, const Finding*> by_need;
  for (const Finding& finding : report.of(Domain::kRational))
    by_need[{finding.question.cell.value, finding.question.attacker}] = &finding;
  for (const PlainFinding& each : plain.findings) {
    const auto found = by_need.find({each.cell, each.attacker});
    if (found == by_need.end()) {
      troubles.push_back(
          fmt::format("the audit does not look at cell {}, attacker {}", each.cell, each.attacker));
      continue;
    }
    const Finding& finding = *found->second;
    const bool wrong =
        (each.word == PlainWord::kExposed && finding.verdict != Verdict::kExposed) ||
        (each.word == PlainWord::kProtected && finding.verdict != Verdict::kProtected) ||
        (each.word == PlainWord::kUnasked && finding.verdict != Verdict::kUnasked);
    if (wrong)
      troubles.push_back(fmt::format("cell {}, attacker {}: audit '{}', plain linear program '{}'",
                                     each.cell,
                                     each.attacker,
                                     to_string(finding.verdict),
                                     to_string(each.word)));
    if (each.has_ends)
      compare_ends(finding, each, options, troubles);
  }
  return troubles;
}

bool calls_unsafe(const Opinions& opinions) {
  if (opinions.kind != ReleaseKind::kReleased)
    return false;
  const std::string* words[] = {
      &opinions.result, &opinions.shown, &opinions.confirmed, &opinions.verifier, &opinions.plain};
  return std::any_of(std::begin(words), std::end(words), [](const std::string* word) {
    return *word == kExposed;
  });
}

bool is_unsafe(const Opinions& opinions) {
  return opinions.kind == ReleaseKind::kChanged && opinions.plain == kExposed;
}

bool is_refused(const Opinions& opinions) {
  const auto refuses = [](const std::string& word) {
    return word.empty() || word == kExposed || word == kRefused;
  };
  return refuses(opinions.result) && refuses(opinions.confirmed) && refuses(opinions.verifier);
}

Judgement judge_files(const ReleaseFiles& files,
                      bool change,
                      base::Random& random,
                      const RunContext& run) {
  return Judge(files, random, run).judge(change);
}

Result<bool> safe_if_all_is_withheld(const std::string& table,
                                     const load::Assessment& asked,
                                     const RunContext& run) {
  LACUNA_TRY(Problem problem, problem_of(table, asked, run));
  Draft draft;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    if (may_be_withheld(problem.table().cell(CellId{c})))
      draft.withhold(CellId{c});
  }
  LACUNA_TRY(const AuditReport report,
             audit_of(std::make_shared<const Problem>(std::move(problem)), draft, false, "", run));
  return passes(report.verdict);
}

Status ask_verifier(const std::string& script,
                    const std::string& list,
                    std::vector<CertifiedPair*> pairs) {
  pairs.erase(std::remove_if(pairs.begin(),
                             pairs.end(),
                             [](const CertifiedPair* pair) { return pair->certificate.empty(); }),
              pairs.end());
  if (pairs.empty())
    return ok_status();
  std::string text;
  for (const CertifiedPair* pair : pairs)
    text +=
        pair->table + "\t" + pair->certificate + (pair->zeros_meant ? "\tstated\n" : "\traised\n");
  LACUNA_RETURN_IF_ERROR(files::write_file_atomically(list, text));
  const ChildResult child = run_program({"python3", script, "--batch", list}, {});
  std::istringstream lines(child.output);
  std::size_t answered = 0;
  for (std::string line; answered < pairs.size() && std::getline(lines, line); ++answered)
    pairs[answered]->opinions.verifier = word_of_line(line);
  if (answered < pairs.size())
    return Error{
        ErrorCode::kUnsupported, "the second verifier gives no answer: " + child.trouble, script};
  return ok_status();
}

}  // namespace lacuna::bench

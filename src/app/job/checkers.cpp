// SPDX-License-Identifier: Apache-2.0
#include "app/job/checkers.h"

#include <fmt/core.h>

#include <utility>

#include "app/job/certified.h"
#include "data/certificate/certificate_lines.h"
#include "data/problems/problem_json.h"
#include "judge/bound/check_bound.h"

namespace lacuna::job {
namespace {

Error differ(const std::string& who,
             const std::string& answer,
             const std::string& own,
             const std::string& path) {
  return {ErrorCode::kWrongEvidence,
          who + " says '" + answer + "', and this program '" + own +
              "': one of them is wrong, so nothing is confirmed",
          path};
}

// ", waived 2", or nothing.
std::string some_part(const char* word, std::int32_t number) {
  return number == 0 ? "" : fmt::format(", {} {}", word, number);
}

}  // namespace

std::string tally_text(const AuditReport& report) {
  std::string whole;
  if (!report.of(Domain::kInteger).empty()) {
    whole = fmt::format(
        "; {} questions about counts, confirmed protected {}, confirmed exposed {}, undecided {}{}",
        report.of(Domain::kInteger).size(),
        report.count(Verdict::kProtected, Domain::kInteger),
        report.count(Verdict::kExposed, Domain::kInteger),
        report.count(Verdict::kUndecided, Domain::kInteger),
        some_part("waived", report.count(Verdict::kWaived, Domain::kInteger)) +
            some_part("unasked", report.count(Verdict::kUnasked, Domain::kInteger)));
  }
  return fmt::format(
      "{}: {} requirements, confirmed protected {}, confirmed exposed {}, undecided {}{}{}{}",
      to_string(report.verdict),
      report.of(Domain::kRational).size(),
      report.count(Verdict::kProtected, Domain::kRational),
      report.count(Verdict::kExposed, Domain::kRational),
      report.count(Verdict::kUndecided, Domain::kRational),
      some_part("waived", report.count(Verdict::kWaived, Domain::kRational)),
      some_part("unasked", report.count(Verdict::kUnasked, Domain::kRational)),
      whole);
}

std::string bound_text(const load::ConfirmedBound& bound) {
  using Of = load::ConfirmedBound::Of;
  const bool is_pattern = bound.of == Of::kPattern;
  const std::string verb = is_pattern ? "weighs" : "costs";
  const std::string others = is_pattern                  ? "no safe pattern weighs"
                             : bound.of == Of::kIntervals ? "no safe intervals cost"
                                                          : "no adjusted table costs";
  const std::string least = bound::bound_in_words(bound.at_least);
  if (!bound.has_end)
    return fmt::format("bound: {} less than {}; widths of this one have no end", others, least);
  if (bound.weight == bound.at_least)
    return fmt::format("bound: {} less than {}, and this one {} no more", others, least, verb);
  const std::string own = bound::bound_in_words(bound.weight);
  const std::string this_one = is_pattern ? "this pattern" : "this release";
  if (bound.at_least.sign() == 0)
    return fmt::format("bound: {} {} {}, and the log says nothing of others", this_one, verb, own);
  return fmt::format(
      "bound: {} less than {}; this one {} {}, {:.2g}% more at most",
      others,
      least,
      verb,
      own,
      100 * (bound.weight.to_double() / bound.at_least.to_double() - 1));
}

// Of the bound the proven checker says what the cells come to that are to be decided, in units of the
// log.
Status ask_proven(const Problem& problem,
                  const certificate::Certificate& certificate,
                  const std::string& path,
                  const AuditReport& report) {
  LACUNA_TRY(const std::string answer,
             proven_answer(certificate::certificate_lines(problem, certificate), path));
  std::string own = tally_text(report);
  if (certificate.bound)
    own += "\nbound: at least " + certificate.bound->at_least.text();
  return answer == own ? ok_status() : Status(differ("the proven checker", answer, own, path));
}

Status ask_verifier(const Problem& given,
                    const std::string& certificate,
                    bool zeros_are_stated,
                    const std::string& path,
                    const AuditReport& report) {
  LACUNA_TRY(const std::string said,
             verifier_answer(
                 problems::write_problem_json(given), certificate, zeros_are_stated, path));
  const std::string answer = said.substr(0, said.find('\n'));
  const std::string own = tally_text(report);
  return answer == own ? ok_status() : Status(differ("the verifier in Python", answer, own, path));
}

}  // namespace lacuna::job

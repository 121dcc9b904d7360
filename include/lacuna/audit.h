// SPDX-License-Identifier: Apache-2.0
// The audit: for every question of a problem (question.h), prove that a draft release leaves
// possible what it asks for, or prove that it does not. Engines only suggest evidence; a verdict
// rests on evidence confirmed in exact arithmetic. What cannot be confirmed is undecided, and
// blocks release as exposure does.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/export.h"
#include "lacuna/problem.h"
#include "lacuna/question.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace LACUNA_API lacuna {

namespace table {
struct Network;
}

// Waived: exposed, and whoever asks has said beforehand that it may go out all the same
// (Problem::waiver). Unasked, of an audit as a whole: there was neither a requirement nor a
// question about counts, so that nobody knows what the release tells. Of a requirement: it asks for
// nothing (Requirement::asks_nothing) but that the number is not printed, and it is not. Neither is
// ever called protected.
enum class Verdict : std::uint8_t { kProtected, kExposed, kUndecided, kWaived, kUnasked };
std::string_view to_string(Verdict verdict);
std::optional<Verdict> find_verdict(std::string_view word);

// What may be said of a single requirement, and of a question about counts.
inline constexpr std::array<Verdict, 5> kVerdictsOfFindings{Verdict::kProtected,
                                                            Verdict::kExposed,
                                                            Verdict::kUndecided,
                                                            Verdict::kWaived,
                                                            Verdict::kUnasked};
inline constexpr std::array<Verdict, 4> kVerdictsOfQuestions{
    Verdict::kProtected, Verdict::kExposed, Verdict::kUndecided, Verdict::kWaived};

// The worse of two, in the order exposed, undecided, waived, protected; any is worse than unasked.
Verdict worse(Verdict a, Verdict b);

// Whether nothing that was asked stands against a release. That nothing was asked stands against
// none: a writer for the public looks at the verdict itself.
bool passes(Verdict verdict);

// Whether a requirement is met, or asks for nothing that could be.
bool is_met(Verdict verdict);

struct Finding {
  Question question;
  Verdict verdict = Verdict::kUndecided;
  std::string reason;  // why undecided, or which level fails; empty if protected
  End low, high;
  std::vector<Units> values;        // of the form, all of them, where they were enumerated
  std::vector<std::int32_t> shown;  // witnesses of these values, beside those of the ends
};

struct CellRange {  // of a withheld cell that has no requirement, for the outsider
  CellId cell;
  End low, high;
};

// Serpell et al.: with only the primaries withheld, is a primary short of its level already by one
// of its own equations (initially), only by several together (consequentially), or not at all?
enum class Exposure : std::uint8_t { kNotExposed, kInitially, kConsequentially, kUnknown };
std::string_view to_string(Exposure exposure);

struct AuditOptions {
  bool intervals = true;            // exact ends for cells with requirements; false: verdicts only
  bool all_withheld = false;        // exact ends for every cell that is not published as it is
  bool exposure = false;            // classify the primaries
  std::string engine;               // LP engine; empty: the preferred one
  std::vector<std::int32_t> only;   // indices of requirements to look at; empty: all. For methods
                                    // at work; release() always looks at all
  std::vector<Displacement> hints;  // tried first; each is checked like any other evidence
  // Of a table of counts:
  bool values = false;              // list all values where the range is short
  std::int64_t node_limit = 10000;  // of a case distinction, per end
  bool reals = false;               // requirements alone, as of numbers with decimals. For methods
                                    // at work; release() always looks at all
};

struct AuditCounts {
  std::int64_t attackers = 0, parts = 0, largest_part = 0, free_cells = 0, determined = 0;
  std::int64_t lp_solves = 0, flows = 0, reused_witnesses = 0, hints_used = 0,
               single_equation_proofs = 0, full_part_searches = 0;
};

struct AuditReport {
  // The worst of the findings: exposed, undecided, waived, protected; unasked if none asks
  // anything.
  Verdict verdict = Verdict::kUndecided;
  std::vector<Finding> findings;   // in the order of questions_of(): rational, then whole numbers
  std::vector<CellRange> ranges;   // with all_withheld
  std::vector<Exposure> exposure;  // with the option: one per rational finding
  Evidence evidence;
  AuditCounts counts;
  std::int64_t work = 0;  // units, as run_context.h counts them
  double seconds = 0;
  std::string engine;

  // The findings of one domain: those of requirements, or those about counts.
  std::span<const Finding> of(Domain domain) const;
  std::int32_t count(Verdict which) const;
  std::int32_t count(Verdict which, Domain domain) const;
  std::int32_t count_asked() const;  // those that ask for something
  std::int32_t count_asked(Domain domain) const;
};

// Why a report lets nothing out: "the audit does not pass the release: 2 requirements exposed, ..."
std::string refusal_text(const AuditReport& report);
// The same, and the first few cells that it is about by their codes: "... (region=N|branch=C)".
// Never a value.
std::string refusal_text(const AuditReport& report, const Table& table);

class AuditedRelease {  // the only type that the release writers of io/ accept
 public:
  const Problem& problem() const { return *problem_; }
  const Draft& content() const { return draft_; }
  const AuditReport& report() const { return report_; }

 private:
  friend class Auditor;
  AuditedRelease(std::shared_ptr<const Problem> problem, Draft draft, AuditReport report)
      : problem_(std::move(problem)), draft_(std::move(draft)), report_(std::move(report)) {}
  std::shared_ptr<const Problem> problem_;
  Draft draft_;
  AuditReport report_;
};

// What became of a draft: the release, or the report that says why there is none.
struct ReleaseDecision {
  std::optional<AuditedRelease> release;
  AuditReport refusal;  // exposed or undecided; empty if there is a release
};

class Auditor {
 public:
  explicit Auditor(std::shared_ptr<const Problem> problem);

  // Errors: a draft that does not fit the table, an unknown engine.
  Result<AuditReport> audit(const Draft& draft,
                            const AuditOptions& options,
                            const RunContext& run) const;

  // Audits every requirement and hands out the release only if each is confirmed or waived. That of
  // a problem that asks nothing is handed out with the verdict unasked. A refusal is a result;
  // errors are those of audit().
  Result<ReleaseDecision> decide(const Draft& draft,
                                 const AuditOptions& options,
                                 const RunContext& run) const;

  // The same for who has no use for a refusal: it is an error that counts what is exposed or
  // undecided.
  Result<AuditedRelease> release(const Draft& draft,
                                 const AuditOptions& options,
                                 const RunContext& run) const;

  const Problem& problem() const { return *problem_; }

 private:
  std::shared_ptr<const Problem> problem_;
  std::shared_ptr<const table::Network> network_;  // the table as a network; null if it is none
};

// Checks the evidence of a report against problem and draft from the start, without a solver, and
// returns the report with verdicts recomputed from that evidence alone.
Result<AuditReport> confirm(const Problem& problem, const Draft& draft, const AuditReport& claimed);

}  // namespace lacuna

// SPDX-License-Identifier: Apache-2.0
#include "app/load/cell_file.h"
#include "data/certificate/certificate.h"
#include "data/certificate/checkpoint.h"
#include "data/publish/pattern.h"
#include "data/publish/public_file.h"
#include "data/publish/published_csv.h"
#include "fuzz/target_list.h"
#include "fuzz/targets.h"
#include "fuzz/use.h"
#include "lacuna/suppress.h"

namespace lacuna::fuzz {
namespace {

// Releases of a fixed problem: its primaries alone (exposed), and all that may be withheld.
std::vector<Draft> drafts_of(const Problem& problem) {
  std::vector<Draft> drafts{Draft::withholding_primaries(problem.table())};
  Draft all = drafts.front();
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    if (problem.table().cell(CellId{c}).status == CellStatus::kFree)
      all.withhold(CellId{c});
  }
  drafts.push_back(std::move(all));
  return drafts;
}

AuditReport audit_of(const SharedProblem& problem,
                     const Draft& draft,
                     std::vector<Displacement> hints = {}) {
  AuditOptions options;
  options.intervals = false;
  options.hints = std::move(hints);
  return Auditor(problem).audit(draft, options, {}).value();
}

// Whatever evidence a certificate brings, it never turns an exposed release into a protected one.
void use_certificate(const SharedProblem& problem, const certificate::Certificate& certificate) {
  const auto confirmed = confirm(*problem, certificate.draft, certificate.claimed);
  if (!confirmed)
    return;
  const auto audited = Auditor(problem).audit(certificate.draft, {}, {});
  require(audited.has_value(), "a release that can be confirmed can be audited");
  require_agreement(*confirmed, *audited);
  require(confirmed->verdict != Verdict::kProtected || audited->verdict != Verdict::kExposed,
          "a hostile certificate does not protect what is exposed");
}

// Neither the pattern nor the evidence of a checkpoint is taken on trust.
void use_checkpoint(const SharedProblem& problem, const certificate::Checkpoint& saved) {
  Draft draft = Draft::withholding(saved.withheld);
  if (check_draft(problem->table(), draft))
    require_agreement(audit_of(problem, draft), audit_of(problem, draft, saved.evidence));
  SuppressOptions options;
  options.effort = Effort::kFast;
  options.start = saved.withheld;
  options.start_evidence = saved.evidence;
  options.start_stage = saved.stage;
  const auto result = suppress(problem, options, {});
  if (result && result->complete) {
    require(audit_of(problem, result->draft, result->witnesses).verdict == Verdict::kProtected,
            "what a resumed run calls complete is protected");
  }
}

}  // namespace

bool run_pattern(std::string_view bytes) {
  bool accepted = false;
  for (const SharedProblem& problem : fixed_problems()) {
    const auto draft = publish::read_pattern(bytes, "f.json", problem->table());
    if (!draft || !publish::pattern_decimals(bytes, "f.json"))
      continue;
    accepted = true;
    const std::string written =
        "{\"release\":" + publish::write_release_entries(*draft, problem->table()) + "}";
    const auto again = publish::read_pattern(written, "own.json", problem->table());
    require(again.has_value(), "a release that was written can be read");
    require(again->entries() == draft->entries(), "a release reads back the same");
    judge(problem, *draft);
  }
  return accepted;
}

Seeds seeds_pattern() {
  Seeds seeds{"# list\n0\n1\n"};
  for (const SharedProblem& problem : fixed_problems()) {
    for (Draft& draft : drafts_of(*problem)) {
      draft.publish_interval(
          CellId{0},
          {problem->table().value(CellId{0}) - 3, problem->table().value(CellId{0}) + 9});
      draft.publish_rounded(CellId{1}, problem->table().value(CellId{1}), 5);
      seeds.push_back("{\"run\":{},\"decimals\":0,\"release\":" +
                      publish::write_release_entries(draft, problem->table()) + "}");
    }
  }
  return seeds;
}

bool run_public(std::string_view bytes) {
  bool accepted = false;
  for (const SharedProblem& problem : fixed_problems()) {
    // As anyone's table it is judged, too; as an earlier one it names cells of this one alone.
    if (const auto anyone =
            publish::read_published_csv(std::string(bytes), "f.csv", problem->table())) {
      accepted = true;
      judge(problem, *anyone);
    }
    if (const auto earlier =
            publish::read_earlier_csv(std::string(bytes), "f.csv", problem->table())) {
      for (const CellEntry& entry : earlier->draft.entries())
        require(entry.cell.value < problem->table().num_cells(), "a cell of the table");
    }
    const auto draft =
        publish::is_public_json(bytes)
            ? publish::read_public_json(bytes, "f.json", problem->table())
            : publish::read_public_csv(std::string(bytes), "f.csv", problem->table());
    if (!draft)
      continue;
    accepted = true;
    judge(problem, *draft);
  }
  return accepted;
}

Seeds seeds_public() {
  Seeds seeds;
  for (const SharedProblem& problem : fixed_problems()) {
    const auto release = Auditor(problem).release(drafts_of(*problem).back(), {}, {});
    if (!release)
      continue;
    seeds.push_back(publish::public_csv(*release));
    seeds.push_back(publish::public_json(*release));
  }
  return seeds;
}

bool run_certificate(std::string_view bytes) {
  bool accepted = false;
  for (const SharedProblem& problem : problems_with_evidence()) {
    const auto certificate = certificate::read_certificate(bytes, "f.json", *problem);
    if (!certificate)
      continue;
    accepted = true;
    // The digest does not stop anyone: who has the table can write it into the certificate.
    use_certificate(problem, *certificate);
  }
  return accepted;
}

Seeds seeds_certificate() {
  Seeds seeds;
  for (const SharedProblem& problem : problems_with_evidence()) {
    for (const Draft& draft : drafts_of(*problem)) {
      for (const bool intervals : {false, true}) {
        AuditOptions options;
        options.intervals = intervals;
        seeds.push_back(certificate::write_certificate(
            *problem, draft, Auditor(problem).audit(draft, options, {}).value()));
      }
    }
  }
  return seeds;
}

bool run_checkpoint(std::string_view bytes) {
  bool accepted = false;
  for (const SharedProblem& problem : fixed_problems()) {
    const auto saved = certificate::read_checkpoint(bytes, "f.txt", problem->table().num_cells());
    if (!saved)
      continue;
    accepted = true;
    const std::string written = certificate::write_checkpoint(*saved);
    const auto again =
        certificate::read_checkpoint(written, "own.txt", problem->table().num_cells());
    require(again.has_value() && certificate::write_checkpoint(*again) == written,
            "a checkpoint reads back the same");
    use_checkpoint(problem, *saved);
  }
  return accepted;
}

Seeds seeds_checkpoint() {
  Seeds seeds;
  for (const SharedProblem& problem : fixed_problems()) {
    for (const Draft& draft : drafts_of(*problem)) {
      certificate::Checkpoint saved;
      saved.problem_sha256 = certificate::problem_digest(*problem);
      saved.stage = {SuppressStage::Name::kStarted, 1'000};
      saved.options_sha256 = "ab12";
      saved.evidence = audit_of(problem, draft).evidence.witnesses;
      for (const CellEntry& entry : draft.entries())
        saved.withheld.push_back(entry.cell);
      seeds.push_back(certificate::write_checkpoint(saved));
    }
  }
  return seeds;
}

bool run_cells(std::string_view bytes) {
  bool accepted = false;
  for (const SharedProblem& problem : fixed_problems()) {
    const auto settings = load::read_cell_text(std::string(bytes), "f.csv", problem->table());
    if (!settings)
      continue;
    accepted = true;
    require(std::ssize(*settings) == problem->table().num_cells(), "every cell has its settings");
  }
  return accepted;
}

}  // namespace lacuna::fuzz

// SPDX-License-Identifier: Apache-2.0
#include "fuzz/use.h"

#include "data/certificate/certificate.h"
#include "data/files/file.h"
#include "data/problems/problem_json.h"
#include "fuzz/targets.h"

namespace lacuna::fuzz {
namespace {

constexpr std::int32_t kMostCells = 60;
constexpr std::size_t kMostRequirements = 20;

SharedProblem load_table(const std::string& name) {
  const std::string path = std::string(LACUNA_SOURCE_DIR) + "/tests/fuzz/tables/" + name;
  return std::make_shared<const Problem>(
      problems::read_problem_json(files::read_file(path).value(), path).value());
}

void require_confirmed(const Problem& problem,
                       const Draft& draft,
                       const AuditReport& evidence,
                       const AuditReport& report) {
  const auto confirmed = confirm(problem, draft, evidence);
  require(confirmed.has_value(), "the evidence of an audit is accepted");
  require(confirmed->verdict == report.verdict, "evidence confirms the verdict it was found for");
}

}  // namespace

const std::vector<SharedProblem>& fixed_problems() {
  static const std::vector<SharedProblem> problems{load_table("grid.json"),
                                                   load_table("system.json")};
  return problems;
}

const std::vector<SharedProblem>& problems_with_evidence() {
  static const std::vector<SharedProblem> problems = [] {
    std::vector<SharedProblem> all = fixed_problems();
    all.push_back(load_table("areas.json"));
    return all;
  }();
  return problems;
}

void require_agreement(const AuditReport& one, const AuditReport& other) {
  const auto& left = one.findings;
  const auto& right = other.findings;
  require(left.size() == right.size(), "both judge the same questions");
  for (std::size_t i = 0; i < left.size(); ++i) {
    require(left[i].question == right[i].question, "both judge the same questions");
    require(left[i].verdict == right[i].verdict || left[i].verdict == Verdict::kUndecided ||
                right[i].verdict == Verdict::kUndecided,
            "nobody shows protected what another shows exposed");
  }
}

void judge(const SharedProblem& problem, const Draft& draft) {
  const auto report = Auditor(problem).audit(draft, {}, {});
  if (!report || draft.adjusted())
    return;
  require_confirmed(*problem, draft, *report, *report);
  const auto certificate = certificate::read_certificate(
      certificate::write_certificate(*problem, draft, *report), "own.json", *problem);
  require(certificate.has_value(), "a certificate that was written can be read");
  require(certificate->draft.entries() == draft.entries(), "a certificate keeps the release");
  require_confirmed(*problem, draft, certificate->claimed, *report);
}

void use_problem(Problem problem) {
  const std::string text = problems::write_problem_json(problem);
  const auto again = problems::read_problem_json(text, "again.json");
  require(again.has_value(), "a problem that was written can be read");
  require(problems::write_problem_json(*again) == text,
          "a problem that was written reads back the same");
  if (problem.table().num_cells() > kMostCells || problem.requirements().size() > kMostRequirements)
    return;
  const Draft draft = Draft::withholding_primaries(problem.table());
  judge(std::make_shared<const Problem>(std::move(problem)), draft);
}

}  // namespace lacuna::fuzz

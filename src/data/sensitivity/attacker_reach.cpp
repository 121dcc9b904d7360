// SPDX-License-Identifier: Apache-2.0
#include "data/sensitivity/attacker_reach.h"

#include <algorithm>
#include <utility>

#include "core/base/spelling.h"

namespace lacuna::sensitivity {
namespace {

constexpr std::int64_t kMostPairs = 250'000;

bool too_many_pairs(const SensitivityReport& report) {
  return report.attackers.respondents + report.attackers.coalitions >
         kMostPairs / std::max<std::int64_t>(report.sensitive, 1);
}

std::string note_of(const SensitivityReport& report) {
  return std::to_string(report.attackers.respondents) + " contributors and " +
         std::to_string(report.sensitive) +
         " sensitive cells: each contributor is kept from the sensitive cells in the sums of its "
         "own cells; " +
         base::named_setting("[attackers]", "reach", "\"table\"") +
         " keeps them from all, and takes long";
}

}  // namespace

Result<Problem> problem_in_reach(const Tabulation& tabulation,
                                 SensitivityOptions& options,
                                 bool reach_is_stated,
                                 std::span<const AprioriEntry> apriori,
                                 SensitivityReport& report,
                                 std::vector<std::string>& notes) {
  if (reach_is_stated || options.attackers == AttackersMeant::kOutsider)
    return make_sensitive_problem(tabulation, options, apriori, report);
  const AttackerReach all = std::exchange(options.attacker_reach, AttackerReach::kEquation);
  SensitivityReport near_report;
  auto near = make_sensitive_problem(tabulation, options, apriori, near_report);
  if (!near || too_many_pairs(near_report)) {
    if (near)
      notes.push_back(note_of(near_report));
    report = std::move(near_report);
    return near;
  }
  options.attacker_reach = all;
  return make_sensitive_problem(tabulation, options, apriori, report);
}

Error out_of_memory() {
  return {ErrorCode::kNoMemory,
          "there is not enough memory for this run; contributors times sensitive cells take most "
          "of it: " +
              base::named_setting("[attackers]", "reach", "\"equation\"") +
              " keeps contributors from the cells in the sums of their own, " +
              base::named_setting("[attackers]", "respondents", "false") + " from none",
          ""};
}

}  // namespace lacuna::sensitivity

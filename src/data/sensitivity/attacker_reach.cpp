// SPDX-License-Identifier: Apache-2.0
#include "data/sensitivity/attacker_reach.h"

#include <algorithm>
#include <utility>

#include "core/base/spelling.h"

namespace lacuna::sensitivity {
namespace {

constexpr std::int64_t kMostPairs = 250'000;
// Beyond this not even those who ask for all get all: 5 GB of requirements, and days of work.
constexpr std::int64_t kMostStatedPairs = 100'000'000;

bool too_many_pairs(const SensitivityReport& report, std::int64_t most) {
  return report.attackers.respondents + report.attackers.coalitions >
         most / std::max<std::int64_t>(report.sensitive, 1);
}

Error too_many_error(const SensitivityReport& report) {
  const std::int64_t who = report.attackers.respondents + report.attackers.coalitions;
  return {ErrorCode::kTooLarge,
          std::to_string(who) + " contributors and " + std::to_string(report.sensitive) +
              " sensitive cells make more pairs than can be asked one by one (100 million): " +
              base::named_setting("[attackers]", "reach", "\"equation\"") +
              ", or leaving it out, keeps contributors from the cells in the sums of their "
              "own, and says for how many other pairs the evidence of the release shows that the "
              "levels hold; " +
              base::named_setting("[attackers]", "respondents", "false") + " asks about none",
          ""};
}

std::string note_of(const SensitivityReport& report) {
  const std::string more = too_many_pairs(report, kMostStatedPairs)
                               ? "these pairs are too many to be asked one by one"
                               : base::named_setting("[attackers]", "reach", "\"table\"") +
                                     " keeps them from all, and takes long";
  return std::to_string(report.attackers.respondents) + " contributors and " +
         std::to_string(report.sensitive) +
         " sensitive cells: each contributor is kept from the sensitive cells in the sums of its "
         "own cells; " +
         more;
}

}  // namespace

Result<Problem> problem_in_reach(const Tabulation& tabulation,
                                 SensitivityOptions& options,
                                 bool reach_is_stated,
                                 std::span<const AprioriEntry> apriori,
                                 SensitivityReport& report,
                                 std::vector<std::string>& notes) {
  const bool stated = reach_is_stated && options.attacker_reach == AttackerReach::kTable;
  if ((reach_is_stated && !stated) || options.attackers == AttackersMeant::kOutsider)
    return make_sensitive_problem(tabulation, options, apriori, report);
  const AttackerReach all = std::exchange(options.attacker_reach, AttackerReach::kEquation);
  {  // a first look at the nearest, which costs little, counts contributors and cells
    SensitivityReport near_report;
    auto near = make_sensitive_problem(tabulation, options, apriori, near_report);
    if (near && stated && too_many_pairs(near_report, kMostStatedPairs))
      return too_many_error(near_report);
    if (!near || (!stated && too_many_pairs(near_report, kMostPairs))) {
      if (near)
        notes.push_back(note_of(near_report));
      report = std::move(near_report);
      return near;
    }
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

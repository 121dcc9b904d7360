// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/job_contributions.h"

#include <algorithm>

#include "core/base/spelling.h"
#include "data/jobfile/job_rules.h"

namespace lacuna::jobfile {
namespace {

// What the job says of attackers by an option; null if it says nothing.
const JobOption* stated_attackers(const std::vector<JobOption>& rules) {
  const auto stated = std::find_if(
      rules.begin(), rules.end(), [](const JobOption& rule) { return rule.name == "attackers"; });
  return stated == rules.end() ? nullptr : &*stated;
}

// Who is alone in a sensitive cell attacks, unless the job names the attackers itself, or says
// there are none. Those who are counted attack if the job says so.
bool respondents_attack(const spec::ReadSpec& spec,
                        const std::vector<JobOption>& rules,
                        bool counted,
                        const problems::CsvCells& cells) {
  const JobOption* stated = stated_attackers(rules);
  const bool outsider_only = stated == nullptr ? counted : stated->value == "outsider";
  const bool any = std::any_of(cells.cells.begin(), cells.cells.end(), [](const Cell& cell) {
    return cell.frequency == 1 && cell.status == CellStatus::kPrimary;
  });
  return any && spec.job.named_attackers.empty() && !outsider_only;
}

std::optional<AprioriStatus> status_of(CellStatus read) {
  switch (read) {
    case CellStatus::kFree:
      break;
    case CellStatus::kPrimary:
      return AprioriStatus::kUnsafe;
    case CellStatus::kSecondary:
      return AprioriStatus::kSecondary;
    case CellStatus::kMustPublish:
    case CellStatus::kKnown:
      return AprioriStatus::kMustPublish;
  }
  return std::nullopt;
}

// What the row of a cell says. `need`: its levels; may be null.
AprioriEntry given_of(const Cell& read,
                      std::span<const std::int32_t> codes,
                      const Requirement* need) {
  AprioriEntry entry{.codes = {codes.begin(), codes.end()}};
  entry.cost = read.weight;
  entry.lower_bound = read.prior.lower;
  entry.upper_bound = read.prior.upper;
  entry.status = status_of(read.status);
  if (read.status == CellStatus::kKnown)
    entry.lower_bound = entry.upper_bound = read.value;
  if (need != nullptr) {
    entry.lower = need->lower;
    entry.upper = need->upper;
    entry.sliding = need->sliding;
  }
  return entry;
}

}  // namespace

Result<std::vector<JobOption>> read_table_rules(const spec::ReadSpec& spec) {
  LACUNA_TRY(std::vector<JobOption> rules, rules_of(spec, false));
  if (!spec.job.rules.empty() && !spec.job.named_attackers.empty())
    return spec.places.error(
        "rule",
        base::named_section("[[rule]]") + " and " + base::named_section("[[attacker]]") +
            " do not go together: attackers follow from the contributions then");
  return rules;
}

bool leaves_persons_out(const spec::ReadSpec& spec,
                        const std::vector<JobOption>& rules,
                        bool counted) {
  return counted && spec.job.named_attackers.empty() && stated_attackers(rules) == nullptr;
}

std::optional<TableContributions> contributions_of(const spec::ReadSpec& spec,
                                                   const std::vector<JobOption>& rules,
                                                   const TableColumnSection& columns,
                                                   const problems::TableDefaults& defaults,
                                                   std::size_t num_dimensions,
                                                   problems::CsvCells& cells) {
  if (spec.job.rules.empty() && !respondents_attack(spec, rules, columns.counted, cells))
    return std::nullopt;
  TableContributions found;
  found.largest = std::move(cells.largest);
  found.rules = rules;
  found.level_percent = defaults.level_is_number ? "" : defaults.level;
  found.columns_where = columns.where;
  found.has_frequency = !columns.names.frequency.empty();
  auto need = cells.requirements.begin();
  for (std::size_t c = 0; c < cells.cells.size(); ++c) {
    const CellId id{static_cast<std::int32_t>(c)};
    while (need != cells.requirements.end() && need->cell < id)
      ++need;
    const bool has_levels = need != cells.requirements.end() && need->cell == id;
    found.given.push_back(
        given_of(cells.cells[c], cells.codes_of(c, num_dimensions), has_levels ? &*need : nullptr));
  }
  return found;
}

}  // namespace lacuna::jobfile

// SPDX-License-Identifier: Apache-2.0
#include "app/load/attacker_summary.h"

#include <fmt/core.h>

#include "core/base/json_writer.h"

namespace lacuna::load {
namespace {

std::string counted(std::int64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

// What everyone knows of the cells beforehand.
std::string common_knowledge(const Table& table) {
  std::int64_t at_zero = 0, positive = 0, lower = 0, upper = 0, bounded = 0;
  for (const Cell& cell : table.cells()) {
    positive += cell.prior.has_lower() && cell.prior.lower >= 1 ? 1 : 0;
    at_zero += cell.prior.has_lower() && cell.prior.lower == 0 ? 1 : 0;
    lower += cell.prior.has_lower() ? 1 : 0;
    upper += cell.prior.has_upper() ? 1 : 0;
    bounded += cell.prior.has_lower() || cell.prior.has_upper() ? 1 : 0;
  }
  const std::int64_t cells = table.num_cells();
  if (bounded == 0)
    return "no bounds of the values";
  if (at_zero == cells && upper == 0)
    return "values >= 0";
  if (positive == cells && upper == 0)
    return "values >= 1";
  if (at_zero + positive == cells && upper == 0)
    return fmt::format("values >= 0, and >= 1 of {} of {} cells", positive, cells);
  if (at_zero == cells)
    return fmt::format("values >= 0 and upper bounds of {} of {} cells", upper, cells);
  return fmt::format("bounds of {} of {} cells ({} lower, {} upper)", bounded, cells, lower, upper);
}

std::string respondents_text(const AttackerCounts& counts) {
  const std::int64_t known = counts.respondents - counts.anonymous;
  const std::string of = counts.all_cells ? "all cells" : "sensitive cells only";
  std::string out;
  if (known > 0) {
    out += "; " + counted(known, "respondent", "respondents, each") +
           " knowing its contributions to " + of;
  }
  if (counts.anonymous > 0) {
    out += "; " +
           counted(counts.anonymous, "anonymous contributor", "anonymous contributors, each") +
           " knowing its contribution to one cell";
  }
  if (counts.coalitions > 0) {
    out += fmt::format("; {} of {}{}",
                       counted(counts.coalitions, "coalition", "coalitions"),
                       counts.largest_coalition > 2 ? "up to " : "",
                       counts.largest_coalition);
  }
  if (counts.out_of_reach > 0)
    out += ", kept from the sensitive cells in the sums of their own cells only";
  return out;
}

}  // namespace

std::int64_t AttackerSummary::count() const {
  return 1 + named + (respondents ? respondents->respondents + respondents->coalitions : 0);
}

std::string AttackerSummary::text() const {
  std::string out = "outsider";
  if (persons_left_out)
    out +=
        "; persons who are counted were not considered as attackers ([attackers] with respondents "
        "= true considers them)";
  if (respondents)
    out += respondents_text(*respondents);
  if (named > 0) {
    out += "; " + counted(named, "attacker", "attackers") + " of the file, knowing bounds of " +
           counted(named_bounds, "cell", "cells");
  }
  return out + "; everyone knows " + everyone;
}

std::string AttackerSummary::json() const {
  return base::json_object([&](base::JsonWriter& json) {
    json.member("count", count()).key("kinds").object([&] {
      json.member("outsider", 1);
      if (respondents) {
        json.member("respondents", respondents->respondents - respondents->anonymous);
        json.member("anonymous", respondents->anonymous);
        json.member("coalitions", respondents->coalitions);
      } else {
        json.member("named", named);
      }
    });
    if (respondents) {
      json.member("largest_coalition", respondents->largest_coalition);
      json.member("knowledge", respondents->all_cells ? "all" : "sensitive-only");
      json.member("kept", respondents->kept).member("merged", respondents->merged);
      json.member("requirements", respondents->requirements);
      json.member("implied", respondents->implied);
      json.member("out_of_reach", respondents->out_of_reach);
    } else {
      json.member("known_bounds", named_bounds);
    }
    if (persons_left_out)
      json.member("persons", "not asked");
    json.member("everyone", everyone);
  });
}

AttackerSummary summarize_attackers(const Problem& problem,
                                    const std::optional<AttackerCounts>& respondents) {
  AttackerSummary summary;
  summary.respondents = respondents;
  summary.everyone = common_knowledge(problem.table());
  if (respondents)
    return summary;
  for (std::size_t a = 1; a < problem.attackers().size(); ++a) {
    ++summary.named;
    summary.named_bounds += static_cast<std::int64_t>(problem.attackers()[a].known.size());
  }
  return summary;
}

}  // namespace lacuna::load

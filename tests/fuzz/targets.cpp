// SPDX-License-Identifier: Apache-2.0
#include "fuzz/targets.h"

#include <algorithm>
#include <array>

#include "fuzz/target_list.h"

namespace lacuna::fuzz {
namespace {

constexpr std::array<Target, 27> kTargets{{
    {"problem_json", run_problem_json, seeds_problem_json},
    {"jj", run_jj, seeds_jj},
    {"job", run_job, seeds_job},
    {"guess", run_guess, seeds_guess},
    {"hierarchy", run_hierarchy, seeds_none},
    {"pattern", run_pattern, seeds_pattern},
    {"public", run_public, seeds_public},
    {"certificate", run_certificate, seeds_certificate},
    {"checkpoint", run_checkpoint, seeds_checkpoint},
    {"records", run_records, seeds_none},
    {"settings", run_settings, seeds_none},
    {"apriori", run_apriori, seeds_none},
    {"cells", run_cells, seeds_none},
    {"packed", run_packed, seeds_packed},
    {"ptable", run_ptable, seeds_ptable},
    {"columns", run_columns, seeds_columns},
    {"xlsx", run_xlsx, seeds_xlsx},
    {"ods", run_ods, seeds_ods},
    {"xls", run_xls, seeds_xls},
    {"data_set", run_data_set, seeds_data_set},
    {"argus", run_argus, seeds_argus},
    {"argus_tables", run_argus_tables, seeds_argus_tables},
    {"px", run_px, seeds_none},
    {"sdmx_csv", run_sdmx_csv, seeds_none},
    {"sdmx_json", run_sdmx_json, seeds_none},
    {"eurostat_tsv", run_eurostat_tsv, seeds_none},
    {"json_stat", run_json_stat, seeds_none},
}};

}  // namespace

std::vector<std::string> seeds_none() {
  return {};
}

std::span<const Target> targets() {
  return kTargets;
}

const Target* find_target(std::string_view name) {
  const auto at = std::find_if(
      kTargets.begin(), kTargets.end(), [&](const Target& target) { return target.name == name; });
  return at == kTargets.end() ? nullptr : at;
}

bool fuzz_one(const Target& target, std::string_view bytes) {
  return target.run(bytes);
}

}  // namespace lacuna::fuzz

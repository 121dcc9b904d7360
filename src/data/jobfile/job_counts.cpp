// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/job_counts.h"

#include <algorithm>

namespace lacuna::jobfile {
namespace {

std::vector<CodeUnion> unions_of(const SpecLists& lists) {
  std::vector<CodeUnion> unions;
  for (const auto& [dimension, codes] : lists)
    unions.push_back({dimension, codes});
  return unions;
}

std::string option_name(std::string_view key) {
  std::string name(key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

Status read_groups(const JobSpec::Counts& given,
                   const spec::SpecPlaces& places,
                   CountOptions& options) {
  for (std::size_t i = 0; i < given.groups.size(); ++i) {
    if (given.groups[i].size() != 1)
      return places.error("counts.groups[" + std::to_string(i) + "]",
                          "a group is { <dimension> = [\"<code>\", ...] }");
    options.groups.push_back(unions_of(given.groups[i]).front());
  }
  return ok_status();
}

}  // namespace

Result<std::optional<CountSection>> read_count_section(const spec::ReadSpec& spec) {
  if (!spec.job.counts)
    return std::optional<CountSection>{};
  const JobSpec::Counts& given = *spec.job.counts;
  if (given.kinds.empty() && spec.places.has("counts.kinds"))
    return spec.places.error("counts.kinds", "kinds names no kind");
  CountSection read;
  read.whole = given.whole;
  read.options = {given.threshold.value_or(CountOptions{}.threshold),
                  given.zeros,
                  given.withheld_means,
                  given.ambiguity,
                  given.coalition,
                  given.kinds,
                  unions_of(given.sensitive),
                  {}};
  LACUNA_RETURN_IF_ERROR(read_groups(given, spec.places, read.options));
  read.places.push_back({"counts", "", spec.places.where("counts")});
  JobSpec::Counts::fields(given, [&](const FieldInfo& info, const auto&) {
    const std::string path = "counts." + std::string(info.name);
    const bool stated = info.name == "threshold" && given.threshold.has_value();
    if (stated || spec.places.has(path))
      read.places.push_back({option_name(info.name), "", spec.places.where_key(path)});
  });
  return std::optional<CountSection>(std::move(read));
}

}  // namespace lacuna::jobfile

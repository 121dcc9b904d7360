// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/job_differencing.h"

#include <algorithm>

#include "core/base/nearest.h"
#include "core/base/quotes.h"
#include "core/base/spelling.h"

namespace lacuna::jobfile {

Result<std::optional<DifferencingSection>> read_differencing_section(
    const spec::ReadSpec& spec, const std::vector<std::string>& dimensions) {
  if (!spec.job.differencing)
    return std::optional<DifferencingSection>{};
  const auto error = [&](const char* path, std::string message) {
    return spec.places.error(path, std::move(message));
  };
  const std::vector<std::string>& areas = spec.job.differencing->areas;
  if (!spec.job.counts)
    return error("differencing",
                 base::named_section("[differencing]") + " is about counts: the job needs " +
                     base::named_section("[counts]"));
  if (spec.job.tables.empty())
    return error("differencing",
                 base::named_section("[differencing]") + " needs a " +
                     base::named_section("[[table]]") + " for each table that is published");
  if (areas.empty() && !spec.places.has("differencing.areas"))
    return error("differencing",
                 base::named_section("[differencing]") + " needs " +
                     base::named_setting("areas", "[\"<dimension>\", ...]"));
  const std::vector<std::string_view> known(dimensions.begin(), dimensions.end());
  for (const std::string& name : areas) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      return error(
          "differencing.areas",
          "there is no dimension " + base::in_quotes(name) + base::did_you_mean(name, known));
    if (std::count(areas.begin(), areas.end(), name) > 1)
      return error("differencing.areas", "dimension " + base::in_quotes(name) + " is listed twice");
  }
  if (areas.empty())
    return error("differencing.areas", "areas names no dimension");
  return std::optional<DifferencingSection>({areas, spec.places.where("differencing")});
}

}  // namespace lacuna::jobfile

// SPDX-License-Identifier: Apache-2.0
#include "io/job_differencing.h"

#include <algorithm>
#include <array>

#include "base/nearest.h"
#include "io/job_sections.h"
#include "io/position.h"

namespace lacuna::inline io {

Result<std::optional<DifferencingSection>> read_differencing_section(
    const TomlDocument& document, const std::vector<std::string>& dimensions) {
  LACUNA_TRY(const toml::table* section, io::section(document, "differencing"));
  if (section == nullptr)
    return std::optional<DifferencingSection>{};
  constexpr std::array<std::string_view, 1> kKeys{"areas"};
  LACUNA_RETURN_IF_ERROR(document.check_keys(*section, kKeys, "[differencing]"));
  if (!document.root().contains("counts"))
    return document.error(*section, "[differencing] is about counts: the job needs [counts]");
  if (!document.root().contains("table"))
    return document.error(*section,
                          "[differencing] needs a [[table]] for each table that is published");
  const toml::node* node = section->get("areas");
  if (node == nullptr)
    return document.error(*section, "[differencing] needs areas = [\"<dimension>\", ...]");
  DifferencingSection read;
  LACUNA_TRY(read.areas, document.strings(*node));
  const std::vector<std::string_view> known(dimensions.begin(), dimensions.end());
  for (const std::string& name : read.areas) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      return document.error(*node,
                            "there is no dimension " + in_quotes(name) + did_you_mean(name, known));
    if (std::count(read.areas.begin(), read.areas.end(), name) > 1)
      return document.error(*node, "dimension " + in_quotes(name) + " is listed twice");
  }
  if (read.areas.empty())
    return document.error(*node, "areas names no dimension");
  read.where = document.where(section->source());
  return std::optional<DifferencingSection>(std::move(read));
}

}  // namespace lacuna::inline io

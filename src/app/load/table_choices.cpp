// SPDX-License-Identifier: Apache-2.0
#include "app/load/table_choices.h"

#include <algorithm>
#include <utility>

#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "data/infer/shape_choice.h"

namespace lacuna::load {
namespace {

// "geo=AT" in its two parts; the last sign counts, since a name may have one and a code hardly.
Result<std::pair<std::string, std::string>> pair_of(const std::string& text,
                                                    std::string_view option,
                                                    std::string_view shape) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0)
    return Error{ErrorCode::kOptionValue,
                 base::named_option(option) + " takes " + std::string(shape) + ", not " +
                     base::in_quotes(text),
                 ""};
  return std::pair(text.substr(0, at), text.substr(at + 1));
}

template <class Found>
Found* find_named(std::vector<Found>& list, const std::string& name) {
  const auto at =
      std::find_if(list.begin(), list.end(), [&](const Found& each) { return each.name == name; });
  return at == list.end() ? nullptr : &*at;
}

}  // namespace

bool TableChoices::any() const {
  TableChoices none;
  none.policy = policy;
  return !(*this == none);
}

Result<JobSpec> TableChoices::spec() const {
  JobSpec job;
  JobSpec::Columns columns;
  columns.value = value;
  columns.status = status;
  if (!value.empty() || !status.empty())
    job.columns = columns;
  for (const std::string& each : total) {
    LACUNA_TRY(const auto pair, pair_of(each, "total", "DIMENSION=CODE"));
    JobSpec::Dimension& dimension = job.dimensions.emplace_back();
    dimension.name = pair.first;
    dimension.total = pair.second;
  }
  job.input.totals = totals.value_or(SpecTotals::kGiven);
  job.input.wide = wide;
  job.input.sheet = sheet;
  job.input.skip = skip.value_or(-1);
  job.input.rows = rows;
  for (const std::string& each : only) {
    LACUNA_TRY(const auto pair, pair_of(each, "only", "COLUMN=CODE"));
    const auto at = std::find_if(job.input.only.begin(),
                                 job.input.only.end(),
                                 [&](const auto& list) { return list.first == pair.first; });
    if (at == job.input.only.end())
      job.input.only.emplace_back(pair.first, std::vector{pair.second});
    else
      at->second.push_back(pair.second);
  }
  for (const std::string& each : means) {
    LACUNA_TRY(auto pair, pair_of(each, "means", "SIGN=MEANING"));
    LACUNA_RETURN_IF_ERROR(infer::check_meaning(pair.second));
    job.input.means.push_back(std::move(pair));
  }
  return job;
}

Status TableChoices::add_to(JobSpec& job) const {
  if (!any())
    return ok_status();
  if (job.over_records())
    return Error{ErrorCode::kOptionValue,
                 "the job is over records: say in the job how they are read; options for tables do "
                 "not apply",
                 ""};
  LACUNA_TRY(JobSpec said, spec());
  if (said.columns) {
    if (!job.columns)
      job.columns = JobSpec::Columns{};
    JobSpec::Columns& columns = *job.columns;
    if (!value.empty()) {
      columns.value = value;
    }
    if (!status.empty())
      columns.status = status;
  }
  for (const JobSpec::Dimension& each : said.dimensions) {
    JobSpec::Dimension* dimension = find_named(job.dimensions, each.name);
    if (dimension == nullptr)
      return Error{ErrorCode::kOptionValue,
                   "there is no dimension " + base::in_quotes(each.name) + " in the job",
                   "--total " + each.name + "=" + each.total};
    dimension->total = each.total;
  }
  JobSpec::Input& input = job.input;
  if (totals)
    input.totals = *totals;
  if (!wide.empty())
    input.wide = wide;
  if (!sheet.empty())
    input.sheet = sheet;
  if (skip)
    input.skip = *skip;
  if (!rows.empty())
    input.rows = rows;
  if (!only.empty())
    input.only = said.input.only;
  if (!means.empty())
    input.means = said.input.means;
  return ok_status();
}

}  // namespace lacuna::load

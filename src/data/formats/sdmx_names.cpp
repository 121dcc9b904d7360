// SPDX-License-Identifier: Apache-2.0
#include "data/formats/sdmx_names.h"

#include <algorithm>
#include <array>

#include "core/base/quotes.h"
#include "core/base/text.h"

namespace lacuna::formats {
namespace {

constexpr std::array kAttributes =
    std::to_array<std::string_view>({"obs_status",        "obs_flag",        "conf_status",
                                     "obs_conf",          "confidentiality", "conf",
                                     "unit_mult",         "decimals",        "title",
                                     "title_compl",       "time_format",     "collection",
                                     "obs_com",           "comment_obs",     "comment_ts",
                                     "comment_dset",      "obs_pre_break",   "pre_break_value",
                                     "obs_edp_wbb",       "embargo_time",    "embargo_date",
                                     "last_update",       "last update",     "updated",
                                     "prepared",          "compilation",     "coverage",
                                     "nat_title",         "source_agency",   "source_pub",
                                     "publ_public",       "publ_mu",         "publ_ecb",
                                     "dom_ser_ids",       "breaks",          "availability",
                                     "compiling_org",     "diss_org",        "base_per",
                                     "ref_per",           "unit_index_base", "table_identifier",
                                     "ref_period_detail", "repyearstart",    "repyearend",
                                     "obs_note",          "obs_footnote",    "footnotes",
                                     "data_comp",         "currency_p",      "method_ref",
                                     "valid_from",        "valid_to",        "coll_period",
                                     "time_per_collect"});

template <std::size_t N>
bool has(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::size_t find_column(const Grid& grid, std::string_view name) {
  const auto at = std::find_if(grid.columns.begin(), grid.columns.end(), [&](const GridColumn& c) {
    return base::lower_case(c.name) == name;
  });
  return static_cast<std::size_t>(at - grid.columns.begin());
}

// A whole number of at most two digits, with its sign.
bool small_number(std::string_view text, int& number) {
  const bool negative = text.starts_with('-');
  if (negative)
    text.remove_prefix(1);
  if (text.empty() || text.size() > 2 || text.find_first_not_of("0123456789") != text.npos)
    return false;
  number = 0;
  for (const char c : text)
    number = number * 10 + (c - '0');
  number = negative ? -number : number;
  return true;
}

void read_scale(Grid& grid) {
  const std::size_t scale = find_column(grid, "unit_mult");
  if (scale == grid.columns.size())
    return;
  bool same = false;
  const std::string text = only_text(grid, scale, same);
  int power = 0;
  if (same && small_number(text, power)) {
    grid.power_of_ten = power;
    if (power != 0)
      grid.notes.push_back("UNIT_MULT is " + text + ": the values are in units of 10^" + text +
                           " and stand as the file has them");
  } else if (!same) {
    grid.notes.emplace_back(
        "UNIT_MULT differs between rows: their values are in different units, and no row was "
        "rescaled");
  }
}

void read_whole(Grid& grid) {
  bool same = false;
  int number = 0;
  const std::size_t decimals = find_column(grid, "decimals");
  if (decimals < grid.columns.size()) {
    const std::string text = only_text(grid, decimals, same);
    if (same && small_number(text, number) && number >= 0)
      grid.decimals = number;
  }
  const std::size_t unit = find_column(grid, "unit_measure");
  if (unit < grid.columns.size() && grid.columns[unit].role == ColumnRole::kNote) {
    const std::string text = only_text(grid, unit, same);
    if (same)
      grid.unit = text;
  }
  const std::size_t title = find_column(grid, "title");
  if (title < grid.columns.size()) {
    const std::string text = only_text(grid, title, same);
    if (same && !text.empty())
      grid.titles.push_back(text);
  }
}

bool is_attribute(ColumnRole role) {
  return role == ColumnRole::kNote || role == ColumnRole::kObservationStatus ||
         role == ColumnRole::kConfidentiality;
}

}  // namespace

bool is_time_name(std::string_view name) {
  const std::string lower = base::lower_case(name);
  return lower == "time_period" || lower == "time";
}

bool is_frequency_name(std::string_view name) {
  return base::lower_case(name) == "freq";
}

bool is_value_name(std::string_view name) {
  return base::lower_case(name) == "obs_value";
}

bool is_attribute_name(std::string_view name) {
  return has(kAttributes, base::lower_case(name));
}

ColumnRole role_of_attribute(std::string_view name) {
  constexpr std::array<std::string_view, 4> kConfidential{
      "conf_status", "obs_conf", "confidentiality", "conf"};
  constexpr std::array<std::string_view, 2> kStatus{"obs_status", "obs_flag"};
  const std::string lower = base::lower_case(name);
  return has(kConfidential, lower) ? ColumnRole::kConfidentiality
         : has(kStatus, lower)     ? ColumnRole::kObservationStatus
                                   : ColumnRole::kNote;
}

SplitFlags split_flags(std::string_view flags) {
  SplitFlags split;
  if (const std::size_t at = flags.find('@'); at != std::string_view::npos) {
    split.observation = base::trimmed(flags.substr(0, at));
    split.confidentiality = base::trimmed(flags.substr(at + 1));
    return split;
  }
  for (const char c : flags) {
    if (c == ' ' || c == ',')
      continue;
    const bool confidential = c == 'c' || c == 'C' || c == 'N' || c == 'P';
    (confidential ? split.confidentiality : split.observation) += c;
  }
  return split;
}

void remove_column(Grid& grid, std::size_t column) {
  const auto at = static_cast<std::ptrdiff_t>(column);
  grid.columns.erase(grid.columns.begin() + at);
  for (auto& row : grid.rows)
    row.erase(row.begin() + at);
}

std::string only_text(const Grid& grid, std::size_t column, bool& same) {
  same =
      !grid.rows.empty() && std::all_of(grid.rows.begin(), grid.rows.end(), [&](const auto& row) {
        return row[column] == grid.rows.front()[column];
      });
  return same ? grid.rows.front()[column] : "";
}

void split_flag_column(Grid& grid) {
  const auto status =
      std::find_if(grid.columns.begin(), grid.columns.end(), [](const auto& column) {
        return base::lower_case(column.name) == "obs_flag";
      });
  const bool has_own =
      std::any_of(grid.columns.begin(), grid.columns.end(), [](const auto& column) {
        return column.role == ColumnRole::kConfidentiality;
      });
  if (status == grid.columns.end() || has_own)
    return;
  const auto place = static_cast<std::size_t>(status - grid.columns.begin());
  const bool any = std::any_of(grid.rows.begin(), grid.rows.end(), [&](const auto& row) {
    return !split_flags(row[place]).confidentiality.empty();
  });
  if (!any)
    return;
  grid.columns.push_back({"CONF_STATUS", ColumnRole::kConfidentiality});
  for (auto& row : grid.rows) {
    SplitFlags split = split_flags(row[place]);
    row[place] = std::move(split.observation);
    row.push_back(std::move(split.confidentiality));
  }
}

void leave_out_frequency(Grid& grid) {
  for (std::size_t c = grid.columns.size(); c-- > 0;) {
    bool same = false;
    if (!is_frequency_name(grid.columns[c].name) || grid.columns[c].role != ColumnRole::kDimension)
      continue;
    const std::string text = only_text(grid, c, same);
    if (!same)
      continue;
    const std::string name = grid.columns[c].name;
    grid.notes.push_back("column " + base::in_quotes(name) + " is the frequency (" +
                         base::in_quotes(text) + " in all rows) and was left out");
    remove_column(grid, c);
    const std::size_t label = find_column(grid, base::lower_case(name) + " label");
    if (label < grid.columns.size())
      remove_column(grid, label);
  }
}

void settle_sdmx(Grid& grid) {
  leave_out_frequency(grid);
  read_scale(grid);
  read_whole(grid);
  for (std::size_t c = grid.columns.size(); c-- > 0;) {
    const bool empty = std::all_of(
        grid.rows.begin(), grid.rows.end(), [&](const auto& row) { return row[c].empty(); });
    if (empty && is_attribute(grid.columns[c].role))
      remove_column(grid, c);
  }
}

}  // namespace lacuna::formats

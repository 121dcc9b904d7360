// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "data/formats/agency_signs.h"
#include "data/formats/eurostat_tsv.h"
#include "data/formats/json_stat.h"
#include "data/formats/number_field.h"
#include "data/formats/px.h"
#include "data/formats/sdmx_csv.h"
#include "data/formats/sdmx_json.h"
#include "fuzz/target_list.h"
#include "fuzz/targets.h"

namespace lacuna::fuzz {
namespace {

// What every grid promises.
void use_grid(const formats::Grid& grid) {
  std::set<std::string> names;
  for (const formats::GridColumn& column : grid.columns)
    names.insert(column.name);
  for (const auto& row : grid.rows)
    require(row.size() == grid.columns.size(), "all rows are as long as the columns are many");
  for (const formats::GridTree& tree : grid.trees)
    require(names.count(tree.column) != 0, "a tree is of a column of the grid");
  if (!grid.rows.empty() && !grid.columns.empty())
    require(!grid.place(grid.rows.size() - 1, grid.columns.size() - 1).empty(),
            "a field has a place");
  std::size_t looked_at = 0;
  for (const auto& row : grid.rows) {
    constexpr std::size_t kEnough = 200;
    if (++looked_at > kEnough)
      break;
    for (const std::string& text : row) {
      const formats::FlaggedText parts = formats::split_flag(text);
      require(parts.flag.empty() ||
                  text.find(formats::join_flag(parts, parts.number)) != std::string::npos,
              "a number and its flag join to the text that they were");
      if (const auto plain = formats::plain_decimal(text))
        require(formats::plain_decimal(*plain) == *plain, "a plain number stays as it is");
    }
  }
}

bool use_all(const Result<std::vector<formats::Grid>>& grids) {
  if (!grids)
    return false;
  require(!grids->empty(), "a file that was read has a table");
  for (const formats::Grid& grid : *grids)
    use_grid(grid);
  return true;
}

bool use_one(const Result<formats::Grid>& grid) {
  if (!grid)
    return false;
  use_grid(*grid);
  return true;
}

}  // namespace

bool run_px(std::string_view bytes) {
  static_cast<void>(formats::is_px(bytes));
  return use_one(formats::read_px(bytes, "f.px"));
}

bool run_sdmx_csv(std::string_view bytes) {
  const auto grids = formats::read_sdmx_csv(bytes, "f.csv");
  require(!grids || formats::is_sdmx_csv(bytes) || bytes.starts_with("\xFF\xFE") ||
              bytes.starts_with("\xFE\xFF"),
          "what is read as SDMX-CSV is known as that");
  return use_all(grids);
}

bool run_sdmx_json(std::string_view bytes) {
  static_cast<void>(formats::is_sdmx_json(bytes));
  return use_all(formats::read_sdmx_json(bytes, "f.json"));
}

bool run_eurostat_tsv(std::string_view bytes) {
  static_cast<void>(formats::is_eurostat_tsv(bytes));
  return use_one(formats::read_eurostat_tsv(bytes, "f.tsv"));
}

bool run_json_stat(std::string_view bytes) {
  static_cast<void>(formats::is_json_stat(bytes));
  return use_all(formats::read_json_stat(bytes, "f.json"));
}

}  // namespace lacuna::fuzz

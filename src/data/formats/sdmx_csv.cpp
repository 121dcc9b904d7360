// SPDX-License-Identifier: Apache-2.0
#include "data/formats/sdmx_csv.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/quotes.h"
#include "core/base/text.h"
#include "data/files/csv.h"
#include "data/files/text_encoding.h"
#include "data/formats/number_field.h"
#include "data/formats/sdmx_names.h"

namespace lacuna::formats {
namespace {

constexpr std::string_view kLabelMark = ": ";
constexpr std::string_view kSwitchedOff = "~";  // a dimension to which an attribute is not attached

struct Frame {
  bool is_one = false;  // 1.0: DATAFLOW
  char separator = ',';
  std::size_t behind = 0;  // of the separator behind the first name; 0: no SDMX-CSV
};

// "DATAFLOW," or "STRUCTURE[;],STRUCTURE_ID"; labels may stand behind DATAFLOW.
Frame frame_of(std::string_view text) {
  const std::string_view line = text.substr(0, std::min(text.find_first_of("\r\n"), text.size()));
  constexpr std::string_view kOne = "DATAFLOW", kTwo = "STRUCTURE";
  const bool quoted = line.starts_with('"');
  const std::string_view name = line.substr(quoted ? 1 : 0);
  Frame frame;
  frame.is_one = name.starts_with(kOne);
  if (!frame.is_one && !name.starts_with(kTwo))
    return {};
  std::size_t at = (quoted ? 1 : 0) + (frame.is_one ? kOne.size() : kTwo.size());
  if (at < line.size() && line[at] == '[')
    at = std::min(line.find(']', at), line.size() - 1) + 1;
  if (quoted && at < line.size() && line[at] == '"')
    ++at;
  if (at >= line.size() || std::string_view(",;\t|").find(line[at]) == std::string_view::npos)
    return {};
  frame.separator = line[at];
  if (!frame.is_one && line.find("STRUCTURE_ID") == std::string_view::npos)
    return {};
  const bool has_more = line.find("OBS_VALUE") != std::string_view::npos ||
                        line.find("TIME_PERIOD") != std::string_view::npos;
  frame.behind = frame.is_one && !has_more ? 0 : at;
  return frame;
}

struct Component {
  std::string name, label;  // of the header
  std::size_t column = 0;   // of the file
  std::size_t names = 0;    // column of its names (labels=name); 0: none
  ColumnRole role = ColumnRole::kOpen;
  bool has_labels = false;  // "A: Annual"
};

class SdmxCsv {
 public:
  SdmxCsv(files::CsvFile file, Frame frame) : file_(std::move(file)), frame_(frame) {}

  Result<std::vector<Grid>> read() {
    LACUNA_RETURN_IF_ERROR(read_header());
    std::vector<std::string> ids;
    std::map<std::string, std::vector<std::size_t>> rows;
    for (std::size_t row = 0; row < file_.num_rows(); ++row) {
      const std::string id = split(file_.field(row, id_column_)).first;
      if (rows.find(id) == rows.end())
        ids.push_back(id);
      rows[id].push_back(row);
    }
    if (ids.empty())
      return Error{ErrorCode::kNoRows, "the file has no observation", file_.filename()};
    std::vector<Grid> grids;
    for (const std::string& id : ids) {
      LACUNA_TRY(Grid grid, grid_of(id, rows[id]));
      grids.push_back(std::move(grid));
    }
    return grids;
  }

 private:
  static std::pair<std::string, std::string> split(std::string_view text) {
    const std::size_t mark = text.find(kLabelMark);
    if (mark == std::string_view::npos)
      return {std::string(text), ""};
    return {std::string(text.substr(0, mark)), std::string(text.substr(mark + kLabelMark.size()))};
  }

  static bool is_frame_name(std::string_view name) {
    constexpr std::string_view kNames[] = {"DATAFLOW",
                                           "STRUCTURE",
                                           "STRUCTURE_ID",
                                           "STRUCTURE_NAME",
                                           "ACTION",
                                           "SERIES_KEY",
                                           "OBS_KEY"};
    return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
  }

  Status read_header() {
    std::set<std::string> names;
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      std::string_view header = file_.header(c);
      const auto [name, label] = split(c == 0 ? header.substr(0, header.find('[')) : header);
      if (name == "STRUCTURE_ID" || name == "DATAFLOW")
        id_column_ = c;
      by_names_ = by_names_ || name == "STRUCTURE_NAME";
      action_ = name == "ACTION" ? c : action_;
      if (is_frame_name(name))
        continue;
      Component component;
      component.name = name.substr(0, name.find('['));  // "ATTR[en;fr]"
      component.label = label;
      component.column = c;
      component.has_labels = !label.empty();
      if (by_names_ && c + 1 < file_.num_columns())
        component.names = ++c;
      if (!names.insert(component.name).second)
        return Error{ErrorCode::kRepeatedColumn,
                     "the column " + base::in_quotes(component.name) + " occurs twice",
                     file_.where_header()};
      components_.push_back(std::move(component));
    }
    name_roles();
    return ok_status();
  }

  // Dimensions stand before OBS_VALUE, unless it stands before all that are not attributes by name.
  void name_roles() {
    const auto is_value = [](const Component& c) { return is_value_name(c.name); };
    const auto value = std::find_if(components_.begin(), components_.end(), is_value);
    const bool has_value = value != components_.end();
    const bool has_dimensions = std::any_of(components_.begin(), value, [](const Component& c) {
      return !is_attribute_name(c.name) && !is_time_name(c.name);
    });
    bool behind = false;
    for (Component& c : components_) {
      behind = behind || is_value(c);
      if (is_value(c))
        c.role = ColumnRole::kValue;
      else if (is_time_name(c.name))
        c.role = ColumnRole::kTime;
      else if (is_attribute_name(c.name) || (has_value && has_dimensions && behind))
        c.role = role_of_attribute(c.name);
      else if (has_value && has_dimensions)
        c.role = c.name == "MEASURE" ? ColumnRole::kMeasure : ColumnRole::kDimension;
    }
  }

  bool is_key(const Component& c) const {
    return c.role == ColumnRole::kDimension || c.role == ColumnRole::kTime ||
           c.role == ColumnRole::kMeasure;
  }

  Result<Grid> grid_of(const std::string& id, const std::vector<std::size_t>& rows) {
    Grid grid;
    grid.name = id;
    grid.where = file_.filename();
    grid.is_cross = true;
    used_.clear();
    for (const Component& c : components_) {
      const bool empty = std::all_of(rows.begin(), rows.end(), [&](std::size_t row) {
        return file_.field(row, c.column).empty();
      });
      if (!empty || is_value_name(c.name))
        used_.push_back(&c);
    }
    if (const std::string title = split(file_.field(rows.front(), id_column_)).second;
        !title.empty())
      grid.titles.push_back(title);
    for (const Component* c : used_) {
      grid.columns.push_back({c->name, c->role});
      if (has_label_column(*c))
        grid.columns.push_back({c->name + " label", ColumnRole::kLabel});
    }
    std::size_t deletions = 0, attributes = 0;
    for (const std::size_t row : rows) {
      const bool deletes = action_ > 0 && file_.field(row, action_).starts_with('D');
      const bool partial = std::any_of(used_.begin(), used_.end(), [&](const Component* c) {
        const std::string_view text = file_.field(row, c->column);
        return is_key(*c) && (text.empty() || text == kSwitchedOff);
      });
      deletions += deletes ? 1U : 0U;
      attributes += partial && !deletes ? 1U : 0U;
      if (!deletes && !partial)
        add_row(grid, row);
    }
    if (deletions > 0)
      grid.notes.push_back(std::to_string(deletions) + " rows of action D (delete) were left out");
    if (attributes > 0)
      grid.notes.push_back(
          std::to_string(attributes) +
          " rows without a code in every dimension, which are of attributes alone, "
          "were left out");
    tidy(grid);
    return grid;
  }

  bool has_label_column(const Component& c) const {
    return (c.has_labels || c.names > 0) && c.role != ColumnRole::kValue &&
           c.role != ColumnRole::kOpen;
  }

  void add_row(Grid& grid, std::size_t row) {
    std::vector<std::string>& out = grid.rows.emplace_back();
    for (const Component* c : used_) {
      const std::string_view text = file_.field(row, c->column);
      if (c->role == ColumnRole::kValue) {
        out.push_back(value_text(text, grid));
      } else if (c->names > 0 && has_label_column(*c)) {
        out.emplace_back(text);
        out.emplace_back(file_.field(row, c->names));
      } else if (has_label_column(*c)) {
        auto [code, label] = split(text);
        out.push_back(std::move(code));
        out.push_back(std::move(label));
      } else {
        out.emplace_back(text);
      }
    }
  }

  // A comma is the decimal mark where it does not separate columns, as the guide has it.
  std::string value_text(std::string_view text, Grid& grid) const {
    const std::string_view field = base::trimmed(text);
    const bool comma = frame_.separator != ',' && field.find(',') != std::string_view::npos;
    if (auto number = plain_decimal(field, comma ? ',' : '.'))
      return std::move(*number);
    if (field == "NaN" && grid.signs.empty())
      grid.signs.push_back({"NaN", SignMeaning::kAbsent, "missing value of SDMX"});
    return std::string(field);
  }

  // Labels that say no more than their codes, and those of columns that are settled, are left out.
  static void tidy(Grid& grid) {
    for (std::size_t c = grid.columns.size(); c-- > 1;) {
      const bool same = grid.columns[c].role == ColumnRole::kLabel &&
                        std::all_of(grid.rows.begin(), grid.rows.end(), [&](const auto& row) {
                          return row[c].empty() || row[c] == row[c - 1];
                        });
      if (same)
        remove_column(grid, c);
    }
    split_flag_column(grid);
    settle_sdmx(grid);
  }

  files::CsvFile file_;
  Frame frame_;
  std::vector<Component> components_;
  std::vector<const Component*> used_;
  std::size_t id_column_ = 0, action_ = 0;
  bool by_names_ = false;
};

}  // namespace

bool is_sdmx_csv(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF"))
    bytes.remove_prefix(3);
  return frame_of(bytes).behind > 0;
}

Result<std::vector<Grid>> read_sdmx_csv(std::string_view bytes, const std::string& filename) {
  LACUNA_TRY(std::string text,
             files::to_utf8(std::string(bytes), files::likely_encoding(bytes), filename));
  const Frame frame = frame_of(text);
  if (frame.behind == 0)
    return Error{ErrorCode::kOtherFormat,
                 "this is not SDMX-CSV: the first column is named neither DATAFLOW nor STRUCTURE",
                 filename + ":1:1"};
  LACUNA_TRY(files::CsvFile file,
             files::CsvFile::parse(std::move(text), filename, frame.separator));
  return SdmxCsv(std::move(file), frame).read();
}

}  // namespace lacuna::formats

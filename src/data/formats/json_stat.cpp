// SPDX-License-Identifier: Apache-2.0
#include "data/formats/json_stat.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "core/base/quotes.h"
#include "core/base/text.h"
#include "data/files/text_encoding.h"
#include "data/formats/agency_signs.h"
#include "data/formats/json_parts.h"
#include "data/formats/sdmx_names.h"

namespace lacuna::formats {
namespace {

using files::JsonKind;
using files::JsonNode;

struct JsonDimension {
  std::string id;
  ColumnRole role = ColumnRole::kDimension;
  std::vector<std::string> codes, labels;  // labels are empty where they are the codes
};

// A position as a key of an object: "17".
Result<std::size_t> position_of_key(JsonNode node, std::size_t most) {
  const std::string_view key = node.key();
  std::size_t position = 0;
  constexpr std::size_t kLongest = 18;
  const bool digits = !key.empty() && key.size() <= kLongest &&
                      key.find_first_not_of("0123456789") == std::string_view::npos;
  for (const char c : digits ? key : std::string_view())
    position = position * 10 + static_cast<std::size_t>(c - '0');
  if (!digits || position >= most)
    return node.error("there is no cell " + base::in_quotes(key) + ": the sizes give " +
                      std::to_string(most));
  return position;
}

class DatasetReader {
 public:
  DatasetReader(JsonNode set, const std::string& filename) : set_(set) {
    grid_.where = filename;
    grid_.is_cross = true;
  }

  Result<Grid> read() {
    LACUNA_RETURN_IF_ERROR(read_dimensions());
    describe();
    for (const JsonDimension& dimension : dimensions_) {
      grid_.columns.push_back({dimension.id, dimension.role});
      if (!dimension.labels.empty())
        grid_.columns.push_back({dimension.id + " label", ColumnRole::kLabel});
    }
    grid_.columns.push_back({"value", ColumnRole::kValue});
    std::map<std::size_t, std::string> statuses;
    LACUNA_TRY(const auto values, read_cells(member(set_, "value"), true));
    if (const JsonNode status = member(set_, "status"); is_kind(status, JsonKind::kString)) {
      for (const auto& [cell, value] : values)
        statuses[cell] = text_of(status);
    } else if (status.present()) {
      LACUNA_TRY(statuses, read_cells(status, false));
    }
    add_rows(values, statuses);
    return std::move(grid_);
  }

 private:
  Status read_dimensions() {
    const JsonNode all = member(set_, "dimension");
    const JsonNode holder = member(set_, "id").present() ? set_ : all;  // version 1 has it there
    LACUNA_TRY(const std::vector<std::string> ids, texts_of(member(holder, "id")));
    const std::vector<JsonNode> sizes = items_of(member(holder, "size"));
    if (ids.empty())
      return set_.error("the dataset has no 'id': it names no dimension");
    if (ids.size() != sizes.size())
      return set_.error("'id' has " + std::to_string(ids.size()) + " names and 'size' " +
                        std::to_string(sizes.size()) + " numbers");
    std::vector<std::size_t> counts;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const JsonNode node = member(all, ids[i]);
      if (!is_kind(node, JsonKind::kObject))
        return set_.error("the dimension " + base::in_quotes(ids[i]) + " is not described");
      LACUNA_TRY(dimensions_.emplace_back(), read_dimension(ids[i], node));
      LACUNA_TRY(const std::int64_t size, sizes[i].integer());
      const std::size_t codes = dimensions_.back().codes.size();
      if (size < 0 || static_cast<std::size_t>(size) != codes)
        return sizes[i].error("the dimension " + base::in_quotes(ids[i]) + " has " +
                              std::to_string(codes) + " categories, not " + std::to_string(size));
      counts.push_back(codes);
      const auto same = [&](const JsonDimension& other) { return other.id == ids[i]; };
      if (std::count_if(dimensions_.begin(), dimensions_.end(), same) > 1)
        return set_.error("the dimension " + base::in_quotes(ids[i]) + " is named twice");
    }
    const std::optional<std::size_t> cells = product_of(counts);
    if (!cells)
      return set_.error("the dimensions have too many combinations");
    num_cells_ = *cells;
    return read_roles(member(holder, "role"));
  }

  Status read_roles(JsonNode roles) {
    for (const auto& [name, role] :
         {std::pair{"time", ColumnRole::kTime}, std::pair{"metric", ColumnRole::kMeasure}}) {
      LACUNA_TRY(const std::vector<std::string> ids, texts_of(member(roles, name)));
      for (JsonDimension& dimension : dimensions_) {
        if (std::find(ids.begin(), ids.end(), dimension.id) != ids.end())
          dimension.role = role;
      }
    }
    return ok_status();
  }

  Result<std::vector<std::string>> read_codes(JsonNode category) {
    const JsonNode index = member(category, "index"), label = member(category, "label");
    std::vector<std::string> codes;
    if (is_kind(index, JsonKind::kArray)) {
      LACUNA_TRY(codes, texts_of(index));
    } else if (is_kind(index, JsonKind::kObject)) {
      codes.resize(index.num_children());
      std::vector<bool> seen(codes.size(), false);
      for (const JsonNode code : index.children()) {
        LACUNA_TRY(const std::int64_t place, code.integer());
        const auto at = static_cast<std::size_t>(place);
        if (place < 0 || at >= codes.size() || seen[at])
          return code.error("the positions of the categories must be 0, 1, 2 and so on");
        seen[at] = true;
        codes[at] = code.key();
      }
    } else if (is_kind(label, JsonKind::kObject) && label.num_children() == 1) {
      for (const JsonNode code : label.children())
        codes.emplace_back(code.key());
    }
    if (codes.empty())
      return category.error("'index' must list the categories");
    std::set<std::string_view> seen;
    for (const std::string& code : codes) {
      if (!seen.insert(code).second)
        return category.error("the category " + base::in_quotes(code) + " occurs twice");
    }
    return codes;
  }

  Result<JsonDimension> read_dimension(const std::string& id, JsonNode node) {
    JsonDimension dimension;
    dimension.id = id;
    const JsonNode category = member(node, "category");
    if (!is_kind(category, JsonKind::kObject))
      return node.error("'category' is missing");
    LACUNA_TRY(dimension.codes, read_codes(category));
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < dimension.codes.size(); ++i)
      places.emplace(dimension.codes[i], i);
    std::vector<std::string> labels = dimension.codes;
    if (const JsonNode label = member(category, "label"); is_kind(label, JsonKind::kObject)) {
      for (const JsonNode one : label.children()) {
        if (const auto at = places.find(one.key()); at != places.end())
          labels[at->second] = text_of(one);
      }
    }
    if (labels != dimension.codes)
      dimension.labels = std::move(labels);
    LACUNA_RETURN_IF_ERROR(read_children(id, member(category, "child"), places));
    read_unit(member(category, "unit"));
    return dimension;
  }

  Status read_children(const std::string& id,
                       JsonNode child,
                       const std::unordered_map<std::string_view, std::size_t>& places) {
    if (!is_kind(child, JsonKind::kObject))
      return ok_status();
    GridTree tree{id, {}};
    std::size_t incomplete = 0;
    for (const JsonNode parent : child.children()) {
      LACUNA_TRY(std::vector<std::string> children, texts_of(parent));
      const bool known =
          places.count(parent.key()) != 0 &&
          std::all_of(children.begin(), children.end(), [&](const std::string& code) {
            return places.count(code) != 0;
          });
      incomplete += known ? 0U : 1U;
      if (known && !children.empty())
        tree.parts.push_back({std::string(parent.key()), std::move(children)});
    }
    if (incomplete > 0)
      grid_.notes.push_back("'child' of " + base::in_quotes(id) + " has " +
                            std::to_string(incomplete) +
                            " parents with categories that are not in the file: they are left out "
                            "as totals");
    if (!tree.parts.empty())
      grid_.trees.push_back(std::move(tree));
    return ok_status();
  }

  void read_unit(JsonNode unit) {
    if (!is_kind(unit, JsonKind::kObject))
      return;
    for (const JsonNode one : unit.children()) {
      for (const char* name : {"base", "label", "type", "symbol"}) {
        if (units_ < 2 && grid_.unit.empty())
          grid_.unit = text_of(member(one, name));
      }
      if (is_kind(member(one, "decimals"), JsonKind::kInteger)) {
        const auto decimals = member(one, "decimals").integer();
        if (decimals && *decimals >= 0 && *decimals <= 18)
          grid_.decimals = std::max(grid_.decimals, static_cast<int>(*decimals));
      }
      ++units_;
    }
    if (units_ > 1)
      grid_.unit.clear();  // one per measure
  }

  void describe() {
    if (const std::string label = text_of(member(set_, "label")); !label.empty())
      grid_.titles.push_back(label);
    if (const std::string source = text_of(member(set_, "source")); !source.empty())
      grid_.footnotes.push_back("Source: " + source);
    for (const JsonNode note : items_of(member(set_, "note"))) {
      if (!text_of(note).empty())
        grid_.footnotes.push_back(text_of(note));
    }
    const JsonNode labels = member(member(member(set_, "extension"), "status"), "label");
    if (is_kind(labels, JsonKind::kObject)) {
      for (const JsonNode one : labels.children())
        said_[std::string(one.key())] = text_of(one);
    }
  }

  // By position, from a list or an object.
  Result<std::map<std::size_t, std::string>> read_cells(JsonNode node, bool numbers) {
    std::map<std::size_t, std::string> cells;
    if (!node.present() || (node.kind() != JsonKind::kArray && node.kind() != JsonKind::kObject))
      return (node.present() ? node : set_)
          .error(std::string(numbers ? "'value'" : "'status'") + " must be a list or an object");
    const bool is_list = node.kind() == JsonKind::kArray;
    if (is_list && node.num_children() != num_cells_)
      return node.error("the list has " + std::to_string(node.num_children()) +
                        " items, but the sizes give " + std::to_string(num_cells_));
    std::size_t next = 0;
    for (const JsonNode child : node.children()) {
      std::size_t cell = next++;
      if (!is_list) {
        LACUNA_TRY(cell, position_of_key(child, num_cells_));
      }
      LACUNA_TRY(std::string text, numbers ? value_field(child) : field_of(child));
      if (numbers || !text.empty())
        cells.insert_or_assign(cells.end(), cell, std::move(text));
    }
    return cells;
  }

  struct Reading {
    std::string value, confidentiality, observation;
  };

  // A status in the place of a missing value may be the sign of a missing value, as PxWeb writes
  // it.
  Reading reading_of(const std::string& value, const std::string& status) {
    const bool is_sign = status == ":" || status == "-" ||
                         (!status.empty() && status.find_first_not_of('.') == status.npos);
    if (value.empty() && is_sign)
      return {status, "", ""};
    const auto said = said_.find(status);
    if (said != said_.end() && has_known_words(said->second))
      return meaning_of_words(said->second) == SignMeaning::kWithheld ? Reading{value, status, ""}
                                                                      : Reading{value, "", status};
    const bool eurostat = status.find_first_not_of("bdefimnprsuzcCNP ,") == std::string::npos;
    if (!eurostat)
      return {value, "", status};
    SplitFlags split = split_flags(status);
    const bool guessed = !split.confidentiality.empty();
    if (guessed && said == said_.end())
      guessed_.insert(status);
    return {value, std::move(split.confidentiality), std::move(split.observation)};
  }

  void add_rows(const std::map<std::size_t, std::string>& values,
                const std::map<std::size_t, std::string>& statuses) {
    std::set<std::size_t> cells;
    std::set<std::string> signs;
    bool has_conf = false, has_status = false;
    for (const auto& [cell, value] : values)
      cells.insert(cells.end(), cell);
    for (const auto& [cell, status] : statuses)
      cells.insert(cell);
    for (const std::size_t cell : cells) {
      const auto value = values.find(cell), status = statuses.find(cell);
      Reading reading = reading_of(value == values.end() ? "" : value->second,
                                   status == statuses.end() ? "" : status->second);
      const bool digits = reading.value.find_first_of("0123456789") != std::string::npos;
      if (!digits && !reading.value.empty())
        signs.insert(reading.value);
      has_conf = has_conf || !reading.confidentiality.empty();
      has_status = has_status || !reading.observation.empty();
      std::vector<std::string>& row = grid_.rows.emplace_back(codes_of(cell));
      row.push_back(std::move(reading.value));
      row.push_back(std::move(reading.confidentiality));
      row.push_back(std::move(reading.observation));
    }
    grid_.columns.push_back({"CONF_STATUS", ColumnRole::kConfidentiality});
    grid_.columns.push_back({"status", ColumnRole::kObservationStatus});
    if (!has_status)
      remove_column(grid_, grid_.columns.size() - 1);
    if (!has_conf)
      remove_column(grid_, grid_.columns.size() - (has_status ? 2 : 1));
    leave_out_frequency(grid_);
    explain(signs);
  }

  std::vector<std::string> codes_of(std::size_t cell) const {
    std::vector<std::size_t> places(dimensions_.size());
    for (std::size_t d = dimensions_.size(); d-- > 0;) {
      places[d] = cell % dimensions_[d].codes.size();
      cell /= dimensions_[d].codes.size();
    }
    std::vector<std::string> row;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      row.push_back(dimensions_[d].codes[places[d]]);
      if (!dimensions_[d].labels.empty())
        row.push_back(dimensions_[d].labels[places[d]]);
    }
    return row;
  }

  void explain(const std::set<std::string>& signs) {
    for (const std::string& sign : signs) {
      const auto said = said_.find(sign);
      const std::string words = said == said_.end() ? "" : said->second;
      const SignMeaning fallback = sign == "-" ? SignMeaning::kZero : SignMeaning::kAbsent;
      grid_.signs.push_back(
          {sign, has_known_words(words) ? meaning_of_words(words) : fallback, words});
    }
    for (const std::string& status : guessed_)
      grid_.notes.push_back("the status " + base::in_quotes(status) +
                            " is not explained by the file and was read as Eurostat's: "
                            "confidential");
  }

  JsonNode set_;
  Grid grid_;
  std::vector<JsonDimension> dimensions_;
  std::size_t num_cells_ = 0, units_ = 0;
  std::map<std::string, std::string> said_;  // of a status, by extension.status.label
  std::set<std::string> guessed_;
};

bool is_dataset(JsonNode node) {
  return is_kind(node, JsonKind::kObject) && member(node, "value").present() &&
         is_kind(member(node, "dimension"), JsonKind::kObject);
}

// The dataset, those of a collection, or those of a bundle of version 1.
std::vector<JsonNode> datasets_of(JsonNode root) {
  std::vector<JsonNode> sets;
  if (is_dataset(root))
    return {root};
  for (const JsonNode item : items_of(member(member(root, "link"), "item"))) {
    if (is_dataset(item))
      sets.push_back(item);
  }
  if (sets.empty() && is_kind(root, JsonKind::kObject)) {
    for (const JsonNode child : root.children()) {
      if (is_dataset(child))
        sets.push_back(child);
    }
  }
  return sets;
}

}  // namespace

bool is_json_stat(std::string_view bytes) {
  constexpr std::size_t kNear = 20'000;
  const std::string_view head = bytes.substr(0, kNear);
  const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  const std::size_t first = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const bool is_object = first != std::string_view::npos && head[first] == '{';
  const bool named = has("\"class\"") && (has("\"dataset\"") || has("\"collection\""));
  return is_object && (named || has("\"size\"")) &&
         (has("\"dimension\"") || has("\"collection\"")) && !has("\"dataSets\"");
}

Result<std::vector<Grid>> read_json_stat(std::string_view bytes, const std::string& filename) {
  LACUNA_TRY(const std::string text,
             files::to_utf8(std::string(bytes), files::likely_encoding(bytes), filename));
  LACUNA_TRY(const files::JsonTree tree, files::JsonTree::parse(text, filename));
  const std::vector<JsonNode> sets = datasets_of(tree.root());
  if (sets.empty()) {
    const std::string kind = text_of(member(tree.root(), "class"));
    const bool elsewhere = kind == "collection";
    return Error{elsewhere ? ErrorCode::kNoRows : ErrorCode::kOtherFormat,
                 elsewhere ? "the collection names datasets that are in other files: read those"
                           : "there is no dataset of JSON-stat with 'dimension' and 'value'",
                 filename};
  }
  std::vector<Grid> grids;
  for (const JsonNode set : sets) {
    LACUNA_TRY(Grid grid, DatasetReader(set, filename).read());
    grid.name = is_dataset(tree.root()) ? "" : text_of(member(set, "label"));
    grids.push_back(std::move(grid));
  }
  return grids;
}

}  // namespace lacuna::formats

// SPDX-License-Identifier: Apache-2.0
#include "data/formats/sdmx_json.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

#include "core/base/quotes.h"
#include "data/files/text_encoding.h"
#include "data/formats/json_parts.h"
#include "data/formats/sdmx_names.h"

namespace lacuna::formats {
namespace {

using files::JsonKind;
using files::JsonNode;

constexpr std::array<std::string_view, 4> kLevels{
    "dataSet", "dimensionGroup", "series", "observation"};
enum Level : std::uint8_t { kDataSet, kGroup, kSeries, kObservation };

struct Component {
  std::string id;
  Level level = kDataSet;
  ColumnRole role = ColumnRole::kDimension;
  std::vector<std::string> codes, labels, parents;  // of `values`
  bool has_values = false;                          // else values stand in the data themselves
  std::size_t position = 0;                         // of a dimension among all
};

struct Structure {
  std::vector<Component> dimensions;  // in the order of their positions
  std::vector<Component> measures, attributes;
};

constexpr std::size_t kNoCode = std::string::npos;  // of a dimension that no key has named yet

// What is known of an observation while the levels are walked down.
struct Key {
  std::vector<std::size_t> codes;       // by dimension
  std::vector<std::string> attributes;  // by attribute
};

// "0:1::2": the numbers, npos for what is left out.
std::vector<std::size_t> numbers_of(std::string_view key, bool& fine) {
  std::vector<std::size_t> numbers;
  fine = true;
  for (std::size_t begin = 0; begin <= key.size();) {
    const std::size_t end = std::min(key.find(':', begin), key.size());
    const std::string_view part = key.substr(begin, end - begin);
    constexpr std::size_t kLongest = 9;
    fine = fine && part.size() <= kLongest && part.find_first_not_of("0123456789") == part.npos;
    std::size_t number = 0;
    for (const char c : fine ? part : std::string_view())
      number = number * 10 + static_cast<std::size_t>(c - '0');
    numbers.push_back(part.empty() ? std::string::npos : number);
    begin = end + 1;
  }
  return numbers;
}

Result<Component> read_component(JsonNode node, Level level) {
  Component component;
  component.level = level;
  component.id = text_of(member(node, "id"));
  if (component.id.empty())
    return node.error("the component has no 'id'");
  const JsonNode values = member(node, "values");
  component.has_values = is_kind(values, JsonKind::kArray);
  for (const JsonNode value : items_of(values)) {
    std::string code = text_of(member(value, "id"));
    std::string name = text_of(member(value, "name"));
    if (code.empty() && is_kind(value, JsonKind::kObject)) {
      LACUNA_TRY(code, field_of(member(value, "value")));
    } else if (code.empty()) {
      LACUNA_TRY(code, field_of(value));
    }
    if (code.empty())
      code = name;
    component.codes.push_back(std::move(code));
    component.labels.push_back(std::move(name));
    component.parents.push_back(text_of(member(value, "parent")));
  }
  return component;
}

class StructureReader {
 public:
  explicit StructureReader(JsonNode node) : node_(node) {}

  Result<Structure> read() {
    LACUNA_RETURN_IF_ERROR(read_list("dimensions", structure_.dimensions, &positions_));
    LACUNA_RETURN_IF_ERROR(read_list("measures", structure_.measures, nullptr));
    LACUNA_RETURN_IF_ERROR(read_list("attributes", structure_.attributes, nullptr));
    if (structure_.dimensions.empty())
      return node_.error("the structure has no dimensions");
    order_dimensions();
    if (structure_.measures.empty()) {
      structure_.measures.emplace_back();
      structure_.measures.back().id = "OBS_VALUE";
    }
    for (Component& measure : structure_.measures)
      measure.role = ColumnRole::kValue;
    for (Component& attribute : structure_.attributes)
      attribute.role = role_of_attribute(attribute.id);
    std::set<std::string> names;
    for (const auto* list :
         {&structure_.dimensions, &structure_.measures, &structure_.attributes}) {
      for (const Component& component : *list) {
        if (!names.insert(component.id).second)
          return node_.error("the component " + base::in_quotes(component.id) + " occurs twice");
      }
    }
    return std::move(structure_);
  }

 private:
  Status read_list(const char* name,
                   std::vector<Component>& out,
                   std::vector<std::int64_t>* positions) {
    const JsonNode list = member(node_, name);
    for (std::size_t level = 0; level < kLevels.size(); ++level) {
      for (const JsonNode item : items_of(member(list, kLevels[level]))) {
        LACUNA_TRY(Component component, read_component(item, static_cast<Level>(level)));
        std::set<std::string> roles{text_of(member(item, "role"))};
        for (const JsonNode role : items_of(member(item, "roles")))
          roles.insert(text_of(role));
        if (is_time_name(component.id) || roles.count("TIME_PERIOD") != 0 ||
            roles.count("time") != 0)
          component.role = ColumnRole::kTime;
        if (component.id == "MEASURE")
          component.role = ColumnRole::kMeasure;
        if (positions != nullptr) {
          const JsonNode place = member(item, "keyPosition");
          const auto number =
              is_kind(place, JsonKind::kInteger) ? place.integer() : Result<std::int64_t>(-1);
          positions->push_back(number.value());
        }
        out.push_back(std::move(component));
      }
    }
    return ok_status();
  }

  // By keyPosition, if all have one and no two the same.
  void order_dimensions() {
    std::set<std::int64_t> seen(positions_.begin(), positions_.end());
    const bool ordered = seen.size() == positions_.size() && *seen.begin() >= 0;
    std::vector<std::size_t> order(positions_.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    if (ordered)
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return positions_[a] < positions_[b];
      });
    std::vector<Component> dimensions;
    // Keys of a level name its dimensions in the order of the list.
    for (const std::size_t i : order) {
      dimensions.push_back(std::move(structure_.dimensions[i]));
      dimensions.back().position = i;
    }
    structure_.dimensions = std::move(dimensions);
  }

  JsonNode node_;
  Structure structure_;
  std::vector<std::int64_t> positions_;
};

class DataSetReader {
 public:
  DataSetReader(const Structure& structure, const std::string& filename) : structure_(structure) {
    grid_.where = filename;
    grid_.is_cross = true;
    for (std::size_t d = 0; d < structure.dimensions.size(); ++d)
      levels_[structure.dimensions[d].level].push_back(d);
    for (auto& level : levels_) {
      std::sort(level.begin(), level.end(), [&](std::size_t a, std::size_t b) {
        return structure.dimensions[a].position < structure.dimensions[b].position;
      });
    }
  }

  Result<Grid> read(JsonNode set) {
    make_columns();
    Key key{std::vector<std::size_t>(structure_.dimensions.size(), kNoCode),
            std::vector<std::string>(structure_.attributes.size())};
    for (const std::size_t d : levels_[kDataSet]) {
      if (structure_.dimensions[d].codes.size() != 1)
        return set.error("the dimension " + base::in_quotes(structure_.dimensions[d].id) +
                         " of the data set must have one value");
      key.codes[d] = 0;
    }
    LACUNA_RETURN_IF_ERROR(set_attributes(member(set, "attributes"), 0, kDataSet, key));
    LACUNA_RETURN_IF_ERROR(read_groups(member(set, "dimensionGroupAttributes")));
    if (const JsonNode series = member(set, "series"); is_kind(series, JsonKind::kObject)) {
      for (const JsonNode one : series.children()) {
        Key inner = key;
        LACUNA_RETURN_IF_ERROR(set_codes(one, kSeries, false, inner));
        LACUNA_RETURN_IF_ERROR(set_attributes(member(one, "attributes"), 0, kSeries, inner));
        LACUNA_RETURN_IF_ERROR(read_observations(member(one, "observations"), false, inner));
      }
    }
    LACUNA_RETURN_IF_ERROR(read_observations(member(set, "observations"), true, key));
    if (grid_.rows.empty())
      return Error{ErrorCode::kNoRows, "the data set has no observation", grid_.where};
    add_trees();
    finish();
    return std::move(grid_);
  }

 private:
  void make_columns() {
    for (const Component& dimension : structure_.dimensions) {
      grid_.columns.push_back({dimension.id, dimension.role});
      has_labels_.push_back(dimension.labels != dimension.codes &&
                            std::any_of(dimension.labels.begin(),
                                        dimension.labels.end(),
                                        [](const std::string& label) { return !label.empty(); }));
      if (has_labels_.back())
        grid_.columns.push_back({dimension.id + " label", ColumnRole::kLabel});
    }
    for (const Component& measure : structure_.measures)
      grid_.columns.push_back({measure.id, measure.role});
    for (const Component& attribute : structure_.attributes)
      grid_.columns.push_back({attribute.id, attribute.role});
  }

  // `outside`: not within a series, where a flat list may have dimensions of the series as well.
  Status set_codes(JsonNode node, Level level, bool outside, Key& key) const {
    bool fine = false;
    const std::vector<std::size_t> numbers = numbers_of(node.key(), fine);
    std::vector<std::size_t> dimensions = levels_[level];
    if (outside && numbers.size() > dimensions.size())
      dimensions.insert(dimensions.begin(), levels_[kSeries].begin(), levels_[kSeries].end());
    if (!fine || numbers.size() != dimensions.size())
      return node.error("the key " + base::in_quotes(node.key()) +
                        " must have a number for each dimension of its level (" +
                        std::to_string(dimensions.size()) + ") with ':' between them");
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const Component& dimension = structure_.dimensions[dimensions[i]];
      if (numbers[i] >= dimension.codes.size())
        return node.error("the key " + base::in_quotes(node.key()) +
                          " has a number that belongs to no value of " +
                          base::in_quotes(dimension.id));
      key.codes[dimensions[i]] = numbers[i];
    }
    return ok_status();
  }

  // An observation outside all series has codes of their dimensions only if its key gives them.
  Status check_complete(JsonNode node, const Key& key) const {
    const auto without = std::find(key.codes.begin(), key.codes.end(), kNoCode);
    if (without == key.codes.end())
      return ok_status();
    const auto d = static_cast<std::size_t>(without - key.codes.begin());
    return node.error("the key " + base::in_quotes(node.key()) +
                      " gives no value of the dimension " +
                      base::in_quotes(structure_.dimensions[d].id));
  }

  // A value, or the number of one where the component lists its values.
  static Result<std::string> component_text(const Component& component, JsonNode node) {
    if (!component.has_values || !is_kind(node, JsonKind::kInteger)) {
      return component.role == ColumnRole::kValue ? value_field(node) : field_of(node);
    }
    LACUNA_TRY(const std::int64_t number, node.integer());
    if (number < 0 || static_cast<std::size_t>(number) >= component.codes.size())
      return node.error("there is no value " + std::to_string(number) + " of " +
                        base::in_quotes(component.id));
    return component.codes[static_cast<std::size_t>(number)];
  }

  // The items of a list from `first` on, for the attributes of a level.
  Status set_attributes(JsonNode list, std::size_t first, Level level, Key& key) const {
    const std::vector<JsonNode> items = items_of(list);
    std::size_t next = first;
    for (std::size_t a = 0; a < structure_.attributes.size() && next < items.size(); ++a) {
      if (structure_.attributes[a].level != level)
        continue;
      LACUNA_TRY(key.attributes[a], component_text(structure_.attributes[a], items[next]));
      ++next;
    }
    return ok_status();
  }

  static std::string partial_key(const std::vector<std::size_t>& codes,
                                 const std::vector<bool>& mask) {
    std::string text;
    for (std::size_t d = 0; d < mask.size(); ++d)
      text += (mask[d] ? std::to_string(codes[d]) : "") + ":";
    return text;
  }

  // "0::1:": attributes of all observations with these codes.
  Status read_groups(JsonNode groups) {
    if (!is_kind(groups, JsonKind::kObject))
      return ok_status();
    for (const JsonNode group : groups.children()) {
      bool fine = false;
      std::vector<std::size_t> numbers = numbers_of(group.key(), fine);
      numbers.resize(std::max(numbers.size(), structure_.dimensions.size()), std::string::npos);
      if (!fine || numbers.size() != structure_.dimensions.size())
        return group.error("the key " + base::in_quotes(group.key()) + " must have " +
                           std::to_string(structure_.dimensions.size()) +
                           " places with ':' between them");
      std::vector<bool> mask;
      for (const std::size_t number : numbers)
        mask.push_back(number != std::string::npos);
      Key key{{}, std::vector<std::string>(structure_.attributes.size())};
      LACUNA_RETURN_IF_ERROR(set_attributes(group, 0, kGroup, key));
      groups_[mask][partial_key(numbers, mask)] = std::move(key.attributes);
    }
    constexpr std::size_t kMostKinds = 64;
    if (groups_.size() > kMostKinds)
      return groups.error("the groups of attributes are of too many kinds");
    return ok_status();
  }

  Status read_observations(JsonNode observations, bool outside, const Key& outer) {
    if (!is_kind(observations, JsonKind::kObject))
      return ok_status();
    for (const JsonNode one : observations.children()) {
      Key key = outer;
      LACUNA_RETURN_IF_ERROR(set_codes(one, kObservation, outside, key));
      LACUNA_RETURN_IF_ERROR(check_complete(one, key));
      const std::vector<JsonNode> items = items_of(one);
      const std::size_t measures = structure_.measures.size();
      std::vector<std::string>& row = grid_.rows.emplace_back();
      for (std::size_t d = 0; d < key.codes.size(); ++d) {
        row.push_back(structure_.dimensions[d].codes[key.codes[d]]);
        if (has_labels_[d])
          row.push_back(structure_.dimensions[d].labels[key.codes[d]]);
      }
      for (std::size_t m = 0; m < measures; ++m) {
        LACUNA_TRY(std::string text,
                   m < items.size() ? component_text(structure_.measures[m], items[m])
                                    : Result<std::string>(std::string()));
        has_nan_ = has_nan_ || text == "NaN";
        row.push_back(std::move(text));
      }
      LACUNA_RETURN_IF_ERROR(set_attributes(one, measures, kObservation, key));
      for (const auto& [mask, by_key] : groups_) {
        const auto found = by_key.find(partial_key(key.codes, mask));
        for (std::size_t a = 0; found != by_key.end() && a < key.attributes.size(); ++a) {
          if (!found->second[a].empty())
            key.attributes[a] = found->second[a];
        }
      }
      for (std::string& text : key.attributes)
        row.push_back(std::move(text));
    }
    return ok_status();
  }

  // Parents that are values of the dimension themselves.
  void add_trees() {
    for (const Component& dimension : structure_.dimensions) {
      GridTree tree{dimension.id, {}};
      std::unordered_map<std::string_view, std::size_t> parts;
      const std::set<std::string_view> codes(dimension.codes.begin(), dimension.codes.end());
      for (std::size_t i = 0; i < dimension.codes.size(); ++i) {
        const std::string& parent = dimension.parents[i];
        if (parent.empty() || codes.count(parent) == 0 || parent == dimension.codes[i])
          continue;
        const auto [at, is_new] = parts.try_emplace(parent, tree.parts.size());
        if (is_new)
          tree.parts.push_back({parent, {}});
        tree.parts[at->second].second.push_back(dimension.codes[i]);
      }
      if (!tree.parts.empty())
        grid_.trees.push_back(std::move(tree));
    }
  }

  void finish() {
    if (has_nan_)
      grid_.signs.push_back({"NaN", SignMeaning::kAbsent, "missing value of SDMX"});
    split_flag_column(grid_);
    settle_sdmx(grid_);
  }

  const Structure& structure_;
  Grid grid_;
  std::array<std::vector<std::size_t>, kLevels.size()> levels_;  // dimensions by level
  std::vector<bool> has_labels_;
  std::map<std::vector<bool>, std::unordered_map<std::string, std::vector<std::string>>> groups_;
  bool has_nan_ = false;
};

// Versions 1.0 and later have everything in `data`; drafts had it at the top.
JsonNode data_of(JsonNode root) {
  const JsonNode data = member(root, "data");
  return is_kind(data, JsonKind::kObject) ? data : root;
}

}  // namespace

bool is_sdmx_json(std::string_view bytes) {
  constexpr std::size_t kNear = 100'000;
  const std::size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const std::string_view head = bytes.substr(0, kNear);
  const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  return first != std::string_view::npos && bytes[first] == '{' &&
         (has("sdmx-json") || has("\"dataSets\"") ||
          (has("\"structure\"") && has("\"keyPosition\"")));
}

Result<std::vector<Grid>> read_sdmx_json(std::string_view bytes, const std::string& filename) {
  LACUNA_TRY(const std::string text,
             files::to_utf8(std::string(bytes), files::likely_encoding(bytes), filename));
  LACUNA_TRY(const files::JsonTree tree, files::JsonTree::parse(text, filename));
  const JsonNode data = data_of(tree.root());
  std::vector<JsonNode> nodes = items_of(member(data, "structures"));
  if (nodes.empty() && member(data, "structure").present())
    nodes.push_back(member(data, "structure"));
  const std::vector<JsonNode> sets = items_of(member(data, "dataSets"));
  if (nodes.empty() || sets.empty())
    return Error{
        ErrorCode::kOtherFormat,
        "this is not a data message of SDMX-JSON: 'structures' and 'dataSets' must be there",
        filename};
  std::vector<Structure> structures;
  for (const JsonNode node : nodes) {
    LACUNA_TRY(structures.emplace_back(), StructureReader(node).read());
  }
  std::vector<Grid> grids;
  for (const JsonNode set : sets) {
    if (text_of(member(set, "action")) == "Delete")
      continue;
    std::size_t which = 0;
    if (const JsonNode number = member(set, "structure"); number.present()) {
      LACUNA_TRY(const std::int64_t given, number.integer());
      which = static_cast<std::size_t>(given);
      if (given < 0 || which >= structures.size())
        return number.error("there is no structure " + std::to_string(given));
    }
    LACUNA_TRY(Grid grid, DataSetReader(structures[which], filename).read(set));
    grid.name = text_of(member(nodes[which], "name"));
    if (!grid.name.empty() && grid.titles.empty())
      grid.titles.push_back(grid.name);
    grids.push_back(std::move(grid));
  }
  if (grids.empty())
    return Error{
        ErrorCode::kNoRows, "all data sets are of action Delete: none has figures", filename};
  return grids;
}

}  // namespace lacuna::formats

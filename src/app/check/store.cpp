// SPDX-License-Identifier: Apache-2.0
#include "app/check/store.h"

#include <algorithm>
#include <map>

#include "core/base/json_writer.h"
#include "core/base/quotes.h"
#include "data/files/chained_log.h"
#include "data/files/json_tree.h"

namespace lacuna::checking {
namespace {

using base::JsonWriter;
using files::JsonKind;
using files::JsonNode;

constexpr std::string_view kFormat = "lacuna-released-1";

// ---- writing

void write_table(JsonWriter& json, const CheckTable& table) {
  json.object([&] {
    json.member("output", table.output).member("name", table.name).member("file", table.file);
    json.member("sheet", table.sheet).member("value", table.value);
    json.member("measure", table.measure).member("counts", table.counts);
    json.member("stated", table.subset_text.has_value());
    json.member("subset", table.subset_text.value_or("")).member("guess", table.guess);
    json.key("filters").list(table.filters, [&](const CodeFilter& each) {
      json.values(std::vector<std::string>{each.variable, each.shown, each.code});
    });
    json.key("dimensions").list(table.dimensions, [&](const CheckDimension& each) {
      json.object([&] {
        json.member("variable", each.variable).member("shown", each.shown);
        json.member("total", each.total);
        json.key("sums").list(each.relations, [&](const files::NamedRelation& sum) {
          json.object([&] { json.member("total", sum.parent).key("parts").values(sum.children); });
        });
      });
    });
    json.key("rows").list(table.rows, [&](const CheckRow& row) {
      json.object([&] {
        json.key("codes").values(row.codes);
        json.member("number", row.number).member("sign", row.sign).member("where", row.where);
      });
    });
  });
}

std::string body_of(const StoreEntry& entry, const std::string& previous) {
  return base::json_object([&](JsonWriter& json) {
    json.member("format", kFormat).member("entry", entry.number).member("previous", previous);
    json.member("at", entry.at).member("by", entry.by).member("why", entry.why);
    json.member("threshold", entry.threshold).member("policy", entry.policy);
    json.key("decisions").list(entry.decisions, [&](const Decision& each) {
      json.object([&] {
        json.member("output", each.output).member("sha256", each.sha256);
        json.member("verdict", each.verdict);
        json.member("decision", each.released ? "released" : "refused");
        json.key("reasons").values(each.reasons);
      });
    });
    json.key("tables").list(entry.tables,
                            [&](const CheckTable& table) { write_table(json, table); });
  });
}

// ---- reading

class EntryReader {
 public:
  explicit EntryReader(const files::JsonTree& tree) : tree_(tree) {}

  Result<StoreEntry> read() {
    StoreEntry entry;
    const JsonNode root = tree_.root();
    LACUNA_TRY(const std::string format, text(root, "format"));
    if (format != kFormat)
      return damaged("its format is not " + std::string(kFormat));
    LACUNA_TRY(entry.number, number(root, "entry"));
    LACUNA_TRY(entry.previous, text(root, "previous"));
    LACUNA_TRY(entry.at, text(root, "at"));
    LACUNA_TRY(entry.by, text(root, "by"));
    LACUNA_TRY(entry.why, text(root, "why"));
    LACUNA_TRY(entry.threshold, number(root, "threshold"));
    LACUNA_TRY(entry.policy, text(root, "policy"));
    LACUNA_TRY(const JsonNode decisions, list(root, "decisions"));
    for (const JsonNode each : decisions.children()) {
      Decision decision;
      LACUNA_TRY(decision.output, text(each, "output"));
      LACUNA_TRY(decision.sha256, text(each, "sha256"));
      LACUNA_TRY(decision.verdict, text(each, "verdict"));
      LACUNA_TRY(const std::string word, text(each, "decision"));
      decision.released = word == "released";
      LACUNA_TRY(decision.reasons, texts(each, "reasons"));
      entry.decisions.push_back(std::move(decision));
    }
    LACUNA_TRY(const JsonNode tables, list(root, "tables"));
    for (const JsonNode each : tables.children()) {
      LACUNA_TRY(CheckTable table, read_table(each));
      if (table.output >= entry.decisions.size())
        return damaged("a table is of no output");
      entry.tables.push_back(std::move(table));
    }
    return entry;
  }

 private:
  Error damaged(const std::string& what) const {
    return {ErrorCode::kDamaged, "this line is no entry of a store: " + what, tree_.filename()};
  }

  Result<JsonNode> member(JsonNode object, std::string_view name) const {
    if (object.kind() == JsonKind::kObject) {
      for (const JsonNode each : object.children()) {
        if (each.key() == name)
          return each;
      }
    }
    return damaged("it has no " + std::string(name));
  }

  Result<std::string> text(JsonNode object, std::string_view name) const {
    LACUNA_TRY(const JsonNode node, member(object, name));
    LACUNA_TRY(const std::string_view found, node.string());
    return std::string(found);
  }

  Result<std::int64_t> number(JsonNode object, std::string_view name) const {
    LACUNA_TRY(const JsonNode node, member(object, name));
    return node.integer();
  }

  Result<bool> truth(JsonNode object, std::string_view name) const {
    LACUNA_TRY(const JsonNode node, member(object, name));
    return node.boolean();
  }

  Result<JsonNode> list(JsonNode object, std::string_view name) const {
    LACUNA_TRY(const JsonNode node, member(object, name));
    LACUNA_RETURN_IF_ERROR(node.expect(JsonKind::kArray));
    return node;
  }

  Result<std::vector<std::string>> texts(JsonNode object, std::string_view name) const {
    LACUNA_TRY(const JsonNode node, list(object, name));
    return texts(node);
  }

  static Result<std::vector<std::string>> texts(JsonNode node) {
    LACUNA_RETURN_IF_ERROR(node.expect(JsonKind::kArray));
    std::vector<std::string> all;
    for (const JsonNode each : node.children()) {
      LACUNA_TRY(const std::string_view found, each.string());
      all.emplace_back(found);
    }
    return all;
  }

  Result<CheckTable> read_table(JsonNode node) const {
    CheckTable table;
    LACUNA_TRY(const std::int64_t output, number(node, "output"));
    if (output < 0)
      return damaged("a table is of no output");
    table.output = static_cast<std::size_t>(output);
    LACUNA_TRY(table.name, text(node, "name"));
    LACUNA_TRY(table.file, text(node, "file"));
    LACUNA_TRY(table.sheet, text(node, "sheet"));
    LACUNA_TRY(table.value, text(node, "value"));
    LACUNA_TRY(table.measure, text(node, "measure"));
    LACUNA_TRY(table.counts, truth(node, "counts"));
    LACUNA_TRY(table.guess, text(node, "guess"));
    LACUNA_TRY(const bool stated, truth(node, "stated"));
    LACUNA_TRY(std::string subset, text(node, "subset"));
    if (stated) {
      LACUNA_TRY(table.subset, conditions_of(subset, tree_.filename()));
      table.subset_text = std::move(subset);
    }
    LACUNA_TRY(const JsonNode filters, list(node, "filters"));
    for (const JsonNode each : filters.children()) {
      LACUNA_TRY(const auto parts, texts(each));
      if (parts.size() != 3)
        return damaged("a filter has three texts");
      table.filters.push_back({parts[0], parts[1], parts[2]});
      table.subset.push_back(condition_of_code(parts[0], parts[1], parts[2]));
    }
    LACUNA_RETURN_IF_ERROR(read_dimensions(node, table));
    LACUNA_RETURN_IF_ERROR(read_rows(node, table));
    return table;
  }

  Status read_dimensions(JsonNode node, CheckTable& table) const {
    LACUNA_TRY(const JsonNode dimensions, list(node, "dimensions"));
    for (const JsonNode each : dimensions.children()) {
      CheckDimension dimension;
      LACUNA_TRY(dimension.variable, text(each, "variable"));
      LACUNA_TRY(dimension.shown, text(each, "shown"));
      LACUNA_TRY(dimension.total, text(each, "total"));
      LACUNA_TRY(const JsonNode sums, list(each, "sums"));
      for (const JsonNode sum : sums.children()) {
        files::NamedRelation relation;
        LACUNA_TRY(relation.parent, text(sum, "total"));
        LACUNA_TRY(relation.children, texts(sum, "parts"));
        dimension.relations.push_back(std::move(relation));
      }
      table.dimensions.push_back(std::move(dimension));
    }
    return ok_status();
  }

  Status read_rows(JsonNode node, CheckTable& table) const {
    LACUNA_TRY(const JsonNode rows, list(node, "rows"));
    for (const JsonNode each : rows.children()) {
      CheckRow row;
      LACUNA_TRY(row.codes, texts(each, "codes"));
      if (row.codes.size() != table.dimensions.size())
        return damaged("a row has other codes than its table");
      LACUNA_TRY(row.number, text(each, "number"));
      LACUNA_TRY(row.sign, text(each, "sign"));
      LACUNA_TRY(row.where, text(each, "where"));
      if (row.number.empty())
        row.range = infer::range_of(row.sign);
      table.rows.push_back(std::move(row));
    }
    return ok_status();
  }

  const files::JsonTree& tree_;
};

Result<StoreEntry> read_line(const files::LogLine& line,
                             std::size_t number,
                             const std::string& previous) {
  LACUNA_TRY(const files::JsonTree tree, files::JsonTree::parse(line.text, line.where));
  LACUNA_TRY(StoreEntry entry, EntryReader(tree).read());
  entry.digest = line.digest;
  if (entry.previous != previous)
    return files::log_was_changed("this line does not follow the one before", line.where);
  if (entry.number != static_cast<std::int64_t>(number))
    return files::log_was_changed("this line is not entry " + std::to_string(number), line.where);
  return entry;
}

}  // namespace

const StoreEntry* Store::release_of(const std::string& sha256) const {
  for (const StoreEntry& entry : entries) {
    for (const Decision& each : entry.decisions) {
      if (each.released && each.sha256 == sha256)
        return &entry;
    }
  }
  return nullptr;
}

Result<Store> read_store(const std::string& path) {
  Store store;
  store.path = path;
  LACUNA_TRY(const std::vector<files::LogLine> lines, files::read_chained_log(path));
  std::string previous;
  for (const files::LogLine& line : lines) {
    LACUNA_TRY(StoreEntry entry, read_line(line, store.entries.size() + 1, previous));
    previous = entry.digest;
    store.entries.push_back(std::move(entry));
  }
  return store;
}

Status append_to_store(const Store& store, StoreEntry entry) {
  const std::string last = store.entries.empty() ? "" : store.entries.back().digest;
  entry.number = static_cast<std::int64_t>(store.entries.size()) + 1;
  return files::append_to_chained_log(store.path, last, body_of(entry, last));
}

void add_released(const Store& store, Outputs& outputs) {
  std::map<std::string, std::size_t> here;
  for (std::size_t i = 0; i < outputs.outputs.size(); ++i) {
    if (store.release_of(outputs.outputs[i].sha256) == nullptr)
      continue;
    outputs.outputs[i].released = true;
    here.emplace(outputs.outputs[i].sha256, i);
  }
  for (const StoreEntry& entry : store.entries) {
    for (std::size_t d = 0; d < entry.decisions.size(); ++d) {
      const Decision& decision = entry.decisions[d];
      if (!decision.released || here.contains(decision.sha256))
        continue;
      here.emplace(decision.sha256, outputs.outputs.size());
      Output& output = outputs.outputs.emplace_back();
      output.name = decision.output;
      output.sha256 = decision.sha256;
      output.released = true;
      for (const CheckTable& table : entry.tables) {
        if (table.output != d)
          continue;
        CheckTable own = table;
        own.output = outputs.outputs.size() - 1;
        own.name += " (released " + entry.at.substr(0, 10) + ")";
        outputs.tables.push_back(std::move(own));
      }
    }
  }
}

std::string log_text(const Store& store) {
  std::string text;
  for (const StoreEntry& entry : store.entries) {
    for (const Decision& each : entry.decisions) {
      text += std::to_string(entry.number) + "  " + entry.at + "  " + entry.by + "  " +
              (each.released ? "released" : "refused") + " " + each.output + " (" + each.verdict +
              ")" + (entry.why.empty() ? "" : ": " + entry.why) + "\n";
    }
  }
  return text.empty() ? "nothing was decided yet\n" : text;
}

}  // namespace lacuna::checking

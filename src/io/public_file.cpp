// SPDX-License-Identifier: Apache-2.0
#include "io/public_file.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/decimal.h"
#include "io/cell_index.h"
#include "io/cell_rows.h"
#include "io/csv.h"
#include "io/file.h"
#include "io/json_text.h"
#include "io/json_tree.h"
#include "io/statement_text.h"

namespace lacuna::inline io {
namespace {

constexpr std::string_view kFormat = "lacuna-public-1";
constexpr std::string_view kPublished = "published";
constexpr std::string_view kAdjusted = "adjusted";

// What is shown of a cell.
StatementText shown(const Table& table, const Draft& draft, CellId cell) {
  if (const CellEntry* entry = draft.find(cell))
    return statement_text(*entry, table.decimals());
  StatementText text;
  text.state = draft.adjusted() ? kAdjusted : kPublished;
  text.numbers[0] = format_units(table.value(cell), table.decimals());
  return text;
}

// ---- writing

std::string csv_key(const Table& table, CellId cell, char separator) {
  const auto codes = table.codes(cell);
  if (codes.empty())
    return std::to_string(cell.value) + separator;
  std::string key;
  for (std::size_t d = 0; d < codes.size(); ++d)
    key += csv_quoted(table.dimensions()[d].code(codes[d]), separator) + separator;
  return key;
}

struct Columns {
  bool range = false, base = false;
  bool has(std::size_t number) const { return number == 0 || (number < 3 ? range : base); }
};

Columns columns_of(const Draft& draft) {
  return {draft.count(CellState::kInterval) + draft.count(CellState::kAltered) > 0,
          draft.count(CellState::kRounded) > 0};
}

void append_cell(std::string& out, const Table& table, const Draft& draft, CellId cell) {
  const StatementText text = shown(table, draft, cell);
  out += "\n{";
  const auto codes = table.codes(cell);
  if (codes.empty()) {
    out += "\"cell\":" + std::to_string(cell.value);
  } else {
    out += "\"codes\":";
    std::size_t d = 0;
    append_json_list(out, codes, [&](std::int32_t code) {
      out += json_quoted(table.dimensions()[d++].code(code));
    });
  }
  out += ",\"state\":\"" + std::string(text.state) + '"';
  for (std::size_t i = 0; i < text.numbers.size(); ++i) {
    if (text.numbers[i])
      out += ",\"" + std::string(kStatementNumbers[i]) + "\":" + *text.numbers[i];
  }
  out += '}';
}

// ---- reading

// The draft, cell by cell; errors name the number of the statement that is wrong.
class PublicReader {
 public:
  explicit PublicReader(const Table& table)
      : table_(table), seen_(static_cast<std::size_t>(table.num_cells()), false) {}

  std::optional<StatementTrouble> take(CellId cell, const StatementText& text) {
    seen_[static_cast<std::size_t>(cell.value)] = true;
    if (text.state == kPublished)
      return take_published(cell, text);
    const auto read = read_statement(text, table_.decimals());
    if (const auto* trouble = std::get_if<StatementTrouble>(&read))
      return *trouble;
    if (const auto* adjusted = std::get_if<Adjusted>(&std::get<Statement>(read))) {
      draft_.set_adjusted(true);
      if (adjusted->value == table_.value(cell))
        return std::nullopt;  // as it is, which no reader can tell
    } else {
      plain_ = true;
    }
    draft_.set({cell, std::get<Statement>(read)});
    return std::nullopt;
  }

  Result<Draft> finish(const std::string& filename) {
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      if (!seen_[static_cast<std::size_t>(c)])
        return Error{ErrorCode::kBadInput,
                     "the file does not say what is published of " + table_.label(CellId{c}),
                     filename};
    }
    if (draft_.adjusted() && plain_)
      return Error{ErrorCode::kBadInput,
                   "some cells are adjusted and others are not: an adjusted table is so as a whole",
                   filename};
    return std::move(draft_);
  }

 private:
  std::optional<StatementTrouble> take_published(CellId cell, const StatementText& text) {
    plain_ = true;
    for (std::size_t i = 1; i < text.numbers.size(); ++i) {
      if (text.numbers[i])
        return StatementTrouble{
            i, "a cell that is published has no '" + std::string(kStatementNumbers[i]) + "'"};
    }
    if (!text.numbers[0])
      return StatementTrouble{StatementTrouble::kEntry,
                              "the name 'value' is missing: a cell that is published needs it"};
    const auto value = parse_units(*text.numbers[0], table_.decimals());
    if (!value)
      return StatementTrouble{0, value.error().message};
    if (*value != table_.value(cell))
      return StatementTrouble{0,
                              "the number is said to be the true one, and the table has another"};
    return std::nullopt;
  }

  const Table& table_;
  Draft draft_;
  std::vector<bool> seen_;
  bool plain_ = false;  // some cell is not adjusted
};

class PublicJsonReader {
 public:
  explicit PublicJsonReader(const Table& table)
      : table_(table),
        index_(table),
        seen_(static_cast<std::size_t>(table.num_cells()), false),
        reader_(table) {}

  Status read_cell(JsonNode node) {
    constexpr std::array<std::string_view, 8> kNames{
        "cell", "codes", "state", "value", "lower", "upper", "base", "steps"};
    LACUNA_TRY(const auto fields, members_of(node, kNames));
    LACUNA_TRY(const CellId cell, cell_of(node, fields[0], fields[1]));
    if (!fields[2].present())
      return node.error("the name 'state' is missing");
    StatementText text;
    LACUNA_TRY(text.state, fields[2].string());
    for (std::size_t i = 0; i < text.numbers.size(); ++i) {
      if (fields[i + 3].present()) {
        LACUNA_TRY(text.numbers[i], fields[i + 3].number_text());
      }
    }
    if (const auto trouble = reader_.take(cell, text)) {
      const bool one = trouble->number < text.numbers.size();
      return (one ? fields[trouble->number + 3] : node).error(trouble->message);
    }
    return ok_status();
  }

  Result<Draft> finish(const std::string& filename) { return reader_.finish(filename); }

 private:
  Result<CellId> cell_of(JsonNode node, JsonNode cell, JsonNode codes) {
    LACUNA_TRY(const CellId found, find(node, cell, codes));
    const auto index = static_cast<std::size_t>(found.value);
    if (seen_[index])
      return node.error("the cell is listed twice");
    seen_[index] = true;
    return found;
  }

  Result<CellId> find(JsonNode node, JsonNode cell, JsonNode codes) const {
    if (codes.present()) {
      LACUNA_RETURN_IF_ERROR(codes.expect(JsonKind::kArray));
      std::vector<std::string_view> names;
      for (const JsonNode item : codes.children()) {
        LACUNA_TRY(names.emplace_back(), item.string());
      }
      const auto found = index_.find(names);
      if (!found)
        return codes.error("the table has no cell " + index_.label(names));
      return *found;
    }
    if (!cell.present())
      return node.error("the names 'codes' and 'cell' are missing");
    LACUNA_TRY(const std::int64_t index, cell.integer());
    if (index < 0 || index >= table_.num_cells())
      return cell.error("there is no cell " + std::to_string(index));
    return CellId{static_cast<std::int32_t>(index)};
  }

  const Table& table_;
  const CellIndex index_;
  std::vector<bool> seen_;
  PublicReader reader_;
};

}  // namespace

std::string public_csv(const AuditedRelease& release, char separator) {
  const Table& table = release.problem().table;
  const Draft& draft = release.content();
  const Columns columns = columns_of(draft);
  std::string text;
  for (const Dimension& dimension : table.dimensions())
    text += csv_quoted(dimension.name(), separator) + separator;
  if (table.dimensions().empty())
    text += std::string("cell") + separator;
  text += std::string("value") + separator + "state";
  for (std::size_t i = 1; i < kStatementNumbers.size(); ++i) {
    if (columns.has(i))
      text += separator + std::string(kStatementNumbers[i]);
  }
  text += '\n';
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const StatementText cell = shown(table, draft, CellId{c});
    text += csv_key(table, CellId{c}, separator) + cell.numbers[0].value_or("") + separator +
            std::string(cell.state);
    for (std::size_t i = 1; i < kStatementNumbers.size(); ++i) {
      if (columns.has(i))
        text += separator + cell.numbers[i].value_or("");
    }
    text += '\n';
  }
  return text;
}

std::string public_json(const AuditedRelease& release) {
  const Table& table = release.problem().table;
  std::string out = "{\"format\":\"" + std::string(kFormat) +
                    "\",\n\"decimals\":" + std::to_string(table.decimals()) + ",\n\"dimensions\":";
  append_json_list(out, table.dimensions(), [&](const Dimension& dimension) {
    out += json_quoted(dimension.name());
  });
  out += ",\n\"cells\":[";
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    out += c > 0 ? "," : "";
    append_cell(out, table, release.content(), CellId{c});
  }
  return out + "]}\n";
}

Status check_public_name(const std::string& path) {
  if (path.ends_with(".csv") || path.ends_with(".json") || is_stream(path))
    return ok_status();
  return Error{ErrorCode::kBadOption, "the public file is .csv or .json", path};
}

std::string public_text(const AuditedRelease& release, const std::string& path) {
  return path.ends_with(".json") ? public_json(release) : public_csv(release);
}

Status write_public(const AuditedRelease& release, const std::string& path) {
  LACUNA_RETURN_IF_ERROR(check_public_name(path));
  return write_file_atomically(path, public_text(release, path));
}

bool is_public_json(std::string_view text) {
  constexpr std::size_t kStart = 200;
  return text.substr(0, kStart).find(kFormat) != std::string_view::npos;
}

bool is_public_csv(const std::string& text, const Table& table) {
  for (const Dimension& dimension : table.dimensions()) {
    if (dimension.name() == "state")
      return false;
  }
  const auto file = CsvFile::parse(text, "", likely_separator(text));
  if (!file)
    return true;  // and reading it says why not
  const std::size_t column = file->find_column("state");
  if (column == file->num_columns())
    return false;
  constexpr std::array<std::string_view, 6> kStates{
      kPublished, "withheld", "interval", "rounded", "altered", kAdjusted};
  for (std::size_t row = 0; row < file->num_rows(); ++row) {
    if (std::find(kStates.begin(), kStates.end(), file->field(row, column)) != kStates.end())
      return true;
  }
  return false;
}

Result<EarlierRelease> read_earlier_json(std::string_view text,
                                         const std::string& filename,
                                         const Table& table) {
  LACUNA_TRY(const JsonTree tree, JsonTree::parse(text, filename));
  const CellIndex index(table);
  EarlierRelease release;
  for (const JsonNode member : tree.root().children()) {
    if (member.key() != "cells")
      continue;
    for (const JsonNode node : member.children()) {
      std::vector<std::string_view> names;
      bool hidden = false;
      for (const JsonNode part : node.children()) {
        if (part.key() == "state") {
          LACUNA_TRY(const std::string_view state, part.string());
          hidden = state != kPublished && state != kAdjusted;
        }
        for (const JsonNode code :
             part.key() == "codes" ? part.children() : JsonNode().children()) {
          LACUNA_TRY(names.emplace_back(), code.string());
        }
      }
      const auto cell = index.find(names);
      release.gone += cell ? 0 : 1;
      if (cell && hidden)
        release.draft.withhold(*cell);
    }
  }
  return release;
}

Result<int> public_csv_decimals(std::string text, const std::string& filename) {
  const char separator = likely_separator(text);
  LACUNA_TRY(const CsvFile file, CsvFile::parse(std::move(text), filename, separator));
  const std::size_t column = file.find_column(kStatementNumbers[0]);
  std::size_t most = 0;
  for (std::size_t row = 0; row < file.num_rows() && column < file.num_columns(); ++row) {
    const std::string_view value = file.field(row, column);
    if (const std::size_t point = value.find('.'); point != std::string_view::npos)
      most = std::max(most, value.size() - point - 1);
  }
  if (most > TableBuilder::kMaxDecimals)
    return Error{ErrorCode::kBadInput, "a value has more than 18 decimals", filename};
  return static_cast<int>(most);
}

Result<Draft> read_public_csv(std::string text, const std::string& filename, const Table& table) {
  const char separator = likely_separator(text);
  LACUNA_TRY(const CsvFile file, CsvFile::parse(std::move(text), filename, separator));
  std::array<std::string_view, 6> others{"state"};
  std::copy(kStatementNumbers.begin(), kStatementNumbers.end(), others.begin() + 1);
  LACUNA_TRY(CellRows rows, CellRows::of(file, table, others));
  std::array<std::size_t, 6> columns{};
  for (std::size_t i = 0; i < others.size(); ++i)
    columns[i] = file.find_column(others[i]);
  if (columns[0] == file.num_columns())
    return Error{ErrorCode::kBadInput, "there is no column 'state'", file.where_header()};
  PublicReader reader(table);
  for (std::size_t row = 0; row < file.num_rows(); ++row) {
    LACUNA_TRY(const CellId cell, rows.cell(row));
    StatementText says;
    says.state = file.field(row, columns[0]);
    for (std::size_t i = 0; i < says.numbers.size(); ++i) {
      const std::size_t column = columns[i + 1];
      if (column < file.num_columns() && !file.field(row, column).empty())
        says.numbers[i] = std::string(file.field(row, column));
    }
    if (const auto trouble = reader.take(cell, says)) {
      const bool one = trouble->number < says.numbers.size();
      return file.error(row, one ? columns[trouble->number + 1] : columns[0], trouble->message);
    }
  }
  return reader.finish(filename);
}

Result<Draft> read_public_json(std::string_view text,
                               const std::string& filename,
                               const Table& table) {
  LACUNA_TRY(const JsonTree tree, JsonTree::parse(text, filename));
  constexpr std::array<std::string_view, 4> kNames{"format", "decimals", "dimensions", "cells"};
  LACUNA_TRY(const auto fields, members_of(tree.root(), kNames));
  if (!fields[3].present())
    return tree.root().error("the name 'cells' is missing");
  LACUNA_RETURN_IF_ERROR(fields[3].expect(JsonKind::kArray));
  PublicJsonReader reader(table);
  for (const JsonNode node : fields[3].children())
    LACUNA_RETURN_IF_ERROR(reader.read_cell(node));
  return reader.finish(filename);
}

}  // namespace lacuna::inline io

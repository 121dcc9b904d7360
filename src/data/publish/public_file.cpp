// SPDX-License-Identifier: Apache-2.0
#include "data/publish/public_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/json_writer.h"
#include "data/files/csv.h"
#include "data/files/file.h"
#include "data/files/json_tree.h"
#include "data/problems/cell_index.h"
#include "data/problems/cell_rows.h"
#include "data/publish/meaning.h"
#include "data/publish/public_table.h"
#include "data/publish/statement_text.h"

namespace lacuna::publish {
namespace {

constexpr std::string_view kFormat = "lacuna-public-1";
constexpr std::string_view kPublished = "published";
constexpr std::string_view kAdjusted = "adjusted";

void write_cell(base::JsonWriter& json,
                const PublicRelease& release,
                const files::TableView& view,
                CellId cell,
                const PublicCell& shown) {
  const Table& table = release.release.problem().table();
  const files::FlagChoice flags = release.options.flags;
  json.line().object([&] {
    if (table.dimensions().empty()) {
      json.member("cell", cell.value);
    } else {
      json.key("codes").list(files::key_of(table, view, cell),
                             [&](const files::SheetField& code) { json.value(code.text); });
    }
    write_statement(json, {shown.state, shown.numbers, shown.among, shown.by});
    if (flags != files::FlagChoice::kAuto && flags != files::FlagChoice::kNone)
      json.member("flag", public_flag(shown, flags));
  });
}

PublicRelease plain(const AuditedRelease& release, const files::OutputOptions& options) {
  return {release, {files::whole_view(release.problem().table(), "")}, options, {}};
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

  Result<Draft> finish(const std::string& filename, const files::TableView& view) {
    for (const CellId cell : view.cells) {
      if (!seen_[static_cast<std::size_t>(cell.value)])
        return Error{ErrorCode::kFalseRelease,
                     "the file does not say what is published of " + table_.label(cell),
                     filename};
    }
    if (draft_.adjusted() && plain_)
      return Error{
          ErrorCode::kFalseRelease,
          "some cells are adjusted and others are not: a table must be adjusted as a whole",
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
    const auto value = base::parse_units(*text.numbers[0], table_.decimals());
    if (!value)
      return StatementTrouble{0, value.error().message};
    if (*value != table_.value(cell))
      return StatementTrouble{0,
                              "the file calls this number the true one, but the table has another"};
    return std::nullopt;
  }

  const Table& table_;
  Draft draft_;
  std::vector<bool> seen_;
  bool plain_ = false;  // some cell is not adjusted
};

// Our own files have no separators of thousands, so a comma is a decimal mark.
std::string with_point(std::string_view number) {
  std::string text(number);
  std::replace(text.begin(), text.end(), ',', '.');
  return text;
}

class PublicJsonReader {
 public:
  PublicJsonReader(const Table& table, const files::TableView& view)
      : table_(table),
        view_(view),
        index_(table),
        seen_(static_cast<std::size_t>(table.num_cells()), false),
        reader_(table) {}

  Status read_cell(files::JsonNode node) {
    constexpr std::array<std::string_view, 11> kNames{
        "cell", "codes", "state", "value", "lower", "upper", "base", "steps", "flag", kAmong, kBy};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
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
    LACUNA_RETURN_IF_ERROR(read_statement_words(fields[9], fields[10], text));
    if (const auto trouble = reader_.take(cell, text)) {
      const bool one = trouble->number < text.numbers.size();
      return (one ? fields[trouble->number + 3] : node).error(trouble->message);
    }
    return ok_status();
  }

  Result<Draft> finish(const std::string& filename) { return reader_.finish(filename, view_); }

 private:
  Result<CellId> cell_of(files::JsonNode node, files::JsonNode cell, files::JsonNode codes) {
    LACUNA_TRY(const CellId found, find(node, cell, codes));
    const auto index = static_cast<std::size_t>(found.value);
    if (seen_[index])
      return node.error("the cell is listed twice");
    seen_[index] = true;
    return found;
  }

  Result<CellId> find(files::JsonNode node, files::JsonNode cell, files::JsonNode codes) const {
    if (codes.present()) {
      LACUNA_RETURN_IF_ERROR(codes.expect(files::JsonKind::kArray));
      std::vector<std::string_view> names;
      for (const files::JsonNode item : codes.children()) {
        LACUNA_TRY(names.emplace_back(), item.string());
      }
      names = full_codes(names);
      const auto found = index_.find(names);
      if (!found)
        return codes.error("the table has no cell " + index_.label(names));
      return *found;
    }
    if (!cell.present())
      return node.error("the names 'codes' and 'cell' are missing");
    LACUNA_TRY(const std::int64_t index, cell.integer());
    if (index < 0 || index >= table_.num_cells())
      return cell.error("there is no cell " + base::confidential(std::to_string(index)));
    return CellId{static_cast<std::int32_t>(index)};
  }

  // With the totals of the dimensions that the view does not have.
  std::vector<std::string_view> full_codes(const std::vector<std::string_view>& given) const {
    if (given.size() != view_.dimensions.size() || given.size() == table_.dimensions().size())
      return given;
    std::vector<std::string_view> codes;
    for (const Dimension& dimension : table_.dimensions())
      codes.emplace_back(dimension.code(dimension.total()));
    for (std::size_t i = 0; i < given.size(); ++i)
      codes[view_.dimensions[i]] = given[i];
    return codes;
  }

  const Table& table_;
  const files::TableView& view_;
  const problems::CellIndex index_;
  std::vector<bool> seen_;
  PublicReader reader_;
};

}  // namespace

files::TableView one_view(const PublicRelease& release) {
  return release.tables.size() == 1
             ? release.tables.front()
             : files::whole_view(release.release.problem().table(), release.facts.title);
}

Result<std::string> public_sheets_csv(const PublicRelease& release) {
  const files::TableView view = one_view(release);
  const PublicRows rows(release, view, "");
  std::string text = files::csv_header(rows.header(), release.options);
  for (const CellId cell : view.cells) {
    LACUNA_TRY(const std::vector<files::SheetField> row, rows.row(cell));
    files::append_csv_row(text, row, release.options);
  }
  return text;
}

Result<std::string> public_tables_json(const PublicRelease& release) {
  const Table& table = release.release.problem().table();
  const files::TableView view = one_view(release);
  Status all_shown = ok_status();
  const auto write = [&](base::JsonWriter& json) {
    json.member("format", kFormat).line().member("decimals", table.decimals());
    json.line().key("dimensions").list(view.dimensions, [&](std::size_t d) {
      json.value(table.dimensions()[d].name());
    });
    if (const std::string meaning = meaning_json(release); !meaning.empty())
      json.line().key("meaning").raw(meaning);
    json.line().key("cells").list(view.cells, [&](CellId cell) {
      if (!all_shown)
        return;
      if (const auto each = public_cell(release, cell); !each)
        all_shown = each.error();
      else
        write_cell(json, release, view, cell, *each);
    });
  };
  const std::string text = base::json_object(write) + "\n";
  LACUNA_RETURN_IF_ERROR(all_shown);
  return text;
}

std::string public_csv(const AuditedRelease& release, char separator) {
  files::OutputOptions options;
  options.csv_separator = std::string(1, separator);
  return public_sheets_csv(plain(release, options)).value();
}

std::string public_json(const AuditedRelease& release) {
  const files::OutputOptions options;
  return public_tables_json(plain(release, options)).value();
}

Status write_public(const AuditedRelease& release, const std::string& path) {
  LACUNA_TRY(const ReleaseFormat* format, release_format(path, Audience::kPublic));
  const files::OutputOptions options;
  const std::string stem = std::filesystem::path(path).stem().string();
  PublicRelease shown = plain(release, options);
  shown.tables.front().name = shown.facts.title = stem.substr(0, stem.find('.'));
  LACUNA_TRY(const std::string text, format->public_text(shown));
  return files::write_file_atomically(path, text);
}

bool is_public_json(std::string_view text) {
  constexpr std::size_t kStart = 200;
  return text.substr(0, kStart).find(kFormat) != std::string_view::npos;
}

bool is_public_csv(const std::string& text, const Table& table) {
  const auto file = files::CsvFile::parse(text, "", files::likely_separator(text));
  if (!file)
    return true;  // and reading it says why not
  const std::size_t column = file->find_column(files::own_column("state", table));
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
  LACUNA_TRY(const files::JsonTree tree, files::JsonTree::parse(text, filename));
  const problems::CellIndex index(table);
  EarlierRelease release;
  for (const files::JsonNode member : tree.root().children()) {
    if (member.key() != "cells")
      continue;
    for (const files::JsonNode node : member.children()) {
      std::vector<std::string_view> names;
      bool hidden = false;
      for (const files::JsonNode part : node.children()) {
        if (part.key() == "state") {
          LACUNA_TRY(const std::string_view state, part.string());
          hidden = state != kPublished && state != kAdjusted;
        }
        for (const files::JsonNode code :
             part.key() == "codes" ? part.children() : files::JsonNode().children()) {
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

Result<int> public_csv_decimals(std::string text, const std::string& filename, const Table& table) {
  const char separator = files::likely_separator(text);
  LACUNA_TRY(const files::CsvFile file,
             files::CsvFile::parse(std::move(text), filename, separator));
  const std::size_t published = file.find_column(files::own_column("published", table));
  const std::size_t column = published < file.num_columns()
                                 ? published
                                 : file.find_column(files::own_column(kStatementNumbers[0], table));
  std::size_t most = 0;
  for (std::size_t row = 0; row < file.num_rows() && column < file.num_columns(); ++row) {
    const std::string value = with_point(file.field(row, column));
    if (const std::size_t point = value.find('.'); point != std::string_view::npos)
      most = std::max(most, value.find_last_not_of('0') - point);
  }
  if (most > TableBuilder::kMaxDecimals)
    return Error{ErrorCode::kBadNumber, "a value has more than 18 decimals", filename};
  return static_cast<int>(most);
}

Result<Draft> read_public_csv(std::string text,
                              const std::string& filename,
                              const Table& table,
                              const files::TableView* view) {
  const char separator = files::likely_separator(text);
  LACUNA_TRY(const files::CsvFile file,
             files::CsvFile::parse(std::move(text), filename, separator));
  std::vector<std::string> names{files::own_column("state", table)};
  for (const std::string_view number : kStatementNumbers)
    names.push_back(files::own_column(number, table));
  for (const std::string_view more : {kAmong,
                                      kBy,
                                      std::string_view("flag"),
                                      std::string_view("published"),
                                      std::string_view("rule")})
    names.push_back(files::own_column(more, table));
  const std::vector<std::string_view> others(names.begin(), names.end());
  std::array<std::size_t, 8> columns{};  // state, numbers, among, by
  for (std::size_t i = 0; i < columns.size(); ++i)
    columns[i] = file.find_column(others[i]);
  // The office's own file has the true value beside what is published.
  if (const std::size_t published = file.find_column(files::own_column("published", table));
      published < file.num_columns())
    columns[1] = published;
  LACUNA_TRY(problems::CellRows rows, problems::CellRows::of(file, table, others, view));
  if (columns[0] == file.num_columns())
    return Error{ErrorCode::kMissingColumn,
                 "there is no column '" + names.front() + "'",
                 file.where_header()};
  PublicReader reader(table);
  for (std::size_t row = 0; row < file.num_rows(); ++row) {
    LACUNA_TRY(const CellId cell, rows.cell(row));
    StatementText says;
    says.state = file.field(row, columns[0]);
    for (std::size_t i = 0; i < says.numbers.size(); ++i) {
      const std::size_t column = columns[i + 1];
      if (column < file.num_columns() && !file.field(row, column).empty())
        says.numbers[i] = with_point(file.field(row, column));
    }
    const auto word = [&](std::size_t column) -> std::optional<std::string> {
      if (column == file.num_columns() || file.field(row, column).empty())
        return std::nullopt;
      return with_point(file.field(row, column));
    };
    says.among = word(columns[6]);
    says.by = word(columns[7]);
    if (const auto trouble = reader.take(cell, says)) {
      const bool one = trouble->number < says.numbers.size();
      return file.error(row, one ? columns[trouble->number + 1] : columns[0], trouble->message);
    }
  }
  return reader.finish(filename, view == nullptr ? files::whole_view(table, "") : *view);
}

Result<Draft> read_public_json(std::string_view text,
                               const std::string& filename,
                               const Table& table,
                               const files::TableView* view) {
  LACUNA_TRY(const files::JsonTree tree, files::JsonTree::parse(text, filename));
  constexpr std::array<std::string_view, 5> kNames{
      "format", "decimals", "dimensions", "cells", "meaning"};  // the last is for readers alone
  LACUNA_TRY(const auto fields, files::members_of(tree.root(), kNames));
  if (!fields[3].present())
    return tree.root().error("the name 'cells' is missing");
  LACUNA_RETURN_IF_ERROR(fields[3].expect(files::JsonKind::kArray));
  const files::TableView all = files::whole_view(table, "");
  PublicJsonReader reader(table, view == nullptr ? all : *view);
  for (const files::JsonNode node : fields[3].children())
    LACUNA_RETURN_IF_ERROR(reader.read_cell(node));
  return reader.finish(filename);
}

}  // namespace lacuna::publish

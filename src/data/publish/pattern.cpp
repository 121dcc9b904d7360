// SPDX-License-Identifier: Apache-2.0
#include "data/publish/pattern.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/text.h"
#include "core/table/unpublished.h"
#include "data/files/json_tree.h"
#include "data/files/position.h"
#include "data/problems/cell_index.h"
#include "data/publish/statement_text.h"

namespace lacuna::publish {
namespace {

std::string no_such_cell(std::int64_t cell, const Table& table) {
  return "there is no cell " + base::confidential(std::to_string(cell)) +
         ": the table has cells 0 to " + std::to_string(table.num_cells() - 1);
}

bool opens_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string_view::npos && text[first] == '{';
}

// ---- one index per line

Result<Draft> read_index_list(std::string_view text,
                              const std::string& filename,
                              const Table& table) {
  Draft draft;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string_view line = text.substr(start, end - start);
    start = end + 1;
    line = base::trimmed(line.substr(0, std::min(line.find('#'), line.size())));
    if (line.empty())
      continue;
    const auto error = [&](std::string message, ErrorCode code = ErrorCode::kBadField) {
      const auto offset = static_cast<std::size_t>(line.data() - text.data());
      return files::error_at(filename, text, offset, std::move(message), code);
    };
    std::int64_t cell = 0;
    const auto parsed = std::from_chars(line.data(), line.data() + line.size(), cell);
    if (parsed.ec != std::errc() || parsed.ptr != line.data() + line.size())
      return error("expected one cell index, found " + base::confidential(base::in_quotes(line)));
    if (cell < 0 || cell >= table.num_cells())
      return error(no_such_cell(cell, table), ErrorCode::kNoSuchCell);
    const CellId id{static_cast<std::int32_t>(cell)};
    if (!draft.is_exact(id))
      return error("cell " + std::to_string(cell) + " is listed twice");
    draft.withhold(id);
  }
  return draft;
}

// ---- a result JSON

constexpr std::array<std::string_view, 10> kEntryNames{
    "cell", "codes", "state", "value", "lower", "upper", "base", "steps", kAmong, kBy};

class ReleaseReader {
 public:
  ReleaseReader(const Table& table, bool skip_unknown)
      : table_(table), index_(table), skip_unknown_(skip_unknown) {}

  Result<EarlierRelease> read(files::JsonNode root) {
    files::JsonNode release;
    for (const files::JsonNode member : root.children()) {
      if (member.key() == "adjusted") {  // before the entries: it decides what they need
        LACUNA_TRY(const bool adjusted, member.boolean());
        draft_.set_adjusted(adjusted);
      }
      if (member.key() != "release")
        continue;
      if (release.present())
        return root.error("the name 'release' is given twice");
      release = member;
    }
    if (!release.present())
      return root.error("the name 'release' is missing: this is not a result");
    LACUNA_RETURN_IF_ERROR(release.expect(files::JsonKind::kArray));
    for (const files::JsonNode item : release.children())
      LACUNA_RETURN_IF_ERROR(read_entry(item));
    return EarlierRelease{std::move(draft_), gone_};
  }

 private:
  // Codes name a cell whatever the order of the rows; the index counts where there are none.
  // Nothing: a cell that the table does not have, and that may be missing.
  Result<std::optional<CellId>> cell_of(files::JsonNode entry,
                                        files::JsonNode cell,
                                        files::JsonNode codes) {
    if (codes.present() && !table_.dimensions().empty())
      return by_codes(codes);
    if (!cell.present())
      return entry.error(table_.dimensions().empty() ? "the name 'cell' is missing"
                                                     : "the names 'codes' and 'cell' are missing");
    LACUNA_TRY(const std::int64_t index, cell.integer());
    if (index < 0 || index >= table_.num_cells())
      return cell.error(no_such_cell(index, table_));
    return once(cell, CellId{static_cast<std::int32_t>(index)});
  }

  Result<std::optional<CellId>> by_codes(files::JsonNode codes) {
    LACUNA_RETURN_IF_ERROR(codes.expect(files::JsonKind::kArray));
    std::vector<std::string_view> names;
    for (const files::JsonNode item : codes.children()) {
      LACUNA_TRY(names.emplace_back(), item.string());
    }
    if (names.size() != table_.dimensions().size())
      return codes.error("expected one code per dimension");
    if (const auto found = index_.find(names))
      return once(codes, *found);
    if (!skip_unknown_)
      return codes.error("the table has no cell " + index_.label(names));
    ++gone_;
    return std::optional<CellId>();
  }

  Result<std::optional<CellId>> once(files::JsonNode node, CellId id) const {
    if (!draft_.is_exact(id))
      return node.error("cell " + std::to_string(id.value) + " is listed twice");
    return std::optional(id);
  }

  Status read_entry(files::JsonNode entry) {
    LACUNA_TRY(const auto members, files::members_of(entry, kEntryNames));
    const auto& [cell, codes, state, value, lower, upper, base, steps, among, by] = members;
    LACUNA_TRY(const auto id, cell_of(entry, cell, codes));
    if (!id)
      return ok_status();
    if (!state.present())
      return entry.error("the name 'state' is missing");
    StatementText text;
    LACUNA_TRY(text.state, state.string());
    if (draft_.adjusted() && text.state == "altered")  // said once, of the whole release
      text.state = "adjusted";
    const std::array<files::JsonNode, 5> numbers{value, lower, upper, base, steps};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i].present() && !numbers[i].is_null()) {
        LACUNA_TRY(text.numbers[i], numbers[i].number_text());
      }
    }
    LACUNA_RETURN_IF_ERROR(read_statement_words(among, by, text));
    const auto read = read_statement(text, table_.decimals());
    if (const auto* trouble = std::get_if<StatementTrouble>(&read)) {
      const bool number = trouble->number < numbers.size();
      const bool word = trouble->number == StatementTrouble::kState;
      return (number ? numbers[trouble->number] : word ? state : entry).error(trouble->message);
    }
    draft_.set({*id, std::get<Statement>(read)});
    return ok_status();
  }

  const Table& table_;
  const problems::CellIndex index_;
  const bool skip_unknown_;
  std::int64_t gone_ = 0;
  Draft draft_;
};

void write_entry(base::JsonWriter& json, const CellEntry& entry, const Table& table) {
  StatementText text = statement_text(entry, table.decimals());
  if (entry.state() == StatementKind::kAdjusted)
    text.state = "altered";  // "adjusted" is said once, of the whole release
  if (std::optional<std::string>& steps = text.numbers.back(); steps == "0")
    steps.reset();
  const auto codes = table.codes(entry.cell);
  json.line().object([&] {
    json.member("cell", entry.cell.value);
    write_statement(json, text);
    if (!codes.empty())
      write_codes(json.key("codes"), table, entry.cell);
  });
}

}  // namespace

Result<Draft> read_pattern(std::string_view text, const std::string& filename, const Table& table) {
  if (!opens_json(text))
    return read_index_list(text, filename, table);
  LACUNA_TRY(const files::JsonTree tree, files::JsonTree::parse(text, filename));
  LACUNA_TRY(EarlierRelease release, ReleaseReader(table, false).read(tree.root()));
  return std::move(release.draft);
}

Result<EarlierRelease> read_earlier_pattern(std::string_view text,
                                            const std::string& filename,
                                            const Table& table) {
  if (!opens_json(text)) {
    LACUNA_TRY(Draft draft, read_index_list(text, filename, table));
    return EarlierRelease{std::move(draft), 0};
  }
  LACUNA_TRY(const files::JsonTree tree, files::JsonTree::parse(text, filename));
  return ReleaseReader(table, true).read(tree.root());
}

Result<int> pattern_decimals(std::string_view text, const std::string& filename) {
  if (!opens_json(text))
    return 0;
  LACUNA_TRY(const files::JsonTree tree, files::JsonTree::parse(text, filename));
  for (const files::JsonNode member : tree.root().children()) {
    if (member.key() != "decimals")
      continue;
    LACUNA_TRY(const std::int64_t decimals, member.integer());
    if (decimals < 0 || decimals > TableBuilder::kMaxDecimals)
      return member.error("expected a number of decimals from 0 to 18");
    return static_cast<int>(decimals);
  }
  return 0;
}

Result<std::string> write_pattern(const Draft& draft) {
  std::string out;
  for (const CellEntry& entry : draft.each()) {
    if (entry.state() != StatementKind::kWithheld) {
      return Error{ErrorCode::kCannotHold,
                   "a list of indices cannot say that a cell is " +
                       std::string(to_string(entry.state())) + "; write a result JSON instead",
                   "cell " + std::to_string(entry.cell.value)};
    }
    out += std::to_string(entry.cell.value) + "\n";
  }
  return out;
}

void write_codes(base::JsonWriter& json, const Table& table, CellId cell) {
  const auto codes = table.codes(cell);
  json.list([&] {
    for (std::size_t d = 0; d < codes.size(); ++d)
      json.value(table.dimensions()[d].code(codes[d]));
  });
}

namespace {

// Cells that nobody publishes have codes of other cells where they are no atoms: what is published
// together with a table. No reader of a release could tell them apart.
Draft without_cells_behind(Draft draft, const Table& table) {
  if (table.dimensions().empty() ||
      !std::any_of(table.cells().begin(), table.cells().end(), table::is_unpublished))
    return draft;
  const problems::CellIndex index(table);
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const auto codes = table.codes(CellId{c});
    if (table::is_unpublished(table.cell(CellId{c})) &&
        index.find(std::vector<std::int32_t>(codes.begin(), codes.end())) != CellId{c})
      draft.publish_exact(CellId{c});
  }
  return draft;
}

}  // namespace

void write_release_entries(base::JsonWriter& json, const Draft& draft, const Table& table) {
  const Draft own = without_cells_behind(draft, table);
  json.list(own.each(), [&](const CellEntry& entry) { write_entry(json, entry, table); });
}

std::string write_release_entries(const Draft& draft, const Table& table) {
  return base::json_text(
      [&](base::JsonWriter& json) { write_release_entries(json, draft, table); });
}

}  // namespace lacuna::publish

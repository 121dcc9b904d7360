// SPDX-License-Identifier: Apache-2.0
#include "job/cell_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "base/decimal.h"
#include "base/nearest.h"
#include "io/csv.h"
#include "io/file.h"

namespace lacuna {
namespace {

constexpr std::array<std::string_view, 5> kColumns{"method", "base", "lower", "upper", "value"};
constexpr std::array<std::string_view, 5> kMethods{
    "exact", "withheld", "interval", "perturbed", "rounded"};

class CellFileReader {
 public:
  CellFileReader(const CsvFile& file, const Table& table) : file_(file), table_(table) {}

  Result<std::vector<CellSettings>> read() {
    LACUNA_RETURN_IF_ERROR(find_columns());
    index_cells();
    std::vector<CellSettings> settings(static_cast<std::size_t>(table_.num_cells()));
    std::vector<bool> seen(settings.size(), false);
    for (std::size_t row = 0; row < file_.num_rows(); ++row) {
      LACUNA_TRY(const std::size_t cell, cell_of(row));
      if (seen[cell])
        return file_.error(row, 0, "the cell is listed twice");
      seen[cell] = true;
      LACUNA_TRY(settings[cell], settings_of(row));
    }
    return settings;
  }

 private:
  Status find_columns() {
    by_index_ = file_.find_column("cell") < file_.num_columns();
    std::vector<std::string_view> known(kColumns.begin(), kColumns.end());
    if (by_index_)
      known.push_back("cell");
    for (const Dimension& dimension : table_.dimensions()) {
      const std::size_t column = file_.find_column(dimension.name());
      known.push_back(dimension.name());
      key_columns_.push_back(column);
      if (!by_index_ && column == file_.num_columns())
        return Error{ErrorCode::kBadInput,
                     "there is no column '" + std::string(dimension.name()) + "', nor 'cell'",
                     file_.where_header()};
    }
    if (!by_index_ && key_columns_.empty())
      return Error{ErrorCode::kBadInput,
                   "the table has no codes: a column 'cell' is needed",
                   file_.where_header()};
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      if (std::find(known.begin(), known.end(), file_.header(c)) == known.end())
        return Error{ErrorCode::kBadInput,
                     "unknown column '" + std::string(file_.header(c)) + "'" +
                         did_you_mean(std::string(file_.header(c)), known),
                     file_.where_header()};
    }
    return ok_status();
  }

  void index_cells() {
    if (by_index_)
      return;
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      std::vector<std::string_view> key;
      const auto codes = table_.codes(CellId{c});
      for (std::size_t d = 0; d < codes.size(); ++d)
        key.push_back(table_.dimensions()[d].code(codes[d]));
      cells_.emplace(std::move(key), static_cast<std::size_t>(c));
    }
  }

  Result<std::size_t> cell_of(std::size_t row) const {
    if (by_index_) {
      const std::size_t column = file_.find_column("cell");
      const std::string_view text = file_.field(row, column);
      std::int64_t index = -1;
      const auto parsed = std::from_chars(text.data(), text.data() + text.size(), index);
      if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || index < 0 ||
          index >= table_.num_cells())
        return file_.error(row, column, "there is no cell '" + std::string(text) + "'");
      return static_cast<std::size_t>(index);
    }
    std::vector<std::string_view> key;
    for (const std::size_t column : key_columns_)
      key.push_back(file_.field(row, column));
    const auto found = cells_.find(key);
    if (found == cells_.end())
      return file_.error(row, key_columns_.front(), "the table has no cell with these codes");
    return found->second;
  }

  Result<CellSettings> settings_of(std::size_t row) const {
    CellSettings settings;
    const std::size_t method = file_.find_column("method");
    if (method < file_.num_columns() && !file_.field(row, method).empty()) {
      const std::string_view word = file_.field(row, method);
      if (std::find(kMethods.begin(), kMethods.end(), word) == kMethods.end())
        return file_.error(row,
                           method,
                           "unknown method '" + std::string(word) + "'" +
                               did_you_mean(std::string(word), kMethods));
      settings.method = word;
    }
    LACUNA_TRY(settings.base, number(row, "base"));
    if (settings.base && *settings.base <= 0)
      return file_.error(row, file_.find_column("base"), "the rounding base must be positive");
    LACUNA_TRY(settings.lower, number(row, "lower"));
    LACUNA_TRY(settings.upper, number(row, "upper"));
    LACUNA_TRY(settings.value, number(row, "value"));
    return settings;
  }

  Result<std::optional<Units>> number(std::size_t row, std::string_view name) const {
    const std::size_t column = file_.find_column(name);
    if (column == file_.num_columns() || file_.field(row, column).empty())
      return std::optional<Units>();
    auto units = parse_units(file_.field(row, column), table_.decimals());
    if (!units)
      return file_.error(row, column, units.error().message);
    return std::optional<Units>(*units);
  }

  const CsvFile& file_;
  const Table& table_;
  bool by_index_ = false;
  std::vector<std::size_t> key_columns_;
  std::map<std::vector<std::string_view>, std::size_t> cells_;
};

// The separator that the header line has most of.
char separator_of(const std::string& text) {
  const std::string_view header(text.data(), std::min(text.find('\n'), text.size()));
  char best = ';';
  for (const char candidate : {',', '\t'}) {
    if (std::count(header.begin(), header.end(), candidate) >
        std::count(header.begin(), header.end(), best))
      best = candidate;
  }
  return best;
}

}  // namespace

Result<std::vector<CellSettings>> read_cell_file(const std::string& path, const Table& table) {
  LACUNA_TRY(std::string text, read_file(path));
  return read_cell_text(std::move(text), path, table);
}

Result<std::vector<CellSettings>> read_cell_text(std::string text,
                                                 const std::string& path,
                                                 const Table& table) {
  const char separator = separator_of(text);
  LACUNA_TRY(const CsvFile file, CsvFile::parse(std::move(text), path, separator));
  return CellFileReader(file, table).read();
}

}  // namespace lacuna

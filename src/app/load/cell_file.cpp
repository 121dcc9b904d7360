// SPDX-License-Identifier: Apache-2.0
#include "app/load/cell_file.h"

#include <algorithm>
#include <array>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/nearest.h"
#include "data/files/csv.h"
#include "data/problems/cell_rows.h"

namespace lacuna::load {
namespace {

constexpr std::array<std::string_view, 5> kColumns{"method", "base", "lower", "upper", "value"};

class CellFileReader {
 public:
  CellFileReader(const files::CsvFile& file, const Table& table) : file_(file), table_(table) {}

  Result<std::vector<CellSettings>> read() {
    LACUNA_TRY(problems::CellRows rows, problems::CellRows::of(file_, table_, kColumns));
    std::vector<CellSettings> settings(static_cast<std::size_t>(table_.num_cells()));
    for (std::size_t row = 0; row < file_.num_rows(); ++row) {
      LACUNA_TRY(const CellId cell, rows.cell(row));
      LACUNA_TRY(settings[static_cast<std::size_t>(cell.value)], settings_of(row));
    }
    return settings;
  }

 private:
  Result<CellSettings> settings_of(std::size_t row) const {
    CellSettings settings;
    const std::size_t method = file_.find_column("method");
    if (method < file_.num_columns() && !file_.field(row, method).empty()) {
      const std::string_view word = file_.field(row, method);
      const auto words = enum_names(PublishAs{});
      const auto found = std::find(words.begin(), words.end(), word);
      if (found == words.end())
        return file_.error(row,
                           method,
                           "unknown method " + base::strange_field_in_quotes(word) +
                               base::did_you_mean(word, words));
      settings.method = static_cast<PublishAs>(found - words.begin());
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
    auto units = base::parse_units(file_.field(row, column), table_.decimals());
    if (!units)
      return file_.error(row, column, units.error().message, units.error().code);
    return std::optional<Units>(*units);
  }

  const files::CsvFile& file_;
  const Table& table_;
};

}  // namespace

Result<std::vector<CellSettings>> read_cell_text(std::string text,
                                                 const std::string& path,
                                                 const Table& table) {
  const char separator = files::likely_separator(text);
  LACUNA_TRY(const files::CsvFile file, files::CsvFile::parse(std::move(text), path, separator));
  return CellFileReader(file, table).read();
}

}  // namespace lacuna::load

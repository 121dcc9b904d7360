// SPDX-License-Identifier: Apache-2.0
// One cell as every reader sees it, for all public writers: made from what the draft says alone. Of
// a cell that is not published as it is, the true value is never looked at, nor whether the cell is
// sensitive.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/publish/release_formats.h"
#include "data/publish/statement_text.h"
#include "lacuna/result.h"

namespace lacuna::publish {

struct PublicCell {
  std::string_view state;
  std::array<std::optional<std::string>, kStatementNumbers.size()> numbers;  // as they are shown
  std::optional<std::string> among{}, by{};                                  // as of a statement
};
// Errors: more decimals than are to be shown.
Result<PublicCell> public_cell(const PublicRelease& release, CellId cell);
// As the draft has it, without a choice of decimals.
StatementText stated(const Table& table, const Draft& draft, CellId cell);

// The same for every cell without a number: D of abdv, c, or C of CONF_STATUS.
std::string public_flag(const PublicCell& cell, files::FlagChoice flags);

// Which of lower, upper, base and steps, and of the words, the release has anywhere.
struct StatedColumns {
  bool range = false, base = false, among = false, by = false;
  bool has(std::size_t number) const { return number == 0 || (number < 3 ? range : base); }
};
StatedColumns stated_columns(const Draft& draft);

// Formats without a place for "between 5 and 9".
Status refuse_ranges(const PublicRelease& release, std::string_view ending);

// Rows of one table: codes, value, state, what else the release has, and a flag if asked for.
// `mark` stands where a value is withheld. One by one, since a large table need not be held as a
// sheet. The release and the view outlive it.
class PublicRows {
 public:
  PublicRows(const PublicRelease& release, const files::TableView& view, std::string mark);
  std::vector<std::string> header() const;
  Result<std::vector<files::SheetField>> row(CellId cell) const;

 private:
  const PublicRelease& release_;
  const files::TableView& view_;
  std::string mark_;
  StatedColumns columns_;
  bool has_flags_;
};

// All of them.
Result<files::Sheet> public_sheet(const PublicRelease& release,
                                  const files::TableView& view,
                                  const std::string& mark);

Result<std::string> public_xlsx(const PublicRelease& release);
files::Sheet about_sheet(const ReleaseFacts& facts,
                         std::vector<std::pair<std::string, std::string>> more);

}  // namespace lacuna::publish

// SPDX-License-Identifier: Apache-2.0
// Where the table is: its heading is the first row that names all columns of numbers; its rows are
// those below it that have a number in at least half of these columns and a code beside them.
#include <algorithm>
#include <optional>

#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/formats/agency_signs.h"
#include "data/infer/cell_text.h"
#include "data/infer/csv_guess.h"
#include "data/infer/shape.h"

namespace lacuna::infer {
namespace {

using Columns = std::vector<std::size_t>;

class BlockFinder {
 public:
  BlockFinder(const RawTable& raw, const ShapeChoice& choice)
      : raw_(raw), rows_(raw.grid.rows), choice_(choice) {}

  Result<TableBlock> find() {
    LACUNA_TRY(chosen_, row_range_of(choice_.rows));
    look_at_blanks();
    look_at_numbers();
    LACUNA_RETURN_IF_ERROR(find_values());
    LACUNA_RETURN_IF_ERROR(find_heading());
    find_columns();
    LACUNA_RETURN_IF_ERROR(find_rows());
    take_texts();
    return std::move(block_);
  }

 private:
  Error error(std::string message, ErrorCode code = ErrorCode::kNoRows) const {
    return {code, std::move(message), raw_.grid.where};
  }

  // ---- cells

  // R writes NA into every cell that a sheet leaves empty.
  void look_at_blanks() {
    const auto says_nothing = [](const std::vector<std::string>& row) {
      return !row.empty() && std::all_of(row.begin(), row.end(), [](const std::string& text) {
        const std::string_view bare = base::trimmed(text);
        return bare.empty() || bare == "NA";
      }) && std::any_of(row.begin(), row.end(), [](const std::string& text) {
        return base::trimmed(text) == "NA";
      });
    };
    na_is_blank_ = std::any_of(rows_.begin(), rows_.end(), says_nothing);
  }

  bool is_blank(std::size_t row, std::size_t column) const {
    const std::string_view text = base::trimmed(rows_[row][column]);
    return text.empty() || (na_is_blank_ && text == "NA") || is_made_name(text);
  }

  // What readr and pandas call a column without a name: "...3", "Unnamed: 2".
  static bool is_made_name(std::string_view text) {
    for (const std::string_view start : {"...", "Unnamed: "}) {
      if (text.size() > start.size() && text.starts_with(start) &&
          text.find_first_not_of("0123456789", start.size()) == std::string_view::npos)
        return true;
    }
    return false;
  }

  std::size_t width() const { return rows_.empty() ? 0 : rows_.front().size(); }

  bool is_number(std::size_t row, std::size_t column) const {
    return !is_blank(row, column) && is_number_cell(rows_[row][column]);
  }

  // A sign counts beside numbers, not alone.
  bool is_cell(std::size_t row, std::size_t column) const {
    return is_number(row, column) ||
           (!is_blank(row, column) && may_be_sign(rows_[row][column], choice_, raw_.grid.signs));
  }

  // ---- where numbers are

  void look_at_numbers() {
    first_ = choice_.skip > 0 ? row_at(static_cast<std::size_t>(choice_.skip)) : 0;
    numbers_.assign(rows_.size(), 0);
    filled_.assign(rows_.size(), 0);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (std::size_t c = 0; c < width(); ++c) {
        numbers_[r] += is_number(r, c) ? 1U : 0U;
        filled_[r] += is_blank(r, c) ? 0U : 1U;
      }
    }
  }

  // Columns that hold a number in most of the rows that have as many as a typical row.
  Status find_values() {
    std::vector<std::size_t> counts;
    for (std::size_t r = first_; r < rows_.size(); ++r) {
      if (numbers_[r] > 0 && filled_[r] > 1 && is_chosen(r))
        counts.push_back(numbers_[r]);
    }
    if (counts.empty())
      return error(chosen_ ? "the rows " + choice_.rows + " hold no numbers next to codes"
                           : "no row holds a number next to a code: is the table in another sheet, "
                             "or as a picture?");
    std::nth_element(counts.begin(),
                     counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2),
                     counts.end());
    const std::size_t typical = counts[counts.size() / 2];
    std::vector<std::size_t> holds(width(), 0);
    std::size_t dense = 0;
    for (std::size_t r = first_; r < rows_.size(); ++r) {
      if (2 * numbers_[r] < typical || numbers_[r] == 0 || filled_[r] < 2 || !is_chosen(r))
        continue;
      ++dense;
      for (std::size_t c = 0; c < width(); ++c)
        holds[c] += is_cell(r, c) && (is_number(r, c) || numbers_[r] > 1) ? 1U : 0U;
    }
    for (std::size_t c = 0; c < width(); ++c) {
      if (2 * holds[c] > dense)
        block_.values.push_back(c);
    }
    if (block_.values.empty())
      return error("no column holds numbers in most rows");
    return ok_status();
  }

  bool is_chosen(std::size_t row) const {
    const std::size_t at = row + raw_.grid.first_row;
    return !chosen_ || (at >= chosen_->first && at <= chosen_->last);
  }

  // Of a row of the file, from 0.
  std::size_t row_at(std::size_t row) const {
    return row > raw_.grid.first_row ? std::min(row - raw_.grid.first_row, rows_.size()) : 0;
  }

  // ---- the heading

  // Texts of a merged cell count in all columns that it covers.
  bool names_column(std::size_t row, std::size_t column) const {
    return !is_blank(row, column) || merged_at(row, column) != nullptr;
  }

  const formats::MergedCells* merged_at(std::size_t row, std::size_t column) const {
    for (const formats::MergedCells& cells : raw_.grid.merged) {
      if (row >= cells.row && row < cells.row + cells.rows && column >= cells.column &&
          column < cells.column + cells.columns)
        return &cells;
    }
    return nullptr;
  }

  std::size_t named_values(std::size_t row) const {
    return static_cast<std::size_t>(
        std::count_if(block_.values.begin(), block_.values.end(), [&](std::size_t column) {
          return !is_blank(row, column);
        }));
  }

  std::size_t numbers_in_values(std::size_t row) const {
    return static_cast<std::size_t>(
        std::count_if(block_.values.begin(), block_.values.end(), [&](std::size_t column) {
          return is_number(row, column);
        }));
  }

  // One cell that covers all columns of numbers says what they are, and is a title.
  bool is_upper_heading(std::size_t row) const {
    if (named_values(row) < 2 || numbers_in_values(row) > 0)
      return false;
    const std::size_t first = block_.values.front();
    return names_column(row, first);
  }

  // A title may name a column of numbers by chance: the row below it that names more is the
  // heading.
  std::size_t below_title(std::size_t heading, std::size_t end) const {
    for (std::size_t r = heading + 1; r < end; ++r) {
      if (filled_[r] == 0)
        continue;
      const bool names_more = numbers_in_values(r) == 0 && filled_[r] > filled_[heading] &&
                              named_values(r) == block_.values.size();
      if (!names_more)
        break;
      heading = r;
    }
    return heading;
  }

  Status find_heading() {
    const std::size_t end = chosen_ ? row_at(chosen_->first) : rows_.size();
    std::size_t heading = first_;
    if (choice_.skip < 0) {
      while (heading < end && named_values(heading) < block_.values.size())
        ++heading;
      heading = below_title(heading, end);
    } else {
      while (heading < end && filled_[heading] == 0)
        ++heading;
    }
    if (heading >= end)
      return error(
          "no row names all columns of numbers: say how many rows stand above the heading "
          "(" +
          base::named_setting("[input]", "skip", "2") + ")");
    if (choice_.skip < 0) {
      while (heading > 0 && is_upper_heading(heading - 1))
        --heading;
    }
    block_.headings.push_back(heading);
    // Further rows of names, until the first with numbers.
    for (std::size_t r = heading + 1; r < end; ++r) {
      const bool names = numbers_in_values(r) == 0 && named_values(r) > 1;
      const bool lower = named_values(heading) < block_.values.size() &&
                         named_values(r) == block_.values.size() && block_.headings.size() == 1;
      if (!names && !lower)
        break;
      block_.headings.push_back(r);
      if (lower && !names)
        break;
    }
    return ok_status();
  }

  void find_columns() {
    const auto in_values = [&](std::size_t column) {
      return std::find(block_.values.begin(), block_.values.end(), column) != block_.values.end();
    };
    for (std::size_t c = 0; c < width(); ++c) {
      bool used = in_values(c);
      for (const std::size_t row : block_.headings)
        used = used || !is_blank(row, c);
      for (std::size_t r = block_.headings.back() + 1; r < rows_.size() && !used; ++r)
        used = is_chosen(r) && 2 * numbers_in_values(r) >= block_.values.size() &&
               numbers_in_values(r) > 0 && !is_blank(r, c);
      if (used)
        block_.columns.push_back(c);
    }
  }

  // ---- the rows

  bool has_code(std::size_t row) const {
    const bool none_left = block_.columns.size() == block_.values.size();
    return none_left ||
           std::any_of(block_.columns.begin(), block_.columns.end(), [&](std::size_t column) {
             return !is_blank(row, column) &&
                    std::find(block_.values.begin(), block_.values.end(), column) ==
                        block_.values.end();
           });
  }

  std::size_t cells_in(std::size_t row) const {
    return static_cast<std::size_t>(
        std::count_if(block_.values.begin(), block_.values.end(), [&](std::size_t column) {
          return is_cell(row, column);
        }));
  }

  // A row of nothing but signs is one of cells, too, if the table has any numbers around it.
  bool is_row_of_cells(std::size_t row) const {
    return filled_[row] > 0 && 2 * cells_in(row) >= block_.values.size() && cells_in(row) > 0 &&
           has_code(row);
  }

  struct Run {
    std::size_t first = 0, last = 0;
    std::vector<std::string> above;  // texts between it and the run before
  };

  std::string text_of(std::size_t row) const {
    std::string text;
    for (std::size_t c = 0; c < width(); ++c) {
      if (!is_blank(row, c))
        text += (text.empty() ? "" : " ") + std::string(base::trimmed(rows_[row][c]));
    }
    return text;
  }

  std::vector<Run> runs() const {
    std::vector<Run> found;
    std::vector<std::string> between;
    bool open = false;
    for (std::size_t r = block_.headings.back() + 1; r < rows_.size(); ++r) {
      if (is_row_of_cells(r) && is_chosen(r)) {
        if (!found.empty() && (open || between.empty())) {
          found.back().last = r;
        } else {
          found.push_back({r, r, between});
        }
        between.clear();
        open = true;
      } else if (filled_[r] > 0 && !is_chosen(r)) {
        open = false;
      } else if (filled_[r] > 0) {
        between.push_back(text_of(r));
        open = false;
      }
    }
    return found;
  }

  Status find_rows() {
    const std::vector<Run> found = runs();
    if (found.empty())
      return error("there are no rows of numbers below the heading in row " +
                   std::to_string(raw_.grid.first_row + block_.headings.back() + 1));
    if (found.size() > 1 && !chosen_)
      return several(found);
    LACUNA_RETURN_IF_ERROR(check_below(found.back().last));
    for (const Run& run : found) {
      for (std::size_t r = run.first; r <= run.last; ++r) {
        if (is_row_of_cells(r))
          block_.rows.push_back(r);
      }
    }
    return ok_status();
  }

  // A row with several fields right below the table is one of it that was cut, not a footnote.
  Status check_below(std::size_t last) const {
    for (std::size_t r = last + 1; r < rows_.size() && !chosen_ && filled_[r] > 1; ++r)
      return Error{ErrorCode::kUnclearFormat,
                   "this row has several fields, but no numbers where the rows above it have some: "
                   "correct it, or say which rows are the table (" +
                       base::named_setting(
                           "[input]",
                           "rows",
                           "\"" + range_text({block_.headings.back() + 1, last, {}}) + "\"") +
                       ")",
                   raw_.place(r, 0)};
    return ok_status();
  }

  std::string range_text(const Run& run) const {
    const std::size_t from = raw_.grid.first_row + 1;
    return std::to_string(run.first + from) + "-" + std::to_string(run.last + from);
  }

  Error several(const std::vector<Run>& found) const {
    constexpr std::size_t kMost = 8;
    std::string list;
    for (std::size_t i = 0; i < std::min(found.size(), kMost); ++i) {
      list += "\n  " + range_text(found[i]);
      if (!found[i].above.empty())
        list += ", below " + base::in_quotes(found[i].above.back());
    }
    if (found.size() > kMost)
      list += "\n  and " + std::to_string(found.size() - kMost) + " more";
    return error(
        "the rows stand in several blocks, with other text between them: say which are the "
        "table, such as " +
            base::named_setting("[input]", "rows", "\"" + range_text(found.front()) + "\"") + list,
        ErrorCode::kUnclearFormat);
  }

  void take_texts() {
    std::size_t cells = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (filled_[r] == 0)
        continue;
      if (r < block_.headings.front())
        block_.titles.push_back(text_of(r));
      else if (r > block_.rows.back())
        block_.footnotes.push_back(text_of(r));
      else
        ++cells;
    }
    block_.whole = block_.titles.empty() && block_.footnotes.empty() &&
                   cells == block_.rows.size() + 1 && block_.columns.size() == width();
  }

  const RawTable& raw_;
  const std::vector<std::vector<std::string>>& rows_;
  const ShapeChoice& choice_;
  std::optional<RowRange> chosen_;
  bool na_is_blank_ = false;
  std::size_t first_ = 0;
  std::vector<std::size_t> numbers_, filled_;  // by row
  TableBlock block_;
};

}  // namespace

Result<TableBlock> find_block(const RawTable& raw, const ShapeChoice& choice) {
  return BlockFinder(raw, choice).find();
}

}  // namespace lacuna::infer

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <vector>

#include "app/report/cell_view.h"
#include "core/base/decimal.h"
#include "lacuna/report.h"

namespace lacuna {
namespace {

struct Line {  // a code where it stands in the tree
  std::int32_t code = 0;
  int depth = 0;
};

void walk(const Dimension& dimension, Line at, std::vector<Line>& out) {
  out.push_back(at);
  for (const Relation& relation : dimension.relations()) {
    if (relation.parent != at.code)
      continue;
    for (const std::int32_t child : relation.children)
      walk(dimension, {child, at.depth + 1}, out);
  }
}

std::vector<Line> tree_of(const Dimension& dimension) {
  std::vector<Line> lines;
  walk(dimension, {dimension.total(), 0}, lines);
  return lines;
}

// Characters, not bytes: continuation bytes of UTF-8 take no place.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    constexpr unsigned kMask = 0xC0, kContinuation = 0x80;
    return (static_cast<unsigned char>(c) & kMask) != kContinuation;
  }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t length = width_of(text);
  const std::string blanks(width > length ? width - length : 0, ' ');
  return right ? blanks + text : text + blanks;
}

class GridWriter {
 public:
  GridWriter(const Table& table, const Draft& draft, const TextGridOptions& options)
      : table_(table), draft_(draft), options_(options) {
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      const auto codes = table.codes(CellId{c});
      by_codes_.emplace(std::vector<std::int32_t>(codes.begin(), codes.end()), CellId{c});
    }
  }

  std::string list() const {
    std::size_t names = 0, numbers = 0;
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      names = std::max(names, width_of(table_.label(CellId{c})));
      numbers = std::max(numbers, width_of(text_of(CellId{c})));
    }
    std::string out;
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      const CellId id{c};
      out += padded(table_.label(id), names, false) + "  " + colored(id, numbers) + "\n";
    }
    return out;
  }

  std::string grids() {
    std::string out;
    if (options_.tables.size() < 2) {
      for (std::size_t d = 0; d < table_.dimensions().size(); ++d)
        crossed_.push_back(d);
      layers(2, totals(), "", out);
      return out;
    }
    for (const LinkedTable& table : options_.tables) {
      crossed_.assign(table.dimensions.begin(), table.dimensions.end());
      layers(2, totals(), table.name, out);
    }
    return out;
  }

 private:
  std::vector<std::int32_t> totals() const {
    std::vector<std::int32_t> codes;
    for (const Dimension& dimension : table_.dimensions())
      codes.push_back(dimension.total());
    return codes;
  }

  // A grid for each combination of the dimensions of the table from the third on.
  void layers(std::size_t k,
              std::vector<std::int32_t> codes,
              const std::string& title,
              std::string& out) const {
    if (k >= crossed_.size()) {
      const std::string text = grid(codes);
      if (!text.empty())
        out += (out.empty() ? "" : "\n") + title + (title.empty() ? "" : "\n") + text;
      return;
    }
    const Dimension& dimension = table_.dimensions()[crossed_[k]];
    for (const Line& line : tree_of(dimension)) {
      codes[crossed_[k]] = line.code;
      layers(k + 1,
             codes,
             title + (title.empty() ? "" : ", ") + dimension.name() + " = " +
                 dimension.code(line.code),
             out);
    }
  }

  const Dimension& row_dimension() const { return table_.dimensions()[crossed_[0]]; }
  const Dimension& column_dimension() const { return table_.dimensions()[crossed_[1]]; }

  const CellId* find(const std::vector<std::int32_t>& codes) const {
    const auto found = by_codes_.find(codes);
    return found == by_codes_.end() ? nullptr : &found->second;
  }

  // Empty if no cell has these codes.
  std::string grid(std::vector<std::int32_t> codes) const {
    const std::vector<Line> rows = tree_of(row_dimension());
    const bool flat = crossed_.size() < 2;
    const std::vector<Line> columns =
        flat ? std::vector<Line>{Line{}} : tree_of(column_dimension());
    std::size_t names = 0;
    for (const Line& row : rows)
      names = std::max(names, width_of(row_name(row)));
    std::vector<std::size_t> widths;
    std::string head = padded("", names, false) + " |", rule = std::string(names, '-') + "-+";
    bool any = false;
    for (const Line& column : columns) {
      const std::string name = flat ? "" : column_dimension().code(column.code);
      std::size_t width = width_of(name);
      for (const Line& row : rows) {
        const CellId* cell = at(codes, row, column, flat);
        any = any || cell != nullptr;
        width = std::max(width, cell == nullptr ? 1 : width_of(text_of(*cell)));
      }
      widths.push_back(width);
      head += "  " + padded(name, width, true);
      rule += std::string(width + 2, '-');
    }
    if (!any)
      return "";
    std::string out = head + "\n" + rule + "\n";
    for (const Line& row : rows) {
      out += padded(row_name(row), names, false) + " |";
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const CellId* cell = at(codes, row, columns[k], flat);
        out += "  " + (cell == nullptr ? padded(".", widths[k], true) : colored(*cell, widths[k]));
      }
      out += "\n";
    }
    return out;
  }

  const CellId* at(std::vector<std::int32_t>& codes,
                   const Line& row,
                   const Line& column,
                   bool flat) const {
    codes[crossed_[0]] = row.code;
    if (!flat)
      codes[crossed_[1]] = column.code;
    return find(codes);
  }

  std::string row_name(const Line& row) const {
    return std::string(static_cast<std::size_t>(row.depth) * 2, ' ') +
           row_dimension().code(row.code);
  }

  std::string text_of(CellId cell) const {
    const report::PublishedView seen = report::published_view(table_, draft_, cell);
    const bool marked = options_.sensitive && table_.cell(cell).status == CellStatus::kPrimary;
    std::string text = seen.number ? base::format_units(*seen.number, table_.decimals())
                                   : report::published_text(table_, seen);
    if (seen.state == StatementKind::kWithheld)
      text = "\u00d7";
    else if (seen.state == StatementKind::kRounded)
      text = "\u2248" + text;
    else if (seen.state == StatementKind::kAltered)
      text = "~" + text;
    return text + (marked ? "*" : options_.sensitive ? " " : "");
  }

  std::string colored(CellId cell, std::size_t width) const {
    const std::string text = padded(text_of(cell), width, true);
    if (!options_.color)
      return text;
    const bool primary = options_.sensitive && table_.cell(cell).status == CellStatus::kPrimary;
    const auto entry = draft_.find(cell);
    const char* code = primary                                      ? "\033[1;31m"
                       : entry == nullptr                           ? ""
                       : entry->state() == StatementKind::kWithheld ? "\033[31m"
                       : entry->state() == StatementKind::kInterval ? "\033[33m"
                       : draft_.adjusted()                          ? ""
                                                                    : "\033[36m";
    return *code == '\0' ? text : code + text + "\033[0m";
  }

  const Table& table_;
  const Draft& draft_;
  const TextGridOptions& options_;
  std::map<std::vector<std::int32_t>, CellId> by_codes_;
  std::vector<std::size_t> crossed_;  // dimensions of the table that is written
};

}  // namespace

Result<std::string> text_grid(const Table& table,
                              const Draft& draft,
                              const TextGridOptions& options) {
  if (table.num_cells() > options.most) {
    return Error{ErrorCode::kTooLarge,
                 "the table has " + std::to_string(table.num_cells()) + " cells, more than the " +
                     std::to_string(options.most) +
                     " that are shown as text; 'lacuna report' makes a page of any size",
                 ""};
  }
  GridWriter writer(table, draft, options);
  return table.dimensions().empty() ? writer.list() : writer.grids();
}

}  // namespace lacuna

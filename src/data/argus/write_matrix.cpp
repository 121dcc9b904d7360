// SPDX-License-Identifier: Apache-2.0
// Type 1 of <WRITETABLE>: the last two variables as rows and columns, the others as layers with a
// line that names them; a blank line after every layer.
#include "data/argus/write_parts.h"

namespace lacuna::argus {
namespace {

class MatrixWriter {
 public:
  MatrixWriter(const Table& table, bool quotes) : table_(table), quotes_(quotes) {}

  std::string text() {
    const std::size_t variables = table_.variables.size();
    const auto columns = static_cast<std::size_t>(table_.variables.back().size());
    if (variables == 1) {  // no row label, and no line end after the only row
      column_labels();
      text_ += ',';
      row(0);
      return std::move(text_);
    }
    const CodeList& rows = table_.variables[variables - 2];
    const auto layer_size = static_cast<std::size_t>(rows.size()) * columns;
    for (std::size_t first = 0; first < table_.cells.size(); first += layer_size) {
      layer_line(first);
      column_labels();
      for (std::int32_t r = 0; r < rows.size(); ++r) {
        text_ += code_text(rows, r, quotes_) + ",";
        row(first + static_cast<std::size_t>(r) * columns);
        text_ += kLineEnd;
      }
      text_ += kLineEnd;
    }
    return std::move(text_);
  }

 private:
  void layer_line(std::size_t first_cell) {
    const std::size_t layers = table_.variables.size() - 2;
    if (layers == 0)
      return;
    const auto codes = table_.codes_of(first_cell);
    for (std::size_t v = 0; v < layers; ++v) {
      text_ += (v == 0 ? "Var " : ", Var ") + std::to_string(v + 1) + "," +
               code_text(table_.variables[v], codes[v], quotes_);
    }
    text_ += kLineEnd;
  }
  void column_labels() {
    const CodeList& list = table_.variables.back();
    for (std::int32_t c = 0; c < list.size(); ++c)
      text_ += "," + code_text(list, c, quotes_);
    text_ += kLineEnd;
  }
  void row(std::size_t first_cell) {
    const auto columns = static_cast<std::size_t>(table_.variables.back().size());
    for (std::size_t c = 0; c < columns; ++c) {
      text_ += c == 0 ? "" : ",";
      text_ += released_text(table_, table_.cells[first_cell + c], /*true_values=*/false);
    }
  }

  const Table& table_;
  bool quotes_;
  std::string text_;
};

}  // namespace

std::string matrix_text(const Table& table, const WriteOptions& options) {
  return MatrixWriter(table, options.quotes).text();
}

}  // namespace lacuna::argus

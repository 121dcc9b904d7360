// SPDX-License-Identifier: Apache-2.0
#include "frames.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>

#include "core/base/check.h"
#include "core/base/decimal.h"
#include "data/columns/memory_source.h"
#include "entries.h"

namespace lacuna::r {
namespace {

std::string_view view_of(SEXP text) {
  return text == NA_STRING ? std::string_view()
                           : std::string_view(CHAR(text), static_cast<std::size_t>(LENGTH(text)));
}

bool is_plain(SEXP text) {
  const std::string_view view = view_of(text);
  return std::all_of(
      view.begin(), view.end(), [](char sign) { return static_cast<signed char>(sign) >= 0; });
}

// One column of a data frame as it lies in R's memory. It is prepared on R's thread; texts are made
// of it on any, without a call into R.
class FrameColumn {
 public:
  FrameColumn(SEXP column, const std::string& name) : rows_(Rf_xlength(column)) {
    const SEXP levels = Rf_getAttrib(column, R_LevelsSymbol);
    if (TYPEOF(column) == STRSXP && all_utf8(column)) {
      items_ = STRING_PTR_RO(column);
    } else if (TYPEOF(column) == STRSXP) {
      texts_ = views_of(column);
    } else if (TYPEOF(column) == INTSXP && TYPEOF(levels) == STRSXP) {
      texts_ = views_of(levels);
      codes_ = INTEGER(column);
    } else if (TYPEOF(column) == INTSXP) {
      integers_ = INTEGER(column);
    } else if (TYPEOF(column) == LGLSXP) {
      truths_ = LOGICAL(column);
    } else if (TYPEOF(column) == REALSXP) {
      numbers_ = REAL(column);
    } else {
      throw Refusal({ErrorCode::kBadField,
                     std::string("a column of type ") +
                         Rf_type2char(static_cast<SEXPTYPE>(TYPEOF(column))) +
                         " has neither texts nor numbers",
                     "column " + name});
    }
  }

  std::size_t num_rows() const { return static_cast<std::size_t>(rows_); }

  std::string_view text(std::size_t row, columns::TextArena& arena) const {
    if (items_ != nullptr)
      return view_of(items_[row]);
    if (codes_ != nullptr)
      return codes_[row] == NA_INTEGER ? std::string_view()
                                       : texts_[static_cast<std::size_t>(codes_[row]) - 1];
    if (integers_ != nullptr)
      return integers_[row] == NA_INTEGER ? std::string_view() : whole(integers_[row], arena);
    if (truths_ != nullptr)
      return truths_[row] == NA_LOGICAL ? "" : truths_[row] != 0 ? "TRUE" : "FALSE";
    if (numbers_ != nullptr)
      return number(numbers_[row], arena);
    return texts_[row];
  }

 private:
  static bool is_utf8(SEXP text) { return Rf_getCharCE(text) == CE_UTF8 || is_plain(text); }

  static bool all_utf8(SEXP texts) {
    const SEXP* items = STRING_PTR_RO(texts);
    return std::all_of(items, items + Rf_xlength(texts), &FrameColumn::is_utf8);
  }

  // A text that R has in another encoding is translated and kept.
  std::vector<std::string_view> views_of(SEXP texts) {
    std::vector<std::string_view> views(static_cast<std::size_t>(Rf_xlength(texts)));
    for (std::size_t i = 0; i < views.size(); ++i) {
      const SEXP text = STRING_ELT(texts, static_cast<R_xlen_t>(i));
      if (text == NA_STRING || is_utf8(text)) {
        views[i] = view_of(text);
      } else {
        translated_.push_back(
            std::make_unique<std::string>(cpp11::safe[Rf_translateCharUTF8](text)));
        views[i] = *translated_.back();
      }
    }
    return views;
  }

  static std::string_view kept(std::string_view text, columns::TextArena& arena) {
    char* room = arena.room(text.size());
    std::memcpy(room, text.data(), text.size());
    arena.keep(text.size());
    return {room, text.size()};
  }

  static std::string_view whole(std::int64_t number, columns::TextArena& arena) {
    constexpr std::size_t kMost = 24;
    char* room = arena.room(kMost);
    const auto done = std::to_chars(room, room + kMost, number);
    const auto size = static_cast<std::size_t>(done.ptr - room);
    arena.keep(size);
    return {room, size};
  }

  // With 15 significant digits, as write.csv() and as.character() have it: sums of decimals in R
  // are off in the sixteenth.
  static std::string_view number(double number, columns::TextArena& arena) {
    constexpr double kExactly = 1e15;
    if (std::isnan(number))
      return {};
    if (std::isinf(number))
      return number > 0 ? "inf" : "-inf";
    if (std::abs(number) < kExactly && number == std::floor(number))
      return whole(static_cast<std::int64_t>(number), arena);
    std::string shortest = base::format_double(number);
    if (num_digits(shortest) <= kSignificant)
      return kept(shortest, arena);
    constexpr std::size_t kMost = 32;
    char buffer[kMost];
    std::snprintf(buffer, kMost, "%.*g", kSignificant, number);
    double shorter = number;
    std::from_chars(buffer, buffer + std::strlen(buffer), shorter);
    return kept(base::format_double(shorter), arena);
  }

  static constexpr int kSignificant = 15;
  static int num_digits(std::string_view text) {
    return static_cast<int>(std::count_if(
        text.begin(), text.end(), [](char sign) { return sign >= '0' && sign <= '9'; }));
  }

  R_xlen_t rows_;
  const SEXP* items_ = nullptr;          // texts in UTF-8 as R has them
  std::vector<std::string_view> texts_;  // others, of the rows, or of the levels of a factor
  std::vector<std::unique_ptr<std::string>> translated_;
  const int* codes_ = nullptr;
  const int* integers_ = nullptr;
  const int* truths_ = nullptr;
  const double* numbers_ = nullptr;
};

class Frame : public columns::ColumnsInMemory {
 public:
  explicit Frame(SEXP data) {
    const std::vector<std::string> names = texts_of(Rf_getAttrib(data, R_NamesSymbol));
    for (std::size_t c = 0; c < names.size(); ++c) {
      infos_.push_back({names[c], ""});
      columns_.emplace_back(VECTOR_ELT(data, static_cast<R_xlen_t>(c)), names[c]);
      LACUNA_CHECK(columns_.back().num_rows() == num_rows());  // as_frame() has seen to it
    }
  }
  const std::vector<columns::ColumnInfo>& infos() const override { return infos_; }
  std::size_t num_rows() const override {
    return columns_.empty() ? 0 : columns_.front().num_rows();
  }
  void texts(std::size_t column,
             columns::RowRange rows,
             columns::TextArena& arena,
             std::string_view* target,
             std::size_t stride) const override {
    for (std::size_t i = 0; i < rows.count; ++i)
      target[i * stride] = columns_[column].text(rows.first + i, arena);
  }

 private:
  std::vector<columns::ColumnInfo> infos_;
  std::vector<FrameColumn> columns_;
};

load::Inputs::OpenColumns opener_of(SEXP data) {
  const auto frame = std::make_shared<const Frame>(data);
  return [frame]() -> Result<std::unique_ptr<columns::ColumnSource>> {
    return source_in_memory(frame);
  };
}

// ---- out

constexpr double kMostWhole = 2147483647;

bool fits_integer(const columns::OutputColumn& column) {
  return column.decimals == 0 &&
         std::all_of(column.numbers.begin(), column.numbers.end(), [](Units number) {
           return std::abs(static_cast<double>(number)) <= kMostWhole;
         });
}

SEXP text_column(const columns::OutputColumn& column) {
  const cpp11::sexp out = sexp_of(column.texts);
  for (std::size_t row = 0; row < column.num_rows(); ++row) {
    if (column.is_null(row))
      SET_STRING_ELT(out, static_cast<R_xlen_t>(row), NA_STRING);
  }
  return out;
}

SEXP integer_column(const columns::OutputColumn& column, SEXPTYPE type) {
  const cpp11::sexp out =
      cpp11::safe[Rf_allocVector](type, static_cast<R_xlen_t>(column.num_rows()));
  int* items = type == LGLSXP ? LOGICAL(out) : INTEGER(out);
  for (std::size_t row = 0; row < column.num_rows(); ++row)
    items[row] = column.is_null(row) ? NA_INTEGER : static_cast<int>(column.numbers[row]);
  return out;
}

SEXP number_column(const columns::OutputColumn& column) {
  const cpp11::sexp out =
      cpp11::safe[Rf_allocVector](REALSXP, static_cast<R_xlen_t>(column.num_rows()));
  for (std::size_t row = 0; row < column.num_rows(); ++row)
    REAL(out)
  [row] = column.is_null(row) ? NA_REAL
          : column.kind == columns::OutputKind::kReal
              ? column.reals[row]
              : base::units_to_double(column.numbers[row], column.decimals);
  return out;
}

SEXP column_of(const columns::OutputColumn& column) {
  if (column.kind == columns::OutputKind::kText)
    return text_column(column);
  if (column.kind == columns::OutputKind::kTruth)
    return integer_column(column, LGLSXP);
  if (column.kind == columns::OutputKind::kNumber && fits_integer(column))
    return integer_column(column, INTSXP);
  return number_column(column);
}

}  // namespace

// Whether all texts are plain, so that no encoding has to be looked at.
SEXP is_ascii_entry(SEXP texts) {
  return entry([&]() -> SEXP {
    const SEXP* items = STRING_PTR_RO(texts);
    return cpp11::as_sexp(std::all_of(items, items + Rf_xlength(texts), &is_plain));
  });
}

load::Inputs inputs_of(SEXP held) {
  load::Inputs inputs;
  const std::vector<std::string> names = texts_of(Rf_getAttrib(held, R_NamesSymbol));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const SEXP value = VECTOR_ELT(held, static_cast<R_xlen_t>(i));
    if (TYPEOF(value) == VECSXP)
      inputs.frames[names[i]] = opener_of(value);
    else
      inputs.texts[names[i]] = text_of(value);
  }
  return inputs;
}

load::Inputs files_of(SEXP held) {
  load::Inputs inputs = inputs_of(held);
  for (const auto& [name, opener] : inputs.frames)
    inputs.texts[name] = value_or_refuse(inputs.read(name));
  inputs.frames.clear();
  return inputs;
}

cpp11::sexp frame_of(const columns::OutputTable& table) {
  NamedList columns;
  for (const columns::OutputColumn& column : table.columns)
    columns.add(column.name.c_str(), column_of(column));
  cpp11::sexp frame = columns.list();
  const cpp11::sexp rows = cpp11::safe[Rf_allocVector](INTSXP, 2);
  INTEGER(rows)[0] = NA_INTEGER;  // R's short form of 1, 2, ..., n
  INTEGER(rows)[1] = -static_cast<int>(table.num_rows());
  Rf_setAttrib(frame, R_RowNamesSymbol, rows);
  frame.attr("class") = "data.frame";
  return frame;
}

}  // namespace lacuna::r

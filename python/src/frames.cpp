// SPDX-License-Identifier: Apache-2.0
#include "frames.h"

#include <cmath>
#include <vector>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "data/columns/arrow_c_data.h"
#include "data/columns/arrow_c_reader.h"
#include "data/columns/arrow_c_writer.h"
#include "data/columns/memory_source.h"
#include "data/columns/shared_source.h"
#include "data/files/column_files.h"
#include "errors.h"
#include "job.h"

namespace lacuna::python {
namespace {

constexpr const char* kStream = "arrow_array_stream";  // name of the capsules of such streams

// ---- lists of objects

class Lists : public columns::ColumnsInMemory {
 public:
  Lists(std::vector<columns::ColumnInfo> infos, std::vector<std::vector<std::string>> columns)
      : infos_(std::move(infos)), columns_(std::move(columns)) {}
  const std::vector<columns::ColumnInfo>& infos() const override { return infos_; }
  std::size_t num_rows() const override { return columns_.empty() ? 0 : columns_.front().size(); }
  void texts(std::size_t column,
             columns::RowRange rows,
             columns::TextArena& /*arena*/,
             std::string_view* target,
             std::size_t stride) const override {
    for (std::size_t i = 0; i < rows.count; ++i)
      target[i * stride] = columns_[column][rows.first + i];
  }

 private:
  std::vector<columns::ColumnInfo> infos_;
  std::vector<std::vector<std::string>> columns_;
};

// The text that a file would have for the object; nothing for what is missing.
std::string item_text(nb::handle item, const std::string& column, std::size_t row) {
  if (item.is_none())
    return "";
  if (nb::isinstance<nb::str>(item))
    return text_of(item);
  if (PyBool_Check(item.ptr()) != 0)
    return item.ptr() == Py_True ? "TRUE" : "FALSE";
  if (PyFloat_Check(item.ptr()) != 0) {
    const double number = PyFloat_AsDouble(item.ptr());
    return std::isnan(number)   ? ""
           : std::isinf(number) ? (number > 0 ? "inf" : "-inf")
                                : base::format_double(number);
  }
  const std::string type = text_of(item.type().attr("__name__"));
  if (type == "NAType" || type == "NaTType")  // pandas' own words for None
    return "";
  if (type == "Decimal")
    return text_of(nb::str(item.attr("__format__")("f")));
  if (type == "date")
    return text_of(nb::str(item));
  if (PyIndex_Check(item.ptr()) != 0) {
    const nb::object whole = nb::steal(PyNumber_Index(item.ptr()));
    if (!whole.is_valid())
      throw nb::python_error();
    return text_of(nb::str(whole));
  }
  if (nb::hasattr(item, "item"))  // a number of NumPy's
    return item_text(item.attr("item")(), column, row);
  raise({ErrorCode::kBadField,
         "a " + type + " is neither text nor a number, a date or a truth value",
         "row " + std::to_string(row + 1) + ", column " + column});
}

Source source_of_lists(const nb::list& names, const nb::list& lists) {
  std::vector<columns::ColumnInfo> infos;
  std::vector<std::vector<std::string>> columns;
  for (std::size_t c = 0; c < names.size(); ++c) {
    infos.push_back({text_of(names[c]), ""});
    std::vector<std::string>& column = columns.emplace_back();
    for (const nb::handle item : nb::list(lists[c]))
      column.push_back(item_text(item, infos.back().name, column.size()));
    if (column.size() != columns.front().size())
      raise({ErrorCode::kDamaged,
             "the column has a different number of rows from the first one",
             "column " + infos.back().name});
  }
  return Source(columns::source_in_memory(
      std::make_shared<const Lists>(std::move(infos), std::move(columns))));
}

// ---- streams

Source source_of_stream(nb::handle capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), kStream) == 0)
    raise({ErrorCode::kDamaged, "its __arrow_c_stream__() hands out no Arrow stream", ""});
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), kStream));
  return Source(value_or_raise(columns::columns_of_stream(*stream)));
}

void free_stream(PyObject* capsule) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, kStream));
  if (stream->release != nullptr)  // nobody has taken it over
    stream->release(stream);
  delete stream;
}

nb::object stream_of(const columns::OutputTable& table) {
  auto stream = std::make_unique<ArrowArrayStream>();
  columns::export_stream(table, *stream);
  const nb::object capsule = nb::steal(PyCapsule_New(stream.get(), kStream, &free_stream));
  if (!capsule.is_valid()) {
    stream->release(stream.get());
    throw nb::python_error();
  }
  stream.release();
  return capsule;
}

// ---- columns of ours

nb::object item_of(const columns::OutputColumn& column, std::size_t row) {
  if (column.is_null(row))
    return nb::none();
  switch (column.kind) {
    case columns::OutputKind::kText:
      return str_of(column.texts[row]);
    case columns::OutputKind::kReal:
      return nb::float_(column.reals[row]);
    case columns::OutputKind::kTruth:
      return nb::bool_(column.numbers[row] != 0);
    case columns::OutputKind::kNumber:
      if (column.decimals == 0)
        return nb::int_(column.numbers[row]);
      return nb::float_(base::units_to_double(column.numbers[row], column.decimals));
  }
  return nb::none();
}

nb::list items_of(const columns::OutputTable& table, std::size_t index, bool exact) {
  const columns::OutputColumn& column = table.columns.at(index);
  nb::list items;
  const bool as_decimals =
      exact && column.kind == columns::OutputKind::kNumber && column.decimals > 0;
  const nb::object decimal =
      as_decimals ? nb::module_::import_("decimal").attr("Decimal") : nb::none();
  for (std::size_t row = 0; row < column.num_rows(); ++row) {
    if (as_decimals && !column.is_null(row))
      items.append(decimal(str_of(base::format_units(column.numbers[row], column.decimals))));
    else
      items.append(item_of(column, row));
  }
  return items;
}

nb::list names_of(const columns::OutputTable& table) {
  nb::list names;
  for (const columns::OutputColumn& column : table.columns)
    names.append(str_of(column.name));
  return names;
}

const char* kind_name(const columns::OutputColumn& column) {
  switch (column.kind) {
    case columns::OutputKind::kText:
      return "text";
    case columns::OutputKind::kNumber:
      return column.decimals == 0 ? "whole" : "decimal";
    case columns::OutputKind::kReal:
      return "real";
    case columns::OutputKind::kTruth:
      return "truth";
  }
  return "";
}

nb::list kinds_of(const columns::OutputTable& table) {
  nb::list kinds;
  for (const columns::OutputColumn& column : table.columns)
    kinds.append(str_of(kind_name(column)));
  return kinds;
}

// ---- pickle

Error not_ours() {
  return {ErrorCode::kDamaged, "the pickle is damaged, or another version has written it", ""};
}

columns::OutputColumn column_from(nb::handle state) {
  constexpr std::size_t kFields = 7;
  constexpr int kMostDecimals = 18;
  const nb::tuple fields = fields_of(state, kFields);
  const int kind = nb::cast<int>(fields[1]);
  columns::OutputColumn column;
  column.name = text_of(fields[0]);
  column.decimals = nb::cast<int>(fields[4]);
  if (kind < 0 || kind > static_cast<int>(columns::OutputKind::kTruth) || column.decimals < 0 ||
      column.decimals > kMostDecimals)
    raise(not_ours());
  column.kind = static_cast<columns::OutputKind>(kind);
  for (const nb::handle text : entries_of(fields[2]))
    column.texts.push_back(text_of(text));
  for (const nb::handle number : entries_of(fields[3]))
    column.numbers.push_back(nb::cast<Units>(number));
  for (const nb::handle null : entries_of(fields[5]))
    column.nulls.push_back(nb::cast<bool>(null));
  for (const nb::handle real : entries_of(fields[6]))
    column.reals.push_back(nb::cast<double>(real));
  return column;
}

}  // namespace

load::Inputs::OpenColumns Source::opener() const {
  return [columns = columns_]() -> Result<std::unique_ptr<columns::ColumnSource>> {
    return shared_source(columns);
  };
}

std::string text_of(nb::handle text) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr)
    throw nb::python_error();
  return {bytes, static_cast<std::size_t>(size)};
}

nb::str str_of(std::string_view text) {
  const std::string shown = base::without_confidential(with_keywords(text));
  return nb::str(shown.data(), shown.size());
}

nb::str json_of(std::string_view json) {
  const std::string shown = base::without_confidential(with_keywords_in_json(json));
  return nb::str(shown.data(), shown.size());
}

load::Inputs inputs_of(const nb::dict& held) {
  load::Inputs inputs;
  for (const auto& [key, value] : held) {
    const std::string name = text_of(key);
    if (nb::isinstance<Source>(value)) {
      inputs.frames[name] = nb::cast<const Source&>(value).opener();
    } else if (nb::isinstance<nb::bytes>(value)) {
      const nb::bytes bytes = nb::borrow<nb::bytes>(value);
      inputs.texts[name] = std::string(bytes.c_str(), bytes.size());
    } else {
      inputs.texts[name] = text_of(value);
    }
  }
  return inputs;
}

nb::tuple fields_of(nb::handle state, std::size_t count) {
  if (!nb::isinstance<nb::tuple>(state) || nb::len(state) != count)
    raise(not_ours());
  return nb::borrow<nb::tuple>(state);
}

nb::list entries_of(nb::handle state) {
  if (!nb::isinstance<nb::list>(state))
    raise(not_ours());
  return nb::borrow<nb::list>(state);
}

nb::dict names_and_values_of(nb::handle state) {
  if (!nb::isinstance<nb::dict>(state))
    raise(not_ours());
  return nb::borrow<nb::dict>(state);
}

nb::object columns_state(const columns::OutputTable& table) {
  nb::list columns, pairs;
  for (const columns::OutputColumn& column : table.columns) {
    nb::list texts, numbers, reals, nulls;
    for (const std::string& text : column.texts)
      texts.append(str_of(text));
    for (const Units number : column.numbers)
      numbers.append(number);
    for (const double real : column.reals)
      reals.append(real);
    for (const bool null : column.nulls)
      nulls.append(null);
    columns.append(nb::make_tuple(str_of(column.name),
                                  static_cast<int>(column.kind),
                                  texts,
                                  numbers,
                                  column.decimals,
                                  nulls,
                                  reals));
  }
  for (const auto& [key, value] : table.key_values)
    pairs.append(nb::make_tuple(str_of(key), str_of(value)));
  return nb::make_tuple(columns, pairs);
}

columns::OutputTable columns_from(nb::handle state) {
  const nb::tuple parts = fields_of(state, 2);
  columns::OutputTable table;
  for (const nb::handle entry : entries_of(parts[0]))
    table.columns.push_back(column_from(entry));
  for (const columns::OutputColumn& column : table.columns) {
    const bool is_integer = column.num_rows() == table.num_rows() &&
                            (column.nulls.empty() || column.nulls.size() == column.num_rows());
    if (!is_integer)
      raise(not_ours());
  }
  for (const nb::handle entry : entries_of(parts[1])) {
    const nb::tuple pair = fields_of(entry, 2);
    table.key_values.emplace_back(text_of(pair[0]), text_of(pair[1]));
  }
  return table;
}

void bind_frames(nb::module_& module) {
  nb::class_<Source>(module, "Source", "Columns that were handed in.")
      .def(
          "bytes",
          [](const Source& source, nb::handle given) {
            const std::string name = text_of(given);
            load::Inputs inputs;
            inputs.frames[name] = source.opener();
            const std::string bytes = value_or_raise(inputs.read(name));
            return nb::bytes(bytes.data(), bytes.size());
          },
          nb::arg("name"),
          nb::sig("def bytes(self, name: str) -> bytes"),
          "As an Arrow file in which everything is text.");
  module.def("source_of_stream",
             &source_of_stream,
             nb::arg("capsule").none(),
             nb::sig("def source_of_stream(capsule: object) -> Source"));
  module.def(
      "source_of_lists",
      &source_of_lists,
      nb::arg("names"),
      nb::arg("lists"),
      nb::sig("def source_of_lists(names: list[str], lists: list[list[typing.Any]]) -> Source"));
  nb::class_<columns::OutputTable>(module, "Columns", "Typed columns to be handed out.")
      .def_prop_ro("names", &names_of, nb::sig("def names(self) -> list[str]"))
      .def_prop_ro("kinds", &kinds_of, nb::sig("def kinds(self) -> list[str]"))
      .def("__len__", &columns::OutputTable::num_rows)
      .def("items",
           &items_of,
           nb::arg("index"),
           nb::arg("exact") = false,
           nb::sig("def items(self, index: int, exact: bool = False) -> list[typing.Any]"))
      .def("stream", &stream_of)
      .def("__getstate__",
           &columns_state,
           nb::sig("def __getstate__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__setstate__",
          [](columns::OutputTable& table, const nb::tuple& state) {
            new (&table) columns::OutputTable(columns_from(state));
          },
          nb::sig("def __setstate__(self, state: tuple[typing.Any, ...]) -> None"));
}

}  // namespace lacuna::python

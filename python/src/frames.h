// SPDX-License-Identifier: Apache-2.0
// Data frames in and out: Arrow's C streams in capsules (the PyCapsule interface), lists of Python
// objects where there is no Arrow, and columns of ours.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "app/load/inputs.h"
#include "data/columns/column_source.h"
#include "data/columns/output_table.h"

namespace lacuna::python {

namespace nb = nanobind;

// Columns that somebody handed in; they can be read any number of times, by one run at a time.
class Source {
 public:
  explicit Source(std::shared_ptr<columns::ColumnSource> columns) : columns_(std::move(columns)) {}
  load::Inputs::OpenColumns opener() const;

 private:
  std::shared_ptr<columns::ColumnSource> columns_;
};

std::string text_of(nb::handle text);  // of a str
nb::str str_of(std::string_view text);
nb::str json_of(std::string_view json);

// Texts (str), bytes and sources, by name.
load::Inputs inputs_of(const nb::dict& held);

// ---- for pickle: what is not as it was written is an error, whoever wrote it

nb::tuple fields_of(nb::handle state, std::size_t count);
nb::list entries_of(nb::handle state);
nb::dict names_and_values_of(nb::handle state);

nb::object columns_state(const columns::OutputTable& table);
columns::OutputTable columns_from(nb::handle state);

void bind_frames(nb::module_& module);

}  // namespace lacuna::python

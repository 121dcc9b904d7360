// SPDX-License-Identifier: Apache-2.0
// Numbers that are published beside the cells (docs/derived.md): in public files a column each, in
// the office's result JSON
//   "derived":[{"name":"pct","numbers":[{"cell":1,"number":1.7,"codes":["A"]}, ...]}, ...]
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json_writer.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::publish {

struct ExtraColumn {
  std::string name;
  std::vector<std::string> texts;  // by cell; empty: no number is published
};

// The value of the member.
void write_extra_columns(base::JsonWriter& json,
                         std::span<const ExtraColumn> columns,
                         const Table& table);

struct ReadExtraColumn {
  struct Number {
    CellId cell;
    std::string text, where;
  };
  std::string name;
  std::vector<Number> numbers;
};
// Empty if the text is no JSON, or has no such member. Errors: it is damaged, or of another table.
Result<std::vector<ReadExtraColumn>> read_extra_columns(std::string_view text,
                                                        const std::string& filename,
                                                        const Table& table);

}  // namespace lacuna::publish

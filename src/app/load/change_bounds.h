// SPDX-License-Identifier: Apache-2.0
// What everyone knows of changes since an earlier period (docs/periods.md): for every cell that it
// has changed by at most q percent of its earlier value,
//   |y - y0| <= q/100 y0,                                                                      (1)
// for all cells together (`change`), for the cells of some codes (`class`), or for single ones
// (`change_file`). What is closer to the cell goes first: its line of the file, then the narrowest
// of its classes, then what holds for all.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/load/inputs.h"
#include "lacuna/decimal.h"
#include "lacuna/job_spec.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::load {

// "20%" in percent; nothing if the change is not bounded. Errors: any other text.
Result<std::optional<Decimal>> percent_of(const std::string& text, const std::string& where);

class ChangeBounds {
 public:
  ChangeBounds() = default;
  // `load` reads the file. Errors: texts that are no percentages; dimensions and codes that the
  // table does not have.
  static Result<ChangeBounds> make(
      const JobSpec::Changes& said,
      const std::string& where,
      const Table& table,
      const std::function<Result<std::string>(const std::string& name)>& load);

  bool any() const { return general_ || !classes_.empty() || !lines_.empty(); }
  // The bound q of the cell, of any table with the same dimensions; nothing: not bounded.
  std::optional<Decimal> of(const Table& table, CellId cell) const;

 private:
  struct Class {
    std::string dimension, code;
    std::optional<Decimal> percent;
  };
  using Key = std::vector<std::string>;

  Status read_file(const std::string& text, const std::string& name, const Table& table);

  std::optional<Decimal> general_;
  std::vector<Class> classes_;
  std::vector<std::string> columns_;  // dimensions of the file
  std::map<Key, std::optional<Decimal>> lines_;
};

}  // namespace lacuna::load

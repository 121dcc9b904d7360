// SPDX-License-Identifier: Apache-2.0
// Numbers of records as tau-ARGUS takes them, in exact decimals: nothing but blanks is 0, and so is
// a missing code without digits; a comma is taken for the decimal mark.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/argus/metadata.h"
#include "data/argus/records.h"
#include "lacuna/result.h"

namespace lacuna::argus {

class NumberReader {
 public:
  explicit NumberReader(const Variable& variable);

  Status add(std::string_view text);  // errors have no place
  Status at_least(int decimals);      // the same numbers with more decimals
  int decimals() const { return column_.decimals; }
  bool last_is_share() const;  // the number added last is from 0 to below 1
  NumberColumn take() { return std::move(column_); }
  void append_notes(std::vector<std::string>& notes) const;

 private:
  Status add_exactly(std::string_view text, char mark);
  bool is_missing(std::string_view text) const;

  std::vector<std::string> missing_;
  NumberColumn column_;
  std::size_t empty_ = 0, unknown_ = 0, counted_ = 0, commas_ = 0;
};

}  // namespace lacuna::argus

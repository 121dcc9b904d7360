// SPDX-License-Identifier: Apache-2.0
// What a field may be by itself: a number in any style, a number with a flag behind it, a sign in
// the place of a number.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/formats/grid.h"
#include "data/infer/shape_choice.h"

namespace lacuna::infer {

bool is_number_cell(std::string_view text);  // with or without a flag

// "429780 e" and "(p)" behind a number; "85+" and "01-14" are codes.
struct NumberWithFlag {
  std::string number, flag;
  bool glued =
      false;  // letters behind the last digit, "40.2x": if they stand once, a slip of the pen
};
std::optional<NumberWithFlag> number_with_flag(std::string_view text);

// Whether some agency, the file or the job uses it in place of a number; what for may be open.
bool may_be_sign(std::string_view text,
                 const ShapeChoice& choice,
                 const std::vector<formats::GridSign>& declared);

}  // namespace lacuna::infer

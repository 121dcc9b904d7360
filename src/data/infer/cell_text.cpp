// SPDX-License-Identifier: Apache-2.0
#include "data/infer/cell_text.h"

#include <algorithm>
#include <cctype>

#include "core/base/text.h"
#include "data/files/number_style.h"
#include "data/formats/agency_signs.h"
#include "data/infer/csv_guess.h"
#include "data/infer/flag_words.h"
#include "data/infer/range_text.h"

namespace lacuna::infer {
namespace {

// Letters and asterisks; more of them are words.
bool is_flag_text(std::string_view flag) {
  constexpr std::size_t kLongest = 4;
  return !flag.empty() && flag.size() <= kLongest &&
         std::all_of(flag.begin(), flag.end(), [](char c) {
           return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '*' || c == ',' ||
                  c == ' ';
         });
}

}  // namespace

std::optional<NumberWithFlag> number_with_flag(std::string_view text) {
  const std::string_view bare = base::trimmed(text);
  if (bare.empty() || files::style_of(bare))
    return std::nullopt;
  const formats::FlaggedText split = formats::split_flag(bare);
  const std::string_view number = base::trimmed(split.number);
  if (!is_flag_text(split.flag) || !files::style_of(number))
    return std::nullopt;
  const bool glued = !split.before && !split.bracketed && split.between.empty() &&
                     std::isalpha(static_cast<unsigned char>(split.flag.front())) != 0;
  return NumberWithFlag{std::string(number), split.flag, glued};
}

bool is_number_cell(std::string_view text) {
  const std::string_view bare = base::trimmed(text);
  return !bare.empty() && (files::style_of(bare).has_value() || number_with_flag(bare));
}

bool may_be_sign(std::string_view text,
                 const ShapeChoice& choice,
                 const std::vector<formats::GridSign>& declared) {
  const std::string_view sign = base::trimmed(text);
  if (sign.empty())
    return false;
  const auto is_word = [&](const auto& pair) { return pair.first == sign; };
  if (std::any_of(choice.means.begin(), choice.means.end(), is_word) || is_missing_text(sign) ||
      std::any_of(declared.begin(), declared.end(), [&](const formats::GridSign& each) {
        return each.text == sign;
      }))
    return true;
  if ((choice.released && is_withheld_mark(sign)) || (choice.alone && range_of(sign)))
    return true;
  // ": c", a sign with its flag
  const formats::FlaggedText split = formats::split_flag(sign);
  return !formats::meanings_of(sign).empty() ||
         (is_flag_text(split.flag) && !formats::meanings_of(split.number).empty());
}

}  // namespace lacuna::infer

// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/key_text.h"

#include <string>

#include "core/base/spelling.h"
#include "data/tabulate/number.h"

namespace lacuna::tabulation {
namespace {

Error bad_key(std::string message) {
  return {ErrorCode::kBadField, std::move(message), ""};
}

}  // namespace

Result<std::uint64_t> parse_key(std::string_view text, const KeyOptions& options, char mark) {
  const int digits = options.is_decimal ? digits_of_modulus(options.modulus) : 0;
  const NumberFormat format{digits, mark, false};
  Units key = 0;
  const NumberOutcome outcome = parse_number(text, format, key);
  if (outcome == NumberOutcome::kMoreDecimals && options.is_decimal)
    return bad_key(
        "the key has more than " + std::to_string(digits) + " decimals: say " +
        base::named_setting("[keys]", "digits", std::to_string(number_decimals(text, format))));
  if (outcome == NumberOutcome::kMoreDecimals)
    return bad_key("the key is not a whole number: decimal keys need " +
                   base::named_key("[keys]", "digits"));
  if (outcome == NumberOutcome::kWrong)
    return number_error(text, format);
  if (key >= 0 && static_cast<std::uint64_t>(key) < options.modulus)
    return static_cast<std::uint64_t>(key);
  if (options.is_decimal)
    return bad_key("a decimal key lies from 0 to below 1; whole keys need " +
                   base::named_key("[keys]", "modulus"));
  return bad_key("the key is not from 0 to " + std::to_string(options.modulus - 1) +
                 ", below the modulus");
}

}  // namespace lacuna::tabulation

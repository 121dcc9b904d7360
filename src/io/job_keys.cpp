// SPDX-License-Identifier: Apache-2.0
#include "io/job_keys.h"

#include <array>

#include "io/job_dimension.h"
#include "io/job_sections.h"
#include "io/position.h"

namespace lacuna::inline io {
namespace {

Status read_modulus(const TomlDocument& document, const toml::table& keys, KeyOptions& options) {
  const toml::node* modulus = keys.get("modulus");
  if (modulus != nullptr) {
    if (keys.contains("digits"))
      return document.error(*modulus, "give either digits (decimal keys) or modulus (whole keys)");
    const auto* number = modulus->as_integer();
    if (number == nullptr || number->get() < 2 ||
        static_cast<std::uint64_t>(number->get()) > kMostKeyModulus)
      return document.error(*modulus, "modulus must be a whole number from 2 to 10^18");
    options.modulus = static_cast<std::uint64_t>(number->get());
    options.is_decimal = false;
    return ok_status();
  }
  int digits = digits_of_modulus(kDefaultKeyModulus);
  LACUNA_RETURN_IF_ERROR(read_int(document, keys, "digits", kMostKeyDigits, digits));
  if (digits < 1)
    return document.error(*keys.get("digits"), "decimal keys have at least one digit");
  options.modulus = 1;
  for (int i = 0; i < digits; ++i)
    options.modulus *= 10;
  return ok_status();
}

}  // namespace

Result<KeyOptions> read_key_options(const TomlDocument& document,
                                    const std::string& column,
                                    const FileLoader& load) {
  KeyOptions options;
  options.column = column;
  LACUNA_TRY(const toml::table* keys, section(document, "keys"));
  if (keys == nullptr)
    return options;
  constexpr std::array<std::string_view, 4> kKeys{"digits", "modulus", "from", "secret"};
  LACUNA_RETURN_IF_ERROR(document.check_keys(*keys, kKeys, "[keys]"));
  LACUNA_RETURN_IF_ERROR(read_modulus(document, *keys, options));
  LACUNA_TRY(options.from, string_at(document, *keys, "from", ""));
  const toml::node* secret = keys->get("secret");
  if (options.from.empty() != (secret == nullptr))
    return document.error(*keys, "from = \"<column>\" and secret = \"<file>\" belong together");
  if (!options.given())
    return document.error(*keys,
                          "[keys] needs key = \"<column>\" in [columns], or from = \"<column>\" "
                          "and secret = \"<file>\"");
  if (secret != nullptr) {
    LACUNA_TRY(const std::string name, document.string(*secret));
    auto bytes = load(name);
    if (!bytes)
      return moved_to(bytes.error(), document.where(secret->source()));
    options.secret = std::move(bytes).value();
  }
  if (const Status usable = options.validate(); !usable)
    return document.error(secret != nullptr ? *secret : static_cast<const toml::node&>(*keys),
                          usable.error().message);
  return options;
}

}  // namespace lacuna::inline io

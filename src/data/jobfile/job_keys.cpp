// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/job_keys.h"

#include "core/base/spelling.h"
#include "data/files/position.h"

namespace lacuna::jobfile {
namespace {

Status read_modulus(const JobSpec::Keys& keys,
                    const spec::SpecPlaces& places,
                    KeyOptions& options) {
  if (keys.modulus) {
    if (keys.digits)
      return places.error("keys.modulus",
                          "give either digits (decimal keys) or modulus (whole keys)");
    options.modulus = static_cast<std::uint64_t>(*keys.modulus);
    options.is_decimal = false;
    return ok_status();
  }
  const int digits = keys.digits.value_or(digits_of_modulus(kDefaultKeyModulus));
  if (digits < 1)
    return places.error("keys.digits", "decimal keys have at least one digit");
  options.modulus = 1;
  for (int i = 0; i < digits; ++i)
    options.modulus *= 10;
  return ok_status();
}

}  // namespace

Result<KeyOptions> read_key_options(const spec::ReadSpec& spec,
                                    const std::string& column,
                                    const FileLoader& load) {
  KeyOptions options;
  options.column = column;
  if (!spec.job.keys)
    return options;
  const JobSpec::Keys& keys = *spec.job.keys;
  const spec::SpecPlaces& places = spec.places;
  LACUNA_RETURN_IF_ERROR(read_modulus(keys, places, options));
  options.from = keys.from;
  if (keys.seed)
    options.seed = static_cast<std::uint64_t>(*keys.seed);
  if (keys.seed && !(column.empty() && keys.from.empty()))
    return places.error("keys.seed",
                        "keys are made from a seed where no column has them, and no column says of "
                        "whom the records are");
  if (keys.from.empty() != keys.secret.empty())
    return places.error("keys",
                        base::named_setting("from", "\"<column>\"") + " and " +
                            base::named_setting("secret", "\"<file>\"") +
                            " must be given together");
  if (!options.given())
    return places.error("keys",
                        base::named_section("[keys]") + " needs " +
                            base::named_setting("[columns]", "key", "\"<column>\"") + ", or " +
                            base::named_setting("from", "\"<column>\"") + " and " +
                            base::named_setting("secret", "\"<file>\"") + ", or " +
                            base::named_setting("seed", "<number>"));
  if (!keys.secret.empty()) {
    auto bytes = load(keys.secret);
    if (!bytes)
      return places.moved(bytes.error(), "keys.secret");
    options.secret = std::move(bytes).value();
  }
  if (const Status usable = options.validate(); !usable)
    return places.error("keys.secret", usable.error().message);
  return options;
}

}  // namespace lacuna::jobfile

// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/generate_options.h"

#include <string>
#include <type_traits>

#include "base/nearest.h"

namespace lacuna {
namespace {

template <class Enum>
Enum enum_of(Enum example, const std::string& given) {
  std::string known;
  int index = 0;
  for (const std::string_view name : enum_names(example)) {
    if (name == given)
      return static_cast<Enum>(index);
    known += (index++ > 0 ? ", " : "") + std::string(name);
  }
  throw CLI::ValidationError("there is no '" + given + "' (known: " + known + ")" +
                             did_you_mean(given, enum_names(example)));
}

}  // namespace

void add_generate_options(CLI::App& command, GenerateOptions& options) {
  GenerateOptions::fields(options, [&](const char* name, auto& field, const char* help) {
    using Field = std::remove_reference_t<decltype(field)>;
    const std::string flag = std::string("--") + name;
    if constexpr (std::is_enum_v<Field>) {
      command
          .add_option_function<std::string>(
              flag, [&field](const std::string& given) { field = enum_of(field, given); }, help)
          ->type_name("NAME");
    } else if constexpr (std::is_same_v<Field, bool>) {
      command.add_flag(flag, field, help);
    } else if constexpr (std::is_same_v<Field, std::vector<std::int32_t>>) {
      command.add_option(flag, field, help)->delimiter(',');
    } else {
      command.add_option(flag, field, help)->capture_default_str();
    }
  });
}

}  // namespace lacuna

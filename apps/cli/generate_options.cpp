// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/generate_options.h"

#include <map>
#include <string>
#include <type_traits>

namespace lacuna {
namespace {

template <class Enum>
std::map<std::string, Enum> by_name(Enum example) {
  std::map<std::string, Enum> names;
  int index = 0;
  for (const std::string_view name : enum_names(example))
    names.emplace(name, static_cast<Enum>(index++));
  return names;
}

}  // namespace

void add_generate_options(CLI::App& command, GenerateOptions& options) {
  GenerateOptions::fields(options, [&](const char* name, auto& field, const char* help) {
    using Field = std::remove_reference_t<decltype(field)>;
    const std::string flag = std::string("--") + name;
    if constexpr (std::is_enum_v<Field>) {
      command.add_option(flag, field, help)
          ->transform(CLI::CheckedTransformer(by_name(field), CLI::ignore_case));
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

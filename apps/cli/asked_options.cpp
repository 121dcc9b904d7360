// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/asked_options.h"

namespace lacuna {

void add_asked_options(CLI::App& command, Asked& asked) {
  command
      .add_option("--levels",
                  asked.levels,
                  "protection levels: file, or minimal: only that no value is told exactly")
      ->capture_default_str();
  command
      .add_option("--zero-levels",
                  asked.zero_levels,
                  "sensitive cells without levels: raised: not exactly computable; stated: the "
                  "zeros are meant, the cells only have to be hidden")
      ->capture_default_str();
  command
      .add_option("--released",
                  asked.released,
                  "earlier releases of this very table: what they say counts as known")
      ->type_name("FILE");
}

}  // namespace lacuna

// SPDX-License-Identifier: Apache-2.0
// Mixtures: the cells are partitioned, and each group is published by its own method, in one model
// with one audit (conclusion of Salazar-Gonzalez, "A unified mathematical programming framework").
// The attacker k knows of the table y: M y = b, lb^k <= y <= ub^k, and
//   y_i = a_i where exact, nothing more where withheld, y-_i <= y_i <= y+_i for intervals,
//   |y_i - v_i| <= r_i where rounded or perturbed.
// Published numbers add up; where cells without a number are in the way, numbers within what is
// published of them complete the sums. docs/rounding.md has the model.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/export.h"
#include "lacuna/fields.h"
#include "lacuna/method.h"
#include "lacuna/perturb.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/round.h"
#include "lacuna/run_context.h"

namespace LACUNA_API lacuna {

enum class PublishAs : std::uint8_t { kExact, kWithheld, kInterval, kPerturbed, kRounded };
std::span<const std::string_view> enum_names(PublishAs group);

struct MixedSettings {
  PublishAs sensitive_as = PublishAs::kInterval;
  PublishAs totals_as = PublishAs::kExact;
  PublishAs others_as = PublishAs::kPerturbed;
  std::int64_t max_changed = -1;  // numbers other than the truth; -1: any number

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "sensitive-as",
                    .help = "how sensitive cells are published; exact is not allowed",
                    .methods = "mixed"},
          self.sensitive_as);
    visit(FieldInfo{.name = "totals-as",
                    .help = "how totals that are not sensitive are published",
                    .methods = "mixed"},
          self.totals_as);
    visit(
        FieldInfo{
            .name = "others-as", .help = "how all other cells are published", .methods = "mixed"},
        self.others_as);
    visit(kMaxChangedField, self.max_changed);
  }
};

struct MixedOptions : MethodOptions, MixedSettings {
  std::vector<PublishAs> groups;  // by cell; empty: as the settings say (mixed_groups)
  RoundOptions round;             // base or bases, steps: of rounded cells; the rest is not used
  PerturbOptions perturb;         // ranges, values, senses, prices: of perturbed cells
  // Intervals cost w_i per unit of width. They reach no further than the value itself or four times
  // the largest level, and not beyond what everyone knows.

  Status validate(const Table& table) const;
};

// The cost is that of deviations and widths; what is withheld costs nothing here.
struct MixedResult : MethodResult {
  std::string reason;  // kInfeasible: what contradicts what
  std::int64_t rounds = 0, cuts = 0;
};

// Errors: unusable options; a sensitive cell in the exact group; a base that cannot give a level.
Result<MixedResult> publish_mixed(const std::shared_ptr<const Problem>& problem,
                                  const MixedOptions& options,
                                  const RunContext& run);

// How the settings publish each cell: as sensitive, as a total, or as one of the others.
std::vector<PublishAs> mixed_groups(const Problem& problem, const MixedSettings& settings);

// A cell that stands alone on one side of some equation: the sum of at least two others.
std::vector<bool> total_cells(const Table& table);

}  // namespace lacuna

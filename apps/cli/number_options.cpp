// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/number_options.h"

#include "apps/cli/asked_options.h"

namespace lacuna {

void add_number_options(CLI::App& command, ProtectJob& job) {
  add_asked_options(command, job.asked);
  command.add_option("--base", job.base, "round: the rounding base");
  command.add_option(
      "--cells",
      job.cells,
      "round, perturb, mixed: CSV file with settings of single cells (docs/formats.md)");
  command.add_flag("--unbiased", job.unbiased, "round: seeded random directions");
  command
      .add_option("--unbiased-cost",
                  job.unbiased_cost,
                  "round: share of the optimum that random directions may cost")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("--steps",
                  job.steps,
                  "round: bases beyond the adjacent multiples, if there is no other way")
      ->capture_default_str()
      ->check(CLI::Range(0, 100));
  command.add_option("--step-price", job.step_price, "round: price of each such base, in bases")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("--max-changed",
                  job.max_changed,
                  "round, perturb, mixed: at most so many numbers that are not the truth")
      ->check(CLI::NonNegativeNumber);
  command.add_flag("--no-small-counts", job.no_small_counts, "round: never publish a 1 or a 2");
  command.add_flag("--exact-multiples",
                   job.exact_multiples,
                   "round: publish multiples of the base as exact, and say so");
  command
      .add_option("--range",
                  job.range,
                  "perturb, mixed: range of cells that are not sensitive, in percent of the value")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 10000.0));
  command.add_flag(
      "--range-unknown", job.range_unknown, "perturb, mixed: readers are not told the ranges");
  command
      .add_option(
          "--change-price", job.change_price, "perturb, mixed: price of a cell changed at all")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--grid",
                     job.grid,
                     "perturb, mixed: deviations are multiples of this; one unit if not given");
  command
      .add_option("--sensitive-as",
                  job.sensitive_as,
                  "mixed: sensitive cells are withheld, interval, perturbed or rounded")
      ->capture_default_str();
  command.add_option("--totals-as", job.totals_as, "mixed: cells that are sums; also: exact")
      ->capture_default_str();
  command.add_option("--others-as", job.others_as, "mixed: all other cells")->capture_default_str();
}

}  // namespace lacuna

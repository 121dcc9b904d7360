// SPDX-License-Identifier: Apache-2.0
// What complete suppression knows of the combined problem. The cells with an interval, all of them
// wide open, are a safe pattern of complete suppression. So every valid inequality of that problem
// holds for x (capacity, cover and bridgeless inequalities, docs/suppression.md), the least fixed
// price is that of its optimum, and its patterns are a good start where fixed prices dominate.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "lacuna/suppress.h"
#include "protect/suppression_model/separator.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::combined {

struct PatternRow {                                    // sum of factors times x >= least
  std::vector<std::pair<std::int32_t, double>> terms;  // by cell
  double least = 0;
};

struct Pattern {
  std::vector<bool> published_as_interval;  // by cell; empty: none was found
  double bound = 0;                         // no safe pattern has a smaller sum of prices
};

class PatternCuts {
 public:
  // `fixed`: the price of an interval by cell; `allowed`: cells that may have one, beside sensitive
  // ones.
  PatternCuts(const Problem& problem,
              const std::vector<double>& fixed,
              const std::vector<bool>& allowed,
              std::string engine);

  // Inequalities that x (by cell) violates; with `thorough` attacker problems are asked too.
  std::vector<PatternRow> find(const std::vector<double>& x, bool thorough, const RunContext& run);

  // By cell: no pattern with the cell open costs less; 0 where nothing is known. From the linear
  // relaxation of the pattern and its reduced costs.
  std::vector<double> cost_if_open(const RunContext& run);

 private:
  struct Part {
    std::unique_ptr<suppression_model::SuppressModel> model;
    std::unique_ptr<suppression_model::Separator> separator;
  };
  struct Root {
    double bound = 0;
    std::vector<double> if_open;  // by column
  };
  std::vector<suppression_model::Cut> cuts_of(Part& part,
                                              std::span<const double> x,
                                              bool thorough,
                                              const RunContext& run) const;
  Root solve_root(Part& part, const RunContext& run) const;

  std::shared_ptr<const Problem> problem_;
  SuppressOptions options_;
  double outside_ = 0;  // price of cells that are always open and of no part
  std::vector<Part> parts_;
};

// The cheapest pattern at the weights (by cell), by complete suppression.
Pattern cheapest_pattern(const Problem& problem,
                         const std::vector<double>& weights,
                         double gap,
                         const std::string& engine,
                         const RunContext& run);

}  // namespace lacuna::combined

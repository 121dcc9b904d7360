// SPDX-License-Identifier: Apache-2.0
// The attacker problem inside the cutting plane loop, in floating point: how far can cell p move
// within given rooms,
//   max { s f_p : M f = 0, -room(down i) <= f_i <= room(up i) },
// with a displacement that gets there and, if it falls short of the level asked for, multipliers g
// of the equations: d = s e_p - M'g gives the capacity cut  sum_i d+_i z+_i + d-_i z-_i >= level
// (Figure 7 of Salazar-Gonzalez 2002; (3.24) and (3.26) of the thesis). In networks the problem is
// a largest flow and the cut a smallest cut (Cox 1980); else an LP over independent equations, kept
// loaded, in which only one cost and a few bounds change from question to question.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "protect/interval/cut.h"
#include "protect/interval/model.h"

namespace lacuna::inline interval {

struct Probe {
  std::int32_t cell = -1;
  int sign = 1;
  double level = 0;
};

struct ProbeAnswer {
  bool trusted = false;  // false: stopped, or the engine gave no answer that holds
  double reach = 0;      // at most the level
  Move move;             // reaches `reach`
  // If reach is short of the level, what proves it: d itself by cell, or multipliers g that give
  // it.
  bool has_coefficients = false;
  std::vector<std::pair<std::int32_t, double>> coefficients;
  std::vector<std::pair<EquationId, double>> multipliers;
};

class Separator {
 public:
  virtual ~Separator() = default;
  virtual void set_rooms(std::span<const double> rooms) = 0;  // by end
  virtual ProbeAnswer probe(const Probe& question, const RunContext& run) = 0;
};

// A flow search if the model is a network, else an LP in whichever of the two forms has clearly
// fewer rows. Errors: an unknown engine.
Result<std::unique_ptr<Separator>> make_separator(const Model& model, const std::string& engine);
std::unique_ptr<Separator> make_flow_separator(const Model& model);
Result<std::unique_ptr<Separator>> make_lp_separator(const Model& model, const std::string& engine);
Result<std::unique_ptr<Separator>> make_leaf_separator(const Model& model,
                                                       const std::string& engine);

// The cut of an answer.
Cut make_cut(const Model& model,
             const Demand& demand,
             const ProbeAnswer& answer,
             std::span<const double> z);

}  // namespace lacuna::inline interval

// SPDX-License-Identifier: Apache-2.0
// What is asked of a pattern, cell by cell: each direction of each need is a question, and all
// questions about one cell and one direction are a family. With K the attackers who are to be kept
// from the cell, the first of them (mostly the outsider) leads. Another attacker k differs from it
// only in the cells that it knows, so that of k nothing need be asked where
//
//   - a displacement that answers the first question moves no cell that k knows, or no farther
//     than k leaves open (Doubt says which it does not answer, and from which x on it would), or
//   - an equation has no cell in which the slack of k is less than both the first slack and the
//     level: capped at the level, its capacity constraint is the same for k.
//
// So that thousands of attackers are one problem with few exceptions, and all of it is proven.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "judge/attacker/solver.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression_model {

enum class Side : std::uint8_t { kUp, kDown, kBoth };

struct Probe {
  std::int32_t need = 0;
  Side side = Side::kUp;
  std::int32_t mirror = -1;  // the other direction of the need, if that comes next
  std::int32_t family = -1;
};

struct ProbeFamily {
  std::int32_t lead = -1;            // probe
  std::vector<std::int32_t> others;  // probes, by attacker
  bool lead_asks_most = true;        // nobody else has a higher level
};

// A question of the family that a displacement does not answer, or only from some x on.
struct Doubt {
  std::int32_t probe = -1;
  std::int32_t column = -1;  // < 0: whatever x is
  double least = 0;          // of that column
  bool holds(std::span<const double> x) const;
};

class Questions {
 public:
  explicit Questions(const SuppressModel& model);

  const std::vector<Probe>& probes() const { return probes_; }
  const Probe& probe(std::size_t index) const { return probes_[index]; }
  const Need& need_of(std::size_t probe) const;
  double level_of(std::size_t probe) const;
  // The questions of the need that leads a cell come one after the other: from first to end.
  struct Group {
    std::size_t first = 0, end = 0;
    std::vector<std::int32_t> families;
  };
  const std::vector<Group>& groups() const { return groups_; }
  const ProbeFamily& family(std::int32_t index) const {
    return families_[static_cast<std::size_t>(index)];
  }
  std::size_t num_families() const { return families_.size(); }

  // Others of the family for whom this equation through the cell says more than for its lead.
  struct InEquation {
    std::int32_t family = 0, equation = 0, probe = 0;
  };
  std::span<const InEquation> others_in(std::int32_t family, std::int32_t equation) const;

  // What others of the family know of a cell.
  struct Knower {
    std::int32_t attacker = 0;
    attacker::RealSlack slack;
  };
  std::span<const Knower> knowers(std::int32_t cell) const;
  // -1: nothing is asked of that attacker.
  std::int32_t probe_of(std::int32_t family, std::int32_t attacker) const;

  // Which others of the family a displacement does not answer; `asked` is the question that it was
  // found for, `own` the slacks that it keeps to, and moves are in units of the level.
  using Entry = attacker::AttackerSolver::Entry;
  std::vector<Doubt> doubts(std::size_t asked,
                            std::span<const SuppressModel::OwnSlack> own,
                            std::span<const Entry> moves,
                            double factor) const;

 private:
  void list_probes();
  void list_families();
  void list_knowers();
  void list_in_equations();
  void list_in_equation(std::int32_t family, std::int32_t equation);

  const SuppressModel& model_;
  std::vector<Probe> probes_;
  std::vector<Group> groups_;
  std::vector<ProbeFamily> families_;
  std::vector<Knower> knowers_;
  std::vector<std::size_t> knowers_start_;  // by cell
  std::vector<InEquation> in_equations_;    // by family, equation, probe
};

}  // namespace lacuna::suppression_model

// SPDX-License-Identifier: Apache-2.0
// The root of the tree of one part, in stages: the plain relaxation with a first table, each cell
// on the side it is nearer to; a search over senses from there; what single equations say
// (block_bound.h); the relaxation seen from the sensitive cells (sensitive_form.h), where there is
// one and it is the better one, or, for a large part, turns of many senses. A stage that the run
// ends in is begun again by the next. What the root has found out serves the nodes.
#pragma once

#include <cstdint>
#include <memory>

#include "core/branching/open_nodes.h"
#include "lacuna/run_context.h"
#include "protect/adjust/block_bound.h"
#include "protect/adjust/part_solver.h"
#include "protect/adjust/sense_search.h"
#include "protect/adjust/sensitive_form.h"

namespace lacuna::adjustment {

struct Node : branching::OpenNode {
  Senses senses;
  int depth = 0;
  int renewed = 0;                            // depth at which the relaxation was made
  std::shared_ptr<const SensitiveForm> form;  // null: the plain relaxation of the whole part
};

// The numbers of the sensitive cells; `part` says where they are.
Vector of_sensitive(const Vector& v, const Part& part);

class Root {
 public:
  explicit Root(PartSolver& solver) : solver_(solver) {}

  void begin(const RunContext& run);  // the first stage
  void run(const RunContext& run);    // whatever is left of them
  bool begun() const { return stage_ != Stage::kNone; }
  bool passed() const { return stage_ == Stage::kPassed; }
  const Node& node() const { return node_; }

  // For nodes. None if the part leads to none.
  const SenseSearch* search() const { return search_.get(); }
  // What the blocks add to the bound of a plain relaxation.
  double extra_of_blocks(const Senses& senses,
                         const Point& point,
                         std::int64_t nodes,
                         const RunContext& run) const;
  // Only if the node of the root has one.
  std::shared_ptr<const SensitiveForm> make_form(const Senses& senses, const RunContext& run) const;

 private:
  enum class Stage : std::uint8_t { kNone, kSenses, kBlocks, kTighten, kPassed };  // what is next

  PointOptions quick_options() const;
  void pass_stage(const RunContext& run);
  void search_senses(const RunContext& run);
  void bound_by_blocks(const RunContext& run);
  void tighten(const RunContext& run);
  bool has_mirror_images() const;
  std::size_t most_expensive() const;  // of the sensitive cells

  PartSolver& solver_;
  Stage stage_ = Stage::kNone;
  Node node_;
  Point plain_;  // its plain relaxation
  std::unique_ptr<SenseSearch> search_;
  std::unique_ptr<BlockBound> blocks_;
  std::shared_ptr<const Matrix> matrix_;  // of the sensitive form
};

}  // namespace lacuna::adjustment

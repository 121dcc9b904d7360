// SPDX-License-Identifier: Apache-2.0
// The first safe pattern of complete suppression: what an earlier release withheld, if that is
// still safe, else the construction (protect/start/construct.h), completed by linear programs over
// the leaves or by proofs of exposure. With the quick effort it is also the last one: tables that
// are done before the work is are improved by branch and cut and by iterated local search, counting
// cells as well as weight, as long as that pays.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/problem.h"
#include "lacuna/run_context.h"
#include "lacuna/suppress.h"
#include "protect/start/construct.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression {

struct StartPattern {
  std::optional<Draft> draft;  // none if the construction left needs unmet
  std::vector<Displacement> witnesses;
};

enum class StartKind : std::uint8_t {
  kForTree,  // little improved where the tree will find better patterns
  kByItself  // as good as its work allows: the quick effort
};

class SuppressStart {
 public:
  // `parts` and `always`: the connected parts with needs, and what is withheld whatever we do, by
  // cell. The work of `run` is that of the start.
  SuppressStart(const std::shared_ptr<const Problem>& problem,
                const SuppressOptions& options,
                const std::vector<std::vector<CellId>>& parts,
                const std::vector<bool>& always,
                StartKind kind,
                const RunContext& run)
      : problem_(problem),
        options_(options),
        parts_(parts),
        always_(always),
        kind_(kind),
        begin_(work_done()),
        run_(run) {
    run_.log = nullptr;  // its stages are of no interest to users
  }

  Result<StartPattern> find() const;
  std::function<void(double weight)> on_safe;  // of a pattern; may be empty
  std::vector<std::int32_t> sizes;             // how many cells each cell stands for; empty: one
  bool resumes = true;                         // with the stage of the options, if they name one
  // Told of the end of every stage; may be empty.
  std::function<void(const Draft&, const std::vector<Displacement>&, SuppressStage::Name)> on_stage;

 private:
  // What the quick effort wants little of: cells and their weight, neither at the other's expense.
  struct Measure {
    double cells = 0, weight = 0;
  };

  Result<start::Constructed> construct() const;
  bool begins_underway() const {
    return !options_.start.empty() && options_.start_stage.name == SuppressStage::Name::kUnderway;
  }
  Result<std::optional<start::Constructed>> kept_from(SuppressStage::Name stage) const;
  StartPattern finished(start::Constructed found) const;
  Result<std::optional<start::Constructed>> construct_by_flats() const;
  Result<start::Constructed> first_pass(double each_cell, const RunContext& run) const;
  Result<start::Constructed> exchanged(start::Constructed found,
                                       double price,
                                       std::int32_t max_rounds,
                                       const RunContext& run) const;
  double quick_price() const;
  std::int32_t size_of(std::size_t cell) const { return sizes.empty() ? 1 : sizes[cell]; }
  start::ConstructOptions start_options(double each_cell) const;
  Measure measure(const start::Constructed& found) const;
  bool is_least(const start::Constructed& found) const;
  double balanced_price(const Measure& found) const;
  bool flats_may_help() const;
  std::int64_t flats_work() const;
  Result<std::optional<start::Constructed>> from_flats(double price, const RunContext& run) const;
  Result<bool> take_flat(const std::vector<CellId>& part,
                         const std::vector<double>& costs,
                         start::Constructed& found,
                         const RunContext& run) const;
  Status improve_further(start::Constructed& found) const;
  bool improve_by_tree(start::Constructed& found,
                       const std::vector<std::vector<CellId>>& within,
                       const RunContext& run) const;
  // These keep in `others` what they found besides, for unions.
  Status improve_by_flats(start::Constructed& found,
                          std::vector<Draft>& others,
                          std::uint64_t turn,
                          const RunContext& run) const;
  Status improve_by_search(start::Constructed& found,
                           std::vector<Draft>& others,
                           RunContext run) const;
  void improve_by_unions(start::Constructed& found,
                         std::vector<Draft>& others,
                         const RunContext& run) const;
  void keep_good(const start::Constructed& other,
                 const start::Constructed& best,
                 std::vector<Draft>& others) const;
  start::ConstructOptions trial_options(double price) const;
  Result<start::Constructed> construct_from(const start::Constructed& found,
                                            start::ConstructOptions construct,
                                            const RunContext& run) const;
  double cost_at(const std::vector<double>& costs, const start::Constructed& found) const;
  static double median(std::vector<double> numbers);
  Draft with_primaries(const std::vector<CellId>& cells) const;
  Result<std::optional<StartPattern>> if_safe(const std::vector<CellId>& cells,
                                              const std::vector<Displacement>& evidence) const;
  Result<StartPattern> no_worse_than_where_it_began(StartPattern found) const;
  Status complete_by_programs(start::Constructed& found) const;
  std::vector<std::int32_t> needs_behind(const suppression_model::SuppressModel& model,
                                         const std::vector<std::int32_t>& requirements) const;
  bool tree_finds_patterns() const;
  bool parts_are_small() const;
  bool any_part_has_few_leaves() const;
  RunContext beyond(double share) const;
  double least_rate() const;

  const std::shared_ptr<const Problem>& problem_;
  const SuppressOptions& options_;
  const std::vector<std::vector<CellId>>& parts_;
  const std::vector<bool>& always_;
  StartKind kind_;
  std::int64_t begin_;  // reading of work_done()
  RunContext run_;
  mutable std::optional<bool> few_leaves_;  // of any part, once it was asked
};

}  // namespace lacuna::suppression

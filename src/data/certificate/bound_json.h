// SPDX-License-Identifier: Apache-2.0
// The log of the bound (lacuna/bound_log.h) as a member of a certificate, read and written:
//   "bound":{"weights":"cost","unit":[1,100],"at_least":17,"cells":[3,4],"values":[10,7],
//     "ties":[{"cell":4,"with":3,"equations":[0],"values":[1]}],
//     "steps":[{"requirement":0,"high":{"denominator":1,"equations":[0],"values":[1]}},
//              {"cell":3,"equations":[1],"values":[1]},
//              {"steps":[0,1],"times":[1,1],"capped":[3],"by":[1],"divisor":2},
//              {"cells":[3],"values":[17],"at_least":17,"nodes":[{"case":3},
//                {"weight":1,"steps":[0],"times":[1]},{"settled":true,"weight":1, ...}, ...]}]}
// Logs of intervals and of adjusted tables have in place of ties and steps
//   "intervals":{"weight":8,"needs":[{"requirement":0,"high":{"denominator":8, ...}}]}
//   "tables":{"norm":2,"trees":[{"cells":[3],"at_least":5,"nodes":[{"case":3},
//     {"weight":8,"equations":[0],"values":[1]},{"weight":8,"equations":[],"values":[]}]}]}
#pragma once

#include <limits>
#include <utility>

#include "data/certificate/evidence_json.h"
#include "lacuna/bound_log.h"

namespace lacuna::certificate {

inline void write_sum(base::JsonWriter& json, const Multipliers& sum) {  // as members
  write_ids(json.key("equations"), sum.equations);
  json.key("values").values(sum.values);
}

inline void write_node(base::JsonWriter& json, const BoundNode& node) {
  json.object([&] {
    if (node.kind == BoundNode::Kind::kCase) {
      json.member("case", node.cell.value);
      return;
    }
    if (node.kind == BoundNode::Kind::kSettled)
      json.member("settled", true);
    json.member("weight", node.weight);
    json.key("steps").values(node.steps);
    json.key("times").values(node.times);
  });
}

inline void write_step(base::JsonWriter& json, const NeedStep& step) {
  json.member("requirement", step.requirement);
  if (step.side != BoundSide::kLow)
    json.key("high").object([&] { write_multipliers(json, step.high); });
  if (step.side != BoundSide::kHigh)
    json.key("low").object([&] { write_multipliers(json, step.low); });
}

inline void write_step(base::JsonWriter& json, const BridgelessStep& step) {
  json.member("cell", step.cell.value);
  write_sum(json, step.sum);
}

inline void write_step(base::JsonWriter& json, const SumStep& step) {
  json.key("steps").values(step.steps);
  json.key("times").values(step.times);
  write_ids(json.key("capped"), step.capped);
  json.key("by").values(step.by);
  json.member("divisor", step.divisor);
}

inline void write_step(base::JsonWriter& json, const TreeStep& step) {
  write_ids(json.key("cells"), step.cells);
  json.key("values").values(step.values);
  json.member("at_least", step.at_least);
  json.key("nodes").list(step.nodes, [&](const BoundNode& node) { write_node(json.line(), node); });
}

inline void write_tree(base::JsonWriter& json, const TableTree& tree) {
  write_ids(json.key("cells"), tree.cells);
  json.member("at_least", tree.at_least);
  json.key("nodes").list(tree.nodes, [&](const SenseNode& node) {
    json.line().object([&] {
      if (node.cell.value >= 0) {
        json.member("case", node.cell.value);
        return;
      }
      json.member("weight", node.weight);
      write_sum(json, node.sum);
    });
  });
}

inline void write_ties_and_steps(base::JsonWriter& json, const BoundLog& log) {
  json.line().key("ties").list(log.ties, [&](const BoundTie& tie) {
    json.line().object([&] {
      json.member("cell", tie.cell.value).member("with", tie.with.value);
      write_sum(json, tie.sum);
    });
  });
  json.line().key("steps").list(log.steps, [&](const BoundStep& step) {
    json.line().object([&] { std::visit([&](const auto& each) { write_step(json, each); }, step); });
  });
}

inline void write_bound(base::JsonWriter& json, const BoundLog& log) {
  json.line().key("bound").object([&] {
    json.member("weights", log.weights);
    json.key("unit").list([&] {
      json.value(log.unit.numerator());
      json.value(log.unit.denominator());
    });
    json.member("at_least", log.at_least);
    write_ids(json.line().key("cells"), log.cells);
    json.line().key("values").values(log.values);
    if (log.intervals) {
      json.line().key("intervals").object([&] {
        json.member("weight", log.intervals->weight);
        json.key("needs").list(log.intervals->needs, [&](const NeedStep& need) {
          json.line().object([&] { write_step(json, need); });
        });
      });
    } else if (log.tables) {
      json.line().key("tables").object([&] {
        json.member("norm", log.tables->norm);
        json.key("trees").list(log.tables->trees, [&](const TableTree& tree) {
          json.line().object([&] { write_tree(json, tree); });
        });
      });
    } else {
      write_ties_and_steps(json, log);
    }
  });
}

// ---- reading

class BoundReader {
 public:
  BoundReader(const Table& table, BoundLog& log) : table_(table), log_(log) {}

  Status read(files::JsonNode node) {
    constexpr std::array<std::string_view, 9> kNames{"weights",
                                                     "unit",
                                                     "at_least",
                                                     "cells",
                                                     "values",
                                                     "ties",
                                                     "steps",
                                                     "intervals",
                                                     "tables"};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 5));
    LACUNA_TRY(const std::string_view weights, fields[0].string());
    log_.weights = weights;
    std::vector<Integer> unit;
    LACUNA_RETURN_IF_ERROR(for_each(fields[1], [&](files::JsonNode item) -> Status {
      LACUNA_TRY(unit.emplace_back(), read_integer(item));
      return ok_status();
    }));
    if (unit.size() != 2 || unit[0].sign() <= 0 || unit[1].sign() <= 0)
      return fields[1].error("a unit is two positive whole numbers");
    log_.unit = Fraction(unit[0], unit[1]);
    LACUNA_TRY(log_.at_least, read_integer(fields[2]));
    LACUNA_RETURN_IF_ERROR(
        read_pairs(fields[3], fields[4], table_.num_cells(), log_.cells, log_.values));
    const std::string_view kinds = "a bound has ties and steps, or intervals, or tables";
    if (fields[7].present() || fields[8].present()) {
      if (fields[5].present() || fields[6].present() ||
          fields[7].present() == fields[8].present())
        return node.error(std::string(kinds));
      return fields[7].present() ? intervals(fields[7]) : tables(fields[8]);
    }
    if (!fields[5].present() || !fields[6].present())
      return node.error(std::string(kinds));
    LACUNA_RETURN_IF_ERROR(
        for_each(fields[5], [&](files::JsonNode item) { return tie(item); }));
    return for_each(fields[6], [&](files::JsonNode item) { return step(item); });
  }

 private:
  Result<CellId> cell(files::JsonNode node) const {
    LACUNA_TRY(const std::int32_t index, read_index(node, table_.num_cells()));
    return CellId{index};
  }

  Result<Multipliers> sum(files::JsonNode equations, files::JsonNode values) const {
    Multipliers read;
    LACUNA_RETURN_IF_ERROR(
        read_pairs(equations, values, table_.num_equations(), read.equations, read.values));
    return read;
  }

  Status tie(files::JsonNode node) {
    constexpr std::array<std::string_view, 4> kNames{"cell", "with", "equations", "values"};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 4));
    BoundTie tie;
    LACUNA_TRY(tie.cell, cell(fields[0]));
    LACUNA_TRY(tie.with, cell(fields[1]));
    LACUNA_TRY(tie.sum, sum(fields[2], fields[3]));
    log_.ties.push_back(std::move(tie));
    return ok_status();
  }

  static constexpr std::array<std::string_view, 3> kOfNeed{"requirement", "high", "low"};
  static constexpr std::array<std::string_view, 3> kOfBridgeless{"cell", "equations", "values"};
  static constexpr std::array<std::string_view, 5> kOfSum{
      "steps", "times", "capped", "by", "divisor"};
  static constexpr std::array<std::string_view, 4> kOfTree{
      "cells", "values", "at_least", "nodes"};

  // What kind of step it is, its first name says.
  Status step(files::JsonNode node) {
    LACUNA_RETURN_IF_ERROR(node.expect(files::JsonKind::kObject));
    std::string_view first;
    for (const files::JsonNode member : node.children()) {
      first = member.key();
      break;
    }
    BoundStep made;
    if (first == kOfNeed[0]) {
      LACUNA_TRY(NeedStep read, need(node));
      made = std::move(read);
    } else if (first == kOfBridgeless[0]) {
      LACUNA_TRY(made, bridgeless(node));
    } else if (first == kOfSum[0]) {
      LACUNA_TRY(made, added(node));
    } else if (first == kOfTree[0]) {
      LACUNA_TRY(made, tree(node));
    } else {
      return node.error("this is no step of a bound");
    }
    log_.steps.push_back(std::move(made));
    return ok_status();
  }

  Result<Multipliers> proof(files::JsonNode node) const {
    constexpr std::array<std::string_view, 3> kNames{"denominator", "equations", "values"};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 3));
    return read_multipliers(fields[0], fields[1], fields[2], table_);
  }

  Result<NeedStep> need(files::JsonNode node) const {
    LACUNA_TRY(const auto fields, files::members_of(node, kOfNeed));
    NeedStep step;
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    LACUNA_TRY(step.requirement, read_index(fields[0], kMost));
    if (!fields[1].present() && !fields[2].present())
      return node.error("a step of a requirement has a proof");
    if (fields[1].present()) {
      LACUNA_TRY(step.high, proof(fields[1]));
    }
    if (fields[2].present()) {
      LACUNA_TRY(step.low, proof(fields[2]));
    }
    step.side = !fields[2].present()   ? BoundSide::kHigh
                : !fields[1].present() ? BoundSide::kLow
                                       : BoundSide::kBoth;
    return step;
  }

  Result<BoundStep> bridgeless(files::JsonNode node) const {
    LACUNA_TRY(const auto fields, files::members_of(node, kOfBridgeless));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kOfBridgeless, 3));
    BridgelessStep step;
    LACUNA_TRY(step.cell, cell(fields[0]));
    LACUNA_TRY(step.sum, sum(fields[1], fields[2]));
    return BoundStep(std::move(step));
  }

  struct Number {  // of a step, as read_pairs() makes them
    std::int32_t value = 0;
  };
  Status steps(files::JsonNode numbers,
               files::JsonNode factors,
               std::vector<std::int32_t>& steps,
               std::vector<Integer>& times) const {
    std::vector<Number> read;
    LACUNA_RETURN_IF_ERROR(read_pairs(numbers, factors, std::ssize(log_.steps), read, times));
    for (const Number number : read)
      steps.push_back(number.value);
    return ok_status();
  }

  Result<BoundStep> added(files::JsonNode node) const {
    LACUNA_TRY(const auto fields, files::members_of(node, kOfSum));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kOfSum, 5));
    SumStep step;
    LACUNA_RETURN_IF_ERROR(steps(fields[0], fields[1], step.steps, step.times));
    LACUNA_RETURN_IF_ERROR(
        read_pairs(fields[2], fields[3], table_.num_cells(), step.capped, step.by));
    LACUNA_TRY(step.divisor, read_integer(fields[4]));
    return BoundStep(std::move(step));
  }

  Result<BoundStep> tree(files::JsonNode node) const {
    LACUNA_TRY(const auto fields, files::members_of(node, kOfTree));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kOfTree, 4));
    TreeStep step;
    LACUNA_RETURN_IF_ERROR(
        read_pairs(fields[0], fields[1], table_.num_cells(), step.cells, step.values));
    LACUNA_TRY(step.at_least, read_integer(fields[2]));
    LACUNA_RETURN_IF_ERROR(for_each(fields[3], [&](files::JsonNode item) -> Status {
      LACUNA_TRY(step.nodes.emplace_back(), tree_node(item));
      return ok_status();
    }));
    return BoundStep(std::move(step));
  }

  Result<BoundNode> tree_node(files::JsonNode node) const {
    constexpr std::array<std::string_view, 5> kNames{"case", "settled", "weight", "steps", "times"};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
    BoundNode made;
    if (fields[0].present()) {
      if (fields[2].present() || fields[3].present() || fields[4].present())
        return node.error("a case has no sum");
      made.kind = BoundNode::Kind::kCase;
      LACUNA_TRY(made.cell, cell(fields[0]));
      return made;
    }
    if (!fields[2].present() || !fields[3].present() || !fields[4].present())
      return node.error("a sum has a weight, steps and times");
    if (fields[1].present())
      made.kind = BoundNode::Kind::kSettled;
    LACUNA_TRY(made.weight, read_integer(fields[2]));
    LACUNA_RETURN_IF_ERROR(steps(fields[3], fields[4], made.steps, made.times));
    return made;
  }

  Status intervals(files::JsonNode node) {
    constexpr std::array<std::string_view, 2> kNames{"weight", "needs"};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 2));
    IntervalBound& made = log_.intervals.emplace();
    LACUNA_TRY(made.weight, read_integer(fields[0]));
    return for_each(fields[1], [&](files::JsonNode item) -> Status {
      LACUNA_TRY(made.needs.emplace_back(), need(item));
      return ok_status();
    });
  }

  Status tables(files::JsonNode node) {
    constexpr std::array<std::string_view, 2> kNames{"norm", "trees"};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 2));
    TableBound& made = log_.tables.emplace();
    LACUNA_TRY(made.norm, read_index(fields[0], 3));
    return for_each(fields[1], [&](files::JsonNode item) -> Status {
      LACUNA_TRY(made.trees.emplace_back(), tree_of_senses(item));
      return ok_status();
    });
  }

  Result<TableTree> tree_of_senses(files::JsonNode node) const {
    constexpr std::array<std::string_view, 3> kNames{"cells", "at_least", "nodes"};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 3));
    TableTree tree;
    LACUNA_RETURN_IF_ERROR(for_each(fields[0], [&](files::JsonNode item) -> Status {
      LACUNA_TRY(tree.cells.emplace_back(), cell(item));
      return ok_status();
    }));
    LACUNA_TRY(tree.at_least, read_integer(fields[1]));
    LACUNA_RETURN_IF_ERROR(for_each(fields[2], [&](files::JsonNode item) -> Status {
      LACUNA_TRY(tree.nodes.emplace_back(), sense_node(item));
      return ok_status();
    }));
    return tree;
  }

  Result<SenseNode> sense_node(files::JsonNode node) const {
    constexpr std::array<std::string_view, 4> kNames{"case", "weight", "equations", "values"};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
    const bool is_leaf = fields[1].present() && fields[2].present() && fields[3].present();
    const bool has_sum = fields[1].present() || fields[2].present() || fields[3].present();
    if (fields[0].present() ? has_sum : !is_leaf)
      return node.error("a node is a case, or has a weight, equations and values");
    SenseNode made;
    if (fields[0].present()) {
      LACUNA_TRY(made.cell, cell(fields[0]));
      return made;
    }
    LACUNA_TRY(made.weight, read_integer(fields[1]));
    LACUNA_TRY(made.sum, sum(fields[2], fields[3]));
    return made;
  }

  const Table& table_;
  BoundLog& log_;
};

}  // namespace lacuna::certificate

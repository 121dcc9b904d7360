// SPDX-License-Identifier: Apache-2.0
// A classification variable of a table: its codes and the sums that hold among them. A tree of any
// depth is a list of relations "parent = sum of children"; a second hierarchy over the same leaves
// is simply more relations, so that one parent may be split in several ways.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/export.h"
#include "lacuna/result.h"

namespace LACUNA_API lacuna {

struct Relation {
  std::int32_t parent = -1;
  std::vector<std::int32_t> children;  // at least one; one child is allowed (trivial level)
  bool operator==(const Relation&) const = default;
};

class Dimension {
 public:
  // Checks: names present and unique, indices in range, no code twice among the children of a
  // relation, no cycle, exactly one root (the total), every split of a parent covers the same
  // leaves; that it is not so deep and so wide at once that the check itself would need gigabytes.
  static Result<Dimension> build(std::string name,
                                 std::vector<std::string> codes,
                                 std::vector<Relation> relations);

  const std::string& name() const { return name_; }
  std::int32_t num_codes() const { return static_cast<std::int32_t>(codes_.size()); }
  const std::string& code(std::int32_t index) const {
    return codes_[static_cast<std::size_t>(index)];
  }
  const std::vector<std::string>& codes() const { return codes_; }
  const std::vector<Relation>& relations() const { return relations_; }
  std::int32_t total() const { return total_; }    // the root
  std::int32_t find(std::string_view code) const;  // -1 if unknown
  bool is_leaf(std::int32_t index) const { return is_leaf_[static_cast<std::size_t>(index)]; }
  std::int32_t depth(std::int32_t index) const { return depth_[static_cast<std::size_t>(index)]; }
  bool operator==(const Dimension&) const = default;

 private:
  Dimension() = default;
  std::string name_;
  std::vector<std::string> codes_;
  std::vector<Relation> relations_;
  std::vector<bool> is_leaf_;
  std::vector<std::int32_t> depth_;    // shortest distance from the total
  std::vector<std::int32_t> by_name_;  // code indices sorted by name, for find()
  std::int32_t total_ = -1;
};

}  // namespace lacuna

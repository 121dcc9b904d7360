// SPDX-License-Identifier: Apache-2.0
#include "judge/audit/evidence_store.h"

#include <utility>
#include <vector>

#include "core/base/rational.h"

namespace lacuna::audit {
namespace {

template <class Item>
std::int32_t append(std::vector<Item>& list, Item item) {
  list.push_back(std::move(item));
  return static_cast<std::int32_t>(list.size()) - 1;
}

template <class Item>
void append_all(std::vector<Item>& list, std::vector<Item>& items) {
  for (Item& item : items)
    list.push_back(std::move(item));
}

void move_by(std::int32_t& index, std::size_t offset) {
  index += index < 0 ? 0 : static_cast<std::int32_t>(offset);
}

std::size_t hash_of(const Displacement& witness) {
  std::size_t hash = witness.cells.size();
  for (std::size_t i = 0; i < witness.cells.size(); ++i) {
    const auto move = base::low_bits(witness.moves[i]);
    hash = hash * 1'000'003 + static_cast<std::size_t>(witness.cells[i].value) * 31 + move;
  }
  return hash;
}

}  // namespace

std::int32_t EvidenceStore::keep(Displacement witness) {
  const std::size_t hash = hash_of(witness);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (all_.witnesses[static_cast<std::size_t>(it->second)] == witness)
      return it->second;
  }
  const std::int32_t index = append(all_.witnesses, std::move(witness));
  by_hash_.emplace(hash, index);
  return index;
}

End EvidenceStore::keep(attack::Reach reach) {
  End end;
  if (reach.witness && !reach.witness->cells.empty()) {
    end.unbounded = reach.unbounded;
    end.witness = keep(*std::move(reach.witness));
  }
  if (reach.chain && !reach.chain->empty())
    end.chain = append(all_.chains, *std::move(reach.chain));
  if (reach.tree)
    end.tree = keep(*std::move(reach.tree));
  if (reach.proof)
    end.proof = append(all_.proofs, *std::move(reach.proof));
  if (reach.step)
    end.step = append(all_.steps, *std::move(reach.step));
  return end;
}

End EvidenceStore::keep(const Hints& hints, HintId hint) {
  End end;
  end.witness = keep(Displacement(hints[hint]));
  return end;
}

std::int32_t EvidenceStore::keep(attack::IntegerTreeEvidence found) {
  for (TreeNode& node : found.tree) {
    move_by(node.proof, all_.proofs.size());
    move_by(node.step, all_.steps.size());
    move_by(node.chain, all_.chains.size());
  }
  append_all(all_.proofs, found.proofs);
  append_all(all_.steps, found.steps);
  append_all(all_.chains, found.chains);
  return append(all_.trees, std::move(found.tree));
}

}  // namespace lacuna::audit

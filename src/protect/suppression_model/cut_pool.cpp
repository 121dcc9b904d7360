// SPDX-License-Identifier: Apache-2.0
#include "protect/suppression_model/cut_pool.h"

#include <algorithm>
#include <bit>

#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/suppression_model/tuning.h"

namespace lacuna::suppression_model {

std::size_t hash_of(const Cut& cut) {
  std::uint64_t hash = std::bit_cast<std::uint64_t>(cut.rhs);
  for (std::size_t k = 0; k < cut.columns.size(); ++k) {
    hash = (hash ^ static_cast<std::uint64_t>(cut.columns[k])) * std::uint64_t{0x9e3779b97f4a7c15U};
    hash = (hash ^ (hash >> 29U) ^ std::bit_cast<std::uint64_t>(cut.values[k])) *
           std::uint64_t{0xbf58476d1ce4e5b9U};
  }
  return static_cast<std::size_t>(hash ^ (hash >> 32U));
}

SharedCut CutPool::add(Cut cut) {
  if (!hashes_.insert(hash_of(cut)).second)
    return nullptr;
  auto shared = std::make_shared<const Cut>(std::move(cut));
  cuts_.push_back(shared);
  ++total_;
  if (cuts_.size() > kTuning.cut_pool.size + is_row_.size()) {  // rows stay whatever happens
    const auto oldest = std::find_if(cuts_.begin(), cuts_.end(), [&](const SharedCut& each) {
      return !is_row_.contains(each.get());
    });
    if (oldest != cuts_.end()) {
      hashes_.erase(hash_of(**oldest));
      cuts_.erase(oldest);
    }
  }
  return shared;
}

std::vector<SharedCut> CutPool::violated(std::span<const double> x, std::size_t most) const {
  std::vector<std::pair<double, SharedCut>> found;
  for (const SharedCut& cut : cuts_) {
    if (is_row_.contains(cut.get()))
      continue;
    base::count_work(50 + 2 * cut->columns.size());
    const double violation = cut->violation(x);
    if (violation > tol::kViolation)
      found.emplace_back(violation, cut);
  }
  std::stable_sort(
      found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (found.size() > most)
    found.resize(most);
  std::vector<SharedCut> cuts;
  for (auto& [violation, cut] : found)
    cuts.push_back(std::move(cut));
  return cuts;
}

void CutPool::make_row(const SharedCut& cut) {
  if (!is_row_.insert(cut.get()).second)
    return;
  rows_.push_back(cut);
  idle_.push_back(0);
}

void CutPool::age(const std::unordered_set<const Cut*>& tight) {
  std::size_t kept = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const bool stays = rows_[r]->family == CutFamily::kLimit || tight.contains(rows_[r].get());
    idle_[r] = stays ? 0 : idle_[r] + 1;
    if (idle_[r] > kTuning.cut_pool.patience) {
      is_row_.erase(rows_[r].get());
      continue;
    }
    rows_[kept] = rows_[r];
    idle_[kept] = idle_[r];
    ++kept;
  }
  rows_.resize(kept);
  idle_.resize(kept);
}

}  // namespace lacuna::suppression_model

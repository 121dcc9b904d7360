// SPDX-License-Identifier: Apache-2.0
// The evidence of a report, in the lists that its ends name by number. Witnesses are kept once: one
// often serves many cells and questions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "judge/attack/reach.h"
#include "judge/audit/hints.h"
#include "lacuna/evidence.h"

namespace lacuna::audit {

class EvidenceStore {
 public:
  // An end that names what was found; nothing of it is confirmed.
  End keep(attack::Reach reach);
  End keep(const Hints& hints, HintId hint);
  std::int32_t keep(Displacement witness);

  const Evidence& all() const { return all_; }
  Evidence take() { return std::move(all_); }

 private:
  std::int32_t keep(attack::IntegerTreeEvidence tree);

  Evidence all_;
  std::unordered_multimap<std::size_t, std::int32_t> by_hash_;  // witnesses
};

}  // namespace lacuna::audit

// SPDX-License-Identifier: Apache-2.0
// Witnesses that a method suggests. A hint counts only for an attacker who cannot rule it out,
// checked in integers, so a wrong hint costs time and never a verdict.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "judge/attack/view.h"
#include "lacuna/evidence.h"
#include "lacuna/table.h"

namespace lacuna::audit {

struct HintId {
  std::int32_t value = -1;
};

class Hints {
 public:
  explicit Hints(std::span<const Displacement> hints) : hints_(hints) {}

  // Keeps those that the view admits. `work_on(count, work)` calls work(i) for every i below count,
  // on whatever threads there are.
  template <class WorkOn>
  void admit(const attack::AttackView& view, WorkOn&& work_on) {
    constexpr std::size_t kChunk = 512;
    holds_.assign(hints_.size(), 0);
    work_on((hints_.size() + kChunk - 1) / kChunk, [&](std::size_t chunk) {
      const std::size_t end = std::min(hints_.size(), (chunk + 1) * kChunk);
      for (std::size_t i = chunk * kChunk; i < end; ++i)
        holds_[i] = view.admits(hints_[i]) ? 1 : 0;
    });
    list(view.table());
  }

  // From now on those alone count that keep within these slacks, too, beside the view's: what one
  // of those knows who know at least what the view's attacker does. The slacks must outlive it.
  void limit(std::span<const attack::KnownSlack> slacks) { limits_ = slacks; }

  // The admitted hint that takes the form farthest; nothing if none moves it in the direction.
  std::optional<HintId> farthest(std::span<const Term> form, Direction direction) const;
  // The shortest admitted hint that takes the form at least so far; nothing if none does.
  std::optional<HintId> reaching(std::span<const Term> form,
                                 Direction direction,
                                 Units level) const;

  const Displacement& operator[](HintId hint) const {
    return hints_[static_cast<std::size_t>(hint.value)];
  }
  bool reaches(HintId hint, std::span<const Term> form, Direction direction, Units level) const;

 private:
  void list(const Table& table);
  bool counts(std::int32_t hint) const;
  std::span<const std::int32_t> through(CellId cell) const;

  std::span<const Displacement> hints_;
  std::span<const attack::KnownSlack> limits_;
  std::vector<std::uint8_t> holds_;
  std::vector<std::size_t> start_;  // by cell, into through_
  std::vector<std::int32_t> through_;
};

}  // namespace lacuna::audit

// SPDX-License-Identifier: Apache-2.0
// Witnesses that a method suggests. A hint counts only for an attacker within whose rooms it lies,
// checked in integers, so a wrong hint costs time and never a verdict.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "attack/view.h"
#include "lacuna/evidence.h"
#include "lacuna/table.h"

namespace lacuna::inline audit {

struct HintId {
  std::int32_t value = -1;
};

class Hints {
 public:
  explicit Hints(std::span<const Displacement> hints) : hints_(hints) {}

  // Keeps those that hold for an attacker with these rooms. `work_on(count, work)` calls work(i)
  // for every i below count, on whatever threads there are.
  template <class WorkOn>
  void admit(const Table& table, std::span<const Room> rooms, WorkOn&& work_on) {
    constexpr std::size_t kChunk = 512;
    holds_.assign(hints_.size(), 0);
    work_on((hints_.size() + kChunk - 1) / kChunk, [&](std::size_t chunk) {
      const std::size_t end = std::min(hints_.size(), (chunk + 1) * kChunk);
      for (std::size_t i = chunk * kChunk; i < end; ++i)
        holds_[i] = check(table, rooms, hints_[i]);
    });
    list(table);
  }

  // The admitted hint that takes the cell farthest; nothing if none moves it in the direction.
  std::optional<HintId> farthest(CellId cell, Direction direction) const;
  // The shortest admitted hint that takes the cell at least so far; nothing if none does.
  std::optional<HintId> reaching(CellId cell, Direction direction, Units level) const;

  const Displacement& operator[](HintId hint) const {
    return hints_[static_cast<std::size_t>(hint.value)];
  }
  bool reaches(HintId hint, CellId cell, Direction direction, Units level) const;

 private:
  static std::uint8_t check(const Table& table,
                            std::span<const Room> rooms,
                            const Displacement& hint);
  void list(const Table& table);
  std::span<const std::int32_t> through(CellId cell) const;

  std::span<const Displacement> hints_;
  std::vector<std::uint8_t> holds_;
  std::vector<std::size_t> start_;  // by cell, into through_
  std::vector<std::int32_t> through_;
};

}  // namespace lacuna::inline audit

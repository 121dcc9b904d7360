// SPDX-License-Identifier: Apache-2.0
#include "app/load/sensitive_changes.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/index.h"
#include "core/table/unpublished.h"
#include "lacuna/counts.h"
#include "lacuna/decimal.h"

namespace lacuna::load {
namespace {

constexpr CellId kNoCell{-1};

class Finder {
 public:
  explicit Finder(const ComparedPeriod& period) : period_(period) {}

  Result<std::map<std::int32_t, SensitiveChange>> run() {
    LACUNA_RETURN_IF_ERROR(find());
    return std::move(found_);
  }

 private:
  const Table& table() const { return period_.now.table(); }
  const ThenCell* then(std::int32_t cell) const {
    const auto& there = period_.then[base::at(cell)];
    return there ? &*there : nullptr;
  }

  Status find() {
    if (period_.by_records) {
      if (period_.difference)
        take_difference();
      return ok_status();
    }
    if (period_.now.counts())
      return find_small(period_.now.counts()->threshold, [&](CellId now, const ThenCell& before) {
        return table().value(now) - before.value;
      });
    if (period_.least == 0 || !period_.said.cumulated || !has_frequencies())
      return Error{ErrorCode::kContradiction,
                   "whose contributions have changed cannot be told from two tables; give the "
                   "records of both periods, or say differences = \"none\"; if the new table has "
                   "all that the earlier one has, cumulated = true, the numbers of contributors "
                   "and a frequency rule are enough",
                   period_.where};
    return find_small(period_.least, [&](CellId now, const ThenCell& before) -> Units {
      return table().cell(now).frequency - before.frequency;
    });
  }

  bool has_frequencies() const {
    for (std::int32_t c = 0; c < table().num_cells(); ++c) {
      const ThenCell* before = then(c);
      if (before != nullptr && (table().cell(CellId{c}).frequency < 0 || before->frequency < 0))
        return false;
    }
    return true;
  }

  // Changes that fewer contributors make than the rule asks for.
  template <class Contributors>
  Status find_small(std::int64_t least, Contributors&& contributors) {
    std::optional<Decimal> level;
    if (!period_.said.level.text.empty()) {
      LACUNA_TRY(level, Decimal::parse(period_.said.level.text));
    }
    for (std::int32_t c = 0; c < table().num_cells(); ++c) {
      const ThenCell* before = then(c);
      if (before == nullptr)
        continue;
      const Units changed = std::abs(contributors(CellId{c}, *before));
      if (changed == 0 || changed >= least)
        continue;
      Requirement need;
      need.sliding = 1;
      need.origin = LevelOrigin::kImplied;
      if (level) {
        Wide scale = 100;
        for (int p = 0; p < level->places(); ++p)
          scale *= 10;
        const Units change = table().value(CellId{c}) - before->value;
        const Wide part = (Wide{std::abs(change)} * level->digits() + scale - 1) / scale;
        need.lower = need.upper = static_cast<Units>(part);
        if (part > 0)
          need.sliding = 0, need.origin = LevelOrigin::kGiven;
      }
      found_[c].needs.push_back(need);
      found_[c].contributors = changed;
    }
    return ok_status();
  }

  void add(CellId now, const Requirement& need) {
    SensitiveChange& change = found_[now.value];
    change.needs.push_back(need);
    change.contributors = period_.difference->table().cell(need.cell).frequency;
  }

  void take_difference() {
    const Problem& difference = *period_.difference;
    const std::vector<CellId> same = same_cells(difference.table(), table());
    for (const Requirement& need : difference.requirements()) {
      const CellId now = same[static_cast<std::size_t>(need.cell.value)];
      if (now.value >= 0 && then(now.value) != nullptr)
        add(now, need);
    }
    for (std::size_t a = 0; a < difference.attackers().size(); ++a) {
      for (const Knowledge& known : difference.attackers()[a].known) {
        const CellId now = same[static_cast<std::size_t>(known.cell.value)];
        const auto found = found_.find(now.value);
        if (now.value >= 0 && found != found_.end())
          found->second.known.emplace_back(static_cast<std::int32_t>(a), known.bounds);
      }
    }
  }

  const ComparedPeriod& period_;
  std::map<std::int32_t, SensitiveChange> found_;
};

}  // namespace

// Of every cell of `from` the cell of `to` with the same codes, by name.
std::vector<CellId> same_cells(const Table& from, const Table& to) {
  std::map<std::vector<std::string>, CellId> cells;
  const auto codes_of = [](const Table& table, CellId cell) {
    std::vector<std::string> codes;
    const auto given = table.codes(cell);
    for (std::size_t d = 0; d < given.size(); ++d)
      codes.push_back(table.dimensions()[d].name() + "=" + table.dimensions()[d].code(given[d]));
    std::sort(codes.begin(), codes.end());
    return codes;
  };
  for (std::int32_t c = 0; c < to.num_cells(); ++c) {
    if (!table::is_unpublished(to.cell(CellId{c})))
      cells.emplace(codes_of(to, CellId{c}), CellId{c});
  }
  std::vector<CellId> same(base::at(from.num_cells()), kNoCell);
  for (std::int32_t c = 0; c < from.num_cells(); ++c) {
    const auto found = cells.find(codes_of(from, CellId{c}));
    if (found != cells.end() && !table::is_unpublished(from.cell(CellId{c})))
      same[base::at(c)] = found->second;
  }
  return same;
}

Result<std::map<std::int32_t, SensitiveChange>> sensitive_changes(const ComparedPeriod& period) {
  return Finder(period).run();
}

Units shift_of(Units most) {
  Units power = 1000;
  while (power < kMaxUnits / 100 && power / 10 < most)
    power *= 10;
  return power;
}

}  // namespace lacuna::load

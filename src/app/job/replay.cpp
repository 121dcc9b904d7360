// SPDX-License-Identifier: Apache-2.0
#include "app/job/replay.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "core/base/decimal.h"
#include "core/base/json_writer.h"

namespace lacuna::job {
namespace {

using Move = std::map<std::int32_t, Units>;  // by cell, whole and not zero

constexpr std::size_t kCellsListed = 40;

// A displacement in smallest whole numbers, and how often these make it up. Nothing if it has no
// whole table on the way.
struct Line {
  Move step;
  Units times = 0;
};

std::optional<Line> line_of(const Displacement& witness) {
  Line line;
  Units common = 0;
  for (std::size_t i = 0; i < witness.cells.size(); ++i) {
    const auto move = witness.moves[i].to_int64();
    if (!move || *move > kMaxUnits || *move < -kMaxUnits)
      return std::nullopt;
    line.step[witness.cells[i].value] = *move;
    common = std::gcd(common, *move);
  }
  const auto denominator = witness.denominator.to_int64();
  if (!denominator || common == 0)
    return std::nullopt;
  for (auto& [cell, move] : line.step)
    move /= common;
  line.times = common / *denominator;
  return line.times > 0 ? std::optional(std::move(line)) : std::nullopt;
}

Move times(const Move& step, Units factor) {
  Move made;
  for (const auto& [cell, move] : step)
    made[cell] = move * factor;
  return made;
}

Move sum(Move a, const Move& b) {
  for (const auto& [cell, move] : b) {
    if ((a[cell] += move) == 0)
      a.erase(cell);
  }
  return a;
}

Displacement displacement_of(const Move& moved) {
  Displacement made;
  for (const auto& [cell, move] : moved) {
    made.cells.push_back(CellId{cell});
    made.moves.emplace_back(move);
  }
  return made;
}

Units move_of(const Move& moved, CellId cell) {
  const auto found = moved.find(cell.value);
  return found == moved.end() ? 0 : found->second;
}

class ReplaySearch {
 public:
  ReplaySearch(const Problem& problem,
               const Draft& release,
               const AuditReport& report,
               std::int64_t most,
               Rerun& rerun)
      : problem_(problem), release_(release), report_(report), most_(most), rerun_(rerun) {}

  ReplayOutcome find() {
    const auto findings = report_.of(Domain::kRational);
    for (std::size_t i = 0; i < findings.size(); ++i) {
      const Requirement& need = problem_.requirements()[i];
      if (need.attacker != 0 || need.asks_nothing())
        continue;
      ReplayedRange range{static_cast<std::int32_t>(i), need.cell};
      range.high = end_of(need, findings[i].high, Direction::kHigh);
      range.low = end_of(need, findings[i].low, Direction::kLow);
      found_.ranges.push_back(range);
    }
    found_.runs = rerun_.runs();
    found_.follows = rerun_.follows();
    for (const Move& each : replayed_)
      found_.witnesses.push_back(displacement_of(each));
    return std::move(found_);
  }

 private:
  bool fits(const Move& moved) const {
    const Table& table = problem_.table();
    return std::all_of(moved.begin(), moved.end(), [&](const auto& each) {
      const CellId cell{each.first};
      const Bounds known = intersect(table.cell(cell).prior, release_.implied(table, cell));
      return known.contains(table.value(cell) + each.second);
    });
  }

  // The farthest of those that replayed for other cells.
  std::int32_t farthest(CellId cell, Direction side) const {
    std::int32_t best = -1;
    Units far = 0;
    for (std::size_t i = 0; i < replayed_.size(); ++i) {
      const Units move = sign(side) * move_of(replayed_[i], cell);
      if (move > far) {
        far = move;
        best = static_cast<std::int32_t>(i);
      }
    }
    return best;
  }

  bool try_move(const Move& moved) {
    if (moved.empty() || !tried_.insert(moved).second || !fits(moved) || !rerun_.replays(moved))
      return false;
    replayed_.push_back(moved);
    return true;
  }

  // How far an unlimited ray is followed: as far as what is asked, and once more.
  static Units ray_length(const Requirement& need) {
    return 2 * std::max({need.lower, need.upper, need.sliding, Units{1}});
  }

  void along(const Requirement& need, const End& end, Direction side) {
    if (end.witness < 0)
      return;
    auto line =
        line_of(report_.evidence.witnesses[static_cast<std::size_t>(end.witness)]);
    if (!line)
      return;
    const Units per_step = std::max<Units>(1, sign(side) * move_of(line->step, need.cell));
    if (end.unbounded)
      line->times = ray_length(need) / per_step + 1;
    std::int64_t runs = 0;
    for (const Units share : {8, 6, 5, 4, 3, 2, 1, 0}) {  // eighths; at last a single step
      const Units factor = std::max<Units>(1, line->times / 8 * share + line->times % 8 * share / 8);
      if (runs >= most_ || reached(need.cell, side) >= factor * per_step)
        return;
      ++runs;
      if (try_move(times(line->step, factor)))
        return;
    }
  }

  Units reached(CellId cell, Direction side) const {
    const std::int32_t best = farthest(cell, side);
    return best < 0 ? 0 : sign(side) * move_of(replayed_[static_cast<std::size_t>(best)], cell);
  }

  // Two that replayed, together.
  void by_sums(CellId cell, Direction side) {
    const std::int32_t best = farthest(cell, side);
    if (best < 0)
      return;
    const Move first = replayed_[static_cast<std::size_t>(best)];
    std::int64_t runs = 0;
    for (std::size_t i = 0; i < replayed_.size() && runs < most_ / 4; ++i) {
      const Move both = sum(first, replayed_[i]);
      if (sign(side) * move_of(both, cell) <= reached(cell, side) || !fits(both))
        continue;
      ++runs;
      try_move(both);
    }
  }

  Units end_of(const Requirement& need, const End& end, Direction side) {
    along(need, end, side);
    const Units asked = side == Direction::kHigh ? need.upper : need.lower;
    if (reached(need.cell, side) < std::max(asked, need.sliding))
      by_sums(need.cell, side);
    const std::int32_t best = farthest(need.cell, side);
    if (best >= 0)
      found_.replays.push_back({need.cell, side, best});
    return reached(need.cell, side);
  }

  const Problem& problem_;
  const Draft& release_;
  const AuditReport& report_;
  std::int64_t most_;
  Rerun& rerun_;
  ReplayOutcome found_;
  std::vector<Move> replayed_;
  std::set<Move> tried_;
};

bool keeps(const Requirement& need, const ReplayedRange& range) {
  return range.high >= need.upper && range.low >= need.lower &&
         range.low + range.high >= need.sliding;
}

std::string number(const Problem& problem, Units value) {
  return base::format_units(value, problem.table().decimals());
}

}  // namespace

std::int64_t ReplayOutcome::kept(const Problem& problem) const {
  return std::count_if(ranges.begin(), ranges.end(), [&](const ReplayedRange& each) {
    return keeps(problem.requirements()[static_cast<std::size_t>(each.requirement)], each);
  });
}

ReplayOutcome find_replays(const Problem& problem,
                           const Draft& release,
                           const AuditReport& report,
                           std::int64_t most,
                           Rerun& rerun) {
  return ReplaySearch(problem, release, report, most, rerun).find();
}

std::vector<certificate::Replay> add_witnesses(const ReplayOutcome& found, AuditReport& report) {
  const auto before = static_cast<std::int32_t>(report.evidence.witnesses.size());
  for (const Displacement& each : found.witnesses)
    report.evidence.witnesses.push_back(each);
  std::vector<certificate::Replay> named = found.replays;
  for (certificate::Replay& each : named)
    each.witness += before;
  return named;
}

std::string replay_text(const Problem& problem, const ReplayOutcome& found) {
  std::string text = fmt::format(
      "replay: of {} sensitive cells {} have tables on both sides that the program gives the very "
      "same release, {} as far as asked; {} runs; {}\n",
      found.ranges.size(),
      std::count_if(found.ranges.begin(),
                    found.ranges.end(),
                    [](const auto& each) { return each.low > 0 && each.high > 0; }),
      found.kept(problem),
      found.runs,
      found.follows);
  std::size_t listed = 0;
  for (const ReplayedRange& each : found.ranges) {
    const Requirement& need = problem.requirements()[static_cast<std::size_t>(each.requirement)];
    if (found.ranges.size() > kCellsListed && keeps(need, each))
      continue;
    if (++listed > kCellsListed) {
      text += "  ... (all of them with --json)\n";
      break;
    }
    const Units value = problem.table().value(each.cell);
    text += fmt::format(
        "{} value {}  at least [{}, {}] against the owner of the program{}\n",
        problem.table().label(each.cell),
        number(problem, value),
        number(problem, value - each.low),
        number(problem, value + each.high),
        keeps(need, each) ? "" : "; no table as far as asked was found");
  }
  return text;
}

void write_replays(base::JsonWriter& json, const Problem& problem, const ReplayOutcome& found) {
  json.key("replay").object([&] {
    json.member("runs", found.runs).member("follows", found.follows);
    json.member("as_far_as_asked", found.kept(problem));
    json.key("cells").list(found.ranges, [&](const ReplayedRange& each) {
      const Units value = problem.table().value(each.cell);
      json.line().object([&] {
        json.member("cell", each.cell.value);
        json.key("lower").raw(number(problem, value - each.low));
        json.key("upper").raw(number(problem, value + each.high));
        json.member(
            "as_asked",
            keeps(problem.requirements()[static_cast<std::size_t>(each.requirement)], each));
      });
    });
  });
}

Result<std::int64_t> verify_replays(const certificate::Certificate& certificate,
                                    const std::string& where,
                                    const Problem& problem,
                                    Rerun& rerun) {
  std::set<std::int32_t> run_already;
  for (const certificate::Replay& each : certificate.replays) {
    const auto line = line_of(
        certificate.claimed.evidence.witnesses[static_cast<std::size_t>(each.witness)]);
    const Move moved = line ? times(line->step, line->times) : Move();
    const bool says = sign(each.side) * move_of(moved, each.cell) > 0;
    if (!says || (run_already.insert(each.witness).second && !rerun.replays(moved)))
      return Error{ErrorCode::kWrongEvidence,
                   "the program does not make this release of the table that the certificate "
                   "names for " +
                       problem.table().label(each.cell),
                   where};
  }
  return static_cast<std::int64_t>(certificate.replays.size());
}

}  // namespace lacuna::job

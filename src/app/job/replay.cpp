// SPDX-License-Identifier: Apache-2.0
#include "app/job/replay.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "app/job/safe_tables.h"
#include "app/job/stored_bound.h"
#include "core/base/decimal.h"
#include "core/base/json_writer.h"

namespace lacuna::job {
namespace {

constexpr std::size_t kCellsListed = 40;

// A displacement in smallest whole numbers, and how often these make it up. Nothing if it has no
// whole table on the way.
struct Line {
  TableMove step;
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

TableMove times(const TableMove& step, Units factor) {
  TableMove made;
  for (const auto& [cell, move] : step)
    made[cell] = move * factor;
  return made;
}

TableMove sum(TableMove a, const TableMove& b) {
  for (const auto& [cell, move] : b) {
    if ((a[cell] += move) == 0)
      a.erase(cell);
  }
  return a;
}

Displacement displacement_of(const TableMove& moved) {
  Displacement made;
  for (const auto& [cell, move] : moved) {
    made.cells.push_back(CellId{cell});
    made.moves.emplace_back(move);
  }
  return made;
}

Units move_of(const TableMove& moved, CellId cell) {
  const auto found = moved.find(cell.value);
  return found == moved.end() ? 0 : found->second;
}

// How often a step is taken: all that there are, or of many the sixteenths and the halves of one.
std::vector<Units> factors_of(Units times) {
  constexpr Units kParts = 16;
  std::vector<Units> factors;
  for (Units part = kParts; part > 0 && times > kParts; --part)
    factors.push_back(times / kParts * part + times % kParts * part / kParts);
  for (Units left = times > kParts ? times / kParts / 2 : 0; left > 0; left /= 2)
    factors.push_back(left);
  for (Units each = times; each > 0 && times <= kParts; --each)
    factors.push_back(each);
  return factors;
}

class ReplaySearch {
 public:
  ReplaySearch(const Problem& problem,
               const Draft& release,
               const AuditReport& report,
               std::int64_t most,
               Rerun& rerun)
      : problem_(problem),
        release_(release),
        report_(report),
        most_(most),
        rerun_(rerun),
        safe_(static_cast<std::size_t>(problem.table().num_cells())) {}

  Result<ReplayOutcome> find() {
    LACUNA_RETURN_IF_ERROR(look_closer());
    rerun_.know(report_.evidence.witnesses);
    for (std::size_t i = 0; i < report_.of(Domain::kRational).size(); ++i) {
      const Requirement& need = problem_.requirements()[i];
      if (need.attacker != 0 || need.asks_nothing())
        continue;
      for (const Direction side : {Direction::kHigh, Direction::kLow})
        widen(need, i, side);
      found_.ranges.push_back({static_cast<std::int32_t>(i), need.cell});
    }
    for (ReplayedRange& range : found_.ranges)
      tell(range);
    found_.runs = rerun_.runs();
    found_.follows = rerun_.follows();
    for (const TableMove& each : replayed_)
      found_.witnesses.push_back(displacement_of(each));
    return std::move(found_);
  }

 private:
  // Witnesses within what is left of the tables that fit, and what is stored about the optimum.
  Status look_closer() {
    if (release_.adjusted() || problem_.counts())
      return ok_status();
    stored_ = StoredBound::make(problem_, release_, rerun_);
    const bool two_sided =
        std::any_of(problem_.requirements().begin(), problem_.requirements().end(), [](auto& need) {
          return need.attacker == 0 && (need.lower > 0 || need.upper > 0);
        });
    if (!two_sided)  // a width is kept on all tables that fit, or on none
      return ok_status();
    safe_ = safe_values(problem_, report_, rerun_);
    LACUNA_TRY(narrow_, audit_within(problem_, release_, safe_, rerun_));
    return ok_status();
  }

  bool fits(const TableMove& moved) const {
    const Table& table = problem_.table();
    return std::all_of(moved.begin(), moved.end(), [&](const auto& each) {
      const CellId cell{each.first};
      const Bounds known = intersect(table.cell(cell).prior, release_.implied(table, cell));
      return known.contains(table.value(cell) + each.second);
    });
  }

  // No for a table that cannot have the release.
  bool may_replay(const TableMove& moved) {
    if (tried_.contains(moved) || !fits(moved))
      return false;
    const bool may = std::all_of(moved.begin(), moved.end(), [&](const auto& each) {
      const Units value = problem_.table().value(CellId{each.first}) + each.second;
      return safe_[static_cast<std::size_t>(each.first)].contains(value);
    });
    if (!may && ruled_out_.insert(moved).second)
      ++found_.ruled_out;
    return may;
  }

  bool is_told(const TableMove& moved) {
    if (!stored_)
      return false;
    auto there = rerun_.problem_at(moved);
    const bool told = there && stored_->tells(std::move(there).value());
    found_.told += told ? 1 : 0;
    return told;
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

  Units reached(CellId cell, Direction side) const {
    const std::int32_t best = farthest(cell, side);
    return best < 0 ? 0 : sign(side) * move_of(replayed_[static_cast<std::size_t>(best)], cell);
  }

  bool try_move(const TableMove& moved, bool told) {
    tried_.insert(moved);
    const bool replayed = rerun_.replays(moved);
    found_.told_run += told ? 1 : 0;
    found_.told_true += told && replayed ? 1 : 0;
    if (replayed)
      replayed_.push_back(moved);
    return replayed;
  }

  // How far an unlimited ray is followed: as far as what is asked, and once more.
  static Units ray_length(const Requirement& need) {
    return 2 * std::max({need.lower, need.upper, need.sliding, Units{1}});
  }

  struct Candidate {
    TableMove moved;
    Units far = 0;
    bool told = false;
  };

  // The tables of (1) that may replay: first those that are told to, of either the farthest.
  std::vector<Candidate> along(const AuditReport& report,
                               const Requirement& need,
                               const End& end,
                               Direction side) {
    if (end.witness < 0)
      return {};
    auto line = line_of(report.evidence.witnesses[static_cast<std::size_t>(end.witness)]);
    if (!line)
      return {};
    const Units per_step = std::max<Units>(1, sign(side) * move_of(line->step, need.cell));
    if (end.unbounded)
      line->times = ray_length(need) / per_step + 1;
    std::vector<Candidate> found;
    for (const Units factor : factors_of(line->times)) {
      Candidate each{times(line->step, factor), factor * per_step};
      if (each.far <= reached(need.cell, side) || !may_replay(each.moved))
        continue;
      each.told = is_told(each.moved);
      found.push_back(std::move(each));
    }
    std::stable_partition(found.begin(), found.end(), [](const auto& each) { return each.told; });
    return found;
  }

  void run_through(std::vector<Candidate> candidates, CellId cell, Direction side, std::int64_t& left) {
    for (const Candidate& each : candidates) {
      if (left > 0 && each.far > reached(cell, side)) {
        --left;
        try_move(each.moved, each.told);
      }
    }
  }

  // Two that replayed, together.
  void by_sums(CellId cell, Direction side, std::int64_t left) {
    const std::int32_t best = farthest(cell, side);
    if (best < 0)
      return;
    const TableMove first = replayed_[static_cast<std::size_t>(best)];
    const std::size_t known = replayed_.size();
    for (std::size_t i = 0; i < known && left > 0; ++i) {
      const TableMove both = sum(first, replayed_[i]);
      if (sign(side) * move_of(both, cell) <= reached(cell, side) || !may_replay(both))
        continue;
      --left;
      try_move(both, false);
    }
  }

  void widen(const Requirement& need, std::size_t index, Direction side) {
    const auto end_in = [&](const Finding& finding) {
      return side == Direction::kHigh ? finding.high : finding.low;
    };
    std::int64_t left = most_;
    if (narrow_)
      run_through(along(*narrow_, need, end_in(narrow_->of(Domain::kRational)[index]), side),
                  need.cell,
                  side,
                  left);
    for (const Finding& finding : report_.of(Domain::kInteger)) {
      if (is_about(finding.question, need.cell))
        run_through(along(report_, need, end_in(finding), side), need.cell, side, left);
    }
    run_through(along(report_, need, end_in(report_.of(Domain::kRational)[index]), side),
                need.cell,
                side,
                left);
    const Units asked = side == Direction::kHigh ? need.upper : need.lower;
    if (reached(need.cell, side) < std::max(asked, need.sliding))
      by_sums(need.cell, side, std::max<std::int64_t>(1, most_ / 4));
  }

  // A question about the count itself, of outsiders.
  static bool is_about(const Question& question, CellId cell) {
    return question.attacker == 0 && question.cell == cell && question.group.value < 0 &&
           question.form.size() == 1 && question.form.front().coefficient == 1;
  }

  // What all that replayed leaves of the cell.
  void tell(ReplayedRange& range) {
    const Requirement& need = problem_.requirements()[static_cast<std::size_t>(range.requirement)];
    range.high = reached(range.cell, Direction::kHigh);
    range.low = reached(range.cell, Direction::kLow);
    for (const Direction side : {Direction::kHigh, Direction::kLow}) {
      if (const std::int32_t best = farthest(range.cell, side); best >= 0)
        found_.replays.push_back({range.cell, side, best});
    }
    range.as_asked = range.high >= need.upper && range.low >= need.lower &&
                     range.low + range.high >= need.sliding && is_as_ambiguous(range.cell);
  }

  // Of counts: so many other values, not all of them small.
  bool is_as_ambiguous(CellId cell) const {
    if (!problem_.counts())
      return true;
    const Units truth = problem_.table().value(cell);
    std::set<Units> values{truth};
    for (const TableMove& each : replayed_)
      values.insert(truth + move_of(each, cell));
    const bool other = std::any_of(values.begin(), values.end(), [&](Units value) {
      return value < 1 || value >= problem_.counts()->threshold;
    });
    return other && std::ssize(values) > problem_.counts()->ambiguity;
  }

  const Problem& problem_;
  const Draft& release_;
  const AuditReport& report_;
  std::int64_t most_;
  Rerun& rerun_;
  ReplayOutcome found_;
  std::vector<Bounds> safe_;  // by cell
  std::optional<AuditReport> narrow_;
  std::optional<StoredBound> stored_;
  std::vector<TableMove> replayed_;
  std::set<TableMove> tried_, ruled_out_;
};

std::string number(const Problem& problem, Units value) {
  return base::format_units(value, problem.table().decimals());
}

}  // namespace

std::int64_t ReplayOutcome::kept() const {
  return std::count_if(ranges.begin(), ranges.end(), [](const auto& each) { return each.as_asked; });
}

Result<ReplayOutcome> find_replays(const Problem& problem,
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

namespace {

// ", 5 tables ruled out without a run, 3 told by stored inequalities (2 of 2 that were run replay)"
std::string spared_text(const ReplayOutcome& found) {
  std::string text;
  if (found.ruled_out > 0)
    text += fmt::format(", {} tables ruled out without a run", found.ruled_out);
  if (found.told > 0)
    text += fmt::format(", {} told to replay by stored inequalities ({} of {} that were run do)",
                        found.told,
                        found.told_true,
                        found.told_run);
  return text;
}

}  // namespace

std::string replay_text(const Problem& problem, const ReplayOutcome& found) {
  std::string text = fmt::format(
      "replay: of {} sensitive cells {} have tables on both sides that the program gives the very "
      "same release, {} as far as asked; {} runs{}; {}\n",
      found.ranges.size(),
      std::count_if(found.ranges.begin(),
                    found.ranges.end(),
                    [](const auto& each) { return each.low > 0 && each.high > 0; }),
      found.kept(),
      found.runs,
      spared_text(found),
      found.follows);
  std::size_t listed = 0;
  for (const ReplayedRange& each : found.ranges) {
    if (found.ranges.size() > kCellsListed && each.as_asked)
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
        each.as_asked ? "" : "; no table as far as asked was found");
  }
  return text;
}

void write_replays(base::JsonWriter& json, const Problem& problem, const ReplayOutcome& found) {
  json.member("runs", found.runs).member("follows", found.follows);
  json.member("ruled_out", found.ruled_out).member("told", found.told);
  json.member("told_run", found.told_run).member("told_true", found.told_true);
  json.member("as_far_as_asked", found.kept());
  json.key("cells").list(found.ranges, [&](const ReplayedRange& each) {
    const Units value = problem.table().value(each.cell);
    json.line().object([&] {
      json.member("cell", each.cell.value);
      json.key("lower").raw(number(problem, value - each.low));
      json.key("upper").raw(number(problem, value + each.high));
      json.member("as_asked", each.as_asked);
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
    const TableMove moved = line ? times(line->step, line->times) : TableMove();
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

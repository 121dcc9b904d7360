// SPDX-License-Identifier: Apache-2.0
#include "app/load/periods.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <set>

#include "core/base/decimal.h"
#include "core/base/index.h"
#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "core/table/unpublished.h"
#include "judge/attack/count_slacks.h"
#include "lacuna/decimal.h"

namespace lacuna::load {
namespace {

using table::Appendix;
using table::WideTerm;

constexpr CellId kNoCell{-1};

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

// "20%" as a decimal number of percent; nothing if the change is not bounded.
Result<std::optional<Decimal>> percent_of(const EarlierPeriod& period) {
  const std::string& text = period.said.change;
  if (text.empty() || text == "unbounded")
    return std::optional<Decimal>();
  const auto number =
      text.ends_with('%') ? Decimal::parse(text.substr(0, text.size() - 1)) : Decimal::parse("x");
  if (!number || *number < Decimal(0))
    return Error{ErrorCode::kJobValue,
                 "change must be a percentage such as \"20%\", or \"unbounded\", not " +
                     base::in_quotes(text),
                 period.where};
  return std::optional<Decimal>(*number);
}

// The system of one earlier period behind that of the table.
class PeriodBuilder {
 public:
  PeriodBuilder(Appendix& to, const Problem& now, const EarlierPeriod& period, std::int64_t least)
      : to_(to), now_(now), period_(period), least_(least) {}

  Result<AddedPeriod> run(bool linked) {
    LACUNA_TRY(const auto percent, percent_of(period_));
    const Table& before = period_.problem.table();
    then_ = same_cells(now_.table(), before);
    if (period_.said.differences != "none")
      LACUNA_RETURN_IF_ERROR(find_sensitive());
    const bool bounded = percent || period_.said.cumulated;
    AddedPeriod made{std::vector<CellId>(then_.size(), kNoCell), bounded || !sensitive_.empty()};
    if (!linked && !made.judged)
      return made;
    add_cells();
    for (std::size_t c = 0; c < then_.size(); ++c) {
      if (then_[c].value >= 0)
        made.same[c] = added(then_[c]);
    }
    if (bounded)
      add_questions();
    for (std::size_t c = 0; c < then_.size(); ++c) {
      if (then_[c].value >= 0 && (bounded || sensitive_.contains(static_cast<std::int32_t>(c))))
        LACUNA_RETURN_IF_ERROR(add_change(CellId{static_cast<std::int32_t>(c)}, percent));
    }
    return made;
  }

 private:
  CellId added(CellId before) const { return CellId{first_ + before.value}; }
  Units change_of(CellId now) const {
    return now_.table().value(now) -
           period_.problem.table().value(then_[static_cast<std::size_t>(now.value)]);
  }

  // What is asked of each sensitive change: requirements of the table of changes, or one of our
  // own.
  struct Asked {
    std::vector<Requirement> needs;
    std::vector<std::pair<std::int32_t, Bounds>> known;  // attackers of the table of changes
  };

  Status find_sensitive() {
    if (period_.by_records)
      return period_.difference ? take_difference() : ok_status();
    if (now_.counts())
      return find_small(now_.counts()->threshold,
                        [&](CellId now, CellId) { return change_of(now); });
    if (least_ == 0 || !period_.said.cumulated || !has_frequencies())
      return Error{ErrorCode::kContradiction,
                   "whose contributions have changed cannot be told from two tables; give the "
                   "records of both periods, or say differences = \"none\"; if the new table has "
                   "all that the earlier one has, cumulated = true, the numbers of contributors "
                   "and a frequency rule are enough",
                   period_.where};
    return find_small(least_, [&](CellId now, CellId before) -> Units {
      return now_.table().cell(now).frequency - period_.problem.table().cell(before).frequency;
    });
  }

  bool has_frequencies() const {
    for (std::size_t c = 0; c < then_.size(); ++c) {
      const CellId now{static_cast<std::int32_t>(c)};
      if (then_[c].value >= 0 && (now_.table().cell(now).frequency < 0 ||
                                  period_.problem.table().cell(then_[c]).frequency < 0))
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
    for (std::int32_t c = 0; c < now_.table().num_cells(); ++c) {
      const CellId before = then_[base::at(c)];
      if (before.value < 0)
        continue;
      const Units changed = std::abs(contributors(CellId{c}, before));
      if (changed == 0 || changed >= least)
        continue;
      Requirement need;
      need.sliding = 1;
      need.origin = LevelOrigin::kImplied;
      if (level) {
        Wide scale = 100;
        for (int p = 0; p < level->places(); ++p)
          scale *= 10;
        const Wide part =
            (Wide{std::abs(change_of(CellId{c}))} * level->digits() + scale - 1) / scale;
        need.lower = need.upper = static_cast<Units>(part);
        if (part > 0)
          need.sliding = 0, need.origin = LevelOrigin::kGiven;
      }
      sensitive_[c].needs.push_back(need);
    }
    return ok_status();
  }

  Status take_difference() {
    const Problem& difference = *period_.difference;
    const std::vector<CellId> same = same_cells(difference.table(), now_.table());
    for (const Requirement& need : difference.requirements()) {
      const CellId now = same[static_cast<std::size_t>(need.cell.value)];
      if (now.value >= 0 && then_[static_cast<std::size_t>(now.value)].value >= 0)
        sensitive_[now.value].needs.push_back(need);
    }
    for (std::size_t a = 0; a < difference.attackers().size(); ++a) {
      for (const Knowledge& known : difference.attackers()[a].known) {
        const CellId now = same[static_cast<std::size_t>(known.cell.value)];
        const auto found = sensitive_.find(now.value);
        if (now.value >= 0 && found != sensitive_.end())
          found->second.known.emplace_back(static_cast<std::int32_t>(a), known.bounds);
      }
    }
    return ok_status();
  }

  void add_cells() {
    first_ = to_.num_cells();
    const Table& before = period_.problem.table();
    const std::vector<CellId> now = same_cells(before, now_.table());
    for (std::int32_t c = 0; c < before.num_cells(); ++c) {
      const Cell& cell = before.cell(CellId{c});
      Bounds known = intersect(cell.prior, period_.release.implied(before, CellId{c}));
      if (period_.problem.counts())  // ... and by the rule that its blanks follow
        known = intersect(
            known,
            attack::implied_by_rule(
                before, *period_.problem.counts(), CellId{c}, period_.release.state(CellId{c})));
      const CellId like = now[base::at(c)].value >= 0 ? now[base::at(c)] : CellId{0};
      to_.add_cell(cell.value, known, like);
    }
    for (std::int32_t e = 0; e < before.num_equations(); ++e) {
      std::vector<Term> terms;
      for (const Term& term : before.equation(EquationId{e}))
        terms.push_back({added(term.cell), term.coefficient});
      to_.add_equation(std::move(terms), before.rhs(EquationId{e}));
    }
  }

  // What was asked of the earlier cells then is asked again, as the new table tells of them.
  void add_questions() {
    const Problem& before = period_.problem;
    for (Requirement need : before.requirements()) {
      if (period_.release.is_exact(need.cell))
        continue;
      need.cell = added(need.cell);
      need.attacker = to_.attacker(before.attackers()[base::at(need.attacker)].name);
      to_.require(need);
    }
    for (const Attacker& attacker : before.attackers()) {
      for (Knowledge known : attacker.known) {
        known.cell = added(known.cell);
        to_.know(to_.attacker(attacker.name), known);
      }
    }
    if (!before.counts() || !now_.counts())
      return;
    for (CountQuestion question : before.counts()->questions) {
      if (period_.release.is_exact(question.cell))
        continue;
      question.attacker = to_.attacker(before.attackers()[base::at(question.attacker)].name);
      question.cell = added(question.cell);
      if (question.group.value >= 0)
        question.group = added(question.group);
      for (Term& term : question.form)
        term.cell = added(term.cell);
      to_.ask(std::move(question));
    }
  }

  // (1), with what readers know of the change and what they must not.
  Status add_change(CellId now, const std::optional<Decimal>& percent) {
    const CellId before = added(then_[static_cast<std::size_t>(now.value)]);
    if (percent)
      LACUNA_RETURN_IF_ERROR(bound_change(now, before, *percent));
    const auto asked = sensitive_.find(now.value);
    if (asked == sensitive_.end()) {
      if (!period_.said.cumulated)
        return ok_status();
      return placed(to_.add_at_least({{now, 1}, {before, -1}}, 0, now), now);
    }
    const Units change = change_of(now);
    const Bounds prior{period_.said.cumulated ? 0 : kUnboundedBelow, kUnboundedAbove};
    if (!prior.contains(change))
      return falls(now);
    // No count is below zero, and a change may be: it stands with a power of ten added.
    const Units added_to = now_.counts() && !period_.said.cumulated ? shift() : 0;
    const CellId cell = to_.add_cell(change + added_to, prior, now);
    to_.add_equation({{now, 1}, {before, -1}, {cell, -1}}, -added_to);
    for (Requirement need : asked->second.needs) {
      need.cell = cell;
      need.attacker = attacker_of(need.attacker);
      to_.require(need);
      if (now_.counts() && need.attacker == 0)
        to_.ask({CountKind::kExact, 0, cell, CellId{-1}, {{cell, 1}}});
    }
    for (const auto& [attacker, bounds] : asked->second.known)
      to_.know(attacker_of(attacker), {cell, bounds});
    return ok_status();
  }

  // Beyond every count of both periods, so that it bounds no change that anybody would think of.
  Units shift() const {
    Units most = 0;
    for (const Table* table : {&now_.table(), &period_.problem.table()}) {
      for (const Cell& cell : table->cells())
        most = std::max(most, cell.value);
    }
    Units power = 1000;
    while (power < kMaxUnits / 100 && power / 10 < most)
      power *= 10;
    return power;
  }

  std::int32_t attacker_of(std::int32_t of_changes) {
    if (!period_.difference)
      return of_changes;
    return to_.attacker(period_.difference->attackers()[base::at(of_changes)].name);
  }

  // |y - y0| <= q% of y0.
  Status bound_change(CellId now, CellId before, const Decimal& percent) {
    Wide whole = 100;
    for (int p = 0; p < percent.places(); ++p)
      whole *= 10;
    LACUNA_RETURN_IF_ERROR(
        placed(to_.add_at_least({{now, whole}, {before, percent.digits() - whole}}, 0, now), now));
    return placed(to_.add_at_least({{before, whole + percent.digits()}, {now, -whole}}, 0, now),
                  now);
  }

  Error falls(CellId now) const {
    return {ErrorCode::kFalseRelease,
            now_.table().label(now) + " is smaller than in the period " +
                base::in_quotes(period_.said.name) + ", so the tables are not cumulated",
            period_.where};
  }

  Status placed(Status status, CellId now) const {
    if (status || status.error().code != ErrorCode::kFalseRelease)
      return status;
    if (period_.said.change.empty())
      return falls(now);
    return Error{ErrorCode::kFalseRelease,
                 now_.table().label(now) + " has changed by more than readers are said to know",
                 period_.where};
  }

  Appendix& to_;
  const Problem& now_;
  const EarlierPeriod& period_;
  std::int64_t least_;
  std::vector<CellId> then_;  // by cell of the table, in the table of the period
  std::map<std::int32_t, Asked> sensitive_;
  std::int32_t first_ = 0;
};

// ---- records of changes

struct Columns {
  std::vector<std::string> keys;  // codes, and whose it is
  std::string value;
  std::vector<std::string> all() const {
    std::vector<std::string> names = keys;
    if (!value.empty())
      names.push_back(value);
    return names;
  }
};

Columns columns_of(const TabulateOptions& options) {
  Columns columns;
  std::set<std::string> seen;
  const auto take = [&](const std::string& name) {
    if (!name.empty() && seen.insert(name).second)
      columns.keys.push_back(name);
  };
  for (const DimensionSpec& dimension : options.dimensions) {
    for (const auto& chain : dimension.chains) {
      for (const std::string& column : chain)
        take(column);
    }
  }
  take(options.respondent);
  take(options.holding);
  columns.value = options.value;
  return columns;
}

// Calls `visit` with the fields of every record.
template <class Visit>
Status for_records(RecordSource& source, const std::vector<std::string>& columns, Visit&& visit) {
  LACUNA_RETURN_IF_ERROR(source.select(columns));
  for (;;) {
    RecordBlock block;
    LACUNA_TRY(const bool more, source.read(block));
    if (!more)
      return ok_status();
    LACUNA_RETURN_IF_ERROR(source.split(block));
    for (std::size_t r = 0; r < block.num_records; ++r) {
      const auto fields = std::span(block.fields).subspan(r * columns.size(), columns.size());
      LACUNA_RETURN_IF_ERROR(
          visit(fields, [&](std::size_t column) { return source.where(block, r, column); }));
    }
  }
}

}  // namespace

Result<AddedPeriod> add_period(table::Appendix& to,
                               const Problem& problem,
                               const EarlierPeriod& period,
                               std::int64_t least_contributors,
                               bool linked) {
  return PeriodBuilder(to, problem, period, least_contributors).run(linked);
}

Result<std::unique_ptr<RecordSource>> changed_records(const jobfile::RecordJob& job,
                                                      RecordSource& now,
                                                      RecordSource& before) {
  const TabulateOptions& options = job.tabulate;
  if (!options.weight.empty())
    return Error{ErrorCode::kUnsupported,
                 "changes of weighted records are not judged; say differences = \"none\" in "
                 "[[before]]",
                 job.filename};
  const Columns columns = columns_of(options);
  const std::vector<std::string> names = columns.all();
  const bool anonymous = options.respondent.empty();
  // With a respondent the sum by key, exactly; without, how often each record is there.
  constexpr int kPlaces = 9;
  std::map<std::vector<std::string>, Wide> sums;
  const auto add = [&](int sign) {
    return [&, sign](std::span<const std::string_view> fields, auto&& where) -> Status {
      std::vector<std::string> key(fields.begin(), fields.end());
      if (anonymous || columns.value.empty()) {
        sums[std::move(key)] += sign;
        return ok_status();
      }
      std::string text = std::move(key.back());
      key.pop_back();
      std::replace(text.begin(), text.end(), options.decimal_mark, '.');
      if (text.empty())
        return ok_status();
      const auto value = base::parse_units(text, kPlaces);
      if (!value)
        return Error{ErrorCode::kBadNumber, value.error().message, where(columns.keys.size())};
      sums[std::move(key)] += sign * Wide{*value};
      return ok_status();
    };
  };
  LACUNA_RETURN_IF_ERROR(for_records(now, names, add(1)));
  LACUNA_RETURN_IF_ERROR(for_records(before, names, add(-1)));
  std::vector<std::vector<std::string>> rows;
  for (const auto& [key, sum] : sums) {
    if (sum == 0)
      continue;
    std::vector<std::string> row = key;
    if (!anonymous && !columns.value.empty()) {
      row.push_back(base::format_units(static_cast<Units>(sum), kPlaces));
      std::replace(row.back().begin(), row.back().end(), '.', options.decimal_mark);
      rows.push_back(std::move(row));
      continue;
    }
    if (sum < 0 && !columns.value.empty() && !row.back().empty())
      row.back() = row.back().front() == '-' ? row.back().substr(1) : "-" + row.back();
    for (Wide i = 0; i < (sum < 0 ? -sum : sum); ++i)
      rows.push_back(row);
  }
  if (rows.empty())
    return std::unique_ptr<RecordSource>();
  return std::unique_ptr<RecordSource>(std::make_unique<RowRecords>(names, std::move(rows)));
}

}  // namespace lacuna::load

// SPDX-License-Identifier: Apache-2.0
#include "app/load/periods.h"

#include <algorithm>
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

// |newer - older| <= q% of older.
Status add_bound(
    Appendix& to, CellId newer, CellId older, const Decimal& percent, CellId like) {
  Wide whole = 100;
  for (int p = 0; p < percent.places(); ++p)
    whole *= 10;
  LACUNA_RETURN_IF_ERROR(
      to.add_at_least({{newer, whole}, {older, percent.digits() - whole}}, 0, like));
  return to.add_at_least({{older, whole + percent.digits()}, {newer, -whole}}, 0, like);
}

// The system of one earlier period behind that of the table.
class PeriodBuilder {
 public:
  PeriodBuilder(Appendix& to, const Problem& now, const EarlierPeriod& period, std::int64_t least)
      : to_(to), now_(now), period_(period), least_(least) {}

  Result<AddedPeriod> run(bool linked) {
    const Table& before = period_.problem.table();
    then_ = same_cells(now_.table(), before);
    if (period_.said.differences != "none")
      LACUNA_RETURN_IF_ERROR(find_sensitive());
    const bool bounded = period_.knows_changes();
    linked_ = bounded && !period_.chained.has_value();
    AddedPeriod made;
    made.same.assign(then_.size(), kNoCell);
    made.judged = bounded || !sensitive_.empty();
    for (const auto& [cell, change] : sensitive_) {
      if (period_.release.is_exact(then_[base::at(cell)]))
        made.open.push_back({CellId{cell}, period_.said.name, change.contributors});
    }
    if (!linked && !made.judged)
      return made;
    add_cells();
    made.first = CellId{first_};
    for (std::size_t c = 0; c < then_.size(); ++c) {
      if (then_[c].value >= 0)
        made.same[c] = added(then_[c]);
    }
    if (bounded)
      add_questions();
    for (std::size_t c = 0; c < then_.size(); ++c) {
      if (then_[c].value >= 0 && (linked_ || sensitive_.contains(static_cast<std::int32_t>(c))))
        LACUNA_RETURN_IF_ERROR(add_change(CellId{static_cast<std::int32_t>(c)}, made));
    }
    return made;
  }

 private:
  CellId added(CellId before) const { return CellId{first_ + before.value}; }
  Units change_of(CellId now) const {
    return now_.table().value(now) -
           period_.problem.table().value(then_[static_cast<std::size_t>(now.value)]);
  }

  Status find_sensitive() {
    ComparedPeriod compared{now_,
                            std::vector<std::optional<ThenCell>>(then_.size()),
                            period_.said,
                            period_.where,
                            period_.difference,
                            period_.by_records,
                            least_};
    for (std::size_t c = 0; c < then_.size(); ++c) {
      if (then_[c].value < 0)
        continue;
      const Cell& cell = period_.problem.table().cell(then_[c]);
      compared.then[c] = ThenCell{cell.value, cell.frequency};
    }
    LACUNA_TRY(sensitive_, sensitive_changes(compared));
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
  Status add_change(CellId now, AddedPeriod& made) {
    const CellId before = added(then_[static_cast<std::size_t>(now.value)]);
    const bool rises = linked_ && period_.said.cumulated;
    if (linked_) {
      const auto percent = period_.bounds.of(now_.table(), now);
      if (percent)
        LACUNA_RETURN_IF_ERROR(period_.later ? bound_change(before, now, *percent)
                                             : bound_change(now, before, *percent));
    }
    const auto asked = sensitive_.find(now.value);
    if (rises && (asked == sensitive_.end() || period_.later)) {
      const Wide sign = period_.later ? -1 : 1;
      LACUNA_RETURN_IF_ERROR(
          placed(to_.add_at_least({{now, sign}, {before, -sign}}, 0, now), now));
    }
    if (asked == sensitive_.end())
      return ok_status();
    const Units change = change_of(now);
    const bool is_flow = rises && !period_.later;
    const Bounds prior{is_flow ? 0 : kUnboundedBelow, kUnboundedAbove};
    if (!prior.contains(change))
      return falls(now);
    // No count is below zero, and a change may be: it stands with a power of ten added.
    const Units added_to = now_.counts() && !is_flow ? shift() : 0;
    const CellId cell = to_.add_cell(change + added_to, prior, now);
    to_.add_equation({{now, 1}, {before, -1}, {cell, -1}}, -added_to);
    made.asked.push_back({cell, now, period_.said.name, added_to});
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

  Units shift() const {
    Units most = 0;
    for (const Table* table : {&now_.table(), &period_.problem.table()}) {
      for (const Cell& cell : table->cells())
        most = std::max(most, cell.value);
    }
    return shift_of(most);
  }

  std::int32_t attacker_of(std::int32_t of_changes) {
    if (!period_.difference)
      return of_changes;
    return to_.attacker(period_.difference->attackers()[base::at(of_changes)].name);
  }

  // |y - y0| <= q% of y0.
  Status bound_change(CellId newer, CellId older, const Decimal& percent) {
    const CellId now = period_.later ? older : newer;
    return placed(add_bound(to_, newer, older, percent, now), now);
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
    if (!period_.bounds.any())
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
  std::map<std::int32_t, SensitiveChange> sensitive_;
  std::int32_t first_ = 0;
  bool linked_ = false;  // readers know bounds of the changes to the table itself
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

Status link_periods(table::Appendix& to,
                    const EarlierPeriod& older,
                    CellId first_older,
                    const EarlierPeriod& newer,
                    CellId first_newer,
                    CellId like) {
  const Table& table = newer.problem.table();
  const std::vector<CellId> then = same_cells(table, older.problem.table());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellId before = then[base::at(c)];
    if (before.value < 0)
      continue;
    const CellId now{first_newer.value + c}, past{first_older.value + before.value};
    Status known = ok_status();
    if (newer.said.cumulated)
      known = to.add_at_least({{now, 1}, {past, -1}}, 0, like);
    const auto percent = newer.bounds.of(table, CellId{c});
    if (known && percent)
      known = add_bound(to, now, past, *percent, like);
    if (!known && known.error().code == ErrorCode::kFalseRelease)
      return Error{ErrorCode::kFalseRelease,
                   table.label(CellId{c}) + " has changed from the period " +
                       base::in_quotes(older.said.name) + " to " +
                       base::in_quotes(newer.said.name) + " by more than readers are said to know",
                   newer.where};
    LACUNA_RETURN_IF_ERROR(known);
  }
  return ok_status();
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

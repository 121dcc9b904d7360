// SPDX-License-Identifier: Apache-2.0
#include "app/load/stored_periods.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "core/base/decimal.h"
#include "core/base/index.h"
#include "core/base/quotes.h"
#include "data/files/csv.h"
#include "data/problems/cell_index.h"

namespace lacuna::load {
namespace {

// ---- which entries

// Periods in the order in which they came into the store.
std::vector<std::string> periods_of(const store::PeriodStore& store) {
  std::vector<std::string> periods;
  for (const store::StoreEntry& entry : store.entries) {
    if (std::find(periods.begin(), periods.end(), entry.period) == periods.end())
      periods.push_back(entry.period);
  }
  return periods;
}

std::ptrdiff_t place_of(const std::vector<std::string>& periods, const std::string& period) {
  return std::find(periods.begin(), periods.end(), period) - periods.begin();
}

std::vector<std::size_t> compared_entries(const Stored& stored) {
  const auto& entries = stored.store.entries;
  const std::vector<std::string> periods = periods_of(stored.store);
  const std::ptrdiff_t own = place_of(periods, stored.period);
  const auto first = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) {
    return entry.period == stored.period;
  });
  const auto end = stored.said.revision ? entries.end() : first;
  std::vector<std::size_t> compared;
  for (auto entry = entries.begin(); entry != end; ++entry) {
    const std::ptrdiff_t place = place_of(periods, entry->period);
    if (stored.said.last == 0 || own - place <= stored.said.last)
      compared.push_back(static_cast<std::size_t>(entry - entries.begin()));
  }
  std::stable_sort(compared.begin(), compared.end(), [&](std::size_t a, std::size_t b) {
    return place_of(periods, entries[a].period) < place_of(periods, entries[b].period);
  });
  return compared;
}

// ---- cells.csv

int places_of(std::string_view number) {
  const std::size_t point = number.find('.');
  return point == std::string_view::npos ? 0 : static_cast<int>(number.size() - point - 1);
}

Error other_table(const files::CsvFile& file, const std::string& column) {
  return {ErrorCode::kOtherTable,
          "the store is of another table: its cells have no column " + base::in_quotes(column),
          file.where_header()};
}

Result<Units> end_of(const std::string& text, int decimals) {
  if (text == "inf")
    return kUnboundedAbove;
  if (text == "-inf")
    return kUnboundedBelow;
  return base::parse_units(text, decimals);
}

// ---- what is asked

struct Levels {
  Units lower = 0, upper = 0, sliding = 0;
  bool covers(const Levels& other) const {
    return lower >= other.lower && upper >= other.upper && sliding >= other.sliding;
  }
  bool ask_nothing() const { return lower <= 0 && upper <= 0 && sliding <= 0; }
};

Units less(Units level, Units by) {  // by may be without end
  return by >= level ? 0 : level - by;
}

Units distance(Units from, Units to) {
  return from == kUnboundedBelow || to == kUnboundedAbove ? kUnboundedAbove : to - from;
}

// (2)
Levels reduced(const Requirement& need, Units then, const Bounds& ends) {
  return {less(need.lower, distance(then, ends.upper)),
          less(need.upper, distance(ends.lower, then)),
          less(need.sliding, distance(ends.lower, ends.upper))};
}

struct Then {
  Units value = 0;
  Bounds ends;  // for everyone
};

// A sensitive change that is not safe by what was withheld then.
struct Candidate {
  std::size_t period = 0;
  Requirement need;  // of the change
  std::int32_t attacker = 0;
  Bounds ends;  // of y0, for this attacker
  Units then = 0;
  Levels levels;  // of the cell alone
  std::vector<std::pair<std::int32_t, Bounds>> known;
};

class StoredBuilder {
 public:
  StoredBuilder(table::Appendix& to,
                const Problem& now,
                const Stored& stored,
                std::int64_t least,
                JudgedChanges& judged)
      : to_(to), now_(now), stored_(stored), least_(least), judged_(judged) {}

  Result<StoredCounts> run() {
    for (std::size_t p = 0; p < stored_.periods.size(); ++p)
      LACUNA_RETURN_IF_ERROR(find(p));
    made_.periods = static_cast<std::int64_t>(stored_.periods.size());
    for (auto& [cell, candidates] : candidates_) {
      drop_implied(CellId{cell}, candidates);
      for (const Candidate& each : candidates)
        add(CellId{cell}, each);
    }
    return made_;
  }

 private:
  Result<std::vector<std::optional<Then>>> cells_of(const StoredPeriod& period) {
    const int decimals = now_.table().decimals();
    std::vector<std::optional<Then>> cells(period.cells.size());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (!period.cells[c])
        continue;
      const StoredCell& stored = *period.cells[c];
      Then& then = cells[c].emplace();
      LACUNA_TRY(then.value, base::parse_units(stored.value, decimals));
      then.ends = {then.value, then.value};
      most_ = std::max(most_, std::abs(then.value));
      if (stored.exact)
        continue;
      LACUNA_TRY(then.ends.lower, end_of(stored.lower, decimals));
      LACUNA_TRY(then.ends.upper, end_of(stored.upper, decimals));
      if (!then.ends.contains(then.value))
        return Error{ErrorCode::kDamaged,
                     "the ends of " + now_.table().label(CellId{static_cast<std::int32_t>(c)}) +
                         " do not contain its value",
                     period.where};
    }
    return cells;
  }

  Status find(std::size_t p) {
    const StoredPeriod& period = stored_.periods[p];
    LACUNA_TRY(const auto cells, cells_of(period));
    JobSpec::Changes said = stored_.said;
    said.cumulated = false;  // those of which it is known are linked instead
    ComparedPeriod compared{now_,
                            std::vector<std::optional<ThenCell>>(cells.size()),
                            said,
                            stored_.where,
                            period.difference,
                            period.by_records,
                            least_};
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (cells[c])
        compared.then[c] = ThenCell{cells[c]->value, period.cells[c]->frequency};
      made_.compared += cells[c] ? 1 : 0;
    }
    LACUNA_TRY(const auto sensitive, sensitive_changes(compared));
    made_.sensitive += static_cast<std::int64_t>(sensitive.size());
    for (const auto& [cell, change] : sensitive) {
      bool asks = false;
      for (const Requirement& need : change.needs)
        asks = take(p, CellId{cell}, need, change, *cells[base::at(cell)]) || asks;
      made_.safe += asks ? 0 : 1;
      if (asks)
        judged_.open.push_back({CellId{cell}, period.name, change.contributors});
    }
    return ok_status();
  }

  bool take(std::size_t p,
            CellId cell,
            const Requirement& need,
            const SensitiveChange& change,
            const Then& then) {
    Candidate made{p, need, attacker_of(p, need.attacker), then.ends, then.value, {}, {}};
    if (made.attacker != 0)  // contributors may know more of it than everyone
      made.ends = {then.value, then.value};
    made.levels = reduced(need, then.value, made.ends);
    if (made.levels.ask_nothing() || need.asks_nothing())
      return false;
    for (const auto& [attacker, bounds] : change.known) {
      if (attacker == need.attacker)
        made.known.emplace_back(made.attacker, bounds);
    }
    candidates_[cell.value].push_back(std::move(made));
    return true;
  }

  std::int32_t attacker_of(std::size_t p, std::int32_t of_changes) {
    const auto& difference = stored_.periods[p].difference;
    return difference ? to_.attacker(difference->attackers()[base::at(of_changes)].name)
                      : of_changes;
  }

  // What the cell itself is asked against the attacker.
  Levels own_levels(CellId cell, std::int32_t attacker) const {
    const auto& all = now_.requirements();
    const auto found = std::lower_bound(
        all.begin(), all.end(), std::pair(cell, attacker), [](const auto& need, const auto& key) {
          return std::pair(need.cell, need.attacker) < key;
        });
    if (found == all.end() || found->cell != cell || found->attacker != attacker)
      return {};
    return {found->lower, found->upper, found->sliding};
  }

  // The same readers, who know nothing of either change: who asks more has asked for the others.
  // In whole numbers no question about a cell asks the same as one about its change.
  void drop_implied(CellId cell, std::vector<Candidate>& candidates) {
    std::vector<Candidate> kept;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const Candidate& each = candidates[i];
      const auto covers = [&](const Candidate& other) {
        return other.attacker == each.attacker && other.known.empty() &&
               other.levels.covers(each.levels);
      };
      bool implied = false;
      if (each.known.empty()) {
        const bool in_reals = !now_.counts();
        implied = in_reals && own_levels(cell, each.attacker).covers(each.levels);
        for (std::size_t j = 0; j < candidates.size() && !implied; ++j) {
          // Of equals the latest period stays.
          implied = j != i && covers(candidates[j]) &&
                    (j > i || !each.levels.covers(candidates[j].levels));
        }
      }
      if (implied)
        ++made_.implied;
      else
        kept.push_back(each);
    }
    candidates = std::move(kept);
  }

  void add(CellId now, const Candidate& each) {
    const CellId cell = change_cell(now, each);
    Requirement need = each.need;
    need.cell = cell;
    need.attacker = each.attacker;
    to_.require(need);
    if (now_.counts() && need.attacker == 0)
      to_.ask({CountKind::kExact, 0, cell, CellId{-1}, {{cell, 1}}});
    for (const auto& [attacker, bounds] : each.known)
      to_.know(attacker, {cell, bounds});
  }

  // c, which several attackers may be asked about.
  CellId change_cell(CellId now, const Candidate& each) {
    const auto key = std::tuple(now.value, each.period, each.ends.is_point());
    if (const auto found = changes_.find(key); found != changes_.end())
      return found->second;
    const Units change = now_.table().value(now) - each.then;
    const Units added_to = now_.counts() ? shift() : 0;
    const CellId cell = to_.add_cell(change + added_to, {}, now);
    if (each.ends.is_point()) {
      to_.add_equation({{now, 1}, {cell, -1}}, each.then - added_to);
    } else {
      const CellId then = to_.add_cell(each.then, each.ends, now);
      to_.add_equation({{now, 1}, {then, -1}, {cell, -1}}, -added_to);
    }
    changes_.emplace(key, cell);
    judged_.asked.push_back({cell, now, stored_.periods[each.period].name, added_to});
    ++made_.asked;
    return cell;
  }

  Units shift() {
    for (const Cell& cell : now_.table().cells())
      most_ = std::max(most_, cell.value);
    return shift_of(most_);
  }

  table::Appendix& to_;
  const Problem& now_;
  const Stored& stored_;
  std::int64_t least_;
  Units most_ = 0;
  std::map<std::int32_t, std::vector<Candidate>> candidates_;
  std::map<std::tuple<std::int32_t, std::size_t, bool>, CellId> changes_;
  JudgedChanges& judged_;
  StoredCounts made_;
};

std::string some(std::int64_t number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

}  // namespace

std::string StoredCounts::text() const {
  std::string text =
      fmt::format("{} since {} were compared: {} sensitive",
                  some(compared, "change", "changes"),
                  some(periods, "earlier release", "earlier releases"),
                  sensitive == 1 ? "1 is" : std::to_string(sensitive) + " are");
  if (sensitive == 0)
    return text;
  return text + fmt::format(", {} safe by what was withheld then; {} asked of this release, and {} "
                            "from these",
                            safe == 1 ? "of which 1 is" : fmt::format("of which {} are", safe),
                            asked == 1 ? "1 is" : std::to_string(asked) + " are",
                            implied == 1 ? "1 follows" : std::to_string(implied) + " follow");
}

Result<Stored> read_stored(const JobSpec::Store& said,
                           const std::string& where,
                           const std::string& folder,
                           std::vector<std::string> inputs) {
  Stored stored;
  stored.said = said;
  stored.where = where;
  stored.period = said.period;
  stored.inputs = std::move(inputs);
  if (said.folder.empty())
    return Error{
        ErrorCode::kMissingKey, "[store] needs a folder, where releases are kept", where};
  if (said.differences != "" && said.differences != "rules" && said.differences != "none")
    return Error{ErrorCode::kJobValue,
                 "differences must be rules or none, not " + base::in_quotes(said.differences),
                 where};
  if (stored.period.empty() && !stored.inputs.empty()) {
    const std::string name = std::filesystem::path(stored.inputs.front()).filename().string();
    stored.period = name.substr(0, name.find('.'));
  }
  if (stored.period.empty())
    return Error{ErrorCode::kMissingKey, "[store] needs period, the name of this one", where};
  LACUNA_TRY(stored.store,
             store::read_store((std::filesystem::path(folder) / said.folder).string()));
  stored.is_in = stored.store.latest(stored.period) != nullptr;
  if (said.revision && !stored.is_in)
    return Error{ErrorCode::kJobValue,
                 "the store has no release of " + base::in_quotes(stored.period) +
                     " that could be revised; leave revision out",
                 where};
  stored.compared = compared_entries(stored);
  return stored;
}

Result<StoredPeriod> read_stored_period(const Stored& stored,
                                        std::size_t entry,
                                        const Table& table) {
  const store::StoreEntry& of = stored.store.entries[entry];
  StoredPeriod period;
  period.name = of.title();
  period.entry = entry;
  period.cells.resize(base::at(table.num_cells()));
  const store::KeptFile* kept = of.find(store::kCells);
  if (kept == nullptr)
    return Error{ErrorCode::kDamaged, "the entry has no file of cells", stored.store.log()};
  period.where = stored.store.path_of(of, *kept);
  LACUNA_TRY(std::string text, store::read_kept(stored.store, of, *kept));
  LACUNA_TRY(const files::CsvFile file, files::CsvFile::parse(std::move(text), period.where, ';'));
  std::vector<std::size_t> dimensions, columns;
  for (const Dimension& dimension : table.dimensions()) {
    dimensions.push_back(file.find_column(dimension.name()));
    if (dimensions.back() == file.num_columns())
      return other_table(file, dimension.name());
  }
  for (const char* name : {"value", "contributors", "state", "lower", "upper"}) {
    columns.push_back(file.find_column(name));
    if (columns.back() == file.num_columns())
      return other_table(file, name);
  }
  if (file.num_columns() != dimensions.size() + columns.size())
    return Error{ErrorCode::kOtherTable,
                 "the store is of another table: its cells have other dimensions",
                 file.where_header()};
  const problems::CellIndex index(table);
  for (std::size_t row = 0; row < file.num_rows(); ++row) {
    std::vector<std::string_view> codes;
    for (const std::size_t d : dimensions)
      codes.push_back(file.field(row, d));
    const auto field = [&](std::size_t i) { return std::string(file.field(row, columns[i])); };
    StoredCell cell{field(0), field(3), field(4)};
    cell.exact = field(2) == "published";
    if (!field(1).empty()) {
      LACUNA_TRY(cell.frequency, base::parse_units(field(1), 0));
    }
    period.decimals = std::max(period.decimals, places_of(cell.value));
    if (const auto found = index.find(codes))
      period.cells[base::at(found->value)] = std::move(cell);
  }
  return period;
}

Result<StoredCounts> add_stored(table::Appendix& to,
                                const Problem& problem,
                                const Stored& stored,
                                std::int64_t least,
                                JudgedChanges& made) {
  return StoredBuilder(to, problem, stored, least, made).run();
}

}  // namespace lacuna::load

// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/owner_attack.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "bench/sets/owner_fits.h"
#include "data/certificate/certificate.h"
#include "lacuna/audit.h"
#include "lacuna/keys.h"
#include "protect/owner/public_course.h"

namespace lacuna::bench {
namespace {

constexpr Units kNowhere = std::numeric_limits<Units>::max() / 4;

std::string text_of(Units value) {
  return std::to_string(value);
}

// What a run leaves behind.
struct OwnRun {
  std::string view;
  std::string first;  // against the owner: what P0 publishes; the tables that fit it are one course
  bool first_stood = true;
  std::vector<std::int32_t> unproven;  // cells for which P0 was too narrow: the run promises nothing
  Draft draft;
};

class OwnedProgram {
 public:
  OwnedProgram(const OwnerRow& row,
               const OwnerFrame& frame,
               const OwnerTable& table,
               const RunContext& run)
      : row_(row), frame_(frame), table_(table), run_(run) {}

  // Nothing if it releases nothing.
  std::optional<OwnRun> run_on(const std::vector<Units>& values, std::uint64_t seed) const {
    auto made = owner_problem(row_.terms, frame_, table_, values);
    if (!made)
      return std::nullopt;
    Problem given = std::move(made).value();
    if (row_.options.method == Method::kCellKey && !given.set_keys(keys_of_cells()))
      return std::nullopt;
    const auto problem = std::make_shared<const Problem>(std::move(given));
    OwnRun done;
    auto found = draft_of(problem, values, seed, done);
    if (!found || !found->complete)
      return std::nullopt;
    AuditOptions verdicts;
    verdicts.intervals = false;
    auto decided = decide_release(problem, *found, verdicts, run_);
    if (!decided || !decided->release)
      return std::nullopt;
    done.draft = decided->release->content();
    done.view = public_view(decided->release->problem().table(), done.draft);
    return done;
  }

  // Whether some seed that the reader reckons with gives the release.
  bool replays(const std::vector<Units>& values, const std::string& view) const {
    for (int s = 1; s <= row_.seeds; ++s) {
      const auto again = run_on(values, static_cast<std::uint64_t>(s));
      if (again && again->view == view)
        return true;
    }
    return false;
  }

 private:
  // Keys that the reader has, too: by the place of the cell.
  std::shared_ptr<const CellKeys> keys_of_cells() const {
    auto keys = std::make_shared<CellKeys>();
    for (std::int32_t c = 0; c < frame_.num_cells(); ++c) {
      base::Random random = base::Random::of_item(1, static_cast<std::uint64_t>(c));
      keys->keys.push_back(random.next() % keys->modulus);
      keys->records.push_back(-1);
    }
    return keys;
  }

  std::optional<ProtectResult> draft_of(const std::shared_ptr<const Problem>& problem,
                                        const std::vector<Units>& values,
                                        std::uint64_t seed,
                                        OwnRun& done) const {
    RunContext run = run_;
    run.seed = seed;
    if (!row_.terms.widths) {
      auto found = protect(problem, row_.options, run);
      return found ? std::optional(std::move(found).value()) : std::nullopt;
    }
    owner::PublicParts parts{table_.sizes, {}};
    const std::vector<Units>& weights = row_.planted ? values : table_.sizes;
    parts.weights.assign(weights.begin(), weights.end());
    if (row_.options.weights == "unity")
      parts.weights.assign(weights.size(), 1);
    parts.weights = owner::with_tie_break(problem->table(), std::move(parts.weights));
    owner::CourseOptions options;
    options.reserve = row_.reserve;
    const Draft* first = first_of(*problem, parts, options, run);
    if (first == nullptr)
      return std::nullopt;
    auto course = owner::suppress_by_public_parts(problem, parts, options, run, first);
    if (!course)
      return std::nullopt;
    done.first_stood = course->short_first.empty();
    for (const std::int32_t each : course->short_first)
      done.unproven.push_back(
          problem->requirements()[static_cast<std::size_t>(each)].cell.value);
    done.first = public_view(problem->table(), course->first);
    ProtectResult found;
    static_cast<MethodResult&>(found) = std::move(course).value();
    return found;
  }

  // Chosen once for all tables with the same public parts, whatever these are.
  const Draft* first_of(const Problem& problem,
                        const owner::PublicParts& parts,
                        const owner::CourseOptions& options,
                        const RunContext& run) const {
    const auto open = owner::public_problem(problem, parts, options.reserve);
    if (!open)
      return nullptr;
    const std::string key = certificate::problem_digest(**open);
    const auto known = first_.find(key);
    if (known != first_.end())
      return &known->second;
    auto chosen = owner::first_choice(*open, options, run);
    return chosen ? &(first_[key] = std::move(chosen).value()) : nullptr;
  }

  const OwnerRow& row_;
  const OwnerFrame& frame_;
  const OwnerTable& table_;
  const RunContext& run_;
  mutable std::map<std::string, Draft> first_;  // by what it depends on
};

class Attack {
 public:
  Attack(const OwnerRow& row,
         const OwnerFrame& frame,
         const OwnerTable& table,
         const OwnerLimits& limits,
         const RunContext& run)
      : row_(row),
        frame_(frame),
        table_(table),
        limits_(limits),
        run_(run),
        program_(row, frame, table, run) {}

  OwnerRelease carry_out() {
    const auto start = std::chrono::steady_clock::now();
    const auto own = program_.run_on(table_.values, 1);
    if (!own) {
      release_.end = OwnerRelease::End::kRefused;
      return release_;
    }
    own_ = *own;
    release_.first_stood = own_.first_stood;
    describe();
    if (!list())
      release_.end = OwnerRelease::End::kTooWide;
    else
      keep();
    release_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return release_;
  }

 private:
  void describe() {
    for (const CellEntry& entry : own_.draft.each()) {
      release_.withheld += entry.state() == StatementKind::kWithheld ? 1U : 0U;
      release_.cost += static_cast<double>(table_.values[index(entry.cell.value)]);
    }
  }

  static std::size_t index(std::int32_t cell) { return static_cast<std::size_t>(cell); }

  bool list() {
    auto made = owner_problem(row_.terms, frame_, table_, table_.values);
    if (!made)
      return false;
    const Table& table = made->table();
    std::vector<Bounds> known;
    for (std::int32_t c = 0; c < frame_.num_cells(); ++c) {
      const bool inner = std::binary_search(frame_.leaves().begin(), frame_.leaves().end(), c);
      const Bounds all{0, inner ? limits_.cap : limits_.cap * frame_.num_cells()};
      Bounds told = intersect(all, own_.draft.implied(table, CellId{c}));
      if (const FoundEntry entry = own_.draft.find(CellId{c});
          row_.box > 0 && own_.draft.adjusted()) {
        const Units shown = entry ? entry->number().value_or(0) : table.value(CellId{c});
        told = intersect(all, {shown - row_.box, shown + row_.box});
      }
      known.push_back(told);
    }
    FittingTables fits = fitting_tables(table, std::move(known), limits_.tables);
    tables_ = std::move(fits.tables);
    release_.fit = tables_.size();
    state_.assign(tables_.size(), -1);
    return fits.all;
  }

  bool is_kept(std::size_t t) {
    if (state_[t] < 0) {
      ++release_.runs;
      state_[t] = tables_[t] == table_.values || program_.replays(tables_[t], own_.view) ? 1 : 0;
    }
    return state_[t] == 1;
  }

  // By the rule itself, or as it is closed against the owner.
  std::vector<std::int32_t> sensitive_cells(bool closed) const {
    OwnerTerms terms = row_.terms;
    terms.widths = terms.widths && closed;
    std::vector<std::int32_t> cells;
    for (std::int32_t c = 0; c < frame_.num_cells(); ++c) {
      if (is_owner_sensitive(terms, frame_, table_, table_.values, c))
        cells.push_back(c);
    }
    return cells;
  }

  void keep() {
    release_.all_run = tables_.size() <= limits_.every;
    if (release_.all_run) {
      for (std::size_t t = 0; t < tables_.size(); ++t)
        release_.kept += is_kept(t) ? 1U : 0U;
    }
    for (const std::int32_t cell : sensitive_cells(false)) {
      release_.cells.push_back(range_of(cell));
      const OwnerCell& found = release_.cells.back();
      if (!found.settled && !found.broken) {  // what is ruled out breaks it, or nobody knows
        release_.end = OwnerRelease::End::kTooWide;
        return;
      }
    }
    if (row_.promises)
      look_at_promise();
  }

  // From either end inward until one is kept: the truth is, at the latest.
  OwnerCell range_of(std::int32_t cell) {
    std::vector<std::size_t> order(tables_.size());
    std::iota(order.begin(), order.end(), 0);
    const auto value = [&](std::size_t t) { return tables_[t][index(cell)]; };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return value(a) < value(b); });
    OwnerCell found;
    found.fits = {value(order.front()), value(order.back())};
    const auto kept = [&](std::size_t t) {
      if (state_[t] < 0 && release_.runs >= limits_.runs)
        found.settled = false;
      return !found.settled || is_kept(t);
    };
    found.kept.lower = value(*std::find_if(order.begin(), order.end(), kept));
    found.kept.upper = value(*std::find_if(order.rbegin(), order.rend(), kept));
    const Units truth = table_.values[index(cell)];
    const OwnerLevels levels = owner_levels(row_.terms, truth);
    const auto misses = [&](const Bounds& range) {
      return range.lower > truth - levels.lower || range.upper < truth + levels.upper;
    };
    found.fits_broken = misses(found.fits);
    found.broken = misses(found.kept);
    const Units width = row_.terms.widths ? owner_width(row_.terms, table_, cell)
                                          : levels.lower + levels.upper;
    found.narrow = found.kept.upper - found.kept.lower < width;
    found.exact = found.kept.is_point();
    return found;
  }

  // The width of every cell of which the run says that it is kept; and that all tables that fit the first choice
  // have the release of this one.
  void look_at_promise() {
    for (const std::int32_t cell : sensitive_cells(true)) {
      const bool promised =
          std::find(own_.unproven.begin(), own_.unproven.end(), cell) == own_.unproven.end();
      release_.narrow_promise = (promised && range_of(cell).narrow) || release_.narrow_promise;
    }
    if (!release_.all_run)
      return;
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      if (is_kept(t) || is_other_sensitive(tables_[t]))
        continue;
      const auto again = program_.run_on(tables_[t], 1);
      release_.other_course = release_.other_course || own_.first_stood ||
                              (again && again->first == own_.first);
    }
  }

  // Of rules on values: which cells are sensitive counts as known.
  bool is_other_sensitive(const std::vector<Units>& values) const {
    for (std::int32_t c = 0; c < frame_.num_cells(); ++c) {
      if (is_owner_sensitive(row_.terms, frame_, table_, values, c) !=
          is_owner_sensitive(row_.terms, frame_, table_, table_.values, c))
        return true;
    }
    return false;
  }

  const OwnerRow& row_;
  const OwnerFrame& frame_;
  const OwnerTable& table_;
  const OwnerLimits& limits_;
  const RunContext& run_;
  OwnedProgram program_;
  OwnRun own_;
  OwnerRelease release_;
  std::vector<std::vector<Units>> tables_;
  std::vector<int> state_;  // by table: -1 not run, 0 another release, 1 this one
};

}  // namespace

std::string public_view(const Table& table, const Draft& draft) {
  std::string text = text_of(table.decimals()) + ";";
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const FoundEntry entry = draft.find(CellId{c});
    if (draft.adjusted()) {  // nobody can tell which numbers are the truth
      text += text_of(entry ? entry->number().value_or(0) : table.value(CellId{c})) + ";";
      continue;
    }
    if (!entry) {
      text += "=" + text_of(table.value(CellId{c})) + ";";
      continue;
    }
    text += to_string(entry->state());
    const Bounds bounds = entry->bounds();
    for (const Units each : {entry->number().value_or(kNowhere), bounds.lower, bounds.upper})
      text += " " + text_of(each);
    for (const Units each : entry->among())
      text += " " + text_of(each);
    text += ";";
  }
  return text;
}

OwnerRelease attack_release(const OwnerRow& row,
                            const OwnerFrame& frame,
                            const OwnerTable& table,
                            const OwnerLimits& limits,
                            const RunContext& run) {
  return Attack(row, frame, table, limits, run).carry_out();
}

}  // namespace lacuna::bench

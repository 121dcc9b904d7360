// SPDX-License-Identifier: Apache-2.0
// The problem: for each cell c of the tables, with R(c) the records whose codes lie at or below
// those of c, the sum of w x over R(c), the number of records, of contributors, the sum of weights
// and the k largest contributions. Records are read once, in blocks that all threads split; every
// thread adds up leaves of its own; leaves are merged and rolled up. All sums are integers, hence
// the same for any number of threads. Only where respondents are given is a record kept (16
// bytes), because the contributions of a respondent can be added up only when all are known.
#include "lacuna/tabulate.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/parallel.h"
#include "core/base/spelling.h"
#include "data/tabulate/cell_facts.h"
#include "data/tabulate/contributors.h"
#include "data/tabulate/key_checks.h"
#include "data/tabulate/leaf_codes.h"
#include "data/tabulate/numbered_keys.h"
#include "data/tabulate/record_reader.h"
#include "data/tabulate/repeated_records.h"
#include "data/tabulate/roll_up.h"
#include "data/tabulate/troubles.h"

namespace lacuna {
namespace {

class ProgressMeter {  // calls back at most ten times a second
 public:
  explicit ProgressMeter(const RunContext& run) : run_(run) {}
  void show(std::string_view phase, double fraction) {
    const auto now = std::chrono::steady_clock::now();
    if (!run_.on_progress || now < next_)
      return;
    next_ = now + std::chrono::milliseconds(100);
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    run_.on_progress({phase, fraction, kNone, kNone});
  }

 private:
  const RunContext& run_;
  std::chrono::steady_clock::time_point next_{};
};

Error stopped() {
  return {ErrorCode::kStopped, "the tabulation was stopped before it was complete", ""};
}

// Reads all blocks with several threads. Blocks are handed out in order, so that of several errors
// the first one in the file is known.
class BlockLoop {
 public:
  BlockLoop(RecordSource& source, const tabulation::ReadPlan& plan, const RunContext& run)
      : source_(source), plan_(plan), run_(run), meter_(run) {}

  Status read_all() {
    const int threads = std::max(run_.threads, 1);
    for (int t = 0; t < threads; ++t)
      readers_.push_back(std::make_unique<tabulation::RecordReader>(plan_, respondents_));
    base::run_with_helpers(run_, readers_.size() - 1, [this](std::size_t t) { guarded_work(t); });
    if (exception_)
      std::rethrow_exception(exception_);
    if (!errors_.empty() && !needs_decimals())
      return errors_.begin()->second;
    return stopped_ ? Status(stopped()) : ok_status();
  }

  // Some number needs more decimals than the plan has; what was read is of no use.
  bool needs_decimals() const {
    return value_decimals() > plan_.value_format.decimals ||
           weight_decimals() > plan_.weight_format.decimals;
  }
  int value_decimals() const {
    int most = 0;
    for (const auto& reader : readers_)
      most = std::max(most, reader->value_decimals_needed());
    return most;
  }
  int weight_decimals() const {
    int most = 0;
    for (const auto& reader : readers_)
      most = std::max(most, reader->weight_decimals_needed());
    return most;
  }
  std::vector<std::unique_ptr<tabulation::RecordReader>>& readers() { return readers_; }
  tabulation::RespondentTable& respondents() { return respondents_; }

 private:
  void guarded_work(std::size_t thread) {
    try {
      work(thread);
    } catch (...) {  // out of memory or a broken invariant: rethrown by the calling thread
      const std::lock_guard lock(mutex_);
      exception_ = std::current_exception();
      finished_ = true;
    }
  }

  void work(std::size_t thread) {
    tabulation::RecordReader& reader = *readers_[thread];
    RecordBlock block;
    std::uint64_t number = 0;
    while (next_block(block, number)) {
      Status status = source_.split(block);
      if (status)
        status = reader.add(source_, block);
      if (!status)
        note_error(number, status.error());
      if (reader.value_decimals_needed() > plan_.value_format.decimals ||
          reader.weight_decimals_needed() > plan_.weight_format.decimals)
        finish();
      if (thread == 0)
        meter_.show("reading", fraction());
    }
  }

  bool next_block(RecordBlock& block, std::uint64_t& number) {
    const std::lock_guard lock(mutex_);
    if (finished_)
      return false;
    if (run_.should_stop()) {
      stopped_ = true;
      finished_ = true;
      return false;
    }
    number = next_number_++;
    const Result<bool> more = source_.read(block);
    if (!more)
      errors_.emplace(number, more.error());
    finished_ = !more || !*more;
    fraction_ = source_.fraction();
    return !finished_;
  }

  void note_error(std::uint64_t number, const Error& error) {
    const std::lock_guard lock(mutex_);
    errors_.emplace(number, error);
    finished_ = true;
  }
  void finish() {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  double fraction() {
    const std::lock_guard lock(mutex_);
    return fraction_;
  }

  RecordSource& source_;
  const tabulation::ReadPlan& plan_;
  const RunContext& run_;
  ProgressMeter meter_;
  tabulation::RespondentTable respondents_;
  std::vector<std::unique_ptr<tabulation::RecordReader>> readers_;
  std::mutex mutex_;
  std::uint64_t next_number_ = 0;
  std::map<std::uint64_t, Error> errors_;  // by block
  std::exception_ptr exception_;
  bool finished_ = false;
  bool stopped_ = false;
  double fraction_ = 0;
};

// The leaves of all readers under common numbers.
struct Leaves {
  std::vector<std::int32_t> codes;  // one per dimension and leaf
  std::vector<tabulation::LeafSums> sums;
  std::vector<std::vector<std::uint32_t>> number;  // per reader: own number to common number
};

class Merger {
 public:
  static Result<Merger> make(BlockLoop& loop, const TabulateOptions& options) {
    std::vector<const tabulation::CodeReader*> readers;
    for (const auto& reader : loop.readers())
      readers.push_back(&reader->codes());
    LACUNA_TRY(tabulation::LeafCodes codes,
               tabulation::LeafCodes::make(std::move(readers), options));
    return Merger(loop, options, std::move(codes));
  }

  const std::vector<Dimension>& dimensions() const { return codes_.dimensions(); }
  const std::vector<std::string>& notes() const { return codes_.notes(); }

  Result<Leaves> leaves() const {
    const std::uint64_t modulus = options_.keys.modulus;
    const std::size_t width = dimensions().size();
    std::vector<tabulation::KeyTable::Key> stride(width, 1);
    for (std::size_t d = width; d-- > 1;)
      stride[d - 1] =
          stride[d] * static_cast<tabulation::KeyTable::Key>(dimensions()[d].num_codes());
    std::size_t expected = 0;
    for (const auto& reader : loop_.readers())
      expected += reader->num_leaves();
    tabulation::NumberedKeys table(tabulation::num_tuples(dimensions()), expected);
    Leaves leaves;
    for (std::size_t r = 0; r < loop_.readers().size(); ++r) {
      const tabulation::RecordReader& reader = *loop_.readers()[r];
      std::vector<std::uint32_t>& number = leaves.number.emplace_back();
      for (std::uint32_t leaf = 0; leaf < reader.num_leaves(); ++leaf) {
        tabulation::KeyTable::Key key = 0;
        for (std::size_t d = 0; d < width; ++d)
          key += stride[d] * static_cast<tabulation::KeyTable::Key>(code(r, leaf, d));
        const std::uint32_t common = table.find_or_add(key);
        number.push_back(common);
        if (common == leaves.sums.size()) {
          leaves.sums.emplace_back();
          for (std::size_t d = 0; d < width; ++d)
            leaves.codes.push_back(code(r, leaf, d));
        }
        tabulation::LeafSums& sums = leaves.sums[common];
        sums.value += reader.sums(leaf).value;
        sums.absolute += reader.sums(leaf).absolute;
        sums.weight += reader.sums(leaf).weight;
        sums.records += reader.sums(leaf).records;
        sums.key = (sums.key + reader.sums(leaf).key) % modulus;
      }
    }
    if (leaves.sums.empty())
      return Error{ErrorCode::kNoRows, "no record is left for the table", ""};
    return leaves;
  }

  // The shares of one shard, which leave the readers; any thread.
  tabulation::ShardShares shard(std::size_t number, const Leaves& leaves) const {
    std::vector<tabulation::ShareList> lists;
    for (std::size_t r = 0; r < loop_.readers().size(); ++r)
      lists.push_back({loop_.readers()[r]->shares().take(number), leaves.number[r]});
    return tabulation::by_respondent(std::move(lists), loop_.respondents().shard_size(number));
  }

 private:
  Merger(BlockLoop& loop, const TabulateOptions& options, tabulation::LeafCodes codes)
      : loop_(loop), options_(options), codes_(std::move(codes)) {}

  std::int32_t code(std::size_t reader, std::uint32_t leaf, std::size_t dimension) const {
    return codes_.code(reader, loop_.readers()[reader]->key_of_leaf(leaf), dimension);
  }

  BlockLoop& loop_;
  const TabulateOptions& options_;
  tabulation::LeafCodes codes_;
};

Status fill_sums(const Leaves& leaves,
                 const tabulation::CellIndex& index,
                 int weight_decimals,
                 Tabulation& tabulation) {
  std::vector<tabulation::LeafSums> cells(index.num_cells);
  for (std::size_t leaf = 0; leaf < leaves.sums.size(); ++leaf) {
    const tabulation::LeafSums& sums = leaves.sums[leaf];
    for (const std::uint32_t cell : index.of_leaf(leaf)) {
      cells[cell].value += sums.value;
      cells[cell].absolute += sums.absolute;
      cells[cell].weight += sums.weight;
      cells[cell].records += sums.records;
    }
  }
  tabulation.cells.resize(index.num_cells);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (cells[c].absolute > kMaxUnits) {
      return tabulation::sum_does_not_fit(tabulation, c);
    }
    CellFacts& facts = tabulation.cells[c];
    facts.value = static_cast<Units>(cells[c].value);
    facts.absolute = static_cast<Units>(cells[c].absolute);
    facts.records = cells[c].records;
    facts.contributors = cells[c].records;
    facts.weighted = tabulation::rounded(cells[c].weight, weight_decimals);
  }
  return ok_status();
}

// Of magnitudes: the records that the noise of a cell is measured by.
void fill_largest_records(BlockLoop& loop,
                          const Leaves& leaves,
                          const tabulation::CellIndex& index,
                          const tabulation::ReadPlan& plan,
                          CellKeys& cells) {
  if (!plan.keeps_records())
    return;
  tabulation::LargestRecords largest(plan.options->top);
  largest.resize(index.num_cells);
  for (std::size_t r = 0; r < loop.readers().size(); ++r) {
    const tabulation::RecordReader& reader = *loop.readers()[r];
    for (std::uint32_t own = 0; own < reader.num_leaves(); ++own) {
      for (const std::uint32_t cell : index.of_leaf(leaves.number[r][own]))
        largest.merge(cell, reader.largest_records(), own);
    }
  }
  Units finer = 1;  // an amount with its weight has the decimals of both
  for (int i = 0; i < plan.weight_format.decimals; ++i)
    finer *= 10;
  for (std::size_t c = 0; c < index.num_cells; ++c) {
    cells.largest.push_back(largest.amounts(c));
    cells.spread.push_back(largest.spread(c) * finer);
  }
  if (plan.weight == tabulation::ReadPlan::kNoColumn)
    return;
  std::vector<Wide> weights(index.num_cells, 0);
  for (std::size_t leaf = 0; leaf < leaves.sums.size(); ++leaf) {
    for (const std::uint32_t cell : index.of_leaf(leaf))
      weights[cell] += leaves.sums[leaf].weight;
  }
  for (const Wide weight : weights)
    cells.weights.push_back(static_cast<double>(weight) / static_cast<double>(finer));
}

// The keys of cells, by the roll-up that makes their counts.
void fill_keys(BlockLoop& loop,
               const Leaves& leaves,
               const tabulation::CellIndex& index,
               const tabulation::ReadPlan& plan,
               Tabulation& tabulation) {
  if (!plan.has_keys())
    return;
  CellKeys cells;
  cells.modulus = plan.options->keys.modulus;
  cells.keys.assign(index.num_cells, 0);
  for (std::size_t leaf = 0; leaf < leaves.sums.size(); ++leaf) {
    const std::uint64_t key = leaves.sums[leaf].key;
    for (const std::uint32_t cell : index.of_leaf(leaf)) {
      const std::uint64_t sum = cells.keys[cell] + key;
      cells.keys[cell] = sum >= cells.modulus ? sum - cells.modulus : sum;
    }
  }
  cells.records.reserve(tabulation.cells.size());
  for (const CellFacts& facts : tabulation.cells)
    cells.records.push_back(facts.records);
  std::vector<std::vector<std::uint64_t>> lists;
  for (const auto& reader : loop.readers())
    lists.push_back(std::move(reader->record_keys()));
  tabulation.key_checks = tabulation::check_record_keys(std::move(lists), cells.modulus);
  fill_largest_records(loop, leaves, index, plan, cells);
  tabulation.keys = std::make_shared<const CellKeys>(std::move(cells));
}

void fill_anonymous_top(BlockLoop& loop,
                        const Leaves& leaves,
                        const tabulation::CellIndex& index,
                        Tabulation& tabulation) {
  tabulation::TopLists top(tabulation.top, nullptr);
  top.resize(index.num_cells);
  for (std::size_t r = 0; r < loop.readers().size(); ++r) {
    const tabulation::RecordReader& reader = *loop.readers()[r];
    for (std::uint32_t own = 0; own < reader.num_leaves(); ++own) {
      for (const tabulation::Share& share : reader.top().list(own)) {
        for (const std::uint32_t cell : index.of_leaf(leaves.number[r][own]))
          top.offer(cell, share);
      }
    }
  }
  for (std::size_t c = 0; c < index.num_cells; ++c) {
    tabulation.cells[c].largest.reserve(top.list(c).size());
    for (const tabulation::Share& share : top.list(c))
      tabulation.cells[c].largest.push_back(tabulation::to_contribution(share));
  }
}

Result<Tabulation> assemble(BlockLoop& loop,
                            const tabulation::ReadPlan& plan,
                            const RunContext& run) {
  const TabulateOptions& options = *plan.options;
  ProgressMeter meter(run);
  meter.show("adding up", 0);
  LACUNA_TRY(const Merger merger, Merger::make(loop, options));
  Tabulation tabulation;
  tabulation.decimals = plan.decimals();
  tabulation.top = options.top;
  tabulation.tables = tabulation::cross_tables(options);
  tabulation.dimensions = merger.dimensions();
  for (const std::string& note : merger.notes()) {
    if (run.log)
      run.log(note);
  }
  LACUNA_TRY(Leaves leaves, merger.leaves());
  LACUNA_TRY(tabulation::CellIndex index,
             tabulation::index_cells(tabulation.dimensions,
                                     tabulation.tables,
                                     std::move(leaves.codes),
                                     options.keep_empty_cells));
  tabulation.codes = std::move(index.codes);
  LACUNA_RETURN_IF_ERROR(fill_sums(leaves, index, plan.weight_format.decimals, tabulation));
  fill_keys(loop, leaves, index, plan, tabulation);
  if (plan.anonymous()) {
    fill_anonymous_top(loop, leaves, index, tabulation);
    return tabulation;
  }
  const bool any_negative = std::any_of(loop.readers().begin(),
                                        loop.readers().end(),
                                        [](const auto& reader) { return reader->any_negative(); });
  const tabulation::CountPlan count{options.top, &loop.respondents(), any_negative};
  const auto make = [&](std::size_t shard) { return merger.shard(shard, leaves); };
  tabulation::SharesByRespondent shares;
  LACUNA_TRY(const tabulation::ContributorFacts facts,
             tabulation::count_contributors(
                 make, options.keep_contributions ? &shares : nullptr, index, count, run));
  const std::vector<std::uint32_t> named = tabulation::fill_contributors(
      facts, loop.respondents(), plan.holding != tabulation::ReadPlan::kNoColumn, tabulation);
  if (options.keep_contributions)
    tabulation.contributions = tabulation::leaf_contributions_of(shares, named, std::move(index));
  return tabulation;
}

using Repeated = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

tabulation::Troubles troubles_of(BlockLoop& loop) {
  tabulation::Troubles all;
  for (const auto& reader : loop.readers())
    all.add(reader->troubles());
  return all;
}

std::uint64_t records_of(BlockLoop& loop) {
  std::uint64_t records = 0;
  for (const auto& reader : loop.readers())
    records += reader->num_records();
  return records;
}

Repeated repeated_of(BlockLoop& loop) {
  std::vector<tabulation::RecordMark> marks;
  for (const auto& reader : loop.readers()) {
    marks.insert(marks.end(), reader->marks().begin(), reader->marks().end());
    std::vector<tabulation::RecordMark>().swap(reader->marks());
  }
  return tabulation::repeated_records(std::move(marks));
}

// The error that lists all troubles, if there are any.
Status check_troubles(BlockLoop& loop, const tabulation::ReadPlan& plan, const Repeated& repeated) {
  tabulation::Troubles troubles = troubles_of(loop);
  if (!troubles.any())
    return ok_status();
  std::map<std::uint64_t, std::string> places;
  for (const auto& reader : loop.readers())
    places.insert(reader->watched().begin(), reader->watched().end());
  troubles.name_firsts(repeated, places);
  return troubles.error(plan.columns, records_of(loop));
}

// From now on the plan knows which records are there already.
void expect_repeated(const Repeated& repeated, tabulation::ReadPlan& plan) {
  for (const auto& [number, first] : repeated) {
    plan.repeated.push_back(number);
    if (plan.watched.size() < tabulation::Troubles::kShown)
      plan.watched.push_back(first);
  }
  std::sort(plan.watched.begin(), plan.watched.end());
}

std::string dropped_text(BlockLoop& loop, const TabulateOptions& options) {
  std::string text;
  const auto add = [&](std::int64_t count, const std::string& what) {
    if (count > 0)
      text += (text.empty() ? " (" : ", ") + std::to_string(count) + " " + what;
  };
  for (std::size_t d = 0; d < options.dimensions.size(); ++d) {
    std::int64_t without = 0;
    std::int64_t unknown = 0;
    for (const auto& reader : loop.readers()) {
      without += reader->codes().without_code(d);
      unknown += reader->codes().of_unknown_code(d);
    }
    add(without, "without a code of " + options.dimensions[d].name);
    add(unknown, "with an unknown code of " + options.dimensions[d].name);
  }
  tabulation::Dropped all;
  for (const auto& reader : loop.readers()) {
    all.without_value += reader->dropped().without_value;
    all.without_respondent += reader->dropped().without_respondent;
    all.repeated += reader->dropped().repeated;
  }
  add(all.without_value, "without a value");
  add(all.without_respondent, "without a respondent");
  add(all.repeated, "repeating an earlier one");
  return text.empty() ? text : text + ")";
}

void log_counts(BlockLoop& loop,
                const tabulation::ReadPlan& plan,
                std::size_t kept_repeated,
                const Tabulation& tabulation,
                const RunContext& run) {
  if (!run.log)
    return;
  std::int64_t dropped = 0;
  std::int64_t own = 0;
  for (const auto& reader : loop.readers()) {
    dropped += reader->dropped().records;
    own += reader->dropped().own_respondents;
  }
  const TabulateOptions& options = *plan.options;
  run.log("tabulate: " + std::to_string(records_of(loop)) + " records, " + std::to_string(dropped) +
          " of them dropped" + dropped_text(loop, options) + ", " +
          std::to_string(tabulation.cells.size()) + " cells");
  if (own > 0)
    run.log("tabulate: " + std::to_string(own) +
            (own == 1
                 ? " record has no respondent: it is taken as the record of a respondent of its own"
                 : " records have no respondent: each is taken as the record of a respondent of "
                   "its own"));
  if (kept_repeated > 0)
    run.log("tabulate: " + std::to_string(kept_repeated) +
            (kept_repeated == 1 ? " record is" : " records are") + " repeated and counted anyway");
  if (options.keys.seed)
    run.log("record keys were made from the seed " + std::to_string(*options.keys.seed) +
            " and the places of the records in their file: the same file gets the same noise, "
            "another order or another year does not (" +
            base::named_setting("[keys]", "from", "\"<column>\"") + " and " +
            base::named_setting("secret", "\"<file>\"") + " make keys that stay the same)");
}

// Reads all records, as often as it takes: once more when some number needs more decimals than
// those before it, and when there are records that are not to be counted because they are there
// already. What is left out of a run is known to the next one by the plan.
class RecordReading {
 public:
  RecordReading(RecordSource& source, tabulation::ReadPlan& plan, const RunContext& run)
      : source_(source), plan_(plan), run_(run) {}

  Result<Tabulation> run() {
    for (;;) {
      LACUNA_RETURN_IF_ERROR(source_.select(plan_.columns));
      BlockLoop loop(source_, plan_, run_);
      LACUNA_RETURN_IF_ERROR(loop.read_all());
      if (loop.needs_decimals()) {
        LACUNA_RETURN_IF_ERROR(allow_decimals(loop));
        continue;
      }
      if (finds_repeated(loop))
        continue;
      LACUNA_RETURN_IF_ERROR(check_troubles(loop, plan_, repeated_));
      LACUNA_TRY(Tabulation tabulation, assemble(loop, plan_, run_));
      tabulation.none_is_empty = tabulation::none_is_empty(tabulation, *plan_.options);
      const bool keeps = plan_.options->duplicates == DuplicatePolicy::kKeep;
      log_counts(loop, plan_, keeps ? repeated_.size() : 0, tabulation, run_);
      return tabulation;
    }
  }

 private:
  // Decimals are left open and some record needs more: once again from the start, with as many as
  // have been seen. The first block shows it nearly always.
  Status allow_decimals(BlockLoop& loop) {
    plan_.value_format.decimals = loop.value_decimals();
    plan_.weight_format.decimals = loop.weight_decimals();
    if (plan_.decimals() <= TableBuilder::kMaxDecimals)
      return ok_status();
    return Error{ErrorCode::kNumberTooLarge,
                 "values and weights have more than " + std::to_string(TableBuilder::kMaxDecimals) +
                     " decimals together; choose a number of decimals and round",
                 ""};
  }

  // Whether the records must be read again because some are there already.
  bool finds_repeated(BlockLoop& loop) {
    if (plan_.unique.empty() || !plan_.repeated.empty())
      return false;
    repeated_ = repeated_of(loop);
    if (repeated_.empty() || plan_.options->duplicates == DuplicatePolicy::kKeep)
      return false;
    expect_repeated(repeated_, plan_);
    return true;
  }

  RecordSource& source_;
  tabulation::ReadPlan& plan_;
  const RunContext& run_;
  Repeated repeated_;
};

}  // namespace

Result<Tabulation> tabulate(RecordSource& source,
                            const TabulateOptions& options,
                            const RunContext& given) {
  const RunContext run = with_helpers(given);
  LACUNA_TRY(tabulation::ReadPlan plan, tabulation::ReadPlan::make(options));
  return RecordReading(source, plan, run).run();
}

Status add_cells(const Tabulation& tabulation, TableBuilder& builder) {
  const std::size_t width = tabulation.dimensions.size();
  const bool any_negative =
      std::any_of(tabulation.cells.begin(), tabulation.cells.end(), [](const CellFacts& facts) {
        return facts.absolute != facts.value;
      });
  for (std::size_t c = 0; c < tabulation.cells.size(); ++c) {
    Cell cell;
    cell.value = tabulation.cells[c].value;
    cell.frequency = tabulation.cells[c].contributors;
    if (any_negative)
      cell.prior.lower = kUnboundedBelow;
    else if (tabulation.none_is_empty)
      cell.prior.lower = 1;
    LACUNA_TRY(const CellId id,
               builder.add_cell(cell, {tabulation.codes.data() + c * width, width}));
    LACUNA_CHECK(id.value >= 0);
  }
  return ok_status();
}

Result<Table> table_of(const Tabulation& tabulation) {
  TableBuilder builder(tabulation.decimals, tabulation.dimensions);
  LACUNA_RETURN_IF_ERROR(add_cells(tabulation, builder));
  LACUNA_RETURN_IF_ERROR(add_table_equations(builder, tabulation.tables));
  return std::move(builder).build();
}

}  // namespace lacuna

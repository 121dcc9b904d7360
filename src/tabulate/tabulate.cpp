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

#include "base/check.h"
#include "base/parallel.h"
#include "tabulate/code_lists.h"
#include "tabulate/contributors.h"
#include "tabulate/key_checks.h"
#include "tabulate/numbered_keys.h"
#include "tabulate/record_reader.h"
#include "tabulate/roll_up.h"

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
  return {ErrorCode::kIo, "the tabulation was stopped before it was complete", ""};
}

// Reads all blocks with several threads. Blocks are handed out in order, so that of several errors
// the first one in the file is known.
class BlockLoop {
 public:
  BlockLoop(RecordSource& source, const ReadPlan& plan, const RunContext& run)
      : source_(source), plan_(plan), run_(run), meter_(run) {}

  Status read_all() {
    const int threads = std::max(run_.threads, 1);
    for (int t = 0; t < threads; ++t)
      readers_.push_back(std::make_unique<RecordReader>(plan_, respondents_));
    run_with_helpers(run_, readers_.size() - 1, [this](std::size_t t) { guarded_work(t); });
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
  std::vector<std::unique_ptr<RecordReader>>& readers() { return readers_; }
  RespondentTable& respondents() { return respondents_; }

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
    RecordReader& reader = *readers_[thread];
    RecordBlock block;
    std::uint64_t number = 0;
    while (next_block(block, number)) {
      Status status = source_.split(block);
      if (status)
        status = reader.add(source_, block, number);
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
  const ReadPlan& plan_;
  const RunContext& run_;
  ProgressMeter meter_;
  RespondentTable respondents_;
  std::vector<std::unique_ptr<RecordReader>> readers_;
  std::mutex mutex_;
  std::uint64_t next_number_ = 0;
  std::map<std::uint64_t, Error> errors_;  // by block
  std::exception_ptr exception_;
  bool finished_ = false;
  bool stopped_ = false;
  double fraction_ = 0;
};

std::vector<CrossTable> cross_tables(const TabulateOptions& options) {
  std::vector<CrossTable> tables;
  const auto number_of = [&](const std::string& name) {
    const auto at = std::find_if(options.dimensions.begin(),
                                 options.dimensions.end(),
                                 [&](const DimensionSpec& spec) { return spec.name == name; });
    return static_cast<std::int32_t>(at - options.dimensions.begin());
  };
  for (const TableSpec& spec : options.tables) {
    CrossTable& table = tables.emplace_back();
    table.name = spec.name;
    for (const std::string& name : spec.dimensions)
      table.dimensions.push_back(number_of(name));
  }
  if (tables.empty()) {
    CrossTable& table = tables.emplace_back();
    table.dimensions.resize(options.dimensions.size());
    std::iota(table.dimensions.begin(), table.dimensions.end(), 0);
  }
  return tables;
}

// The leaves of all readers under common numbers.
struct Leaves {
  std::vector<std::int32_t> codes;  // one per dimension and leaf
  std::vector<LeafSums> sums;
  std::vector<std::vector<std::uint32_t>> number;  // per reader: own number to common number
};

class Merger {
 public:
  Merger(BlockLoop& loop, const TabulateOptions& options) : loop_(loop), options_(options) {}

  Result<std::vector<Dimension>> dimensions() {
    std::vector<Dimension> dimensions;
    for (std::size_t d = 0; d < options_.dimensions.size(); ++d) {
      std::vector<std::string> texts;
      bool has_missing = false;
      for (const auto& reader : loop_.readers()) {
        for (std::uint32_t id = 0; id < reader->texts(d).size(); ++id) {
          if (reader->is_missing(d, id))
            has_missing = true;
          else if (!reader->is_dropped(d, id))
            texts.push_back(reader->texts(d).text(id));
        }
      }
      std::sort(texts.begin(), texts.end());
      texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
      LACUNA_TRY(Dimension dimension,
                 dimension_of_texts(options_.dimensions[d], texts, has_missing));
      LACUNA_RETURN_IF_ERROR(map_texts(d, dimension));
      dimensions.push_back(std::move(dimension));
    }
    return dimensions;
  }

  Result<Leaves> leaves(const std::vector<Dimension>& dimensions) const {
    const std::uint64_t modulus = options_.keys.modulus;
    std::vector<KeyTable::Key> stride(dimensions.size(), 1);
    for (std::size_t d = dimensions.size(); d-- > 1;)
      stride[d - 1] = stride[d] * static_cast<KeyTable::Key>(dimensions[d].num_codes());
    std::size_t expected = 0;
    for (const auto& reader : loop_.readers())
      expected += reader->num_leaves();
    NumberedKeys table(num_tuples(dimensions), expected);
    Leaves leaves;
    for (std::size_t r = 0; r < loop_.readers().size(); ++r) {
      const RecordReader& reader = *loop_.readers()[r];
      std::vector<std::uint32_t>& number = leaves.number.emplace_back();
      for (std::uint32_t leaf = 0; leaf < reader.num_leaves(); ++leaf) {
        KeyTable::Key key = 0;
        for (std::size_t d = 0; d < dimensions.size(); ++d)
          key += stride[d] * static_cast<KeyTable::Key>(code(r, leaf, d));
        const std::uint32_t common = table.find_or_add(key);
        number.push_back(common);
        if (common == leaves.sums.size()) {
          leaves.sums.emplace_back();
          for (std::size_t d = 0; d < dimensions.size(); ++d)
            leaves.codes.push_back(code(r, leaf, d));
        }
        LeafSums& sums = leaves.sums[common];
        sums.value += reader.sums(leaf).value;
        sums.absolute += reader.sums(leaf).absolute;
        sums.weight += reader.sums(leaf).weight;
        sums.records += reader.sums(leaf).records;
        sums.key = (sums.key + reader.sums(leaf).key) % modulus;
      }
    }
    if (leaves.sums.empty())
      return Error{ErrorCode::kBadInput, "no record is left for the table", ""};
    return leaves;
  }

  // Frees the readers' own lists on the way.
  SharesByRespondent shares(const Leaves& leaves) const {
    SharesByRespondent result;
    std::vector<std::size_t>& start = result.start;
    start.assign(loop_.respondents().id_limit() + 2, 0);
    for (const auto& reader : loop_.readers()) {
      for (const auto& chunk : reader->shares()) {
        for (const RecordShare& share : chunk)
          ++start[share.respondent + 2];
      }
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    result.shares.resize(start.back());
    for (std::size_t r = 0; r < loop_.readers().size(); ++r) {
      for (auto& chunk : loop_.readers()[r]->shares()) {
        for (const RecordShare& share : chunk) {
          const std::uint32_t own = share.leaf_and_flags >> RecordShare::kFlagBits;
          const std::uint32_t flags = share.leaf_and_flags & ((1U << RecordShare::kFlagBits) - 1);
          result.shares[start[share.respondent + 1]++] = {
              leaves.number[r][own] << RecordShare::kFlagBits | flags, share.amount};
        }
        std::vector<RecordShare>().swap(chunk);
      }
    }
    start.pop_back();
    return result;
  }

 private:
  std::int32_t code(std::size_t reader, std::uint32_t leaf, std::size_t dimension) const {
    return codes_[dimension][reader][loop_.readers()[reader]->text_of_leaf(leaf, dimension)];
  }

  Status map_texts(std::size_t d, const Dimension& dimension) {
    const DimensionSpec& spec = options_.dimensions[d];
    auto& of_readers = codes_.emplace_back();
    for (const auto& reader : loop_.readers()) {
      std::vector<std::int32_t>& codes = of_readers.emplace_back();
      for (std::uint32_t id = 0; id < reader->texts(d).size(); ++id) {
        const std::string leaf = reader->is_missing(d, id)
                                     ? spec.missing.code
                                     : leaf_of_text(spec, reader->texts(d).text(id));
        codes.push_back(reader->is_dropped(d, id) ? -1 : dimension.find(leaf));
        if (codes.back() >= 0 && !dimension.is_leaf(codes.back())) {
          return Error{ErrorCode::kBadInput,
                       "the code '" + leaf + "' has records of its own and codes below it",
                       "dimension " + spec.name};
        }
      }
    }
    return ok_status();
  }

  BlockLoop& loop_;
  const TabulateOptions& options_;
  std::vector<std::vector<std::vector<std::int32_t>>> codes_;  // dimension, reader, text
};

std::string label(const Tabulation& tabulation, std::size_t cell) {
  std::string text;
  const std::size_t width = tabulation.dimensions.size();
  for (std::size_t d = 0; d < width; ++d) {
    const Dimension& dimension = tabulation.dimensions[d];
    text += (d == 0 ? "" : "|") + dimension.name() + "=" +
            dimension.code(tabulation.codes[cell * width + d]);
  }
  return text;
}

std::int64_t rounded(Wide sum, int decimals) {
  Wide unit = 1;
  for (int i = 0; i < decimals; ++i)
    unit *= 10;
  return static_cast<std::int64_t>((2 * sum + unit) / (2 * unit));
}

Status fill_sums(const Leaves& leaves,
                 const CellIndex& index,
                 int weight_decimals,
                 Tabulation& tabulation) {
  std::vector<LeafSums> cells(index.num_cells);
  for (std::size_t leaf = 0; leaf < leaves.sums.size(); ++leaf) {
    const LeafSums& sums = leaves.sums[leaf];
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
      return Error{ErrorCode::kBadInput,
                   "the sum of the cell does not fit 63 bits with " +
                       std::to_string(tabulation.decimals) +
                       " decimals; use fewer decimals or a larger unit",
                   label(tabulation, c)};
    }
    CellFacts& facts = tabulation.cells[c];
    facts.value = static_cast<Units>(cells[c].value);
    facts.absolute = static_cast<Units>(cells[c].absolute);
    facts.records = cells[c].records;
    facts.contributors = cells[c].records;
    facts.weighted = rounded(cells[c].weight, weight_decimals);
  }
  return ok_status();
}

// Of magnitudes: the records that the noise of a cell is measured by.
void fill_largest_records(BlockLoop& loop,
                          const Leaves& leaves,
                          const CellIndex& index,
                          const ReadPlan& plan,
                          CellKeys& cells) {
  if (!plan.keeps_records())
    return;
  LargestRecords largest(plan.options->top);
  largest.resize(index.num_cells);
  for (std::size_t r = 0; r < loop.readers().size(); ++r) {
    const RecordReader& reader = *loop.readers()[r];
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
  if (plan.weight == ReadPlan::kNoColumn)
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
               const CellIndex& index,
               const ReadPlan& plan,
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
  tabulation.key_checks = check_record_keys(std::move(lists), cells.modulus);
  fill_largest_records(loop, leaves, index, plan, cells);
  tabulation.keys = std::make_shared<const CellKeys>(std::move(cells));
}

Contribution to_contribution(const Share& share) {
  return {-1,
          share.amount,
          (share.flags & Share::kRequested) != 0,
          (share.flags & Share::kNotWaived) == 0};
}

void fill_anonymous_top(BlockLoop& loop,
                        const Leaves& leaves,
                        const CellIndex& index,
                        Tabulation& tabulation) {
  TopLists top(tabulation.top, nullptr);
  top.resize(index.num_cells);
  for (std::size_t r = 0; r < loop.readers().size(); ++r) {
    const RecordReader& reader = *loop.readers()[r];
    for (std::uint32_t own = 0; own < reader.num_leaves(); ++own) {
      for (const Share& share : reader.top().list(own)) {
        for (const std::uint32_t cell : index.of_leaf(leaves.number[r][own]))
          top.offer(cell, share);
      }
    }
  }
  for (std::size_t c = 0; c < index.num_cells; ++c) {
    tabulation.cells[c].largest.reserve(top.list(c).size());
    for (const Share& share : top.list(c))
      tabulation.cells[c].largest.push_back(to_contribution(share));
  }
}

// Returns the numbers, in the order of Tabulation::respondents, that these have in the shares.
std::vector<std::uint32_t> fill_contributors(const ContributorFacts& facts,
                                             const RespondentTable& respondents,
                                             bool tagged,
                                             Tabulation& tabulation) {
  std::vector<std::uint32_t> named;
  for (std::size_t c = 0; c < tabulation.cells.size(); ++c) {
    for (const Share& share : facts.top.list(c))
      named.push_back(share.respondent);
  }
  std::sort(named.begin(), named.end());
  named.erase(std::unique(named.begin(), named.end()), named.end());
  std::sort(named.begin(), named.end(), [&](std::uint32_t a, std::uint32_t b) {
    return respondents.place(a) < respondents.place(b);
  });
  tabulation.respondents = respondents.texts(named);
  for (std::string& text : tabulation.respondents)
    text.erase(0, tagged ? 1 : 0);
  std::vector<std::int32_t> number(respondents.id_limit(), -1);
  for (std::size_t i = 0; i < named.size(); ++i)
    number[named[i]] = static_cast<std::int32_t>(i);
  for (std::size_t c = 0; c < tabulation.cells.size(); ++c) {
    CellFacts& cell = tabulation.cells[c];
    cell.contributors = facts.contributors[c];
    if (!facts.absolute.empty())
      cell.absolute = static_cast<Units>(facts.absolute[c]);
    for (const Share& share : facts.top.list(c)) {
      cell.largest.push_back(to_contribution(share));
      cell.largest.back().respondent = number[share.respondent];
    }
  }
  return named;
}

// `shares` as count_contributors has left them.
std::shared_ptr<const Holdings> holdings_of(const SharesByRespondent& shares,
                                            const std::vector<std::uint32_t>& named,
                                            CellIndex index) {
  auto holdings = std::make_shared<Holdings>();
  std::vector<Holdings::Part>& parts = holdings->parts;
  holdings->start.push_back(0);
  for (const std::uint32_t respondent : named) {
    const std::size_t first = parts.size();
    for (std::size_t i = shares.start[respondent]; i < shares.start[respondent + 1]; ++i) {
      const LeafShare& share = shares.shares[i];
      if (parts.size() == first || parts.back().leaf != share.leaf())
        parts.push_back({share.leaf(), 0});
      parts.back().amount += share.amount;  // fits: the sum has been made before
    }
    holdings->start.push_back(parts.size());
  }
  holdings->leaf_start = std::move(index.start);
  holdings->leaf_cells = std::move(index.cells);
  return holdings;
}

Result<Tabulation> assemble(BlockLoop& loop, const ReadPlan& plan, const RunContext& run) {
  const TabulateOptions& options = *plan.options;
  ProgressMeter meter(run);
  meter.show("adding up", 0);
  Merger merger(loop, options);
  Tabulation tabulation;
  tabulation.decimals = plan.decimals();
  tabulation.top = options.top;
  tabulation.tables = cross_tables(options);
  LACUNA_TRY(tabulation.dimensions, merger.dimensions());
  LACUNA_TRY(const Leaves leaves, merger.leaves(tabulation.dimensions));
  LACUNA_TRY(CellIndex index,
             index_cells(
                 tabulation.dimensions, tabulation.tables, leaves.codes, options.keep_empty_cells));
  tabulation.codes = std::move(index.codes);
  LACUNA_RETURN_IF_ERROR(fill_sums(leaves, index, plan.weight_format.decimals, tabulation));
  fill_keys(loop, leaves, index, plan, tabulation);
  if (plan.anonymous()) {
    fill_anonymous_top(loop, leaves, index, tabulation);
    return tabulation;
  }
  loop.respondents().close();
  const bool any_negative = std::any_of(loop.readers().begin(),
                                        loop.readers().end(),
                                        [](const auto& reader) { return reader->any_negative(); });
  const CountPlan count{options.top, &loop.respondents(), any_negative};
  SharesByRespondent shares = merger.shares(leaves);
  LACUNA_TRY(const ContributorFacts facts, count_contributors(shares, index, count, run));
  const std::vector<std::uint32_t> named =
      fill_contributors(facts, loop.respondents(), plan.holding != ReadPlan::kNoColumn, tabulation);
  if (options.keep_holdings)
    tabulation.holdings = holdings_of(shares, named, std::move(index));
  return tabulation;
}

void log_counts(BlockLoop& loop, const Tabulation& tabulation, const RunContext& run) {
  if (!run.log)
    return;
  std::uint64_t records = 0;
  std::uint64_t dropped = 0;
  for (const auto& reader : loop.readers()) {
    records += reader->num_records();
    dropped += reader->num_dropped();
  }
  run.log("tabulate: " + std::to_string(records) + " records, " + std::to_string(dropped) +
          " of them dropped, " + std::to_string(tabulation.cells.size()) + " cells");
}

}  // namespace

Result<Tabulation> tabulate(RecordSource& source,
                            const TabulateOptions& options,
                            const RunContext& given) {
  const RunContext run = with_helpers(given);
  LACUNA_TRY(ReadPlan plan, ReadPlan::make(options));
  for (;;) {
    LACUNA_RETURN_IF_ERROR(source.select(plan.columns));
    BlockLoop loop(source, plan, run);
    LACUNA_RETURN_IF_ERROR(loop.read_all());
    if (!loop.needs_decimals()) {
      LACUNA_TRY(Tabulation tabulation, assemble(loop, plan, run));
      log_counts(loop, tabulation, run);
      return tabulation;
    }
    // Decimals are left open and some record needs more: once again from the start, with as many
    // as have been seen. The first block shows it nearly always.
    plan.value_format.decimals = loop.value_decimals();
    plan.weight_format.decimals = loop.weight_decimals();
    if (plan.decimals() > TableBuilder::kMaxDecimals) {
      return Error{ErrorCode::kBadInput,
                   "values and weights have more than " +
                       std::to_string(TableBuilder::kMaxDecimals) +
                       " decimals together; choose a number of decimals and round",
                   ""};
    }
  }
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
    LACUNA_TRY(const CellId id,
               builder.add_cell(cell, {tabulation.codes.data() + c * width, width}));
    LACUNA_CHECK(id.value >= 0);
  }
  return ok_status();
}

Result<Table> table_of(const Tabulation& tabulation) {
  TableBuilder builder(tabulation.decimals, tabulation.dimensions);
  LACUNA_RETURN_IF_ERROR(add_cells(tabulation, builder));
  LACUNA_RETURN_IF_ERROR(add_cross_equations(builder, tabulation.tables));
  return std::move(builder).build();
}

}  // namespace lacuna

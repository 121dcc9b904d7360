// SPDX-License-Identifier: Apache-2.0
// From sums per leaf and contributor to cells. With S(l) the settled contributors of leaf l (all
// their records are there), a cell c has
//
//   value, records, weight        sums over the leaves below c
//   contributors                  sum of |S(l)|, and the spread contributors with a record below c
//   sum of |contribution|         sum over S(l), and over spread contributors of |sum below c|
//   k largest                     of the k largest of each S(l) and of the spread contributors
//
// because settled contributors of different leaves are different and contribute the same to every
// cell above. Of a spread contributor the sums of all its leaves are needed: the k largest of each
// leaf would not do. In plan B the database has made these sums for cells.
#include "lacuna/aggregates.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/parallel.h"
#include "data/tabulate/aggregate_columns.h"
#include "data/tabulate/aggregate_rows.h"
#include "data/tabulate/aggregate_sql.h"
#include "data/tabulate/cell_facts.h"
#include "data/tabulate/contributors.h"
#include "data/tabulate/leaf_codes.h"

namespace lacuna {
namespace {

Error do_not_belong(const std::string& what) {
  return {ErrorCode::kDamaged,
          what + ": make all files of sums again, by one run of the SQL text of this very job",
          ""};
}

struct AggregateLeaf {
  Wide value = 0;
  Wide weight = 0;
  Wide settled_abs = 0;
  std::int64_t records = 0;
  std::int64_t settled = 0;
  std::int64_t spread = 0;
  // What the other sources say of it.
  std::int64_t listed = 0;
  std::int64_t spread_rows = 0;
};

// One cell after another by the packed codes of its dimensions.
class CellFinder {
 public:
  explicit CellFinder(const Tabulation& tabulation) : dimensions_(tabulation.dimensions) {
    const std::size_t width = dimensions_.size();
    for (std::size_t c = 0; c * width < tabulation.codes.size(); ++c)
      table_.find_or_add(key({tabulation.codes.data() + c * width, width}));
    num_cells_ = table_.size();
  }
  // num_cells() if there is none.
  std::uint32_t find(std::span<const std::int32_t> codes) {
    return std::min(table_.find_or_add(key(codes)), num_cells_);
  }
  std::uint32_t num_cells() const { return num_cells_; }

 private:
  tabulation::KeyTable::Key key(std::span<const std::int32_t> codes) const {
    tabulation::KeyTable::Key key = 0;
    for (std::size_t d = 0; d < codes.size(); ++d)
      key = key * static_cast<tabulation::KeyTable::Key>(dimensions_[d].num_codes()) +
            static_cast<tabulation::KeyTable::Key>(codes[d]);
    return key;
  }
  const std::vector<Dimension>& dimensions_;
  tabulation::KeyTable table_;
  std::uint32_t num_cells_ = 0;
};

class AggregateReader {
 public:
  AggregateReader(const AggregateSources& sources,
                  const TabulateOptions& options,
                  const tabulation::ReadPlan& plan,
                  const RunContext& run)
      : sources_(sources), options_(options), plan_(plan), run_(run), codes_(plan) {}

  Result<Tabulation> read() {
    LACUNA_RETURN_IF_ERROR(read_leaves());
    LACUNA_RETURN_IF_ERROR(name_leaves());
    tabulation_.decimals = value_decimals() + weight_decimals();
    tabulation_.top = options_.top;
    tabulation_.tables = tabulation::cross_tables(options_);
    LACUNA_TRY(index_,
               tabulation::index_cells(tabulation_.dimensions,
                                       tabulation_.tables,
                                       std::move(leaf_codes_),
                                       options_.keep_empty_cells));
    tabulation_.codes = std::move(index_.codes);
    LACUNA_RETURN_IF_ERROR(fill_leaf_sums());
    if (is_anonymous())
      LACUNA_RETURN_IF_ERROR(read_anonymous());
    else
      LACUNA_RETURN_IF_ERROR(sources_.is_by_cell() ? read_cells() : read_contributors());
    return std::move(tabulation_);
  }

 private:
  bool is_anonymous() const { return options_.respondent.empty() && options_.holding.empty(); }
  bool is_tagged() const { return !options_.holding.empty() && !sources_.hashed; }
  int value_decimals() const { return options_.value.empty() ? 0 : options_.decimals; }
  int weight_decimals() const { return options_.weight.empty() ? 0 : options_.weight_decimals; }

  std::vector<std::string> columns(std::initializer_list<const char*> more) const {
    std::vector<std::string> names = plan_.columns;
    names.insert(names.end(), more.begin(), more.end());
    return names;
  }

  // ---- leaves

  Status read_leaves() {
    const std::size_t at = plan_.columns.size();
    return tabulation::for_each_row(
        *sources_.leaf,
        columns({"value", "records", "weight", "settled", "settled_abs", "spread"}),
        run_,
        [&](const tabulation::RecordPlace& place) -> Status {
          tabulation::KeyTable::Key key = 0;
          LACUNA_TRY(const bool counts, read_codes(place, key));
          if (!counts)
            return ok_status();
          const std::uint32_t leaf = keys_.find_or_add(key);
          if (leaf < raw_.size())
            return place.error(0, "the leaf already has a row");
          AggregateLeaf& sums = raw_.emplace_back();
          LACUNA_TRY(sums.value, tabulation::whole_number(place, at, -kMaxUnits));
          LACUNA_TRY(sums.records, tabulation::whole_number(place, at + 1, 0));
          LACUNA_TRY(sums.weight, tabulation::whole_number(place, at + 2, 0));
          LACUNA_TRY(sums.settled, tabulation::whole_number(place, at + 3, 0));
          LACUNA_TRY(sums.settled_abs, tabulation::whole_number(place, at + 4, 0));
          LACUNA_TRY(sums.spread, tabulation::whole_number(place, at + 5, 0));
          return ok_status();
        });
  }

  // Leaves of the source that mean the same codes are one.
  Status name_leaves() {
    if (raw_.empty())
      return Error{ErrorCode::kNoRows, "no record is left for the table", ""};
    LACUNA_TRY(const tabulation::LeafCodes codes,
               tabulation::LeafCodes::make({&codes_}, plan_options()));
    tabulation_.dimensions = codes.dimensions();
    const std::size_t width = tabulation_.dimensions.size();
    std::vector<std::int32_t> own(width);
    for (std::uint32_t leaf = 0; leaf < raw_.size(); ++leaf) {
      for (std::size_t d = 0; d < width; ++d)
        own[d] = codes.code(0, keys_.keys()[leaf], d);
      const std::uint32_t common = common_leaf(own);
      number_.push_back(common);
      AggregateLeaf& sums = leaves_[common];
      sums.value += raw_[leaf].value;
      sums.weight += raw_[leaf].weight;
      sums.settled_abs += raw_[leaf].settled_abs;
      sums.records += raw_[leaf].records;
      sums.settled += raw_[leaf].settled;
      sums.spread += raw_[leaf].spread;
    }
    return ok_status();
  }

  const TabulateOptions& plan_options() const { return *plan_.options; }

  std::uint32_t common_leaf(const std::vector<std::int32_t>& codes) {
    tabulation::KeyTable::Key key = 0;
    for (std::size_t d = 0; d < codes.size(); ++d)
      key = key * static_cast<tabulation::KeyTable::Key>(tabulation_.dimensions[d].num_codes()) +
            static_cast<tabulation::KeyTable::Key>(codes[d]);
    const std::uint32_t common = common_.find_or_add(key);
    if (common == leaves_.size()) {
      leaves_.emplace_back();
      leaf_codes_.insert(leaf_codes_.end(), codes.begin(), codes.end());
    }
    return common;
  }

  Status fill_leaf_sums() {
    std::vector<Wide> values(index_.num_cells, 0);
    std::vector<Wide> weights(index_.num_cells, 0);
    absolute_.assign(index_.num_cells, 0);
    contributors_.assign(index_.num_cells, 0);
    tabulation_.cells.resize(index_.num_cells);
    for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      for (const std::uint32_t cell : index_.of_leaf(leaf)) {
        values[cell] += leaves_[leaf].value;
        weights[cell] += leaves_[leaf].weight;
        absolute_[cell] += leaves_[leaf].settled_abs;
        contributors_[cell] += leaves_[leaf].settled;
        tabulation_.cells[cell].records += leaves_[leaf].records;
      }
    }
    for (std::size_t c = 0; c < values.size(); ++c) {
      if (values[c] > kMaxUnits || values[c] < -kMaxUnits || absolute_[c] > kMaxUnits)
        return tabulation::sum_does_not_fit(tabulation_, c);
      tabulation_.cells[c].value = static_cast<Units>(values[c]);
      tabulation_.cells[c].absolute = static_cast<Units>(absolute_[c]);
      tabulation_.cells[c].contributors = contributors_[c];
      tabulation_.cells[c].weighted = tabulation::rounded(weights[c], weight_decimals());
    }
    return ok_status();
  }

  // False: its records are left out. The first row that is wrong is the error.
  Result<bool> read_codes(const tabulation::RecordPlace& place, tabulation::KeyTable::Key& key) {
    tabulation::Troubles troubles;
    LACUNA_TRY(const tabulation::Use use, codes_.read(place, key, troubles));
    if (use == tabulation::Use::kTrouble)
      return troubles.error(plan_.columns, 1);
    return use == tabulation::Use::kCounts;
  }

  // The common number of the leaf of a row of top_leaf or spread.
  Result<std::uint32_t> leaf_of(const tabulation::RecordPlace& place) {
    tabulation::KeyTable::Key key = 0;
    LACUNA_TRY(const bool counts, read_codes(place, key));
    const std::uint32_t raw = counts ? keys_.find_or_add(key) : static_cast<std::uint32_t>(~0U);
    if (raw >= number_.size())
      return place.error(0, "no row of leaf has the codes of this row");
    return number_[raw];
  }

  Status check_lists() const {
    for (const AggregateLeaf& leaf : leaves_) {
      if (leaf.listed < std::min<std::int64_t>(leaf.settled, options_.top))
        return do_not_belong("top_leaf lists fewer contributors of a leaf than are needed");
      if (leaf.spread_rows != leaf.spread)
        return do_not_belong("spread does not have the contributors that leaf counts");
    }
    return ok_status();
  }

  // ---- plan A

  Status read_anonymous() {
    tabulation::TopLists top(options_.top, nullptr);
    top.resize(index_.num_cells);
    LACUNA_RETURN_IF_ERROR(tabulation::for_each_row(
        *sources_.top_leaf,
        columns({"c", "req", "waive"}),
        run_,
        [&](const tabulation::RecordPlace& place) -> Status {
          LACUNA_TRY(const std::uint32_t leaf, leaf_of(place));
          LACUNA_TRY(const tabulation::Share share,
                     tabulation::share_of_row(place, plan_.columns.size()));
          ++leaves_[leaf].listed;
          for (const std::uint32_t cell : index_.of_leaf(leaf))
            top.offer(cell, share);
          return ok_status();
        }));
    LACUNA_RETURN_IF_ERROR(check_lists());
    for (std::size_t c = 0; c < index_.num_cells; ++c) {
      for (const tabulation::Share& share : top.list(c))
        tabulation_.cells[c].largest.push_back(tabulation::to_contribution(share));
    }
    return ok_status();
  }

  // Rows of top_leaf or spread, as shares of their contributors.
  Status read_shares(RecordSource& source, bool settled) {
    const std::size_t at = plan_.columns.size();
    std::vector<tabulation::RespondentTable::Query> queries;
    const auto use = [&](const tabulation::RecordPlace& place) -> Status {
      LACUNA_TRY(const std::uint32_t leaf, leaf_of(place));
      LACUNA_TRY(const tabulation::Share share, tabulation::share_of_row(place, at + 1));
      if (place.field(at).empty())
        return place.error(at, "the row does not name its contributor");
      ++(settled ? leaves_[leaf].listed : leaves_[leaf].spread_rows);
      if (settled)
        listed_abs(leaf, share.amount);
      queries.push_back({place.field(at), 0});
      rows_.push_back({leaf << tabulation::RecordShare::kFlagBits | share.flags, 0, share.amount});
      return ok_status();
    };
    const auto end_block = [&] {
      respondents_.intern(queries, memory_);
      for (std::size_t i = 0; i < queries.size(); ++i)
        rows_[rows_.size() - queries.size() + i].respondent = queries[i].id;
      queries.clear();
    };
    return tabulation::for_each_row(
        source, columns({"who", "c", "req", "waive"}), run_, use, end_block);
  }

  // What is listed is counted with the spread contributors; what remains of a leaf is added apart.
  void listed_abs(std::uint32_t leaf, Units amount) {
    for (const std::uint32_t cell : index_.of_leaf(leaf)) {
      --contributors_[cell];
      absolute_[cell] -= amount < 0 ? -amount : amount;
    }
  }

  Status check_settled(tabulation::SharesByRespondent& shares, std::size_t num_settled) const {
    for (std::size_t i = 0; i < num_settled; ++i) {
      if (shares.of(rows_[i].respondent).size() != 1)
        return do_not_belong("a contributor of top_leaf, who has one leaf, has others as well");
    }
    return ok_status();
  }

  tabulation::SharesByRespondent shares_by_respondent() const {
    tabulation::ShareLists lists;
    for (const tabulation::RecordShare& row : rows_)
      lists.add(row);
    tabulation::SharesByRespondent result;
    for (std::size_t s = 0; s < result.shards.size(); ++s)
      result.shards[s] =
          tabulation::by_respondent({{lists.take(s), {}}}, respondents_.shard_size(s));
    return result;
  }

  Status read_contributors() {
    LACUNA_RETURN_IF_ERROR(read_shares(*sources_.top_leaf, true));
    const std::size_t num_settled = rows_.size();
    LACUNA_RETURN_IF_ERROR(read_shares(*sources_.spread, false));
    LACUNA_RETURN_IF_ERROR(check_lists());
    tabulation::SharesByRespondent shares = shares_by_respondent();
    LACUNA_RETURN_IF_ERROR(check_settled(shares, num_settled));
    const tabulation::CountPlan count{options_.top, &respondents_, true};
    const auto make = [&](std::size_t shard) { return std::move(shares.shards[shard]); };
    LACUNA_TRY(tabulation::ContributorFacts facts,
               tabulation::count_contributors(make, &shares, index_, count, run_));
    for (std::size_t c = 0; c < index_.num_cells; ++c) {
      facts.contributors[c] += contributors_[c];
      facts.absolute[c] += absolute_[c];
      if (facts.absolute[c] > kMaxUnits)
        return tabulation::sum_does_not_fit(tabulation_, c);
    }
    const std::vector<std::uint32_t> named =
        tabulation::fill_contributors(facts, respondents_, is_tagged(), tabulation_);
    if (options_.keep_contributions)
      tabulation_.contributions =
          tabulation::leaf_contributions_of(shares, named, std::move(index_));
    return ok_status();
  }

  // ---- plan B

  std::vector<std::string> cell_columns(std::initializer_list<const char*> more) const {
    std::vector<std::string> names{"tab"};
    for (std::size_t d = 0; d < tabulation_.dimensions.size(); ++d)
      names.push_back(tabulation::cell_column(d));
    names.insert(names.end(), more.begin(), more.end());
    return names;
  }

  // Whether the cell is one of the table: all other dimensions stand at their totals.
  bool is_cell_of(std::size_t table, std::span<const std::int32_t> codes) const {
    const auto& used = tabulation_.tables[table].dimensions;
    for (std::size_t d = 0; d < codes.size(); ++d) {
      const bool stands = codes[d] == tabulation_.dimensions[d].total();
      if (!stands &&
          std::find(used.begin(), used.end(), static_cast<std::int32_t>(d)) == used.end())
        return false;
    }
    return true;
  }

  // The cell of a row, or num_cells() if an earlier table has the same cell.
  Result<std::uint32_t> cell_of(const tabulation::RecordPlace& place, CellFinder& finder) const {
    LACUNA_TRY(const Units table, tabulation::whole_number(place, 0, 0));
    const auto number = static_cast<std::size_t>(table);
    std::vector<std::int32_t> codes;
    for (std::size_t d = 0; d < tabulation_.dimensions.size(); ++d) {
      codes.push_back(tabulation_.dimensions[d].find(place.field(d + 1)));
      if (codes.back() < 0)
        return place.error(d + 1, "this is not a code of the dimension, as leaf has it");
    }
    if (number >= tabulation_.tables.size() || !is_cell_of(number, codes))
      return place.error(0, "this is not the number of a table with this cell");
    const std::uint32_t cell = finder.find(codes);
    if (cell == finder.num_cells())
      return place.error(1, "there is no such cell above the rows of leaf");
    for (std::size_t t = 0; t < number; ++t) {
      if (is_cell_of(t, codes))
        return finder.num_cells();
    }
    return cell;
  }

  Status read_cellnum(CellFinder& finder, tabulation::ContributorFacts& facts) {
    const std::size_t at = tabulation_.dimensions.size() + 1;
    std::vector<bool> seen(index_.num_cells, false);
    const auto use = [&](const tabulation::RecordPlace& place) -> Status {
      LACUNA_TRY(const std::uint32_t cell, cell_of(place, finder));
      if (cell == finder.num_cells())
        return ok_status();
      LACUNA_TRY(const Units value, tabulation::whole_number(place, at, -kMaxUnits));
      LACUNA_TRY(const Units records, tabulation::whole_number(place, at + 1, 0));
      LACUNA_TRY(facts.contributors[cell], tabulation::whole_number(place, at + 2, 0));
      LACUNA_TRY(facts.absolute[cell], tabulation::whole_number(place, at + 3, 0));
      const CellFacts& own = tabulation_.cells[cell];
      if (seen[cell] || value != own.value || records != own.records)
        return do_not_belong("cellnum has other sums than leaf");
      seen[cell] = true;
      return ok_status();
    };
    LACUNA_RETURN_IF_ERROR(
        tabulation::for_each_row(*sources_.cellnum,
                                 cell_columns({"value", "records", "contributors", "absolute"}),
                                 run_,
                                 use));
    for (std::size_t c = 0; c < index_.num_cells; ++c) {
      if (!seen[c] && tabulation_.cells[c].records > 0)
        return do_not_belong("cellnum lacks a cell that leaf has");
    }
    return ok_status();
  }

  struct CellShare {
    std::uint32_t cell = 0;
    tabulation::Share share;
  };

  Status read_celltop(CellFinder& finder, tabulation::ContributorFacts& facts) {
    const std::size_t at = tabulation_.dimensions.size() + 1;
    std::vector<tabulation::RespondentTable::Query> queries;
    std::vector<CellShare> shares;
    const auto use = [&](const tabulation::RecordPlace& place) -> Status {
      LACUNA_TRY(const std::uint32_t cell, cell_of(place, finder));
      if (cell == finder.num_cells())
        return ok_status();
      LACUNA_TRY(const tabulation::Share share, tabulation::share_of_row(place, at + 1));
      if (place.field(at).empty())
        return place.error(at, "the row does not name its contributor");
      queries.push_back({place.field(at), 0});
      shares.push_back({cell, share});
      return ok_status();
    };
    const auto end_block = [&] {
      respondents_.intern(queries, memory_);
      for (std::size_t i = 0; i < queries.size(); ++i)
        shares[shares.size() - queries.size() + i].share.respondent = queries[i].id;
      queries.clear();
    };
    LACUNA_RETURN_IF_ERROR(tabulation::for_each_row(
        *sources_.celltop, cell_columns({"who", "c", "req", "waive"}), run_, use, end_block));
    for (const CellShare& each : shares)
      facts.top.offer(each.cell, each.share);
    return ok_status();
  }

  Status read_cells() {
    tabulation::ContributorFacts facts(index_.num_cells, {options_.top, &respondents_, true});
    CellFinder finder(tabulation_);
    LACUNA_RETURN_IF_ERROR(read_cellnum(finder, facts));
    LACUNA_RETURN_IF_ERROR(read_celltop(finder, facts));
    for (std::size_t c = 0; c < index_.num_cells; ++c) {
      if (std::cmp_not_equal(facts.top.list(c).size(),
                             std::min<std::int64_t>(options_.top, facts.contributors[c])))
        return do_not_belong("celltop lists fewer contributors of a cell than are needed");
    }
    tabulation::fill_contributors(facts, respondents_, is_tagged(), tabulation_);
    return ok_status();
  }

  const AggregateSources& sources_;
  const TabulateOptions& options_;
  const tabulation::ReadPlan& plan_;
  const RunContext& run_;
  tabulation::CodeReader codes_;
  tabulation::KeyTable keys_;          // of rows of leaf
  std::vector<AggregateLeaf> raw_;     // likewise
  std::vector<std::uint32_t> number_;  // their common numbers
  tabulation::KeyTable common_;
  std::vector<AggregateLeaf> leaves_;
  std::vector<std::int32_t> leaf_codes_;
  tabulation::CellIndex index_;
  std::vector<Wide> absolute_;  // per cell, of settled contributors that are not listed
  std::vector<std::int64_t> contributors_;
  tabulation::RespondentTable respondents_;
  tabulation::RespondentTable::Memory memory_;
  std::vector<tabulation::RecordShare> rows_;  // of top_leaf, then of spread
  Tabulation tabulation_;
};

Error unsupported(const char* message, const char* where) {
  return {ErrorCode::kUnsupported, message, where};
}

Status check_sources(const AggregateSources& sources, const TabulateOptions& options) {
  const bool anonymous = options.respondent.empty() && options.holding.empty();
  if (options.keys.given())
    return unsupported("keys of records are read by the program itself: use engine lacuna", "keys");
  LACUNA_RETURN_IF_ERROR(tabulation::check_by_database(options));
  if (!options.value.empty() && options.decimals < 0)
    return unsupported("sums of a database need the number of decimals of the values", "decimals");
  if (!options.weight.empty() && options.weight_decimals < 0)
    return unsupported("sums of a database need the number of decimals of the weights",
                       "weight-decimals");
  const bool plan_a = sources.top_leaf != nullptr && (anonymous || sources.spread != nullptr);
  const bool plan_b = !anonymous && sources.celltop != nullptr && sources.cellnum != nullptr;
  if (sources.leaf == nullptr || (sources.is_by_cell() ? !plan_b : !plan_a))
    return unsupported(
        "sums of a database are leaf, top_leaf and spread, or leaf, celltop and "
        "cellnum",
        "");
  if (sources.is_by_cell() && options.keep_contributions)
    return unsupported(
        "what respondents contribute to all cells is told by spread, which plan B does not have: "
        "run plan A, or choose another knowledge of attackers",
        "");
  return ok_status();
}

}  // namespace

Result<Tabulation> tabulate_from_aggregates(const AggregateSources& sources,
                                            const TabulateOptions& options,
                                            const RunContext& given) {
  const RunContext run = with_helpers(given);
  LACUNA_RETURN_IF_ERROR(options.validate());
  LACUNA_RETURN_IF_ERROR(check_sources(sources, options));
  const TabulateOptions renamed = tabulation::options_of_aggregates(options);
  LACUNA_TRY(const tabulation::ReadPlan plan, tabulation::ReadPlan::make(renamed));
  AggregateReader reader(sources, options, plan, run);
  LACUNA_TRY(Tabulation tabulation, reader.read());
  tabulation.none_is_empty = tabulation::none_is_empty(tabulation, options);
  if (run.log)
    run.log("tabulate: " + std::to_string(tabulation.cells.size()) + " cells from sums");
  return tabulation;
}

}  // namespace lacuna

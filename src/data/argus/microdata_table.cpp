// SPDX-License-Identifier: Apache-2.0
// From records to a table. Records are added up in the cells of their codes; cells of codes with
// others below them are added up from those, one variable after the other, the largest
// contributions with them. Holdings may have records in several cells and are added up by
// themselves.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <unordered_map>

#include "core/base/decimal.h"
#include "data/argus/lines.h"
#include "data/argus/microdata.h"
#include "data/argus/recode_file.h"
#include "data/argus/records.h"
#include "data/argus/rules.h"
#include "data/argus/table_sums.h"
#include "data/files/file.h"

namespace lacuna::argus {
namespace {

struct TableDimension {
  CodeList list;
  const std::vector<std::int32_t>* values = nullptr;
  std::vector<std::int32_t> new_of;  // the code that a code of the records has in the table
  std::size_t stride = 1;
};

Error unfit_rules(std::string message) {
  return {ErrorCode::kArgusCommand, std::move(message), ""};
}

class RecordTable {
 public:
  RecordTable(const Microdata& data, const SpecifyTable& spec, const SafetyRule& rules)
      : data_(data), records_(*data.records) {
    table_.spec = spec;
    table_.rules = rules;
    table_.counts = spec.counts();
  }

  Result<Table> make(const std::vector<AppliedRecode>& recodes, const RunContext& run);

 private:
  Status check_rules() const;
  Status choose_columns();
  void choose_keys();
  Status make_dimensions(const std::vector<AppliedRecode>& recodes);
  Status recode(TableDimension& dimension, const AppliedRecode& recode);
  Status make_cells();
  Status add_records(const RunContext& run);
  Status add_record(std::size_t record);
  void offer(std::size_t cell, std::size_t record, Units amount);
  std::size_t cell_of(std::size_t record) const;
  Status add_holdings();
  Status add_holding(const std::vector<std::uint32_t>& order, std::size_t begin, std::size_t end);
  void visit_cells(std::size_t record, const std::function<void(std::size_t)>& visit) const;
  void note_scattered_holdings();
  void count_holdings();
  void set_costs();

  const Microdata& data_;
  const Records& records_;
  Table table_;
  std::vector<TableDimension> dimensions_;
  const NumberColumn* response_ = nullptr;  // null: counts
  const NumberColumn* shadow_ = nullptr;
  const NumberColumn* cost_ = nullptr;     // null: by the kind of cost
  const NumberColumn* weights_ = nullptr;  // null: without
  bool zeros_have_keys_ = true;            // records that add nothing count for the key of a cell
  Units weight_one_ = 1;                   // a weight of 1 in its units
  std::size_t top_ = 0;
  std::vector<Units> costs_;  // of a cost variable, by cell
};

Status RecordTable::check_rules() const {
  const SafetyRule& rules = table_.rules;
  const bool requests = rules.request[0] || rules.request[1];
  if (rules.holdings() && records_.holdings.empty())
    return unfit_rules("a rule is about holdings, and no variable is the <HOLDING> in " +
                       data_.metadata.filename);
  if (rules.weights && !records_.weights)
    return unfit_rules("WGT(1) needs a variable that is the <WEIGHT> in " +
                       data_.metadata.filename);
  if (rules.weights && rules.holdings())
    return unfit_rules("rules about holdings cannot be weighted: leave out WGT(1)");
  if (requests && records_.requests.empty())
    return unfit_rules("REQ needs a variable that is the <REQUEST> in " + data_.metadata.filename);
  const auto given = [](const auto& places) {
    return std::any_of(places.begin(), places.end(), [](const auto& rule) { return !!rule; });
  };
  if (table_.counts &&
      (given(rules.dominance) || given(rules.prior_posterior) || requests || rules.zero))
    return unfit_rules("NK, P, REQ and ZERO are not for a table of counts; FREQ is");
  return ok_status();
}

Status RecordTable::choose_columns() {
  const SpecifyTable& spec = table_.spec;
  const auto column = [&](const Word& name) { return records_.find_numbers(name.text); };
  table_.response = "Freq";
  if (!table_.counts) {
    response_ = column(spec.response);
    shadow_ = spec.shadow.text.empty() ? response_ : column(spec.shadow);
    if (response_ == nullptr || shadow_ == nullptr)
      return unfit_rules("the numbers of " + base::in_quotes(spec.response.text) +
                         " were not read");
    table_.response = response_->variable;
    const Variable* variable = data_.metadata.find(spec.response.text);
    table_.shown_decimals = variable->decimals.value_or(0);
    table_.decimals = response_->decimals;
    table_.shadow_decimals = shadow_->decimals;
  }
  if (spec.cost_kind == CostKind::kVariable)
    cost_ = column(spec.cost);
  if (table_.rules.weights) {
    weights_ = &*records_.weights;
    table_.weight_decimals = weights_->decimals;
    table_.decimals += weights_->decimals;
    table_.shadow_decimals += weights_->decimals;
    for (int i = 0; i < weights_->decimals; ++i)
      weight_one_ *= 10;
  }
  top_ = static_cast<std::size_t>(table_.rules.records_needed());
  if (records_.keys)
    choose_keys();
  return ok_status();
}

void RecordTable::choose_keys() {
  table_.key_modulus = 1;
  for (int i = 0; i < records_.keys->decimals; ++i)
    table_.key_modulus *= 10;
  const Variable* variable = data_.metadata.find(table_.spec.response.text);
  if (table_.counts || variable == nullptr || !variable->cell_key)
    return;
  const CellKeyOptions& options = *variable->cell_key;
  zeros_have_keys_ = options.include_zeros;
  const int needed = options.type == 'T' ? options.top : 1;
  top_ = std::max(top_, static_cast<std::size_t>(needed));
}

Status RecordTable::recode(TableDimension& dimension, const AppliedRecode& applied) {
  const CodeList& list = records_.find_codes(applied.recode.variable.text)->list;
  RecodedCodes recoded;
  if (applied.path.empty()) {
    if (!list.hierarchical) {
      return unfit_rules("a recode by level is for variables with a tree, and " + list.variable +
                         " has none");
    }
    recoded = fold_below(list, applied.recode.level);
  } else {
    LACUNA_TRY(std::string bytes, files::read_file(applied.path));
    LACUNA_TRY(const RecodeFile file, read_recode(std::move(bytes), applied.path));
    LACUNA_TRY(recoded, apply_recode(file, list));
  }
  table_.notes.insert(table_.notes.end(), recoded.notes.begin(), recoded.notes.end());
  dimension.list = std::move(recoded.list);
  dimension.list.recoded = true;
  dimension.new_of = std::move(recoded.new_of);
  return ok_status();
}

Status RecordTable::make_dimensions(const std::vector<AppliedRecode>& recodes) {
  for (const Word& name : table_.spec.explanatory) {
    const CodeColumn* column = records_.find_codes(name.text);
    if (column == nullptr)
      return unfit_rules("the codes of " + base::in_quotes(name.text) + " were not read");
    TableDimension dimension;
    dimension.list = column->list;
    dimension.values = &column->values;
    dimension.new_of.resize(column->list.codes.size());
    std::iota(dimension.new_of.begin(), dimension.new_of.end(), 0);
    const auto last = std::find_if(recodes.rbegin(), recodes.rend(), [&](const AppliedRecode& one) {
      return same_word(one.recode.variable.text, name.text);
    });
    if (last != recodes.rend())
      LACUNA_RETURN_IF_ERROR(recode(dimension, *last));
    dimensions_.push_back(std::move(dimension));
  }
  for (const AppliedRecode& one : recodes) {
    const auto is_it = [&](const Word& name) {
      return same_word(name.text, one.recode.variable.text);
    };
    if (std::none_of(table_.spec.explanatory.begin(), table_.spec.explanatory.end(), is_it))
      return unfit_rules("the recode is of " + base::in_quotes(one.recode.variable.text) +
                         ", which does not span the table");
  }
  return ok_status();
}

Status RecordTable::make_cells() {
  for (const TableDimension& dimension : dimensions_)
    table_.variables.push_back(dimension.list);
  LACUNA_TRY(const std::size_t count, num_cells(table_.variables));
  std::size_t stride = 1;
  for (std::size_t v = dimensions_.size(); v-- > 0;) {
    dimensions_[v].stride = stride;
    stride *= dimensions_[v].list.codes.size();
  }
  table_.cells.resize(count);
  if (weights_ != nullptr)
    table_.weights.resize(count);
  if (table_.rules.request[0] || table_.rules.request[1])
    table_.requests.resize(count);
  if (table_.key_modulus != 0)
    table_.keys.resize(count);
  if (cost_ != nullptr)
    costs_.resize(count);
  return ok_status();
}

std::size_t RecordTable::cell_of(std::size_t record) const {
  std::size_t cell = 0;
  for (const TableDimension& dimension : dimensions_) {
    const auto code = static_cast<std::size_t>((*dimension.values)[record]);
    cell += static_cast<std::size_t>(dimension.new_of[code]) * dimension.stride;
  }
  return cell;
}

Status RecordTable::add_record(std::size_t record) {
  const std::size_t index = cell_of(record);
  Cell& cell = table_.cells[index];
  const Units weight = weights_ == nullptr ? 1 : weights_->values[record];
  const auto amount = [&](const NumberColumn* column) {
    return static_cast<Wide>(column == nullptr ? 1 : column->values[record]) * weight;
  };
  ++cell.frequency;
  bool fits = add_to(cell.response, amount(response_)) && add_to(cell.shadow, amount(shadow_));
  if (cost_ != nullptr)
    fits = fits && add_to(costs_[index], amount(cost_));
  if (weights_ != nullptr)
    fits = fits && add_to(table_.weights[index].sum, weight);
  if (!fits)
    return sum_too_large(table_, index);
  const Wide own = shadow_ == nullptr ? Wide{weight_one_}
                                      : static_cast<Wide>(shadow_->values[record]) * weight_one_;
  if (own > kMaxUnits || own < -kMaxUnits)
    return sum_too_large(table_, index);
  offer(index, record, static_cast<Units>(own));
  if (!table_.keys.empty()) {
    const bool counts = zeros_have_keys_ || response_ == nullptr || response_->values[record] != 0;
    const Units key = counts ? records_.keys->values[record] : 0;
    add_key(
        table_, index, {static_cast<std::uint64_t>(key), static_cast<Units>(own < 0 ? -own : own)});
  }
  return ok_status();
}

void RecordTable::offer(std::size_t index, std::size_t record, Units amount) {
  Cell& cell = table_.cells[index];
  const Units size = amount < 0 ? -amount : amount;
  std::vector<Units>* weights = nullptr;
  Units weight = 0;
  if (weights_ != nullptr) {
    weights = &table_.weights[index].largest;
    weight = weights_->values[record];
  }
  offer_largest(cell.largest, size, top_, weights, weight);
  if (!table_.requests.empty() && records_.requests[record] != 0)
    keep_larger(table_.requests[index].records, {amount, records_.requests[record]});
}

Status RecordTable::add_records(const RunContext& run) {
  constexpr std::size_t kBetweenChecks = std::size_t{1} << 16U;
  for (std::size_t record = 0; record < records_.count; ++record) {
    LACUNA_RETURN_IF_ERROR(add_record(record));
    if (record % kBetweenChecks == 0 && run.should_stop())
      return Error{ErrorCode::kStopped, "the tabulation was stopped before it was complete", ""};
  }
  return add_up_totals(table_, costs_, top_);
}

void RecordTable::visit_cells(std::size_t record,
                              const std::function<void(std::size_t)>& visit) const {
  std::vector<std::size_t> cells{0};
  for (const TableDimension& dimension : dimensions_) {
    const std::size_t before = cells.size();
    const auto old_code = static_cast<std::size_t>((*dimension.values)[record]);
    std::int32_t code = dimension.new_of[old_code];
    // Adding nothing stands for the total, which the cells have already.
    for (; code > 0; code = dimension.list.parents[static_cast<std::size_t>(code)]) {
      for (std::size_t i = 0; i < before; ++i)
        cells.push_back(cells[i] + static_cast<std::size_t>(code) * dimension.stride);
    }
  }
  for (const std::size_t cell : cells)
    visit(cell);
}

Status RecordTable::add_holding(const std::vector<std::uint32_t>& order,
                                std::size_t begin,
                                std::size_t end) {
  struct Part {
    Wide amount = 0;
    int kind = 0;
  };
  std::unordered_map<std::size_t, Part> parts;
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t record = order[i];
    visit_cells(record, [&](std::size_t cell) {
      Part& part = parts[cell];
      part.amount += shadow_ == nullptr ? 1 : shadow_->values[record];
      if (!records_.requests.empty() && part.kind == 0)
        part.kind = records_.requests[record];
    });
  }
  const auto top = static_cast<std::size_t>(table_.rules.holdings_needed());
  for (const auto& [index, part] : parts) {
    if (part.amount > kMaxUnits || part.amount < -kMaxUnits)
      return sum_too_large(table_, index);
    const auto amount = static_cast<Units>(part.amount);
    Cell& cell = table_.cells[index];
    ++cell.holdings;
    offer_largest(cell.largest_holdings, amount < 0 ? -amount : amount, top, nullptr, 0);
    if (!table_.requests.empty() && part.kind != 0)
      keep_larger(table_.requests[index].holdings, {amount, part.kind});
  }
  return ok_status();
}

void RecordTable::note_scattered_holdings() {
  std::int64_t runs = records_.count > 0 ? 1 : 0;
  for (std::size_t i = 1; i < records_.count; ++i)
    runs += records_.holdings[i] != records_.holdings[i - 1] ? 1 : 0;
  if (runs > records_.num_holdings) {
    table_.notes.push_back(
        "records of a holding do not all stand together: they are added up wherever they stand "
        "(tau-ARGUS takes every group of them for a holding of its own)");
  }
}

Status RecordTable::add_holdings() {
  if (!table_.rules.holdings())
    return ok_status();
  std::vector<std::uint32_t> order(records_.count);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return records_.holdings[a] < records_.holdings[b];
  });
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && records_.holdings[order[end]] == records_.holdings[order[begin]])
      ++end;
    LACUNA_RETURN_IF_ERROR(add_holding(order, begin, end));
    begin = end;
  }
  note_scattered_holdings();
  if (table_.counts)
    count_holdings();
  return ok_status();
}

// With rules about holdings a table of counts counts them. One with records in several cells is
// counted in each of them but once in their total.
void RecordTable::count_holdings() {
  for (Cell& cell : table_.cells) {
    cell.response = cell.holdings;
    cell.shadow = cell.holdings;
  }
  table_.notes.emplace_back("the table counts holdings, because a rule is about them");
  table_.additive = broken_sums(table_, 1).empty();
  if (!table_.additive)
    table_.notes.emplace_back("the counts do not add up: holdings have records in several cells");
}

void RecordTable::set_costs() {
  for (std::size_t i = 0; i < table_.cells.size(); ++i) {
    Cell& cell = table_.cells[i];
    switch (table_.spec.cost_kind) {
      case CostKind::kResponse:
        cell.cost = std::abs(base::units_to_double(cell.response, table_.decimals));
        break;
      case CostKind::kVariable:
        cell.cost =
            std::abs(base::units_to_double(costs_[i], cost_->decimals + table_.weight_decimals));
        break;
      case CostKind::kFrequency:
        cell.cost = static_cast<double>(cell.frequency);
        break;
      case CostKind::kUnity:
      case CostKind::kDistance:  // set once the unsafe cells are known
        cell.cost = 1;
        break;
    }
  }
}

Result<Table> RecordTable::make(const std::vector<AppliedRecode>& recodes, const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(check_rules());
  LACUNA_RETURN_IF_ERROR(choose_columns());
  LACUNA_RETURN_IF_ERROR(make_dimensions(recodes));
  LACUNA_RETURN_IF_ERROR(make_cells());
  LACUNA_RETURN_IF_ERROR(add_records(run));
  LACUNA_RETURN_IF_ERROR(add_holdings());
  set_costs();
  apply_rules(table_);
  return std::move(table_);
}

}  // namespace

Result<Table> make_table(const Microdata& data,
                         const SpecifyTable& spec,
                         const SafetyRule& rules,
                         const std::vector<AppliedRecode>& recodes,
                         const RunContext& run) {
  return RecordTable(data, spec, rules).make(recodes, run);
}

}  // namespace lacuna::argus

// SPDX-License-Identifier: Apache-2.0
// A ready table from its rows: what a row may say, and what holds where it says nothing. Numbers
// are exact decimals; sums are compared exactly, and only where a file has numbers as binary
// programs print them (a relative error of 2 in 10^14) are its totals set to the sums of their
// parts.
#include "data/argus/table_data.h"

#include <algorithm>
#include <cmath>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/rational.h"
#include "data/argus/lines.h"
#include "data/argus/rules.h"
#include "data/argus/table_rows.h"
#include "data/argus/table_sums.h"
#include "data/argus/write_parts.h"

namespace lacuna::argus {
namespace {

constexpr std::size_t kSumsShown = 3;
constexpr double kCostOfNothing = 0.0001;  // of a cell whose cost is 0, as in tau-ARGUS
constexpr int kSlackDigits = 9;            // largest contributions may be that much above the total

class RowTable {
 public:
  RowTable(const Metadata& metadata, TableRows rows, const ReadTable& how)
      : metadata_(metadata), rows_(std::move(rows)), how_(how) {}

  Result<Table> make(const SpecifyTable& spec, const SafetyRule& rules);

 private:
  Status check_rules() const;
  void describe(const SpecifyTable& spec, const SafetyRule& rules);
  Status add_row(std::size_t row);
  Result<CellStatus> status_of(std::size_t row) const;
  Status check_presence(std::size_t row, CellStatus status) const;
  Status set_numbers(std::size_t row, Cell& cell);
  Status set_cost(std::size_t row, Cell& cell) const;
  Status set_largest(std::size_t row, Cell& cell);
  Status set_levels(std::size_t row, Cell& cell) const;
  Status check_enough_largest() const;
  Status settle_sums();
  Status recompute_totals();
  Error not_additive() const;

  const Metadata& metadata_;
  TableRows rows_;
  const ReadTable& how_;
  Table table_;
  std::vector<bool> seen_;  // by cell
  std::size_t without_frequency_ = 0;
};

void RowTable::describe(const SpecifyTable& spec, const SafetyRule& rules) {
  table_.spec = spec;
  table_.rules = rules;
  table_.counts = rows_.counts;
  table_.frequencies = rows_.frequency.has_value();
  // A column of costs is for tables that do not price their cells otherwise.
  if (spec.cost_kind != CostKind::kResponse && spec.cost_kind != CostKind::kVariable)
    rows_.cost.reset();
  table_.response = rows_.counts ? "Freq" : metadata_.variables[rows_.response->column].name;
  table_.decimals = rows_.response->numbers.decimals;
  table_.shadow_decimals = table_.decimals;
  table_.shown_decimals = rows_.decimals;
  table_.notes = rows_.notes;
  for (RowCodes& codes : rows_.codes)
    table_.variables.push_back(std::move(codes.list));
}

Status RowTable::check_rules() const {
  const SafetyRule& rules = table_.rules;
  const auto refuse = [](std::string message) {
    return Error{ErrorCode::kArgusCommand, std::move(message), ""};
  };
  if (rules.holdings())
    return refuse("rules about holdings are for records, not for a ready table");
  if (rules.request[0] || rules.request[1])
    return refuse("REQ is for records, not for a ready table");
  if (rules.weights)
    return refuse("WGT(1) is for records, not for a ready table");
  return ok_status();
}

Result<CellStatus> RowTable::status_of(std::size_t row) const {
  if (rows_.statuses.empty())
    return rows_.response->has(row) ? CellStatus::kSafe : CellStatus::kEmpty;
  const std::string& word = rows_.statuses[row];
  if (word.empty() || word == "E")
    return CellStatus::kEmpty;
  if (same_word(word, metadata_.safe))
    return CellStatus::kSafeManual;
  if (same_word(word, metadata_.unsafe))
    return CellStatus::kUnsafeManual;
  if (same_word(word, metadata_.protect))
    return CellStatus::kProtected;
  if (word == "M")
    return CellStatus::kSecondary;
  return rows_.error(row,
                     *rows_.status_column,
                     "the status " + base::strange_field_in_quotes(word) + " is not one of " +
                         metadata_.safe + " (safe), " + metadata_.unsafe + " (unsafe), " +
                         metadata_.protect + " (protected), M (secondary), E (empty)");
}

Status RowTable::check_presence(std::size_t row, CellStatus status) const {
  const bool has_response = rows_.response->has(row);
  const bool has_frequency = rows_.frequency && rows_.frequency->has(row);
  const std::size_t column = rows_.response->column;
  if (!has_response && has_frequency)
    return rows_.error(row, column, "the cell has a frequency but no value");
  if (!has_response) {
    const bool plain =
        is_empty(status) || status == CellStatus::kSafe || status == CellStatus::kSafeManual;
    return plain ? ok_status()
                 : Status(rows_.error(row,
                                      *rows_.status_column,
                                      "the cell has no value, so its status can only be E"));
  }
  const bool real = rows_.response->at(row) != 0;
  if (real && has_frequency && rows_.frequency->at(row) == 0)
    return rows_.error(row, rows_.frequency->column, "the cell has a value but the frequency 0");
  if (has_frequency && rows_.frequency->at(row) < 0)
    return rows_.error(row, rows_.frequency->column, "a frequency must not be negative");
  if (real && is_empty(status))
    return rows_.error(row, *rows_.status_column, "the cell has a value, so it cannot be empty");
  return ok_status();
}

// The price of a cell for which no column has one.
double price_of(const Cell& cell, const Table& table) {
  switch (table.spec.cost_kind) {
    case CostKind::kFrequency:
      return static_cast<double>(cell.frequency);
    case CostKind::kUnity:
    case CostKind::kDistance:
      return 1;
    case CostKind::kResponse:
    case CostKind::kVariable:
      break;
  }
  const double size = std::abs(base::units_to_double(cell.response, table.decimals));
  return size == 0 ? kCostOfNothing : size;
}

Status RowTable::set_cost(std::size_t row, Cell& cell) const {
  cell.cost = price_of(cell, table_);
  if (!rows_.cost || !rows_.cost->has(row))
    return ok_status();
  const Units given = rows_.cost->at(row);
  if (given < 0 && rows_.cost->column != rows_.response->column)
    return rows_.error(row, rows_.cost->column, "a cost may not be negative");
  const double cost = std::abs(base::units_to_double(given, rows_.cost->numbers.decimals));
  cell.cost = cost == 0 ? kCostOfNothing : cost;
  return ok_status();
}

Status RowTable::set_largest(std::size_t row, Cell& cell) {
  Wide sum = 0;
  for (std::size_t i = 0; i < rows_.largest.size(); ++i) {
    const Units amount = rows_.largest[i].at(row);
    if (i > 0 && amount > rows_.largest[i - 1].at(row)) {
      return rows_.error(
          row,
          rows_.largest[i].column,
          "a contribution is larger than the one before it: the largest stands first");
    }
    sum += amount;
    cell.largest.push_back(amount);
  }
  const mpq_class above =
      (mpq_class(base::to_integer(sum)) - mpq_class(base::to_integer(cell.shadow))) *
      base::units_to_fraction(1, table_.shadow_decimals);
  if (!rows_.largest.empty() && above > base::units_to_fraction(1, kSlackDigits)) {
    return rows_.error(
        row,
        rows_.largest[0].column,
        "the largest contributions make " +
            base::confidential(base::format_fraction(sum, 1, table_.shadow_decimals)) +
            ", more than the total of the cell");
  }
  return ok_status();
}

Status RowTable::set_levels(std::size_t row, Cell& cell) const {
  if (cell.status != CellStatus::kUnsafeManual)
    return ok_status();
  const mpq_class value = base::units_to_fraction(cell.response, table_.decimals);
  const mpq_class wanted = abs(value) * table_.rules.manual / 100;
  const mpq_class by_hand = value > 0 ? std::min(wanted, value) : wanted;
  ProtectionLevels levels{by_hand, by_hand};
  const auto read = [&](const std::optional<OptionalNumbers>& given, mpq_class& level) -> Status {
    if (!given || !given->has(row))
      return ok_status();
    if (given->at(row) < 0)
      return rows_.error(row, given->column, "a protection level may not be negative");
    level = base::units_to_fraction(given->at(row), given->numbers.decimals);
    return ok_status();
  };
  LACUNA_RETURN_IF_ERROR(read(rows_.lower, levels.lower));
  LACUNA_RETURN_IF_ERROR(read(rows_.upper, levels.upper));
  cell.levels = levels;
  return ok_status();
}

Status RowTable::set_numbers(std::size_t row, Cell& cell) {
  cell.response = rows_.response->at(row);
  cell.shadow = rows_.shadow && rows_.shadow->has(row) ? rows_.shadow->at(row) : cell.response;
  const bool has_frequency = rows_.frequency && rows_.frequency->has(row);
  without_frequency_ += has_frequency ? 0U : 1U;
  cell.frequency = has_frequency ? rows_.frequency->at(row) : 1;
  LACUNA_RETURN_IF_ERROR(set_cost(row, cell));
  return set_largest(row, cell);
}

Status RowTable::add_row(std::size_t row) {
  std::vector<std::int32_t> codes;
  for (const RowCodes& one : rows_.codes)
    codes.push_back(one.values[row]);
  const std::size_t index = table_.index_of(codes);
  LACUNA_TRY(const CellStatus status, status_of(row));
  LACUNA_RETURN_IF_ERROR(check_presence(row, status));
  const bool has_frequency = rows_.frequency && rows_.frequency->has(row);
  const bool nothing =
      !rows_.response->has(row) ||
      (rows_.response->at(row) == 0 && has_frequency && rows_.frequency->at(row) == 0);
  if (nothing)
    return ok_status();
  if (seen_[index]) {
    return rows_.error(
        row, rows_.codes[0].column, "the cell " + table_.label_of(index) + " stands here again");
  }
  seen_[index] = true;
  Cell& cell = table_.cells[index];
  cell.status = status;
  LACUNA_RETURN_IF_ERROR(set_numbers(row, cell));
  if (is_empty(cell.status))  // a value of 0 with the status E
    cell.frequency = 0;
  return set_levels(row, cell);
}

Status RowTable::check_enough_largest() const {
  const auto needed = static_cast<std::size_t>(table_.rules.records_needed());
  if (rows_.largest.size() >= needed)
    return ok_status();
  for (std::size_t i = 0; i < table_.cells.size(); ++i) {
    if (table_.cells[i].frequency > static_cast<std::int64_t>(rows_.largest.size())) {
      return Error{ErrorCode::kFactsMissing,
                   "the rules look at the " + std::to_string(needed) +
                       " largest contributions, and the file has " +
                       std::to_string(rows_.largest.size()) + " <MAXSCORE>",
                   table_.label_of(i)};
    }
  }
  return ok_status();
}

Error RowTable::not_additive() const {
  std::string message = "the table does not add up: ";
  const auto broken = broken_sums(table_, kSumsShown);
  for (std::size_t i = 0; i < broken.size(); ++i)
    message += (i == 0 ? "" : "; ") + broken[i];
  return {ErrorCode::kNotAdditive,
          message + " (<READTABLE> 1 recomputes totals, 2 takes the table as it is)",
          rows_.path};
}

Status RowTable::settle_sums() {
  if (how_.mode == 1)
    return recompute_totals();
  if (broken_sums(table_, 1).empty())
    return ok_status();
  if (how_.mode == 2) {
    table_.additive = false;
    table_.notes.push_back("the table does not add up: " + broken_sums(table_, 1)[0]);
    return ok_status();
  }
  if (!sums_nearly_hold(table_))
    return not_additive();
  table_.notes.emplace_back(
      "totals differ from the sums of their parts by rounding of the last "
      "binary digits and are set to them");
  return set_responses_of_totals(table_);
}

// tau-ARGUS keeps what is given of a total that equals the sum of its parts; others are new cells,
// safe by hand unless rules say otherwise or the status is to be kept.
Status RowTable::recompute_totals() {
  std::vector<Cell> given(table_.cells.size());
  const std::vector<bool> is_total = totals_of(table_);
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (is_total[i])
      std::swap(given[i], table_.cells[i]);
  }
  std::vector<Units> no_costs;
  LACUNA_RETURN_IF_ERROR(add_up_totals(table_, no_costs, rows_.largest.size()));
  const std::vector<double> costs = summed_costs(table_);
  const bool is_summed =
      table_.spec.cost_kind == CostKind::kResponse || table_.spec.cost_kind == CostKind::kVariable;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!is_total[i])
      continue;
    Cell& cell = table_.cells[i];
    const bool same = cell.response == given[i].response && cell.shadow == given[i].shadow &&
                      cell.frequency == given[i].frequency;
    changed += same ? 0U : 1U;
    if (same) {
      cell = std::move(given[i]);
      continue;
    }
    cell.cost = is_summed ? costs[i] : price_of(cell, table_);
    const bool keeps = how_.keep_status && !is_empty(given[i].status);
    cell.status = keeps ? given[i].status
                        : (cell.frequency > 0 ? CellStatus::kSafeManual : CellStatus::kEmpty);
    if (keeps)
      cell.levels = given[i].levels;
  }
  if (changed > 0)
    table_.notes.push_back(std::to_string(changed) +
                           " totals were not given, or not as the sum "
                           "of their parts, and are recomputed");
  return ok_status();
}

Result<Table> RowTable::make(const SpecifyTable& spec, const SafetyRule& rules) {
  describe(spec, rules);
  LACUNA_RETURN_IF_ERROR(check_rules());
  LACUNA_TRY(const std::size_t count, num_cells(table_.variables));
  table_.cells.resize(count);
  seen_.resize(count, false);
  for (std::size_t row = 0; row < rows_.size(); ++row)
    LACUNA_RETURN_IF_ERROR(add_row(row));
  if (without_frequency_ > 0 && rows_.frequency) {
    table_.notes.push_back(std::to_string(without_frequency_) +
                           " cells have a value but no frequency, which counts as 1");
  }
  LACUNA_RETURN_IF_ERROR(check_enough_largest());
  LACUNA_RETURN_IF_ERROR(settle_sums());
  apply_rules(table_);
  return std::move(table_);
}

}  // namespace

Result<Table> read_table_data(const Metadata& metadata,
                              const std::string& path,
                              const SpecifyTable& spec,
                              const SafetyRule& rules,
                              const ReadTable& how,
                              FileFinder& finder) {
  LACUNA_TRY(TableRows rows, read_table_rows(metadata, path, spec, finder));
  return RowTable(metadata, std::move(rows), how).make(spec, rules);
}

}  // namespace lacuna::argus

// SPDX-License-Identifier: Apache-2.0
#include "app/argus_run/argus_cellkey.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "core/base/decimal.h"
#include "core/base/text.h"
#include "data/ptable_files/ptable_file.h"
#include "lacuna/count_rules.h"
#include "lacuna/keys.h"

namespace lacuna::argus_run {
namespace {

Error no_cell_keys(std::string message) {
  return {ErrorCode::kUnsupported, "CKM: " + std::move(message), ""};
}

const argus::Variable* record_key_of(const argus::Metadata& metadata) {
  for (const argus::Variable& variable : metadata.variables) {
    if (variable.record_key)
      return &variable;
  }
  return nullptr;
}

class CellKeyChooser {
 public:
  CellKeyChooser(const ArgusCellKeySource& source, argus::FileFinder& finder)
      : source_(source), finder_(finder), key_(record_key_of(source.metadata)) {}

  Result<ArgusCellKeys> run() {
    if (key_ == nullptr || source_.table.keys.empty())
      return no_cell_keys(
          "the table has no record keys: it is made from records, and a variable "
          "with <RECORDKEY> and <PFILE> in their metadata holds them");
    if (source_.table.rules.holdings())
      return no_cell_keys(
          "rules about holdings and cell keys do not go together, because keys are "
          "those of records");
    chosen_.notes.push_back(fmt::format(
        "record keys {} with {} digits", key_->name, digits_of_modulus(source_.table.key_modulus)));
    LACUNA_RETURN_IF_ERROR(source_.table.counts ? choose_counts() : choose_magnitudes());
    return std::move(chosen_);
  }

 private:
  Status choose_counts() {
    if (!source_.command.ptable_separation.text.empty() || source_.command.mu)
      chosen_.notes.emplace_back(
          "a table of counts has one perturbation table: what follows it is ignored");
    return load(source_.command.ptable, key_->ptable, chosen_.table);
  }

  Status choose_magnitudes() {
    const argus::Variable* response = source_.metadata.find(source_.table.response);
    if (response == nullptr || !response->cell_key || response->cell_key->type == 'N')
      return no_cell_keys(
          base::in_quotes(source_.table.response) +
          " is not set up for cell keys: give it <CKM> T(k), M, D or V, and <SCALING>, in " +
          source_.metadata.filename);
    const argus::CellKeyOptions& options = *response->cell_key;
    LACUNA_RETURN_IF_ERROR(load(source_.command.ptable, key_->ptable_continuous, chosen_.table));
    chosen_.base = options.type == 'M'   ? NoiseBase::kMean
                   : options.type == 'D' ? NoiseBase::kRange
                   : options.type == 'V' ? NoiseBase::kValue
                                         : NoiseBase::kLargest;
    chosen_.parity = options.parity;
    LACUNA_RETURN_IF_ERROR(take_scaling(options.scaling));
    if (source_.command.mu) {
      LACUNA_TRY(chosen_.mu, base::parse_double(source_.command.mu->text));
    }
    if (options.separation)
      return load_separation();
    if (!source_.command.ptable_separation.text.empty())
      chosen_.notes.emplace_back(
          "without <SEPARATION> Y the second perturbation table is not used");
    return ok_status();
  }

  Status load_separation() {
    if (source_.command.ptable_separation.text.empty() && key_->ptable_separation.text.empty())
      return no_cell_keys(
          "<SEPARATION> Y needs a perturbation table of small contributions: "
          "<PFILE_SEP> in " +
          source_.metadata.filename + ", or behind a bar in the command");
    return load(source_.command.ptable_separation, key_->ptable_separation, chosen_.small_table);
  }

  // F(s0,s1,x,q,e2,...) or N(s1,e2,...), which the reader of the metadata has checked.
  Status take_scaling(const std::string& scaling) {
    std::vector<double> numbers;
    std::size_t begin = 2;
    while (begin < scaling.size()) {
      const std::size_t end = std::min(scaling.find(',', begin), scaling.size() - 1);
      LACUNA_TRY(
          const double number,
          base::parse_double(base::trimmed(std::string_view(scaling).substr(begin, end - begin))));
      numbers.push_back(number);
      begin = end + 1;
    }
    const bool flexible = scaling.front() == 'F';
    const std::size_t first = flexible ? 4 : 1;
    chosen_.flex = flexible ? FlexFunction{numbers[0], numbers[1], numbers[2], numbers[3]}
                            : FlexFunction{numbers[0], numbers[0], 0, 1};
    chosen_.top = {1};
    chosen_.top.insert(
        chosen_.top.end(), numbers.begin() + static_cast<std::ptrdiff_t>(first), numbers.end());
    return ok_status();
  }

  // What the command names stands before what the metadata name.
  Status load(const argus::Word& of_command,
              const argus::Word& of_metadata,
              std::shared_ptr<const Ptable>& target) {
    const bool commanded = !of_command.text.empty();
    LACUNA_TRY(const std::string path,
               commanded ? finder_.find(of_command, source_.batch)
                         : finder_.find(of_metadata, source_.metadata.filename));
    LACUNA_TRY(Ptable table, ptable_files::read_ptable_file(path));
    chosen_.notes.push_back(
        fmt::format("perturbation table {}", std::filesystem::path(path).filename().string()));
    target = std::make_shared<const Ptable>(std::move(table));
    return ok_status();
  }

  const ArgusCellKeySource& source_;
  argus::FileFinder& finder_;
  const argus::Variable* key_;
  ArgusCellKeys chosen_;
};

Units rescaled(Units value, int from, int to) {
  for (; from < to; ++from)
    value *= 10;
  return value;
}

// With their weights, as the noise is measured by them.
std::vector<Units> contributions_of(const argus::Table& table, std::size_t cell, int decimals) {
  std::vector<Units> amounts;
  const std::vector<Units>& sizes = table.cells[cell].largest;
  Wide one = 1;
  for (int i = 0; i < table.weight_decimals; ++i)
    one *= 10;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Units weight = table.weights.empty() ? 1 : table.weights[cell].largest[i];
    const Wide amount = Wide{sizes[i]} * weight / (table.weights.empty() ? 1 : one);
    amounts.push_back(rescaled(static_cast<Units>(amount), table.shadow_decimals, decimals));
  }
  return amounts;
}

// Cells that several tables have are of the same records: the keys are the same, too.
CellKeys keys_of(const Problem& problem,
                 const std::vector<const argus::Table*>& tables,
                 const std::vector<std::vector<std::int32_t>>& cells) {
  const auto count = static_cast<std::size_t>(problem.table().num_cells());
  const int decimals = problem.table().decimals();
  const bool magnitudes = !tables.front()->counts;
  CellKeys keys;
  keys.modulus = tables.front()->key_modulus;
  keys.keys.resize(count);
  keys.records.resize(count);
  if (magnitudes) {
    keys.largest.resize(count);
    keys.spread.resize(count);
  }
  if (magnitudes && !tables.front()->weights.empty())
    keys.weights.resize(count);
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const argus::Table& table = *tables[t];
    for (std::size_t c = 0; c < table.cells.size(); ++c) {
      if (cells[t][c] < 0)
        continue;
      const auto at = static_cast<std::size_t>(cells[t][c]);
      keys.keys[at] = table.keys[c].key;
      keys.records[at] = table.cells[c].frequency;
      if (!magnitudes)
        continue;
      keys.largest[at] = contributions_of(table, c, decimals);
      const Units most = table.cells[c].largest.empty() ? 0 : table.cells[c].largest.front();
      keys.spread[at] = rescaled(
          std::max<Units>(0, most - table.keys[c].smallest), table.shadow_decimals, decimals);
      if (!keys.weights.empty())
        keys.weights[at] = base::units_to_double(table.weights[c].sum, table.weight_decimals);
    }
  }
  return keys;
}

std::int64_t least_frequency(const std::vector<const argus::Table*>& tables) {
  std::int64_t least = 1;
  for (const argus::Table* table : tables) {
    if (const auto& rule = table->rules.frequency[0])
      least = std::max(least, rule->minimum);
  }
  return least;
}

// The questions are about cells that the rules call unsafe, be their counts small or not.
Result<Problem> with_count_questions(Problem problem, std::int64_t least) {
  problem.drop_requirements([](const Requirement&) { return true; });
  CountOptions options;
  options.threshold = 1;  // no cell becomes unsafe by this
  options.kinds = {CountKind::kExact};
  LACUNA_TRY(Problem counted, with_count_rules(problem, options));
  CountRules rules = *counted.counts();
  rules.threshold = least;
  const std::vector<CountQuestion> exact = rules.questions;
  for (CountQuestion question : exact) {
    const Units value = counted.table().value(question.cell);
    if (value < 1 || value >= least)
      continue;
    question.kind = CountKind::kSmall;
    rules.questions.push_back(std::move(question));
  }
  LACUNA_RETURN_IF_ERROR(counted.set_counts(std::move(rules)));
  return counted;
}

}  // namespace

Result<ArgusCellKeys> cell_keys_of(const ArgusCellKeySource& source, argus::FileFinder& finder) {
  return CellKeyChooser(source, finder).run();
}

void set_cell_key_options(const ArgusCellKeys& keys, ProtectOptions& options) {
  options.method = Method::kCellKey;
  options.cellkey.ptable = keys.table;
  options.cellkey.small_ptable = keys.small_table;
  if (keys.flex) {
    options.cellkey.flex = *keys.flex;
    options.cellkey.top = keys.top;
  }
  options.cellkey.noise_base = keys.base;
  options.cellkey.parity = keys.parity;
  options.cellkey.mu = keys.mu;
}

Result<argus::Table> fine_table(const argus::Table& table) {
  argus::Table fine = table;
  const int decimals =
      std::max({table.decimals, table.shown_decimals, table.counts ? 0 : table.shadow_decimals});
  for (; fine.decimals < decimals; ++fine.decimals) {
    for (std::size_t c = 0; c < fine.cells.size(); ++c) {
      Units& response = fine.cells[c].response;
      if (response > kMaxUnits / 10 || response < -(kMaxUnits / 10))
        return Error{
            ErrorCode::kNumberTooLarge,
            fmt::format("the numbers of the cell do not fit 18 digits with {} decimals", decimals),
            fine.label_of(c)};
      response *= 10;
    }
  }
  return fine;
}

Result<Problem> with_cell_keys(Problem problem,
                               const std::vector<const argus::Table*>& tables,
                               const std::vector<std::vector<std::int32_t>>& cells) {
  LACUNA_RETURN_IF_ERROR(
      problem.set_keys(std::make_shared<const CellKeys>(keys_of(problem, tables, cells))));
  if (!tables.front()->counts || problem.table().decimals() > 0)
    return problem;
  return with_count_questions(std::move(problem), least_frequency(tables));
}

}  // namespace lacuna::argus_run

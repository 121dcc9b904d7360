// SPDX-License-Identifier: Apache-2.0
// --method cellkey: the cell key method. Cells that a reader would know for certain are left blank
// on demand: each at a time, with the numbers of the others as they are, until none is left.
#include "lacuna/cellkey.h"

#include <array>
#include <cmath>

#include "base/decimal.h"
#include "methods/methods.h"
#include "report/deviation.h"

namespace lacuna {
namespace {

constexpr std::array<std::string_view, 3> kExposedNames{"refuse", "withhold", "report"};

Result<std::vector<double>> numbers_of(const std::string& text, const char* where) {
  std::vector<double> numbers;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto number = parse_double(text.substr(begin, end - begin));
    if (!number || !std::isfinite(*number))
      return Error{ErrorCode::kBadOption,
                   "expected numbers separated by commas, such as 1,0.5,0.3, found '" + text + "'",
                   where};
    numbers.push_back(*number);
    begin = end + 1;
  }
  return numbers;
}

Result<FlexFunction> flex_of(const std::string& text) {
  LACUNA_TRY(const std::vector<double> numbers, numbers_of(text, "--flex"));
  constexpr std::size_t kNumbers = 4;
  if (numbers.size() != kNumbers)
    return Error{ErrorCode::kBadOption,
                 "expected four numbers: the factors of large and of small contributions, the "
                 "flex point and the power",
                 "--flex"};
  return FlexFunction{numbers[0], numbers[1], numbers[2], numbers[3]};
}

Result<CellKeyOptions> cell_key_options(const Table& table, const ProtectOptions& given) {
  CellKeyOptions options;
  options.table = given.ptable;
  options.small_table = given.small_ptable;
  LACUNA_TRY(options.flex, flex_of(given.flex));
  LACUNA_TRY(options.top, numbers_of(given.top, "--top"));
  options.mu = given.mu;
  options.threshold = given.least_count;
  for (int i = 0; i < table.decimals(); ++i)
    options.threshold *= 10;
  options.additive = given.additive;
  return options;
}

void add_details(const CellKeyResult& found, MethodOutcome& outcome) {
  auto& details = outcome.details;
  details.emplace_back("changed", static_cast<double>(found.changed));
  details.emplace_back("unchanged expected", found.unchanged_expected);
  details.emplace_back("largest gap", found.largest_gap);
  details.emplace_back("certain", static_cast<double>(found.certain.cells));
  details.emplace_back("certain small", static_cast<double>(found.certain.small));
  details.emplace_back("left variance", found.left.mean);
}

}  // namespace

std::span<const std::string_view> enum_names(ExposedRule) {
  return kExposedNames;
}

}  // namespace lacuna

namespace lacuna::inline methods {

Result<MethodOutcome> protect_by_cell_key(const std::shared_ptr<const Problem>& problem,
                                          const ProtectOptions& given,
                                          const RunContext& run) {
  LACUNA_TRY(CellKeyOptions options, cell_key_options(problem->table, given));
  LACUNA_TRY(CellKeyResult found, publish_by_cell_key(problem, options, run));
  MethodOutcome outcome = outcome_of(found);
  outcome.adds_up = given.additive == Additive::kNearest;
  outcome.details = deviation_details(deviation(problem->table, found.draft));
  add_details(found, outcome);
  outcome.cell_keys = std::make_shared<const CellKeyResult>(std::move(found));
  return outcome;
}

}  // namespace lacuna::inline methods

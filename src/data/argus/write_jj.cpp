// SPDX-License-Identifier: Apache-2.0
// Type 6 of <WRITETABLE>: the table as a problem in the JJ format (data/problems/jj.h reads it):
// cells in the order of the table, costs as whole numbers up to 20 000, bounds as an outsider is
// taken to know them, and one equation for every code with children and every combination of the
// others. TR+ leaves out codes that are the only child of their parent.
#include <algorithm>

#include "core/base/rational.h"
#include "data/argus/write_parts.h"

namespace lacuna::argus {
namespace {

constexpr double kLargestScaledCost = 20000;

// The codes of a variable that go into the file, and the sums among them.
struct JjDimension {
  struct Sum {
    std::int32_t total = 0;
    std::vector<std::int32_t> parts;
  };
  std::vector<std::int32_t> kept;  // codes of the table, by position in the file
  std::vector<Sum> sums;           // positions in the file
};

std::vector<std::vector<std::int32_t>> children_by_code(const CodeList& list) {
  std::vector<std::vector<std::int32_t>> children(list.codes.size());
  for (std::int32_t code = 1; code < list.size(); ++code)
    children[static_cast<std::size_t>(list.parents[static_cast<std::size_t>(code)])].push_back(
        code);
  return children;
}

JjDimension jj_dimension(const CodeList& list, bool remove_trivial) {
  const auto children = children_by_code(list);
  const auto of = [&](std::int32_t code) -> const std::vector<std::int32_t>& {
    return children[static_cast<std::size_t>(code)];
  };
  JjDimension result;
  std::vector<std::int32_t> position(list.codes.size(), -1);
  for (std::int32_t code = 0; code < list.size(); ++code) {
    const std::int32_t parent = list.parents[static_cast<std::size_t>(code)];
    if (remove_trivial && list.hierarchical && code > 0 && of(parent).size() == 1)
      continue;
    position[static_cast<std::size_t>(code)] = static_cast<std::int32_t>(result.kept.size());
    result.kept.push_back(code);
  }
  for (const std::int32_t code : result.kept) {
    std::int32_t parent = code;  // down to where the code splits
    while (of(parent).size() == 1 && position[static_cast<std::size_t>(of(parent)[0])] < 0)
      parent = of(parent)[0];
    if (of(parent).empty())
      continue;
    JjDimension::Sum sum{position[static_cast<std::size_t>(code)], {}};
    for (const std::int32_t child : of(parent))
      sum.parts.push_back(position[static_cast<std::size_t>(child)]);
    result.sums.push_back(std::move(sum));
  }
  return result;
}

char jj_status(CellStatus status) {
  if (is_unsafe(status))
    return 'u';
  if (is_secondary(status))
    return 'm';
  return status == CellStatus::kProtected || status == CellStatus::kEmpty ? 'z' : 's';
}

class JjWriter {
 public:
  JjWriter(const Table& table, bool remove_trivial)
      : table_(table), digits_(response_digits(table)), bounds_(outer_bounds(table)) {
    for (const CodeList& list : table.variables)
      dimensions_.push_back(jj_dimension(list, remove_trivial));
    for (const Cell& cell : table.cells)
      largest_cost_ = std::max(largest_cost_, priced(table, cell));
  }

  std::string text() {
    text_ = std::string("0") + kLineEnd;
    write_cells();
    write_equations();
    return std::move(text_);
  }

 private:
  void write_cells() {
    std::size_t count = 1;
    for (const JjDimension& dimension : dimensions_)
      count *= dimension.kept.size();
    text_ += std::to_string(count) + kLineEnd;
    std::vector<std::int32_t> codes(dimensions_.size());
    for (std::size_t index = 0; index < count; ++index) {
      std::size_t rest = index;
      for (std::size_t v = dimensions_.size(); v-- > 0;) {
        const auto& kept = dimensions_[v].kept;
        codes[v] = kept[rest % kept.size()];
        rest /= kept.size();
      }
      write_cell(index, table_.cells[table_.index_of(codes)]);
    }
  }

  void write_cell(std::size_t index, const Cell& cell) {
    const char status = jj_status(cell.status);
    text_ += std::to_string(index) + " " + fixed_text(cell.response, table_.decimals, digits_) +
             " " + std::to_string(scaled_cost(cell)) + " " + status;
    text_ += status == 'z' ? fixed_bounds() : bounds_and_levels(cell);
    text_ += " " + fixed_text(Units{0}, 0, digits_) + kLineEnd;
  }

  std::string fixed_bounds() const {
    const std::string none = " " + fixed_text(Units{0}, 0, digits_ + 3);
    return " " + fixed_text(bounds_.lower, digits_) + " " + fixed_text(bounds_.upper, digits_) +
           none + none;
  }

  // The upper bound is one that the cell with its level fits into.
  std::string bounds_and_levels(const Cell& cell) const {
    const mpq_class value = base::units_to_fraction(cell.response, table_.decimals);
    ProtectionLevels levels;
    if (is_unsafe(cell.status) && cell.levels)
      levels = *cell.levels;
    levels = levels_for_file(value, levels, bounds_.lower, digits_);
    const mpq_class upper_level = rounded_up(levels.upper, digits_ + 3);
    const mpq_class upper = rounded_up(value + upper_level, digits_ + 1);
    return " " + fixed_text(bounds_.lower, digits_ + 1) + " " +
           fixed_text(std::max(bounds_.upper, upper), digits_ + 1) + " " +
           fixed_text(rounded_up(levels.lower, digits_ + 3), digits_ + 3) + " " +
           fixed_text(upper_level, digits_ + 3);
  }

  // To the digits of the file: levels may only become stricter.
  static mpq_class rounded_up(const mpq_class& number, int digits) {
    const mpq_class unit = base::units_to_fraction(1, digits);
    return lacuna::base::rounded_up(number / unit) * unit;
  }

  std::int64_t scaled_cost(const Cell& cell) const {
    if (table_.spec.cost_kind == CostKind::kUnity || !(largest_cost_ > 0))
      return 1;
    const double scaled = priced(table_, cell) * kLargestScaledCost / largest_cost_;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(scaled + 0.5));
  }

  void write_equations() {
    std::size_t count = 0;
    for (std::size_t target = 0; target < dimensions_.size(); ++target)
      count += dimensions_[target].sums.size() * combinations_without(target);
    text_ += std::to_string(count) + kLineEnd;
    for (std::size_t target = 0; target < dimensions_.size(); ++target)
      write_equations_along(target);
  }

  std::size_t combinations_without(std::size_t target) const {
    std::size_t count = 1;
    for (std::size_t v = 0; v < dimensions_.size(); ++v)
      count *= v == target ? 1 : dimensions_[v].kept.size();
    return count;
  }

  void write_equations_along(std::size_t target) {
    std::size_t stride = 1;
    for (std::size_t v = target + 1; v < dimensions_.size(); ++v)
      stride *= dimensions_[v].kept.size();
    const std::size_t block = stride * dimensions_[target].kept.size();
    for (std::size_t other = 0; other < combinations_without(target); ++other) {
      const std::size_t first = other / stride * block + other % stride;
      for (const JjDimension::Sum& sum : dimensions_[target].sums)
        write_equation(first, stride, sum);
    }
  }

  void write_equation(std::size_t first, std::size_t stride, const JjDimension::Sum& sum) {
    const auto cell = [&](std::int32_t position) {
      return std::to_string(first + static_cast<std::size_t>(position) * stride);
    };
    text_ += "0 " + std::to_string(sum.parts.size() + 1) + " : " + cell(sum.total) + " (-1)";
    for (const std::int32_t part : sum.parts)
      text_ += " " + cell(part) + " (1)";
    text_ += kLineEnd;
  }

  const Table& table_;
  int digits_;
  OuterBounds bounds_;
  double largest_cost_ = 0;
  std::vector<JjDimension> dimensions_;
  std::string text_;
};

}  // namespace

std::string jj_text(const Table& table, const WriteOptions& options) {
  return JjWriter(table, options.remove_trivial).text();
}

}  // namespace lacuna::argus

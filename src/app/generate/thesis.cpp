// SPDX-License-Identifier: Apache-2.0
// A kind of `lacuna generate`, with which `lacuna bench thesis` redraws tables B.1 to B.5 and anyone
// can. Tables like the seven of Table 5.1 of the thesis: two-dimensional and hierarchical, alone or
// three linked by a shared first dimension; turnover of companies; cells sensitive by the p% rule
// with p = 10; levels by its formula (3.3) with q = 100:
//     p/100 c_1 - sum of c_i for i >= 3, rounded up and at least 1,
// where c_1 >= c_2 >= ... are the contributions to the cell.
// The thesis prints numbers of cells, sensitive cells and equations but no trees. Ours have
// n codes and m relations such that a table of n_1 x n_2 codes, less some absent leaf cells, has
// the printed number of cells, and m_1 n_2 + m_2 n_1 is the printed number of equations.
//
// Companies: each has a leaf code in every dimension. For each leaf code of the first dimension a
// leaf cell of each table gets 1 or 2 companies if it is to be sensitive and 4 or more otherwise;
// within that code contributions differ by a factor of at most ten, so the rule says what was
// wanted of leaf cells: two companies leave nothing for i >= 3, four leave two tenths of c_1. A few
// sensitive cells get a third, tiny company, so that levels differ. Sums can turn out sensitive
// too; cells are then made sensitive or not until each table has its number.
#include "app/generate/thesis.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "app/generate/trees.h"
#include "app/generate/values.h"
#include "core/base/check.h"

namespace lacuna::generation {
namespace {

constexpr std::int64_t kP = 10;  // of the p% rule

struct Side {
  std::int32_t codes = 0, relations = 0;
};

struct Part {  // one table: the shared dimension crossed with this one
  Side side;
  std::int32_t cells = 0;      // without those of earlier parts
  std::int32_t sensitive = 0;  // among them
};

struct Preset {
  std::string_view name;
  Side shared;
  std::vector<Part> parts;
};

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all{
      {"1LINKED", {13, 3}, {{{18, 2}, 222, 2}, {{47, 17}, 597, 46}, {{29, 10}, 359, 32}}},
      {"1B", {37, 9}, {{{19, 5}, 703, 47}}},
      {"2C", {37, 5}, {{{11, 4}, 401, 61}}},
      {"3ALT", {39, 13}, {{{20, 1}, 778, 71}}},
      {"2LINKED", {31, 7}, {{{13, 2}, 402, 45}, {{22, 6}, 636, 96}, {{13, 3}, 364, 60}}},
      {"1ALT", {51, 13}, {{{28, 11}, 1428, 124}}},
      {"2ALT", {59, 14}, {{{34, 12}, 1996, 435}}},
  };
  return all;
}

// What (3.3) and the p% rule need of a cell's contributions.
struct Contributions {
  Units total = 0, first = 0, second = 0;
  std::int64_t count = 0;

  void add(Units amount) {
    total += amount;
    ++count;
    second = std::max(second, std::min(first, amount));
    first = std::max(first, amount);
  }
  void merge(const Contributions& other) {
    total += other.total;
    count += other.count;
    second = std::max({second, std::min(first, other.first), other.second});
    first = std::max(first, other.first);
  }
  Units rest() const { return total - first - second; }
  bool is_sensitive() const { return 100 * rest() < kP * first; }
  Units level() const { return std::max(Units{1}, (kP * first - 100 * rest() + 99) / 100); }
};

enum class LeafState : std::uint8_t { kAbsent, kSafe, kSensitive };

std::vector<std::int32_t> leaves_of(const Dimension& dimension) {
  std::vector<std::int32_t> leaves;
  for (std::int32_t code = 0; code < dimension.num_codes(); ++code) {
    if (dimension.is_leaf(code))
      leaves.push_back(code);
  }
  return leaves;
}

// The relation of which each code is a child; null for the total.
std::vector<const Relation*> parents_of(const Dimension& dimension) {
  std::vector<const Relation*> parents(static_cast<std::size_t>(dimension.num_codes()), nullptr);
  for (const Relation& relation : dimension.relations()) {
    for (const std::int32_t child : relation.children)
      parents[static_cast<std::size_t>(child)] = &relation;
  }
  return parents;
}

std::size_t pick(std::size_t size, base::Random& random) {
  return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(size) - 1));
}

// An array with an entry for each pair of a row code and a column code.
template <class T>
class Matrix {
 public:
  Matrix(std::int32_t rows, std::int32_t columns, T value)
      : columns_(static_cast<std::size_t>(columns)),
        entries_(static_cast<std::size_t>(rows) * columns_, value) {}
  T& at(std::int32_t row, std::int32_t column) {
    return entries_[static_cast<std::size_t>(row) * columns_ + static_cast<std::size_t>(column)];
  }
  const T& at(std::int32_t row, std::int32_t column) const {
    return entries_[static_cast<std::size_t>(row) * columns_ + static_cast<std::size_t>(column)];
  }

 private:
  std::size_t columns_;
  std::vector<T> entries_;
};

// One of the linked tables: the wanted state of its leaf cells.
class PartTable {
 public:
  PartTable(const Dimension& rows, const Dimension& columns)
      : rows_(rows),
        columns_(columns),
        row_leaves_(leaves_of(rows)),
        column_leaves_(leaves_of(columns)),
        states_(rows.num_codes(), columns.num_codes(), LeafState::kSafe) {}

  // Takes leaf cells away. Sums keep two children as long as chance finds such cells, and one child
  // in any case, so that no equation is lost.
  void remove_leaves(std::int32_t number, base::Random& random) {
    constexpr std::int32_t kPatience = 1000;
    const auto row_parents = parents_of(rows_), column_parents = parents_of(columns_);
    for (std::int32_t tries = 0; number > 0; ++tries) {
      const auto [row, column] = pick_leaf(random);
      const std::size_t least = tries < kPatience ? 3 : 2;
      const bool spare =
          states_.at(row, column) != LeafState::kAbsent &&
          rows_left(*row_parents[static_cast<std::size_t>(row)], column) >= least &&
          columns_left(row, *column_parents[static_cast<std::size_t>(column)]) >= least;
      if (!spare)
        continue;
      states_.at(row, column) = LeafState::kAbsent;
      --number;
    }
  }

  // Makes that many safe leaf cells sensitive, or sensitive ones safe if the number is negative. A
  // row keeps a safe cell, where companies find room that sensitive cells of other tables lack.
  void change_sensitive(std::int32_t number, base::Random& random) {
    const LeafState from = number > 0 ? LeafState::kSafe : LeafState::kSensitive;
    const LeafState to = number > 0 ? LeafState::kSensitive : LeafState::kSafe;
    for (std::int32_t left = std::abs(number); left > 0;) {
      const auto [row, column] = pick_leaf(random);
      if (states_.at(row, column) != from)
        continue;
      if (from == LeafState::kSafe && columns_in(row, LeafState::kSafe).size() < 2)
        continue;
      states_.at(row, column) = to;
      --left;
    }
  }

  const std::vector<std::int32_t>& row_leaves() const { return row_leaves_; }
  std::vector<std::int32_t> columns_in(std::int32_t row, LeafState state) const {
    std::vector<std::int32_t> result;
    for (const std::int32_t column : column_leaves_) {
      if (states_.at(row, column) == state)
        result.push_back(column);
    }
    return result;
  }

 private:
  std::pair<std::int32_t, std::int32_t> pick_leaf(base::Random& random) const {
    const std::int32_t row = row_leaves_[pick(row_leaves_.size(), random)];
    return {row, column_leaves_[pick(column_leaves_.size(), random)]};
  }
  std::size_t rows_left(const Relation& relation, std::int32_t column) const {
    const auto& all = relation.children;
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](std::int32_t row) {
      return states_.at(row, column) != LeafState::kAbsent;
    }));
  }
  std::size_t columns_left(std::int32_t row, const Relation& relation) const {
    const auto& all = relation.children;
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](std::int32_t column) {
      return states_.at(row, column) != LeafState::kAbsent;
    }));
  }

  const Dimension& rows_;
  const Dimension& columns_;
  std::vector<std::int32_t> row_leaves_, column_leaves_;
  Matrix<LeafState> states_;
};

struct Company {
  std::int32_t row = 0;
  std::vector<std::int32_t> columns;  // one per table
  Units turnover = 0;
};

// The companies of one leaf code of the shared dimension.
class RowOfCompanies {
 public:
  RowOfCompanies(const std::vector<PartTable>& parts, std::int32_t row, base::Random random)
      : parts_(parts), row_(row), random_(random), scale_(ValueSource(400, 3).draw(random_)) {
    for (const PartTable& part : parts_)
      safe_.push_back(part.columns_in(row_, LeafState::kSafe));
  }

  std::vector<Company> draw() {
    std::vector<std::vector<std::int32_t>> places;
    std::size_t number = 0;
    for (std::size_t t = 0; t < parts_.size(); ++t) {
      places.push_back(places_of(t));
      number = std::max(number, places.back().size());
    }
    for (std::size_t t = 0; t < parts_.size(); ++t) {
      while (places[t].size() < number)
        places[t].push_back(any_safe(t));
      for (std::size_t i = number; i > 1; --i)
        std::swap(places[t][i - 1], places[t][pick(i, random_)]);
    }
    for (std::size_t i = 0; i < number; ++i) {
      Company company{row_, {}, scale_ * random_.between(10, 100)};
      for (const auto& columns : places)
        company.columns.push_back(columns[i]);
      companies_.push_back(std::move(company));
    }
    return std::move(companies_);
  }

 private:
  std::vector<std::int32_t> places_of(std::size_t part) {
    std::vector<std::int32_t> places;
    for (const std::int32_t column : parts_[part].columns_in(row_, LeafState::kSensitive)) {
      const std::int64_t companies = random_.between(1, 2);
      places.insert(places.end(), static_cast<std::size_t>(companies), column);
      if (companies == 2 && random_.chance(1, 3))
        add_tiny(part, column);
    }
    for (const std::int32_t column : safe_[part])
      places.insert(places.end(), static_cast<std::size_t>(random_.between(4, 7)), column);
    return places;
  }

  void add_tiny(std::size_t part, std::int32_t column) {
    Company company{row_, {}, std::max(Units{1}, scale_ * random_.between(1, 3) / 4)};
    for (std::size_t t = 0; t < parts_.size(); ++t)
      company.columns.push_back(t == part ? column : any_safe(t));
    companies_.push_back(std::move(company));
  }

  std::int32_t any_safe(std::size_t part) { return safe_[part][pick(safe_[part].size(), random_)]; }

  const std::vector<PartTable>& parts_;
  std::int32_t row_;
  base::Random random_;
  Units scale_;
  std::vector<std::vector<std::int32_t>> safe_;  // per table
  std::vector<Company> companies_;
};

using Sums = Matrix<Contributions>;

Sums tabulate(const Dimension& rows,
              const Dimension& columns,
              const std::vector<Company>& companies,
              std::size_t part) {
  Sums sums(rows.num_codes(), columns.num_codes(), Contributions{});
  for (const Company& company : companies)
    sums.at(company.row, company.columns[part]).add(company.turnover);
  for (const Relation* relation : bottom_up(rows)) {
    for (const std::int32_t child : relation->children) {
      for (std::int32_t column = 0; column < columns.num_codes(); ++column)
        sums.at(relation->parent, column).merge(sums.at(child, column));
    }
  }
  for (const Relation* relation : bottom_up(columns)) {
    for (const std::int32_t child : relation->children) {
      for (std::int32_t row = 0; row < rows.num_codes(); ++row)
        sums.at(row, relation->parent).merge(sums.at(row, child));
    }
  }
  return sums;
}

std::int32_t count_sensitive(const Sums& sums,
                             const Dimension& rows,
                             const Dimension& columns,
                             bool with_total) {
  std::int32_t number = 0;
  for (std::int32_t row = 0; row < rows.num_codes(); ++row) {
    for (std::int32_t column = 0; column < columns.num_codes(); ++column) {
      const Contributions& cell = sums.at(row, column);
      if (cell.count > 0 && cell.is_sensitive() && (with_total || column != columns.total()))
        ++number;
    }
  }
  return number;
}

class ThesisDraw {
 public:
  ThesisDraw(const Preset& preset, const GenerateOptions& options)
      : preset_(preset), options_(options), random_(stream(options.seed, Stage::kValues)) {}

  Result<ThesisTables> draw() {
    LACUNA_RETURN_IF_ERROR(draw_dimensions());
    for (std::size_t t = 0; t < preset_.parts.size(); ++t) {
      const Part& part = preset_.parts[t];
      parts_.emplace_back(dimensions_[0], dimensions_[t + 1]);
      const std::int32_t columns = part.side.codes - (t == 0 ? 0 : 1);
      parts_[t].remove_leaves(preset_.shared.codes * columns - part.cells, random_);
      parts_[t].change_sensitive(part.sensitive, random_);
    }
    constexpr int kMaxRounds = 10'000;
    for (int round = 0; round < kMaxRounds; ++round) {
      draw_companies();
      if (correct_sensitive())
        return list();
    }
    return Error{ErrorCode::kUnsupported,
                 "no data with the wanted number of sensitive cells were found for this seed",
                 "--preset"};
  }

 private:
  Status draw_dimensions() {
    static constexpr std::array<const char*, 4> kNames{"A", "B", "C", "D"};
    base::Random random = stream(options_.seed, Stage::kTrees);
    std::vector<Side> sides{preset_.shared};
    for (const Part& part : preset_.parts)
      sides.push_back(part.side);
    for (std::size_t d = 0; d < sides.size(); ++d) {
      Tree tree = counted_tree(sides[d].codes, sides[d].relations, random);
      LACUNA_TRY(Dimension dimension, std::move(tree).build(kNames[d]));
      dimensions_.push_back(std::move(dimension));
    }
    return ok_status();
  }

  // Every row has a stream of its own: a change in one row leaves the others as they are.
  void draw_companies() {
    std::vector<Company> companies;
    for (const std::int32_t row : parts_[0].row_leaves()) {
      constexpr std::uint64_t kRowStep = 0x8cb92ba72f3d8dd7ULL;
      const std::uint64_t seed = options_.seed + kRowStep * static_cast<std::uint64_t>(row);
      auto more = RowOfCompanies(parts_, row, stream(seed, Stage::kValues)).draw();
      companies.insert(companies.end(),
                       std::make_move_iterator(more.begin()),
                       std::make_move_iterator(more.end()));
    }
    sums_.clear();
    for (std::size_t t = 0; t < parts_.size(); ++t)
      sums_.push_back(tabulate(dimensions_[0], dimensions_[t + 1], companies, t));
  }

  // True if every table has its number of sensitive cells, else a step towards it has been taken.
  bool correct_sensitive() {
    bool correct = true;
    for (std::size_t t = 0; t < parts_.size(); ++t) {
      const std::int32_t number =
          count_sensitive(sums_[t], dimensions_[0], dimensions_[t + 1], t == 0);
      const std::int32_t missing = preset_.parts[t].sensitive - number;
      correct = correct && missing == 0;
      parts_[t].change_sensitive(missing, random_);
    }
    return correct;
  }

  Result<ThesisTables> list() const {
    std::vector<Grid> grids;
    for (std::size_t t = 0; t < parts_.size(); ++t) {
      LACUNA_TRY(Grid grid, Grid::make(dimensions_, {0, static_cast<std::int32_t>(t) + 1}));
      for (std::size_t at = 0; at < grid.size(); ++at) {
        const Contributions& sums = sums_[t].at(grid.code(at, 0), grid.code(at, 1));
        if (sums.count > 0)
          grid.put(at, sums.total);
      }
      grids.push_back(std::move(grid));
    }
    ThesisTables result{list_cells(dimensions_, grids), {}};
    for (std::size_t c = 0, t = 0; c < result.cells.size(); ++c) {
      while (t + 1 < parts_.size() && c >= result.cells.first_cell[t + 1])
        ++t;
      const auto codes = result.cells.codes_of(c);
      const Contributions& sums = sums_[t].at(codes[0], codes[t + 1]);
      result.cells.frequencies.push_back(sums.count);
      if (sums.is_sensitive())
        result.sensitive.push_back(levels(c, sums.level()));
    }
    return result;
  }

  Sensitive levels(std::size_t cell, Units level) const {
    if (options_.sliding_only)
      return {.cell = cell, .sliding = 2 * level};
    return {.cell = cell, .lower = level, .upper = level};
  }

  const Preset& preset_;
  const GenerateOptions& options_;
  base::Random random_;
  std::vector<Dimension> dimensions_;
  std::vector<PartTable> parts_;
  std::vector<Sums> sums_;
};

}  // namespace

Result<ThesisTables> draw_thesis_tables(const GenerateOptions& options) {
  const auto preset = std::find_if(presets().begin(), presets().end(), [&](const Preset& p) {
    return p.name == options.preset;
  });
  LACUNA_CHECK(preset != presets().end());
  return ThesisDraw(*preset, options).draw();
}

}  // namespace lacuna::generation

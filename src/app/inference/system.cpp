// SPDX-License-Identifier: Apache-2.0
#include "app/inference/system.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/base/index.h"
#include "core/base/moved_error.h"
#include "core/base/quotes.h"

namespace lacuna::inference {
namespace {

using Codes = std::vector<std::int32_t>;

// A column that tells files apart, such as the year, which is no column of codes in any of them.
struct OwnCode {
  std::string name;
  std::vector<std::string> by_table;
};

class SystemMaker {
 public:
  SystemMaker(const std::vector<jobfile::PublishedTable>& tables,
              const Knowledge& knowledge,
              AbsentRows absent)
      : tables_(tables), knowledge_(knowledge), absent_(absent) {}

  Result<System> make() {
    find_own_codes();
    LACUNA_RETURN_IF_ERROR(read_all());
    if (are_different_tables()) {
      separate_ = true;
      find_own_codes();
      LACUNA_RETURN_IF_ERROR(read_all());
      system_.notes.push_back(
          "most numbers that the files publish of the same cells differ, so each file is taken as "
          "a table of its own");
    }
    add_sums();
    for (const jobfile::PublishedTable& table : tables_)
      system_.files.push_back(table.file);
    return std::move(system_);
  }

 private:
  // ---- dimensions

  void find_own_codes() {
    own_.clear();
    if (tables_.size() < 2)
      return;
    std::map<std::string, std::vector<std::string>> constants;
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      for (const auto& [name, code] : tables_[t].constants) {
        auto& texts = constants[name];
        texts.resize(tables_.size());
        texts[t] = code;
      }
    }
    std::vector<std::string> values, files;
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      values.push_back(tables_[t].value);
      files.push_back(tables_[t].file + (separate_ ? " (" + std::to_string(t + 1) + ")" : ""));
    }
    const auto differ = [](const std::vector<std::string>& texts) {
      return std::set<std::string>(texts.begin(), texts.end()).size() > 1;
    };
    for (auto& [name, texts] : constants) {
      const bool everywhere = std::none_of(
          texts.begin(), texts.end(), [](const std::string& text) { return text.empty(); });
      if (everywhere && differ(texts))
        own_.push_back({name, texts});
    }
    if (differ(values))
      own_.push_back({"column", std::move(values)});
    if (separate_)
      own_.push_back({"file", std::move(files)});
  }

  std::int32_t code_of(std::size_t d, const std::string& code) {
    auto& codes = index_[d];
    const auto [at, is_new] =
        codes.try_emplace(code, static_cast<std::int32_t>(system_.dimensions[d].codes.size()));
    if (is_new)
      system_.dimensions[d].codes.push_back(code);
    return at->second;
  }

  std::size_t dimension_named(const std::string& name) {
    for (std::size_t d = 0; d < system_.dimensions.size(); ++d) {
      if (system_.dimensions[d].name == name)
        return d;
    }
    system_.dimensions.push_back({name, {}, {}});
    index_.emplace_back();
    stated_.emplace_back();
    return system_.dimensions.size() - 1;
  }

  void add_relations(const jobfile::PublishedDimension& given, std::size_t d) {
    for (const files::NamedRelation& named : given.relations) {
      Relation relation{code_of(d, named.parent), {}};
      for (const std::string& child : named.children)
        relation.children.push_back(code_of(d, child));
      std::sort(relation.children.begin(), relation.children.end());
      auto& all = system_.dimensions[d].relations;
      const auto at = std::find(all.begin(), all.end(), relation);
      if (given.stated)
        stated_[d].insert(relation.parent);
      if (at == all.end())
        all.push_back(std::move(relation));
    }
  }

  // The one code that is no part of another; -1 if there is none, or no sum.
  static std::int32_t root_of(const SystemDimension& dimension) {
    std::set<std::int32_t> parents, children;
    for (const Relation& relation : dimension.relations) {
      parents.insert(relation.parent);
      children.insert(relation.children.begin(), relation.children.end());
    }
    std::int32_t root = -1;
    for (const std::int32_t parent : parents) {
      if (children.contains(parent))
        continue;
      if (root >= 0)
        return -1;
      root = parent;
    }
    return root;
  }

  // ---- cells

  Status read_all() {
    system_ = System{};
    index_.clear();
    stated_.clear();
    cell_at_.clear();
    shared_ = differing_ = 0;
    std::vector<std::vector<std::size_t>> places;
    for (const jobfile::PublishedTable& table : tables_) {
      std::vector<std::size_t>& place = places.emplace_back();
      for (const jobfile::PublishedDimension& dimension : table.dimensions) {
        place.push_back(dimension_named(dimension.name));
        add_relations(dimension, place.back());
      }
    }
    for (const OwnCode& own : own_)
      dimension_named(own.name);
    std::vector<std::int32_t> roots;
    for (const SystemDimension& dimension : system_.dimensions)
      roots.push_back(root_of(dimension));
    for (std::size_t t = 0; t < tables_.size(); ++t)
      LACUNA_RETURN_IF_ERROR(read_table(t, places[t], roots));
    return ok_status();
  }

  Status read_table(std::size_t t,
                    const std::vector<std::size_t>& place,
                    const std::vector<std::int32_t>& roots) {
    std::map<Codes, std::size_t> here;
    Codes others = roots;  // a dimension that the file does not have is at its total
    for (const auto& [name, code] : tables_[t].constants) {
      for (std::size_t d = 0; d < system_.dimensions.size(); ++d) {
        if (system_.dimensions[d].name == name)  // or at one code in all of its rows
          others[d] = code_of(d, code);
      }
    }
    for (std::size_t r = 0; r < tables_[t].rows.size(); ++r) {
      const jobfile::PublishedRow& row = tables_[t].rows[r];
      Codes codes = others;
      for (std::size_t d = 0; d < place.size(); ++d)
        codes[place[d]] = code_of(place[d], row.codes[d]);
      for (const OwnCode& own : own_) {
        const std::size_t d = dimension_named(own.name);
        codes[d] = code_of(d, own.by_table[t]);
      }
      if (const auto [at, is_new] = here.try_emplace(codes, r); !is_new)
        return Error{ErrorCode::kRepeatedCell,
                     "the cell is given twice, first at " + tables_[t].where(at->second),
                     tables_[t].where(r)};
      if (const Status added = add_row({t, r}, std::move(codes)); !added)
        return base::moved_to(added.error(), tables_[t].where(r));
    }
    return ok_status();
  }

  Status add_row(RowAt at, Codes codes) {
    const jobfile::PublishedRow& row = tables_[at.table].rows[at.row];
    SystemCell cell;
    cell.codes = std::move(codes);
    cell.rows.push_back(at);
    cell.sign = row.sign;
    cell.told = !row.number.empty() ? Told::kNumber : row.range ? Told::kRange : Told::kBlank;
    if (cell.told == Told::kNumber) {
      LACUNA_TRY(cell.number, knowledge_.units(row.number));
    }
    LACUNA_TRY(cell.known, knowledge_.of_row(row));
    const auto known = cell_at_.find(cell.codes);
    if (known == cell_at_.end()) {
      cell_at_.emplace(cell.codes, static_cast<std::int32_t>(system_.cells.size()));
      system_.cells.push_back(std::move(cell));
      return ok_status();
    }
    add_again(known->second, std::move(cell));
    return ok_status();
  }

  // Of a cell that was published before. Where the two cannot both be, both stay, as two numbers
  // that should be one.
  void add_again(std::int32_t first, SystemCell again) {
    SystemCell& cell = system_.cells[base::at(first)];
    const Bounds both = intersect(cell.known, again.known);
    const bool numbers = cell.told == Told::kNumber && again.told == Told::kNumber;
    shared_ += numbers ? 1 : 0;
    if (both.lower > both.upper) {
      differing_ += numbers ? 1 : 0;
      const auto second = static_cast<std::int32_t>(system_.cells.size());
      system_.cells.push_back(std::move(again));
      system_.sums.push_back({{{CellId{first}, 1}, {CellId{second}, -1}}, -1});
      return;
    }
    cell.known = both;
    cell.rows.push_back(again.rows.front());
    if (cell.told != Told::kNumber && again.told == Told::kNumber) {
      cell.told = Told::kNumber;
      cell.number = again.number;
      cell.sign.clear();
    } else if (cell.told == Told::kBlank && again.told == Told::kRange) {
      cell.told = Told::kRange;
      cell.sign = again.sign;
    }
  }

  // Other years, or other variables: then few numbers agree.
  bool are_different_tables() const {
    constexpr std::size_t kFewest = 3;
    constexpr std::size_t kShare = 2;
    return !separate_ && shared_ >= kFewest && differing_ * kShare > shared_;
  }

  // ---- sums

  struct Incomplete {
    Sum sum;
    std::vector<std::int32_t> codes;  // of the parts that are not listed
  };

  void add_sums() {
    std::vector<Incomplete> incomplete;
    for (std::size_t d = 0; d < system_.dimensions.size(); ++d)
      add_sums_over(d, incomplete);
    system_.incomplete = incomplete.size();
    system_.absent_is_zero =
        absent_ == AbsentRows::kZero || (absent_ == AbsentRows::kAuto && shows_zeros(incomplete));
    for (Incomplete& each : incomplete) {
      if (!system_.absent_is_zero)
        add_rest(each.sum);
      system_.sums.push_back(std::move(each.sum));
    }
    if (incomplete.empty())
      return;
    const std::string count = std::to_string(incomplete.size());
    system_.notes.push_back(count + (incomplete.size() == 1 ? " sum has" : " sums have") +
                            " parts that no row lists, which are taken as " +
                            (system_.absent_is_zero ? "zero" : "unknown") + " (--absent)");
  }

  void add_sums_over(std::size_t d, std::vector<Incomplete>& incomplete) {
    const SystemDimension& dimension = system_.dimensions[d];
    if (dimension.relations.empty())
      return;
    std::map<Codes, std::map<std::int32_t, std::int32_t>> lines;  // without d: its code -> cell
    for (const auto& [codes, cell] : cell_at_) {
      Codes others = codes;
      const std::int32_t own = std::exchange(others[d], -1);
      lines[others].emplace(own, cell);
    }
    drop_false(d, lines);
    for (const auto& [others, cells] : lines) {
      for (const Relation& relation : dimension.relations)
        add_sum(static_cast<std::int32_t>(d), relation, cells, incomplete);
    }
  }

  using Line = std::map<std::int32_t, std::int32_t>;  // of one combination: code -> cell

  // Sums that were found and fail by far more often than not are not those of the table.
  void drop_false(std::size_t d, const std::map<Codes, Line>& lines) {
    SystemDimension& dimension = system_.dimensions[d];
    std::erase_if(dimension.relations, [&](const Relation& relation) {
      if (stated_[d].contains(relation.parent))
        return false;
      std::size_t failed = 0, others = 0;
      for (const auto& [codes, cells] : lines) {
        if (const auto fails = fails_by_far(relation, cells))
          ++(*fails ? failed : others);
      }
      if (failed <= others)
        return false;
      system_.notes.push_back(
          "the sum of " + base::in_quotes(dimension.codes[base::at(relation.parent)]) + " over " +
          dimension.name + " was not used: it fails by far in " + std::to_string(failed) + " of " +
          std::to_string(failed + others) +
          " places; if there are subtotals among its parts, give the hierarchy in a job");
      return true;
    });
  }

  // Whether no numbers that fit what is told come near the sum. Nothing: there is no such sum.
  std::optional<bool> fails_by_far(const Relation& relation, const Line& cells) const {
    constexpr int kNear = 20;  // a twentieth of the total: rounded or revised
    const auto parent = cells.find(relation.parent);
    if (parent == cells.end())
      return std::nullopt;
    const Bounds& total = system_.cells[base::at(parent->second)].known;
    Wide low = 0, high = 0;
    bool has_low = total.has_upper(), has_high = total.has_lower();
    std::size_t parts = 0;
    for (const std::int32_t child : relation.children) {
      const auto at = cells.find(child);
      if (at == cells.end())
        continue;
      const Bounds& part = system_.cells[base::at(at->second)].known;
      has_low = has_low && part.has_lower();
      has_high = has_high && part.has_upper();
      low += part.has_lower() ? part.lower : 0;
      high += part.has_upper() ? part.upper : 0;
      ++parts;
    }
    if (parts == 0)
      return std::nullopt;
    has_high = has_high && parts == relation.children.size();
    const auto beyond = [&](Wide off, Units size) {
      return off * kNear > (size < 0 ? -Wide{size} : Wide{size});
    };
    return (has_low && beyond(low - total.upper, total.upper)) ||
           (has_high && beyond(total.lower - high, total.lower));
  }

  void add_sum(std::int32_t d,
               const Relation& relation,
               const std::map<std::int32_t, std::int32_t>& cells,
               std::vector<Incomplete>& incomplete) {
    const auto parent = cells.find(relation.parent);
    if (parent == cells.end())
      return;
    Incomplete found{{{{CellId{parent->second}, 1}}, d}, {}};
    for (const std::int32_t child : relation.children) {
      if (const auto at = cells.find(child); at != cells.end())
        found.sum.terms.push_back({CellId{at->second}, -1});
      else
        found.codes.push_back(child);
    }
    if (found.sum.terms.size() == 1)
      return;  // the table ends above these parts
    if (found.codes.empty())
      system_.sums.push_back(std::move(found.sum));
    else
      incomplete.push_back(std::move(found));
  }

  // Whether some sum that can be checked holds without what is not listed, and none fails.
  bool shows_zeros(const std::vector<Incomplete>& incomplete) const {
    std::size_t held = 0;
    for (const Incomplete& each : incomplete) {
      Wide low = 0, high = 0;
      bool told = true;
      for (const Term& term : each.sum.terms) {
        const SystemCell& cell = system_.cells[base::at(term.cell)];
        told = told && cell.told == Told::kNumber;
        low += term.coefficient > 0 ? cell.known.lower : -Wide{cell.known.upper};
        high += term.coefficient > 0 ? cell.known.upper : -Wide{cell.known.lower};
      }
      if (!told)
        continue;
      if (low > 0 || high < 0)
        return false;
      ++held;
    }
    return held > 0;
  }

  // What the parts that are not listed are together.
  void add_rest(Sum& sum) {
    SystemCell rest;
    rest.told = Told::kRest;
    rest.known = knowledge_.everywhere();
    rest.codes = system_.cells[base::at(sum.terms.front().cell)].codes;
    sum.terms.push_back({CellId{static_cast<std::int32_t>(system_.cells.size())}, -1});
    system_.cells.push_back(std::move(rest));
  }

  const std::vector<jobfile::PublishedTable>& tables_;
  const Knowledge& knowledge_;
  const AbsentRows absent_;
  bool separate_ = false;
  System system_;
  std::vector<OwnCode> own_;
  std::vector<std::map<std::string, std::int32_t>> index_;  // of codes, by dimension
  std::vector<std::set<std::int32_t>> stated_;  // totals of sums that a job states, by dimension
  std::map<Codes, std::int32_t> cell_at_;
  std::size_t shared_ = 0, differing_ = 0;  // numbers that two files publish of one cell
};

}  // namespace

std::string System::label(std::int32_t cell) const {
  std::string text;
  const SystemCell& each = cells[base::at(cell)];
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (each.codes[d] >= 0)
      text += (text.empty() ? "" : "|") + dimensions[d].name + "=" +
              dimensions[d].codes[base::at(each.codes[d])];
  }
  return each.told == Told::kRest ? "what is not listed below " + text : text;
}

Result<System> make_system(const std::vector<jobfile::PublishedTable>& tables,
                           const Knowledge& knowledge,
                           AbsentRows absent) {
  return SystemMaker(tables, knowledge, absent).make();
}

}  // namespace lacuna::inference

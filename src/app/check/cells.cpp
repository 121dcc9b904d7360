// SPDX-License-Identifier: Apache-2.0
#include "app/check/cells.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "app/check/populations.h"
#include "app/check/wholes.h"
#include "core/base/decimal.h"
#include "core/base/index.h"
#include "core/base/moved_error.h"
#include "core/base/quotes.h"

namespace lacuna::checking {
namespace {

using Key = std::vector<std::int32_t>;

Key with(const Key& key, std::int32_t condition) {
  Key result = key;
  result.insert(std::upper_bound(result.begin(), result.end(), condition), condition);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

class SystemMaker {
 public:
  SystemMaker(const Outputs& outputs, const Notes& notes, const SystemOptions& options)
      : outputs_(outputs), notes_(notes), options_(options) {}

  Result<CheckSystem> make() {
    LACUNA_RETURN_IF_ERROR(read_facts());
    populations_ = find_populations(facts_);
    system_.clashes = populations_.clashes;
    system_.population_of = populations_.joined_of;
    add_population_conditions();
    LACUNA_RETURN_IF_ERROR(add_cells());
    for (std::size_t t = 0; t < outputs_.tables.size(); ++t) {
      if (outputs_.tables[t].counts)
        add_sums_of(t);
    }
    add_common_sums();
    add_rests();
    return std::move(system_);
  }

 private:
  const std::vector<CheckTable>& tables() const { return outputs_.tables; }

  // ---- conditions

  std::int32_t id_of(const Condition& condition) {
    std::string name = condition.variable + '\x1F';
    name += condition.range && !condition.from_code
                ? condition.text
                : (condition.is_not ? "!" : "") + condition.code;
    const auto [at, is_new] =
        ids_.try_emplace(std::move(name), static_cast<std::int32_t>(system_.conditions.size()));
    if (is_new) {
      system_.conditions.push_back(condition);
      listed_.emplace_back();
    }
    Condition& known = system_.conditions[base::at(at->second)];
    known.stated = known.stated || condition.stated;
    return at->second;
  }

  // With all that it is stated to lie within.
  Key subset_of(const CheckTable& table) {
    std::vector<Condition> all = table.subset;
    for (bool more = true; more;) {
      more = false;
      for (const WithinNote& note : notes_.within) {
        const auto has = [&](const Condition& wanted) {
          return std::any_of(
              all.begin(), all.end(), [&](const Condition& each) { return follows(each, wanted); });
        };
        if (!std::all_of(note.part.begin(), note.part.end(), has))
          continue;
        for (const Condition& each : note.whole) {
          if (has(each))
            continue;
          all.push_back(each);
          more = true;
        }
      }
    }
    Key key;
    for (const Condition& each : all)
      key.push_back(id_of(each));
    std::sort(key.begin(), key.end());
    key.erase(std::unique(key.begin(), key.end()), key.end());
    return key;
  }

  Status read_facts() {
    std::int32_t lists = 0;
    for (const CheckTable& table : tables()) {
      TableFacts facts;
      facts.counts = table.counts;
      facts.subset = subset_of(table);
      facts.stated = table.subset_text.has_value() || !table.subset.empty();
      for (const CheckRow& row : table.rows) {
        Key key = facts.subset;
        for (std::size_t d = 0; d < table.dimensions.size(); ++d) {
          const CheckDimension& dimension = table.dimensions[d];
          if (row.codes[d] == dimension.total || row.codes[d].empty())
            continue;
          const std::int32_t id =
              id_of(condition_of_code(dimension.variable, dimension.shown, row.codes[d]));
          key = with(key, id);
          listed_[base::at(id)].insert(lists + static_cast<std::int32_t>(d));
        }
        facts.keys.push_back(std::move(key));
        std::optional<Units> number;
        if (table.counts && !row.number.empty()) {
          const auto read = base::parse_units(compared(row.number), 0);
          if (!read)
            return base::moved_to(read.error(), row.where);
          number = *read;
        }
        facts.numbers.push_back(number);
      }
      facts_.push_back(std::move(facts));
      lists += static_cast<std::int32_t>(table.dimensions.size());
    }
    return ok_status();
  }

  // Tables of other records than the main ones have a condition of their own.
  void add_population_conditions() {
    for (std::size_t t = 0; t < facts_.size(); ++t) {
      std::int32_t own = populations_.class_of[t];
      if (!facts_[t].counts)
        own = class_beside(t);
      if (own == 0)
        continue;
      const Key& subset = facts_[t].subset;
      Condition condition;
      condition.variable = "\x03";
      for (const std::int32_t each : subset)
        condition.variable += std::to_string(each) + ",";
      condition.code = std::to_string(own);
      condition.text = "records of " + tables()[t].name;
      const std::int32_t id = id_of(condition);
      class_conditions_[subset][own] = id;
      for (Key& key : facts_[t].keys)
        key = with(key, id);
    }
  }

  // Of a table of amounts that of the counts beside it in the same file.
  std::int32_t class_beside(std::size_t table) const {
    for (std::size_t t = 0; t < facts_.size(); ++t) {
      if (facts_[t].counts && tables()[t].output == tables()[table].output &&
          tables()[t].sheet == tables()[table].sheet && facts_[t].subset == facts_[table].subset)
        return populations_.class_of[t];
    }
    return 0;
  }

  // ---- cells

  std::string label_of(const Key& key) const {
    std::set<std::string> codes, filters;  // those of tables first
    for (const std::int32_t each : key) {
      const Condition& condition = system_.conditions[base::at(each)];
      const bool is_code = !condition.is_not && !condition.code.empty() &&
                           !condition.variable.starts_with('\x01') &&
                           !condition.variable.starts_with('\x03');
      (is_code ? codes : filters).insert(condition.text);
    }
    std::string text;
    for (const auto* list : {&codes, &filters}) {
      for (const std::string& each : *list)
        text += (text.empty() ? "" : ", ") + each;
    }
    return text.empty() ? "all" : text;
  }

  std::int32_t cell_at(const Key& key, CellKind kind) {
    const auto [at, is_new] =
        cells_.try_emplace(key, static_cast<std::int32_t>(system_.cells.size()));
    if (is_new) {
      CheckCell cell;
      cell.kind = kind;
      cell.conditions = key;
      cell.known = {0, kUnboundedAbove};
      cell.label = label_of(key);
      system_.cells.push_back(std::move(cell));
    }
    return at->second;
  }

  Result<Bounds> bounds_of(const CheckRow& row) const {
    Bounds bounds{options_.blanks_are_nonzero ? 1 : 0, kUnboundedAbove};
    if (!row.range)
      return bounds;
    if (!row.range->lower.empty()) {
      LACUNA_TRY(const Units low, base::parse_units(compared(row.range->lower), 0));
      bounds.lower = std::max(bounds.lower, low + (row.range->above ? 1 : 0));
    }
    if (!row.range->upper.empty()) {
      LACUNA_TRY(const Units high, base::parse_units(compared(row.range->upper), 0));
      bounds.upper = high - (row.range->below ? 1 : 0);
    }
    return bounds;
  }

  Status add_cells() {
    system_.cell_of.resize(tables().size());
    for (const bool counts : {true, false}) {
      for (std::size_t t = 0; t < tables().size(); ++t) {
        if (tables()[t].counts != counts)
          continue;
        for (std::size_t r = 0; r < tables()[t].rows.size(); ++r)
          LACUNA_RETURN_IF_ERROR(add_row(t, r));
      }
    }
    return ok_status();
  }

  Status add_row(std::size_t t, std::size_t r) {
    const Key& key = facts_[t].keys[r];
    if (!tables()[t].counts) {
      const auto found = cells_.find(key);
      system_.cell_of[t].push_back(found == cells_.end() ? -1 : found->second);
      return ok_status();
    }
    const std::int32_t c = cell_at(key, CellKind::kBlank);
    system_.cell_of[t].push_back(c);
    CheckCell& cell = system_.cells[base::at(c)];
    const RowPlace place{static_cast<std::int32_t>(t), static_cast<std::int32_t>(r)};
    if (const auto& number = facts_[t].numbers[r]) {
      if (cell.kind != CellKind::kPrinted) {
        cell.kind = CellKind::kPrinted;
        cell.places.clear();
        cell.known = {*number, *number};
      }
      cell.places.push_back(place);
    } else if (cell.kind != CellKind::kPrinted) {
      const auto bounds = bounds_of(tables()[t].rows[r]);
      if (!bounds)
        return base::moved_to(bounds.error(), tables()[t].rows[r].where);
      const Bounds both = intersect(cell.known, *bounds);
      cell.known = both.lower <= both.upper ? both : cell.known;
      cell.places.push_back(place);
    }
    return ok_status();
  }

  // ---- sums

  void add_link(Link link) {
    std::vector<std::int32_t> terms;
    for (const LinkTerm& term : link.terms)
      terms.push_back(term.cell);
    std::sort(terms.begin(), terms.end());
    if (link_terms_.insert(std::move(terms)).second)
      system_.links.push_back(std::move(link));
  }

  Key key_without(const Key& key, std::int32_t condition) const {
    Key result = key;
    result.erase(std::remove(result.begin(), result.end(), condition), result.end());
    return result;
  }

  // Every line of a table: the codes of one dimension where all the others are the same.
  struct Line {
    Key others;
    std::map<std::string, std::int32_t> cells;  // by code
  };

  std::vector<Line> lines_of(std::size_t t, std::size_t d) const {
    const CheckTable& table = tables()[t];
    std::map<std::vector<std::string>, Line> lines;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      std::vector<std::string> others = table.rows[r].codes;
      const std::string code = std::exchange(others[d], "");
      Line& line = lines[others];
      line.cells.emplace(code, system_.cell_of[t][r]);
      line.others = facts_[t].keys[r];
      std::erase_if(line.others, [&](std::int32_t each) {
        const Condition& condition = system_.conditions[base::at(each)];
        return condition.variable == table.dimensions[d].variable &&
               condition.code == compared(code);
      });
    }
    std::vector<Line> all;
    for (auto& [others, line] : lines)
      all.push_back(std::move(line));
    return all;
  }

  void add_sums_of(std::size_t t) {
    for (std::size_t d = 0; d < tables()[t].dimensions.size(); ++d) {
      const CheckDimension& dimension = tables()[t].dimensions[d];
      if (dimension.relations.empty())
        continue;
      const std::vector<Line> lines = lines_of(t, d);
      for (const files::NamedRelation& relation : dimension.relations) {
        note_relation(t, d, relation);
        const bool zero = absent_is_zero(lines, relation);
        for (const Line& line : lines)
          add_sum(t, d, line, relation, zero);
      }
    }
  }

  struct LineSum {
    std::vector<LinkTerm> terms;
    std::vector<std::string> absent;
    Wide off = 0;
    bool told = true;
  };

  std::optional<LineSum> sum_of(const Line& line, const files::NamedRelation& relation) const {
    LineSum sum;
    const auto take = [&](std::int32_t cell, std::int32_t coefficient) {
      const CheckCell& each = system_.cells[base::at(cell)];
      sum.terms.push_back({cell, coefficient});
      sum.told = sum.told && each.kind == CellKind::kPrinted;
      sum.off += each.kind == CellKind::kPrinted ? Wide{each.known.lower} * coefficient : 0;
    };
    const auto parent = line.cells.find(relation.parent);
    if (parent == line.cells.end())
      return std::nullopt;
    take(parent->second, 1);
    for (const std::string& child : relation.children) {
      const auto at = line.cells.find(child);
      if (at == line.cells.end())
        sum.absent.push_back(child);
      else
        take(at->second, -1);
    }
    if (sum.absent.size() == relation.children.size())
      return std::nullopt;
    return sum;
  }

  // Rows that are not there are zero if the sums that can be checked hold without them.
  bool absent_is_zero(const std::vector<Line>& lines, const files::NamedRelation& relation) const {
    std::size_t held = 0;
    for (const Line& line : lines) {
      const auto sum = sum_of(line, relation);
      if (!sum || sum->absent.empty() || !sum->told)
        continue;
      if (sum->off != 0)
        return false;
      ++held;
    }
    return held > 0;
  }

  void add_sum(std::size_t t,
               std::size_t d,
               const Line& line,
               const files::NamedRelation& relation,
               bool zero) {
    auto sum = sum_of(line, relation);
    if (!sum)
      return;
    for (const std::string& code : sum->absent) {
      const CheckDimension& dimension = tables()[t].dimensions[d];
      const Key key =
          with(line.others, id_of(condition_of_code(dimension.variable, dimension.shown, code)));
      const auto known = cells_.find(key);
      if (known == cells_.end() && zero)
        continue;
      const std::int32_t cell = cell_at(key, CellKind::kUnlisted);
      sum->terms.push_back({cell, -1});
      const CheckCell& each = system_.cells[base::at(cell)];
      sum->told = sum->told && each.kind == CellKind::kPrinted;
      sum->off -= each.kind == CellKind::kPrinted ? Wide{each.known.lower} : 0;
    }
    if (sum->told && sum->off != 0) {
      ++failed_[t];
      if (failed_[t] == 1)
        system_.notes.push_back("in " + tables()[t].name + " the parts of " +
                                system_.cells[base::at(sum->terms.front().cell)].label +
                                " do not add up to it: this sum and others like it are not used");
      return;
    }
    add_link({std::move(sum->terms), ""});
  }

  // ---- sums that hold across tables

  struct Common {
    std::set<std::string> children;
    bool is_total = false, agreed = true;
    std::vector<std::int32_t> conditions;
    std::int32_t parent = -1;
  };

  void note_relation(std::size_t t, std::size_t d, const files::NamedRelation& relation) {
    const CheckDimension& dimension = tables()[t].dimensions[d];
    const bool is_total = relation.parent == dimension.total;
    std::set<std::string> children;
    for (const std::string& child : relation.children)
      children.insert(compared(child));
    const auto [at, is_new] = common_.try_emplace(
        {dimension.variable, is_total ? "" : compared(relation.parent)}, Common{});
    Common& common = at->second;
    if (!is_new) {
      common.agreed = common.agreed && common.children == children;
      return;
    }
    common.children = std::move(children);
    common.is_total = is_total;
    for (const std::string& child : relation.children)
      common.conditions.push_back(
          id_of(condition_of_code(dimension.variable, dimension.shown, child)));
    if (!is_total)
      common.parent =
          id_of(condition_of_code(dimension.variable, dimension.shown, relation.parent));
  }

  // Where all tables that have a total agree on its parts, it is the sum of them everywhere.
  void add_common_sums() {
    for (const auto& [name, common] : common_) {
      if (!common.agreed || common.conditions.empty())
        continue;
      std::vector<Key> bases;
      for (const auto& [key, cell] : cells_) {
        if (std::binary_search(key.begin(), key.end(), common.conditions.front()))
          bases.push_back(key_without(key, common.conditions.front()));
      }
      for (const Key& base : bases)
        add_common_sum(base, common);
    }
  }

  void add_common_sum(const Key& base, const Common& common) {
    const auto parent = cells_.find(common.is_total ? base : with(base, common.parent));
    if (parent == cells_.end())
      return;
    Link link{{{parent->second, 1}}, ""};
    bool told = system_.cells[base::at(parent->second)].kind == CellKind::kPrinted;
    Wide off = told ? Wide{system_.cells[base::at(parent->second)].known.lower} : 0;
    for (const std::int32_t condition : common.conditions) {
      const auto child = cells_.find(with(base, condition));
      if (child == cells_.end())
        return;
      const CheckCell& cell = system_.cells[base::at(child->second)];
      told = told && cell.kind == CellKind::kPrinted;
      off -= cell.kind == CellKind::kPrinted ? Wide{cell.known.lower} : 0;
      link.terms.push_back({child->second, -1});
    }
    if (!told || off == 0)
      add_link(std::move(link));
  }

  // ---- what is left of a whole

  void add_rests() {
    WholeFinder finder(system_.conditions, listed_, populations_, class_conditions_, cells_);
    for (const FoundRest& rest : finder.find())
      add_new_rest(rest);
    const std::set<std::vector<std::int32_t>> completed = nearly_complete();
    const auto number_of = [&](std::int32_t c) {
      const CheckCell& cell = system_.cells[base::at(c)];
      return cell.kind == CellKind::kPrinted ? cell.known.lower : -1;
    };
    for (const FoundRest& rest : finder.find_small(options_.threshold, number_of)) {
      if (!completed.contains(terms_of(rest)))
        add_new_rest(rest);
    }
  }

  static std::vector<std::int32_t> terms_of(const FoundRest& rest) {
    std::vector<std::int32_t> terms{rest.whole};
    terms.insert(terms.end(), rest.parts.begin(), rest.parts.end());
    std::sort(terms.begin(), terms.end());
    return terms;
  }

  // Sums without one of their parts: what is left then is that part, which is judged by itself.
  std::set<std::vector<std::int32_t>> nearly_complete() const {
    std::set<std::vector<std::int32_t>> all;
    for (const Link& link : system_.links) {
      for (std::size_t without = 1; without < link.terms.size() && link.terms.size() < 5;
           ++without) {
        std::vector<std::int32_t> terms;
        for (std::size_t i = 0; i < link.terms.size(); ++i) {
          if (i != without)
            terms.push_back(link.terms[i].cell);
        }
        std::sort(terms.begin(), terms.end());
        all.insert(std::move(terms));
      }
    }
    return all;
  }

  void add_new_rest(const FoundRest& rest) {
    if (link_terms_.insert(terms_of(rest)).second)
      add_rest(rest);
  }

  void add_rest(const FoundRest& found) {
    const CheckCell whole = system_.cells[base::at(found.whole)];
    Link link{{{found.whole, 1}}, found.guess};
    bool told = whole.kind == CellKind::kPrinted;
    Wide left = whole.known.lower;
    CheckCell rest;
    rest.kind = CellKind::kRest;
    rest.conditions = whole.conditions;
    rest.known = {0, kUnboundedAbove};
    rest.label = whole.label + " without";
    std::set<std::string> taken;
    for (std::size_t i = 0; i < found.parts.size(); ++i) {
      const CheckCell& part = system_.cells[base::at(found.parts[i])];
      told = told && part.kind == CellKind::kPrinted;
      left -= part.known.lower;
      link.terms.push_back({found.parts[i], -1});
      taken.insert(difference(part.conditions, whole.conditions));
    }
    for (const std::string& each : taken)
      rest.label += (each == *taken.begin() ? " " : " and ") + each;
    if (told && left < 0) {
      refuted(found, rest.label);
      return;
    }
    link.terms.push_back({static_cast<std::int32_t>(system_.cells.size()), -1});
    system_.cells.push_back(std::move(rest));
    system_.links.push_back(std::move(link));
  }

  std::string difference(const Key& part, const Key& whole) const {
    Key own;
    std::set_difference(
        part.begin(), part.end(), whole.begin(), whole.end(), std::back_inserter(own));
    if (own.empty())
      return "the records of the other tables";
    return own.size() > 1 ? "(" + label_of(own) + ")" : label_of(own);
  }

  // Codes of one variable may overlap (several answers of a person); a part may not be larger.
  void refuted(const FoundRest& found, const std::string& label) {
    if (++refuted_ > 5)
      return;
    system_.notes.push_back(
        found.parts.size() == 1
            ? system_.cells[base::at(found.parts.front())].label + " is larger than " +
                  system_.cells[base::at(found.whole)].label +
                  ", of which it should be a part: the subsets are not as they were stated or read"
            : label + " would be below zero: these parts overlap, and are not used together");
  }

  const Outputs& outputs_;
  const Notes& notes_;
  const SystemOptions& options_;
  CheckSystem system_;
  std::vector<TableFacts> facts_;
  Populations populations_;
  std::map<std::string, std::int32_t> ids_;
  std::vector<std::set<std::int32_t>> listed_;  // by condition: the lists of codes that have it
  ClassConditions class_conditions_;
  std::map<Key, std::int32_t> cells_;
  std::set<std::vector<std::int32_t>> link_terms_;
  std::map<std::size_t, std::size_t> failed_;
  std::map<std::pair<std::string, std::string>, Common> common_;
  std::size_t refuted_ = 0;
};

}  // namespace

Result<CheckSystem> make_system(const Outputs& outputs,
                                const Notes& notes,
                                const SystemOptions& options) {
  return SystemMaker(outputs, notes, options).make();
}

}  // namespace lacuna::checking

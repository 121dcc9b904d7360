// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/job_attackers.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/base/decimal.h"
#include "core/base/nearest.h"
#include "core/base/quotes.h"
#include "data/files/number_text.h"
#include "data/jobfile/job_columns.h"

namespace lacuna::jobfile {
namespace {

// ---- what the job says

// A bound of something known; nothing if it is infinite.
Result<std::string> bound_text(const std::string& text,
                               const std::string& path,
                               const spec::SpecPlaces& places) {
  if (text.empty() || files::is_infinite_text(text))
    return std::string();
  LACUNA_RETURN_IF_ERROR(check_number(text, path, places));
  return text;
}

Result<std::string> level_text(const std::string& text,
                               const std::string& path,
                               const spec::SpecPlaces& places) {
  if (text.empty())
    return std::string();
  auto needed = base::decimals_needed(text);
  if (!needed)
    return places.moved(needed.error(), path);
  if (text[0] == '-' && !files::is_zero_number(text))
    return places.error(path, "the protection level is negative");
  return text;
}

Result<CellFacts> read_facts(const JobSpec::CellFact& given,
                             const std::string& path,
                             bool is_level,
                             const spec::SpecPlaces& places) {
  if (given.cell.empty() && !places.has(path + ".cell"))
    return places.error(path, "expected cell = [\"<code>\", ...]");
  const auto number = is_level ? level_text : bound_text;
  CellFacts facts;
  facts.path = path;
  facts.codes = given.cell;
  facts.exact = !is_level && given.lower.text.empty() && given.upper.text.empty();
  LACUNA_TRY(facts.lower, number(given.lower.text, path + ".lower", places));
  LACUNA_TRY(facts.upper, number(given.upper.text, path + ".upper", places));
  LACUNA_TRY(facts.sliding, number(given.sliding.text, path + ".sliding", places));
  return facts;
}

Result<std::vector<CellFacts>> read_list(const std::vector<JobSpec::CellFact>& given,
                                         const std::string& path,
                                         bool are_levels,
                                         const spec::SpecPlaces& places) {
  std::vector<CellFacts> list;
  for (std::size_t i = 0; i < given.size(); ++i) {
    LACUNA_TRY(CellFacts facts,
               read_facts(given[i], path + "[" + std::to_string(i) + "]", are_levels, places));
    list.push_back(std::move(facts));
  }
  return list;
}

// ---- what that is of the cells

std::string cell_key(std::span<const std::int32_t> codes) {
  std::string key;
  for (const std::int32_t code : codes)
    key += std::to_string(code) + ' ';
  return key;
}

class FactReader {
 public:
  FactReader(const TableCells& cells, const spec::SpecPlaces& places)
      : cells_(cells), places_(places) {
    for (std::size_t c = 0; c < cells.read.cells.size(); ++c) {
      index_.emplace(cell_key(cells.read.codes_of(c, cells.dimensions.size())),
                     CellId{static_cast<std::int32_t>(c)});
    }
  }

  Result<Knowledge> knowledge_of(const CellFacts& facts) const {
    Knowledge knowledge;
    LACUNA_TRY(knowledge.cell, find_cell(facts));
    if (facts.exact) {
      const Units value = cells_.read.cells[static_cast<std::size_t>(knowledge.cell.value)].value;
      knowledge.bounds = {value, value};
      return knowledge;
    }
    if (!facts.lower.empty()) {
      LACUNA_TRY(knowledge.bounds.lower, number_of(facts, facts.lower, base::parse_units));
    }
    if (!facts.upper.empty()) {
      LACUNA_TRY(knowledge.bounds.upper, number_of(facts, facts.upper, base::parse_units));
    }
    return knowledge;
  }

  Result<Requirement> requirement_of(const CellFacts& facts, std::int32_t attacker) const {
    Requirement need;
    need.attacker = attacker;
    LACUNA_TRY(need.cell, find_cell(facts));
    if (!facts.lower.empty()) {
      LACUNA_TRY(need.lower, number_of(facts, facts.lower, files::parse_level_upward));
    }
    if (!facts.upper.empty()) {
      LACUNA_TRY(need.upper, number_of(facts, facts.upper, files::parse_level_upward));
    }
    if (!facts.sliding.empty()) {
      LACUNA_TRY(need.sliding, number_of(facts, facts.sliding, files::parse_level_upward));
    }
    return need;
  }

 private:
  Result<CellId> find_cell(const CellFacts& facts) const {
    const std::vector<Dimension>& dimensions = cells_.dimensions;
    if (facts.codes.size() != dimensions.size()) {
      return places_.error(
          facts.path,
          "the cell needs one code per dimension: " + std::to_string(dimensions.size()) +
              ", found " + std::to_string(facts.codes.size()));
    }
    std::vector<std::int32_t> codes;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      LACUNA_TRY(const std::int32_t code, find_code(facts, dimensions[d], facts.codes[d]));
      codes.push_back(code);
    }
    const auto at = index_.find(cell_key(codes));
    if (at == index_.end())
      return places_.error(facts.path, "the table has no such cell");
    return at->second;
  }

  Result<std::int32_t> find_code(const CellFacts& facts,
                                 const Dimension& dimension,
                                 const std::string& text) const {
    const std::int32_t code = text.empty() ? dimension.total() : dimension.find(text);
    if (code >= 0)
      return code;
    const std::vector<std::string_view> known(dimension.codes().begin(), dimension.codes().end());
    return places_.error(facts.path,
                         "dimension " + dimension.name() + " has no code " + base::in_quotes(text) +
                             base::did_you_mean(text, known));
  }

  using Parse = Result<Units> (*)(std::string_view, int decimals);
  Result<Units> number_of(const CellFacts& facts, const std::string& text, Parse parse) const {
    auto number = parse(text, cells_.read.decimals);
    if (!number)
      return places_.moved(number.error(), facts.path);
    return number;
  }

  const TableCells& cells_;
  const spec::SpecPlaces& places_;
  std::unordered_map<std::string, CellId> index_;
};

// The levels of the outsider, of all cells that the attacker knows nothing about.
std::vector<Requirement> copied_levels(const Attacker& attacker,
                                       std::int32_t index,
                                       const std::vector<Requirement>& outsiders) {
  std::vector<Requirement> copied;
  for (Requirement need : outsiders) {
    const bool knows = std::any_of(attacker.known.begin(),
                                   attacker.known.end(),
                                   [&](const Knowledge& k) { return k.cell == need.cell; });
    need.attacker = index;
    if (!knows)
      copied.push_back(need);
  }
  return copied;
}

Result<std::vector<Knowledge>> known_by(const AttackerPlan& plan, const FactReader& reader) {
  std::vector<Knowledge> known;
  for (const CellFacts& facts : plan.known) {
    LACUNA_TRY(const Knowledge knowledge, reader.knowledge_of(facts));
    known.push_back(knowledge);
  }
  return known;
}

Status add_attacker(const AttackerPlan& plan,
                    const FactReader& reader,
                    const std::vector<Requirement>& outsiders,
                    TableAttackers& all) {
  const bool is_outsider = plan.name == all.attackers[0].name;
  if (!is_outsider)
    all.attackers.push_back({plan.name, {}});
  Attacker& attacker = is_outsider ? all.attackers[0] : all.attackers.back();
  const auto index = is_outsider ? 0 : static_cast<std::int32_t>(all.attackers.size() - 1);
  LACUNA_TRY(attacker.known, known_by(plan, reader));
  std::sort(attacker.known.begin(),
            attacker.known.end(),
            [](const Knowledge& a, const Knowledge& b) { return a.cell < b.cell; });
  for (const CellFacts& facts : plan.levels) {
    LACUNA_TRY(const Requirement need, reader.requirement_of(facts, index));
    all.requirements.push_back(need);
  }
  if (!plan.has_levels && !is_outsider) {
    const std::vector<Requirement> copied = copied_levels(attacker, index, outsiders);
    all.requirements.insert(all.requirements.end(), copied.begin(), copied.end());
  }
  return ok_status();
}

}  // namespace

Result<std::vector<AttackerPlan>> read_attackers(const spec::ReadSpec& spec) {
  std::vector<AttackerPlan> plans;
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < spec.job.named_attackers.size(); ++i) {
    const JobSpec::Attacker& given = spec.job.named_attackers[i];
    const std::string path = "attacker[" + std::to_string(i) + "]";
    AttackerPlan plan;
    plan.name = given.name;
    if (plan.name.empty())
      return spec.places.error(path, "an attacker needs a name", ErrorCode::kMissingKey);
    if (!names.insert(plan.name).second)
      return spec.places.error(path, "two attackers are called " + base::in_quotes(plan.name));
    LACUNA_TRY(plan.known, read_list(given.known, path + ".known", false, spec.places));
    plan.has_levels = given.levels.has_value();
    if (plan.has_levels) {
      LACUNA_TRY(plan.levels, read_list(*given.levels, path + ".levels", true, spec.places));
    }
    plans.push_back(std::move(plan));
  }
  return plans;
}

Result<TableAttackers> attackers_of(const std::vector<AttackerPlan>& plans,
                                    const TableCells& cells,
                                    const spec::SpecPlaces& places) {
  TableAttackers all{{outsider()}, cells.read.requirements};
  if (plans.empty())
    return all;
  const FactReader reader(cells, places);
  for (const AttackerPlan& plan : plans)
    LACUNA_RETURN_IF_ERROR(add_attacker(plan, reader, cells.read.requirements, all));
  return all;
}

}  // namespace lacuna::jobfile

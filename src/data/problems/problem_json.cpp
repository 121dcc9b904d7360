// SPDX-License-Identifier: Apache-2.0
#include "data/problems/problem_json.h"

#include <array>
#include <limits>
#include <optional>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/json_writer.h"
#include "core/base/moved_error.h"
#include "core/table/unpublished.h"
#include "data/files/json_tree.h"
#include "data/files/position.h"
#include "data/files/wrong_format.h"
#include "data/problems/problem_counts.h"
#include "lacuna/keys.h"

namespace lacuna::problems {
namespace {

constexpr std::array<std::string_view, 5> kStatusNames{
    "free", "primary", "withheld", "published", "known"};

// An error of the builders, moved to the node it is about.
Error at(files::JsonNode node, const Error& inner) {
  Error error = node.error(inner.message);
  error.code = inner.code;
  return error;
}

Status require(files::JsonNode object, files::JsonNode member, std::string_view name) {
  if (!member.present())
    return object.error("the name '" + std::string(name) + "' is missing");
  return ok_status();
}

Result<Units> units(files::JsonNode node) {
  LACUNA_TRY(const std::int64_t value, node.integer());
  if (value > kMaxUnits || value < -kMaxUnits)
    return node.error("the number of units " + base::confidential(std::to_string(value)) +
                      " does not fit 62 bits");
  return value;
}

Result<Units> units_or(files::JsonNode node, Units fallback) {
  if (!node.present())
    return fallback;
  return units(node);
}

Result<Units> bound(files::JsonNode node, Units unbounded) {  // absent or null: unbounded
  if (!node.present() || node.is_null())
    return unbounded;
  return units(node);
}

Result<std::int32_t> index_below(files::JsonNode node, std::size_t count, const char* what) {
  LACUNA_TRY(const std::int64_t index, node.integer());
  if (index < 0 || static_cast<std::size_t>(index) >= count) {
    return node.error("there is no " + std::string(what) + " " +
                      base::confidential(std::to_string(index)) + ": there are " +
                      std::to_string(count));
  }
  return static_cast<std::int32_t>(index);
}

Result<std::vector<std::int32_t>> index_list(files::JsonNode list,
                                             std::size_t count,
                                             const char* what) {
  LACUNA_RETURN_IF_ERROR(list.expect(files::JsonKind::kArray));
  std::vector<std::int32_t> indices;
  for (const files::JsonNode item : list.children()) {
    LACUNA_TRY(const std::int32_t index, index_below(item, count, what));
    indices.push_back(index);
  }
  return indices;
}

class ProblemReader {
 public:
  Result<Problem> read(files::JsonNode root) {
    constexpr std::array<std::string_view, 10> kNames{"format",
                                                      "decimals",
                                                      "dimensions",
                                                      "cells",
                                                      "equations",
                                                      "attackers",
                                                      "requirements",
                                                      "counts",
                                                      "keys",
                                                      "waived"};
    if (const std::string other = files::own_json(root); !other.empty() && other != "a table")
      return root.error("this is " + other + ", not a table: name the table that it is about");
    LACUNA_TRY(const auto members, files::members_of(root, kNames));
    const auto& [format,
                 decimals,
                 dimensions,
                 cells,
                 equations,
                 attackers,
                 requirements,
                 counts,
                 keys,
                 waived] = members;
    LACUNA_RETURN_IF_ERROR(require(root, format, "format"));
    LACUNA_TRY(const std::string_view stated, format.string());
    if (stated != kProblemFormat) {
      return format.error("the format must be '" + std::string(kProblemFormat) + "', found " +
                          base::strange_field_in_quotes(stated));
    }
    LACUNA_RETURN_IF_ERROR(require(root, cells, "cells"));
    LACUNA_RETURN_IF_ERROR(start_table(decimals, dimensions));
    LACUNA_RETURN_IF_ERROR(read_modulus(keys));
    LACUNA_RETURN_IF_ERROR(read_cells(cells));
    LACUNA_RETURN_IF_ERROR(read_equations(equations));
    LACUNA_RETURN_IF_ERROR(read_attackers(attackers));
    LACUNA_RETURN_IF_ERROR(read_requirements(requirements));
    auto table = std::move(*builder_).build();
    if (!table)
      return at(cells, table.error());
    auto problem =
        make_problem(std::move(table).value(), std::move(attackers_), std::move(requirements_));
    if (!problem)
      return base::moved_to(problem.error(), root.error("").where);
    Problem made = std::move(problem).value();
    if (keys_)
      LACUNA_RETURN_IF_ERROR(made.set_keys(std::make_shared<const CellKeys>(std::move(*keys_))));
    if (counts.present())
      LACUNA_RETURN_IF_ERROR(read_counts(counts, made));
    LACUNA_TRY(const Waiver waiver, read_waiver(waived));
    made.set_waiver(waiver);
    return made;
  }

 private:
  Status start_table(files::JsonNode decimals, files::JsonNode dimensions) {
    std::int64_t places = 0;
    if (decimals.present()) {
      LACUNA_TRY(places, decimals.integer());
    }
    if (places < 0 || places > TableBuilder::kMaxDecimals)
      return decimals.error("the decimals must be between 0 and 18");
    std::vector<Dimension> built;
    if (dimensions.present()) {
      LACUNA_RETURN_IF_ERROR(dimensions.expect(files::JsonKind::kArray));
      for (const files::JsonNode item : dimensions.children()) {
        LACUNA_TRY(Dimension dimension, read_dimension(item));
        built.push_back(std::move(dimension));
      }
    }
    num_dimensions_ = built.size();
    builder_.emplace(static_cast<int>(places), std::move(built));
    return ok_status();
  }

  static Result<Dimension> read_dimension(files::JsonNode node) {
    constexpr std::array<std::string_view, 3> kNames{"name", "codes", "relations"};
    LACUNA_TRY(const auto members, files::members_of(node, kNames));
    const auto& [name, codes, relations] = members;
    LACUNA_RETURN_IF_ERROR(require(node, name, "name"));
    LACUNA_RETURN_IF_ERROR(require(node, codes, "codes"));
    LACUNA_TRY(const std::string_view title, name.string());
    LACUNA_RETURN_IF_ERROR(codes.expect(files::JsonKind::kArray));
    std::vector<std::string> code_names;
    for (const files::JsonNode item : codes.children()) {
      LACUNA_TRY(const std::string_view code, item.string());
      code_names.emplace_back(code);
    }
    std::vector<Relation> sums;
    if (relations.present()) {
      LACUNA_RETURN_IF_ERROR(relations.expect(files::JsonKind::kArray));
      for (const files::JsonNode item : relations.children()) {
        LACUNA_TRY(Relation relation, read_relation(item, code_names.size()));
        sums.push_back(std::move(relation));
      }
    }
    auto dimension = Dimension::build(std::string(title), std::move(code_names), std::move(sums));
    if (!dimension)
      return at(node, dimension.error());
    return dimension;
  }

  static Result<Relation> read_relation(files::JsonNode node, std::size_t num_codes) {
    constexpr std::array<std::string_view, 2> kNames{"parent", "children"};
    LACUNA_TRY(const auto members, files::members_of(node, kNames));
    const auto& [parent, children] = members;
    LACUNA_RETURN_IF_ERROR(require(node, parent, "parent"));
    LACUNA_RETURN_IF_ERROR(require(node, children, "children"));
    Relation relation;
    LACUNA_TRY(relation.parent, index_below(parent, num_codes, "code"));
    LACUNA_TRY(relation.children, index_list(children, num_codes, "code"));
    return relation;
  }

  Status read_modulus(files::JsonNode node) {
    if (!node.present())
      return ok_status();
    constexpr std::array<std::string_view, 1> kNames{"modulus"};
    LACUNA_TRY(const auto members, files::members_of(node, kNames));
    const auto& [modulus] = members;
    LACUNA_RETURN_IF_ERROR(require(node, modulus, "modulus"));
    LACUNA_TRY(const std::int64_t number, modulus.integer());
    if (number < 2 || static_cast<std::uint64_t>(number) > kMostKeyModulus)
      return modulus.error("the modulus of keys must be from 2 to 10^18");
    keys_.emplace().modulus = static_cast<std::uint64_t>(number);
    return ok_status();
  }

  // Key, records and contributions of the cell key method.
  Status read_key(files::JsonNode cell,
                  const Cell& read,
                  std::span<const files::JsonNode, 5> members) {
    const files::JsonNode key = members[0], records = members[1], largest = members[2],
                          spread = members[3], weight_sum = members[4];
    if (!keys_) {
      for (const files::JsonNode member : members) {
        if (member.present())
          return member.error("a cell with a key needs \"keys\":{\"modulus\":...} of the problem");
      }
      return ok_status();
    }
    LACUNA_RETURN_IF_ERROR(require(cell, key, "key"));
    LACUNA_TRY(const std::int64_t number, key.integer());
    if (number < 0 || static_cast<std::uint64_t>(number) >= keys_->modulus)
      return key.error("the key is not from 0 to " + std::to_string(keys_->modulus - 1));
    keys_->keys.push_back(static_cast<std::uint64_t>(number));
    keys_->records.push_back(read.frequency);
    if (records.present()) {
      LACUNA_TRY(keys_->records.back(), records.integer());
      if (keys_->records.back() < 0)
        return records.error("the number of records is negative");
    }
    const std::size_t before = largest.present() ? keys_->keys.size() - 1 : 0;
    if (keys_->largest.size() != before)
      return cell.error("either all cells have their largest contributions or none has");
    const std::size_t weighted = weight_sum.present() ? keys_->keys.size() - 1 : 0;
    if (keys_->weights.size() != weighted)
      return cell.error("either all cells have their sum of weights or none has");
    if (weight_sum.present()) {
      LACUNA_TRY(const double sum, weight_sum.real());
      keys_->weights.push_back(sum);
    }
    return largest.present() ? read_contributions(largest, spread) : ok_status();
  }

  Status read_contributions(files::JsonNode largest, files::JsonNode spread) {
    LACUNA_RETURN_IF_ERROR(largest.expect(files::JsonKind::kArray));
    std::vector<Units>& amounts = keys_->largest.emplace_back();
    for (const files::JsonNode item : largest.children()) {
      LACUNA_TRY(const Units amount, units(item));
      amounts.push_back(amount);
    }
    LACUNA_TRY(const Units width, units_or(spread, 0));
    keys_->spread.push_back(width);
    return ok_status();
  }

  Status read_cells(files::JsonNode cells) {
    LACUNA_RETURN_IF_ERROR(cells.expect(files::JsonKind::kArray));
    for (const files::JsonNode item : cells.children())
      LACUNA_RETURN_IF_ERROR(read_cell(item));
    return ok_status();
  }

  Status read_cell(files::JsonNode node) {
    constexpr std::array<std::string_view, 13> kNames{"value",
                                                      "lower",
                                                      "upper",
                                                      "weight",
                                                      "frequency",
                                                      "status",
                                                      "codes",
                                                      "key",
                                                      "records",
                                                      "largest",
                                                      "spread",
                                                      "weight_sum",
                                                      "published"};
    constexpr std::size_t kKeyAt = 7;
    LACUNA_TRY(const auto members, files::members_of(node, kNames));
    const auto& [value, lower, upper, weight, frequency, status, codes, k, r, l, s, w, published] =
        members;
    LACUNA_RETURN_IF_ERROR(require(node, value, "value"));
    Cell cell;
    LACUNA_TRY(cell.value, units(value));
    LACUNA_TRY(cell.prior.lower, bound(lower, kUnboundedBelow));
    LACUNA_TRY(cell.prior.upper, bound(upper, kUnboundedAbove));
    if (weight.present()) {
      LACUNA_TRY(cell.weight, weight.real());
    }
    if (frequency.present()) {
      LACUNA_TRY(cell.frequency, frequency.integer());
      if (cell.frequency < 0)
        return frequency.error("the frequency is negative");
    }
    if (published.present()) {
      LACUNA_TRY(const bool is_published, published.boolean());
      if (is_published || frequency.present())
        return published.error(
            "a cell that is never published must have no frequency, and false here");
      cell.frequency = table::kUnpublished;
    }
    if (status.present()) {
      LACUNA_TRY(cell.status, read_status(status));
    }
    LACUNA_RETURN_IF_ERROR(read_key(node, cell, std::span(members).subspan<kKeyAt, 5>()));
    LACUNA_TRY(const auto cell_codes, read_codes(node, codes));
    auto added = builder_->add_cell(cell, cell_codes);
    if (!added)
      return at(node, added.error());
    return ok_status();
  }

  static Result<Waiver> read_waiver(files::JsonNode node) {
    if (!node.present())
      return Waiver::kNothing;
    LACUNA_TRY(const std::string_view word, node.string());
    const auto names = enum_names(Waiver{});
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (word == names[i])
        return static_cast<Waiver>(i);
    }
    return node.error("waived must be nothing or exposed, not " + base::in_quotes(word));
  }

  static Result<CellStatus> read_status(files::JsonNode node) {
    LACUNA_TRY(const std::string_view word, node.string());
    for (std::size_t i = 0; i < kStatusNames.size(); ++i) {
      if (word == kStatusNames[i])
        return static_cast<CellStatus>(i);
    }
    return node.error("unknown status " + base::strange_field_in_quotes(word) +
                      base::did_you_mean(word, kStatusNames));
  }

  Result<std::vector<std::int32_t>> read_codes(files::JsonNode cell, files::JsonNode codes) const {
    std::vector<std::int32_t> indices;
    if (num_dimensions_ == 0) {
      if (codes.present() && codes.num_children() > 0)
        return codes.error("the cell has codes, but the problem has no dimensions");
      return indices;
    }
    LACUNA_RETURN_IF_ERROR(require(cell, codes, "codes"));
    LACUNA_RETURN_IF_ERROR(codes.expect(files::JsonKind::kArray));
    for (const files::JsonNode item : codes.children()) {
      if (indices.size() == num_dimensions_)
        break;
      const Dimension& dimension = builder_->dimensions()[indices.size()];
      LACUNA_TRY(const std::int32_t code,
                 index_below(item, static_cast<std::size_t>(dimension.num_codes()), "code"));
      indices.push_back(code);
    }
    if (codes.num_children() != num_dimensions_) {
      return codes.error("expected one code per dimension: " + std::to_string(num_dimensions_) +
                         ", found " + std::to_string(codes.num_children()));
    }
    return indices;
  }

  Status read_equations(files::JsonNode equations) {
    if (!equations.present())
      return ok_status();
    LACUNA_RETURN_IF_ERROR(equations.expect(files::JsonKind::kArray));
    for (const files::JsonNode item : equations.children())
      LACUNA_RETURN_IF_ERROR(read_equation(item));
    return ok_status();
  }

  Status read_equation(files::JsonNode node) {
    constexpr std::array<std::string_view, 3> kNames{"rhs", "cells", "coefficients"};
    LACUNA_TRY(const auto members, files::members_of(node, kNames));
    const auto& [rhs, cells, coefficients] = members;
    LACUNA_RETURN_IF_ERROR(require(node, cells, "cells"));
    LACUNA_RETURN_IF_ERROR(require(node, coefficients, "coefficients"));
    LACUNA_TRY(const Units sum, units_or(rhs, 0));
    LACUNA_TRY(const auto indices, index_list(cells, num_cells(), "cell"));
    LACUNA_RETURN_IF_ERROR(coefficients.expect(files::JsonKind::kArray));
    std::vector<Term> terms;
    for (const files::JsonNode item : coefficients.children()) {
      LACUNA_TRY(const std::int64_t coefficient, item.integer());
      if (coefficient < -kMaxCoefficient || coefficient > kMaxCoefficient)
        return item.error("the coefficient is not between -1000000 and 1000000");
      if (terms.size() == indices.size())
        return coefficients.error("there are more coefficients than cells");
      terms.push_back({CellId{indices[terms.size()]}, static_cast<std::int32_t>(coefficient)});
    }
    if (terms.size() < indices.size())
      return coefficients.error("there are fewer coefficients than cells");
    auto added = builder_->add_equation(terms, sum);
    if (!added)
      return at(node, added.error());
    return ok_status();
  }

  Status read_attackers(files::JsonNode attackers) {
    if (!attackers.present())
      return ok_status();
    LACUNA_RETURN_IF_ERROR(attackers.expect(files::JsonKind::kArray));
    for (const files::JsonNode item : attackers.children()) {
      constexpr std::array<std::string_view, 2> kNames{"name", "known"};
      LACUNA_TRY(const auto members, files::members_of(item, kNames));
      const auto& [name, known] = members;
      LACUNA_RETURN_IF_ERROR(require(item, name, "name"));
      LACUNA_TRY(const std::string_view title, name.string());
      Attacker attacker{std::string(title), {}};
      if (known.present()) {
        LACUNA_RETURN_IF_ERROR(known.expect(files::JsonKind::kArray));
        for (const files::JsonNode fact : known.children()) {
          LACUNA_TRY(const Knowledge knowledge, read_knowledge(fact));
          attacker.known.push_back(knowledge);
        }
      }
      attackers_.push_back(std::move(attacker));
    }
    return ok_status();
  }

  Result<Knowledge> read_knowledge(files::JsonNode node) const {
    constexpr std::array<std::string_view, 3> kNames{"cell", "lower", "upper"};
    LACUNA_TRY(const auto members, files::members_of(node, kNames));
    const auto& [cell, lower, upper] = members;
    LACUNA_RETURN_IF_ERROR(require(node, cell, "cell"));
    Knowledge knowledge;
    LACUNA_TRY(knowledge.cell.value, index_below(cell, num_cells(), "cell"));
    LACUNA_TRY(knowledge.bounds.lower, bound(lower, kUnboundedBelow));
    LACUNA_TRY(knowledge.bounds.upper, bound(upper, kUnboundedAbove));
    return knowledge;
  }

  Status read_requirements(files::JsonNode requirements) {
    if (!requirements.present())
      return ok_status();
    LACUNA_RETURN_IF_ERROR(requirements.expect(files::JsonKind::kArray));
    const std::size_t num_attackers = attackers_.empty() ? 1 : attackers_.size();
    for (const files::JsonNode item : requirements.children()) {
      constexpr std::array<std::string_view, 5> kNames{
          "cell", "attacker", "lower", "upper", "sliding"};
      LACUNA_TRY(const auto members, files::members_of(item, kNames));
      const auto& [cell, attacker, lower, upper, sliding] = members;
      LACUNA_RETURN_IF_ERROR(require(item, cell, "cell"));
      Requirement need;
      LACUNA_TRY(need.cell.value, index_below(cell, num_cells(), "cell"));
      if (attacker.present()) {
        LACUNA_TRY(need.attacker, index_below(attacker, num_attackers, "attacker"));
      }
      LACUNA_TRY(need.lower, units_or(lower, 0));
      LACUNA_TRY(need.upper, units_or(upper, 0));
      LACUNA_TRY(need.sliding, units_or(sliding, 0));
      if (need.lower < 0 || need.upper < 0 || need.sliding < 0)
        return item.error("a protection level is negative");
      requirements_.push_back(need);
    }
    return ok_status();
  }

  std::size_t num_cells() const { return static_cast<std::size_t>(builder_->num_cells()); }

  static constexpr std::int64_t kMaxCoefficient = 1'000'000;
  std::optional<TableBuilder> builder_;
  std::size_t num_dimensions_ = 0;
  std::vector<Attacker> attackers_;
  std::vector<Requirement> requirements_;
  std::optional<CellKeys> keys_;
};

// ---- writing

void write_dimension(base::JsonWriter& json, const Dimension& dimension) {
  json.line().object([&] {
    json.member("name", dimension.name()).key("codes").values(dimension.codes());
    json.key("relations").list(dimension.relations(), [&](const Relation& relation) {
      json.object([&] {
        json.member("parent", relation.parent).key("children").values(relation.children);
      });
    });
  });
}

void write_key(base::JsonWriter& json, const CellKeys& keys, const Cell& cell, std::size_t at) {
  json.member("key", keys.keys[at]);
  if (keys.records[at] != cell.frequency && keys.records[at] >= 0)
    json.member("records", keys.records[at]);
  if (!keys.is_magnitude())
    return;
  json.key("largest").values(keys.largest[at]).member("spread", keys.spread[at]);
  if (!keys.weights.empty())
    json.member("weight_sum", keys.weights[at]);
}

void write_cell(base::JsonWriter& json, const Problem& problem, CellId id) {
  const Table& table = problem.table();
  const Cell& cell = table.cell(id);
  json.line().object([&] {
    json.member("value", cell.value);
    json.key("lower").bound(cell.prior.lower).key("upper").bound(cell.prior.upper);
    json.member("weight", cell.weight);
    if (cell.frequency >= 0)
      json.member("frequency", cell.frequency);
    if (table::is_unpublished(cell))
      json.member("published", false);
    json.member("status", to_string(cell.status));
    if (!table.dimensions().empty())
      json.key("codes").values(table.codes(id));
    if (problem.keys())
      write_key(json, *problem.keys(), cell, static_cast<std::size_t>(id.value));
  });
}

void write_equation(base::JsonWriter& json, const Table& table, EquationId id) {
  const auto terms = table.equation(id);
  json.line().object([&] {
    json.member("rhs", table.rhs(id));
    json.key("cells").list(terms, [&](const Term& term) { json.value(term.cell.value); });
    json.key("coefficients").list(terms, [&](const Term& term) { json.value(term.coefficient); });
  });
}

void write_attacker(base::JsonWriter& json, const Attacker& attacker) {
  json.line().object([&] {
    json.member("name", attacker.name);
    json.key("known").list(attacker.known, [&](const Knowledge& known) {
      json.object([&] {
        json.member("cell", known.cell.value);
        json.key("lower").bound(known.bounds.lower).key("upper").bound(known.bounds.upper);
      });
    });
  });
}

void write_requirement(base::JsonWriter& json, const Requirement& need) {
  json.line().object([&] {
    json.member("cell", need.cell.value).member("attacker", need.attacker);
    json.member("lower", need.lower).member("upper", need.upper);
    json.member("sliding", need.given_sliding());
  });
}

}  // namespace

std::string_view to_string(CellStatus status) {
  return kStatusNames[static_cast<std::size_t>(status)];
}

Result<Problem> read_problem_json(std::string_view text, const std::string& filename) {
  LACUNA_TRY(const files::JsonTree tree, files::JsonTree::parse(text, filename));
  return ProblemReader().read(tree.root());
}

std::string write_problem_json(const Problem& problem) {
  const Table& table = problem.table();
  const auto write = [&](base::JsonWriter& json) {
    json.member("format", kProblemFormat).line().member("decimals", table.decimals());
    json.line().key("dimensions").list(table.dimensions(), [&](const Dimension& dimension) {
      write_dimension(json, dimension);
    });
    json.line().key("cells").list([&] {
      for (std::int32_t c = 0; c < table.num_cells(); ++c)
        write_cell(json, problem, CellId{c});
    });
    json.line().key("equations").list([&] {
      for (std::int32_t e = 0; e < table.num_equations(); ++e)
        write_equation(json, table, EquationId{e});
    });
    json.line().key("attackers").list(problem.attackers(), [&](const Attacker& attacker) {
      write_attacker(json, attacker);
    });
    json.line().key("requirements").list(problem.requirements(), [&](const Requirement& need) {
      write_requirement(json, need);
    });
    if (problem.counts())
      write_counts(json, *problem.counts());
    if (problem.keys())
      json.line().key("keys").object([&] { json.member("modulus", problem.keys()->modulus); });
    if (problem.waiver() == Waiver::kExposed)
      json.line().member("waived", "exposed");
  };
  return base::json_object(write) + "\n";
}

}  // namespace lacuna::problems

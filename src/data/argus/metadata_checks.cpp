// SPDX-License-Identifier: Apache-2.0
#include "data/argus/metadata_checks.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/base/decimal.h"
#include "core/base/text.h"
#include "data/argus/lines.h"

namespace lacuna::argus {
namespace {

Error variable_error(const Metadata& metadata, const Variable& variable, std::string message) {
  return {ErrorCode::kArgusCommand,
          std::move(message),
          files::location(metadata.filename, variable.place)};
}

void variable_note(Metadata& metadata, const Variable& variable, const std::string& text) {
  metadata.notes.push_back(files::location(metadata.filename, variable.place) + ": " + text);
}

bool is_response(const Variable& variable) {
  return variable.numeric && !variable.shadow && !variable.cost && !variable.lower_level &&
         !variable.upper_level;
}

Status check_names(Metadata& metadata) {
  std::map<std::string, const Variable*> first;
  for (const Variable& variable : metadata.variables) {
    const auto [at, is_new] = first.try_emplace(base::lower_case(variable.name), &variable);
    if (is_new)
      continue;
    const std::string text =
        "the variable " + base::in_quotes(variable.name) + " is described twice";
    if (metadata.fixed)
      return variable_error(metadata, variable, text);
    variable_note(
        metadata,
        variable,
        text + ": the one on line " + std::to_string(at->second->place.line) + " is meant");
  }
  return ok_status();
}

void note_overlaps(Metadata& metadata) {
  std::vector<const Variable*> sorted;
  for (const Variable& variable : metadata.variables)
    sorted.push_back(&variable);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Variable* a, const Variable* b) {
    return a->start < b->start;
  });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i - 1]->start + sorted[i - 1]->length > sorted[i]->start)
      variable_note(metadata,
                    *sorted[i],
                    "the variables " + base::in_quotes(sorted[i - 1]->name) + " and " +
                        base::in_quotes(sorted[i]->name) + " overlap");
  }
}

// Of two trees the one that was named last counts; a tree file alone makes no tree.
void settle_tree(Metadata& metadata, Variable& variable) {
  const bool file = !variable.hierarchy_file.text.empty();
  const bool levels = !variable.levels.empty();
  if (file && levels) {
    const bool by_file = variable.tree_from_file;
    variable_note(metadata,
                  variable,
                  base::in_quotes(variable.name) + " has <HIERLEVELS> and <HIERCODELIST>: " +
                      (by_file ? "the file counts" : "the levels count"));
    if (by_file)
      variable.levels.clear();
    else
      variable.hierarchy_file = {};
  } else if (file && !variable.hierarchical) {
    variable_note(metadata,
                  variable,
                  base::in_quotes(variable.name) +
                      " has <HIERCODELIST> without <HIERARCHICAL>: the tree is not used, as in "
                      "tau-ARGUS");
    variable.hierarchy_file = {};
  }
  variable.hierarchical = variable.hierarchical || variable.has_tree();
}

Status check_tree(Metadata& metadata, Variable& variable, DataKind kind) {
  settle_tree(metadata, variable);
  if (variable.hierarchical && !variable.has_tree()) {
    return variable_error(metadata,
                          variable,
                          base::in_quotes(variable.name) +
                              " has <HIERARCHICAL>, but neither <HIERCODELIST> nor <HIERLEVELS>");
  }
  if (base::trimmed(variable.lead).empty() && !variable.hierarchy_file.text.empty())
    return variable_error(
        metadata,
        variable,
        "the <HIERLEADSTRING> of " + base::in_quotes(variable.name) + " is empty");
  const auto sum = static_cast<std::size_t>(
      std::accumulate(variable.levels.begin(), variable.levels.end(), std::int64_t{0}));
  if (kind == DataKind::kMicrodata && !variable.levels.empty() && sum != variable.length) {
    return variable_error(metadata,
                          variable,
                          "the <HIERLEVELS> of " + base::in_quotes(variable.name) + " add up to " +
                              std::to_string(sum) + ", but its length is " +
                              std::to_string(variable.length));
  }
  return ok_status();
}

// "F(a,b,c,d,...)" or "N(a,...)": as many numbers as the type needs.
bool scaling_fits(const CellKeyOptions& options) {
  const std::string& text = options.scaling;
  std::size_t numbers = 1;
  std::size_t start = 2;
  for (std::size_t end = 0; end != std::string::npos; ++numbers) {
    end = text.find(',', start);
    const std::size_t stop = end == std::string::npos ? text.size() - 1 : end;
    if (!base::parse_double(base::trimmed(std::string_view(text).substr(start, stop - start))))
      return false;
    start = end + 1;
  }
  const std::size_t tops = options.type == 'T' ? static_cast<std::size_t>(options.top) : 1;
  return numbers - 1 == (text[0] == 'F' ? 3 : 0) + tops;
}

Status check_cell_key(const Metadata& metadata, const Variable& variable, const Variable* key) {
  const auto wrong = [&](const std::string& text) {
    return variable_error(metadata, variable, "<CKM> of " + base::in_quotes(variable.name) + text);
  };
  if (!variable.numeric)
    return wrong(" is about a numeric variable: <NUMERIC> is missing");
  if (variable.cell_key->type == 'N')
    return ok_status();
  if (key == nullptr)
    return wrong(" needs a variable with <RECORDKEY>");
  if (key->ptable_continuous.text.empty())
    return wrong(" needs <PFILE_CONT> at the variable with <RECORDKEY>");
  if (variable.cell_key->scaling.empty())
    return wrong(" needs <SCALING>");
  if (!scaling_fits(*variable.cell_key))
    return wrong(": <SCALING> " + base::in_quotes(variable.cell_key->scaling) +
                 " does not have the numbers F(s0,s1,x,q) or N(s1), and one more for every largest "
                 "contribution but the first");
  return ok_status();
}

Status check_record_keys(const Metadata& metadata) {
  const Variable* key = nullptr;
  for (const Variable& variable : metadata.variables) {
    if (!variable.record_key)
      continue;
    if (key != nullptr)
      return variable_error(metadata, variable, "a second <RECORDKEY>: one variable may have it");
    if (variable.ptable.text.empty())
      return variable_error(metadata,
                            variable,
                            "<RECORDKEY> of " + base::in_quotes(variable.name) + " needs <PFILE>");
    key = &variable;
  }
  for (const Variable& variable : metadata.variables) {
    if (variable.cell_key)
      LACUNA_RETURN_IF_ERROR(check_cell_key(metadata, variable, key));
  }
  return ok_status();
}

struct OnlyOne {
  bool Variable::*role;
  const char* keyword;
};

Status check_table_roles(const Metadata& metadata) {
  for (const OnlyOne& only : {OnlyOne{&Variable::shadow, "<SHADOW>"},
                              OnlyOne{&Variable::cost, "<COST>"},
                              OnlyOne{&Variable::frequency, "<FREQUENCY>"},
                              OnlyOne{&Variable::lower_level, "<LOWERPL>"},
                              OnlyOne{&Variable::upper_level, "<UPPERPL>"},
                              OnlyOne{&Variable::status, "<STATUS>"}}) {
    const Variable* first = nullptr;
    for (const Variable& variable : metadata.variables) {
      if (!(variable.*only.role))
        continue;
      if (first != nullptr) {
        return variable_error(metadata,
                              variable,
                              std::string("a second ") + only.keyword + ": " +
                                  base::in_quotes(first->name) + " and " +
                                  base::in_quotes(variable.name));
      }
      first = &variable;
    }
  }
  const bool any = std::any_of(
      metadata.variables.begin(), metadata.variables.end(), [](const Variable& variable) {
        return is_response(variable) || variable.frequency;
      });
  if (!any)
    return Error{ErrorCode::kArgusCommand,
                 "no variable is a response (<NUMERIC>) or has <FREQUENCY>",
                 metadata.filename};
  return ok_status();
}

void settle_totals(Metadata& metadata) {
  for (const Variable& variable : metadata.variables) {
    if (variable.recodeable && !variable.total_given)
      variable_note(metadata,
                    variable,
                    base::in_quotes(variable.name) +
                        " has no <TOTCODE>, which tau-ARGUS asks for: " +
                        base::in_quotes(variable.total_code) + " is taken");
  }
}

}  // namespace

Status check_metadata(Metadata& metadata, DataKind kind) {
  const bool explains = std::any_of(metadata.variables.begin(),
                                    metadata.variables.end(),
                                    [](const Variable& variable) { return variable.recodeable; });
  if (!explains) {
    return Error{ErrorCode::kArgusCommand,
                 metadata.variables.empty()
                     ? "no variable is described"
                     : "no variable has <RECODEABLE>: a table needs an explanatory variable",
                 metadata.filename};
  }
  LACUNA_RETURN_IF_ERROR(check_names(metadata));
  if (metadata.fixed)
    note_overlaps(metadata);
  for (Variable& variable : metadata.variables) {
    if (variable.recodeable)
      LACUNA_RETURN_IF_ERROR(check_tree(metadata, variable, kind));
    if (variable.request && variable.request_codes.empty())
      return variable_error(
          metadata, variable, "<REQUEST> of " + base::in_quotes(variable.name) + " has no code");
  }
  LACUNA_RETURN_IF_ERROR(check_record_keys(metadata));
  if (kind == DataKind::kTable) {
    LACUNA_RETURN_IF_ERROR(check_table_roles(metadata));
    settle_totals(metadata);
  }
  return ok_status();
}

}  // namespace lacuna::argus

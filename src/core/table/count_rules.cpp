// SPDX-License-Identifier: Apache-2.0
// Questions about counts (docs/counts.md, section 2). With a the table, t the threshold, k those
// who attack together, and R(f) the values that a whole linear form f can have for a reader:
//   exact    f = y_p, p primary                 at least ambiguity + 1 values
//   small    f = y_p, 0 < a_p < t               max R >= t or min R <= 0
//   zero     f = y_p, p primary, a_p = 0        max R >= 1
//   all      f = y_g - y_c, part c of group g   max R >= 1 + k
//   group    f = y_g - sum of parts             max R >= 1 + k
//   levels   f = y_p                            the levels of the requirement
// `implied` depends on the release and is listed when that is known (core/draft/system.h).
// Only what could fail is asked: the truth itself shows that max R >= a_g - a_c. And nothing is
// asked that the attacker knows in advance, which no release can hide.
#include "lacuna/count_rules.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include "core/base/nearest.h"
#include "core/base/text.h"
#include "core/table/check_counts.h"
#include "core/table/part_sum.h"

namespace lacuna {
namespace {

constexpr Bounds kCounts{0, kUnboundedAbove};

Error bad_option(const char* option, std::string message) {
  return {ErrorCode::kOptionValue, std::move(message), option};
}

std::string in_ticks(std::string_view text) {
  return "'" + std::string(text) + "'";
}

std::string listed(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names)
    text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::vector<CountKind> kinds_of(const CountOptions& options) {
  if (!options.kinds.empty())
    return options.kinds;
  std::vector<CountKind> kinds{CountKind::kExact, CountKind::kSmall, CountKind::kAll};
  if (options.zeros == Zeros::kSensitive)
    kinds.push_back(CountKind::kZero);
  if (!options.groups.empty())
    kinds.push_back(CountKind::kGroup);
  return kinds;
}

bool has(const std::vector<CountKind>& kinds, CountKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

Status check_options(const CountOptions& options) {
  if (options.threshold < 1 || options.threshold > kMaxUnits)
    return bad_option("--threshold", "the threshold must be a count of at least 1");
  if (options.ambiguity < 1 || options.ambiguity > kMaxUnits)
    return bad_option("--ambiguity", "at least one other value must remain possible");
  if (options.coalition < 0 || options.coalition >= kMaxUnits)
    return bad_option("--coalition",
                      "the number of persons who attack together must not be negative");
  if (options.zeros == Zeros::kSensitive && options.withheld_means == WithheldMeans::kNonzero)
    return bad_option("--withheld-means",
                      "sensitive zeros are withheld, so a withheld cell cannot mean nonzero; say "
                      "any or rule");
  if (has(options.kinds, CountKind::kGroup) && options.groups.empty())
    return bad_option("--kinds", "the kind group needs groups = [{ dimension = [codes] }]");
  return ok_status();
}

// ---- the table as one of counts

CellStatus status_as_count(const Cell& cell, const CountOptions& options) {
  const bool open = cell.status == CellStatus::kFree || cell.status == CellStatus::kSecondary;
  if (!open || cell.prior.is_point())
    return cell.status;
  if (cell.value > 0)
    return cell.value < options.threshold ? CellStatus::kPrimary : cell.status;
  if (options.zeros == Zeros::kSensitive)
    return CellStatus::kPrimary;
  return options.zeros == Zeros::kStructural ? CellStatus::kKnown : cell.status;
}

Result<Table> table_of_counts(const Table& table, const CountOptions& options) {
  TableBuilder builder(0, table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    Cell cell = table.cell(CellId{c});
    cell.prior = intersect(cell.prior, kCounts);
    if (cell.status == CellStatus::kMustPublish && cell.value > 0 &&
        cell.value < options.threshold) {
      return Error{ErrorCode::kWrongStatus,
                   "the count is below the threshold " + std::to_string(options.threshold) +
                       " but must be published; make it free, or known to everyone",
                   table.label(CellId{c})};
    }
    cell.status = status_as_count(cell, options);
    LACUNA_RETURN_IF_ERROR(builder.add_cell(cell, table.codes(CellId{c})));
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    const EquationId equation{e};
    LACUNA_RETURN_IF_ERROR(builder.add_equation(table.equation(equation), table.rhs(equation)));
  }
  return std::move(builder).build();
}

// ---- questions

struct CodeSet {
  std::int32_t dimension = -1;
  std::vector<std::int32_t> codes;  // ascending
  bool holds(std::int32_t code) const {
    return std::binary_search(codes.begin(), codes.end(), code);
  }
};

Result<CodeSet> code_set(const Table& table, const CodeUnion& named, const char* option) {
  CodeSet found;
  std::vector<std::string_view> names;
  for (std::size_t d = 0; d < table.dimensions().size(); ++d) {
    names.push_back(table.dimensions()[d].name());
    if (names.back() == named.dimension)
      found.dimension = static_cast<std::int32_t>(d);
  }
  if (found.dimension < 0) {
    return bad_option(option,
                      "the table has no dimension " + in_ticks(named.dimension) +
                          base::did_you_mean(named.dimension, names));
  }
  const Dimension& dimension = table.dimensions()[static_cast<std::size_t>(found.dimension)];
  for (const std::string& code : named.codes) {
    const std::int32_t index = dimension.find(code);
    if (index < 0) {
      const std::vector<std::string_view> known(dimension.codes().begin(), dimension.codes().end());
      return bad_option(option,
                        "dimension " + dimension.name() + " has no code " + in_ticks(code) +
                            base::did_you_mean(code, known));
    }
    found.codes.push_back(index);
  }
  if (found.codes.empty())
    return bad_option(option, "dimension " + dimension.name() + " has no code listed");
  std::sort(found.codes.begin(), found.codes.end());
  found.codes.erase(std::unique(found.codes.begin(), found.codes.end()), found.codes.end());
  return found;
}

Result<std::vector<CodeSet>> code_sets(const Table& table,
                                       const std::vector<CodeUnion>& named,
                                       const char* option) {
  std::vector<CodeSet> sets;
  for (const CodeUnion& each : named) {
    LACUNA_TRY(CodeSet set, code_set(table, each, option));
    sets.push_back(std::move(set));
  }
  return sets;
}

class QuestionMaker {
 public:
  QuestionMaker(const Problem& problem, const CountOptions& options)
      : problem_(problem), table_(problem.table()), options_(options), kinds_(kinds_of(options)) {}

  Result<std::vector<CountQuestion>> run() {
    LACUNA_TRY(sensitive_, code_sets(table_, options_.sensitive, "--sensitive"));
    LACUNA_TRY(groups_, code_sets(table_, options_.groups, "--groups"));
    for (std::int32_t e = 0; e < table_.num_equations(); ++e) {
      if (auto sum = table::part_sum(table_, EquationId{e}))
        sums_.push_back(*std::move(sum));
    }
    for (std::size_t a = 0; a < problem_.attackers().size(); ++a) {
      attacker_ = static_cast<std::int32_t>(a);
      find_reach();
      LACUNA_RETURN_IF_ERROR(ask_of_cells());
      ask_of_sums();
    }
    ask_levels();
    std::sort(questions_.begin(), questions_.end(), comes_before);
    questions_.erase(std::unique(questions_.begin(), questions_.end()), questions_.end());
    return std::move(questions_);
  }

 private:
  static bool comes_before(const CountQuestion& a, const CountQuestion& b) {
    const auto order = [](const CountQuestion& q) {
      return std::tie(q.attacker, q.kind, q.cell, q.group);
    };
    if (order(a) != order(b))
      return order(a) < order(b);
    return std::lexicographical_compare(a.form.begin(),
                                        a.form.end(),
                                        b.form.begin(),
                                        b.form.end(),
                                        [](const Term& x, const Term& y) {
                                          return std::tie(x.cell, x.coefficient) <
                                                 std::tie(y.cell, y.coefficient);
                                        });
  }

  // What an attacker is asked about: the outsider everything, others what a requirement names and
  // the sums of the cells of which they know something, which is where a subtraction begins.
  void find_reach() {
    const auto cells = static_cast<std::size_t>(table_.num_cells());
    near_.assign(cells, attacker_ == 0);
    if (attacker_ == 0)
      return;
    for (const Knowledge& known : attacker().known) {
      near(known.cell) = true;
      for (const Incidence& in : table_.equations_of(known.cell)) {
        for (const Term& term : table_.equation(in.equation))
          near(term.cell) = true;
      }
    }
    for (const Requirement& need : problem_.requirements()) {
      if (need.attacker == attacker_)
        near(need.cell) = true;
    }
  }

  std::vector<bool>::reference near(CellId cell) {
    return near_[static_cast<std::size_t>(cell.value)];
  }
  const Attacker& attacker() const {
    return problem_.attackers()[static_cast<std::size_t>(attacker_)];
  }
  Bounds known(CellId cell) const {
    return intersect(known_bounds(table_, attacker(), cell), kCounts);
  }

  Status ask_of_cells() {
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      const CellId cell{c};
      if (!near(cell) || table_.cell(cell).status != CellStatus::kPrimary || known(cell).is_point())
        continue;
      const Units value = table_.value(cell);
      if (value == 0 && has(kinds_, CountKind::kZero))
        ask(CountKind::kZero, cell);  // which is more than kExact
      if (has(kinds_, CountKind::kExact) &&
          (value > 0 || options_.ambiguity > 1 || !has(kinds_, CountKind::kZero)))
        LACUNA_RETURN_IF_ERROR(ask_exact(cell));
      if (has(kinds_, CountKind::kSmall))
        ask_small(cell);
    }
    return ok_status();
  }

  Status ask_exact(CellId cell) {
    const Bounds bounds = known(cell);
    if (bounds.has_upper() && bounds.upper - bounds.lower < options_.ambiguity) {
      return Error{ErrorCode::kOptionConflict,
                   "no release can leave " + std::to_string(options_.ambiguity) +
                       " other values: attacker '" + attacker().name +
                       "' knows closer bounds of the cell; ask for less ambiguity",
                   table_.label(cell)};
    }
    ask(CountKind::kExact, cell);
    return ok_status();
  }

  // Where primaries are marked it is conceded, and known to whoever knows such bounds.
  void ask_small(CellId cell) {
    const Units value = table_.value(cell);
    if (value == 0 || value >= options_.threshold ||
        options_.withheld_means == WithheldMeans::kRule)
      return;
    const Bounds bounds = known(cell);
    if (bounds.lower < 1 || bounds.upper >= options_.threshold)
      ask(CountKind::kSmall, cell);
  }

  void ask_of_sums() {
    const bool all = has(kinds_, CountKind::kAll), group = has(kinds_, CountKind::kGroup);
    for (const table::PartSum& sum : sums_) {
      if (!near(sum.total))
        continue;
      for (const CellId part : sum.parts) {
        if (all && is_category(sum, part))
          ask_rest(CountKind::kAll, sum, {part});
      }
      for (const CodeSet& set : groups_) {
        if (group && set.dimension == sum.dimension)
          ask_rest(CountKind::kGroup, sum, parts_in(sum, set));
      }
    }
  }

  bool is_category(const table::PartSum& sum, CellId part) const {
    if (sensitive_.empty())
      return true;
    return std::any_of(sensitive_.begin(), sensitive_.end(), [&](const CodeSet& set) {
      return set.dimension == sum.dimension && set.holds(code(part, set.dimension));
    });
  }

  std::int32_t code(CellId cell, std::int32_t dimension) const {
    return table_.codes(cell)[static_cast<std::size_t>(dimension)];
  }

  // All of the union or nothing: in a sum that has only some of the codes it is another union.
  std::vector<CellId> parts_in(const table::PartSum& sum, const CodeSet& set) const {
    std::vector<CellId> found;
    for (const CellId part : sum.parts) {
      if (set.holds(code(part, set.dimension)))
        found.push_back(part);
    }
    return found.size() == set.codes.size() ? found : std::vector<CellId>{};
  }

  // Whether all of the group, but for those who attack, are in the parts.
  void ask_rest(CountKind kind, const table::PartSum& sum, std::vector<CellId> parts) {
    if (parts.empty() || parts.size() == sum.parts.size())
      return;
    std::sort(parts.begin(), parts.end());
    Wide inside = 0, room = 0;
    for (const CellId part : sum.parts) {
      if (std::binary_search(parts.begin(), parts.end(), part)) {
        inside += table_.value(part);
        continue;
      }
      const Bounds bounds = known(part);
      room += bounds.has_upper() ? bounds.upper : kMaxUnits;
    }
    const Wide rest = table_.value(sum.total) - inside;
    if (inside == 0 || rest > options_.coalition || room <= options_.coalition)
      return;
    questions_.push_back(
        {kind, attacker_, parts.front(), sum.total, table::form_of_rest(sum.total, parts)});
  }

  void ask_levels() {
    if (!has(kinds_, CountKind::kLevels))
      return;
    for (const Requirement& need : problem_.requirements()) {
      attacker_ = need.attacker;
      if (!need.asks_nothing())
        ask(CountKind::kLevels, need.cell);
    }
  }

  void ask(CountKind kind, CellId cell) {
    questions_.push_back({kind, attacker_, cell, CellId{-1}, table::form_of_cell(cell)});
  }

  const Problem& problem_;
  const Table& table_;
  const CountOptions& options_;
  std::vector<CountKind> kinds_;
  std::vector<CodeSet> sensitive_, groups_;
  std::vector<table::PartSum> sums_;
  std::int32_t attacker_ = 0;
  std::vector<bool> near_;
  std::vector<CountQuestion> questions_;
};

// ---- options of questions

std::vector<CountKind> kinds_asked(const CountRules& rules) {
  std::vector<CountKind> kinds;
  for (const CountQuestion& question : rules.questions) {
    if (!has(kinds, question.kind))
      kinds.push_back(question.kind);
  }
  if (rules.implied)
    kinds.push_back(CountKind::kImplied);
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

// The codes by which parts of a group differ from it, in the one dimension where they do.
std::optional<CodeUnion> union_of(const Table& table, const CountQuestion& question) {
  const auto whole = table.codes(question.group);
  std::size_t at = 0;
  while (at < whole.size() && table.codes(question.cell)[at] == whole[at])
    ++at;
  if (at == whole.size())
    return std::nullopt;
  const Dimension& dimension = table.dimensions()[at];
  CodeUnion named{dimension.name(), {}};
  for (const Term& term : question.form) {
    if (term.cell != question.group)
      named.codes.push_back(dimension.code(table.codes(term.cell)[at]));
  }
  return named;
}

void add_category(std::vector<CodeUnion>& sensitive, const CodeUnion& category) {
  auto of = std::find_if(sensitive.begin(), sensitive.end(), [&](const CodeUnion& each) {
    return each.dimension == category.dimension;
  });
  if (of == sensitive.end())
    of = sensitive.insert(sensitive.end(), {category.dimension, {}});
  const std::string& code = category.codes.front();
  if (std::find(of->codes.begin(), of->codes.end(), code) == of->codes.end())
    of->codes.push_back(code);
}

}  // namespace

Result<std::vector<CountKind>> parse_count_kinds(std::string_view text) {
  const auto names = enum_names(CountKind{});
  std::vector<CountKind> kinds;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view word = base::trimmed(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    const auto at = std::find(names.begin(), names.end(), word);
    if (at == names.end()) {
      return bad_option("--kinds",
                        "there is no kind " + in_ticks(word) + base::did_you_mean(word, names) +
                            "; they are " + listed(names));
    }
    const auto kind = static_cast<CountKind>(at - names.begin());
    if (!has(kinds, kind))
      kinds.push_back(kind);
  }
  return kinds;
}

Status parse_field(const FieldInfo&, const std::string& text, std::vector<CountKind>& field) {
  LACUNA_TRY(field, parse_count_kinds(text));
  return ok_status();
}

std::string field_text(const std::vector<CountKind>& field) {
  std::string text;
  for (const CountKind kind : field)
    text += (text.empty() ? "" : ",") + fields_detail::text_of(kind);
  return text;
}

Result<std::vector<CountQuestion>> count_questions(const Problem& problem,
                                                   const CountOptions& options) {
  LACUNA_RETURN_IF_ERROR(check_options(options));
  return QuestionMaker(problem, options).run();
}

Result<Problem> with_count_rules(const Problem& problem, const CountOptions& options) {
  LACUNA_RETURN_IF_ERROR(check_options(options));
  LACUNA_RETURN_IF_ERROR(table::check_are_counts(problem.table()));
  LACUNA_TRY(Table table, table_of_counts(problem.table(), options));
  LACUNA_TRY(Problem made,
             make_problem(std::move(table), problem.attackers(), problem.requirements()));
  LACUNA_RETURN_IF_ERROR(made.set_keys(problem.keys()));
  made.set_waiver(problem.waiver());
  return with_count_questions(made, options);
}

Result<Problem> with_count_questions(const Problem& problem, const CountOptions& options) {
  LACUNA_RETURN_IF_ERROR(table::check_are_counts(problem.table()));
  Problem made = problem;
  CountRules rules;
  rules.threshold = options.threshold;
  rules.zeros = options.zeros;
  rules.withheld_means = options.withheld_means;
  rules.ambiguity = options.ambiguity;
  rules.coalition = options.coalition;
  rules.implied = has(kinds_of(options), CountKind::kImplied);
  LACUNA_TRY(rules.questions, count_questions(made, options));
  LACUNA_RETURN_IF_ERROR(made.set_counts(std::move(rules)));
  return made;
}

std::optional<CountOptions> count_options_of(const Problem& problem) {
  if (!problem.counts())
    return std::nullopt;
  const CountRules& rules = *problem.counts();
  CountOptions options{.threshold = rules.threshold,
                       .zeros = rules.zeros,
                       .withheld_means = rules.withheld_means,
                       .ambiguity = rules.ambiguity,
                       .coalition = rules.coalition,
                       .kinds = kinds_asked(rules),
                       .sensitive = {},
                       .groups = {}};
  if (options.kinds.empty())
    options.kinds = {CountKind::kExact};  // of no cell at all
  std::vector<CodeUnion> categories;
  for (const CountQuestion& question : rules.questions) {
    if (question.group.value < 0)
      continue;
    const auto named = union_of(problem.table(), question);
    if (!named)
      return std::nullopt;
    if (question.kind == CountKind::kAll)
      add_category(categories, *named);
    else if (std::find(options.groups.begin(), options.groups.end(), *named) ==
             options.groups.end())
      options.groups.push_back(*named);
  }
  const auto asks_the_same = [&] {
    const auto questions = count_questions(problem, options);
    return questions && *questions == rules.questions;
  };
  if (asks_the_same())
    return options;
  options.sensitive = std::move(categories);
  if (!options.sensitive.empty() && asks_the_same())
    return options;
  return std::nullopt;
}

}  // namespace lacuna

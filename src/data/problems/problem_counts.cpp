// SPDX-License-Identifier: Apache-2.0
#include "data/problems/problem_counts.h"

#include <algorithm>
#include <array>

#include "core/base/confidential.h"
#include "core/table/check_counts.h"
#include "data/files/position.h"

namespace lacuna::problems {
namespace {

template <class Word>
Result<Word> word_of(files::JsonNode node) {
  LACUNA_TRY(const std::string_view text, node.string());
  const auto words = enum_names(Word{});
  const auto at = std::find(words.begin(), words.end(), text);
  if (at == words.end())
    return node.error("unknown word " + base::strange_field_in_quotes(text) +
                      base::did_you_mean(text, words));
  return static_cast<Word>(at - words.begin());
}

template <class Word>
std::string_view name_of(Word word) {
  return enum_names(word)[static_cast<std::size_t>(word)];
}

Result<CellId> cell_at(files::JsonNode node, const Problem& problem) {
  LACUNA_TRY(const std::int64_t index, node.integer());
  if (index < 0 || index >= problem.table().num_cells())
    return node.error("there is no cell " + base::confidential(std::to_string(index)));
  return CellId{static_cast<std::int32_t>(index)};
}

Result<CountQuestion> read_question(files::JsonNode node, const Problem& problem) {
  constexpr std::array<std::string_view, 5> kNames{"kind", "attacker", "cell", "group", "parts"};
  LACUNA_TRY(const auto members, files::members_of(node, kNames));
  const auto& [kind, attacker, cell, group, parts] = members;
  if (!kind.present())
    return node.error("the name 'kind' is missing");
  CountQuestion question;
  LACUNA_TRY(question.kind, word_of<CountKind>(kind));
  if (attacker.present()) {
    LACUNA_TRY(const std::int64_t index, attacker.integer());
    if (index < 0 || static_cast<std::size_t>(index) >= problem.attackers().size())
      return attacker.error("there is no attacker " + base::confidential(std::to_string(index)));
    question.attacker = static_cast<std::int32_t>(index);
  }
  const bool is_group = question.kind == CountKind::kGroup;
  const bool has_rest = is_group || question.kind == CountKind::kAll;
  if (cell.present() == is_group || group.present() != has_rest || parts.present() != is_group)
    return node.error(
        "a question has a cell; of kind all also a group; of kind group a group and "
        "parts instead");
  std::vector<CellId> inside;
  if (is_group) {
    LACUNA_RETURN_IF_ERROR(parts.expect(files::JsonKind::kArray));
    for (const files::JsonNode part : parts.children()) {
      LACUNA_TRY(const CellId id, cell_at(part, problem));
      inside.push_back(id);
    }
    if (inside.empty())
      return parts.error("a group has no parts");
    std::sort(inside.begin(), inside.end());
  } else {
    LACUNA_TRY(const CellId id, cell_at(cell, problem));
    inside.push_back(id);
  }
  question.cell = inside.front();
  if (!has_rest) {
    question.form = table::form_of_cell(question.cell);
    return question;
  }
  LACUNA_TRY(question.group, cell_at(group, problem));
  question.form = table::form_of_rest(question.group, inside);
  return question;
}

void write_question(base::JsonWriter& json, const CountQuestion& question) {
  const bool is_group = question.kind == CountKind::kGroup;
  json.line().object([&] {
    json.member("kind", name_of(question.kind)).member("attacker", question.attacker);
    if (!is_group)
      json.member("cell", question.cell.value);
    if (is_group || question.kind == CountKind::kAll)
      json.member("group", question.group.value);
    if (!is_group)
      return;
    json.key("parts").list(question.form, [&](const Term& term) {
      if (term.cell != question.group)
        json.value(term.cell.value);
    });
  });
}

Status read_number(files::JsonNode node, std::int64_t& number) {
  if (!node.present())
    return ok_status();
  LACUNA_TRY(number, node.integer());
  return ok_status();
}

}  // namespace

Status read_counts(files::JsonNode node, Problem& problem) {
  constexpr std::array<std::string_view, 7> kNames{
      "threshold", "zeros", "withheld_means", "ambiguity", "coalition", "implied", "questions"};
  LACUNA_TRY(const auto members, files::members_of(node, kNames));
  const auto& [threshold, zeros, means, ambiguity, coalition, implied, questions] = members;
  if (!questions.present())
    return node.error("the name 'questions' is missing");
  CountRules rules;
  LACUNA_RETURN_IF_ERROR(read_number(threshold, rules.threshold));
  LACUNA_RETURN_IF_ERROR(read_number(ambiguity, rules.ambiguity));
  LACUNA_RETURN_IF_ERROR(read_number(coalition, rules.coalition));
  if (zeros.present()) {
    LACUNA_TRY(rules.zeros, word_of<Zeros>(zeros));
  }
  if (means.present()) {
    LACUNA_TRY(rules.withheld_means, word_of<WithheldMeans>(means));
  }
  if (implied.present()) {
    LACUNA_TRY(rules.implied, implied.boolean());
  }
  LACUNA_RETURN_IF_ERROR(questions.expect(files::JsonKind::kArray));
  for (const files::JsonNode item : questions.children()) {
    LACUNA_TRY(CountQuestion question, read_question(item, problem));
    if (question.kind == CountKind::kImplied)
      return item.error("what is implied depends on the release; it is no question of a problem");
    rules.questions.push_back(std::move(question));
  }
  if (const Status fits = problem.set_counts(std::move(rules)); !fits)
    return node.error(fits.error().message);
  return ok_status();
}

void write_counts(base::JsonWriter& json, const CountRules& rules) {
  json.line().key("counts").object([&] {
    json.member("threshold", rules.threshold).member("zeros", name_of(rules.zeros));
    json.member("withheld_means", name_of(rules.withheld_means));
    json.member("ambiguity", rules.ambiguity).member("coalition", rules.coalition);
    json.member("implied", rules.implied);
    json.key("questions").list(rules.questions, [&](const CountQuestion& question) {
      write_question(json, question);
    });
  });
}

}  // namespace lacuna::problems

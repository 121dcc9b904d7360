// SPDX-License-Identifier: Apache-2.0
#include "lacuna/question.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/table/check_counts.h"

namespace lacuna {
namespace {

void set_levels(const Requirement& need, Question& question) {
  question.lower = need.lower;
  question.upper = need.upper;
  question.sliding = need.sliding;
  question.origin = need.origin;
}

void set_values(Units values, Question& question) {  // one more than the truth is next to it
  question.values = values;
  question.lower = question.upper = 1;
  question.either = true;
}

}  // namespace

Question question_of(const Requirement& need) {
  Question question;
  question.attacker = need.attacker;
  question.cell = need.cell;
  question.form = table::form_of_cell(need.cell);
  set_levels(need, question);
  return question;
}

Question question_of(const Problem& problem, const CountQuestion& asked) {
  const CountRules& rules = *problem.counts();
  Question question;
  question.kind = asked.kind;
  question.domain = Domain::kInteger;
  question.attacker = asked.attacker;
  question.cell = asked.cell;
  question.group = asked.group;
  question.form = asked.form;
  const Units value = form_value(problem.table(), asked.form);
  switch (asked.kind) {
    case CountKind::kExact:
      set_values(rules.ambiguity + 1, question);
      break;
    case CountKind::kSmall:
      question.lower = value;
      question.upper = rules.threshold - value;
      question.either = true;
      break;
    case CountKind::kZero:
      question.upper = 1 - value;
      break;
    case CountKind::kAll:
    case CountKind::kGroup:
      question.upper = 1 + rules.coalition - value;
      break;
    case CountKind::kImplied:
      set_values(2, question);
      break;
    case CountKind::kLevels: {
      const Requirement* need = table::requirement_about(problem, asked.cell, asked.attacker);
      LACUNA_CHECK(need != nullptr);
      set_levels(*need, question);
      break;
    }
  }
  return question;
}

std::vector<Question> questions_of(const Problem& problem) {
  std::vector<Question> questions;
  questions.reserve(problem.requirements().size());
  for (const Requirement& need : problem.requirements())
    questions.push_back(question_of(need));
  if (problem.counts()) {
    for (const CountQuestion& asked : problem.counts()->questions)
      questions.push_back(question_of(problem, asked));
  }
  return questions;
}

Units form_value(const Table& table, const LinearForm& form) {
  Wide sum = 0;
  for (const Term& term : form)
    sum += Wide{term.coefficient} * table.value(term.cell);
  LACUNA_CHECK(sum <= kMaxUnits && sum >= -kMaxUnits);
  return static_cast<Units>(sum);
}

}  // namespace lacuna

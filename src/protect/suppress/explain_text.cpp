// SPDX-License-Identifier: Apache-2.0
// Explanations in words.
#include "core/base/check.h"
#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/spelling.h"
#include "protect/suppress/explain.h"
#include "protect/suppress/tuning.h"

namespace lacuna::suppression {
namespace {

std::string plural(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// "A", "A and B", "A, B, C and 4 more cells".
std::string names(const Table& table, const std::vector<CellId>& cells) {
  const std::size_t named =
      cells.size() > kTuning.explain.most_named + 1 ? kTuning.explain.most_named : cells.size();
  std::string list;
  for (std::size_t i = 0; i < named; ++i) {
    if (i > 0)
      list += i + 1 == cells.size() ? " and " : ", ";
    list += table.label(cells[i]);
  }
  if (named < cells.size())
    list += " and " + std::to_string(cells.size() - named) + " more cells";
  return list;
}

std::string number(const Table& table, Units units) {
  return base::confidential(base::format_units(units, table.decimals()));
}

void add_clause(std::string& sentence, const std::string& clause) {
  if (!sentence.empty())
    sentence += ", ";
  sentence += clause;
}

std::string obstacles(const Table& table, const UnmetLevel& unmet) {
  const auto are = [](const std::vector<CellId>& cells) {
    return cells.size() == 1 ? " is " : " are ";
  };
  std::string list;
  if (!unmet.published.empty())
    add_clause(list, names(table, unmet.published) + " must be published");
  if (!unmet.known.empty())
    add_clause(list, names(table, unmet.known) + are(unmet.known) + "known in advance");
  if (!unmet.narrow.empty()) {
    add_clause(list, names(table, unmet.narrow) + " cannot be withheld with the minimum width");
  }
  const std::string slack =
      unmet.possible > 0 ? "room for " + number(table, unmet.possible) : std::string("no room");
  if (!unmet.bounded.empty())
    add_clause(list, "the known bounds of " + names(table, unmet.bounded) + " leave " + slack);
  else
    add_clause(list, "what may be withheld leaves " + slack);
  return list;
}

std::string remedy(const Table& table, const UnmetLevel& unmet) {
  std::string help = "it would help to lower the level to " + number(table, unmet.possible);
  if (unmet.is_width)
    help = "it would help to lower the minimum width";
  if (!unmet.would_help.empty()) {
    help += ", or to allow that " + names(table, unmet.would_help) +
            (unmet.would_help.size() == 1 ? " is" : " are") + " withheld";
  }
  return help;
}

}  // namespace

std::string_view to_string(LevelKind kind) {
  switch (kind) {
    case LevelKind::kUpper:
      return "upper";
    case LevelKind::kLower:
      return "lower";
    case LevelKind::kSliding:
      return "sliding";
  }
  base::fail_check("known kind of level", __FILE__, __LINE__);
}

std::string text(const Problem& problem, const UnmetLevel& unmet) {
  const Table& table = problem.table();
  const Attacker& attacker =
      problem.attackers()[static_cast<std::size_t>(unmet.requirement.attacker)];
  const std::string level = unmet.is_width
                                ? std::string("minimum width ")
                                : std::string(to_string(unmet.kind)) + " protection level ";
  const std::string fewer = unmet.requirement.attacker > 0
                                ? ", or to leave out contributors as attackers (" +
                                      base::named_setting("[attackers]", "respondents", "false") +
                                      ")"
                                : "";
  return "no pattern of withheld cells can give the cell its " + level +
         number(table, unmet.level) + " against '" + attacker.name +
         "': " + obstacles(table, unmet) + "; " + remedy(table, unmet) + fewer;
}

std::string text(const TooFewCells& too_few) {
  std::string sentence = "no safe pattern withholds at most " + plural(too_few.limit, "cell") +
                         ": " + std::to_string(too_few.always) +
                         " must be withheld in any case, and ";
  sentence += too_few.exact ? "the smallest safe pattern has " : "every safe pattern has at least ";
  return sentence + std::to_string(too_few.least);
}

Error to_error(const Problem& problem, const Explanation& explanation) {
  if (explanation.unmet.empty()) {
    LACUNA_CHECK(explanation.too_few.has_value());
    return {ErrorCode::kOptionConflict, text(*explanation.too_few), "--max-withheld"};
  }
  const UnmetLevel& first = explanation.unmet.front();
  std::string message = text(problem, first);
  if (const std::size_t more = explanation.unmet.size() - 1; more > 0) {
    message += " (" + plural(static_cast<std::int64_t>(more), "further requirement") +
               " cannot be met either)";
  }
  return {ErrorCode::kCannotProtect, message, problem.table().label(first.requirement.cell)};
}

}  // namespace lacuna::suppression

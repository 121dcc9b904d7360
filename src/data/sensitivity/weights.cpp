// SPDX-License-Identifier: Apache-2.0
#include "data/sensitivity/weights.h"

#include <array>
#include <cmath>

#include "core/base/decimal.h"

namespace lacuna::sensitivity {
namespace {

struct NamedKind {
  std::string_view name;
  WeightKind kind;
};
constexpr std::array<NamedKind, 7> kNames{{
    {"cost", WeightKind::kCost},
    {"unity", WeightKind::kUnity},
    {"value", WeightKind::kValue},
    {"log", WeightKind::kLog},
    {"frequency", WeightKind::kFrequency},
    {"inverse", WeightKind::kInverse},
    {"inverse2", WeightKind::kInverseSquare},
}};

Error bad(std::string message) {
  return {ErrorCode::kOptionValue, std::move(message), "--weights"};
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Result<WeightKind> parse_kind(std::string_view name) {
  for (const NamedKind& known : kNames) {
    if (known.name == name)
      return known.kind;
  }
  return bad("there are no weights '" + std::string(name) +
             "' (known: cost, unity, value, log, frequency, inverse, inverse2)");
}

Result<WeightTerm> parse_term(std::string_view text) {
  const std::size_t star = text.find('*');
  if (star == std::string_view::npos) {
    LACUNA_TRY(const WeightKind kind, parse_kind(trimmed(text)));
    return WeightTerm{1, kind};
  }
  const std::string_view factor = trimmed(text.substr(0, star));
  const auto number = base::parse_double(factor);
  if (!number)
    return bad("the factor '" + std::string(factor) + "' is not a number");
  LACUNA_TRY(const WeightKind kind, parse_kind(trimmed(text.substr(star + 1))));
  return WeightTerm{number.value(), kind};
}

// '+' joins terms, except in an exponent ("1e+3*value").
std::size_t find_join(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool in_exponent = i > 1 && (text[i - 1] == 'e' || text[i - 1] == 'E') &&
                             text[i - 2] >= '.' && text[i - 2] <= '9';
    if (text[i] == '+' && !in_exponent)
      return i;
  }
  return std::string_view::npos;
}

Result<double> part_of(WeightKind kind, const Cell& cell, double size) {
  switch (kind) {
    case WeightKind::kCost:
      return cell.weight;
    case WeightKind::kUnity:
      return 1.0;
    case WeightKind::kValue:
      return size;
    case WeightKind::kLog:
      return std::log1p(size);
    case WeightKind::kInverse:
      return size == 0 ? 1.0 : 1.0 / size;
    case WeightKind::kInverseSquare:
      return size == 0 ? 1.0 : 1.0 / (size * size);
    case WeightKind::kFrequency:
      break;
  }
  if (cell.frequency < 0)
    return bad("the table has no frequencies to weigh by");
  return static_cast<double>(cell.frequency);
}

}  // namespace

Result<WeightFormula> WeightFormula::parse(std::string_view text) {
  std::vector<WeightTerm> terms;
  while (true) {
    const std::size_t join = find_join(text);
    LACUNA_TRY(const WeightTerm term, parse_term(text.substr(0, join)));
    terms.push_back(term);
    if (join == std::string_view::npos)
      break;
    text.remove_prefix(join + 1);
  }
  return of(std::move(terms));
}

Result<WeightFormula> WeightFormula::of(std::vector<WeightTerm> terms) {
  if (terms.empty())
    return bad("there is no term to weigh by");
  for (const WeightTerm& term : terms) {
    if (!std::isfinite(term.coefficient) || term.coefficient < 0)
      return bad("the factor " + base::format_double(term.coefficient) +
                 " is negative or not finite");
  }
  return WeightFormula(std::move(terms));
}

bool WeightFormula::uses(WeightKind kind) const {
  for (const WeightTerm& term : terms_) {
    if (term.kind == kind)
      return true;
  }
  return false;
}

std::string WeightFormula::text() const {
  std::string text;
  for (const WeightTerm& term : terms_) {
    text += text.empty() ? "" : "+";
    if (term.coefficient != 1)
      text += base::format_double(term.coefficient) + "*";
    text += kNames[static_cast<std::size_t>(term.kind)].name;
  }
  return text;
}

Result<double> WeightFormula::weight_of(const Cell& cell, int decimals) const {
  const double size = std::abs(base::units_to_double(cell.value, decimals));
  double sum = 0;
  for (const WeightTerm& term : terms_) {
    LACUNA_TRY(const double part, part_of(term.kind, cell, size));
    sum += term.coefficient * part;
  }
  if (!std::isfinite(sum))
    return bad("a weight is too large");
  return sum;
}

}  // namespace lacuna::sensitivity

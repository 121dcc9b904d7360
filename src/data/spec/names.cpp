// SPDX-License-Identifier: Apache-2.0
// The words of a job's choices, and which kind of job it is.
#include <array>

#include "lacuna/job_spec.h"

namespace lacuna {

std::span<const std::string_view> enum_names(SpecEncoding) {
  static constexpr std::array<std::string_view, 4> kNames{
      "utf-8", "latin-1", "windows-1252", "utf-16"};
  return kNames;
}

std::span<const std::string_view> enum_names(SpecMark) {
  static constexpr std::array<std::string_view, 2> kNames{".", ","};
  return kNames;
}

std::span<const std::string_view> enum_names(SpecThousands) {
  static constexpr std::array<std::string_view, 5> kNames{"", ",", ".", " ", "'"};
  return kNames;
}

std::span<const std::string_view> enum_names(SpecTotals) {
  static constexpr std::array<std::string_view, 3> kNames{"given", "computed", "recomputed"};
  return kNames;
}

std::span<const std::string_view> enum_names(SpecEngine) {
  static constexpr std::array<std::string_view, 4> kNames{
      "lacuna", "duckdb", "postgresql", "spark"};
  return kNames;
}

std::span<const std::string_view> enum_names(SpecPlan) {
  static constexpr std::array<std::string_view, 2> kNames{"A", "B"};
  return kNames;
}

std::span<const std::string_view> enum_names(EmptyValue) {
  static constexpr std::array<std::string_view, 3> kNames{"error", "drop", "zero"};
  return kNames;
}

std::span<const std::string_view> enum_names(MissingPolicy) {
  static constexpr std::array<std::string_view, 3> kNames{"error", "drop", "code"};
  return kNames;
}

std::span<const std::string_view> enum_names(UnknownPolicy) {
  static constexpr std::array<std::string_view, 3> kNames{"error", "drop", "missing"};
  return kNames;
}

std::span<const std::string_view> enum_names(LongerPolicy) {
  static constexpr std::array<std::string_view, 3> kNames{"auto", "cut", "error"};
  return kNames;
}

std::span<const std::string_view> enum_names(RespondentPolicy) {
  static constexpr std::array<std::string_view, 3> kNames{"error", "drop", "own"};
  return kNames;
}

std::span<const std::string_view> enum_names(DuplicatePolicy) {
  static constexpr std::array<std::string_view, 3> kNames{"error", "drop", "keep"};
  return kNames;
}

std::span<const std::string_view> JobSpec::Rule::types() {
  static constexpr std::array<std::string_view, 6> kNames{
      "frequency", "dominance", "p-percent", "prior-posterior", "request", "zeros"};
  return kNames;
}

// A job with rules and without a table is over records, even if it does not say where they are.
bool JobSpec::over_records() const {
  return !input.records.empty() || !input.from_table.empty() || !input.from_query.empty() ||
         (!rules.empty() && input.table.empty());
}

}  // namespace lacuna

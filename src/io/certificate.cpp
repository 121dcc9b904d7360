// SPDX-License-Identifier: Apache-2.0
#include "io/certificate.h"

#include <array>

#include "base/decimal.h"
#include "base/sha256.h"
#include "io/json_text.h"
#include "io/json_tree.h"
#include "io/problem_json.h"
#include "io/statement_text.h"

namespace lacuna::inline io {
namespace {

constexpr std::string_view kFormat = "lacuna-certificate-2";

void append_ids(std::string& out, const auto& ids) {
  append_json_list(out, ids, [&](const auto& id) { out += std::to_string(id.value); });
}

void append_numbers(std::string& out, const std::vector<Integer>& numbers) {
  append_json_list(out, numbers, [&](const Integer& number) { out += number.get_str(); });
}

void append_entry(std::string& out, const CellEntry& entry) {
  const StatementText text = statement_text(entry, 0);
  out += "\n{\"cell\":" + std::to_string(entry.cell.value) + ",\"state\":\"" +
         std::string(text.state) + '"';
  for (std::size_t i = 0; i < text.numbers.size(); ++i) {
    if (text.numbers[i])
      out += ",\"" + std::string(kStatementNumbers[i]) + "\":" + *text.numbers[i];
  }
  out += '}';
}

void append_end(std::string& out, const char* name, const End& end) {
  if (end.witness < 0 && end.proof < 0)
    return;
  out += std::string(",\"") + name + "\":{";
  if (end.witness >= 0)
    out += std::string(end.unbounded ? "\"ray\":" : "\"witness\":") + std::to_string(end.witness);
  if (end.proof >= 0)
    out += std::string(end.witness >= 0 ? "," : "") + "\"proof\":" + std::to_string(end.proof);
  out += '}';
}

void append_finding(std::string& out, const Finding& finding) {
  out += "\n{\"cell\":" + std::to_string(finding.requirement.cell.value) +
         ",\"attacker\":" + std::to_string(finding.requirement.attacker) + ",\"verdict\":\"" +
         std::string(to_string(finding.verdict)) + '"';
  append_end(out, "low", finding.low);
  append_end(out, "high", finding.high);
  out += '}';
}

// ---- reading

Result<Integer> read_integer(JsonNode node) {
  constexpr std::size_t kMaxDigits = 20'000;
  const Result<std::string> digits = node.number_text();
  if (!digits)
    return digits.error();
  const std::string& text = *digits;
  const std::size_t start = !text.empty() && text[0] == '-' ? 1 : 0;
  const bool whole = text.size() > start && text.size() <= kMaxDigits &&
                     text.find_first_not_of("0123456789", start) == std::string::npos;
  if (!whole)
    return node.error("expected an integer within range");
  return Integer(text);
}

Result<std::int32_t> read_index(JsonNode node, std::int64_t limit) {
  LACUNA_TRY(const std::int64_t value, node.integer());
  if (value < 0 || value >= limit)
    return node.error("the index " + std::to_string(value) + " is out of range");
  return static_cast<std::int32_t>(value);
}

template <class IdType>
Status read_pairs(JsonNode ids,
                  JsonNode numbers,
                  std::int64_t limit,
                  std::vector<IdType>& id_list,
                  std::vector<Integer>& number_list) {
  LACUNA_RETURN_IF_ERROR(ids.expect(JsonKind::kArray));
  LACUNA_RETURN_IF_ERROR(numbers.expect(JsonKind::kArray));
  for (const JsonNode node : ids.children()) {
    LACUNA_TRY(const std::int32_t index, read_index(node, limit));
    id_list.push_back(IdType{index});
  }
  // Long numbers are checked in arithmetic of any length, for every finding that names the list:
  // together they are kept to what takes milliseconds.
  constexpr std::size_t kMostLongDigits = 4'000'000;
  std::size_t long_digits = 0;
  for (const JsonNode node : numbers.children()) {
    LACUNA_TRY(Integer number, read_integer(node));
    if (node.kind() == JsonKind::kNumber)  // beyond 64 bits
      long_digits += node.text().size();
    if (long_digits > kMostLongDigits)
      return numbers.error("the numbers have more digits in all than evidence of a table has");
    number_list.push_back(std::move(number));
  }
  if (id_list.size() != number_list.size())
    return ids.error("the two lists differ in length");
  return ok_status();
}

// The first `count` names must be there.
template <std::size_t N>
Status require(JsonNode object,
               const std::array<JsonNode, N>& fields,
               const std::array<std::string_view, N>& names,
               std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!fields[i].present())
      return object.error("the name '" + std::string(names[i]) + "' is missing");
  }
  return ok_status();
}

class Reader {
 public:
  Reader(const Problem& problem, Certificate& certificate)
      : problem_(problem), certificate_(certificate) {}

  Status entry(JsonNode node) {
    constexpr std::array<std::string_view, 7> kNames{
        "cell", "state", "value", "lower", "upper", "base", "steps"};
    LACUNA_TRY(const auto fields, members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 2));
    LACUNA_TRY(const std::int32_t cell, read_index(fields[0], problem_.table.num_cells()));
    if (certificate_.draft.find(CellId{cell}) != nullptr)
      return node.error("the release names the cell twice");
    StatementText text;
    LACUNA_TRY(text.state, fields[1].string());
    for (std::size_t i = 0; i < text.numbers.size(); ++i) {
      if (fields[i + 2].present()) {
        LACUNA_TRY(const std::int64_t number, fields[i + 2].integer());
        text.numbers[i] = std::to_string(number);
      }
    }
    if (text.state == to_string(CellState::kRounded) && !text.numbers.back())
      return node.error("the name 'steps' is missing");  // a certificate leaves nothing to habit
    const auto read = read_statement(text, 0);
    if (const auto* trouble = std::get_if<StatementTrouble>(&read)) {
      const bool one = trouble->number < text.numbers.size();
      return (one ? fields[trouble->number + 2] : node).error(trouble->message);
    }
    certificate_.draft.set({CellId{cell}, std::get<Statement>(read)});
    if (std::holds_alternative<Adjusted>(std::get<Statement>(read)))
      certificate_.draft.set_adjusted(true);
    return ok_status();
  }

  Status witness(JsonNode node) {
    constexpr std::array<std::string_view, 3> kNames{"denominator", "cells", "moves"};
    LACUNA_TRY(const auto fields, members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 3));
    Displacement witness;
    LACUNA_TRY(witness.denominator, read_integer(fields[0]));
    LACUNA_RETURN_IF_ERROR(
        read_pairs(fields[1], fields[2], problem_.table.num_cells(), witness.cells, witness.moves));
    certificate_.evidence.witnesses.push_back(std::move(witness));
    return ok_status();
  }

  Status proof(JsonNode node) {
    constexpr std::array<std::string_view, 3> kNames{"denominator", "equations", "values"};
    LACUNA_TRY(const auto fields, members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 3));
    Multipliers proof;
    LACUNA_TRY(proof.denominator, read_integer(fields[0]));
    LACUNA_RETURN_IF_ERROR(read_pairs(
        fields[1], fields[2], problem_.table.num_equations(), proof.equations, proof.values));
    certificate_.evidence.proofs.push_back(std::move(proof));
    return ok_status();
  }

  Status finding(JsonNode node) {
    constexpr std::array<std::string_view, 5> kNames{"cell", "attacker", "verdict", "low", "high"};
    LACUNA_TRY(const auto fields, members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 3));
    const std::size_t at = certificate_.evidence.findings.size();
    LACUNA_TRY(const std::int64_t cell, fields[0].integer());
    LACUNA_TRY(const std::int64_t attacker, fields[1].integer());
    if (at >= problem_.requirements.size() || problem_.requirements[at].cell.value != cell ||
        problem_.requirements[at].attacker != attacker) {
      return node.error("the findings do not follow the requirements of the table");
    }
    Finding finding;
    finding.requirement = problem_.requirements[at];
    LACUNA_TRY(const std::string_view verdict, fields[2].string());
    for (const Verdict known : {Verdict::kProtected, Verdict::kExposed, Verdict::kUndecided}) {
      if (to_string(known) == verdict)
        finding.verdict = known;
    }
    LACUNA_RETURN_IF_ERROR(end(fields[3], finding.low));
    LACUNA_RETURN_IF_ERROR(end(fields[4], finding.high));
    certificate_.evidence.findings.push_back(std::move(finding));
    return ok_status();
  }

 private:
  Status end(JsonNode node, End& end) {
    if (!node.present())
      return ok_status();
    constexpr std::array<std::string_view, 3> kNames{"witness", "ray", "proof"};
    LACUNA_TRY(const auto fields, members_of(node, kNames));
    const JsonNode moving = fields[0].present() ? fields[0] : fields[1];
    if (moving.present()) {
      LACUNA_TRY(
          end.witness,
          read_index(moving, static_cast<std::int64_t>(certificate_.evidence.witnesses.size())));
      end.unbounded = !fields[0].present();
    }
    if (fields[2].present()) {
      LACUNA_TRY(
          end.proof,
          read_index(fields[2], static_cast<std::int64_t>(certificate_.evidence.proofs.size())));
    }
    return ok_status();
  }

  const Problem& problem_;
  Certificate& certificate_;
};

template <class Read>
Status for_each(JsonNode list, Read&& read) {
  LACUNA_RETURN_IF_ERROR(list.expect(JsonKind::kArray));
  for (const JsonNode node : list.children())
    LACUNA_RETURN_IF_ERROR(read(node));
  return ok_status();
}

}  // namespace

std::string problem_digest(const Problem& problem) {
  if (!problem.keys)
    return sha256_hex(write_problem_json(problem));
  Problem judged = problem;  // keys are no part of what is judged
  judged.keys.reset();
  return sha256_hex(write_problem_json(judged));
}

std::string write_certificate(const Problem& problem,
                              int decimals,
                              const Draft& draft,
                              const AuditReport& report) {
  std::string out = "{\"format\":\"" + std::string(kFormat) + "\",\n\"problem_sha256\":\"" +
                    problem_digest(problem) + "\",\n\"decimals\":" + std::to_string(decimals) +
                    ",\n\"release\":";
  append_json_list(out, draft.entries(), [&](const CellEntry& entry) { append_entry(out, entry); });
  out += ",\n\"witnesses\":";
  append_json_list(out, report.witnesses, [&](const Displacement& witness) {
    out += "\n{\"denominator\":" + witness.denominator.get_str() + ",\"cells\":";
    append_ids(out, witness.cells);
    out += ",\"moves\":";
    append_numbers(out, witness.moves);
    out += '}';
  });
  out += ",\n\"proofs\":";
  append_json_list(out, report.proofs, [&](const Multipliers& proof) {
    out += "\n{\"denominator\":" + proof.denominator.get_str() + ",\"equations\":";
    append_ids(out, proof.equations);
    out += ",\"values\":";
    append_numbers(out, proof.values);
    out += '}';
  });
  out += ",\n\"findings\":";
  append_json_list(
      out, report.findings, [&](const Finding& finding) { append_finding(out, finding); });
  out += "}\n";
  return out;
}

Result<Certificate> read_certificate(std::string_view text,
                                     const std::string& filename,
                                     const Problem& problem) {
  LACUNA_TRY(const JsonTree tree, JsonTree::parse(text, filename));
  constexpr std::array<std::string_view, 7> kNames{
      "format", "problem_sha256", "decimals", "release", "witnesses", "proofs", "findings"};
  LACUNA_TRY(const auto fields, members_of(tree.root(), kNames));
  LACUNA_RETURN_IF_ERROR(require(tree.root(), fields, kNames, kNames.size()));
  LACUNA_TRY(const std::string_view format, fields[0].string());
  if (format != kFormat)
    return fields[0].error("not a certificate of format " + std::string(kFormat));
  Certificate certificate;
  LACUNA_TRY(const std::string_view digest, fields[1].string());
  certificate.problem_sha256 = digest;
  LACUNA_TRY(const std::int64_t decimals, fields[2].integer());
  if (decimals < problem.table.decimals() || decimals > TableBuilder::kMaxDecimals)
    return fields[2].error("the certificate is for a table with other decimals");
  certificate.decimals = static_cast<int>(decimals);
  Reader reader(problem, certificate);
  LACUNA_RETURN_IF_ERROR(for_each(fields[3], [&](JsonNode node) { return reader.entry(node); }));
  if (decimals != problem.table.decimals() && !certificate.draft.adjusted())
    return fields[2].error("the certificate is for a table with other decimals");
  LACUNA_RETURN_IF_ERROR(for_each(fields[4], [&](JsonNode node) { return reader.witness(node); }));
  LACUNA_RETURN_IF_ERROR(for_each(fields[5], [&](JsonNode node) { return reader.proof(node); }));
  LACUNA_RETURN_IF_ERROR(for_each(fields[6], [&](JsonNode node) { return reader.finding(node); }));
  return certificate;
}

}  // namespace lacuna::inline io

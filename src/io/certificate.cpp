// SPDX-License-Identifier: Apache-2.0
#include "io/certificate.h"

#include <array>

#include "base/decimal.h"
#include "base/json_writer.h"
#include "base/sha256.h"
#include "base/spelling.h"
#include "io/certificate_whole.h"
#include "io/evidence_json.h"
#include "io/json_tree.h"
#include "io/other_file.h"
#include "io/problem_json.h"
#include "io/statement_text.h"
#include "release/system.h"

namespace lacuna::inline io {
namespace {

constexpr std::string_view kFormat = "lacuna-certificate-2";
constexpr std::array<std::string_view, 10> kMembers{"format",
                                                    "problem_sha256",
                                                    "decimals",
                                                    "release",
                                                    "witnesses",
                                                    "proofs",
                                                    "findings",
                                                    "steps",
                                                    "chains",
                                                    "trees"};

void write_entry(JsonWriter& json, const CellEntry& entry) {
  json.line().object([&] {
    json.member("cell", entry.cell.value);
    write_statement(json, statement_text(entry, 0));
  });
}

void write_end(JsonWriter& json, const char* name, const End& end) {
  if (end.witness < 0 && end.proof < 0)
    return;
  json.key(name).object([&] {
    if (end.witness >= 0)
      json.member(end.unbounded ? "ray" : "witness", end.witness);
    if (end.proof >= 0)
      json.member("proof", end.proof);
  });
}

void write_finding(JsonWriter& json, const Finding& finding) {
  json.line().object([&] {
    json.member("cell", finding.question.cell.value);
    json.member("attacker", finding.question.attacker);
    json.member("verdict", to_string(finding.verdict));
    write_end(json, "low", finding.low);
    write_end(json, "high", finding.high);
  });
}

// ---- reading

class Reader {
 public:
  Reader(const Problem& problem, Certificate& certificate)
      : problem_(problem), certificate_(certificate) {}

  Status entry(JsonNode node) {
    constexpr std::array<std::string_view, 9> kNames{
        "cell", "state", "value", "lower", "upper", "base", "steps", kAmong, kBy};
    LACUNA_TRY(const auto fields, members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 2));
    LACUNA_TRY(const std::int32_t cell, read_index(fields[0], problem_.table().num_cells()));
    if (!certificate_.draft.is_exact(CellId{cell}))
      return node.error("the release names the cell twice");
    StatementText text;
    LACUNA_TRY(text.state, fields[1].string());
    for (std::size_t i = 0; i < text.numbers.size(); ++i) {
      if (fields[i + 2].present()) {
        LACUNA_TRY(const std::int64_t number, fields[i + 2].integer());
        text.numbers[i] = std::to_string(number);
      }
    }
    LACUNA_RETURN_IF_ERROR(read_statement_words(fields[7], fields[8], text));
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
        read_pairs(fields[1], fields[2], problem_.table().num_cells(), witness.cells, witness.moves));
    certificate_.claimed.evidence.witnesses.push_back(std::move(witness));
    return ok_status();
  }

  Status proof(JsonNode node) {
    constexpr std::array<std::string_view, 3> kNames{"denominator", "equations", "values"};
    LACUNA_TRY(const auto fields, members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 3));
    LACUNA_TRY(Multipliers proof,
               read_multipliers(fields[0], fields[1], fields[2], problem_.table()));
    certificate_.claimed.evidence.proofs.push_back(std::move(proof));
    return ok_status();
  }

  Status finding(JsonNode node) {
    constexpr std::array<std::string_view, 5> kNames{"cell", "attacker", "verdict", "low", "high"};
    LACUNA_TRY(const auto fields, members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 3));
    const std::size_t at = certificate_.claimed.findings.size();
    LACUNA_TRY(const std::int64_t cell, fields[0].integer());
    LACUNA_TRY(const std::int64_t attacker, fields[1].integer());
    if (at >= problem_.requirements().size() || problem_.requirements()[at].cell.value != cell ||
        problem_.requirements()[at].attacker != attacker) {
      return node.error("the findings do not follow the requirements of the table");
    }
    Finding finding;
    finding.question = question_of(problem_.requirements()[at]);
    LACUNA_TRY(const std::string_view verdict, fields[2].string());
    finding.verdict = find_verdict(verdict).value_or(Verdict::kUndecided);
    LACUNA_RETURN_IF_ERROR(end(fields[3], finding.low));
    LACUNA_RETURN_IF_ERROR(end(fields[4], finding.high));
    certificate_.claimed.findings.push_back(std::move(finding));
    return ok_status();
  }

 private:
  Status end(JsonNode node, End& end) {
    if (!node.present())
      return ok_status();
    constexpr std::array<std::string_view, 3> kNames{"witness", "ray", "proof"};
    LACUNA_TRY(const auto fields, members_of(node, kNames));
    if (fields[0].present() && fields[1].present())
      return node.error("an end has a witness or a ray");
    const JsonNode moving = fields[0].present() ? fields[0] : fields[1];
    if (moving.present()) {
      LACUNA_TRY(
          end.witness,
          read_index(moving, static_cast<std::int64_t>(certificate_.claimed.evidence.witnesses.size())));
      end.unbounded = !fields[0].present();
    }
    if (fields[2].present()) {
      LACUNA_TRY(
          end.proof,
          read_index(fields[2], static_cast<std::int64_t>(certificate_.claimed.evidence.proofs.size())));
    }
    return ok_status();
  }

  const Problem& problem_;
  Certificate& certificate_;
};

// What it is for: the digest of the problem, the decimals and the release.
Result<Certificate> opened(const JsonTree& tree, const Problem& problem) {
  const JsonNode root = tree.root();
  if (const std::string other = own_json(root); !other.empty() && other != "a certificate")
    return root.error("this is " + other + ", not a certificate, which " +
                      named_option("certificate") + " writes");
  LACUNA_TRY(const auto fields, members_of(root, kMembers));
  LACUNA_RETURN_IF_ERROR(require(root, fields, kMembers, 7));
  LACUNA_TRY(const std::string_view format, fields[0].string());
  if (format != kFormat)
    return fields[0].error("not a certificate of format " + std::string(kFormat));
  Certificate certificate;
  LACUNA_TRY(const std::string_view digest, fields[1].string());
  certificate.problem_sha256 = digest;
  LACUNA_TRY(const std::int64_t decimals, fields[2].integer());
  if (decimals < problem.table().decimals() || decimals > TableBuilder::kMaxDecimals)
    return fields[2].error("the certificate is for a table with other decimals");
  certificate.decimals = static_cast<int>(decimals);
  Reader reader(problem, certificate);
  LACUNA_RETURN_IF_ERROR(for_each(fields[3], [&](JsonNode node) { return reader.entry(node); }));
  if (decimals != problem.table().decimals() && !certificate.draft.adjusted())
    return fields[2].error("the certificate is for a table with other decimals");
  return certificate;
}

}  // namespace

std::string problem_digest(const Problem& problem) {
  if (!problem.keys() && problem.waiver() == Waiver::kNothing)
    return sha256_hex(write_problem_json(problem));
  Problem judged = problem;  // keys are no part of what is judged, waivers none of the evidence
  judged.drop_keys();
  judged.set_waiver(Waiver::kNothing);
  return sha256_hex(write_problem_json(judged));
}

std::string write_certificate(const Problem& problem,
                              int decimals,
                              const Draft& draft,
                              const AuditReport& report) {
  const auto write = [&](JsonWriter& json) {
    json.member("format", kFormat).line().member("problem_sha256", problem_digest(problem));
    json.line().member("decimals", decimals);
    json.line().key("release").list(draft.each(), [&](const CellEntry& entry) {
      write_entry(json, entry);
    });
    json.line().key("witnesses").list(report.evidence.witnesses, [&](const Displacement& witness) {
      json.line().object([&] {
        json.member("denominator", witness.denominator);
        write_ids(json.key("cells"), witness.cells);
        json.key("moves").values(witness.moves);
      });
    });
    json.line().key("proofs").list(report.evidence.proofs, [&](const Multipliers& proof) {
      json.line().object([&] { write_multipliers(json, proof); });
    });
    if (problem.counts())
      write_whole_evidence(json, report);
    json.line().key("findings").list([&] {
      for (const Finding& finding : report.of(Domain::kRational))
        write_finding(json, finding);
      for (const Finding& finding : report.of(Domain::kInteger))
        write_count_finding(json, finding);
    });
  };
  return json_object(write) + "\n";
}

Result<Certificate> read_certified_release(std::string_view text,
                                           const std::string& filename,
                                           const Problem& problem) {
  LACUNA_TRY(const JsonTree tree, JsonTree::parse(text, filename));
  return opened(tree, problem);
}

Result<Certificate> read_certificate(std::string_view text,
                                     const std::string& filename,
                                     const Problem& problem) {
  LACUNA_TRY(const JsonTree tree, JsonTree::parse(text, filename));
  LACUNA_TRY(Certificate certificate, opened(tree, problem));
  LACUNA_TRY(const auto fields, members_of(tree.root(), kMembers));
  // Evidence and findings are those of the problem as this release poses it.
  const ReleaseSystem system(problem, certificate.draft);
  Reader reader(system.problem(), certificate);
  LACUNA_RETURN_IF_ERROR(for_each(fields[4], [&](JsonNode node) { return reader.witness(node); }));
  LACUNA_RETURN_IF_ERROR(for_each(fields[5], [&](JsonNode node) { return reader.proof(node); }));
  WholeEvidenceReader whole(system.problem(), certificate.claimed);
  LACUNA_RETURN_IF_ERROR(whole.lists(fields[7], fields[8], fields[9]));
  LACUNA_RETURN_IF_ERROR(for_each(fields[6], [&](JsonNode node) {
    return WholeEvidenceReader::is_whole(node) ? whole.finding(node) : reader.finding(node);
  }));
  return certificate;
}

}  // namespace lacuna::inline io

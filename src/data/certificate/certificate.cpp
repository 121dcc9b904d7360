// SPDX-License-Identifier: Apache-2.0
#include "data/certificate/certificate.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/decimal.h"
#include "core/base/json_writer.h"
#include "core/base/sha256.h"
#include "core/base/spelling.h"
#include "core/draft/system.h"
#include "data/certificate/bound_json.h"
#include "data/certificate/evidence_json.h"
#include "data/files/json_tree.h"
#include "data/files/wrong_format.h"
#include "data/problems/problem_json.h"
#include "data/publish/statement_text.h"

namespace lacuna::certificate {
namespace {

constexpr std::string_view kFormat = "lacuna-certificate-3";
constexpr std::string_view kFormatBefore = "lacuna-certificate-2";
constexpr int kDeepest = 12'000;  // of trees: more than the cases that a search looks at by default

constexpr std::array<std::string_view, 12> kMembers{"format",
                                                    "problem_sha256",
                                                    "decimals",
                                                    "release",
                                                    "witnesses",
                                                    "proofs",
                                                    "findings",
                                                    "steps",
                                                    "chains",
                                                    "trees",
                                                    "bound",
                                                    "replays"};

void write_entry(base::JsonWriter& json, const CellEntry& entry) {
  json.line().object([&] {
    json.member("cell", entry.cell.value);
    publish::write_statement(json, publish::statement_text(entry, 0));
  });
}

std::string_view word_of(CountKind kind) {
  return enum_names(kind)[static_cast<std::size_t>(kind)];
}
std::string_view word_of(Domain domain) {
  return domain == Domain::kRational ? "rational" : "integer";
}

void write_index(base::JsonWriter& json, const char* name, std::int32_t index) {
  if (index >= 0)
    json.member(name, index);
}

void write_end(base::JsonWriter& json, const char* name, const End& end) {
  if (std::max({end.witness, end.chain, end.proof, end.tree, end.step}) < 0)
    return;
  json.key(name).object([&] {
    write_index(json, end.unbounded ? "ray" : "witness", end.witness);
    write_index(json, "chain", end.chain);
    write_index(json, "proof", end.proof);
    write_index(json, "tree", end.tree);
    write_index(json, "step", end.step);
  });
}

void write_node(base::JsonWriter& json, const IntegerTree& tree, std::int32_t index) {
  const TreeNode& node = tree[static_cast<std::size_t>(index)];
  json.object([&] {
    if (node.cell.value >= 0) {
      json.key("node").object([&] { json.member("cell", node.cell.value).member("at", node.at); });
      write_node(json.key("low"), tree, node.low);
      write_node(json.key("high"), tree, node.high);
      return;
    }
    write_index(json, "chain", node.chain);
    write_index(json, "proof", node.proof);
    write_index(json, "step", node.step);
    if (node.empty)
      json.member("empty", true);
  });
}

void write_evidence(base::JsonWriter& json, const Evidence& evidence) {  // as members
  json.line().key("witnesses").list(evidence.witnesses, [&](const Displacement& witness) {
    json.line().object([&] {
      json.member("denominator", witness.denominator);
      write_ids(json.key("cells"), witness.cells);
      json.key("moves").values(witness.moves);
    });
  });
  json.line().key("proofs").list(evidence.proofs, [&](const Multipliers& proof) {
    json.line().object([&] { write_multipliers(json, proof); });
  });
  json.line().key("steps").list(evidence.steps, [&](const Step& step) {
    json.line().object([&] {
      json.member("q", step.q);
      write_multipliers(json, step.h);
    });
  });
  json.line().key("chains").list(evidence.chains, [&](const Chain& chain) {
    json.line().list(chain, [&](const ChainLine& line) {
      json.object([&] {
        json.member("cell", line.cell.value);
        json.member("side", line.side == Direction::kHigh ? "high" : "low");
        json.member("equation", line.equation.value).member("value", line.value);
      });
    });
  });
  json.line().key("trees").list(evidence.trees,
                                [&](const IntegerTree& tree) { write_node(json.line(), tree, 0); });
}

void write_finding(base::JsonWriter& json, const Finding& finding) {
  const Question& question = finding.question;
  json.line().object([&] {
    json.member("domain", word_of(question.domain)).member("kind", word_of(question.kind));
    json.member("cell", question.cell.value).member("attacker", question.attacker);
    write_index(json, "group", question.group.value);
    json.member("verdict", to_string(finding.verdict));
    write_end(json, "low", finding.low);
    write_end(json, "high", finding.high);
    if (!finding.values.empty())
      json.key("values").values(finding.values);
    if (!finding.shown.empty())
      json.key("shown").values(finding.shown);
  });
}

// ---- reading

// What is published, cell by cell.
class ReleaseReader {
 public:
  ReleaseReader(const Table& table, Draft& draft) : table_(table), draft_(draft) {}

  Status entry(files::JsonNode node) {
    constexpr std::array<std::string_view, 9> kNames{
        "cell", "state", "value", "lower", "upper", "base", "steps", publish::kAmong, publish::kBy};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 2));
    LACUNA_TRY(const std::int32_t cell, read_index(fields[0], table_.num_cells()));
    if (!draft_.is_exact(CellId{cell}))
      return node.error("the release names the cell twice");
    publish::StatementText text;
    LACUNA_TRY(text.state, fields[1].string());
    for (std::size_t i = 0; i < text.numbers.size(); ++i) {
      if (fields[i + 2].present()) {
        LACUNA_TRY(const std::int64_t number, fields[i + 2].integer());
        text.numbers[i] = std::to_string(number);
      }
    }
    LACUNA_RETURN_IF_ERROR(publish::read_statement_words(fields[7], fields[8], text));
    if (text.state == to_string(StatementKind::kRounded) && !text.numbers.back())
      return node.error("the name 'steps' is missing");  // a certificate leaves nothing to habit
    const auto read = publish::read_statement(text, 0);
    if (const auto* trouble = std::get_if<publish::StatementTrouble>(&read)) {
      const bool one = trouble->number < text.numbers.size();
      return (one ? fields[trouble->number + 2] : node).error(trouble->message);
    }
    draft_.set({CellId{cell}, std::get<Statement>(read)});
    if (std::holds_alternative<Adjusted>(std::get<Statement>(read)))
      draft_.set_adjusted(true);
    return ok_status();
  }

 private:
  const Table& table_;
  Draft& draft_;
};

template <class Item>
std::int64_t length(const std::vector<Item>& list) {
  return static_cast<std::int64_t>(list.size());
}

Status read_index_into(files::JsonNode node, std::int64_t limit, std::int32_t& index) {
  if (!node.present())
    return ok_status();
  LACUNA_TRY(index, read_index(node, limit));
  return ok_status();
}

// Evidence by number: witnesses and proofs before what names them.
class EvidenceReader {
 public:
  EvidenceReader(const Table& table, Evidence& evidence) : table_(table), evidence_(evidence) {}

  Status witness(files::JsonNode node) {
    constexpr std::array<std::string_view, 3> kNames{"denominator", "cells", "moves"};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 3));
    Displacement witness;
    LACUNA_TRY(witness.denominator, read_integer(fields[0]));
    LACUNA_RETURN_IF_ERROR(
        read_pairs(fields[1], fields[2], table_.num_cells(), witness.cells, witness.moves));
    evidence_.witnesses.push_back(std::move(witness));
    return ok_status();
  }

  Status proof(files::JsonNode node) {
    constexpr std::array<std::string_view, 3> kNames{"denominator", "equations", "values"};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 3));
    LACUNA_TRY(Multipliers proof, read_multipliers(fields[0], fields[1], fields[2], table_));
    evidence_.proofs.push_back(std::move(proof));
    return ok_status();
  }

  Status step(files::JsonNode node) {
    constexpr std::array<std::string_view, 4> kNames{"q", "denominator", "equations", "values"};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 4));
    Step step;
    LACUNA_TRY(step.q, read_integer(fields[0]));
    LACUNA_TRY(step.h, read_multipliers(fields[1], fields[2], fields[3], table_));
    evidence_.steps.push_back(std::move(step));
    return ok_status();
  }

  Status chain(files::JsonNode node) {
    Chain chain;
    const Status read = for_each(node, [&](files::JsonNode item) -> Status {
      constexpr std::array<std::string_view, 4> kNames{"cell", "side", "equation", "value"};
      LACUNA_TRY(const auto fields, files::members_of(item, kNames));
      LACUNA_RETURN_IF_ERROR(require(item, fields, kNames, 4));
      ChainLine line;
      LACUNA_TRY(line.cell.value, read_index(fields[0], table_.num_cells()));
      LACUNA_TRY(const std::string_view side, fields[1].string());
      if (side != "high" && side != "low")
        return fields[1].error("a side is high or low");
      line.side = side == "high" ? Direction::kHigh : Direction::kLow;
      LACUNA_TRY(line.equation.value, read_index(fields[2], table_.num_equations()));
      LACUNA_TRY(line.value, fields[3].integer());
      chain.push_back(line);
      return ok_status();
    });
    LACUNA_RETURN_IF_ERROR(read);
    evidence_.chains.push_back(std::move(chain));
    return ok_status();
  }

  Status tree(files::JsonNode node) {
    IntegerTree made;
    LACUNA_RETURN_IF_ERROR(tree_node(node, 0, made));
    evidence_.trees.push_back(std::move(made));
    return ok_status();
  }

  Result<std::int32_t> tree_node(files::JsonNode node, int depth, IntegerTree& made) {
    if (depth > kDeepest)
      return node.error("the tree is too deep");
    constexpr std::array<std::string_view, 7> kNames{
        "node", "low", "high", "proof", "step", "chain", "empty"};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
    const auto index = static_cast<std::int32_t>(made.size());
    made.emplace_back();
    if (!fields[0].present()) {
      TreeNode end;
      LACUNA_RETURN_IF_ERROR(leaf(node, end));
      made[static_cast<std::size_t>(index)] = end;
      return index;
    }
    LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 3));
    constexpr std::array<std::string_view, 2> kCase{"cell", "at"};
    LACUNA_TRY(const auto split, files::members_of(fields[0], kCase));
    LACUNA_RETURN_IF_ERROR(require(fields[0], split, kCase, 2));
    TreeNode inner;
    LACUNA_TRY(inner.cell.value, read_index(split[0], table_.num_cells()));
    LACUNA_TRY(inner.at, split[1].integer());
    LACUNA_TRY(inner.low, tree_node(fields[1], depth + 1, made));
    LACUNA_TRY(inner.high, tree_node(fields[2], depth + 1, made));
    made[static_cast<std::size_t>(index)] = inner;
    return index;
  }

  Status leaf(files::JsonNode node, TreeNode& made) {
    constexpr std::array<std::string_view, 4> kNames{"proof", "step", "chain", "empty"};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
    LACUNA_RETURN_IF_ERROR(read_index_into(fields[0], length(evidence_.proofs), made.proof));
    LACUNA_RETURN_IF_ERROR(read_index_into(fields[1], length(evidence_.steps), made.step));
    LACUNA_RETURN_IF_ERROR(read_index_into(fields[2], length(evidence_.chains), made.chain));
    if (fields[3].present()) {
      LACUNA_TRY(made.empty, fields[3].boolean());
    }
    return ok_status();
  }

 private:
  const Table& table_;
  Evidence& evidence_;
};

constexpr std::array<std::string_view, 11> kOfFinding{"cell",
                                                      "attacker",
                                                      "verdict",
                                                      "domain",
                                                      "kind",
                                                      "whole",
                                                      "group",
                                                      "low",
                                                      "high",
                                                      "values",
                                                      "shown"};

// Findings follow the questions that problem and release raise, one by one.
class FindingReader {
 public:
  FindingReader(const Problem& problem, bool of_format_before, AuditReport& claimed)
      : questions_(questions_of(problem)), of_format_before_(of_format_before), claimed_(claimed) {}

  Status finding(files::JsonNode node) {
    LACUNA_TRY(const auto fields, files::members_of(node, kOfFinding));
    LACUNA_RETURN_IF_ERROR(require(node, fields, kOfFinding, 3));
    const std::size_t at = claimed_.findings.size();
    if (at >= questions_.size())
      return node.error(kOthers);
    Finding finding;
    finding.question = questions_[at];
    LACUNA_TRY(const bool same, is_about(node, fields, finding.question));
    if (!same)
      return node.error(kOthers);
    LACUNA_TRY(const std::string_view verdict, fields[2].string());
    finding.verdict = find_verdict(verdict).value_or(Verdict::kUndecided);
    LACUNA_RETURN_IF_ERROR(end(fields[7], finding.low));
    LACUNA_RETURN_IF_ERROR(end(fields[8], finding.high));
    LACUNA_RETURN_IF_ERROR(values(fields[9], fields[10], finding));
    claimed_.findings.push_back(std::move(finding));
    return ok_status();
  }

 private:
  static constexpr const char* kOthers = "the findings do not follow the questions of the table";
  using Fields = std::array<files::JsonNode, kOfFinding.size()>;

  // Format 2 has no domain, marks whole numbers, and leaves the kind of levels away.
  Result<bool> is_about(files::JsonNode node, const Fields& fields, const Question& asked) const {
    if ((of_format_before_ ? fields[3] : fields[5]).present())
      return node.error("a name that findings of this format do not have");
    LACUNA_TRY(const std::int64_t cell, fields[0].integer());
    LACUNA_TRY(const std::int64_t attacker, fields[1].integer());
    std::string_view domain = word_of(fields[5].present() ? Domain::kInteger : Domain::kRational);
    std::string_view kind = word_of(CountKind::kLevels);
    if (!of_format_before_) {
      LACUNA_RETURN_IF_ERROR(require(node, fields, kOfFinding, 5));
      LACUNA_TRY(domain, fields[3].string());
    }
    if (fields[4].present()) {
      LACUNA_TRY(kind, fields[4].string());
    }
    return domain == word_of(asked.domain) && kind == word_of(asked.kind) &&
           cell == asked.cell.value && attacker == asked.attacker;
  }

  Status values(files::JsonNode values, files::JsonNode shown, Finding& finding) const {
    if (values.present()) {
      LACUNA_RETURN_IF_ERROR(for_each(values, [&](files::JsonNode item) -> Status {
        LACUNA_TRY(const std::int64_t value, item.integer());
        finding.values.push_back(value);
        return ok_status();
      }));
    }
    if (!shown.present())
      return ok_status();
    return for_each(shown, [&](files::JsonNode item) -> Status {
      LACUNA_TRY(const std::int32_t witness, read_index(item, length(claimed_.evidence.witnesses)));
      finding.shown.push_back(witness);
      return ok_status();
    });
  }

  Status end(files::JsonNode node, End& end) const {
    if (!node.present())
      return ok_status();
    constexpr std::array<std::string_view, 6> kNames{
        "witness", "ray", "proof", "step", "chain", "tree"};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
    if (fields[0].present() && fields[1].present())
      return node.error("an end has a witness or a ray");
    const Evidence& lists = claimed_.evidence;
    LACUNA_RETURN_IF_ERROR(read_index_into(fields[0], length(lists.witnesses), end.witness));
    LACUNA_RETURN_IF_ERROR(read_index_into(fields[1], length(lists.witnesses), end.witness));
    end.unbounded = fields[1].present();
    LACUNA_RETURN_IF_ERROR(read_index_into(fields[2], length(lists.proofs), end.proof));
    LACUNA_RETURN_IF_ERROR(read_index_into(fields[3], length(lists.steps), end.step));
    LACUNA_RETURN_IF_ERROR(read_index_into(fields[4], length(lists.chains), end.chain));
    return read_index_into(fields[5], length(lists.trees), end.tree);
  }

  std::vector<Question> questions_;
  bool of_format_before_;
  AuditReport& claimed_;
};

// No part of what is judged: whoever runs the program on these tables checks it.
Status read_replay(files::JsonNode node, const Problem& problem, Certificate& certificate) {
  constexpr std::array<std::string_view, 3> kNames{"cell", "side", "witness"};
  LACUNA_TRY(const auto fields, files::members_of(node, kNames));
  LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 3));
  Replay replay;
  LACUNA_TRY(replay.cell.value, read_index(fields[0], problem.table().num_cells()));
  LACUNA_TRY(const std::string_view side, fields[1].string());
  if (side != "high" && side != "low")
    return fields[1].error("a side is high or low");
  replay.side = side == "high" ? Direction::kHigh : Direction::kLow;
  const auto witnesses = certificate.claimed.evidence.witnesses.size();
  LACUNA_TRY(replay.witness, read_index(fields[2], static_cast<std::int32_t>(witnesses)));
  certificate.replays.push_back(replay);
  return ok_status();
}

// What it is for: the digest of the problem, the decimals and the release.
Result<Certificate> opened(const files::JsonTree& tree, const Problem& problem) {
  const files::JsonNode root = tree.root();
  if (const std::string other = files::own_json(root); !other.empty() && other != "a certificate")
    return root.error("this is " + other + ", not a certificate, which " +
                      base::named_option("certificate") + " writes");
  LACUNA_TRY(const auto fields, files::members_of(root, kMembers));
  LACUNA_RETURN_IF_ERROR(require(root, fields, kMembers, 7));
  LACUNA_TRY(const std::string_view format, fields[0].string());
  if (format != kFormat && format != kFormatBefore)
    return fields[0].error("not a certificate of format " + std::string(kFormat));
  Certificate certificate;
  LACUNA_TRY(const std::string_view digest, fields[1].string());
  certificate.problem_sha256 = digest;
  LACUNA_TRY(const std::int64_t decimals, fields[2].integer());
  if (decimals < problem.table().decimals() || decimals > TableBuilder::kMaxDecimals)
    return fields[2].error("the certificate is for a table with other decimals");
  certificate.decimals = static_cast<int>(decimals);
  ReleaseReader reader(problem.table(), certificate.draft);
  LACUNA_RETURN_IF_ERROR(
      for_each(fields[3], [&](files::JsonNode node) { return reader.entry(node); }));
  if (decimals != problem.table().decimals() && !certificate.draft.adjusted())
    return fields[2].error("the certificate is for a table with other decimals");
  return certificate;
}

}  // namespace

std::string problem_digest(const Problem& problem) {
  if (!problem.keys() && problem.waiver() == Waiver::kNothing)
    return base::sha256_hex(problems::write_problem_json(problem));
  Problem judged = problem;  // keys are no part of what is judged, waivers none of the evidence
  judged.drop_keys();
  judged.set_waiver(Waiver::kNothing);
  return base::sha256_hex(problems::write_problem_json(judged));
}

std::string write_certificate(const Problem& problem,
                              int decimals,
                              const Draft& draft,
                              const AuditReport& report,
                              const BoundLog* bound,
                              const std::vector<Replay>& replays) {
  const auto write = [&](base::JsonWriter& json) {
    json.member("format", kFormat).line().member("problem_sha256", problem_digest(problem));
    json.line().member("decimals", decimals);
    json.line().key("release").list(draft.each(),
                                    [&](const CellEntry& entry) { write_entry(json, entry); });
    write_evidence(json, report.evidence);
    json.line().key("findings").list([&] {
      for (const Finding& finding : report.findings)
        write_finding(json, finding);
    });
    if (bound != nullptr)
      write_bound(json, *bound);
    if (replays.empty())
      return;
    json.line().key("replays").list(replays, [&](const Replay& replay) {
      json.line().object([&] {
        json.member("cell", replay.cell.value);
        json.member("side", replay.side == Direction::kHigh ? "high" : "low");
        json.member("witness", replay.witness);
      });
    });
  };
  return base::json_object(write) + "\n";
}

Result<Certificate> read_certified_release(std::string_view text,
                                           const std::string& filename,
                                           const Problem& problem) {
  LACUNA_TRY(const files::JsonTree tree, files::JsonTree::parse(text, filename));
  return opened(tree, problem);
}

Result<Certificate> read_certificate(std::string_view text,
                                     const std::string& filename,
                                     const Problem& problem) {
  LACUNA_TRY(const files::JsonTree tree, files::JsonTree::parse(text, filename));
  LACUNA_TRY(Certificate certificate, opened(tree, problem));
  LACUNA_TRY(const auto fields, files::members_of(tree.root(), kMembers));
  // Evidence and findings are those of the problem as this release poses it.
  const draft::ReleaseSystem system(problem, certificate.draft);
  EvidenceReader reader(system.problem().table(), certificate.claimed.evidence);
  const auto read = [&](files::JsonNode list, Status (EvidenceReader::*item)(files::JsonNode)) {
    return list.present()
               ? for_each(list, [&](files::JsonNode node) { return (reader.*item)(node); })
               : ok_status();
  };
  LACUNA_RETURN_IF_ERROR(read(fields[4], &EvidenceReader::witness));
  LACUNA_RETURN_IF_ERROR(read(fields[5], &EvidenceReader::proof));
  LACUNA_RETURN_IF_ERROR(read(fields[7], &EvidenceReader::step));
  LACUNA_RETURN_IF_ERROR(read(fields[8], &EvidenceReader::chain));
  LACUNA_RETURN_IF_ERROR(read(fields[9], &EvidenceReader::tree));
  LACUNA_TRY(const std::string_view format, fields[0].string());
  FindingReader findings(system.problem(), format == kFormatBefore, certificate.claimed);
  LACUNA_RETURN_IF_ERROR(
      for_each(fields[6], [&](files::JsonNode node) { return findings.finding(node); }));
  if (fields[10].present()) {
    BoundReader reads(problem.table(), certificate.bound.emplace());
    LACUNA_RETURN_IF_ERROR(reads.read(fields[10]));
  }
  if (fields[11].present())
    LACUNA_RETURN_IF_ERROR(for_each(
        fields[11], [&](files::JsonNode node) { return read_replay(node, problem, certificate); }));
  return certificate;
}

}  // namespace lacuna::certificate

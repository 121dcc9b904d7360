// SPDX-License-Identifier: Apache-2.0
// One page for checker and researcher: verdicts, and what tells what.
#include <fmt/core.h>

#include "app/check/check_job.h"
#include "app/report/html_text.h"
#include "app/report/page_assets.h"

namespace lacuna::checking {
namespace {

constexpr std::size_t kMostRows = 2000;  // so that a page stays readable

std::string safe(std::string_view text) {
  return report::html_escaped(text);
}

const char* style_of(Weight weight) {
  return weight == Weight::kPass ? "protected" : "exposed";
}

std::string output_row(const Check& check, std::size_t i) {
  const Output& output = check.outputs.outputs[i];
  const OutputVerdict& verdict = check.verdicts[i];
  std::string see;
  for (const std::size_t f : verdict.findings) {
    if (f < kMostRows)
      see += fmt::format("{}<a href=\"#f{}\">{}</a>", see.empty() ? "" : ", ", f + 1, f + 1);
  }
  return fmt::format(
      "<tr><td class=\"{}\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
      output.released ? "protected" : style_of(verdict.weight),
      output.released ? "released before" : to_string(verdict.weight),
      safe(output.name),
      see,
      output.acro ? safe(output.acro->status) : "",
      output.sha256.substr(0, 12));
}

std::string finding_row(const Check& check, std::size_t f) {
  const CheckFinding& finding = check.findings[f];
  std::string names, sums;
  for (const std::size_t output : finding.outputs)
    names += (names.empty() ? "" : "<br>") + safe(check.outputs.outputs[output].name);
  for (const EvidenceSum& sum : finding.sums)
    sums += (sums.empty() ? "" : "<br>") + safe(sum_text(sum));
  for (const std::string& guess : finding.guesses)
    sums += "<br><em>not proven: " + safe(guess) + "</em>";
  return fmt::format(
      "<tr id=\"f{}\"><td>{}</td><td class=\"{}\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}"
      "</td></tr>\n",
      f + 1,
      f + 1,
      style_of(finding.weight),
      finding.past ? "released before" : to_string(finding.weight),
      safe(finding.label),
      safe(finding.reason),
      sums,
      names);
}

}  // namespace

std::string check_page(const Check& check) {
  std::string outputs, findings;
  for (std::size_t i = 0; i < check.outputs.outputs.size(); ++i)
    outputs += output_row(check, i);
  for (std::size_t f = 0; f < check.findings.size() && f < kMostRows; ++f)
    findings += finding_row(check, f);
  const std::string more =
      check.findings.size() > kMostRows
          ? fmt::format("<p>{} more are left out.</p>\n", check.findings.size() - kMostRows)
          : "";
  const std::string title = "Outputs of " + check.folder;
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
         "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         safe(title) + "</title>\n<style>" + report::kPageStyle +
         "</style>\n</head>\n<body>\n<main>\n<h1>" + safe(title) +
         "</h1>\n<p>For checker and researcher. It shows what the outputs tell together, so it is "
         "as confidential as they are.</p>\n<pre>" +
         safe(check_text(check, 0)) +
         "</pre>\n<h2>Outputs</h2>\n<div class=\"scroll\"><table class=\"list\"><thead><tr>"
         "<th>verdict</th><th>output</th><th>see</th><th>ACRO</th><th>SHA-256</th></tr></thead>"
         "<tbody>\n" +
         outputs +
         "</tbody></table></div>\n<h2>Findings</h2>\n<div class=\"scroll\"><table class=\"list\">"
         "<thead><tr><th></th><th>verdict</th><th>group</th><th>reason</th><th>sum</th><th>outputs"
         "</th></tr></thead><tbody>\n" +
         findings + "</tbody></table></div>\n" + more + "</main>\n</body>\n</html>\n";
}

}  // namespace lacuna::checking

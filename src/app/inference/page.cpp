// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "app/inference/output.h"
#include "app/inference/proof.h"
#include "app/report/html_text.h"
#include "app/report/page_assets.h"

namespace lacuna::inference {
namespace {

constexpr std::size_t kMostRows = 2000;  // so that a page stays readable

const char* word_of(Narrowness narrowness) {
  switch (narrowness) {
    case Narrowness::kExact:
      return "exactly known";
    case Narrowness::kNarrow:
      return "too narrow";
    case Narrowness::kUnclear:
      return "not settled";
    case Narrowness::kWide:
      return "";
  }
  return "";
}

std::string row_of(const Inference& inference, const InferredCell& each) {
  const auto safe = [](const std::string& text) { return report::html_escaped(text); };
  return fmt::format(
      "<tr data-cell=\"{}\"><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
      "class=\"number\">{}</td><td class=\"{}\">{}</td><td>{}</td><td>{}</td></tr>\n",
      each.cell,
      safe(inference.system.label(each.cell)),
      safe(bound_text(inference, each.best().low)),
      safe(bound_text(inference, each.best().high)),
      safe(closeness_text(each.best())),
      each.narrowness == Narrowness::kWide ? "protected" : "exposed",
      word_of(each.narrowness),
      safe(proof_text(inference, each, Direction::kLow)),
      safe(proof_text(inference, each, Direction::kHigh)));
}

}  // namespace

std::string inference_page(const Inference& inference) {
  std::string rows;
  for (std::size_t i = 0; i < inference.cells.size() && i < kMostRows; ++i)
    rows += row_of(inference, inference.cells[i]);
  const std::string more =
      inference.cells.size() > kMostRows
          ? fmt::format("<p>{} wider ones are left out.</p>\n", inference.cells.size() - kMostRows)
          : "";
  const std::string title = "What can be inferred from published tables";
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
         "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         title + "</title>\n<style>" + report::kPageStyle +
         "</style>\n</head>\n<body>\n<main>\n<h1>" + title +
         "</h1>\n<p>Made from published files alone. Every interval is one that any reader "
         "can work out by additions; nothing else is known here.</p>\n<pre>" +
         report::html_escaped(inference_text(inference, 0, false)) +
         "</pre>\n<div class=\"scroll\"><table class=\"list\"><thead><tr><th>cell</th><th "
         "class=\"number\">at least</th><th class=\"number\">at most</th><th "
         "class=\"number\">plus or minus</th><th></th><th>lower end</th><th>upper "
         "end</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n" + more + "</main>\n</body>\n</html>\n";
}

}  // namespace lacuna::inference

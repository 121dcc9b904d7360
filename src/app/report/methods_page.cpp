// SPDX-License-Identifier: Apache-2.0
#include "app/report/methods_page.h"

#include "app/report/html_text.h"
#include "app/report/page_assets.h"
#include "app/report/svg_chart.h"
#include "core/base/decimal.h"

namespace lacuna::report {
namespace {

std::string risk_title(const MethodsPage& page) {
  return "risk: sensitive cells guessed to within " + base::format_double(page.near_percent) +
         "%, in percent";
}
constexpr char kLossTitle[] = "loss: mean deviation of what a reader takes, %";

std::string picture(const MethodsPage& page, SvgPlace place) {
  Chart chart{"Loss against risk", {risk_title(page)}, {kLossTitle}, {}};
  chart.names_at_points = true;
  for (const MethodPoint& method : page.methods) {
    if (method.drawn)
      chart.series.push_back({method.name, SeriesKind::kPoints, {{method.risk, method.loss}}});
  }
  return chart_svg(chart, place);
}

std::string measures_html(const MethodsPage& page) {
  std::string out =
      "<div class=\"scroll\"><table class=\"list narrow\"><thead><tr><th>measure</th>";
  for (const MethodPoint& method : page.methods)
    out += "<th class=\"number\">" + html_escaped(method.name) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (const std::vector<std::string>& line : page.measures) {
    out += "<tr>";
    for (std::size_t k = 0; k < line.size(); ++k) {
      out += k == 0 ? "<td class=\"name\">" : "<td class=\"number\">";
      out += html_escaped(line[k]) + "</td>";
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

std::string methods_svg(const MethodsPage& page) {
  return picture(page, SvgPlace::kFile);
}

std::string methods_page(const MethodsPage& page) {
  std::string failures;
  for (std::size_t at = 0; at < page.failures.size();) {
    const std::size_t end = page.failures.find('\n', at);
    failures +=
        "<p>Without a release: " + html_escaped(page.failures.substr(at, end - at)) + "</p>\n";
    at = end == std::string::npos ? page.failures.size() : end + 1;
  }
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
         "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         html_escaped(page.title) + "</title>\n<style>" + kPageStyle +
         "</style>\n</head>\n<body>\n<main>\n<h1>" + html_escaped(page.title) +
         "</h1>\n<p><span class=\"badge office\">For the office only: computed from confidential "
         "numbers</span></p>\n<section><h2>Loss against risk</h2>\n<p>Across: of the sensitive "
         "cells, the percentage whose best guess by a reader lies within " +
         base::format_double(page.near_percent) +
         "% of the truth. Upward: how far what a reader would take for a value (the published "
         "number, or the middle of what can be inferred) is from the truth on average, in percent "
         "of it; cells of which a reader has no estimate are not part of the mean. Low and to the "
         "left is better. Whether a release is safe is the verdict below, not a matter of this "
         "picture.</p>\n<figure style=\"max-width:48rem\">" +
         picture(page, SvgPlace::kInline) + "</figure></section>\n<section><h2>Measures</h2>\n" +
         measures_html(page) + failures + "</section>\n</main>\n</body>\n</html>\n";
}

}  // namespace lacuna::report

// SPDX-License-Identifier: Apache-2.0
#include "app/report/svg_chart.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "app/report/html_text.h"

namespace lacuna::report {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(HtmlText, EscapesWhatCouldOpenATagOrEndAnAttribute) {
  EXPECT_EQ(html_escaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(html_escaped("Köln €"), "Köln €");
}

struct Name {
  double x = 0, y = 0;
  std::string text;
};

// The names that stand beside points: those in the middle of a text with a colour of a series.
std::vector<Name> names_of(const std::string& svg) {
  std::vector<Name> names;
  const std::regex pattern(
      "<text x=\"([0-9.]+)\" y=\"([0-9.]+)\" text-anchor=\"middle\" fill=\"var[^>]*>([^<]*)<");
  for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at)
    names.push_back({std::stod((*at)[1]), std::stod((*at)[2]), (*at)[3]});
  return names;
}

TEST(SvgChart, NamesAtPointsDoNotOverlap) {
  Chart chart{"loss against risk", {"risk"}, {"loss"}, {}};
  chart.names_at_points = true;
  chart.series.push_back({"far", SeriesKind::kPoints, {{100, 50}}});
  for (const char* name : {"suppress", "interval", "combined", "round", "perturb", "adjust"})
    chart.series.push_back({name, SeriesKind::kPoints, {{0, 1}}});
  const std::vector<Name> names = names_of(chart_svg(chart, SvgPlace::kFile));
  ASSERT_EQ(names.size(), 7U);
  for (std::size_t a = 0; a < names.size(); ++a) {
    EXPECT_GE(names[a].y, 20) << names[a].text;
    EXPECT_LE(names[a].y, 340) << names[a].text;
    for (std::size_t b = a + 1; b < names.size(); ++b) {
      const double wide = 3.4 * static_cast<double>(names[a].text.size() + names[b].text.size());
      EXPECT_TRUE(std::abs(names[a].y - names[b].y) >= 14 ||
                  std::abs(names[a].x - names[b].x) >= wide)
          << names[a].text << " and " << names[b].text;
    }
  }
}

TEST(SvgChart, ManyPointsOfOnePlaceAreOne) {
  Chart chart{"t", {"x"}, {"y"}, {{"", SeriesKind::kPoints, {}}}};
  for (int k = 0; k < 10'000; ++k)
    chart.series[0].points.emplace_back(k % 3, k % 2);
  EXPECT_EQ(count(chart_svg(chart, SvgPlace::kFile), "<circle"), 6U);
}

TEST(SvgChart, DrawsEveryFinitePointAndEscapesTexts) {
  const double kInfinity = std::numeric_limits<double>::infinity();
  const Chart chart{"time <s>",
                    {"cells", true},
                    {"seconds", true},
                    {{"a&b", SeriesKind::kPoints, {{10, 1}, {100, 2}, {0, 3}, {5, kInfinity}}},
                     {"line", SeriesKind::kSteps, {{10, 1}, {100, 10}}}},
                    true};
  const std::string svg = chart_svg(chart, SvgPlace::kFile);
  EXPECT_EQ(count(svg, "<circle"), 2U);  // zero has no logarithm
  EXPECT_EQ(count(svg, "<polyline"), 1U);
  EXPECT_NE(svg.find("time &lt;s&gt;"), std::string::npos);
  EXPECT_NE(svg.find("a&amp;b"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_NE(svg.find("role=\"img\""), std::string::npos);
}

TEST(SvgChart, AnEmptyChartIsStillADrawing) {
  const std::string svg =
      chart_svg({"nothing", {"x", true}, {"y", false}, {}, true}, SvgPlace::kInline);
  EXPECT_EQ(svg.rfind("<svg", 0), 0U);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(count(bars_svg({"none", "percent", {}}, SvgPlace::kFile), "<rect"), 1U);  // the ground
}

TEST(SvgChart, StepsGoSidewaysBeforeTheyGoUp) {
  const Chart chart{"", {"x", false}, {"y", false}, {{"", SeriesKind::kSteps, {{0, 0}, {1, 1}}}}};
  const std::string svg = chart_svg(chart, SvgPlace::kFile);
  const std::size_t at = svg.find("points=\"") + 8;
  const std::string points = svg.substr(at, svg.find('"', at) - at);
  EXPECT_EQ(count(points, ","), 3U);
}

}  // namespace
}  // namespace lacuna::report

// SPDX-License-Identifier: Apache-2.0
// Small charts as SVG text, inline in a page or as files of their own. Inline, the colours are
// those of the page (custom properties --s0, --s1, ...); in a file their fall-backs, on white.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lacuna::report {

enum class SeriesKind { kPoints, kLine, kSteps };

struct ChartSeries {
  std::string name;
  SeriesKind kind = SeriesKind::kPoints;
  std::vector<std::pair<double, double>> points;  // what is not finite is left out
};

struct ChartAxis {
  std::string title;
  bool logarithmic = false;  // points that are not positive are left out
};

struct Chart {
  std::string title;
  ChartAxis x, y;
  std::vector<ChartSeries> series;
  bool diagonal = false;  // draw y = x, thin
  // The name of each series stands beside its first point instead of in a legend, where it covers
  // neither another name nor a point.
  bool names_at_points = false;
};

struct Bar {
  std::string name;
  double value = 0;
};

struct BarChart {
  std::string title;
  std::string unit;
  std::vector<Bar> bars;
};

enum class SvgPlace { kInline, kFile };

std::string chart_svg(const Chart& chart, SvgPlace place);
std::string bars_svg(const BarChart& chart, SvgPlace place);

}  // namespace lacuna::report

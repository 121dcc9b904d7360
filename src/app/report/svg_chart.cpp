// SPDX-License-Identifier: Apache-2.0
#include "app/report/svg_chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "app/report/html_text.h"
#include "core/base/readable.h"

namespace lacuna::report {
namespace {

constexpr double kWidth = 640, kHeight = 380;
constexpr double kLeft = 78, kRight = 34, kTop = 36, kBottom = 52;
constexpr int kTicks = 5;
constexpr double kRadius = 3.5;
constexpr double kLegendStep = 16;

struct Style {
  const char* color;
  const char* dash;
};
// Told apart by dashes and by order in the legend as well as by colour.
constexpr std::array<Style, 6> kStyles{{{"var(--s0,#1f5fa8)", "none"},
                                        {"var(--s1,#b3451d)", "7 3"},
                                        {"var(--s2,#2c7a3f)", "2 3"},
                                        {"var(--s3,#7a3b9c)", "9 3 2 3"},
                                        {"var(--s4,#7a6200)", "4 4"},
                                        {"var(--s5,#0b7285)", "1 4"}}};

const Style& style_of(std::size_t series) {
  return kStyles[series % kStyles.size()];
}

// "0.05", "12.5", "20,000", "5 M": short enough to stand at an axis.
std::string number(double value) {
  constexpr double kMillion = 1e6, kBillion = 1e9;
  const double size = std::abs(value);
  if (size >= kMillion * kBillion)
    return fmt::format("{:.0e}", value);
  if (size >= kBillion)
    return base::readable(std::round(value / kMillion) / (kBillion / kMillion)) + " bn";
  if (size >= kMillion)
    return base::readable(value / kMillion) + " M";
  return base::readable(value);
}

class Scale {
 public:
  Scale(bool logarithmic, double from, double to) : log_(logarithmic), from_(from), to_(to) {}

  bool can_show(double value) const { return std::isfinite(value) && (!log_ || value > 0); }
  void see(double value) {
    if (!can_show(value))
      return;
    const double place = log_ ? std::log10(value) : value;
    low_ = any_ ? std::min(low_, place) : place;
    high_ = any_ ? std::max(high_, place) : place;
    any_ = true;
  }
  void finish() {
    if (!any_)
      low_ = high_ = 0;
    if (log_) {
      low_ = std::floor(low_);
      high_ = std::ceil(high_);
    } else {
      low_ = std::min(0.0, low_);
    }
    if (high_ <= low_)
      high_ = low_ + 1;
  }
  double at(double value) const {
    const double place = log_ ? std::log10(value) : value;
    return from_ + (to_ - from_) * (place - low_) / (high_ - low_);
  }
  std::vector<double> ticks() const {
    std::vector<double> out;
    if (log_) {
      const double step = std::max(1.0, std::ceil((high_ - low_) / kTicks));
      for (double power = low_; power <= high_; power += step)
        out.push_back(std::pow(10.0, power));
      return out;
    }
    const double rough = (high_ - low_) / kTicks;
    const double base = std::pow(10.0, std::floor(std::log10(rough)));
    const double factor = rough / base <= 2 ? 2 : rough / base <= 5 ? 5 : 10;
    for (double at = std::ceil(low_ / (base * factor)); at * base * factor <= high_; ++at)
      out.push_back(at * base * factor);
    return out;
  }
  double low() const { return log_ ? std::pow(10.0, low_) : low_; }
  double high() const { return log_ ? std::pow(10.0, high_) : high_; }

 private:
  bool log_ = false, any_ = false;
  double from_ = 0, to_ = 1, low_ = 0, high_ = 0;
};

std::string opening(const std::string& title, double height, SvgPlace place) {
  const bool file = place == SvgPlace::kFile;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\"{} role=\"img\" "
      "aria-label=\"{}\" font-family=\"sans-serif\" font-size=\"12\"{}>{}"
      "<text x=\"{:.0f}\" y=\"20\" text-anchor=\"middle\" font-weight=\"bold\" "
      "fill=\"currentColor\">{}</text>",
      kWidth,
      height,
      file ? fmt::format(" width=\"{:.0f}\" height=\"{:.0f}\"", kWidth, height) : "",
      html_escaped(title),
      file ? " color=\"#1a1a1a\"" : "",
      file ? "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>" : "",
      kWidth / 2,
      html_escaped(title));
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"currentColor\">{}</text>",
      x,
      y,
      anchor,
      html_escaped(text));
}

std::string thin_line(double x1, double y1, double x2, double y2, double opacity) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"currentColor\" "
      "stroke-opacity=\"{}\"/>",
      x1,
      y1,
      x2,
      y2,
      opacity);
}

std::string axes(const Chart& chart, const Scale& x, const Scale& y) {
  constexpr double kGrid = 0.2;
  const double base = kHeight - kBottom;
  std::string out =
      thin_line(kLeft, base, kWidth - kRight, base, 1) + thin_line(kLeft, kTop, kLeft, base, 1);
  for (const double tick : x.ticks()) {
    out += thin_line(x.at(tick), kTop, x.at(tick), base, kGrid);
    out += text_at(x.at(tick), base + 18, "middle", number(tick));
  }
  for (const double tick : y.ticks()) {
    out += thin_line(kLeft, y.at(tick), kWidth - kRight, y.at(tick), kGrid);
    out += text_at(kLeft - 8, y.at(tick) + 4, "end", number(tick));
  }
  out += text_at((kLeft + kWidth - kRight) / 2, kHeight - 12, "middle", chart.x.title);
  out += fmt::format(
      "<text transform=\"translate(16 {:.0f}) rotate(-90)\" text-anchor=\"middle\" "
      "fill=\"currentColor\">{}</text>",
      (kTop + base) / 2,
      html_escaped(chart.y.title));
  return out;
}

std::string series_svg(const ChartSeries& series, const Scale& x, const Scale& y, std::size_t s) {
  const Style& style = style_of(s);
  std::string out, line;
  std::set<std::pair<std::int64_t, std::int64_t>> drawn;  // places of points, in half pixels
  double last_y = 0;
  for (const auto& [px, py] : series.points) {
    if (!x.can_show(px) || !y.can_show(py))
      continue;
    if (series.kind == SeriesKind::kPoints) {
      const auto place = std::pair(std::lround(2 * x.at(px)), std::lround(2 * y.at(py)));
      if (!drawn.insert(place).second)
        continue;  // under a point that is there already
      out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>",
                         x.at(px),
                         y.at(py),
                         kRadius,
                         style.color);
      continue;
    }
    if (series.kind == SeriesKind::kSteps && !line.empty())
      line += fmt::format("{:.1f},{:.1f} ", x.at(px), last_y);
    last_y = y.at(py);
    line += fmt::format("{:.1f},{:.1f} ", x.at(px), last_y);
  }
  if (!line.empty()) {
    out += fmt::format(
        "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\" "
        "points=\"{}\"/>",
        style.color,
        style.dash,
        line);
  }
  return out;
}

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

// Places names one after the other: nearest first, around the point clockwise, farther and farther
// out; a thin line leads to a name that stands away from its point.
class NamePlacer {
 public:
  explicit NamePlacer(std::vector<std::pair<double, double>> points) {
    for (const auto& [x, y] : points)
      taken_.push_back({x - kClear, y - kClear, x + kClear, y + kClear});
  }

  std::string place(double x, double y, const std::string& name, const char* color) {
    const double width = kLetter * static_cast<double>(name.size()), high = kLegendStep;
    Box best;
    double away = 0;
    for (double out = kClear + 3; out < kWidth; out += high) {
      for (const auto& [dx, dy] : kSides) {
        const double middle_x = x + dx * (out + width / 2), middle_y = y + dy * (out + high / 2);
        const Box box{
            middle_x - width / 2, middle_y - high / 2, middle_x + width / 2, middle_y + high / 2};
        if (!fits(box))
          continue;
        best = box;
        away = out;
        out = kWidth;  // found
        break;
      }
    }
    taken_.push_back(best);
    std::string text;
    const double middle_x = (best.left + best.right) / 2, middle_y = (best.top + best.bottom) / 2;
    if (away > kClear + 3)
      text = thin_line(x, y, middle_x, middle_y, 0.5);
    return text +
           fmt::format(
               "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
               middle_x,
               middle_y + 4,
               color,
               html_escaped(name));
  }

 private:
  static constexpr double kClear = 7;   // around a point, in pixels
  static constexpr double kLetter = 7;  // width of a letter, at most
  static constexpr std::array<std::pair<double, double>, 8> kSides{
      {{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {1, 1}, {-1, -1}, {-1, 1}}};

  bool fits(const Box& box) const {
    return box.left >= kLeft && box.right <= kWidth - 2 && box.top >= kTop - 8 &&
           box.bottom <= kHeight - kBottom &&
           std::none_of(
               taken_.begin(), taken_.end(), [&](const Box& each) { return each.meets(box); });
  }
  std::vector<Box> taken_;
};

std::string names_at_points(const Chart& chart, const Scale& x, const Scale& y) {
  std::vector<std::pair<double, double>> points;
  std::vector<std::size_t> of;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    for (const auto& [px, py] : chart.series[s].points) {
      if (x.can_show(px) && y.can_show(py)) {
        points.emplace_back(x.at(px), y.at(py));
        of.push_back(s);
      }
    }
  }
  NamePlacer placer(points);
  std::string out;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (k == 0 || of[k] != of[k - 1])
      out += placer.place(
          points[k].first, points[k].second, chart.series[of[k]].name, style_of(of[k]).color);
  }
  return out;
}

std::string legend(const Chart& chart) {
  if (chart.series.size() < 2 || chart.names_at_points)
    return "";
  std::string out;
  double y = kTop + 12;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const Style& style = style_of(s);
    out += fmt::format(
        "<line x1=\"{0:.0f}\" y1=\"{1:.0f}\" x2=\"{2:.0f}\" y2=\"{1:.0f}\" stroke=\"{3}\" "
        "stroke-width=\"3\" stroke-dasharray=\"{4}\"/>",
        kLeft + 10,
        y - 4,
        kLeft + 36,
        style.color,
        style.dash);
    out += text_at(kLeft + 42, y, "start", chart.series[s].name);
    y += kLegendStep;
  }
  return out;
}

}  // namespace

std::string chart_svg(const Chart& chart, SvgPlace place) {
  Scale x(chart.x.logarithmic, kLeft, kWidth - kRight);
  Scale y(chart.y.logarithmic, kHeight - kBottom, kTop);
  for (const ChartSeries& series : chart.series) {
    for (const auto& [px, py] : series.points) {
      if (!x.can_show(px) || !y.can_show(py))
        continue;
      x.see(px);
      y.see(py);
      if (chart.diagonal) {  // both axes then have the same range
        x.see(py);
        y.see(px);
      }
    }
  }
  x.finish();
  y.finish();
  std::string out = opening(chart.title, kHeight, place) + axes(chart, x, y);
  if (chart.diagonal) {
    const double from = std::max(x.low(), y.low()), to = std::min(x.high(), y.high());
    if (from < to)
      out += thin_line(x.at(from), y.at(from), x.at(to), y.at(to), 1);
  }
  for (std::size_t s = 0; s < chart.series.size(); ++s)
    out += series_svg(chart.series[s], x, y, s);
  if (chart.names_at_points)
    out += names_at_points(chart, x, y);
  return out + legend(chart) + "</svg>\n";
}

std::string bars_svg(const BarChart& chart, SvgPlace place) {
  constexpr double kStep = 22, kNames = 190, kNumbers = 70;
  double most = 0;
  for (const Bar& bar : chart.bars)
    most = std::max(most, bar.value);
  const double height = kTop + kStep * static_cast<double>(chart.bars.size()) + 30;
  std::string out = opening(chart.title, height, place);
  double y = kTop;
  for (const Bar& bar : chart.bars) {
    const double length = most > 0 ? (kWidth - kNames - kNumbers) * bar.value / most : 0;
    out += text_at(kNames - 8, y + 13, "end", bar.name);
    out += fmt::format(
        "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"{:.0f}\" fill=\"{}\"/>",
        kNames,
        y,
        length,
        kStep - 6,
        style_of(0).color);
    out += text_at(kNames + length + 6, y + 13, "start", fmt::format("{:.3g}", bar.value));
    y += kStep;
  }
  return out + text_at(kNames, y + 14, "start", chart.unit) + "</svg>\n";
}

}  // namespace lacuna::report

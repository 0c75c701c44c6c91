// SPDX-License-Identifier: Apache-2.0
//
// The latency-throughput curve as SVG. The latency axis is logarithmic: what matters is how many
// times the zero-load latency it is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cli/network_report.h"

namespace weft::cli {
namespace {

using verif::LoadOutcome;
using verif::LoadPoint;

constexpr double width = 720;
constexpr double height = 440;
constexpr double left = 80;
constexpr double right = width - 30;
constexpr double top = 50;
constexpr double bottom = height - 60;

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

/// From values to places in the picture.
class Axes {
 public:
  Axes(double least_latency, double most_latency)
      : low_(std::floor(std::log10(least_latency) * 3) / 3),
        high_(std::max(std::ceil(std::log10(most_latency) * 3) / 3, low_ + 1)) {}

  [[nodiscard]] double x(double load) const { return left + load * (right - left); }
  [[nodiscard]] double y(double latency) const {
    return bottom - (std::log10(latency) - low_) / (high_ - low_) * (bottom - top);
  }
  /// 1, 2, 5, 10, 20 ... as far as they are in the picture.
  [[nodiscard]] std::vector<double> latency_ticks() const {
    std::vector<double> ticks;
    for (int power = static_cast<int>(std::floor(low_)); power <= high_; ++power) {
      for (const double digit : {1.0, 2.0, 5.0}) {
        const double tick = digit * std::pow(10, power);
        const double place = std::log10(tick);
        if (place >= low_ - 1e-9 && place <= high_ + 1e-9) ticks.push_back(tick);
      }
    }
    return ticks;
  }

 private:
  double low_, high_;  ///< powers of ten
};

std::string label(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped(text));
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1,
                     x2, y2, style);
}

std::string frame(const Axes& axes) {
  constexpr const char* grid = "stroke=\"#dddddd\"";
  std::string svg;
  for (int tenth = 0; tenth <= 10; ++tenth) {
    const double x = axes.x(tenth / 10.0);
    svg += line(x, top, x, bottom, grid);
    svg += label(x, bottom + 18, "middle", fmt::format("{:.1f}", tenth / 10.0));
  }
  for (const double tick : axes.latency_ticks()) {
    svg += line(left, axes.y(tick), right, axes.y(tick), grid);
    svg += label(left - 8, axes.y(tick) + 4, "end", fmt::format("{:.6g}", tick));
  }
  svg += line(left, bottom, right, bottom, "stroke=\"black\"");
  svg += line(left, top, left, bottom, "stroke=\"black\"");
  svg += label((left + right) / 2, height - 18, "middle", "offered load (flits/node/cycle)");
  svg += fmt::format(
      "<text transform=\"translate(22 {:.1f}) rotate(-90)\" text-anchor=\"middle\">latency "
      "(cycles)</text>\n",
      (top + bottom) / 2);
  return svg;
}

template <typename Latency>
std::string curve(const std::vector<LoadPoint>& points, const Axes& axes, const char* colour,
                  Latency&& latency) {
  std::string path;
  std::string dots;
  for (const LoadPoint& point : points) {
    const double x = axes.x(point.offered.mean);
    const double y = axes.y(latency(point));
    path += fmt::format("{}{:.1f} {:.1f} ", path.empty() ? "M" : "L", x, y);
    dots +=
        fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x, y, colour);
  }
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n{}", path,
                     colour, dots);
}

}  // namespace

std::string to_svg(const NetworkReport& report) {
  constexpr const char* mean_colour = "#1f5fa8";
  constexpr const char* tail_colour = "#c05a1a";
  std::vector<LoadPoint> stable;
  double least = std::max(1.0, report.zero_load_latency.value_or(1));
  double most = least;
  for (const LoadPoint& point : report.points) {
    if (!point.stable() || point.mean_latency.mean <= 0) continue;
    stable.push_back(point);
    least = std::min(least, point.mean_latency.mean);
    most = std::max(most, point.p99_latency.mean);
  }
  const Axes axes(least, most);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      width, height);
  svg += fmt::format(
      "<g font-size=\"15\">{}</g>",
      label(left, 26, "start",
            fmt::format("{}: {} model, {} traffic", report.design, report.model, report.traffic)));
  svg += frame(axes);
  if (report.saturation_load && *report.saturation_load < 1) {
    const double x = axes.x(*report.saturation_load);
    svg += line(x, top, x, bottom, "stroke=\"#888888\" stroke-dasharray=\"5 4\"");
    // On the side where there is room for it.
    const bool room = *report.saturation_load < 0.7;
    svg += label(room ? x + 6 : x - 6, bottom - 8, room ? "start" : "end",
                 fmt::format("saturated above {:.3g}", *report.saturation_load));
  }
  svg += curve(stable, axes, tail_colour, [](const LoadPoint& p) { return p.p99_latency.mean; });
  svg += curve(stable, axes, mean_colour, [](const LoadPoint& p) { return p.mean_latency.mean; });
  svg += fmt::format("<g fill=\"{}\">{}</g>", mean_colour,
                     label(left + 12, top + 18, "start", "mean"));
  svg += fmt::format("<g fill=\"{}\">{}</g>", tail_colour,
                     label(left + 12, top + 36, "start", "99th percentile"));
  return svg + "</svg>\n";
}

}  // namespace weft::cli

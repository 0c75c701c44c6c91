// SPDX-License-Identifier: Apache-2.0
//
// The curve as SVG: area over critical path, both from zero up would hide the shape, so the axes
// cover what was measured.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "synth/search/frontier.h"

namespace weft::synth {
namespace {

constexpr double width = 720, height = 440;
constexpr double left = 100, right = width - 30, top = 50, bottom = height - 60;
constexpr const char* colours[] = {"#1f6f8b", "#c1440e", "#5b8c2a", "#7a4fa3", "#8a6d3b"};

/// From values to places along one side of the picture.
class Axis {
 public:
  Axis(double low, double high, double from, double to) : from_(from), to_(to) {
    const double margin = high > low ? 0.05 * (high - low) : std::max(1e-9, 0.05 * high);
    low_ = low - margin;
    high_ = high + margin;
    const double rough = (high_ - low_) / 6;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double digit : {1.0, 2.0, 5.0, 10.0}) {
      step_ = digit * power;
      if (step_ >= rough) break;
    }
  }
  [[nodiscard]] double place(double value) const {
    return from_ + (value - low_) / (high_ - low_) * (to_ - from_);
  }
  [[nodiscard]] std::vector<double> ticks() const {
    std::vector<double> ticks;
    for (double tick = std::ceil(low_ / step_) * step_; tick <= high_; tick += step_)
      ticks.push_back(tick);
    return ticks;
  }

 private:
  double from_, to_;
  double low_ = 0, high_ = 1, step_ = 1;
};

std::string label(double x, double y, const char* anchor, const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped);
}

std::string line(double x1, double y1, double x2, double y2, const char* colour) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2,
      y2, colour);
}

}  // namespace

std::string to_svg(const Frontier& frontier) {
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" "
      "font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, height);
  svg += label(left, 24, "start", fmt::format("{} on {}", frontier.top, frontier.target));
  svg += label((left + right) / 2, height - 16, "middle", "critical path in ns");
  svg += label(left - 8, top - 10, "end", "area in um2");
  if (frontier.points.empty()) return svg + "</svg>\n";
  const auto [fast, slow] =
      std::ranges::minmax(frontier.points, {}, &FrontierPoint::critical_path_ns);
  const auto [small, large] = std::ranges::minmax(frontier.points, {}, &FrontierPoint::area_um2);
  const Axis x(fast.critical_path_ns, slow.critical_path_ns, left, right);
  const Axis y(small.area_um2, large.area_um2, bottom, top);
  for (const double tick : x.ticks()) {
    svg += line(x.place(tick), top, x.place(tick), bottom, "#eee");
    svg += label(x.place(tick), bottom + 18, "middle", fmt::format("{:.4g}", tick));
  }
  for (const double tick : y.ticks()) {
    svg += line(left, y.place(tick), right, y.place(tick), "#eee");
    svg += label(left - 8, y.place(tick) + 4, "end", fmt::format("{:.6g}", tick));
  }
  svg += line(left, bottom, right, bottom, "black") + line(left, top, left, bottom, "black");
  std::string curve;
  for (const FrontierPoint& point : frontier.points)
    if (!point.dominated)
      curve +=
          fmt::format("{:.1f},{:.1f} ", x.place(point.critical_path_ns), y.place(point.area_um2));
  svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"#999\"/>\n", curve);
  std::map<std::string, const char*> colour_of;
  for (const FrontierPoint& point : frontier.points) {
    const auto next = colours[std::min(colour_of.size(), std::size(colours) - 1)];
    const char* colour = colour_of.emplace(point.recipe, next).first->second;
    svg += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\" stroke=\"{}\"><title>{}, asked "
        "for "
        "{} ns: {:.3f} ns, {:.2f} um2</title></circle>\n",
        x.place(point.critical_path_ns), y.place(point.area_um2),
        point.dominated ? "white" : colour, colour, point.recipe, point.clock_ns,
        point.critical_path_ns, point.area_um2);
  }
  double at = top + 4;
  for (const auto& [recipe, colour] : colour_of) {
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n", right - 90,
                       at, colour);
    svg += label(right - 80, at + 4, "start", recipe);
    at += 18;
  }
  svg += label(right - 90, at + 4, "start", "filled: not dominated");
  return svg + "</svg>\n";
}

}  // namespace weft::synth

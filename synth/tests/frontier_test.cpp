// SPDX-License-Identifier: Apache-2.0
#include "synth/search/frontier.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

namespace weft::synth {
namespace {

FrontierPoint point(double ns, double area) { return {"r", 1, area, ns, false}; }

TEST(Frontier, MarksWhatIsNoBetter) {
  std::vector<FrontierPoint> points{point(3, 10),   point(1, 30), point(2, 20),
                                    point(2.5, 25), point(2, 20), point(3, 12)};
  mark_dominated(points);
  std::vector<std::pair<double, double>> kept;
  for (const auto& p : points)
    if (!p.dominated) kept.emplace_back(p.critical_path_ns, p.area_um2);
  EXPECT_EQ(kept, (std::vector<std::pair<double, double>>{{1, 30}, {2, 20}, {3, 10}}));
}

// Going from fast to slow, a point is kept exactly if it is smaller than all before.
RC_GTEST_PROP(Frontier, IsAStaircase, ()) {
  const auto pairs = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(1, 12), rc::gen::inRange(1, 12)));
  std::vector<FrontierPoint> points;
  std::map<int, int> smallest_at;
  for (const auto& [ns, area] : pairs) {
    points.push_back(point(ns, area));
    const auto [at, fresh] = smallest_at.emplace(ns, area);
    if (!fresh) at->second = std::min(at->second, area);
  }
  std::vector<std::pair<double, double>> expected;
  int smallest = std::numeric_limits<int>::max();
  for (const auto& [ns, area] : smallest_at) {
    if (area < smallest) expected.emplace_back(ns, area);
    smallest = std::min(smallest, area);
  }
  mark_dominated(points);
  std::vector<std::pair<double, double>> kept;
  for (const auto& p : points)
    if (!p.dominated) kept.emplace_back(p.critical_path_ns, p.area_um2);
  RC_ASSERT(kept == expected);
}

TEST(Frontier, IsWrittenInThreeForms) {
  Frontier frontier{"t", "osu018", {point(2, 10), point(4, 20)}};
  mark_dominated(frontier.points);
  const auto json = to_json(frontier);
  EXPECT_EQ(json.at("points").size(), 2U);
  EXPECT_EQ(json.at("points")[0].at("fmax_mhz"), 500);
  EXPECT_EQ(to_csv(frontier),
            "recipe,clock_ns,area_um2,critical_path_ns,fmax_mhz,dominated\n"
            "r,1,10,2,500.000,0\nr,1,20,4,250.000,1\n");
  const std::string svg = to_svg(frontier);
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find("2.000 ns, 10.00 um2"), std::string::npos);
  EXPECT_NE(to_text(frontier).find("1 more points"), std::string::npos);
  EXPECT_TRUE(to_svg({"t", "osu018", {}}).ends_with("</svg>\n"));
}

}  // namespace
}  // namespace weft::synth

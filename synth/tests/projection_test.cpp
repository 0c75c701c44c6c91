// SPDX-License-Identifier: Apache-2.0
#include "synth/projection/projection.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace weft::synth {
namespace {

Result measured() {
  Result result;
  result.area_um2 = 1000;
  result.critical_path_ns = 4;
  return result;
}

TEST(Projection, ReadsNodes) {
  EXPECT_EQ(parse_node("7nm").nm, 7);
  EXPECT_EQ(parse_node("7").volts, 0.7);
  EXPECT_EQ(parse_node("16nm@0.8V").volts, 0.8);
  EXPECT_EQ(parse_node("130 nm@1.2").nm, 130);
  for (const char* wrong : {"", "nm", "8nm", "7um", "7nm@", "7nm@x", "350nm"})
    EXPECT_THROW(parse_node(wrong), UserError) << wrong;
}

// By hand from the paper's polynomials: 180 nm at 1.8 V is 97.09*3.24 - 356.7*1.8 + 406.5
// = 79.0116; 7 nm at 0.7 V is -28.58*0.343 + 76.6*0.49 - 70.26*0.7 + 24.69 = 3.23906.
TEST(Projection, FollowsThePublishedFactors) {
  const auto projection = project(measured(), parse_node("180nm"), parse_node("7nm"));
  EXPECT_DOUBLE_EQ(projection.area_um2, 3.2);
  EXPECT_NEAR(projection.delay_factor, 3.23906 / 79.0116, 1e-6);
  EXPECT_NEAR(projection.critical_path_ns, 4 * 3.23906 / 79.0116, 1e-5);
  EXPECT_NEAR(projection.fmax_mhz * projection.critical_path_ns, 1000, 1e-9);
}

// What the model must be like, whatever its numbers: there and back is where one was, newer nodes
// are smaller and, at their nominal voltages, faster; only that from 32 nm planar to 20 nm FinFET
// the published curves rise.
TEST(Projection, IsConsistent) {
  const int nodes[] = {180, 130, 90, 65, 45, 32, 20, 16, 14, 10, 7};
  for (std::size_t i = 0; i < std::size(nodes); ++i)
    for (std::size_t j = 0; j < std::size(nodes); ++j) {
      const auto from = parse_node(std::to_string(nodes[i]));
      const auto to = parse_node(std::to_string(nodes[j]));
      const auto there = project(measured(), from, to);
      const auto back = project(measured(), to, from);
      EXPECT_NEAR(there.area_factor * back.area_factor, 1, 0.05) << nodes[i] << " " << nodes[j];
      EXPECT_NEAR(there.delay_factor * back.delay_factor, 1, 1e-9);
      if (i < j) {
        EXPECT_LT(there.area_factor, 1);
        const bool to_fin_fet = nodes[i] == 32 && nodes[j] == 20;
        EXPECT_EQ(there.delay_factor < 1, !to_fin_fet) << nodes[i] << " " << nodes[j];
      }
    }
}

TEST(Projection, KnowsItsLimitsAndSaysWhatItIs) {
  EXPECT_THROW(project(measured(), parse_node("180nm"), parse_node("7nm@1.5V")), UserError);
  EXPECT_THROW(project(measured(), parse_node("180nm"), parse_node("7nm@0V")), UserError);
  const auto projection = project(measured(), parse_node("180nm"), parse_node("7nm"));
  EXPECT_NE(to_text(projection).find("projection, not a measurement"), std::string::npos);
  EXPECT_NE(to_json(projection).at("source").get<std::string>().find("Stillmaker"),
            std::string::npos);
}

}  // namespace
}  // namespace weft::synth

// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <nlohmann/json.hpp>

#include "arch/config.h"
#include "cli/tests/cli_fixture.h"

namespace weft::cli {
namespace {

TEST_F(Cli, QuickstartMakesTheWholeTour) {
  setenv("WEFT_CACHE", WEFT_BINARY_DIR "/test-cache", 1);
  const Outcome outcome = run("quickstart --out tour");
  ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  // What it does is told while it does it.
  for (const char* step : {"1/5 ", "2/5 ", "3/5 ", "4/5 ", "5/5 "}) {
    EXPECT_NE(outcome.err.find(step), std::string::npos) << outcome.err;
  }
  const auto result = [&](const std::string& name) {
    return nlohmann::json::parse(base::read_file(path("tour/" + name)));
  };
  EXPECT_EQ(result("cosim.json")["status"], "pass");
  EXPECT_EQ(result("digits.json")["classes_identical"], 1797);
  EXPECT_GT(result("synth.json")["area_per_mac_um2"], 0);
  EXPECT_GT(result("resnet50.json")["total_cycles"], 0);
  const auto manifest = result("rtl/manifest.json");
  EXPECT_EQ(arch::digest(arch::load_config(path("tour/quickstart.yaml"))), manifest["digest"]);
}

}  // namespace
}  // namespace weft::cli

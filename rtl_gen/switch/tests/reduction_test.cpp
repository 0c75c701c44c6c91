// SPDX-License-Identifier: Apache-2.0
// The arithmetic of reductions against plain 64-bit integers.
#include "rtl_gen/switch/reduction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/tests/run_seed.h"
#include "rtl_gen/hdl/tests/lint.h"
#include "rtl_gen/switch/tests/replay.h"

namespace weft::rtl {
namespace {

std::int64_t any_lane(std::mt19937_64& random) {
  constexpr std::int64_t corners[] = {0, 1, -1, INT32_MAX, INT32_MIN, INT32_MIN + 1};
  return random() % 2 == 0 ? corners[random() % 6] : static_cast<std::int32_t>(random());
}

TEST(Reduction, CombinesTheLanesOfMembers) {
  std::mt19937_64 random(weft::test::run_seed());
  for (const auto& [ports, lanes] : {std::pair{2, 1}, {3, 2}, {5, 1}, {7, 4}, {16, 2}}) {
    arch::Switch device;
    device.ports = ports;
    device.flit_width = 32 * lanes;
    device.in_network_reduction = true;
    device = arch::resolved(device);
    // A register before the tree, and one after each level.
    std::size_t latency = 1;
    while ((1 << (latency - 1)) < ports) ++latency;
    std::vector<std::string> inputs,
        results(latency, std::string(static_cast<std::size_t>(32 * lanes), 'x'));
    for (int t = 0; t < 2000; ++t) {
      const auto op = static_cast<int>(random() % 3);
      std::uint64_t members = 0;
      while (members == 0) members = random() & ((1U << ports) - 1);
      std::string flits, result;
      std::vector<std::vector<std::int64_t>> values(static_cast<std::size_t>(lanes));
      for (int port = ports; port-- > 0;) {
        for (int lane = lanes; lane-- > 0;) {
          const std::int64_t value = any_lane(random);
          flits += test::binary(static_cast<std::uint64_t>(value), 32);
          if ((members >> port & 1) != 0) values[static_cast<std::size_t>(lane)].push_back(value);
        }
      }
      for (int lane = lanes; lane-- > 0;) {
        const auto& of = values[static_cast<std::size_t>(lane)];
        std::int64_t value = op == 1   ? *std::ranges::min_element(of)
                             : op == 2 ? *std::ranges::max_element(of)
                                       : 0;
        if (op == 0) {
          for (const std::int64_t x : of) value += x;
        }
        result += test::binary(static_cast<std::uint64_t>(value), 32);
      }
      inputs.push_back(test::binary(static_cast<std::uint64_t>(op), 2) +
                       test::binary(members, ports) + flits);
      results.push_back(result);
    }
    std::vector<std::string> cycles;
    for (std::size_t t = 0; t < inputs.size(); ++t) cycles.push_back(inputs[t] + results[t]);
    hdl::Design design;
    const Shape shape(device);
    const hdl::Module& combine = add_combine(design, shape);
    EXPECT_EQ(test::replay(design, combine, cycles), "")
        << ports << " ports, " << lanes << " lanes";
    EXPECT_EQ(hdl::test::lint(design, combine.name()), "");
  }
}

TEST(Reduction, ResultsAreCleanVerilog) {
  for (int pipeline = 1; pipeline <= 4; ++pipeline) {
    arch::Switch device;
    device.ports = 5;
    device.pipeline = pipeline;
    device.in_network_reduction = true;
    device = arch::resolved(device);
    hdl::Design design;
    const Shape shape(device);
    EXPECT_EQ(hdl::test::lint(design, add_result(design, shape).name()), "") << pipeline;
  }
}

}  // namespace
}  // namespace weft::rtl

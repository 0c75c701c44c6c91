// SPDX-License-Identifier: Apache-2.0
// Pools and output queues against plain queues: random flits in, any set of outputs at once.
#include "rtl_gen/switch/pool.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "base/tests/run_seed.h"
#include "rtl_gen/hdl/tests/lint.h"
#include "rtl_gen/switch/tests/replay.h"

namespace weft::rtl {
namespace {

struct Flit {
  std::uint64_t data;
  bool tail;
};

/// Cycles of a pool (or of output queues) with `load` percent writes, as test::replay reads them.
std::vector<std::string> play(const arch::Switch& device, bool pooled, int load,
                              std::mt19937_64& random) {
  const int ports = device.ports;
  const int channels = device.virtual_channels;
  const int width = device.flit_width;
  const auto depth = static_cast<std::size_t>(device.buffer_depth);
  const auto lanes = static_cast<std::size_t>(ports * channels);
  std::vector<std::deque<Flit>> queues(lanes);
  std::vector<std::string> cycles;
  for (int t = 0; t < 3000; ++t) {
    std::vector<std::size_t> used(static_cast<std::size_t>(channels));
    for (std::size_t k = 0; k < lanes; ++k) {
      used[k % static_cast<std::size_t>(channels)] += queues[k].size();
    }
    std::string write(lanes, '0'), read(lanes, '0'), present, tail, full, data, free, spare;
    const Flit flit{random() & ((std::uint64_t{1} << width) - 1), random() % 3 == 0};
    const std::size_t to = random() % lanes;
    const std::size_t held =
        pooled ? used[to % static_cast<std::size_t>(channels)] : queues[to].size();
    const bool writes = static_cast<int>(random() % 100) < load && held < depth;
    if (writes) write[lanes - 1 - to] = '1';
    for (std::size_t k = lanes; k-- > 0;) {
      present += queues[k].empty() ? '0' : '1';
      tail += queues[k].empty() ? 'x' : queues[k].front().tail ? '1' : '0';
      full += queues[k].size() == depth ? '1' : '0';
    }
    for (int c = channels; c-- > 0;) {
      free += used[static_cast<std::size_t>(c)] < depth ? '1' : '0';
      spare += used[static_cast<std::size_t>(c)] + 1 < depth ? '1' : '0';
    }
    for (int o = ports; o-- > 0;) {
      const auto k =
          static_cast<std::size_t>(o * channels) + random() % static_cast<unsigned>(channels);
      if (!queues[k].empty() && random() % 4 == 0) {
        read[lanes - 1 - k] = '1';
        data += test::binary(queues[k].front().data, width);
        queues[k].pop_front();
      } else {
        data += std::string(static_cast<std::size_t>(width), 'x');
      }
    }
    if (writes) queues[to].push_back(flit);
    const std::string inputs =
        write + test::binary(flit.data, width) + (flit.tail ? "1" : "0") + read;
    cycles.push_back(inputs + (pooled ? free + spare : full) + data + present + tail);
  }
  return cycles;
}

TEST(Pool, KeepsTheFlitsOfEachOutputInOrder) {
  std::mt19937_64 random(weft::test::run_seed());
  for (const bool pooled : {true, false}) {
    for (const auto& [ports, channels, depth] :
         {std::tuple{2, 1, 1}, {3, 2, 2}, {5, 1, 7}, {4, 3, 8}, {9, 4, 5}, {3, 2, 40}}) {
      arch::Switch device;
      device.ports = ports;
      device.virtual_channels = channels;
      device.buffer_depth = depth;
      device.flit_width = 16;
      device.organisation =
          pooled ? arch::Organisation::central_buffer : arch::Organisation::output_queued;
      device = arch::resolved(device);
      hdl::Design design;
      const Shape shape(device);
      const hdl::Module& module =
          pooled ? add_pool(design, shape) : add_output_queues(design, shape);
      const std::string which = std::to_string(ports) + " ports, " + std::to_string(channels) +
                                " VCs, depth " + std::to_string(depth);
      EXPECT_EQ(hdl::test::lint(design, module.name()), "") << which;
      for (const int load : {40, 95}) {
        EXPECT_EQ(test::replay(design, module, play(device, pooled, load, random)), "") << which;
      }
    }
  }
}

}  // namespace
}  // namespace weft::rtl

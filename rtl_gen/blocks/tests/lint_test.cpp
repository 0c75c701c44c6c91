// SPDX-License-Identifier: Apache-2.0
// What is emitted for the blocks: clean under three tools, at many sizes.
#include "rtl_gen/hdl/tests/lint.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "rtl_gen/blocks/allocator.h"
#include "rtl_gen/blocks/arbiter.h"
#include "rtl_gen/blocks/credit_counter.h"
#include "rtl_gen/blocks/crossbar.h"
#include "rtl_gen/blocks/fifo.h"
#include "rtl_gen/blocks/queue_memory.h"
#include "rtl_gen/blocks/skid_buffer.h"
#include "rtl_gen/blocks/weighted.h"

namespace weft::rtl {
namespace {

using hdl::Design;
using hdl::Module;
using hdl::ParameterValues;

struct Block {
  std::string name;
  std::function<const Module&(Design&)> add;
  std::vector<ParameterValues> sizes;
};

void PrintTo(const Block& block, std::ostream* out) { *out << block.name; }

std::vector<ParameterValues> one(const std::string& name, const std::vector<int>& values) {
  std::vector<ParameterValues> result;
  for (const int value : values) result.push_back({{name, value}});
  return result;
}

std::vector<Block> blocks() {
  const auto allocator = [](arch::Allocator kind, arch::Separable separable,
                            bool speculative = false) {
    return [=](Design& d) -> const Module& {
      return add_allocator(d, "t", kind, separable, speculative);
    };
  };
  const auto queue_block = [](QueueMemoryKind kind) {
    return [=](Design& d) -> const Module& { return add_queue_memory(d, "t", kind); };
  };
  const std::vector<int> counts{1, 2, 3, 5, 8};
  const std::vector<ParameterValues> fifos{
      {{"DEPTH", 1}, {"WIDTH", 1}}, {{"DEPTH", 2}, {"WIDTH", 5}},  {{"DEPTH", 3}, {"WIDTH", 1}},
      {{"DEPTH", 7}, {"WIDTH", 8}}, {{"DEPTH", 8}, {"WIDTH", 33}}, {{"DEPTH", 17}, {"WIDTH", 2}}};
  std::vector<ParameterValues> memories;
  for (const int queues : {1, 2, 5})
    for (const int depth : {1, 3, 8})
      memories.push_back(
          {{"QUEUES", queues}, {"DEPTH", depth}, {"WIDTH", 3}, {"FLAGS", 1 + queues}});
  std::vector<ParameterValues> islips;
  for (const int ports : {1, 2, 5})
    for (const int iterations : {1, 2, 4})
      islips.push_back({{"PORTS", ports}, {"ITERATIONS", iterations}});
  return {
      {"pick", [](Design& d) -> const Module& { return add_pick(d, "t"); }, one("N", counts)},
      {"round_robin",
       [](Design& d) -> const Module& { return add_arbiter(d, "t", Arbitration::round_robin); },
       one("N", counts)},
      {"matrix",
       [](Design& d) -> const Module& { return add_arbiter(d, "t", Arbitration::matrix); },
       one("N", counts)},
      {"input_first", allocator(arch::Allocator::round_robin, arch::Separable::input_first),
       one("PORTS", counts)},
      {"islip", allocator(arch::Allocator::islip, arch::Separable::input_first), islips},
      {"output_first", allocator(arch::Allocator::matrix, arch::Separable::input_first),
       one("PORTS", counts)},
      {"wavefront", allocator(arch::Allocator::wavefront, arch::Separable::input_first),
       one("PORTS", counts)},
      {"weighted",
       [](Design& d) -> const Module& { return add_weighted_arbiter(d, "t"); },
       {{{"N", 1}, {"WEIGHT_WIDTH", 1}},
        {{"N", 2}, {"WEIGHT_WIDTH", 3}},
        {{"N", 5}, {"WEIGHT_WIDTH", 4}}}},
      {"input_first_speculative",
       allocator(arch::Allocator::round_robin, arch::Separable::input_first, true),
       one("PORTS", counts)},
      {"islip_speculative", allocator(arch::Allocator::islip, arch::Separable::input_first, true),
       islips},
      {"output_first_speculative",
       allocator(arch::Allocator::matrix, arch::Separable::input_first, true),
       one("PORTS", counts)},
      {"wavefront_speculative",
       allocator(arch::Allocator::wavefront, arch::Separable::input_first, true),
       one("PORTS", counts)},
      {"output_arbiters",
       [](Design& d) -> const Module& {
         return add_output_arbiters(d, "t", Arbitration::round_robin);
       },
       one("PORTS", counts)},
      {"fifo", [](Design& d) -> const Module& { return add_fifo(d, "t"); }, fifos},
      {"output_fifo", [](Design& d) -> const Module& { return add_output_fifo(d, "t"); }, fifos},
      {"skid_buffer", [](Design& d) -> const Module& { return add_skid_buffer(d, "t"); },
       one("WIDTH", {1, 2, 64})},
      {"queue_memory", queue_block({}), memories},
      {"queue_memory_late", queue_block({.late = true}), memories},
      {"queue_memory_gated", queue_block({.gated_clocks = true}), memories},
      {"queue_memory_ahead", queue_block({.late = true, .ahead = true}), memories},
      {"crossbar",
       [](Design& d) -> const Module& { return add_crossbar(d, "t"); },
       {{{"INPUTS", 1}, {"OUTPUTS", 1}, {"WIDTH", 1}},
        {{"INPUTS", 1}, {"OUTPUTS", 3}, {"WIDTH", 4}},
        {{"INPUTS", 5}, {"OUTPUTS", 1}, {"WIDTH", 1}},
        {{"INPUTS", 7}, {"OUTPUTS", 5}, {"WIDTH", 64}}}},
      {"credit_counter",
       [](Design& d) -> const Module& { return add_credit_counter(d, "t"); },
       {{{"INITIAL", 1}, {"ROOM", 1}},
        {{"INITIAL", 2}, {"ROOM", 2}},
        {{"INITIAL", 3}, {"ROOM", 1}},
        {{"INITIAL", 8}, {"ROOM", 5}},
        {{"INITIAL", 64}, {"ROOM", 64}}}},
  };
}

class BlockLint : public testing::TestWithParam<Block> {};

TEST_P(BlockLint, IsCleanUnderThreeToolsAtEverySize) {
  Design design;
  const Module& top = GetParam().add(design);
  const hdl::test::ScratchDirectory scratch;
  const std::string sources = hdl::test::write_sources(design, scratch);
  const auto expect_silent = [&](const std::string& command) {
    const auto result = hdl::test::run(scratch.path(), command);
    EXPECT_TRUE(result.status == 0 && result.output.empty()) << command << "\n" << result.output;
  };
  std::string yosys;
  for (const ParameterValues& values : GetParam().sizes) {
    EXPECT_NO_THROW(top.check(values));
    std::string verilator, icarus, set;
    for (const auto& [name, value] : values) {
      verilator += fmt::format(" -G{}={}", name, value);
      icarus += fmt::format(" -P{}.{}={}", top.name(), name, value);
      set += fmt::format(" -set {} {}", name, value);
    }
    expect_silent(fmt::format("verilator --lint-only -Wall --top-module {}{} {}", top.name(),
                              verilator, sources));
    expect_silent(
        fmt::format("iverilog -g2005 -Wall{} -s {} -t null {}", icarus, top.name(), sources));
    yosys += fmt::format(
        "design -reset; read_verilog {}; chparam{} {}; hierarchy -check -top {}; proc; check "
        "-assert; ",
        sources, set, top.name(), top.name());
  }
  expect_silent(fmt::format("yosys -q -p '{}'", yosys));
}

INSTANTIATE_TEST_SUITE_P(All, BlockLint, testing::ValuesIn(blocks()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace weft::rtl

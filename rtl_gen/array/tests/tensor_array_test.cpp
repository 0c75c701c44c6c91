// SPDX-License-Identifier: Apache-2.0
// What the array generator emits, over the whole parameter space: clean under three tools, the same
// bytes again, and legal at other sizes.
#include "rtl_gen/array/tensor_array.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>

#include "arch/config.h"
#include "rtl_gen/hdl/tests/tool_run.h"

namespace weft::rtl {
namespace {

using hdl::test::ScratchDirectory;

arch::TensorArray draw(std::mt19937_64& random) {
  return arch::random_tensor_array(random, {{"rows", arch::IntRange{1, 4}},
                                            {"cols", arch::IntRange{1, 4}},
                                            {"pe_registers", arch::IntRange{1, 7}}});
}

std::uint64_t seed() {
  const char* given = std::getenv("WEFT_TEST_SEED");
  const std::uint64_t value =
      given != nullptr ? std::strtoull(given, nullptr, 0) : std::random_device{}();
  std::cout << "WEFT_TEST_SEED=" << value << "\n";
  return value;
}

std::string files(const hdl::Design& design, const ScratchDirectory& scratch) {
  for (const auto& [name, text] : design.render()) scratch.write(name, text);
  return fmt::format("{}", fmt::join(design.file_order(), " "));
}

void expect_silent(const ScratchDirectory& scratch, const std::string& command,
                   const arch::TensorArray& array) {
  const auto result = hdl::test::run(scratch.path(), command);
  EXPECT_TRUE(result.status == 0 && result.output.empty())
      << command << "\n"
      << result.output << arch::canonical_form(arch::config_of(array));
}

TEST(TensorArrayRtl, IsCleanUnderThreeTools) {
  std::mt19937_64 random(seed());
  for (int i = 0; i < 24; ++i) {
    const arch::TensorArray array = draw(random);
    const ScratchDirectory scratch;
    const std::string sources = files(build_tensor_array(array, {}), scratch);
    expect_silent(
        scratch, fmt::format("verilator --lint-only -Wall --top-module {} {}", array.name, sources),
        array);
    expect_silent(
        scratch, fmt::format("iverilog -g2005 -Wall -s {} -t null {}", array.name, sources), array);
    expect_silent(
        scratch,
        fmt::format("yosys -q -p 'read_verilog {}; hierarchy -check -top {}'", sources, array.name),
        array);
    if (HasFailure()) return;
  }
}

TEST(TensorArrayRtl, IsTheSameTextAgain) {
  std::mt19937_64 random(seed());
  for (int i = 0; i < 20; ++i) {
    const arch::TensorArray array = draw(random);
    const hdl::Provenance from{"1.0", "name", "0123"};
    EXPECT_EQ(build_tensor_array(array, from).render(), build_tensor_array(array, from).render());
  }
}

TEST(TensorArrayRtl, ChecksAtOtherSizes) {
  std::mt19937_64 random(seed());
  for (int i = 0; i < 20; ++i) {
    arch::TensorArray array = draw(random);
    array.overflow = arch::Overflow::wrap;
    const hdl::Design design = build_tensor_array(array, {});
    for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 5}, {7, 1}, {5, 9}, {16, 3}}) {
      EXPECT_NO_THROW(design.find(array.name)->check({{"ROWS", rows}, {"COLS", cols}}))
          << rows << " x " << cols << "\n"
          << arch::canonical_form(arch::config_of(array));
    }
  }
}

}  // namespace
}  // namespace weft::rtl

// SPDX-License-Identifier: Apache-2.0
// What the array generator emits, over the whole parameter space: clean under three tools, the same
// bytes again, and legal at other sizes.
#include "rtl_gen/array/tensor_array.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "arch/config.h"
#include "base/tests/run_seed.h"
#include "rtl_gen/hdl/tests/lint.h"

namespace weft::rtl {
namespace {

arch::TensorArray draw(std::mt19937_64& random) {
  arch::TensorArray array =
      arch::random_tensor_array(random, {{"rows", arch::IntRange{1, 4}},
                                         {"cols", arch::IntRange{1, 4}},
                                         {"pe_registers", arch::IntRange{1, 7}}});
  array.name = "drawn";  // a name of one letter may hide a variable of a module; emit() refuses it
  return array;
}

TEST(TensorArrayRtl, IsCleanUnderThreeTools) {
  std::mt19937_64 random(weft::test::run_seed());
  for (int i = 0; i < 24 && !HasFailure(); ++i) {
    const arch::TensorArray array = draw(random);
    EXPECT_EQ(hdl::test::lint(build_tensor_array(array, {}), array.name), "")
        << arch::canonical_form(arch::config_of(array));
  }
}

TEST(TensorArrayRtl, IsTheSameTextAgain) {
  std::mt19937_64 random(weft::test::run_seed());
  for (int i = 0; i < 20; ++i) {
    const arch::TensorArray array = draw(random);
    const hdl::Provenance from{"1.0", "name", "0123"};
    EXPECT_EQ(build_tensor_array(array, from).render(), build_tensor_array(array, from).render());
  }
}

TEST(TensorArrayRtl, ChecksAtOtherSizes) {
  std::mt19937_64 random(weft::test::run_seed());
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

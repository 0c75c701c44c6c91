// SPDX-License-Identifier: Apache-2.0
//
// Generated arrays against the model: drawn anew over the whole parameter space in every run, from
// a seed that is printed and can be given in WEFT_TEST_SEED.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>

#include "arch/config.h"
#include "testbenches/tensor_array/cosim.h"
#include "testbenches/tensor_array/emitted_rtl.h"

namespace weft::verif {
namespace {

std::uint64_t test_seed() {
  const char* given = std::getenv("WEFT_TEST_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : std::random_device{}();
}

int draws() {
  const char* given = std::getenv("WEFT_TEST_DRAWS");
  return given != nullptr ? std::atoi(given) : 45;
}

std::string text_of(const arch::TensorArray& array) {
  return arch::canonical_form(arch::config_of(array));
}

void expect_agreement(const arch::TensorArray& array, std::uint64_t seed) {
  CosimOptions options;
  options.seed = seed;
  options.transactions = 120;
  try {
    const CosimReport report = run_cosim(array, emitted_rtl(array), options);
    EXPECT_TRUE(report.passed()) << report.first_mismatch << "\n" << text_of(array);
    EXPECT_GT(report.totals.elements, 0U);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what() << "\n" << text_of(array);
  }
}

TEST(GeneratedArray, RandomArraysAgreeWithTheModel) {
  const std::uint64_t seed = test_seed();
  std::cout << "WEFT_TEST_SEED=" << seed << "\n";
  std::mt19937_64 random(seed);
  static constexpr const char* dataflows[] = {"weight_stationary", "output_stationary",
                                              "input_stationary"};
  for (int i = 0; i < draws(); ++i) {
    const arch::TensorArray array =
        arch::random_tensor_array(random, {{"dataflow", arch::Choice{{dataflows[i % 3]}, ""}},
                                           {"rows", arch::IntRange{1, 9}},
                                           {"cols", arch::IntRange{1, 9}},
                                           {"pe_registers", arch::IntRange{1, 10}}});
    expect_agreement(array, random());
  }
}

}  // namespace
}  // namespace weft::verif

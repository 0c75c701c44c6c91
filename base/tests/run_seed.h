// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

namespace weft::test {

/// The seed of a random test: a new one in every run, or $WEFT_TEST_SEED, which repeats a run.
/// Prints it.
inline std::uint64_t run_seed() {
  const char* const given = std::getenv("WEFT_TEST_SEED");
  const std::uint64_t seed =
      given != nullptr ? std::stoull(given, nullptr, 0) : std::random_device{}();
  std::cout << "WEFT_TEST_SEED=" << seed << "\n";
  return seed;
}

}  // namespace weft::test

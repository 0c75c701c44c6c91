// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl::test {

/// The value of a port: character k is bit k, '0', '1' or 'x'.
using Bits = std::string;

/// The low `width` bits of `value`.
Bits bits(std::uint64_t value, int width);
/// Bits [base +: width] as a number. Throws if one of them is unknown.
std::uint64_t number(const Bits& value, int base, int width);
/// Whether bit k is 1. Throws if it is unknown.
bool is_set(const Bits& value, int k);

/// Values of ports in one cycle, by their names.
using Values = std::map<std::string, Bits>;

/// Simulates `top` (Icarus): one cycle of reset, then cycle t with `inputs[t]` on all inputs but
/// clk_i and rst_ni, which change behind the clock edge as registers do. Gives all outputs as they
/// stand before the edge that ends the cycle.
std::vector<Values> simulate(const hdl::Design& design, const hdl::Module& top,
                             const hdl::ParameterValues& parameters,
                             const std::vector<Values>& inputs);

/// Random numbers of a seed that is printed, and taken from WEFT_TEST_SEED if that is set.
class Random {
 public:
  Random();
  /// 0 .. end - 1.
  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(engine_); }
  /// True in `percent` of 100 cases.
  bool chance(int percent) { return below(100) < percent; }
  /// `width` bits, each one with this chance.
  Bits draw(int width, int percent = 50);

 private:
  std::mt19937_64 engine_;
};

}  // namespace weft::rtl::test

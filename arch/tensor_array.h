// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "arch/params/declaration.h"
#include "arch/params/random.h"

namespace weft::arch {

enum class Dataflow { weight_stationary, output_stationary, input_stationary };
enum class Overflow { wrap, saturate };
enum class Skew { internal, external };
enum class ClockGating { none, per_row };

/// A two's complement or unsigned integer of 2 to 16 bits; written int8, uint4 ... in
/// configurations.
struct IntFormat {
  int bits = 8;
  bool is_signed = true;

  [[nodiscard]] std::int64_t min() const {
    return is_signed ? -(std::int64_t{1} << (bits - 1)) : 0;
  }
  [[nodiscard]] std::int64_t max() const {
    return (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  }
  bool operator==(const IntFormat&) const = default;
};

/// The words that configurations use: "weight_stationary", "saturate", "internal", "int8".
[[nodiscard]] std::string to_string(Dataflow dataflow);
[[nodiscard]] std::string to_string(Overflow overflow);
[[nodiscard]] std::string to_string(Skew skew);
[[nodiscard]] std::string to_string(ClockGating gating);
[[nodiscard]] std::string to_string(const IntFormat& format);

/// Everything that defines a tensor array (docs/tensor_array.md). The members are the parameters
/// that tensor_array.cpp declares, with legal values, unit and meaning, and hold their defaults.
/// After reading a configuration every member has its final value.
struct TensorArray {
  std::string name = "tensor_array";
  int rows = 16;
  int cols = 16;
  Dataflow dataflow = Dataflow::weight_stationary;
  IntFormat stationary_format;
  IntFormat moving_format;
  int macs_per_pe = 1;
  int max_depth = 0;          ///< 0 only before resolved()
  int accumulator_width = 0;  ///< 0 only before resolved()
  Overflow overflow = Overflow::wrap;
  int multiplier_stages = 0;
  int adder_stages = 0;
  int pe_registers = 1;
  int stationary_buffers = 2;
  int load_rows_per_cycle = 1;
  Skew skew = Skew::internal;
  int tag_width = 8;
  bool operand_isolation = false;
  ClockGating clock_gating = ClockGating::none;

  bool operator==(const TensorArray&) const = default;

  /// Results are signed when either operand is.
  [[nodiscard]] bool accumulator_signed() const {
    return stationary_format.is_signed || moving_format.is_signed;
  }
  [[nodiscard]] bool output_stationary() const { return dataflow == Dataflow::output_stationary; }
  /// Reduction steps that one moving vector (or one output-stationary step) contributes to a
  /// result.
  [[nodiscard]] int depth() const { return output_stationary() ? macs_per_pe : rows * macs_per_pe; }
};

template <>
const Declaration<TensorArray>& declaration();

/// The array with `max_depth` and `accumulator_width` as `auto` gives them where they are 0: what a
/// configuration that leaves them out describes. For arrays that are built in code.
[[nodiscard]] TensorArray resolved(TensorArray array);

/// The least number of bits that hold every sum of 0 to max_depth products exactly.
[[nodiscard]] int exact_accumulator_width(const TensorArray& array);

/// A legal array, drawn from the whole space or a part of it that `narrowed` gives, for
/// example {{"rows", IntRange{1, 12}}, {"dataflow", Choice{{"output_stationary"}}}}.
[[nodiscard]] TensorArray random_tensor_array(std::mt19937_64& random,
                                              const Narrowed& narrowed = {});

}  // namespace weft::arch

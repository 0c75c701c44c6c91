// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace weft::arch {

enum class Dataflow { weight_stationary, output_stationary, input_stationary };
enum class Overflow { wrap, saturate };
enum class Skew { internal, external };

/// A two's complement or unsigned integer of 2 to 16 bits; written int8, uint4 ... in configurations.
struct IntFormat {
  int bits = 8;
  bool is_signed = true;

  [[nodiscard]] std::int64_t min() const { return is_signed ? -(std::int64_t{1} << (bits - 1)) : 0; }
  [[nodiscard]] std::int64_t max() const {
    return (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  }
  bool operator==(const IntFormat&) const = default;
};

/// Everything that defines a tensor array (docs/tensor_array.md). After reading a configuration
/// every member has its final value: `auto` defaults are resolved.
struct TensorArray {
  std::string name = "tensor_array";
  int rows = 16;
  int cols = 16;
  Dataflow dataflow = Dataflow::weight_stationary;
  IntFormat stationary_format;
  IntFormat moving_format;
  int macs_per_pe = 1;            ///< MACs of one PE and cycle: 1, 2 or 4
  int max_depth = 0;              ///< longest reduction that the accumulator must hold exactly
  int accumulator_width = 0;      ///< bits of a partial sum and of a result element
  Overflow overflow = Overflow::wrap;
  int multiplier_stages = 0;      ///< pipeline registers in or behind each multiplier, 0..3
  int adder_stages = 0;           ///< pipeline registers behind each PE's product adder tree, 0..3
  int pe_registers = 1;           ///< forward registers after every n PEs, both directions
  int stationary_buffers = 2;     ///< 1 | 2
  int load_rows_per_cycle = 1;    ///< 1 | 2 | 4
  Skew skew = Skew::internal;
  int tag_width = 8;              ///< bits of the tag that travels with each vector

  bool operator==(const TensorArray&) const = default;

  /// Results are signed when either operand is.
  [[nodiscard]] bool accumulator_signed() const {
    return stationary_format.is_signed || moving_format.is_signed;
  }
  [[nodiscard]] bool output_stationary() const { return dataflow == Dataflow::output_stationary; }
  /// Reduction steps that one moving vector (or one output-stationary step) contributes to a result.
  [[nodiscard]] int depth() const { return output_stationary() ? macs_per_pe : rows * macs_per_pe; }
};

}  // namespace weft::arch

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch/tensor_array.h"
#include "rtl_gen/arithmetic/booth.h"
#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// The parameters that every grid of PEs has.
struct GridParameters {
  explicit GridParameters(hdl::Module& grid, const arch::TensorArray& array);

  hdl::Expr rows;
  hdl::Expr cols;
  hdl::Expr macs;
  hdl::Expr stationary_width;
  hdl::Expr moving_width;
  hdl::Expr pe_registers;
};

/// How products are accumulated.
enum class Accumulation {
  /// Down a column, wrapping; the caller starts the chain at minus the bias of all products.
  chain,
  /// In place, wrapping; each step takes off the bias of its products.
  exact,
  /// Exact, for the low DOT_WIDTH bits of a sum; the two bits above are what the step owes the high
  /// bits: -1, 0 or 1, to be added one cycle later. No carry then runs through a whole sum.
  deferred,
  /// Exact, held at the largest or smallest accumulator.
  saturating
};

/// What operand isolation replaces when a moving element is zero.
enum class Isolation {
  none,
  /// The product: the multiplier sees operands that both stay.
  product,
  /// The multiplier's digits, so that it is still though the stationary operand changes.
  digits
};

/// The operands of a PE in one cycle.
struct PeOperands {
  hdl::Expr moving;      ///< MACS elements; any value where `zero` says so
  hdl::Expr stationary;  ///< MACS elements
  hdl::Expr zero = 0;    ///< one bit an element: the moving one is zero (with isolation)
};

/// Bits of a biased dot product of `array` (DOT_WIDTH).
int biased_dot_width(const arch::TensorArray& array);

/// What the PEs of a grid compute: MACS products, their sum, and its accumulation; with the
/// pipeline registers between them. Lives in the grid's module, as functions and as arrays with one
/// element a PE that the grid's in-place block updates.
class PeArithmetic {
 public:
  /// Declares widths and functions in `grid`. `result_width`: bits of what leaves the accumulation.
  PeArithmetic(hdl::Module& grid, const GridParameters& parameters, const arch::TensorArray& array,
               const hdl::Expr& result_width, Accumulation accumulation, Isolation isolation);

  /// Bits of the accumulator registers.
  [[nodiscard]] const hdl::Expr& width() const { return width_; }
  /// Bits of a biased dot product.
  [[nodiscard]] const hdl::Expr& dot_width() const { return dot_width_; }
  /// Declares the pipeline registers of `rows` rows in `scope`; before its in-place block.
  void declare_pipeline(hdl::Scope& scope, const hdl::Expr& rows);
  /// The biased dot product of PE (r, c) in this cycle, `width()` bits (saturating: DOT_WIDTH
  /// bits).
  [[nodiscard]] hdl::Expr dot(const PeOperands& operands, const hdl::Expr& r,
                              const hdl::Expr& c) const;
  /// acc + dot, with the array's overflow behaviour.
  [[nodiscard]] hdl::Expr accumulate(const hdl::Expr& acc, const hdl::Expr& dot) const;
  /// Moves the pipeline of PE (r, c) one stage on; after its dot() has been used.
  [[nodiscard]] hdl::Body shift(const PeOperands& operands, const hdl::Expr& r,
                                const hdl::Expr& c) const;
  [[nodiscard]] bool pipelined() const { return multiplier_stages_ + adder_stages_ > 0; }
  /// What the biases of the products of a whole column add up to, `width()` bits (chain).
  [[nodiscard]] hdl::Expr column_bias() const;

 private:
  void declare_products(int parts);
  void declare_accumulate(bool is_signed);
  /// Arguments of a function of the operands; those of the product itself come with `zero` only if
  /// that is where it counts.
  [[nodiscard]] std::vector<hdl::Expr> arguments(const PeOperands& operands, bool zero) const;
  /// The sum of the products in the multipliers' last registers.
  [[nodiscard]] hdl::Expr added_products(const hdl::Expr& r, const hdl::Expr& c) const;

  hdl::Module& grid_;
  GridParameters parameters_;
  int multiplier_stages_;
  int adder_stages_;
  Accumulation accumulation_;
  Isolation isolation_;
  bool recode_moving_;
  Booth booth_;
  hdl::Expr dot_width_;
  hdl::Expr width_;
  std::vector<hdl::Function> partial_;      ///< one a group of digits: all MACS partial products
  std::optional<hdl::Function> add_pairs_;  ///< sums of two registers of partial products
  std::optional<hdl::Function> add_macs_;   ///< sum of MACS products
  std::optional<hdl::Function> dot_;        ///< unpipelined dot product
  std::optional<hdl::Function> accumulate_;
  std::vector<std::vector<hdl::Expr>> product_q_;  ///< [stage][group], element [r][c]
  std::vector<hdl::Expr> zero_q_;                  ///< [stage] of the products, if isolated there
  std::vector<hdl::Expr> dot_q_;                   ///< [stage]
};

}  // namespace weft::rtl

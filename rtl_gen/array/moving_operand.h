// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "rtl_gen/array/pe_arithmetic.h"
#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// The moving operand on its way to the right through a grid: `moving_at[r][c]`, MACS elements
/// each. Elements c < EDGE are given in every cycle, element c + EDGE was element c in the last
/// one, and is what column c multiplies.
///
/// With operand isolation `zero_at` goes along, a bit an element: an element that is zero is left
/// out of moving_at, whose register then keeps what it held. It tells the neighbour so in turn.
class MovingOperand {
 public:
  /// Declares the functions that isolation needs in `grid`; `edge` is the name and value of EDGE.
  MovingOperand(hdl::Module& grid, const GridParameters& parameters, const hdl::Expr& edge,
                const std::string& edge_name, bool isolated);

  /// Declares the registers of `rows` rows in `scope`.
  void declare(hdl::Scope& scope, const hdl::Expr& rows);
  /// Elements c < EDGE of row r are `row`, MACS elements.
  [[nodiscard]] hdl::Body given(const hdl::Expr& row, const hdl::Expr& r, const hdl::Expr& c) const;
  /// Moves row r one forward register on; after its operands have been used.
  [[nodiscard]] hdl::Body shift(const hdl::Expr& r, const hdl::Expr& c) const;
  /// What PE (r, c) multiplies.
  [[nodiscard]] PeOperands operands(const hdl::Expr& stationary, const hdl::Expr& r,
                                    const hdl::Expr& c) const;

 private:
  GridParameters parameters_;
  hdl::Expr edge_;
  std::string edge_name_;
  hdl::Expr bits_;
  std::optional<hdl::Function> zeros_;  ///< which elements are zero
  std::optional<hdl::Function> taken_;  ///< what a register becomes
  hdl::Expr moving_ = 0;
  hdl::Expr zero_ = 0;
};

}  // namespace weft::rtl

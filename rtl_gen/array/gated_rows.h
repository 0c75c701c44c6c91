// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rtl_gen/array/moving_operand.h"
#include "rtl_gen/array/pe_arithmetic.h"
#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// What a weight- or input-stationary grid has declared when its rows are built; widths in bits.
struct StationaryGrid {
  hdl::Module& module;
  const GridParameters& parameters;
  PeArithmetic& pe;
  MovingOperand& moving;
  hdl::Expr load_rows, psum_width, moving_bits, held_bits;
  hdl::Expr edge;   ///< EDGE
  hdl::Expr tiles;  ///< rows of tiles of PE_REGISTERS x PE_REGISTERS PEs
  hdl::Expr start;  ///< what the partial sum of a column starts from
  hdl::Expr clk, advance;
  hdl::Expr load, stationary, moving_in, result;  ///< ports
  hdl::Expr switch_in;                            ///< port, if there are two stationary buffers
  bool doubled;                                   ///< there are
};

/// The PEs as two blocks for each row of tiles: one for what streams (moving operand, products,
/// partial sums) and one for what is held (stationary elements, and the flags that move them). Each
/// has a clock of its own, from `clock_gate` and a bit of the ports moving_on_i and held_on_i,
/// which this declares.
class GatedRows {
 public:
  GatedRows(StationaryGrid grid, const hdl::Module& clock_gate)
      : grid_(std::move(grid)), clock_gate_(clock_gate) {}
  void build(const hdl::Expr& moving_on, const hdl::Expr& held_on);

 private:
  hdl::Expr gated_clock(hdl::Scope& s, const std::string& name, const hdl::Expr& enable) const;
  void build_streaming(hdl::Scope& s, const hdl::Expr& t, const hdl::Expr& clock);
  void build_held(hdl::Scope& s, const hdl::Expr& clock);
  /// What the partial sums of row t start from: the last ones of the row above.
  [[nodiscard]] hdl::Expr sums_above(hdl::Scope& s, const hdl::Expr& t) const;
  /// What each row of row t of tiles would load.
  [[nodiscard]] hdl::Expr rows_to_load(hdl::Scope& s) const;

  StationaryGrid grid_;
  const hdl::Module& clock_gate_;
  hdl::Expr held_bits_ = 0, row_bits_ = 0;
  hdl::Expr r_ = 0, c_ = 0;                      ///< loop variables
  hdl::Expr first_ = 0, height_ = 0;             ///< rows of this row of tiles
  hdl::Expr psum_ = 0, active_ = 0, chain_ = 0;  ///< registers; chain_: the load chain
};

}  // namespace weft::rtl

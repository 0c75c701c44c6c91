// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rtl_gen/array/moving_operand.h"
#include "rtl_gen/array/output_sums.h"
#include "rtl_gen/array/pe_arithmetic.h"
#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// What an output-stationary grid has declared when its rows are built; widths in bits.
struct OutputGrid {
  hdl::Module& module;
  const GridParameters& parameters;
  PeArithmetic& pe;
  MovingOperand& moving;
  const OutputSums& sums;
  hdl::Expr moving_bits, stationary_bits;
  hdl::Expr edge;   ///< COL_EDGE
  hdl::Expr tiles;  ///< rows of tiles of PE_REGISTERS x PE_REGISTERS PEs
  hdl::Expr clk, advance;
  hdl::Expr moving_in, stationary_in, drain_in, result;  ///< ports
  hdl::Expr last_in;                                     ///< port, if there are drain registers
  bool doubled;                                          ///< there are
};

/// The PEs as a block for each row of tiles, with a clock of its own from `clock_gate`. Where the
/// clock stands zeros have been multiplied for so long that nothing would change but the carries
/// that sums owe, and these go with them.
class GatedOutputRows {
 public:
  GatedOutputRows(OutputGrid grid, const hdl::Module& clock_gate)
      : grid_(std::move(grid)), clock_gate_(clock_gate) {}
  /// `on`: a port, a bit for each row of tiles.
  void build(const hdl::Expr& on);

 private:
  void build_row(hdl::Scope& s, const hdl::Expr& t, const hdl::Expr& clock);
  /// What comes to tile row t from above, `width` bits: `top` for the first one, else the low bits
  /// of the registers of the tile row above it.
  hdl::Expr from_above(hdl::Scope& s, const std::string& name, const hdl::Expr& t,
                       const hdl::Expr& top, const hdl::Expr& registers,
                       const hdl::Expr& width) const;

  OutputGrid grid_;
  const hdl::Module& clock_gate_;
  hdl::Expr r_ = 0, c_ = 0;           ///< loop variables
  hdl::Expr first_ = 0, height_ = 0;  ///< rows of this row of tiles
  std::vector<hdl::Expr>
      bottom_;  ///< what leaves the row of tiles that was built, by part of a sum
};

}  // namespace weft::rtl

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rtl_gen/array/pe_arithmetic.h"
#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// The sums of an output-stationary grid. A sum is one register a PE; or two, where a sum much
/// wider than its products would be one long carry chain: the low bits with a carry that they owe,
/// and the high bits. Both move alike; what they become in a step differs.
class OutputSums {
 public:
  /// Declares the widths in `grid`, whose sums have `width` bits; `split` if there are two parts.
  OutputSums(hdl::Module& grid, const PeArithmetic& pe, const hdl::Expr& width, bool split);

  struct Part {
    std::string suffix;  ///< of the names of its signals
    hdl::Expr bits;      ///< of a PE
    std::string note;
  };
  [[nodiscard]] bool split() const { return parts_.size() == 2; }
  /// High bits first: what they become follows from the low ones before these change.
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

  /// Where a part is kept: arrays with an element a PE that an in-place block updates.
  struct Registers {
    hdl::Expr sum;
    hdl::Expr leaving;  ///< on its way down: the same array, or that of the drain registers
    hdl::Expr above;    ///< what column c of the first row gets from above
  };
  /// One row of PEs after another, from the bottom up, does in a cycle: a step is added, or a sum
  /// moves down (drain_at); with drain registers a finished sum goes there (last_at).
  [[nodiscard]] hdl::Body row(const std::vector<Registers>& registers, const hdl::Expr& r,
                              const hdl::Expr& c, const hdl::Expr& columns, const hdl::Expr& dot,
                              const hdl::Expr& drain_at,
                              const std::optional<hdl::Expr>& last_at) const;
  /// Drives `result` with the columns of the last row, given by part; a carry that is owed is added
  /// on the way.
  void show(hdl::Module& grid, const std::vector<hdl::Expr>& bottom, const hdl::Expr& result,
            const hdl::Expr& columns) const;

 private:
  /// What part `index` becomes in a step; `sums` are all parts of a PE's sum before it.
  [[nodiscard]] hdl::Expr next(std::size_t index, const std::vector<hdl::Expr>& sums,
                               const hdl::Expr& dot) const;

  const PeArithmetic& pe_;
  hdl::Expr width_;
  hdl::Expr low_width_, high_width_ = 0;
  std::vector<Part> parts_;
};

}  // namespace weft::rtl

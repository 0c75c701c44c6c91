// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// One operand of a multiplier: its width parameter and how it is read.
struct Operand {
  hdl::Expr width;
  bool is_signed = true;
};

/// Radix-4 Booth multiplication, written as word-level rows (A. D. Booth, 1951; modified by
/// O. L. MacSorley, "High-speed arithmetic in binary computers", Proc. IRE 49, 1961).
///
/// The recoded operand is read in DIGITS digits of -2 .. 2, each of which selects one row: the
/// multiplicand times the digit. A row is kept unsigned by inverting its sign bit, which adds
/// 2^(ROW - 1) to it; so the sum of the rows is the product plus
///
///     BIAS = 2^(ROW - 1) * (1 + 4 + ... + 4^(DIGITS - 1)),
///
/// a constant that the user of a chain of products takes off once, at its end, in place of
/// sign-extending every row. A biased product is below 2^(2 * DIGITS + ROW - 1).
class Booth {
 public:
  /// Declares DIGITS, ROW_WIDTH and PRODUCT_WIDTH in `module`. Call rows() for the logic.
  Booth(hdl::Module& module, const Operand& recoded, const Operand& multiplicand);

  [[nodiscard]] const hdl::Expr& product_width() const { return product_width_; }

  /// The constant BIAS in `width` bits (at least PRODUCT_WIDTH).
  [[nodiscard]] hdl::Expr bias(const hdl::Expr& width) const;

  /// Declares function `name(recoded, multiplicand)`: the sum of rows begin .. end - 1 of the
  /// `parts` equal groups that the digits are dealt to, in `width` bits; group `part` of `parts`.
  /// The groups of one product add up to the biased product. `with_zero`: a third argument of one
  /// bit, `zero`, makes all digits 0 whatever the operands are.
  hdl::Function rows(const std::string& name, const hdl::Expr& width, int part, int parts,
                     bool with_zero = false) const;

 private:
  hdl::Module& module_;
  Operand recoded_;
  Operand multiplicand_;
  hdl::Expr digits_;
  hdl::Expr row_width_;
  hdl::Expr product_width_;
};

}  // namespace weft::rtl

// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/arithmetic/booth.h"

namespace weft::rtl {

using namespace hdl;

Booth::Booth(Module& module, const Operand& recoded, const Operand& multiplicand)
    : module_(module),
      recoded_(recoded),
      multiplicand_(multiplicand),
      // An unsigned operand gets a zero above it, and so at most one digit more.
      digits_(module.localparam("DIGITS",
                                recoded.is_signed ? (recoded.width + 1) / 2 : recoded.width / 2 + 1,
                                "Booth digits of -2 .. 2")),
      row_width_(module.localparam(
          "ROW_WIDTH", multiplicand.is_signed ? multiplicand.width + 1 : multiplicand.width + 2,
          "bits of digit * multiplicand")),
      product_width_(module.localparam("PRODUCT_WIDTH", 2 * digits_ + row_width_ - 1,
                                       "bits of a biased product")) {}

Expr Booth::bias(const Expr& width) const {
  return zext(rep(digits_, bin(2, 1)), width) << (row_width_ - 1);
}

Function Booth::rows(const std::string& name, const Expr& width, int part, int parts,
                     bool with_zero) const {
  return module_.function(name, width, [&](FunctionBuilder& f) -> Body {
    const Expr recoded = f.input("recoded", recoded_.width);
    const Expr multiplicand = f.input("multiplicand", multiplicand_.width);
    const Expr zero = with_zero ? f.input("zero", 1) : Expr(0);
    const Expr i = f.integer("i");
    const Expr bits = f.variable("bits", 2 * digits_ + 1);
    const Expr digit = f.variable("digit", 3);
    const Expr once = f.variable("once", 1);
    const Expr twice = f.variable("twice", 1);
    const Expr carry = f.variable("carry", 1);
    const Expr row = f.variable("row", row_width_);
    const Expr sum = f.result();

    const Expr above = recoded_.is_signed ? recoded.at(recoded_.width - 1) : bin(1, 0);
    const Expr single = multiplicand_.is_signed
                            ? cat({multiplicand.at(multiplicand_.width - 1), multiplicand})
                            : cat({bin(2, 0), multiplicand});
    const Expr doubled = multiplicand_.is_signed ? cat({multiplicand, bin(1, 0)})
                                                 : cat({bin(1, 0), multiplicand, bin(1, 0)});
    const Expr negative = digit.at(2);
    const Expr first = part == 0 ? Expr(0) : digits_ * part / parts;
    const Expr last = part + 1 == parts ? digits_ : digits_ * (part + 1) / parts;

    return {
        set(bits, cat({rep(2 * digits_ - recoded_.width, above), recoded, bin(1, 0)})),
        set(carry, 0),
        set(sum, 0),
        For(i, first, last,
            {set(digit, with_zero ? bits.part(2 * i, 3) & rep(3, ~zero) : bits.part(2 * i, 3)),
             set(once, digit.at(1) ^ digit.at(0)), set(twice, (digit.at(2) ^ digit.at(1)) & ~once),
             set(row, ((rep(row_width_, once) & single) | (rep(row_width_, twice) & doubled)) ^
                          cat({~negative, rep(row_width_ - 1, negative)})),
             remark("The +1 of a negated row goes into the empty bits below the next one."),
             set(sum,
                 sum + ((zext(row, width) << (2 * i)) | ((zext(carry, width) << (2 * i)) >> 2))),
             set(carry, negative)}),
        set(sum, sum + ((zext(carry, width) << (2 * last)) >> 2)),
    };
  });
}

}  // namespace weft::rtl

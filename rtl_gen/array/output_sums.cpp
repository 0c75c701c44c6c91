// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/array/output_sums.h"

namespace weft::rtl {

using namespace hdl;

namespace {

/// The carry of -1, 0 or 1 above the `low_width` low bits of `sum`, as `width` bits.
Expr carry(const Expr& sum, const Expr& low_width, const Expr& width) {
  return rep(width, sum.at(low_width + 1)) | zext(sum.at(low_width), width);
}

}  // namespace

OutputSums::OutputSums(Module& grid, const PeArithmetic& pe, const Expr& width, bool split)
    : pe_(pe), width_(width), low_width_(pe.dot_width()) {
  if (!split) {
    parts_.push_back({"", pe.width(), "sums"});
    return;
  }
  grid.require(width > low_width_, "ACC_WIDTH_must_exceed_DOT_WIDTH");
  high_width_ =
      grid.localparam("HIGH_WIDTH", width - low_width_, "bits of a sum above a dot product");
  parts_.push_back({"_high", high_width_, "the high bits, without the last step's carry"});
  parts_.push_back({"_low", pe.width(), "the low bits, and the carry that they owe"});
}

Expr OutputSums::next(std::size_t index, const std::vector<Expr>& sums, const Expr& dot) const {
  if (split() && index == 0) return sums[0] + carry(sums[1], low_width_, high_width_);
  return pe_.accumulate(sums[index], dot);
}

Body OutputSums::row(const std::vector<Registers>& registers, const Expr& r, const Expr& c,
                     const Expr& columns, const Expr& dot, const Expr& drain_at,
                     const std::optional<Expr>& last_at) const {
  const auto at = [&](const Expr& signal) { return signal.at(r).at(c); };
  const auto each = [&](const Stmt& statement) { return For(c, 0, columns, {statement}); };
  std::vector<Expr> here;
  for (const Registers& part : registers) here.push_back(at(part.sum));
  Body body;
  for (std::size_t part = 0; part < registers.size(); ++part) {
    const Expr leaving = at(registers[part].leaving);
    const Expr following = next(part, here, dot);
    const auto moves = [&](const Expr& from_above) {
      return last_at ? mux(at(*last_at), here[part], mux(at(drain_at), from_above, leaving))
                     : mux(at(drain_at), from_above, following);
    };
    const Expr above = registers[part].leaving.at(r - 1).at(c);
    if (last_at) body.push_back(each(set(here[part], following)));
    body.push_back(If(r > 0, {each(set(leaving, moves(above)))})
                       .else_({each(set(leaving, moves(registers[part].above)))}));
    if (last_at)
      body.push_back(
          each(set(here[part], mux(at(*last_at), lit(parts_[part].bits, 0), here[part]))));
  }
  return body;
}

void OutputSums::show(Module& grid, const std::vector<Expr>& bottom, const Expr& result,
                      const Expr& columns) const {
  if (split()) grid.comment("The last step's carry is added on the way out.");
  grid.generate_for("g", 0, columns, "column", [&](Scope& s, const Expr& g) {
    const auto column = [&](std::size_t part, const Expr& bits) {
      return bottom[part].part(g * parts_[part].bits, bits);
    };
    const Expr shown = result.part(g * width_, width_);
    if (!split()) {
      s.assign(shown, column(0, width_));
      return;
    }
    const Expr low = s.let("low", column(1, parts_[1].bits));
    const Expr high = s.let("high", column(0, high_width_) + carry(low, low_width_, high_width_));
    s.assign(shown, cat({high, low(low_width_ - 1, 0)}));
  });
}

}  // namespace weft::rtl

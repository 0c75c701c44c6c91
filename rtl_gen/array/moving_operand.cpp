// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/array/moving_operand.h"

namespace weft::rtl {

using namespace hdl;

MovingOperand::MovingOperand(Module& grid, const GridParameters& parameters, const Expr& edge,
                             const std::string& edge_name, bool isolated)
    : parameters_(parameters),
      edge_(edge),
      edge_name_(edge_name),
      bits_(parameters.macs * parameters.moving_width) {
  if (!isolated) return;
  const Expr& macs = parameters.macs;
  const Expr& width = parameters.moving_width;
  grid.comment("Which elements are zero.");
  zeros_ = grid.function("zeros", macs, [&](FunctionBuilder& f) -> Body {
    const Expr moving = f.input("moving", bits_);
    const Expr m = f.integer("m");
    return {set(f.result(), 0),
            For(m, 0, macs, {set(f.result().at(m), ~any(moving.part(m * width, width)))})};
  });
  grid.comment("The elements that arrive; what is kept in place of those that are zero.");
  taken_ = grid.function("taken", bits_, [&](FunctionBuilder& f) -> Body {
    const Expr zero = f.input("zero", macs);
    const Expr kept = f.input("kept", bits_);
    const Expr arriving = f.input("arriving", bits_);
    const Expr m = f.integer("m");
    const auto element = [&](const Expr& x) { return x.part(m * width, width); };
    return {set(f.result(), 0),
            For(m, 0, macs,
                {set(element(f.result()), mux(zero.at(m), element(kept), element(arriving)))})};
  });
}

void MovingOperand::declare(Scope& scope, const Expr& rows) {
  const std::vector<Expr> dims{rows, parameters_.cols + edge_};
  moving_ = scope.reg_array("moving_at", bits_, dims, Storage::registers,
                            "[c + " + edge_name_ + "]: what column c multiplies");
  if (!zeros_) return;
  zero_ = scope.reg_array("zero_at", parameters_.macs, dims, Storage::registers,
                          "[c]: elements that are zero, and are not passed on in moving_at");
}

Body MovingOperand::given(const Expr& row, const Expr& r, const Expr& c) const {
  Body body{For(c, 0, edge_, {set(moving_.at(r).at(c), row)})};
  if (zeros_) body.push_back(For(c, 0, edge_, {set(zero_.at(r).at(c), (*zeros_)({row}))}));
  return body;
}

Body MovingOperand::shift(const Expr& r, const Expr& c) const {
  const auto here = [&](const Expr& signal) { return signal.at(r).at(c); };
  const auto next = [&](const Expr& signal) { return signal.at(r).at(c + edge_); };
  if (!zeros_) return {ForDown(c, 0, parameters_.cols, {set(next(moving_), here(moving_))})};
  return {ForDown(c, 0, parameters_.cols,
                  {set(next(moving_), (*taken_)({here(zero_), next(moving_), here(moving_)}))}),
          ForDown(c, 0, parameters_.cols, {set(next(zero_), here(zero_))})};
}

PeOperands MovingOperand::operands(const Expr& stationary, const Expr& r, const Expr& c) const {
  return {moving_.at(r).at(c + edge_), stationary, zeros_ ? zero_.at(r).at(c + edge_) : Expr(0)};
}

}  // namespace weft::rtl

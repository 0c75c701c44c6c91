// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/array/pe_arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace weft::rtl {

using namespace hdl;

namespace {

int digits(const arch::IntFormat& format) {
  return format.is_signed ? (format.bits + 1) / 2 : format.bits / 2 + 1;
}

}  // namespace

int biased_dot_width(const arch::TensorArray& array) {
  const int moving = digits(array.moving_format);
  const int stationary = digits(array.stationary_format);
  const arch::IntFormat& other =
      moving <= stationary ? array.stationary_format : array.moving_format;
  const int row = other.bits + (other.is_signed ? 1 : 2);
  return 2 * std::min(moving, stationary) + row - 1 +
         static_cast<int>(std::bit_width(static_cast<unsigned>(array.macs_per_pe - 1)));
}

GridParameters::GridParameters(Module& grid, const arch::TensorArray& array)
    : rows(grid.parameter("ROWS", array.rows, "PE rows, >= 1")),
      cols(grid.parameter("COLS", array.cols, "PE columns, >= 1")),
      macs(grid.parameter("MACS", array.macs_per_pe, "products of a PE and cycle, >= 1")),
      stationary_width(grid.parameter("STATIONARY_WIDTH", array.stationary_format.bits,
                                      "bits of an element, >= 2")),
      moving_width(
          grid.parameter("MOVING_WIDTH", array.moving_format.bits, "bits of an element, >= 2")),
      pe_registers(grid.parameter("PE_REGISTERS", array.pe_registers,
                                  "PEs between forward registers, >= 1")) {
  // Rows and columns at the edge differ, those between are alike.
  for (const char* const side : {"ROWS", "COLS"}) {
    grid.grows({.parameter = side, .degree = 1, .samples = {2, 8}, .period = "PE_REGISTERS"});
  }
}

PeArithmetic::PeArithmetic(Module& grid, const GridParameters& parameters,
                           const arch::TensorArray& array, const Expr& result_width,
                           Accumulation accumulation, Isolation isolation)
    : grid_(grid),
      parameters_(parameters),
      multiplier_stages_(array.multiplier_stages),
      adder_stages_(array.adder_stages),
      accumulation_(accumulation),
      isolation_(isolation),
      // Fewer digits, fewer rows to add.
      recode_moving_(digits(array.moving_format) <= digits(array.stationary_format)),
      booth_(
          grid,
          recode_moving_ ? Operand{parameters.moving_width, array.moving_format.is_signed}
                         : Operand{parameters.stationary_width, array.stationary_format.is_signed},
          recode_moving_ ? Operand{parameters.stationary_width, array.stationary_format.is_signed}
                         : Operand{parameters.moving_width, array.moving_format.is_signed}),
      dot_width_(grid.localparam("DOT_WIDTH", booth_.product_width() + clog2(parameters.macs),
                                 "bits of a biased dot product")),
      width_(accumulation == Accumulation::saturating ? result_width
             : accumulation == Accumulation::deferred
                 ? grid.localparam("SUM_WIDTH", dot_width_ + 2,
                                   "the low bits of a sum, and a carry of -1 .. 1")
                 : grid.localparam("SUM_WIDTH",
                                   mux(result_width > dot_width_, result_width, dot_width_),
                                   "bits of a biased partial sum")) {
  const int parts = multiplier_stages_ == 0 ? 1 : 1 << (multiplier_stages_ - 1);
  declare_products(parts);
  if (accumulation != Accumulation::chain) declare_accumulate(array.accumulator_signed());
}

void PeArithmetic::declare_products(int parts) {
  const Expr& macs = parameters_.macs;
  const Expr moving_bits = macs * parameters_.moving_width;
  const Expr stationary_bits = macs * parameters_.stationary_width;
  const bool at_digits = isolation_ == Isolation::digits;
  const bool at_product = isolation_ == Isolation::product;
  const auto zero_input = [&](FunctionBuilder& f, bool used) {
    return used ? f.input("zero", macs) : Expr(0);
  };
  const auto operands = [&](const PeOperands& all, const Expr& m) {
    const Expr a = all.moving.part(m * parameters_.moving_width, parameters_.moving_width);
    const Expr b =
        all.stationary.part(m * parameters_.stationary_width, parameters_.stationary_width);
    std::vector<Expr> one = recode_moving_ ? std::vector<Expr>{a, b} : std::vector<Expr>{b, a};
    if (at_digits) one.push_back(all.zero.at(m));
    return one;
  };
  const auto isolated = [&](const Expr& value, const Expr& zero, const Expr& m, const Expr& bias) {
    return at_product ? mux(zero.at(m), bias, value) : value;
  };
  const auto zero_product = [&](const Expr& width) {
    return at_product ? grid_.constant("ZERO_PRODUCT", width, booth_.bias(width),
                                       "the biased product of zero")
                      : Expr(0);
  };
  if (multiplier_stages_ == 0) {
    const bool fused = accumulation_ != Accumulation::saturating && adder_stages_ == 0;
    const Expr wide = fused ? width_ : dot_width_;
    grid_.comment(
        "Radix-4 Booth product plus a constant bias; each row has its sign bit inverted instead of "
        "extended, the bias makes up for it.");
    const Function multiply = booth_.rows("multiply", wide, 0, 1, at_digits);
    const Expr zero_bias = zero_product(wide);
    grid_.comment("The MACS products of one PE, added up.");
    dot_ = grid_.function("dot", wide, [&](FunctionBuilder& f) -> Body {
      const Expr moving = f.input("moving", moving_bits);
      const Expr stationary = f.input("stationary", stationary_bits);
      const Expr zero = zero_input(f, isolation_ != Isolation::none);
      const Expr m = f.integer("m");
      const Expr product = multiply(operands({moving, stationary, zero}, m));
      return {
          set(f.result(), 0),
          For(m, 0, macs, {set(f.result(), f.result() + isolated(product, zero, m, zero_bias))})};
    });
    return;
  }
  const Expr& product = booth_.product_width();
  grid_.comment(fmt::format(
      "Radix-4 Booth product plus a constant bias; each row has its sign bit inverted instead of "
      "extended, "
      "the bias makes up for it.{}",
      parts > 1
          ? fmt::format(" The rows are added up in {} groups, one a pipeline register.", parts)
          : ""));
  for (int part = 0; part < parts; ++part) {
    const std::string suffix = parts == 1 ? "" : fmt::format("_{}", part);
    const Function multiply = booth_.rows("multiply" + suffix, product, part, parts, at_digits);
    partial_.push_back(
        grid_.function("multiply_all" + suffix, macs * product, [&](FunctionBuilder& f) -> Body {
          const Expr moving = f.input("moving", moving_bits);
          const Expr stationary = f.input("stationary", stationary_bits);
          const Expr zero = zero_input(f, at_digits);
          const Expr m = f.integer("m");
          return {set(f.result(), 0),
                  For(m, 0, macs,
                      {set(f.result().part(m * product, product),
                           multiply(operands({moving, stationary, zero}, m)))})};
        }));
  }
  if (parts > 1) {
    add_pairs_ = grid_.function("add_pairs", macs * product, [&](FunctionBuilder& f) -> Body {
      const Expr a = f.input("a", macs * product);
      const Expr b = f.input("b", macs * product);
      const Expr m = f.integer("m");
      return {set(f.result(), 0),
              For(m, 0, macs,
                  {set(f.result().part(m * product, product),
                       a.part(m * product, product) + b.part(m * product, product))})};
    });
  }
  const Expr zero_bias = zero_product(product);
  grid_.comment("The MACS products of one PE, added up.");
  add_macs_ = grid_.function("add_products", dot_width_, [&](FunctionBuilder& f) -> Body {
    const Expr products = f.input("products", macs * product);
    const Expr zero = zero_input(f, at_product);
    const Expr m = f.integer("m");
    const Expr one = isolated(products.part(m * product, product), zero, m, zero_bias);
    return {set(f.result(), 0),
            For(m, 0, macs, {set(f.result(), f.result() + zext(one, dot_width_))})};
  });
}

void PeArithmetic::declare_accumulate(bool is_signed) {
  const bool saturates = accumulation_ == Accumulation::saturating;
  const bool deferred = accumulation_ == Accumulation::deferred;
  const Expr wide =
      saturates ? grid_.localparam("SUM_WIDTH", mux(width_ > dot_width_, width_, dot_width_) + 1,
                                   "bits that hold acc + dot product exactly")
                : width_;
  const Expr bias = grid_.constant("PRODUCT_BIAS", wide, booth_.bias(wide), "bias of a product");
  grid_.comment(
      deferred     ? "The low bits of acc + dot product, without the bias, and their carry."
      : !saturates ? "acc + dot product, without the bias."
      : is_signed
          ? "acc + dot product without the bias, held at the largest or smallest accumulator."
          : "acc + dot product without the bias, held at the largest accumulator.");
  accumulate_ = grid_.function("accumulate", width_, [&](FunctionBuilder& f) -> Body {
    const Expr acc = f.input("acc", deferred ? dot_width_ : width_);
    const Expr biased = f.input("biased", saturates ? dot_width_ : wide);
    const Expr m = f.integer("m");
    if (!saturates) {
      return {set(f.result(), (deferred ? zext(acc, wide) : acc) + biased),
              For(m, 0, parameters_.macs, {set(f.result(), f.result() - bias)})};
    }
    const Expr sum = f.variable("sum", wide);
    const Expr wide_acc = is_signed ? to_unsigned(sext(acc, wide)) : zext(acc, wide);
    const Expr above = sum(wide - 1, width_ - (is_signed ? 1 : 0));
    Body body{set(sum, wide_acc + zext(biased, wide)),
              For(m, 0, parameters_.macs, {set(sum, sum - bias)})};
    if (is_signed) {
      const Expr negative = sum.at(wide - 1);
      body.push_back(If(any(above) == all(above), {set(f.result(), trunc(sum, width_))})
                         .else_({set(f.result(), cat({negative, rep(width_ - 1, ~negative)}))}));
    } else {
      body.push_back(If(any(above), {set(f.result(), rep(width_, bin(1, 1)))})
                         .else_({set(f.result(), trunc(sum, width_))}));
    }
    return body;
  });
}

void PeArithmetic::declare_pipeline(Scope& scope, const Expr& rows) {
  const std::vector<Expr> dims{rows, parameters_.cols};
  for (int stage = 0; stage < multiplier_stages_; ++stage) {
    const int groups = 1 << (multiplier_stages_ - 1 - stage);
    std::vector<Expr>& registers = product_q_.emplace_back();
    for (int group = 0; group < groups; ++group) {
      registers.push_back(scope.reg_array(
          fmt::format("product{}{}_q", multiplier_stages_ == 1 ? "" : std::to_string(stage + 1),
                      groups == 1 ? "" : fmt::format("_{}", group)),
          parameters_.macs * booth_.product_width(), dims, Storage::registers,
          group > 0 || stage > 0 ? "" : "products on their way through the multiplier"));
    }
    if (isolation_ == Isolation::product) {
      zero_q_.push_back(scope.reg_array(
          fmt::format("zero{}_q", multiplier_stages_ == 1 ? "" : std::to_string(stage + 1)),
          parameters_.macs, dims, Storage::registers,
          stage > 0 ? "" : "products that are zero, whatever their registers say"));
    }
  }
  for (int stage = 0; stage < adder_stages_; ++stage) {
    dot_q_.push_back(scope.reg_array(
        fmt::format("dot{}_q", adder_stages_ == 1 ? "" : std::to_string(stage + 1)), dot_width_,
        dims, Storage::registers, stage > 0 ? "" : "dot products on their way to the sum"));
  }
}

std::vector<Expr> PeArithmetic::arguments(const PeOperands& operands, bool zero) const {
  std::vector<Expr> all{operands.moving, operands.stationary};
  if (zero) all.push_back(operands.zero);
  return all;
}

Expr PeArithmetic::added_products(const Expr& r, const Expr& c) const {
  std::vector<Expr> all{product_q_.back().front().at(r).at(c)};
  if (!zero_q_.empty()) all.push_back(zero_q_.back().at(r).at(c));
  return (*add_macs_)(all);
}

Expr PeArithmetic::dot(const PeOperands& operands, const Expr& r, const Expr& c) const {
  const auto widened = [&](const Expr& x) {
    return accumulation_ == Accumulation::saturating ? x : zext(x, width_);
  };
  if (adder_stages_ > 0) return widened(dot_q_.back().at(r).at(c));
  if (multiplier_stages_ > 0) return widened(added_products(r, c));
  return (*dot_)(arguments(operands, isolation_ != Isolation::none));
}

Expr PeArithmetic::accumulate(const Expr& acc, const Expr& dot) const {
  if (!accumulate_) return acc + dot;
  const bool deferred = accumulation_ == Accumulation::deferred;
  return (*accumulate_)({deferred ? trunc(acc, dot_width_) : acc, dot});
}

Body PeArithmetic::shift(const PeOperands& operands, const Expr& r, const Expr& c) const {
  Body body;
  for (int stage = adder_stages_ - 1; stage >= 0; --stage) {
    const Expr target = dot_q_[stage].at(r).at(c);
    if (stage > 0) {
      body.push_back(set(target, dot_q_[stage - 1].at(r).at(c)));
    } else {
      body.push_back(
          set(target, multiplier_stages_ > 0
                          ? added_products(r, c)
                          : (*dot_)(arguments(operands, isolation_ != Isolation::none))));
    }
  }
  for (int stage = multiplier_stages_ - 1; stage >= 0; --stage) {
    for (std::size_t group = 0; group < product_q_[stage].size(); ++group) {
      const Expr target = product_q_[stage][group].at(r).at(c);
      if (stage > 0) {
        const auto& before = product_q_[stage - 1];
        body.push_back(set(target, (*add_pairs_)({before[2 * group].at(r).at(c),
                                                  before[2 * group + 1].at(r).at(c)})));
      } else {
        body.push_back(
            set(target, partial_[group](arguments(operands, isolation_ == Isolation::digits))));
      }
    }
    if (!zero_q_.empty()) {
      body.push_back(set(zero_q_[stage].at(r).at(c),
                         stage > 0 ? zero_q_[stage - 1].at(r).at(c) : operands.zero));
    }
  }
  return body;
}

Expr PeArithmetic::column_bias() const {
  const Expr one = grid_.constant("PRODUCT_BIAS", width_, booth_.bias(width_), "bias of a product");
  const Expr count =
      grid_.constant("PRODUCTS", 32, parameters_.rows * parameters_.macs, "added up in a result");
  const Expr all =
      grid_.constant("COLUMN_BIAS", width_ + 32, cat({bin(32, 0), one}) * zext(count, width_ + 32),
                     "bias of a result");
  return trunc(all, width_);
}

}  // namespace weft::rtl

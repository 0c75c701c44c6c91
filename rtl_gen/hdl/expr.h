// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft::rtl::hdl {

struct Node;
struct Type;
struct Object;
struct FunctionInfo;
class Stmt;

/// A Verilog expression: an immutable handle, cheap to copy. Every declaration of a Scope returns
/// one; operators, slices and the functions below combine them.
///
/// There are two domains, which Verilog mixes silently and this model keeps apart:
///  - *integers*: parameters, localparams, genvars, loop variables, C++ `int`s and arithmetic on
///    them. 32 bits signed, used for sizes, bounds and indices.
///  - *bits*: signals and sized literals, with a width that is itself an integer expression over
///  the
///    parameters, and a signedness. Operands of one operator have the same width and signedness.
///    zext, sext and trunc change a width, to_signed and to_unsigned the signedness, `fit` makes
///    bits of an integer. A C++ int beside bits becomes a literal of their width.
///
/// An Expr refers to the declarations it names: it is valid as long as their module lives.
class Expr {
 public:
  Expr(int value);  // NOLINT(google-explicit-constructor): sizes are written as plain numbers
  explicit Expr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

  [[nodiscard]] const Node& node() const { return *node_; }
  [[nodiscard]] const Type& type() const;

  /// `x[hi:lo]`; both constant.
  Expr operator()(const Expr& hi, const Expr& lo) const;
  /// Element of an array, or bit of a vector: `x[i]`.
  [[nodiscard]] Expr at(const Expr& index) const;
  /// `x[base +: width]`; width is constant, base may be any integer expression.
  [[nodiscard]] Expr part(const Expr& base, const Expr& width) const;

 private:
  std::shared_ptr<const Node> node_;
};

/// What is known of an expression without values for the parameters.
struct Type {
  enum class Domain { integer, bits, array };
  Domain domain = Domain::integer;
  bool is_signed = true;
  bool constant = false;      ///< known at elaboration: no signal or loop variable in it
  std::optional<Expr> width;  ///< bits and array elements: how many
  std::vector<Expr> dims;     ///< array: remaining unpacked dimensions

  [[nodiscard]] bool is_integer() const { return domain == Domain::integer; }
  [[nodiscard]] bool is_bits() const { return domain == Domain::bits; }
  [[nodiscard]] bool is_array() const { return domain == Domain::array; }
};

/// Width and signedness of a declaration. An int or integer expression is an unsigned vector of so
/// many bits; 1 is a scalar.
struct Vec {
  Vec(int bits) : width(bits) {}              // NOLINT(google-explicit-constructor)
  Vec(Expr bits) : width(std::move(bits)) {}  // NOLINT(google-explicit-constructor)
  Vec(Expr bits, bool sign) : width(std::move(bits)), is_signed(sign) {}
  Expr width;
  bool is_signed = false;
};

/// A two's complement vector of `width` bits.
inline Vec sgn(const Expr& width) { return {width, true}; }

enum class Base : char { bin = 'b', dec = 'd', hex = 'h' };

enum class Op {
  integer,
  literal,
  ref,
  negate,
  bit_not,
  logic_not,
  reduce_and,
  reduce_or,
  reduce_xor,
  add,
  sub,
  mul,
  div,
  mod,
  shift_left,
  shift_right,
  arith_shift_right,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  bit_and,
  bit_xor,
  bit_or,
  logic_and,
  logic_or,
  conditional,
  concat,
  replicate,
  select,
  range,
  part,  // args: vector or array; then index | hi, lo | base, width
  to_signed,
  to_unsigned,
  clog2,
  call,
  iteration,  // args: indices
};

/// How a literal is written.
enum class Spelling {
  sized,    ///< `8'd3`, or built from its parts when the width is a parameter
  decimal,  ///< `3`: beside an operand, or in an assignment, that gives it the width
  one_bit,  ///< `1'b1`: the increment idiom
};

struct Node {
  Op op = Op::integer;
  Type type;
  std::vector<Expr> args;
  std::int64_t value = 0;  ///< integer, literal
  Base base = Base::dec;
  Spelling spelling = Spelling::sized;
  bool whole = false;                      ///< range of an integer: no value may have bits above it
  const Object* object = nullptr;          ///< ref, iteration
  const FunctionInfo* function = nullptr;  ///< call
};

// ---- literals

/// Literal of `width` bits. `value` must fit; a negative value fits an unsigned vector as its two's
/// complement.
Expr lit(const Vec& width, std::int64_t value, Base base = Base::dec);
inline Expr bin(const Vec& width, std::int64_t value) { return lit(width, value, Base::bin); }
inline Expr hex(const Vec& width, std::int64_t value) { return lit(width, value, Base::hex); }

// ---- operators

Expr operator-(const Expr& a);
Expr operator~(const Expr& a);
Expr operator!(const Expr& a);
Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);
Expr operator%(const Expr& a, const Expr& b);
Expr operator<<(const Expr& a, const Expr& amount);
Expr operator>>(const Expr& a, const Expr& amount);  ///< logical, also of signed operands
Expr operator<(const Expr& a, const Expr& b);
Expr operator<=(const Expr& a, const Expr& b);
Expr operator>(const Expr& a, const Expr& b);
Expr operator>=(const Expr& a, const Expr& b);
Expr operator==(const Expr& a, const Expr& b);
Expr operator!=(const Expr& a, const Expr& b);
Expr operator&(const Expr& a, const Expr& b);
Expr operator^(const Expr& a, const Expr& b);
Expr operator|(const Expr& a, const Expr& b);
Expr operator&&(const Expr& a, const Expr& b);
Expr operator||(const Expr& a, const Expr& b);

/// `a >>> amount`: shifts in copies of the sign if `a` is signed.
Expr asr(const Expr& a, const Expr& amount);
Expr all(const Expr& a);     ///< `&a`
Expr any(const Expr& a);     ///< `|a`
Expr parity(const Expr& a);  ///< `^a`

/// `condition ? a : b`.
Expr mux(const Expr& condition, const Expr& a, const Expr& b);
/// `{first, ...}`, most significant first; unsigned.
Expr cat(std::vector<Expr> parts);
/// `{count{x}}`.
Expr rep(const Expr& count, const Expr& x);
/// `$clog2(x)`: bits that count x things; 0 for x = 1. Integers only.
Expr clog2(const Expr& x);
Expr to_signed(const Expr& x);    ///< `$signed(x)`
Expr to_unsigned(const Expr& x);  ///< `$unsigned(x)`

// ---- widths

/// `x` with zeros above it: unsigned, `width` >= its own width.
Expr zext(const Expr& x, const Expr& width);
/// `x` (a signal or an element of an array) with copies of its top bit above it: signed.
Expr sext(const Expr& x, const Expr& width);
/// The low `width` bits of `x` (a signal or an element of an array); keeps its signedness.
Expr trunc(const Expr& x, const Expr& width);
/// The integer `x` (a number, or a named parameter, localparam, genvar or loop variable) as `width`
/// bits, unsigned. Name a longer expression first, with Scope::localparam or Scope::constant.
Expr fit(const Expr& x, const Expr& width);

/// The integer expression `x` modulo 2^width, unsigned, built of +, -, * and what `fit` takes;
/// computed on `width` bits.
Expr wrapped(const Expr& x, const Expr& width);

// ---- other iterations

/// `signal`, declared in the block of a generate loop, in another iteration of that loop:
/// `row[r-1].sum`. Several indices are those of nested loops, outermost first:
/// `row[r-1].col[c].sum`. Reads only. It is usable where the outermost of these loops stands, and
/// inside it. Chains through combinational logic are written this way: linters take an array of
/// wires, whose elements depend on each other, for a combinational loop.
Expr at_iteration(const Expr& signal, const std::vector<Expr>& indices);

// ---- assignment

/// The nonblocking assignment `target <= value`, a statement of a clocked block.
Stmt operator<<=(const Expr& target, const Expr& value);

/// Width of bits; throws HdlError for integers and arrays.
Expr width_of(const Expr& x);

/// The opposite of a condition, as one would write it: `a < b` for `a >= b`.
Expr negated(const Expr& condition);

/// Reference to a declaration.
Expr ref(const Object& object);
/// Call of a function of the same module.
Expr call(const FunctionInfo& function, std::vector<Expr> args);

/// `value` in the width and signedness of `like` if it is a plain number, else unchanged.
Expr adapt(const Expr& value, const Type& like, Spelling spelling);

}  // namespace weft::rtl::hdl

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "rtl_gen/hdl/error.h"
#include "rtl_gen/hdl/expr.h"
#include "rtl_gen/hdl/object.h"
#include "rtl_gen/hdl/statement.h"

namespace weft::rtl::hdl {

class Module;
class Scope;
class GenerateIf;

/// Values for parameters by name, for checks at other sizes than the defaults.
using ParameterValues = std::map<std::string, std::int64_t>;

/// A function of a module. Call it like a C++ function: `guard({ROWS})`.
struct FunctionInfo {
  std::string name;
  std::deque<Object> inputs;
  std::deque<Object> variables;
  Object result;
  Body body;
};

/// Handle of a declared function.
class Function {
 public:
  explicit Function(const FunctionInfo& info) : info_(&info) {}
  Expr operator()(std::vector<Expr> args) const { return call(*info_, std::move(args)); }

 private:
  const FunctionInfo* info_;
};

/// Declares the members of a function while its body is built.
class FunctionBuilder {
 public:
  Expr input(const std::string& name, const Vec& type);
  Expr integer_input(const std::string& name);
  Expr variable(const std::string& name, const Vec& type);
  /// Local integer, also usable as loop variable.
  Expr integer(const std::string& name);
  /// The value to be returned: assign it with set().
  [[nodiscard]] Expr result() const;

 private:
  friend class Scope;
  FunctionBuilder(Scope& scope, FunctionInfo& info) : scope_(scope), info_(info) {}
  Object& add(std::deque<Object>& list, ObjectKind kind, const std::string& name);

  Scope& scope_;
  FunctionInfo& info_;
};

/// A named connection `.name(value)` of a parameter or port.
struct Connection {
  std::string name;
  Expr value;
};

// ---- items of a scope

struct CommentItem {
  std::string text;
};
struct BlankItem {};
struct DeclarationItem {
  const Object* object;
};
struct AssignItem {
  Expr target;
  Expr value;
  std::string note;
};
struct AlwaysItem {
  std::optional<Expr> clock;  ///< none: combinational
  Body body;
  std::string name;  ///< of the named block; empty if it has no loop variable
  std::vector<const Object*> loop_variables;
  bool in_place = false;  ///< clocked, arrays assigned blocking: see Scope::always_in_place
};
/// A generate-for (one scope with a range) or a generate-if chain (one scope a branch).
struct GenerateItem {
  std::vector<std::unique_ptr<Scope>> scopes;
};
struct InstanceItem {
  std::string name;
  const Module* module;
  std::vector<Connection> parameters;
  std::vector<Connection> ports;
};
struct FunctionItem {
  const FunctionInfo* function;
};
struct RequireItem {
  Expr illegal;
  std::string name;
};
using Item = std::variant<CommentItem, BlankItem, DeclarationItem, AssignItem, AlwaysItem,
                          GenerateItem, InstanceItem, FunctionItem, RequireItem>;

/// When the items of a generate block exist.
struct Guard {
  const Object* genvar = nullptr;  ///< of a generate-for: once for each value in begin .. end - 1
  std::optional<Expr> begin;
  std::optional<Expr> end;
  std::optional<Expr> condition;  ///< of a generate-if; none in its else branch
  std::vector<Expr> earlier;      ///< conditions of the branches before it, all false
};

/// A list of items with names of their own: the body of a module or of a generate block. Each
/// function appends one item and checks it at once: names, kinds, and widths at the default
/// parameters.
class Scope {
 public:
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  virtual ~Scope() = default;

  // -- text
  void comment(
      std::string text);  ///< lines of their own before the next item, wrapped when printed
  void blank();           ///< empty line, ends the alignment of columns

  // -- declarations; `note` is printed behind them
  Expr localparam(const std::string& name, const Expr& value, std::string note = "");
  /// Localparam with a width: bits, for use beside signals. `value` is bits, or an integer that
  /// fits, as `wrapped` takes it.
  Expr constant(const std::string& name, const Vec& type, const Expr& value, std::string note = "");
  Expr wire(const std::string& name, const Vec& type, std::string note = "");
  Expr reg(const std::string& name, const Vec& type, std::string note = "");
  /// Wire declared with its value: `wire accept = valid_i & ready_o;`. Type from the value.
  Expr let(const std::string& name, const Expr& value, std::string note = "");
  /// `wire [width-1:0] name [0:d0-1][0:d1-1]`, one or two dimensions.
  Expr wire_array(const std::string& name, const Vec& type, std::vector<Expr> dims,
                  std::string note = "");
  Expr reg_array(const std::string& name, const Vec& type, std::vector<Expr> dims, Storage storage,
                 std::string note = "");
  /// Synthesis attribute of a wire or reg of this scope: `(* keep *)`.
  void attribute(const Expr& signal, const std::string& name);
  /// Says that these signals are not used, so that linters do not: `wire unused_name = &{1'b0,
  /// ...}`.
  void unused(const std::string& name, std::vector<Expr> signals, std::string note = "");

  // -- behaviour
  void assign(const Expr& target, const Expr& value, std::string note = "");
  /// `always @(posedge clock)`, nonblocking assignments. `name` labels the block: needed when it
  /// uses loop variables, which are declared in it.
  void always_ff(const Expr& clock, Body body, const std::string& name = "");
  /// `always @(posedge clock)` whose arrays are assigned blocking (`set`), in an order in which
  /// each element is read before it is overwritten: loops over big arrays then stay loops in
  /// simulators that unroll nonblocking ones. Such arrays are private to the block, so that nobody
  /// can race with it; what leaves it is assigned nonblocking. `why` is printed above the block
  /// with the lint pragma.
  void always_in_place(const Expr& clock, Body body, const std::string& name, std::string why);
  /// `always @*`, blocking assignments; every target is assigned on every path.
  void always_comb(Body body, const std::string& name = "");
  /// Function with a result of bits.
  Function function(const std::string& name, const Vec& result,
                    const std::function<Body(FunctionBuilder&)>& build);
  /// Function with an integer result; constant if its arguments are.
  Function integer_function(const std::string& name,
                            const std::function<Body(FunctionBuilder&)>& build);

  // -- structure
  using Build = std::function<void(Scope&)>;
  using BuildLoop = std::function<void(Scope&, Expr)>;
  /// `for (genvar = begin; genvar < end; genvar = genvar + 1) begin : block`.
  void generate_for(const std::string& genvar, const Expr& begin, const Expr& end,
                    const std::string& block, const BuildLoop& build);
  /// `if (condition) begin : block`; continue with else_if and otherwise on the result.
  GenerateIf generate_if(const Expr& condition, const std::string& block, const Build& build);
  /// Instance of a finished module. Every port is connected; parameters not named keep their
  /// default.
  void instance(const std::string& name, const Module& module, std::vector<Connection> parameters,
                std::vector<Connection> ports);
  /// Elaboration stops unless `condition`: an instance of a module that does not exist, whose name
  /// says what is wrong (`ROWS_must_be_at_least_1`), is generated when it is false.
  void require(const Expr& condition, const std::string& message_name);

  // -- reading, for the printer and the checks
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }
  [[nodiscard]] const Scope* parent() const { return parent_; }
  [[nodiscard]] const Module& module() const { return *module_; }
  [[nodiscard]] const std::string& block_name() const { return block_name_; }
  [[nodiscard]] const Guard& guard() const { return guard_; }

 protected:
  Scope(Module* module, const Scope* parent, std::string block_name, Guard guard)
      : module_(module),
        parent_(parent),
        block_name_(std::move(block_name)),
        guard_(std::move(guard)) {}
  Object& declare(ObjectKind kind, const std::string& name, std::string note);
  void must_be_open(const std::string& what) const;

 private:
  friend class GenerateIf;
  friend class FunctionBuilder;
  void claim(const std::string& name);
  [[nodiscard]] bool visible(const std::string& name) const;
  void append(Item item, const std::string& what);
  Expr declare_signal(ObjectKind kind, const std::string& name, const Vec& type,
                      std::vector<Expr> dims, std::string note);
  Function add_function(const std::string& name, const std::optional<Vec>& result,
                        const std::function<Body(FunctionBuilder&)>& build);
  std::unique_ptr<Scope> child(const std::string& block, Guard guard);

  Module* module_;
  const Scope* parent_;
  std::string block_name_;
  Guard guard_;
  std::vector<Item> items_;
  std::vector<std::string> names_;
};

/// The rest of a generate-if chain.
class GenerateIf {
 public:
  GenerateIf& else_if(const Expr& condition, const std::string& block, const Scope::Build& build);
  void otherwise(const std::string& block, const Scope::Build& build);

 private:
  friend class Scope;
  GenerateIf(Scope& scope, std::size_t item) : scope_(scope), item_(item) {}
  void add(std::optional<Expr> condition, const std::string& block, const Scope::Build& build);

  Scope& scope_;
  std::size_t item_;
};

/// How the hardware of a module grows with one of its parameters: area, registers and the like are
/// a polynomial of `degree` in it, for sizes from the first of `samples` on, if the other
/// parameters stay the same. So a size too big to synthesise follows from smaller ones.
struct Growth {
  std::string parameter;
  int degree = 1;
  /// degree + 1 increasing sizes to measure; bigger ones are extended from them. Far apart, since
  /// synthesis is noisy.
  std::vector<std::int64_t> samples;
  /// A parameter; sizes that differ by a multiple of its value grow alike, and sizes below it do
  /// not. Empty: all sizes do.
  std::string period = {};
};

/// What the header comment of a module says. Paragraphs are wrapped; the diagram is printed as it
/// is.
struct ModuleDoc {
  std::string summary = {};      ///< one sentence, printed behind the module's name
  std::string description = {};  ///< paragraphs, separated by empty lines
  std::string diagram = {};      ///< ASCII picture
  std::string latency = {};      ///< latency contract
};

/// One Verilog module: parameters, ports and the items of its Scope.
class Module : public Scope {
 public:
  explicit Module(const std::string& name, ModuleDoc doc = {});
  ~Module() override;

  Expr parameter(const std::string& name, int default_value, std::string note = "");
  /// Declares how the module grows with one of its parameters; of no meaning for its Verilog.
  void grows(Growth growth);
  Expr input(const std::string& name, const Vec& type = 1, std::string note = "");
  Expr output(const std::string& name, const Vec& type = 1, std::string note = "");
  Expr output_reg(const std::string& name, const Vec& type = 1, std::string note = "");
  /// Empty line before the next port, then its comment if there is one.
  void port_group(std::string comment = "");
  /// A loop variable for any number of always blocks; each that uses it declares it.
  Expr loop_variable(const std::string& name);

  /// Closes the module: checks all of it at the default parameters (widths, drivers, unused and
  /// undriven signals). Nothing can be added afterwards, and only finished modules can be
  /// instantiated.
  void finish();
  /// Widths and drivers at other parameters, also of the modules below. Throws HdlError. A signal
  /// that is not used at some size is no error here, unlike in finish().
  void check(const ParameterValues& values) const;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const ModuleDoc& doc() const { return doc_; }
  [[nodiscard]] bool finished() const { return finished_; }
  [[nodiscard]] const std::vector<const Object*>& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<const Object*>& ports() const { return ports_; }
  [[nodiscard]] const std::vector<Growth>& growth() const { return growth_; }
  /// Whether anything in the module has this name, in any of its scopes and functions.
  [[nodiscard]] bool declares(const std::string& name) const { return declared_.contains(name); }
  [[nodiscard]] const Object* find_parameter(const std::string& name) const;
  [[nodiscard]] const Object* find_port(const std::string& name) const;
  /// Width in bits of a port at the given parameters (others at their default).
  [[nodiscard]] std::int64_t port_width(const Object& port,
                                        const ParameterValues& values = {}) const;
  /// Comment that starts a new group of ports before the port of this index, if any.
  [[nodiscard]] const std::string* group_before(std::size_t port) const;

 private:
  friend class Scope;
  friend class FunctionBuilder;
  Expr declare_port(ObjectKind kind, bool is_reg, const std::string& name, const Vec& type,
                    std::string note);

  std::string name_;
  ModuleDoc doc_;
  bool finished_ = false;
  std::deque<Object> objects_;
  std::deque<FunctionInfo> functions_;
  std::vector<const Object*> parameters_;
  std::vector<const Object*> ports_;
  std::map<std::size_t, std::string> port_groups_;
  std::vector<Growth> growth_;
  std::map<std::string, const Object*> genvars_;
  std::unordered_set<std::string> declared_;
};

}  // namespace weft::rtl::hdl

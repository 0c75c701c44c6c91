// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rtl_gen/hdl/expr.h"

namespace weft::rtl::hdl {

class Scope;

enum class ObjectKind {
  parameter,
  localparam,
  genvar,
  loop_variable,
  input,
  output,
  wire,
  reg,
  function_input,
  function_variable,
  function_result,
};

/// What an array of registers is meant to become.
enum class Storage {
  registers,  ///< flip-flops that are read and written at fixed places: pipelines, PE state
  memory,     ///< addressed storage, which synthesis may map to a RAM
};

/// A declared name.
struct Object {
  ObjectKind kind = ObjectKind::wire;
  std::string name;
  Type type;                             ///< of a reference to it
  bool is_reg = false;                   ///< assigned in always blocks or functions
  Storage storage = Storage::registers;  ///< arrays of reg
  std::optional<Expr> value;   ///< default of a parameter; value of a localparam or named wire
  std::optional<Expr> number;  ///< localparam of bits: the integer that `value` is made of
  std::string note;            ///< printed behind the declaration
  std::vector<std::string> attributes;  ///< printed as `(* keep *)`
  const Scope* scope = nullptr;         ///< where it may be used; none for function members

  [[nodiscard]] bool is_port() const {
    return kind == ObjectKind::input || kind == ObjectKind::output;
  }
  [[nodiscard]] bool is_signal() const {
    return is_port() || kind == ObjectKind::wire || kind == ObjectKind::reg;
  }
};

}  // namespace weft::rtl::hdl

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// What all allocators have in common.
struct AllocatorPorts {
  AllocatorPorts(hdl::Module& m, bool speculative)
      : ports(m.parameter("PORTS", 4, "inputs and outputs, >= 1")),
        clk(m.input("clk_i")),
        rst_n(m.input("rst_ni", 1, "synchronous, active low")),
        request((m.port_group(),
                 m.input("request_i", ports * ports, "input i for output o at [i*PORTS + o]"))),
        usable(speculative ? std::optional(m.input("usable_i", ports,
                                                   "the output can serve one of its requests"))
                           : std::nullopt),
        grant(m.output("grant_o", ports * ports, "same layout; a matching within the requests")) {
    m.require(ports >= 1, "PORTS_must_be_at_least_1");
  }

  /// The bits [k*PORTS +: PORTS] of a matrix.
  [[nodiscard]] hdl::Expr row(const hdl::Expr& matrix, const hdl::Expr& k) const {
    return matrix.part(k * ports, ports);
  }

  /// A wire `name` with bit [b*PORTS + a] = matrix[a*PORTS + b].
  [[nodiscard]] hdl::Expr transposed(hdl::Scope& scope, const std::string& name,
                                     const hdl::Expr& matrix) const {
    const hdl::Expr result = scope.wire(name, ports * ports);
    connect_transposed(scope, name, result, matrix);
    return result;
  }

  /// Drives `result` with the transposed matrix; `name` names the generate blocks.
  void connect_transposed(hdl::Scope& scope, const std::string& name, const hdl::Expr& result,
                          const hdl::Expr& matrix) const {
    scope.generate_for("a", 0, ports, name + "_row", [&](hdl::Scope& s, const hdl::Expr& a) {
      s.generate_for("b", 0, ports, "entry", [&](hdl::Scope& t, const hdl::Expr& b) {
        t.assign(result.at(b * ports + a), matrix.at(a * ports + b));
      });
    });
  }

  /// Whether a match moves the state of output o.
  [[nodiscard]] hdl::Expr moves(const hdl::Expr& o) const {
    return usable ? usable->at(o) : hdl::bin(1, 1);
  }
  /// Whether it has a match that does, given that it has one.
  [[nodiscard]] hdl::Expr moves(const hdl::Expr& o, const hdl::Expr& matched) const {
    return usable ? matched & usable->at(o) : matched;
  }

  hdl::Expr ports, clk, rst_n, request;
  std::optional<hdl::Expr> usable;  ///< speculative allocation only; else all outputs are
  hdl::Expr grant;
};

}  // namespace weft::rtl

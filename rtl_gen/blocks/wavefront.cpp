// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/wavefront.h"

#include "rtl_gen/blocks/allocator_ports.h"
#include "rtl_gen/blocks/module_once.h"

namespace weft::rtl {

using namespace hdl;

const Module& add_wavefront(Design& design, const std::string& prefix) {
  return module_once(
      design, prefix + "_wavefront",
      {.summary = "wavefront allocator.",
       .description =
           "Goes through the diagonals of the request matrix, cells (i, o) with (i + o) mod PORTS "
           "= d, beginning with another d in each cycle. The cells of a diagonal do not compete; "
           "one with a request is matched if its input and its output are still free, so that the "
           "matching is maximal.\n\n"
           "The rows are rotated so that the first diagonal is always the same one, and the grants "
           "are rotated back: no chain of logic closes in a ring.",
       .diagram =
           "  request_i --> rotate by d --> wave 0 --> wave 1 ... --> rotate back --> grant_o",
       .latency = "the grants are combinational; d moves on in every cycle and is 0 after reset."},
      [](Module& m) {
        const AllocatorPorts p(m);
        const Expr matrix = p.ports * p.ports;
        const Expr width =
            m.localparam("DIAGONAL_WIDTH", mux(p.ports > 1, clog2(p.ports), Expr(1)));
        const Expr last = m.constant("LAST", width, p.ports - 1);
        const Expr diagonal = m.reg("diagonal_q", width, "the first diagonal, d");
        m.always_ff(p.clk, {If(!p.rst_n | (diagonal == last), {diagonal <<= 0})
                                .else_({diagonal <<= diagonal + 1})});
        m.comment("Bit [i*PORTS + r] of a rotated matrix is output (r + d) mod PORTS of input i.");
        const Expr rotated = m.wire("rotated", matrix);
        const Expr match = m.wire("match", matrix, "rotated");
        m.generate_for("i", 0, p.ports, "in", [&](Scope& s, const Expr& i) {
          const Expr twice = s.let("twice", rep(2, p.row(p.request, i)) >> diagonal);
          s.assign(p.row(rotated, i), twice(p.ports - 1, 0));
          const Expr back = s.let("back", rep(2, p.row(match, i)) << diagonal);
          s.assign(p.row(p.grant, i), back(2 * p.ports - 1, p.ports));
          s.unused("unused_copy", {twice(2 * p.ports - 1, p.ports), back(p.ports - 1, 0)});
        });
        m.comment("Wave k decides the cells (i, r) with (i + r) mod PORTS = k.");
        m.generate_for("k", 0, p.ports, "wave", [&](Scope& s, const Expr& k) {
          const Expr in_free = s.wire("in_free", p.ports, "before this wave");
          const Expr out_free = s.wire("out_free", p.ports);
          const Expr in_taken = s.wire("in_taken", p.ports, "by this wave");
          const Expr out_taken = s.wire("out_taken", p.ports);
          s.generate_if(k == 0, "first", [&](Scope& t) {
             t.assign(in_free, ~lit(p.ports, 0));
             t.assign(out_free, ~lit(p.ports, 0));
           }).otherwise("later", [&](Scope& t) {
            const auto left = [&](const Expr& free, const Expr& taken) {
              t.assign(free, at_iteration(free, {k - 1}) & ~at_iteration(taken, {k - 1}));
            };
            left(in_free, in_taken);
            left(out_free, out_taken);
          });
          s.generate_for("i", 0, p.ports, "place", [&](Scope& t, const Expr& i) {
            const Expr r = t.localparam("R", (k + p.ports - i) % p.ports);
            const Expr taken =
                t.let("taken", rotated.at(i * p.ports + r) & in_free.at(i) & out_free.at(r));
            t.assign(in_taken.at(i), taken);
            t.assign(out_taken.at(r), taken);
            t.assign(match.at(i * p.ports + r), taken);
          });
          s.generate_if(k == p.ports - 1, "last", [&](Scope& t) {
            t.unused("unused_taken", {in_taken, out_taken}, "no wave follows");
          });
        });
      });
}

}  // namespace weft::rtl

// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/wavefront.h"

#include <optional>

#include "rtl_gen/blocks/allocator_ports.h"
#include "rtl_gen/blocks/module_once.h"

namespace weft::rtl {

using namespace hdl;

namespace {

/// The register of the first diagonal. It moves with service: up to three cycles in which a
/// diagonal is asked for, then on; over those that nobody asks for; but not back to the one whose
/// turns are over. `asks`, which may be defined later: the k-th diagonal, from the first on, has a
/// request that can be served.
Expr first_diagonal(Module& m, const AllocatorPorts& p, const Expr& asks) {
  const Expr width = m.localparam("DIAGONAL_WIDTH", mux(p.ports > 1, clog2(p.ports), Expr(1)));
  const Expr diagonal = m.reg("diagonal_q", width, "the first diagonal, d");
  const Expr turns = m.reg("turns_q", 2, "that it has had");
  const Expr nearest = m.let("nearest", asks & -asks, "of the diagonals that are asked for");
  const Expr skipped = m.reg("skipped", width, "diagonals before it");
  const Expr n = m.loop_variable("n");
  m.always_comb(
      {set(skipped, 0), For(n, 1, p.ports - 1,
                            {set(skipped, skipped | (rep(width, nearest.at(n)) & fit(n, width)))})},
      "skip");
  const Expr over = m.let("over", nearest.at(0) & (turns == 2), "the turns of the first diagonal");
  const Expr step = m.wire("step", width);
  m.assign(step, skipped | zext(over, width));
  const Expr sum = m.wire("sum", width + 1);
  m.assign(sum, cat({bin(1, 0), diagonal}) + cat({bin(1, 0), step}));
  const Expr count = m.constant("COUNT", width + 1, p.ports, "of diagonals");
  const Expr next = m.wire("next", width + 1);
  m.assign(next, mux(sum >= count, sum - count, sum));
  m.always_ff(p.clk, {If(!p.rst_n, {diagonal <<= 0, turns <<= 0})
                          .else_({diagonal <<= trunc(next, width),
                                  If(over, {turns <<= 0})
                                      .else_if(nearest.at(0), {turns <<= turns + 1})
                                      .else_if(any(skipped), {turns <<= 1})})});
  m.unused("unused_nearest", {nearest, next}, "the last diagonal is the one whose turns are over");
  return diagonal;
}

}  // namespace

const Module& add_wavefront(Design& design, const std::string& prefix, bool speculative) {
  return module_once(
      design, prefix + "_wavefront",
      {.summary = "wavefront allocator.",
       .description =
           "Goes through the diagonals of the request matrix, cells (i, o) with (i + o) mod PORTS "
           "= d, beginning with another d after up to three services. The cells of a diagonal do "
           "not compete; one with a request is matched if its input and its output are still free, "
           "so that the matching is maximal.\n\n"
           "The rows are rotated so that the first diagonal is always the same one, and the grants "
           "are rotated back: no chain of logic closes in a ring.",
       .diagram =
           "  request_i --> rotate by d --> wave 0 --> wave 1 ... --> rotate back --> grant_o",
       .latency = "the grants are combinational; d moves at the end of the cycle and is 0 after "
                  "reset."},
      [&](Module& m) {
        const AllocatorPorts p(m, speculative);
        const Expr matrix = p.ports * p.ports;
        const Expr asks = m.wire("asks", p.ports, "wave k has a request that can be served");
        const Expr diagonal = first_diagonal(m, p, asks);
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
        std::optional<Expr> usable;
        if (p.usable) {
          const Expr twice = m.let("usable_twice", rep(2, *p.usable) >> diagonal);
          usable = m.let("usable", twice(p.ports - 1, 0), "rotated, too");
          m.unused("unused_usable", {twice(2 * p.ports - 1, p.ports)});
        }
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
          const Expr asked = s.wire("asked", p.ports, "cells of inputs");
          s.assign(asks.at(k), any(asked));
          s.generate_for("i", 0, p.ports, "place", [&](Scope& t, const Expr& i) {
            const Expr r = t.localparam("R", (k + p.ports - i) % p.ports);
            const Expr cell = rotated.at(i * p.ports + r);
            t.assign(asked.at(i), usable ? cell & usable->at(r) : cell);
            const Expr taken = t.let("taken", cell & in_free.at(i) & out_free.at(r));
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

// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/allocator.h"

#include <optional>

#include "rtl_gen/blocks/allocator_ports.h"
#include "rtl_gen/blocks/module_once.h"
#include "rtl_gen/blocks/wavefront.h"

namespace weft::rtl {

using namespace hdl;

namespace {

/// An arbiter for each row of `request` (bits [k*PORTS +: PORTS]): drives `grant` in the same
/// layout. `taken` in the same layout says which grants move the arbiters on; none given: all.
void arbiters(Scope& scope, const AllocatorPorts& p, const Module& arbiter,
              const std::string& block, const Expr& request, const Expr& grant,
              const std::optional<Expr>& taken = {}) {
  scope.generate_for("k", 0, p.ports, block, [&](Scope& s, const Expr& k) {
    s.instance("u_arbiter", arbiter, {{"N", p.ports}},
               {{"clk_i", p.clk},
                {"rst_ni", p.rst_n},
                {"request_i", p.row(request, k)},
                {"update_i", taken ? any(p.row(*taken, k)) : bin(1, 1)},
                {"grant_o", p.row(grant, k)}});
  });
}

const Module& add_input_first(Design& design, const std::string& prefix) {
  const Module& arbiter = add_arbiter(design, prefix, Arbitration::round_robin);
  return module_once(
      design, prefix + "_input_first",
      {.summary = "separable allocator, inputs first.",
       .description =
           "Each input chooses one of the outputs that it requests, each output one of the "
           "inputs that chose it; both by round robin, whose pointers move with a match only.",
       .diagram = "  request_i --> arbiter of input i --> arbiter of output o --> grant_o",
       .latency = "the grants are combinational; the pointers move at the end of the cycle."},
      [&](Module& m) {
        const AllocatorPorts p(m);
        const Expr matrix = p.ports * p.ports;
        const Expr choice = m.wire("choice", matrix, "of each input");
        arbiters(m, p, arbiter, "in", p.request, choice, p.grant);
        const Expr offered = p.transposed(m, "chosen", choice);
        const Expr match = m.wire("match", matrix, "[o*PORTS + i]");
        arbiters(m, p, arbiter, "out", offered, match);
        p.connect_transposed(m, "grant", p.grant, match);
      });
}

const Module& add_matrix_output_first(Design& design, const std::string& prefix) {
  const Module& arbiter = add_arbiter(design, prefix, Arbitration::matrix);
  return module_once(
      design, prefix + "_output_first",
      {.summary = "separable allocator, outputs first, the least recently served first.",
       .description =
           "Each output offers to one of the inputs that request it, each input accepts one "
           "offer; a match makes both the most recently served of each other.",
       .diagram = "  request_i --> arbiter of output o --> arbiter of input i --> grant_o",
       .latency = "the grants are combinational; the order changes at the end of the cycle."},
      [&](Module& m) {
        const AllocatorPorts p(m);
        const Expr wanted = p.transposed(m, "wanted", p.request);
        const Expr offer = m.wire("offer", p.ports * p.ports, "[o*PORTS + i]");
        const Expr accepted = p.transposed(m, "accepted", p.grant);
        arbiters(m, p, arbiter, "out", wanted, offer, accepted);
        const Expr offered = p.transposed(m, "offered", offer);
        arbiters(m, p, arbiter, "in", offered, p.grant);
      });
}

/// Choices of combinational arbiters with pointers from outside, row by row.
struct Picks {
  Expr grant;
  Expr behind;  ///< the pointers behind the winners
};

Picks picks(Scope& scope, const AllocatorPorts& p, const Module& pick, const std::string& what,
            const Expr& request, const Expr& behind) {
  const Expr matrix = p.ports * p.ports;
  const Picks result{scope.wire(what, matrix), scope.wire(what + "_behind", matrix)};
  scope.generate_for("port", 0, p.ports, what + "_port", [&](Scope& s, const Expr& port) {
    s.instance("u_pick", pick, {{"N", p.ports}},
               {{"request_i", p.row(request, port)},
                {"behind_i", p.row(behind, port)},
                {"grant_o", p.row(result.grant, port)},
                {"behind_o", p.row(result.behind, port)}});
  });
  return result;
}

/// The pointer of each row of `moves` that has a bit becomes `next`.
void move_pointers(Scope& scope, const AllocatorPorts& p, const std::string& side,
                   const Expr& moves, const Expr& next, const Expr& pointer) {
  scope.generate_for("port", 0, p.ports, side + "_pointer", [&](Scope& s, const Expr& port) {
    s.always_ff(p.clk, {If(!p.rst_n, {p.row(pointer, port) <<= 0})
                            .else_if(any(p.row(moves, port)),
                                     {p.row(pointer, port) <<= p.row(next, port)})});
  });
}

const Module& add_islip(Design& design, const std::string& prefix) {
  const Module& pick = add_pick(design, prefix);
  return module_once(
      design, prefix + "_islip",
      {.summary = "iSLIP allocator.",
       .description =
           "In each iteration each free output offers to the first free input at or after its "
           "pointer that requests it, and each free input accepts the first offer at or after its "
           "own. Pointers move behind the matches of the first iteration only, which is what keeps "
           "them from running in step.",
       .diagram = "  request_i --> iteration 0 --> iteration 1 ... --> grant_o\n"
                  "                 | matches      ^ ports that are still free\n"
                  "                 v pointers",
       .latency = "the grants are combinational; the pointers move at the end of the cycle."},
      [&](Module& m) {
        const AllocatorPorts p(m);
        const Expr iterations = m.parameter("ITERATIONS", 1, ">= 1");
        m.require(iterations >= 1, "ITERATIONS_must_be_at_least_1");
        const Expr matrix = p.ports * p.ports;
        const Expr out_behind = m.reg("out_behind_q", matrix, "pointer of output o at [o*PORTS]");
        const Expr in_behind = m.reg("in_behind_q", matrix, "pointer of input i at [i*PORTS]");
        m.generate_for("k", 0, iterations, "iteration", [&](Scope& s, const Expr& k) {
          const Expr matched = s.wire("matched", matrix, "in this iteration or before");
          const Expr open = s.wire("open", matrix, "requests between free ports");
          const Expr wanted = p.transposed(s, "wanted", open);
          const Picks offers = picks(s, p, pick, "offer", wanted, out_behind);
          const Expr offered = p.transposed(s, "offered", offers.grant);
          const Picks accepts = picks(s, p, pick, "accept", offered, in_behind);
          s.generate_if(k == 0, "first", [&](Scope& t) {
             t.assign(open, p.request);
             t.assign(matched, accepts.grant);
             const Expr accepted = p.transposed(t, "accepted", accepts.grant);
             move_pointers(t, p, "out", accepted, offers.behind, out_behind);
             move_pointers(t, p, "in", offered, accepts.behind, in_behind);
           }).otherwise("later", [&](Scope& t) {
            const Expr earlier = t.let("earlier", at_iteration(matched, {k - 1}));
            const Expr taken = p.transposed(t, "taken", earlier);
            t.generate_for("i", 0, p.ports, "in", [&](Scope& u, const Expr& i) {
              u.generate_for("o", 0, p.ports, "out", [&](Scope& v, const Expr& o) {
                const Expr cell = i * p.ports + o;
                v.assign(open.at(cell),
                         p.request.at(cell) & ~any(p.row(earlier, i)) & ~any(p.row(taken, o)));
              });
            });
            t.assign(matched, earlier | accepts.grant);
            t.unused("unused_behind", {offers.behind, accepts.behind},
                     "only the first iteration moves pointers");
          });
          s.generate_if(k == iterations - 1, "last", [&](Scope& t) { t.assign(p.grant, matched); });
        });
      });
}

}  // namespace

const Module& add_allocator(Design& design, const std::string& prefix, arch::Allocator allocator,
                            arch::Separable separable) {
  switch (allocator) {
    case arch::Allocator::round_robin:
      return separable == arch::Separable::input_first ? add_input_first(design, prefix)
                                                       : add_islip(design, prefix);
    case arch::Allocator::islip:
      return add_islip(design, prefix);
    case arch::Allocator::matrix:
      return add_matrix_output_first(design, prefix);
    case arch::Allocator::wavefront:
      return add_wavefront(design, prefix);
  }
  throw HdlError("no such allocator");
}

const Module& add_output_arbiters(Design& design, const std::string& prefix, Arbitration kind) {
  const Module& arbiter = add_arbiter(design, prefix, kind);
  return module_once(
      design, prefix + "_output_arbiters",
      {.summary = "an arbiter for each output.",
       .description = "Each output serves one of the inputs that request it; an input may serve "
                      "any number of outputs at once.",
       .latency = "the grants are combinational; the arbiters move on at the end of the cycle."},
      [&](Module& m) {
        const AllocatorPorts p(m);
        const Expr wanted = p.transposed(m, "wanted", p.request);
        const Expr served = m.wire("served", p.ports * p.ports, "[o*PORTS + i]");
        arbiters(m, p, arbiter, "out", wanted, served);
        p.connect_transposed(m, "grant", p.grant, served);
      });
}

}  // namespace weft::rtl

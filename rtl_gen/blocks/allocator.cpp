// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/allocator.h"

#include <functional>

#include "rtl_gen/blocks/allocator_ports.h"
#include "rtl_gen/blocks/module_once.h"
#include "rtl_gen/blocks/wavefront.h"

namespace weft::rtl {

using namespace hdl;

namespace {

/// An arbiter for each row of `request` (bits [k*PORTS +: PORTS]): drives `grant` in the same
/// layout. `update(k)` says whether the grant of row k moves its arbiter on.
void arbiters(Scope& scope, const AllocatorPorts& p, const Module& arbiter,
              const std::string& block, const Expr& request, const Expr& grant,
              const std::function<Expr(const Expr& k)>& update) {
  scope.generate_for("k", 0, p.ports, block, [&](Scope& s, const Expr& k) {
    s.instance("u_arbiter", arbiter, {{"N", p.ports}},
               {{"clk_i", p.clk},
                {"rst_ni", p.rst_n},
                {"request_i", p.row(request, k)},
                {"update_i", update(k)},
                {"grant_o", p.row(grant, k)}});
  });
}

/// Every grant moves its arbiter.
Expr always(const Expr& /*k*/) { return bin(1, 1); }

const Module& add_input_first(Design& design, const std::string& prefix, bool speculative) {
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
        const AllocatorPorts p(m, speculative);
        const Expr matrix = p.ports * p.ports;
        const Expr choice = m.wire("choice", matrix, "of each input");
        arbiters(m, p, arbiter, "in", p.request, choice,
                 [&](const Expr& i) { return any(p.row(p.grant, i)); });
        const Expr offered = p.transposed(m, "chosen", choice);
        const Expr match = m.wire("match", matrix, "[o*PORTS + i]");
        arbiters(m, p, arbiter, "out", offered, match, [&](const Expr& o) { return p.moves(o); });
        p.connect_transposed(m, "grant", p.grant, match);
      });
}

const Module& add_matrix_output_first(Design& design, const std::string& prefix, bool speculative) {
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
        const AllocatorPorts p(m, speculative);
        const Expr wanted = p.transposed(m, "wanted", p.request);
        const Expr offer = m.wire("offer", p.ports * p.ports, "[o*PORTS + i]");
        const Expr accepted = p.transposed(m, "accepted", p.grant);
        arbiters(m, p, arbiter, "out", wanted, offer,
                 [&](const Expr& o) { return p.moves(o, any(p.row(accepted, o))); });
        const Expr offered = p.transposed(m, "offered", offer);
        arbiters(m, p, arbiter, "in", offered, p.grant, always);
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

/// The pointer of each row k with moves(k) becomes that of `next`.
void move_pointers(Scope& scope, const AllocatorPorts& p, const std::string& side,
                   const std::function<Expr(const Expr& k)>& moves, const Expr& next,
                   const Expr& pointer) {
  scope.generate_for("port", 0, p.ports, side + "_pointer", [&](Scope& s, const Expr& port) {
    s.always_ff(p.clk, {If(!p.rst_n, {p.row(pointer, port) <<= 0})
                            .else_if(moves(port), {p.row(pointer, port) <<= p.row(next, port)})});
  });
}

/// Where the pointer of each input that accepts an offer goes: with several iterations it stays
/// with the output for three of four acceptances.
Expr pointers_of_inputs(Scope& scope, const AllocatorPorts& p, const Expr& iterations,
                        const Expr& offered, const Picks& accepts) {
  const Expr next = scope.wire("in_behind_d", p.ports * p.ports);
  scope
      .generate_if(iterations > 1, "staying",
                   [&](Scope& s) {
                     s.generate_for("i", 0, p.ports, "in", [&](Scope& t, const Expr& i) {
                       const Expr count = t.reg("count_q", 2, "acceptances modulo 4");
                       t.always_ff(p.clk,
                                   {If(!p.rst_n, {count <<= 0})
                                        .else_if(any(p.row(offered, i)), {count <<= count + 1})});
                       const Expr stays = t.let("stays", rep(p.ports, count != 3));
                       t.assign(p.row(next, i),
                                p.row(accepts.behind, i) | (p.row(accepts.grant, i) & stays));
                     });
                   })
      .otherwise("moving", [&](Scope& s) { s.assign(next, accepts.behind); });
  return next;
}

const Module& add_islip(Design& design, const std::string& prefix, bool speculative) {
  const Module& pick = add_pick(design, prefix);
  return module_once(
      design, prefix + "_islip",
      {.summary = "iSLIP allocator.",
       .description =
           "In each iteration each free output offers to the first free input at or after its "
           "pointer that requests it, and each free input accepts the first offer at or after its "
           "own. Pointers move behind the matches of the first iteration only, which is what keeps "
           "them from running in step. With several iterations the pointers of inputs stay at the "
           "output for up to four acceptances: an input that goes on with what it has leaves the "
           "other outputs to others.",
       .diagram = "  request_i --> iteration 0 --> iteration 1 ... --> grant_o\n"
                  "                 | matches      ^ ports that are still free\n"
                  "                 v pointers",
       .latency = "the grants are combinational; the pointers move at the end of the cycle."},
      [&](Module& m) {
        const AllocatorPorts p(m, speculative);
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
             const Expr next = pointers_of_inputs(t, p, iterations, offered, accepts);
             const auto served = [&](const Expr& o) { return p.moves(o, any(p.row(accepted, o))); };
             const auto accepting = [&](const Expr& i) { return any(p.row(offered, i)); };
             move_pointers(t, p, "out", served, offers.behind, out_behind);
             move_pointers(t, p, "in", accepting, next, in_behind);
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
                            arch::Separable separable, bool speculative) {
  switch (allocator) {
    case arch::Allocator::round_robin:
      return separable == arch::Separable::input_first
                 ? add_input_first(design, prefix, speculative)
                 : add_islip(design, prefix, speculative);
    case arch::Allocator::islip:
      return add_islip(design, prefix, speculative);
    case arch::Allocator::matrix:
      return add_matrix_output_first(design, prefix, speculative);
    case arch::Allocator::wavefront:
      return add_wavefront(design, prefix, speculative);
  }
  throw HdlError("no such allocator");
}

const Module& add_output_arbiters(Design& design, const std::string& prefix, Arbitration kind,
                                  bool speculative) {
  const Module& arbiter = add_arbiter(design, prefix, kind);
  return module_once(
      design, prefix + "_output_arbiters",
      {.summary = "an arbiter for each output.",
       .description = "Each output serves one of the inputs that request it; an input may serve "
                      "any number of outputs at once.",
       .latency = "the grants are combinational; the arbiters move on at the end of the cycle."},
      [&](Module& m) {
        const AllocatorPorts p(m, speculative);
        const Expr wanted = p.transposed(m, "wanted", p.request);
        const Expr served = m.wire("served", p.ports * p.ports, "[o*PORTS + i]");
        arbiters(m, p, arbiter, "out", wanted, served, [&](const Expr& o) { return p.moves(o); });
        p.connect_transposed(m, "grant", p.grant, served);
      });
}

}  // namespace weft::rtl

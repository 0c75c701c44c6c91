// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/arbiter.h"

#include <optional>

#include "rtl_gen/blocks/module_once.h"

namespace weft::rtl {

using namespace hdl;

namespace {

struct ArbiterPorts {
  explicit ArbiterPorts(Module& m)
      : n(m.parameter("N", 4, "requesters, >= 1")),
        clk(m.input("clk_i")),
        rst_n(m.input("rst_ni", 1, "synchronous, active low")),
        request((m.port_group(), m.input("request_i", n))),
        update(m.input("update_i", 1, "the grant is taken; low without a request")),
        grant(m.output("grant_o", n, "one-hot; 0 without a request")) {
    m.require(n >= 1, "N_must_be_at_least_1");
  }
  Expr n, clk, rst_n, request, update, grant;
};

const Module& add_round_robin(Design& design, const std::string& prefix) {
  const Module& pick = add_pick(design, prefix);
  return module_once(
      design, prefix + "_round_robin",
      {.summary = "round-robin arbiter.",
       .description = "Grants the first request at or after the pointer, which moves behind the "
                      "winner: requesters that always request get equal shares for any N.",
       .latency = "the grant is combinational; the pointer moves at the end of a cycle with "
                  "update_i. It is 0 after reset."},
      [&](Module& m) {
        const ArbiterPorts p(m);
        const Expr behind = m.reg("behind_q", p.n, "the pointer, as the set of those behind it");
        const Expr next = m.wire("behind_d", p.n);
        m.instance("u_pick", pick, {{"N", p.n}},
                   {{"request_i", p.request},
                    {"behind_i", behind},
                    {"grant_o", p.grant},
                    {"behind_o", next}});
        m.always_ff(p.clk, {If(!p.rst_n, {behind <<= 0}).else_if(p.update, {behind <<= next})});
      });
}

const Module& add_matrix(Design& design, const std::string& prefix) {
  return module_once(
      design, prefix + "_matrix",
      {.summary = "arbiter that grants the least recently served requester.",
       .description = "One bit for each pair says which of the two was served less recently.",
       .latency = "the grant is combinational; the order changes at the end of a cycle with "
                  "update_i. Lower numbers come first after reset."},
      [](Module& m) {
        const ArbiterPorts p(m);
        const Expr first =
            m.wire("first", p.n * p.n, "[i*N + j]: j was served less recently than i");
        const Expr served = m.let("served", p.grant & rep(p.n, p.update));
        m.generate_for("i", 0, p.n, "requester", [&](Scope& s, const Expr& i) {
          s.assign(first.at(i * p.n + i), 0);
          s.assign(p.grant.at(i), p.request.at(i) & ~any(p.request & first.part(i * p.n, p.n)));
          s.generate_for("j", i + 1, p.n, "pair", [&](Scope& t, const Expr& j) {
            const Expr later = t.reg("later_q", 1, "j was served less recently than i");
            t.always_ff(p.clk, {If(!p.rst_n, {later <<= 0})
                                    .else_({later <<= (later & ~served.at(j)) | served.at(i)})});
            t.assign(first.at(i * p.n + j), later);
            t.assign(first.at(j * p.n + i), ~later);
          });
        });
        m.generate_if(p.n == 1, "alone", [&](Scope& s) {
          s.unused("unused_clock", {p.clk, p.rst_n, served}, "there is no order to keep");
        });
      });
}

}  // namespace

const Module& add_pick(Design& design, const std::string& prefix) {
  return module_once(
      design, prefix + "_pick",
      {.summary = "the first request at or after a pointer, cyclic.",
       .description =
           "A tree. At each node, the half of its leaves that wins is decided from that node's "
           "leaves alone, on the way up: the lower half if it has a request behind the pointer, or "
           "if the upper one has none and the lower one has any request. A leaf is granted if its "
           "half wins at each node above it.\n\n"
           "Each level is a vector in which all leaves of a node carry the node's value; equal "
           "bits "
           "are one node in hardware.",
       .diagram = "  level 2              node             ^ late, some\n"
                  "                     /      \\           |\n"
                  "  level 1        node        node       |\n"
                  "                 /  \\        /  \\       |\n"
                  "  level 0       0    1      2    3      v beneath",
       .latency = "combinational, about 2 * log2(N) gates deep."},
      [](Module& m) {
        const Expr n = m.parameter("N", 4, "requesters, >= 1");
        const Expr request = m.input("request_i", n);
        const Expr behind_i = m.input("behind_i", n, "bit k: k >= pointer; all ones or zeros: 0");
        const Expr grant = m.output("grant_o", n, "one-hot; 0 without a request");
        const Expr behind_o = m.output("behind_o", n, "the pointer behind the winner, as behind_i");
        m.require(n >= 1, "N_must_be_at_least_1");
        const Expr levels = m.localparam("LEVELS", clog2(n));
        const Expr leaves =
            m.localparam("LEAVES", Expr(1) << levels, "N and some without requests");
        m.comment(
            "Up: what the nodes of level l, of 2^l leaves each, have to offer; which of them "
            "wins against its neighbour.");
        std::optional<Expr> wins, passed;
        m.generate_for("l", 0, levels, "up", [&](Scope& s, const Expr& l) {
          const Expr half = s.localparam("HALF", Expr(1) << l);
          const Expr pair = cat({rep(half, bin(1, 1)), rep(half, bin(1, 0))});
          const Expr upper = s.constant("UPPER", leaves, rep(leaves / (2 * half), pair),
                                        "the leaves of the upper one of two neighbours");
          const Expr late = s.wire("late", leaves, "a request behind the pointer");
          const Expr some = s.wire("some", leaves, "a request");
          const auto across = [&](const std::string& name, const Expr& x) {
            return s.let(name, ((x & ~upper) << half) | ((x & upper) >> half), "of the neighbour");
          };
          const Expr late_across = across("late_across", late);
          const Expr some_across = across("some_across", some);
          s.generate_if(l == 0, "leaf", [&](Scope& t) {
             t.assign(late, zext(request & behind_i, leaves));
             t.assign(some, zext(request, leaves));
           }).otherwise("node", [&](Scope& t) {
            t.assign(late, at_iteration(late, {l - 1}) | at_iteration(late_across, {l - 1}));
            t.assign(some, at_iteration(some, {l - 1}) | at_iteration(some_across, {l - 1}));
          });
          const Expr lower_wins = s.let("lower_wins", late | (~late_across & some));
          const Expr upper_wins = s.let("upper_wins", ~late_across & (late | ~some_across));
          wins = s.let("wins", (upper & upper_wins) | (~upper & lower_wins));
          passed = s.let("passed", upper & ~*wins, "the neighbour below it wins");
        });
        m.comment(
            "Down: the leaves of the node that wins at level LEVELS - d, and those above it.");
        std::optional<Expr> beneath, above;
        m.generate_for("d", 0, levels + 1, "down", [&](Scope& s, const Expr& d) {
          beneath = s.wire("beneath", leaves);
          above = s.wire("above", leaves);
          s.generate_if(d == 0, "root", [&](Scope& t) {
             t.assign(*beneath, ~lit(leaves, 0));
             t.assign(*above, lit(leaves, 0));
           }).otherwise("node", [&](Scope& t) {
            const Expr parent = at_iteration(*beneath, {d - 1});
            t.assign(*beneath, parent & at_iteration(*wins, {levels - d}));
            t.assign(*above, at_iteration(*above, {d - 1}) |
                                 (parent & at_iteration(*passed, {levels - d})));
          });
        });
        const Expr winner = m.let("winner", at_iteration(*beneath, {levels}));
        const Expr after = m.let("after", at_iteration(*above, {levels}));
        m.assign(grant, request & trunc(winner, n));
        m.assign(behind_o, trunc(after, n));
        m.generate_if(n == 1, "alone", [&](Scope& s) {
          s.unused("unused_pointer", {behind_i}, "there is one order only");
        });
        m.generate_if(leaves > n, "padded", [&](Scope& s) {
          s.unused("unused_leaves", {winner(leaves - 1, n), after(leaves - 1, n)});
        });
      });
}

const Module& add_arbiter(Design& design, const std::string& prefix, Arbitration kind) {
  return kind == Arbitration::matrix ? add_matrix(design, prefix) : add_round_robin(design, prefix);
}

}  // namespace weft::rtl

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
        update(m.input("update_i", 1, "the grant, if there is one, is taken")),
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
        const Expr next = m.wire("next", p.n, "0 without a request");
        m.instance("u_pick", pick, {{"N", p.n}},
                   {{"request_i", p.request},
                    {"behind_i", behind},
                    {"grant_o", p.grant},
                    {"behind_o", next}});
        const Expr keep = m.let("keep", rep(p.n, ~any(p.request)));
        m.always_ff(
            p.clk,
            {If(!p.rst_n, {behind <<= 0}).else_if(p.update, {behind <<= next | (behind & keep)})});
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
           "A tree over pairs of neighbours, pairs of pairs and so on. Of two neighbours the lower "
           "one wins if it has a request behind the pointer, or if the upper one has none and the "
           "lower one has any request; a leaf is granted if it wins at each level. So each level "
           "costs a gate or two, and the pointer behind the winner comes with it.\n\n"
           "Each level is a vector in which all leaves of a node carry the node's value; equal "
           "bits are one node in hardware.",
       .diagram = "  level 2               node\n"
                  "                     /        \\\n"
                  "  level 1        node          node\n"
                  "                 /  \\          /  \\\n"
                  "  level 0       0    1        2    3",
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
        m.comment("Level l, with nodes of 2^l leaves each.");
        std::optional<Expr> granted, behind;
        m.generate_for("l", 0, levels + 1, "level", [&](Scope& s, const Expr& l) {
          const Expr late = s.wire("late", leaves, "the node has a request behind the pointer");
          const Expr some = s.wire("some", leaves, "the node has a request");
          granted = s.wire("granted", leaves, "the leaf wins in its node");
          behind = s.wire("behind", leaves, "the leaf is behind the winner in its node");
          s.generate_if(l == 0, "leaf", [&](Scope& t) {
             t.assign(late, zext(request & behind_i, leaves));
             t.assign(some, zext(request, leaves));
             t.assign(*granted, some);
             t.assign(*behind, lit(leaves, 0));
           }).otherwise("node", [&](Scope& t) {
            const auto below = [&](const Expr& x) { return at_iteration(x, {l - 1}); };
            const Expr half = t.localparam("HALF", Expr(1) << (l - 1));
            const Expr pair = cat({rep(half, bin(1, 1)), rep(half, bin(1, 0))});
            const Expr upper = t.constant("UPPER", leaves, rep(leaves / (2 * half), pair),
                                          "leaves in the upper one of two neighbours");
            const auto across = [&](const std::string& name, const Expr& x) {
              const Expr mine = below(x);
              return t.let(name, ((mine & ~upper) << half) | ((mine & upper) >> half),
                           "of the neighbour");
            };
            const Expr late_across = across("late_across", late);
            const Expr some_across = across("some_across", some);
            t.assign(late, below(late) | late_across);
            t.assign(some, below(some) | some_across);
            const Expr lower_wins = t.let("lower_wins", below(late) | (~late_across & below(some)));
            const Expr upper_wins =
                t.let("upper_wins", ~late_across & (below(late) | ~some_across));
            const Expr wins = t.let("wins", (upper & upper_wins) | (~upper & lower_wins));
            t.assign(*granted, below(*granted) & wins);
            t.assign(*behind, (below(*behind) & wins) | (upper & ~wins));
          });
          s.generate_if(l == levels, "root", [&](Scope& t) {
            t.assign(grant, trunc(*granted, n));
            t.assign(behind_o, trunc(*behind, n));
            t.unused("unused_root", {late, some, *granted, *behind}, "no level follows");
          });
        });
        m.generate_if(n == 1, "alone", [&](Scope& s) {
          s.unused("unused_pointer", {behind_i}, "there is one order only");
        });
      });
}

const Module& add_arbiter(Design& design, const std::string& prefix, Arbitration kind) {
  return kind == Arbitration::matrix ? add_matrix(design, prefix) : add_round_robin(design, prefix);
}

}  // namespace weft::rtl

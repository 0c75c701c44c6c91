// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/arbiter.h"

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
        m.generate_for("i", 0, p.n, "requester", [&](Scope& s, const Expr& i) {
          s.assign(first.at(i * p.n + i), 0);
          s.assign(p.grant.at(i), p.request.at(i) & ~any(p.request & first.part(i * p.n, p.n)));
          s.generate_for("j", i + 1, p.n, "pair", [&](Scope& t, const Expr& j) {
            const Expr later = t.reg("later_q", 1, "j was served less recently than i");
            t.always_ff(p.clk, {If(!p.rst_n, {later <<= 0})
                                    .else_if(p.update & (p.grant.at(i) | p.grant.at(j)),
                                             {later <<= p.grant.at(i)})});
            t.assign(first.at(i * p.n + j), later);
            t.assign(first.at(j * p.n + i), ~later);
          });
        });
        m.generate_if(p.n == 1, "alone", [&](Scope& s) {
          s.unused("unused_clock", {p.clk, p.rst_n, p.update}, "there is no order to keep");
        });
      });
}

}  // namespace

const Module& add_pick(Design& design, const std::string& prefix) {
  return module_once(
      design, prefix + "_pick",
      {.summary = "the first request at or after a pointer, cyclic.",
       .description =
           "Two priority encoders in parallel, one for the requests behind the pointer and one for "
           "all; the second counts if the first finds nothing.",
       .latency = "combinational."},
      [](Module& m) {
        const Expr n = m.parameter("N", 4, "requesters, >= 1");
        const Expr request = m.input("request_i", n);
        const Expr behind_i = m.input("behind_i", n, "bit k: k >= pointer; all ones or zeros: 0");
        const Expr grant = m.output("grant_o", n, "one-hot; 0 without a request");
        const Expr behind_o = m.output("behind_o", n, "the pointer behind the winner, as behind_i");
        m.require(n >= 1, "N_must_be_at_least_1");
        const Expr levels = m.localparam("LEVELS", clog2(n));
        m.comment("Bit k of the result: a bit below k is set. A parallel prefix, log2(N) deep.");
        const Function above = m.function("above", n, [&](FunctionBuilder& f) {
          const Expr x = f.input("x", n);
          const Expr level = f.integer("level");
          return Body{set(f.result(), x << 1),
                      For(level, 0, levels,
                          {set(f.result(), f.result() | (f.result() << (Expr(1) << level)))})};
        });
        const Expr late = m.let("late", request & behind_i);
        const Expr above_late = m.let("above_late", above({late}));
        const Expr above_all = m.let("above_all", above({request}));
        const Expr hit = m.let("hit", any(late));
        m.assign(grant, mux(hit, late & ~above_late, request & ~above_all));
        m.assign(behind_o, mux(hit, above_late, above_all));
      });
}

const Module& add_arbiter(Design& design, const std::string& prefix, Arbitration kind) {
  return kind == Arbitration::matrix ? add_matrix(design, prefix) : add_round_robin(design, prefix);
}

}  // namespace weft::rtl

// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/switch/reduction.h"

#include <string>

#include "arch/network/header.h"
#include "rtl_gen/blocks/crossbar.h"
#include "rtl_gen/blocks/fifo.h"

namespace weft::rtl {

using namespace hdl;

Expr result_stages(Module& m, const Expr& ports) {
  return m.localparam("STAGES", clog2(ports) + 1, "registers before and in the tree of results");
}

const Module& add_combine(Design& design, const Shape& shape) {
  const Module& lane = add_lane_operator(design, shape);
  Module& m = design.add_module(
      shape.device.name + "_combine",
      {.summary = "combines the flits of a reduction's members.",
       .description = "A tree with registers: level k has a value for each 2^k ports.",
       .diagram = "  level 0    p0  p1  p2  p3  p4\n"
                  "  level 1     op      op     |\n"
                  "  level 2         op         |\n"
                  "  level 3              op    --> flit_o",
       .latency = "each level ends in a register: flit_o follows after 1 + clog2(PORTS) cycles."});
  const Expr ports = m.parameter("PORTS", shape.device.ports, ">= 2");
  const Expr flit_width = m.parameter("FLIT_WIDTH", shape.device.flit_width,
                                      "bits of a flit, a multiple of LANE_WIDTH");
  const Expr clk = m.input("clk_i");
  const Expr op_i = m.input("op_i", 2, "0 sum, 1 minimum, 2 maximum");
  const Expr valid_i = m.input("valid_i", ports, "whose flits count");
  const Expr flit_i = m.input("flit_i", ports * flit_width);
  const Expr flit_o = m.output("flit_o", flit_width);
  const Expr lane_width = m.localparam("LANE_WIDTH", 32);
  m.require(flit_width % lane_width == 0, "FLIT_WIDTH_must_be_a_multiple_of_32");
  const Expr lanes = m.localparam("LANES", flit_width / lane_width);
  const Expr levels = m.localparam("LEVELS", clog2(ports));
  m.generate_for("l", 0, levels + 1, "level", [&](Scope& s, const Expr& l) {
    const Expr count = s.localparam("COUNT", (ports + (Expr(1) << l) - 1) >> l);
    const Expr op_q = s.reg("op_q", 2);
    const Expr valid_q = s.reg("valid_q", count, "some port below counts");
    const Expr value_q = s.reg("value_q", count * flit_width);
    const Expr op = s.wire("op", 2);
    const Expr valid = s.wire("valid", count);
    const Expr value = s.wire("value", count * flit_width);
    s.always_ff(clk, {op_q <<= op, valid_q <<= valid, value_q <<= value});
    s.generate_if(l == 0, "leaves", [&](Scope& t) {
       t.assign(op, op_i);
       t.assign(valid, valid_i);
       t.assign(value, flit_i);
     }).otherwise("inner", [&](Scope& t) {
      const Expr below = t.localparam("BELOW", (ports + (Expr(1) << (l - 1)) - 1) >> (l - 1));
      const Expr op_below = at_iteration(op_q, {l - 1});
      const Expr valid_below = at_iteration(valid_q, {l - 1});
      const Expr value_below = at_iteration(value_q, {l - 1});
      t.assign(op, op_below);
      t.generate_for("n", 0, count, "node", [&](Scope& u, const Expr& n) {
        u.generate_if(n * 2 + 1 < below, "pair", [&](Scope& v) {
           v.assign(valid.at(n), valid_below.at(n * 2) | valid_below.at(n * 2 + 1));
           v.generate_for("k", 0, lanes, "lane", [&](Scope& w, const Expr& k) {
             const auto of_child = [&](const Expr& child) {
               return value_below.part(child * flit_width + k * lane_width, lane_width);
             };
             w.instance("u_operator", lane, {{"WIDTH", lane_width}},
                        {{"op_i", op_below},
                         {"a_valid_i", valid_below.at(n * 2)},
                         {"a_i", of_child(n * 2)},
                         {"b_valid_i", valid_below.at(n * 2 + 1)},
                         {"b_i", of_child(n * 2 + 1)},
                         {"y_o", value.part(n * flit_width + k * lane_width, lane_width)}});
           });
         }).otherwise("single", [&](Scope& v) {
          v.assign(valid.at(n), valid_below.at(n * 2));
          v.assign(value.part(n * flit_width, flit_width),
                   value_below.part(n * 2 * flit_width, flit_width));
        });
      });
    });
    s.generate_if(l == levels, "root", [&](Scope& t) {
      t.assign(flit_o, value_q);
      t.unused("unused_last", {op_q, valid_q}, "a reduction has members, and is combined");
    });
  });
  m.finish();
  return m;
}

const Module& add_result(Design& design, const Shape& shape) {
  const Module& combine = add_combine(design, shape);
  const Module& fifo = add_fifo(design, shape.device.name);
  const Module& select = add_crossbar(design, shape.device.name);
  const int stages = shape.timing.output_stages;
  ModuleDoc doc;
  doc.summary = "the flits that reductions result in, until they leave.";
  doc.diagram = "  inputs --> [combine: STAGES registers] --> [FIFO] --> crossbar";
  doc.latency = "what departs in cycle s is at leaving_i, or must be at leaving_o, in s" +
                (stages > 0 ? " + " + std::to_string(stages) : std::string()) +
                ". It is in the FIFO STAGES + 1 cycles after it was at leaving_i.";
  Module& m = design.add_module(shape.device.name + "_result", doc);
  const Expr ports = m.parameter("PORTS", shape.device.ports, ">= 2");
  const Expr flit_width = m.parameter("FLIT_WIDTH", shape.device.flit_width, "bits of a flit");
  const Expr width = m.parameter("WIDTH", shape.device.flit_width + 2,
                                 "bits of {head, tail ..., flit} through the crossbar");
  const Expr clk = m.input("clk_i");
  const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low; control only");
  m.port_group("In the cycle of the departures.");
  std::optional<Expr> stage;
  Expr member = m.input("member_i", ports, "whose flits are combined; 0: none");
  Expr reference = m.input("reference_i", ports, "the member whose header counts, one-hot");
  Expr op = m.input("op_i", 2, "0 sum, 1 minimum, 2 maximum");
  Expr send = m.input("send_i", 1, "a result departs");
  m.port_group("At the crossbar.");
  const Expr leaving_i = m.input("leaving_i", ports * width, "from the inputs");
  const Expr leaving_o = m.output("leaving_o", width, "a result");
  for (int k = 1; k <= stages; ++k) {
    const std::string suffix = k == 1 ? "_q" : "_" + std::to_string(k) + "q";
    const auto next = [&](const std::string& name, const Expr& x) {
      return m.reg(name + suffix, width_of(x));
    };
    const Expr member_q = next("member", member), reference_q = next("reference", reference),
               op_q = next("op", op), send_q = next("send", send);
    m.always_ff(
        clk,
        {If(!rst_n, {member_q <<= 0, send_q <<= 0}).else_({member_q <<= member, send_q <<= send})});
    m.always_ff(clk, {reference_q <<= reference, op_q <<= op});
    member = member_q;
    reference = reference_q;
    op = op_q;
    send = send_q;
  }
  const Expr results = result_stages(m, ports);
  m.comment("A head passes as the reference's alone.");
  const Expr flits = m.wire("flits", ports * flit_width);
  const Expr counts = m.wire("counts", ports);
  const Expr flags_width = m.localparam("FLAGS", width - flit_width, "bits of {head, tail ...}");
  const Expr all_flags = m.wire("all_flags", ports * flags_width);
  m.generate_for("p", 0, ports, "port", [&](Scope& s, const Expr& p) {
    s.assign(flits.part(p * flit_width, flit_width), leaving_i.part(p * width, flit_width));
    s.assign(all_flags.part(p * flags_width, flags_width),
             leaving_i.part(p * width + flit_width, flags_width));
    s.assign(counts.at(p), member.at(p) & (~leaving_i.at(p * width + width - 1) | reference.at(p)));
  });
  const Expr combined = m.wire("combined", flit_width);
  m.instance(
      "u_combine", combine, {{"PORTS", ports}, {"FLIT_WIDTH", flit_width}},
      {{"clk_i", clk}, {"op_i", op}, {"valid_i", counts}, {"flit_i", flits}, {"flit_o", combined}});
  const Expr flags = m.wire("flags", flags_width, "of the reference");
  m.instance("u_flags", select, {{"INPUTS", ports}, {"OUTPUTS", 1}, {"WIDTH", flags_width}},
             {{"select_i", reference}, {"data_i", all_flags}, {"data_o", flags}});

  m.comment("They come to the FIFO with the flags, a head as that of a multicast.");
  const Expr coming = m.reg("coming_q", results);
  const Expr coming_flags = m.reg("coming_flags_q", results * flags_width);
  m.always_ff(
      clk,
      {If(!rst_n, {coming <<= 0}).else_({coming <<= cat({coming(results - 2, 0), any(member)})})});
  m.always_ff(clk,
              {coming_flags <<= cat({coming_flags((results - 1) * flags_width - 1, 0), flags})});
  const Expr last_flags =
      m.let("last_flags", coming_flags.part((results - 1) * flags_width, flags_width));
  const arch::HeaderLayout layout(shape.device);
  const Expr flit = m.reg("flit", flit_width);
  m.always_comb({set(flit, combined),
                 If(last_flags.at(flags_width - 1),
                    {set(flit.part(layout.op_offset, layout.op_width),
                         bin(layout.op_width, static_cast<int>(arch::PacketOp::multicast)))})});
  const Expr full = m.wire("unused_full", 1), valid = m.wire("unused_valid", 1);
  m.instance("u_fifo", fifo, {{"DEPTH", spare_results + results}, {"WIDTH", width}},
             {{"clk_i", clk},
              {"rst_ni", rst_n},
              {"write_i", coming.at(results - 1)},
              {"data_i", cat({last_flags, flit})},
              {"full_o", full},
              {"read_i", send},
              {"valid_o", valid},
              {"data_o", leaving_o}});
  m.finish();
  return m;
}

}  // namespace weft::rtl

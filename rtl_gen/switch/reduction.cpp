// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/switch/reduction.h"

#include <string>

#include "arch/network/header.h"
#include "rtl_gen/blocks/crossbar.h"
#include "rtl_gen/blocks/fifo.h"
#include "rtl_gen/switch/collective.h"

namespace weft::rtl {

using namespace hdl;

const Module& add_lane_operator(Design& design, const Shape& shape) {
  Module& m = design.add_module(
      shape.device.name + "_lane_operator",
      {.summary = "sum, minimum or maximum of two integers.",
       .description =
           "Two's complement; a sum wraps around. One adder serves sums and comparisons.",
       .latency = "combinational."});
  const Expr width = m.parameter("WIDTH", 32, "bits of a lane, >= 2");
  const Expr op = m.input("op_i", 2, "0 sum, 1 minimum, 2 maximum");
  const Expr a_valid = m.input("a_valid_i", 1, "a counts");
  const Expr a = m.input("a_i", width);
  const Expr b_valid = m.input("b_valid_i", 1, "b counts");
  const Expr b = m.input("b_i", width);
  const Expr y = m.output("y_o", width);
  const Expr less = m.let("less", to_signed(a) < to_signed(b));
  const Expr both = m.let("both", a_valid & b_valid);
  const Expr pick_a = m.let("pick_a", ~b_valid | (a_valid & (less ^ op.at(1))));
  m.assign(y, mux(both & (op == 0), a + b, mux(pick_a, a, b)));
  m.finish();
  return m;
}

const Module& add_combine(Design& design, const Shape& shape) {
  const Module& lane = add_lane_operator(design, shape);
  Module& m = design.add_module(shape.device.name + "_combine",
                                {.summary = "combines the flits of a reduction's members.",
                                 .description = "A tree: level k has a value for each 2^k ports.",
                                 .diagram = "  level 0    p0  p1  p2  p3  p4\n"
                                            "  level 1     op      op     |\n"
                                            "  level 2         op         |\n"
                                            "  level 3              op    --> flit_o",
                                 .latency = "combinational."});
  const Expr ports = m.parameter("PORTS", shape.device.ports, ">= 2");
  const Expr flit_width = m.parameter("FLIT_WIDTH", shape.device.flit_width,
                                      "bits of a flit, a multiple of LANE_WIDTH");
  const Expr op = m.input("op_i", 2, "0 sum, 1 minimum, 2 maximum");
  const Expr member = m.input("member_i", ports, "whose flits count");
  const Expr flit_i = m.input("flit_i", ports * flit_width);
  const Expr flit_o = m.output("flit_o", flit_width);
  const Expr lane_width = m.localparam("LANE_WIDTH", 32);
  m.require(flit_width % lane_width == 0, "FLIT_WIDTH_must_be_a_multiple_of_32");
  const Expr lanes = m.localparam("LANES", flit_width / lane_width);
  const Expr levels = m.localparam("LEVELS", clog2(ports));
  m.generate_for("l", 0, levels + 1, "level", [&](Scope& s, const Expr& l) {
    const Expr count = s.localparam("COUNT", (ports + (Expr(1) << l) - 1) >> l);
    const Expr valid = s.wire("valid", count, "some port below is a member");
    const Expr value = s.wire("value", count * flit_width);
    s.generate_if(l == 0, "leaves", [&](Scope& t) {
       t.assign(valid, member);
       t.assign(value, flit_i);
     }).otherwise("inner", [&](Scope& t) {
      const Expr below = t.localparam("BELOW", (ports + (Expr(1) << (l - 1)) - 1) >> (l - 1));
      const Expr valid_below = at_iteration(valid, {l - 1});
      const Expr value_below = at_iteration(value, {l - 1});
      t.generate_for("n", 0, count, "node", [&](Scope& u, const Expr& n) {
        u.generate_if(n * 2 + 1 < below, "pair", [&](Scope& v) {
           v.assign(valid.at(n), valid_below.at(n * 2) | valid_below.at(n * 2 + 1));
           v.generate_for("k", 0, lanes, "lane", [&](Scope& w, const Expr& k) {
             const auto of_child = [&](const Expr& child) {
               return value_below.part(child * flit_width + k * lane_width, lane_width);
             };
             w.instance("u_operator", lane, {{"WIDTH", lane_width}},
                        {{"op_i", op},
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
      t.assign(flit_o, value);
      t.unused("unused_valid", {valid}, "a reduction has members");
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
  doc.diagram =
      "  inputs --+--> [combine] --.\n"
      "           '--> [reference] --+--> [FIFO] --> crossbar";
  doc.latency = "what departs in cycle s is at leaving_i, or must be at leaving_o, in s" +
                (stages > 0 ? " + " + std::to_string(stages) : std::string()) + ".";
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
  const Expr flits = m.wire("flits", ports * flit_width);
  m.generate_for("p", 0, ports, "port", [&](Scope& s, const Expr& p) {
    s.assign(flits.part(p * flit_width, flit_width), leaving_i.part(p * width, flit_width));
  });
  const Expr combined = m.wire("combined", flit_width);
  m.instance("u_combine", combine, {{"PORTS", ports}, {"FLIT_WIDTH", flit_width}},
             {{"op_i", op}, {"member_i", member}, {"flit_i", flits}, {"flit_o", combined}});
  const Expr header = m.wire("of_reference", width);
  m.instance("u_reference", select, {{"INPUTS", ports}, {"OUTPUTS", 1}, {"WIDTH", width}},
             {{"select_i", reference}, {"data_i", leaving_i}, {"data_o", header}});

  m.comment("A head passes as the reference's, as a multicast; of the others only the flags do.");
  const Expr head = m.let("head", header.at(width - 1));
  const arch::HeaderLayout layout(shape.device);
  const Expr flit = m.reg("flit", flit_width);
  m.always_comb({If(head, {set(flit, header(flit_width - 1, 0)),
                           set(flit.part(layout.op_offset, layout.op_width),
                               bin(layout.op_width, static_cast<int>(arch::PacketOp::multicast)))})
                     .else_({set(flit, combined)})});
  const Expr full = m.wire("unused_full", 1), valid = m.wire("unused_valid", 1);
  m.instance("u_fifo", fifo, {{"DEPTH", result_places}, {"WIDTH", width}},
             {{"clk_i", clk},
              {"rst_ni", rst_n},
              {"write_i", any(member)},
              {"data_i", cat({header(width - 1, flit_width), flit})},
              {"full_o", full},
              {"read_i", send},
              {"valid_o", valid},
              {"data_o", leaving_o}});
  m.finish();
  return m;
}

}  // namespace weft::rtl

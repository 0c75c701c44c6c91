// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "rtl_gen/blocks/credit_counter.h"
#include "rtl_gen/blocks/crossbar.h"
#include "rtl_gen/switch/input_builder.h"
#include "rtl_gen/switch/modules.h"
#include "rtl_gen/switch/route.h"

namespace weft::rtl {

using namespace hdl;

namespace {

ModuleDoc input_doc(const Shape& shape) {
  ModuleDoc doc;
  doc.summary = "one input of the switch.";
  if (!shape.queues) {
    doc.description = "Finds the output of a packet. The flit waits on the pins until it departs.";
    doc.diagram =
        "  pins --+--> [route] --> requests\n"
        "         '--------------------------> leaving flit";
    doc.latency = "combinational, but for the output of a packet, which is kept from its head on.";
    return doc;
  }
  doc.description =
      std::string("Finds the output of a packet and puts its flits into the queue of ") +
      (shape.by_output ? "that output" : "the input") +
      (shape.channels > 1 ? " and the packet's VC" : "") +
      ". What stands at the head of a queue requests its output, as head (the first "
      "flit of a packet) or continuing (the others).";
  const std::string stage = shape.timing.input_stages > 0 ? "[register] --" : "";
  doc.diagram = "  pins --> [route] --" + stage +
                "> [queues] --> requests\n"
                "                          |\n"
                "                          '-> leaving flit";
  doc.latency =
      "a flit on the pins in cycle t requests from cycle t + " +
      std::to_string(1 + shape.timing.input_stages) +
      " on; after depart_i in cycle s its place is free from s + 1 on, and it is at "
      "leaving_o in cycle s" +
      (shape.timing.output_stages > 0 ? " + " + std::to_string(shape.timing.output_stages) : "") +
      ".";
  return doc;
}

}  // namespace

InputBuilder::InputBuilder(Design& design, const Shape& shape)
    : shape_(shape),
      route_(add_route(design, shape.device)),
      select_(add_crossbar(design, shape.device.name)),
      memory_(input_storage(design, shape)),
      places_(shape.ready_valid && shape.timing.input_stages > 0 && !shape.pooled
                  ? &add_credit_counter(design, shape.device.name)
                  : nullptr),
      m_(design.add_module(shape.device.name + "_input", input_doc(shape))),
      sizes_(m_, shape),
      flit_width_(m_.parameter("FLIT_WIDTH", shape.device.flit_width, "bits of a flit")) {
  if (shape.queues) depth_ = m_.parameter("DEPTH", shape.device.buffer_depth, "flits of a queue");
  if (shape.queues) queues_ = shape.by_output ? sizes_.lanes : sizes_.channels;
  rooms_ = shape.pooled              ? sizes_.channels
           : shape.collective_queues ? queues_ + sizes_.channels
                                     : queues_;
  if (shape.any_channel) sizes_.declare_classes(m_, shape);
  if (!shape.by_output && shape.queues && !shape.collectives) {
    port_width_ = m_.localparam("PORT_WIDTH", clog2(sizes_.ports));
  }
}

void InputBuilder::declare_ports() {
  clk_ = m_.input("clk_i");
  if (shape_.queues) rst_n_ = m_.input("rst_ni", 1, "synchronous, active low; control only");
  m_.port_group("The pins of this input.");
  pins_.valid = m_.input("valid_i");
  pins_.head = m_.input("head_i");
  pins_.tail = m_.input("tail_i");
  if (several()) pins_.channel = m_.input("vc_i", sizes_.channel_width);
  pins_.flit = m_.input("flit_i", flit_width_);
  room_o_ = shape_.ready_valid ? m_.output("ready_o", rooms_, "the queue takes a flit")
            : shape_.pooled    ? m_.output("credit_o", rooms_, "a flit left the pool")
                               : m_.output_reg("credit_o", rooms_, "a flit left the queue");
  if (shape_.device.mesh()) {
    x_ = m_.input("x_i", x_width(shape_.device), "where the switch is");
    y_ = m_.input("y_i", y_width(shape_.device));
  }
  m_.port_group("The state of the outputs: " + lane_order(shape_, "output") + ".");
  if (!shape_.speculative) open_ = m_.input("open_i", sizes_.lanes, "a head in VC v may go there");
  credit_ = m_.input("credit_i", sizes_.lanes, "the VC has a credit");
  if (shape_.any_channel) {
    first_ = m_.input("first_i", sizes_.lanes, "the first VC of each class that is open");
  }
  if (shape_.adaptive) {
    prefer_ = m_.input("prefer_i", sizes_.channels * preferences(shape_.device),
                       "outputs with more credits: those of VC v from v*PREFERENCES on");
    from_west_ = shape_.device.routing == arch::Routing::odd_even
                     ? m_.input("from_west_i", 1, "this is the west port")
                     : from_west_;
  }
  m_.port_group("Requests: " + lane_order(shape_, "output") + ".");
  head_o_ = m_.output("head_o", sizes_.lanes, "the first flit of a packet");
  continuing_o_ = m_.output("continuing_o", sizes_.lanes, "a flit of a packet under way");
  tail_o_ = m_.output("tail_o", queues_, "the flit at the head of the queue ends its packet");
  if (shape_.any_channel) {
    channel_o_ = m_.output("channel_o", queues_ * (sizes_.channels / shape_.classes),
                           "the VC of its class in which it leaves, one-hot");
  }
  depart_ =
      m_.input("depart_i", sizes_.lanes,
               shape_.fan_out ? "what departs: one to an output" : "what departs: one-hot or 0");
  const Expr width = crossbar_width(sizes_, shape_, flit_width_);
  leaving_o_ = m_.output("leaving_o", shape_.fan_out ? sizes_.ports * width : width,
                         std::string(several() ? "{head, tail, VC, flit}" : "{head, tail, flit}") +
                             (shape_.fan_out ? " to each output" : ""));
  if (shape_.collectives) declare_group_ports();
}

Arrival InputBuilder::pins() {
  Arrival arrival = pins_;
  if (!several()) return arrival;
  arrival.channel = m_.wire("channel", sizes_.channels, "the flit's VC, one-hot");
  m_.generate_for("c", 0, sizes_.channels, "decode", [&](Scope& s, const Expr& c) {
    s.assign(arrival.channel.at(c), pins_.channel == fit(c, sizes_.channel_width));
  });
  return arrival;
}

void InputBuilder::accept(Arrival& arrival) {
  if (!shape_.ready_valid || !shape_.queues) return;
  if (!shape_.by_output || shape_.pooled) {
    arrival.valid = m_.let("accepted", arrival.valid & room_o_);
    entering_ = arrival.valid;
  } else {
    entering_ = m_.let("entering", rep(queues_, arrival.valid) & arrival.output & room_o_);
    arrival.valid = m_.let("accepted", any(entering_));
  }
}

void InputBuilder::route(Arrival& arrival) {
  const Expr routed = m_.wire("routed", sizes_.ports, "the output of a head");
  std::vector<Connection> ports{{"flit_i", arrival.flit}, {"output_o", routed}};
  if (shape_.device.mesh()) {
    ports.push_back({"x_i", x_});
    ports.push_back({"y_i", y_});
  }
  if (shape_.device.routing == arch::Routing::odd_even)
    ports.push_back({"from_west_i", from_west_});
  if (shape_.adaptive) {
    const Expr count = preferences(shape_.device);
    Expr prefer = prefer_;
    if (several()) {
      prefer = m_.wire("prefer", count, "in the head's VC");
      select(m_, "u_prefer", arrival.channel, prefer_, sizes_.channels, count, prefer);
    }
    ports.push_back({"prefer_i", prefer});
  }
  if (rewrites_header(shape_.device)) {
    const Expr leaves = m_.wire("rewritten", flit_width_, "as it leaves the switch");
    ports.push_back({"head_i", arrival.head});
    ports.push_back({"flit_o", leaves});
    arrival.flit = leaves;
  }
  m_.instance("u_route", route_, {{"PORTS", sizes_.ports}, {"FLIT_WIDTH", flit_width_}}, ports);

  m_.comment("The other flits of a packet follow its head.");
  const Expr routes = m_.reg("route_q", sizes_.lanes, "the output of the packet that enters");
  for_each_channel(m_, "entering", [&](Scope& s, const Expr& v) {
    const Expr begins = arrival.valid & arrival.head;
    s.always_ff(clk_, {If(several() ? begins & arrival.channel.at(v) : begins,
                          {routes.part(v * sizes_.ports, sizes_.ports) <<= routed})});
  });
  Expr followed = routes;
  if (several()) {
    followed = m_.wire("followed", sizes_.ports);
    select(m_, "u_followed", arrival.channel, routes, sizes_.channels, sizes_.ports, followed);
  }
  arrival.output =
      m_.let("destination", mux(arrival.head, routed, followed), "the flit's, one-hot");
}

Arrival InputBuilder::registered(const Arrival& arrival) {
  Arrival after = arrival;
  after.valid = m_.reg("valid_q", 1);
  m_.always_ff(clk_, {If(!rst_n_, {after.valid <<= 0}).else_({after.valid <<= arrival.valid})});
  Body body;
  const auto delay = [&](const std::string& name, const Expr& x, Expr& q) {
    q = m_.reg(name, width_of(x));
    body.push_back(q <<= x);
  };
  if (arrival.output.type().is_integer() || (shape_.collectives && !shape_.collective_queues))
    delay("head_q", arrival.head, after.head);
  delay("tail_q", arrival.tail, after.tail);
  if (several()) delay("channel_q", arrival.channel, after.channel);
  delay("flit_q", arrival.flit, after.flit);
  if (arrival.output.type().is_bits()) delay("output_q", arrival.output, after.output);
  m_.always_ff(clk_, body);
  return after;
}

void InputBuilder::for_each_channel(Scope& scope, const std::string& block,
                                    const Scope::BuildLoop& build) {
  if (!several()) return build(scope, 0);
  scope.generate_for("v", 0, sizes_.channels, block, build);
}

void InputBuilder::for_each_lane(
    const std::string& block, const std::function<void(Scope&, const Expr&, const Expr&)>& build) {
  m_.generate_for("o", 0, sizes_.ports, block, [&](Scope& s, const Expr& o) {
    for_each_channel(s, "vc", [&](Scope& t, const Expr& v) { build(t, o, v); });
  });
}

Expr InputBuilder::encoded(Scope& scope, const std::string& name, const Expr& one_hot,
                           const Expr& count, const Expr& width) {
  const Expr code = scope.reg(name, width, "its number");
  const Expr n = m_.loop_variable(name + "_n");
  scope.always_comb(
      {set(code, 0),
       For(n, 0, count, {set(code, code | (rep(width, one_hot.at(n)) & fit(n, width)))})},
      "encode_" + name);
  return code;
}

void InputBuilder::select(Scope& scope, const std::string& name, const Expr& one_hot,
                          const Expr& data, const Expr& count, const Expr& width,
                          const Expr& result) const {
  scope.instance(name, select_, {{"INPUTS", count}, {"OUTPUTS", 1}, {"WIDTH", width}},
                 {{"select_i", one_hot}, {"data_i", data}, {"data_o", result}});
}

const Module& InputBuilder::build() {
  declare_ports();
  m_.blank();
  Arrival arrival = pins();
  const bool stage = shape_.timing.input_stages > 0;
  // The choice of adaptive routing falls when the head is queued; else the pins are free earlier.
  if (stage && shape_.adaptive) {
    arrival = registered(arrival);
    route(arrival);
  } else {
    route(arrival);
    accept(arrival);
    if (stage) arrival = registered(arrival);
  }
  shape_.queues ? enqueue(arrival) : wait_at_pins(arrival);
  if (shape_.any_channel) choose_channels();
  request();
  leave();
  m_.finish();
  return m_;
}

const Module& add_input(Design& design, const Shape& shape) {
  return InputBuilder(design, shape).build();
}

}  // namespace weft::rtl

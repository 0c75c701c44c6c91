// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "rtl_gen/blocks/arbiter.h"
#include "rtl_gen/switch/modules.h"

namespace weft::rtl {

using namespace hdl;

namespace {

ModuleDoc output_requests_doc(const Shape& shape) {
  ModuleDoc doc;
  doc.summary = "which requests for one output the allocator sees.";
  if (shape.classes > 1) {
    const bool weighted = shape.device.class_priority == arch::ClassPriority::weighted;
    doc.description =
        weighted
            ? "Those of one class of traffic: the first, from the class whose turn it is, that "
              "requests. A class has as many turns in a row as its weight says.\n\n"
            : "Those of the most urgent class of traffic, the lowest one that requests.\n\n";
  }
  doc.description +=
      "Packets under way come first: while one of them can use the output, no other packet begins.";
  doc.latency = "combinational.";
  return doc;
}

/// Whose turn it is, as one-hot classes; moves with each departure.
class Turns {
 public:
  Turns(Module& m, const Shape& shape, const Expr& clk, const Expr& rst_n, const Expr& departed);
  Expr turn;

 private:
  Module& m_;
  const Shape& shape_;
};

Turns::Turns(Module& m, const Shape& shape, const Expr& clk, const Expr& rst_n,
             const Expr& departed)
    : turn(0), m_(m), shape_(shape) {
  const std::vector<int>& weights = shape_.device.class_weights;
  const int most = *std::ranges::max_element(weights);
  const Expr width = m_.localparam("LEFT_WIDTH", clog2(Expr(most) + 1), "for the greatest weight");
  turn = m_.reg("turn_q", shape_.classes, "one-hot");
  const Expr left = m_.reg("left_q", width, "departures that are left to it");
  std::vector<Expr> weight;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    weight.push_back(m_.constant(fmt::format("WEIGHT_{}", c), width, weights[c]));
  }
  const auto of_departed = [&](std::size_t offset) {
    Expr sum = 0;
    for (std::size_t c = 0; c < weights.size(); ++c) {
      const Expr term =
          rep(width, departed.at(static_cast<int>(c))) & weight[(c + offset) % weights.size()];
      sum = c == 0 ? term : sum | term;
    }
    return sum;
  };
  const Expr remaining = m_.let("remaining", mux(any(turn & departed), left, of_departed(0)));
  const Expr next =
      m_.let("next_turn", cat({departed(shape_.classes - 2, 0), departed.at(shape_.classes - 1)}));
  m_.always_ff(
      clk, {If(!rst_n, {turn <<= 1, left <<= weight[0]})
                .else_if(any(departed), {If(remaining == 1, {turn <<= next, left <<= of_departed(1)})
                                             .else_({turn <<= departed, left <<= remaining - 1})})});
}

}  // namespace

const Module& add_output_requests(Design& design, const Shape& shape) {
  const bool weighted =
      shape.classes > 1 && shape.device.class_priority == arch::ClassPriority::weighted;
  const Module* const pick = weighted ? &add_pick(design, shape.device.name) : nullptr;
  Module& m = design.add_module(shape.device.name + "_output_requests", output_requests_doc(shape));
  Sizes sizes(m, shape);
  if (shape.classes > 1) sizes.declare_classes(m, shape);
  Expr clk = 0, rst_n = 0, depart = 0;
  if (weighted) {
    clk = m.input("clk_i");
    rst_n = m.input("rst_ni", 1, "synchronous, active low");
    m.port_group();
  }
  const Expr head = m.input("head_i", sizes.lanes, "VC v of input i at [i*V + v]");
  const Expr continuing = m.input("continuing_i", sizes.lanes);
  if (weighted) depart = m.input("depart_i", sizes.lanes, "what departs, one-hot or 0");
  const Expr head_o = m.output("head_o", sizes.lanes);
  const Expr continuing_o = m.output("continuing_o", sizes.lanes);
  if (shape.classes == 1) {
    m.assign(continuing_o, continuing);
    m.assign(head_o, head & ~rep(sizes.lanes, any(continuing)));
    m.finish();
    return m;
  }
  const Expr classes = shape.classes;
  const Expr k = sizes.class_channels;
  m.require(sizes.channels == k * classes, "VIRTUAL_CHANNELS_must_be_a_multiple_of_the_classes");
  m.blank();
  const Expr present = m.wire("present", classes, "the class requests");
  const Expr allowed = m.wire("allowed", classes, "one-hot: the class that may go on");
  m.generate_for("c", 0, classes, "of_class", [&](Scope& s, const Expr& c) {
    const Expr asks = s.wire("asks", sizes.ports, "some VC of the class at each input");
    s.generate_for("i", 0, sizes.ports, "from", [&](Scope& t, const Expr& i) {
      const Expr base = i * sizes.channels + c * k;
      t.assign(asks.at(i), any(head.part(base, k) | continuing.part(base, k)));
    });
    s.assign(present.at(c), any(asks));
  });
  if (weighted) {
    const Expr of_class = m.wire("departed", classes, "its class");
    m.generate_for("c", 0, classes, "departing", [&](Scope& s, const Expr& c) {
      const Expr leaves = s.wire("leaves", sizes.ports);
      s.generate_for("i", 0, sizes.ports, "from", [&](Scope& t, const Expr& i) {
        t.assign(leaves.at(i), any(depart.part(i * sizes.channels + c * k, k)));
      });
      s.assign(of_class.at(c), any(leaves));
    });
    const Expr turn = Turns(m, shape, clk, rst_n, of_class).turn;
    const Expr behind =
        m.let("behind", ~(turn - 1), "the class whose turn it is, and those after it");
    const Expr after = m.wire("unused_after", classes);
    m.instance(
        "u_pick", *pick, {{"N", classes}},
        {{"request_i", present}, {"behind_i", behind}, {"grant_o", allowed}, {"behind_o", after}});
  } else {
    m.assign(allowed, present & -present);
  }
  const Expr urgent = m.wire("urgent_head", sizes.lanes);
  m.generate_for("i", 0, sizes.ports, "input_port", [&](Scope& s, const Expr& i) {
    s.generate_for("v", 0, sizes.channels, "channel", [&](Scope& t, const Expr& v) {
      const Expr lane = i * sizes.channels + v;
      t.assign(urgent.at(lane), head.at(lane) & allowed.at(v / k));
      t.assign(continuing_o.at(lane), continuing.at(lane) & allowed.at(v / k));
    });
  });
  m.assign(head_o, urgent & ~rep(sizes.lanes, any(continuing_o)));
  m.finish();
  return m;
}

}  // namespace weft::rtl

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "rtl_gen/blocks/weighted.h"
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

}  // namespace

const Module& add_output_requests(Design& design, const Shape& shape) {
  const bool weighted =
      shape.classes > 1 && shape.device.class_priority == arch::ClassPriority::weighted;
  const Module* const arbiter =
      weighted ? &add_weighted_arbiter(design, shape.device.name) : nullptr;
  Module& m = design.add_module(shape.device.name + "_output_requests", output_requests_doc(shape));
  Sizes sizes(m, shape);
  if (shape.classes > 1) sizes.declare_classes(m, shape);
  Expr clk = 0, rst_n = 0, depart = 0;
  if (weighted) {
    clk = m.input("clk_i");
    rst_n = m.input("rst_ni", 1, "synchronous, active low");
    m.port_group();
  }
  const Expr head = m.input("head_i", sizes.lanes, lane_order(shape, "input"));
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
    const std::vector<int>& weights = shape.device.class_weights;
    const Expr width =
        m.localparam("WEIGHT_WIDTH", clog2(Expr(*std::ranges::max_element(weights)) + 1),
                     "for the greatest weight");
    std::vector<Expr> weight;
    for (std::size_t c = weights.size(); c-- > 0;) {
      weight.push_back(m.constant(fmt::format("WEIGHT_{}", c), width, weights[c]));
    }
    m.instance("u_turns", *arbiter, {{"N", classes}, {"WEIGHT_WIDTH", width}},
               {{"clk_i", clk},
                {"rst_ni", rst_n},
                {"weight_i", cat(weight)},
                {"request_i", present},
                {"served_i", of_class},
                {"grant_o", allowed}});
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

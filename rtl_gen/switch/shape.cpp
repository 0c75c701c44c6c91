// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/switch/shape.h"

#include <fmt/format.h>

#include "rtl_gen/switch/route.h"

namespace weft::rtl {

using namespace hdl;
using arch::Organisation;
using arch::Switching;

Shape::Shape(const arch::Switch& d)
    : device(d),
      timing(d),
      channels(d.virtual_channels),
      classes(d.traffic_classes),
      by_output(d.organisation == Organisation::virtual_output_queued ||
                d.organisation == Organisation::output_queued ||
                d.organisation == Organisation::central_buffer),
      fan_out(d.organisation == Organisation::output_queued ||
              d.organisation == Organisation::central_buffer),
      pooled(d.organisation == Organisation::central_buffer),
      queues(d.organisation != Organisation::crossbar),
      late_reading(queues && !fan_out && timing.output_stages > 0),
      ready_valid(d.flow_control == arch::FlowControl::ready_valid),
      any_channel(d.vc_allocation == arch::VcAllocation::any && channels > 1),
      adaptive(preferences(d) > 0),
      speculative(d.speculative_allocation),
      whole_packets(d.switching != Switching::wormhole),
      stored_packets(d.switching == Switching::store_and_forward),
      output_filter(channels > 1 || speculative),
      input_filter(!fan_out && (channels > 1 || by_output)),
      collectives(d.collectives()),
      collective_queues(collectives && by_output) {}

Sizes::Sizes(Module& m, const Shape& shape)
    : ports(m.parameter("PORTS", shape.device.ports, ">= 2")),
      channels(shape.channels > 1
                   ? m.parameter("VIRTUAL_CHANNELS", shape.channels, "of each port, >= 2")
                   : Expr(1)),
      channel_width(shape.channels > 1 ? clog2(channels) : Expr(1)),
      lanes(ports * channels) {}

void Sizes::declare_classes(Module& m, const Shape& shape) {
  class_channels = channels;
  if (shape.classes > 1) {
    class_channels = m.localparam("CLASS_CHANNELS", channels / shape.classes, "VCs of a class");
  }
}

std::string lane_order(const Shape& shape, const std::string& port) {
  const char index = port.front();
  return shape.channels > 1 ? fmt::format("VC v of {0} {1} at [{1}*V + v]", port, index)
                            : fmt::format("{0} {1} at [{1}]", port, index);
}

std::vector<Connection> parameters_of(const Sizes& sizes, const Shape& shape) {
  std::vector<Connection> parameters{{"PORTS", sizes.ports}};
  if (shape.channels > 1) parameters.push_back({"VIRTUAL_CHANNELS", sizes.channels});
  return parameters;
}

Expr crossbar_width(const Sizes& sizes, const Shape& shape, const Expr& flit_width) {
  const Expr flags = flit_width + 2;
  return shape.channels > 1 ? flags + sizes.channel_width : flags;
}

Expr bit_of(const Expr& vector, const Expr& index) {
  const Expr width = width_of(vector);
  const bool scalar = width.node().op == Op::integer && width.node().value == 1;
  return scalar ? vector : vector.at(index);
}

}  // namespace weft::rtl

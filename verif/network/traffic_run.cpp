// SPDX-License-Identifier: Apache-2.0
#include "verif/network/traffic_run.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "verif/network/switch_endpoints.h"
#include "verif/network/switch_targets.h"

namespace weft::verif {

void check_traffic(const arch::Switch& design, const Traffic& traffic) {
  if (traffic.nodes() != design.ports) {
    throw UserError(fmt::format("traffic between {} nodes does not fit {}, which has {} ports",
                                traffic.nodes(), design.name, design.ports));
  }
  if (traffic.traffic_classes() > design.traffic_classes) {
    throw UserError(fmt::format("traffic of {} classes does not fit {}, which has {}",
                                traffic.traffic_classes(), design.name, design.traffic_classes));
  }
  if (traffic.longest_packet() > design.max_packet_flits) {
    throw UserError(fmt::format("packets of {} flits do not fit {}, whose max_packet_flits is {}",
                                traffic.longest_packet(), design.name, design.max_packet_flits));
  }
}

RoutedOutputs::RoutedOutputs(const arch::Switch& design, arch::Position position)
    : name_(design.name) {
  const SwitchTargets targets(design, position);
  for (int port = 0; port < design.ports; ++port) unrouted_.push_back(!targets.reachable(port));
}

void RoutedOutputs::refuse(int output) const {
  throw UserError(
      fmt::format("{}: traffic goes to port {}, to which no route leads", name_, output));
}

RunResult run_traffic(arch::SwitchSimulation& simulation, const arch::Switch& design,
                      Traffic& traffic, const RunPhases& phases, const EndpointOptions& options,
                      arch::Position position) {
  check_traffic(design, traffic);
  SwitchEndpoints endpoints(design, options, position);
  if (!endpoints.tells_packets_apart()) {
    throw UserError(
        fmt::format("{}: flit_width: {} bits have no room for the header and the number of the "
                    "packet's source; measure with wider flits",
                    design.name, design.flit_width));
  }
  RunMeter meter(design.ports, phases);
  const RoutedOutputs routed(design, position);
  const auto create = [&](std::uint64_t now) {
    for (int source = 0; source < design.ports; ++source) {
      while (traffic.next(source).cycle <= now) {
        const Injection packet = traffic.take(source);
        routed.check(packet.destination);
        meter.created(packet);
        endpoints.offer(packet);
      }
    }
  };
  std::uint64_t now = 0;
  for (; meter.goes_on(now) && !endpoints.violations().any(); ++now) {
    base::check_interrupt();
    create(now);
    endpoints.take(simulation.cycle(endpoints.drive()));
    for (const Delivery& delivery : endpoints.delivered()) {
      if (!delivery.last) continue;
      traffic.delivered(delivery.packet, now);
      meter.delivered(delivery.packet, now);
    }
  }
  RunResult result = meter.finish(now);
  result.violation = endpoints.violations().first();
  return result;
}

}  // namespace weft::verif

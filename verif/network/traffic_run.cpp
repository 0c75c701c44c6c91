// SPDX-License-Identifier: Apache-2.0
#include "verif/network/traffic_run.h"

#include <fmt/format.h>

#include "base/error.h"

namespace weft::verif {
namespace {

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

}  // namespace

RunResult run_traffic(arch::SwitchSimulation& simulation, const arch::Switch& design,
                      Traffic& traffic, const RunPhases& phases, const EndpointOptions& options,
                      const std::function<void(const Delivery&)>& measured,
                      arch::Position position) {
  check_traffic(design, traffic);
  SwitchEndpoints endpoints(design, options, position);
  const std::uint64_t begin = phases.warmup;
  const std::uint64_t end = begin + phases.measurement;
  const auto in_measurement = [&](std::uint64_t cycle) { return cycle >= begin && cycle < end; };
  RunResult result;
  result.offered.resize(static_cast<std::size_t>(design.ports));
  std::vector<std::uint64_t> received_before(static_cast<std::size_t>(design.ports));
  result.accepted.resize(static_cast<std::size_t>(design.ports));

  const auto create = [&](std::uint64_t now) {
    for (int source = 0; source < design.ports; ++source) {
      while (traffic.next(source).cycle <= now) {
        const Injection packet = traffic.take(source);
        if (!endpoints.targets().reachable(packet.destination)) {
          throw UserError(fmt::format("{}: traffic goes to port {}, to which no route leads",
                                      design.name, packet.destination));
        }
        const bool counts = in_measurement(packet.cycle);
        if (counts) {
          result.offered[static_cast<std::size_t>(source)] +=
              static_cast<std::uint64_t>(packet.flits);
          ++result.measured;
        }
        if (!endpoints.offer(packet)) {
          if (counts) ++result.refused;
        } else if (counts) {
          ++result.unfinished;
        }
      }
    }
  };
  const auto note_received = [&](std::vector<std::uint64_t>& flits) {
    for (int port = 0; port < design.ports; ++port) {
      flits[static_cast<std::size_t>(port)] = endpoints.flits_received(port);
    }
  };

  for (std::uint64_t now = 0; now < end || (result.unfinished > 0 && now < end + phases.drain);
       ++now) {
    if (now == begin) note_received(received_before);
    create(now);
    endpoints.take(simulation.cycle(endpoints.drive()));
    for (const Delivery& delivery : endpoints.delivered()) {
      if (!delivery.last) continue;
      traffic.delivered(delivery.packet, now);
      if (!in_measurement(delivery.packet.cycle)) continue;
      --result.unfinished;
      measured(delivery);
    }
    if (now + 1 == end) note_received(result.accepted);
    if (endpoints.violations().any()) {
      result.violation = endpoints.violations().first();
      break;
    }
  }
  result.cycles = endpoints.now();
  for (std::size_t port = 0; port < result.accepted.size(); ++port) {
    result.accepted[port] -= received_before[port];
  }
  return result;
}

}  // namespace weft::verif

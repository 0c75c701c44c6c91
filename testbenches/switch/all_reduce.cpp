// SPDX-License-Identifier: Apache-2.0
#include "testbenches/switch/all_reduce.h"

#include "verif/network/switch_endpoints.h"

namespace weft::verif {
namespace {

/// Steps until every packet has come out. `react(delivery)` may offer more.
template <typename React>
AllReduceRun run_until_drained(arch::SwitchSimulation& simulation, SwitchEndpoints& endpoints,
                               React&& react) {
  constexpr std::uint64_t patience = 10000;
  std::uint64_t last_delivery = 0;
  simulation.reset();
  while (endpoints.outstanding() > 0 && !endpoints.violations().any()) {
    endpoints.take(simulation.cycle(endpoints.drive()));
    for (const Delivery& delivery : endpoints.delivered()) {
      last_delivery = endpoints.now();
      if (delivery.last) react(delivery);
    }
    if (endpoints.now() > last_delivery + patience) {
      return {endpoints.now(), "nothing came out any more"};
    }
  }
  return {endpoints.now(), endpoints.violations().first()};
}

EndpointOptions with_payload() {
  EndpointOptions options;
  options.payload = true;
  return options;
}

}  // namespace

AllReduceRun ring_all_reduce(arch::SwitchSimulation& simulation, const arch::Switch& design,
                             const AllReduceShape& shape) {
  SwitchEndpoints endpoints(design, with_payload());
  const auto steps = static_cast<std::uint64_t>(2 * (design.ports - 1));
  const auto send = [&](std::uint64_t cycle, int source, std::uint64_t step) {
    Injection packet;
    packet.cycle = cycle;
    packet.source = source;
    packet.destination = (source + 1) % design.ports;
    packet.flits = shape.packet_flits;
    packet.id = step;  // what the receiver does with it depends on nothing else
    endpoints.offer(packet);
  };
  for (int source = 0; source < design.ports; ++source) {
    for (int p = 0; p < shape.packets_a_share; ++p) send(0, source, 0);
  }
  return run_until_drained(simulation, endpoints, [&](const Delivery& delivery) {
    const std::uint64_t step = delivery.packet.id + 1;
    if (step < steps) send(endpoints.now(), delivery.output, step);
  });
}

AllReduceRun in_network_all_reduce(arch::SwitchSimulation& simulation, const arch::Switch& design,
                                   const AllReduceShape& shape) {
  SwitchEndpoints endpoints(design, with_payload());
  arch::Header everyone;
  everyone.op = arch::PacketOp::sum;
  for (int port = 0; port < design.ports; ++port) everyone.mask.set(static_cast<std::size_t>(port));
  const int group = endpoints.targets().add(everyone);
  std::uint64_t id = 0;
  for (int p = 0; p < design.ports * shape.packets_a_share; ++p) {
    for (int source = 0; source < design.ports; ++source) {
      Injection packet;
      packet.cycle = 0;
      packet.source = source;
      packet.destination = group;
      packet.flits = shape.packet_flits;
      packet.id = id++;
      endpoints.offer(packet);
    }
  }
  return run_until_drained(simulation, endpoints, [](const Delivery&) {});
}

std::uint64_t ring_bound(const arch::Switch& design, const AllReduceShape& shape) {
  return 2 * static_cast<std::uint64_t>(design.ports - 1) *
         static_cast<std::uint64_t>(shape.packets_a_share * shape.packet_flits);
}

std::uint64_t in_network_bound(const arch::Switch& design, const AllReduceShape& shape) {
  return static_cast<std::uint64_t>(design.ports) *
         static_cast<std::uint64_t>(shape.packets_a_share * shape.packet_flits);
}

}  // namespace weft::verif

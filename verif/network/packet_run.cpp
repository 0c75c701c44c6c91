// SPDX-License-Identifier: Apache-2.0
#include "verif/network/packet_run.h"

#include <algorithm>
#include <queue>
#include <utility>
#include <vector>

#include "arch/network/switch_timing.h"
#include "base/interrupt.h"
#include "systemc_models/calendar.h"
#include "systemc_models/packet_switch_model.h"
#include "verif/network/packet_pool.h"
#include "verif/network/packet_sources.h"
#include "verif/network/traffic_run.h"

namespace weft::verif {
namespace {

using models::PacketDeparture;

/// Cycles until a sink's credit for a flit can be used again: it stands on the output after 1 +
/// D_out, its credit on the pins one cycle later, and it counts in the cycle after that.
int sink_round_trip(const arch::Switch& design) {
  return 3 + arch::SwitchTiming(design).output_stages;
}

template <typename Model>
class PacketRun {
 public:
  PacketRun(const arch::Switch& design, Traffic& traffic, const RunPhases& phases, bool single_fifo)
      : switch_(design, sink_round_trip(design)),
        traffic_(traffic),
        closed_loop_(traffic.closed_loop()),
        sources_(design, single_fifo),
        routed_(design),
        meter_(design.ports, phases) {
    for (int s = 0; s < design.ports; ++s) expect_creation(s, 0);
  }

  RunResult run() {
    std::uint64_t last = 0;
    for (std::uint64_t now = 0; meter_.goes_on(now);) {
      last = now;
      base::check_interrupt();
      switch_.advance_with(now, [this](const PacketDeparture& departure) { depart(departure); });
      if (closed_loop_) deliver(now);
      creations_.take(
          now, [&](Due& due) { due.sources.for_each([&](int source) { create(source, now); }); });
      sources_.offer(switch_, now);
      now = sources_.waiting(switch_) ? now + 1 : std::min(switch_.next(now), creations_.next(now));
      if (!deliveries_.empty()) now = std::min(now, deliveries_.top().cycle);
    }
    return meter_.finish(last + 1);
  }

 private:
  struct Due {
    models::PortMask<Model::words> sources;
    void clear() { sources = {}; }
  };
  struct Delivery {
    std::uint64_t cycle = 0;
    Injection packet;
    bool operator<(const Delivery& other) const { return cycle > other.cycle; }
  };

  void expect_creation(int source, std::uint64_t now) {
    expect_creation(source, traffic_.next(source).cycle, now);
  }
  void expect_creation(int source, std::uint64_t cycle, std::uint64_t now) {
    if (cycle == Injection::never) return;
    creations_.at(std::min(cycle, now + models::Calendar<Due>::horizon)).sources.set(source);
  }

  void create(int source, std::uint64_t now) {
    std::uint64_t next = traffic_.next(source).cycle;
    if (next <= now) {
      const Injection first = take(source);
      next = traffic_.next(source).cycle;
      if (next > now) {
        sources_.push_alone(first, tag(first), switch_, now);
      } else {
        sources_.push(first, tag(first));
        for (; next <= now; next = traffic_.next(source).cycle) {
          const Injection packet = take(source);
          sources_.push(packet, tag(packet));
        }
      }
    }
    expect_creation(source, next, now);
  }

  Injection take(int source) {
    const Injection packet = traffic_.take(source);
    routed_.check(packet.destination);
    meter_.created(packet);
    return packet;
  }

  /// What is remembered of a packet: of an open loop its cycle is enough.
  std::uint64_t tag(const Injection& packet) {
    return closed_loop_ ? packets_.make(packet) : packet.cycle;
  }

  void depart(const PacketDeparture& departure) {
    const models::SwitchPacket& left = departure.packet;
    if (closed_loop_) {
      const auto number = static_cast<std::uint32_t>(left.tag);
      deliveries_.push({departure.tail, packets_[number]});
      meter_.delivered(packets_[number], departure.tail);
      packets_.drop(number);
    } else {
      meter_.delivered({.cycle = left.tag,
                        .source = left.input,
                        .destination = left.output,
                        .flits = left.flits},
                       departure.tail);
    }
  }

  /// Tells the traffic what has been delivered by now; it may create packets in later cycles.
  void deliver(std::uint64_t now) {
    while (!deliveries_.empty() && deliveries_.top().cycle <= now) {
      const Injection packet = deliveries_.top().packet;
      deliveries_.pop();
      traffic_.delivered(packet, now);
      expect_creation(packet.destination, now);
    }
  }

  Model switch_;
  Traffic& traffic_;
  bool closed_loop_;
  PacketSources<Model> sources_;
  RoutedOutputs routed_;
  RunMeter meter_;
  Pool<Injection> packets_;
  models::Calendar<Due> creations_;
  std::priority_queue<Delivery> deliveries_;  ///< of closed loops
};

}  // namespace

RunResult run_packets(const arch::Switch& design, Traffic& traffic, const RunPhases& phases,
                      bool single_fifo) {
  check_traffic(design, traffic);
  return models::dispatch_packet_switch(
      design, sink_round_trip(design), [&]<typename Model>(std::in_place_type_t<Model>) {
        return PacketRun<Model>(design, traffic, phases, single_fifo).run();
      });
}

}  // namespace weft::verif

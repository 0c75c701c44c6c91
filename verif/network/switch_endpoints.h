// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arch/network/routing.h"
#include "arch/network/switch.h"
#include "arch/network/switch_pins.h"
#include "verif/network/endpoint_observer.h"
#include "verif/network/endpoint_options.h"
#include "verif/network/flit_format.h"
#include "verif/network/packet_pool.h"
#include "verif/network/sink_ports.h"
#include "verif/network/source_ports.h"
#include "verif/network/switch_targets.h"
#include "verif/network/under_way.h"
#include "verif/network/violations.h"
#include "verif/traffic/traffic.h"

namespace weft::verif {

/// A packet, or a copy of it, that came out.
struct Delivery {
  Injection packet;            ///< `cycle` is that of its creation
  std::uint64_t injected = 0;  ///< cycle in which its head was taken by the switch
  std::uint64_t head_out = 0;  ///< cycle in which its head was taken from the output
  std::uint64_t tail_out = 0;
  int output = 0;
  int vc = 0;        ///< in which it left
  bool last = true;  ///< no copy of it is under way any more
};

/// Everything around one switch: a network interface that sends and one that receives at each
/// port. Drives the pins of any arch::SwitchSimulation, or of several in lock step:
///
///     endpoints.offer(packet);
///     endpoints.take(simulation.cycle(endpoints.drive()));
///     for (const Delivery& delivery : endpoints.delivered()) ...
///
/// Every flit that comes out is checked: that somebody sent it there, its bits, its order, its VC,
/// that there was a credit for it. What is wrong is in violations().
class SwitchEndpoints {
 public:
  explicit SwitchEndpoints(const arch::Switch& design, const EndpointOptions& options = {},
                           arch::Position position = {});

  /// What destinations of packets mean; more can be added.
  SwitchTargets& targets() { return targets_; }
  [[nodiscard]] const SwitchTargets& targets() const { return targets_; }
  /// Whether multicasts and reductions may be under way at the same time; false where flits have no
  /// room to tell them apart.
  [[nodiscard]] bool mixes_collectives() const { return format_.tells_collectives_apart(); }

  /// Whether flits have room for everything that tells packets apart. Where they have not, sources
  /// hold back packets that are equal to others under way: fit for checks, not for measurements.
  [[nodiscard]] bool tells_packets_apart() const {
    return format_.names_origin(false) && (!design_.multicast || format_.names_origin(true));
  }

  /// Who is told about every flit, or null.
  void observe(EndpointObserver* observer) { observer_ = observer; }

  /// Gives a source a packet whose destination is a number of targets(). Its VC is chosen within
  /// its class, in turns. False when the source's backlog is at its limit; the packet is then lost.
  bool offer(const Injection& packet);

  /// The pins of the next cycle. Valid until the next call.
  const arch::SwitchInputs& drive();
  /// What the switch answered in that cycle; the cycle is over.
  void take(const arch::SwitchOutputs& outputs);

  /// What was delivered in full in the last cycle.
  [[nodiscard]] std::span<const Delivery> delivered() const { return delivered_; }
  [[nodiscard]] std::uint64_t now() const { return now_; }  ///< cycles since reset
  /// Packets that were offered and not delivered in full.
  [[nodiscard]] std::size_t outstanding() const { return packets_.count(); }
  /// Whether nothing is under way and all credits are back where they were at reset.
  [[nodiscard]] bool drained() const;
  [[nodiscard]] const Violations& violations() const { return violations_; }
  /// For what is found by others.
  Violations& violations() { return violations_; }
  [[nodiscard]] const SourcePorts& sources() const { return sources_; }
  [[nodiscard]] const SinkPorts& sinks() const { return sinks_; }
  /// Flits that were taken from an output in all.
  [[nodiscard]] std::uint64_t flits_received(int output) const {
    return flits_received_[static_cast<std::size_t>(output)];
  }

  /// Forgets everything; the next cycle is cycle 0 of a switch after reset.
  void reset();

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  /// The packet that comes out of an output in a VC.
  struct Arrival {
    std::uint32_t packet = none;
    int flits = 0;  ///< of it, so far
    std::uint64_t head_out = 0;
    bool unknown = false;  ///< the rest of a packet that nobody knows: passed over
  };

  [[nodiscard]] int choose_vc(const Injection& packet);
  void receive(int output, const arch::SwitchOutputs& outputs);
  void receive_head(Arrival& arrival, int output, int vc, const std::uint64_t* flit);
  void deliver(Arrival& arrival, int output, int vc);
  void check_held(int output, const arch::SwitchOutputs& outputs);
  [[nodiscard]] std::string place(int output, int vc) const;
  [[nodiscard]] std::string name(const Packet& packet) const;

  arch::Switch design_;
  arch::PinLayout layout_;
  int vcs_in_class_;
  SwitchTargets targets_;
  EndpointOptions options_;
  PacketPool packets_;
  FlitFormat format_;
  PacketsUnderWay under_way_;
  SourcePorts sources_;
  SinkPorts sinks_;
  arch::SwitchInputs inputs_;
  arch::SwitchOutputs stalled_;  ///< ready/valid: what must stand there in the next cycle too
  EndpointObserver* observer_ = nullptr;
  std::vector<Arrival> arrivals_;                               ///< [output][vc]
  std::vector<std::uint32_t> vc_turn_;                          ///< [source][class]
  std::vector<std::uint64_t> ordinals_;                         ///< per source
  std::vector<std::vector<std::uint64_t>> reduction_ordinals_;  ///< [destination][source]
  std::vector<std::uint64_t> flits_received_;
  std::vector<Delivery> delivered_;
  Violations violations_;
  std::uint64_t now_ = 0;
};

}  // namespace weft::verif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "arch/network/switch.h"
#include "verif/network/flit_format.h"
#include "verif/network/packet_pool.h"
#include "verif/network/switch_targets.h"

namespace weft::verif {

/// The packets between sources and sinks: which one is it that appears at an output? A head's tag
/// names its origin; the packets of an origin to an output come in the order in which they were
/// sent. Results of reductions come to each member in the order of its contributions.
///
/// Where flits have no room for a tag, equal heads of different origins do not go to the same
/// output at the same time. With adaptive routing, where packets of an origin overtake each other,
/// no two that could be mistaken for one another are under way.
class PacketsUnderWay {
 public:
  /// Everything must outlive this.
  PacketsUnderWay(const arch::Switch& design, const SwitchTargets& targets,
                  const FlitFormat& format, PacketPool& packets);

  /// False if there is never anything that may_enter() refuses.
  [[nodiscard]] bool refuses() const { return refuses_; }
  /// False while packets under way could not be told from it.
  [[nodiscard]] bool may_enter(const Packet& packet) const;
  /// The packet begins to enter. Sets its `copies`.
  void enter(std::uint32_t packet);
  /// The packet whose head stands on an output, or none if nobody sent it there. From now on the
  /// one behind it in its stream is expected.
  [[nodiscard]] std::optional<std::uint32_t> arrive(int output, int vc, const std::uint64_t* head);
  /// Whether the head belongs to a packet that is behind others in its stream.
  [[nodiscard]] bool overtakes(int output, int vc, const std::uint64_t* head) const;
  /// All copies of it have left.
  void leave(const Packet& packet);

  void clear();

 private:
  /// Who sends packets with some head to some output.
  struct Owner {
    int origin = 0;
    int packets = 0;
  };

  [[nodiscard]] const SwitchTargets::Entry& target(const Packet& packet) const {
    return (*targets_)[packet.injection.destination];
  }
  [[nodiscard]] int origin_of(const Packet& packet) const;
  /// Calls `function(output)` for the outputs by which a packet may leave, until it is false.
  template <typename Function>
  bool for_outputs(const Packet& packet, Function&& function) const;
  [[nodiscard]] static std::uint64_t owner_key(std::uint64_t head_digest, int output) {
    return head_digest + static_cast<std::uint64_t>(output);
  }
  [[nodiscard]] std::size_t stream(bool collective, int origin, int output) const;
  [[nodiscard]] std::size_t result_stream(int output, int vc) const;
  /// With adaptive routing: the first packet of the stream that may come by `output` and has that
  /// head, unless a later one has come by it.
  [[nodiscard]] std::optional<std::uint32_t> arrive_adaptive(std::size_t stream, int output,
                                                             const std::uint64_t* head);
  [[nodiscard]] std::optional<std::size_t> stream_of(int output, int vc,
                                                     const std::uint64_t* head) const;

  const SwitchTargets* targets_;
  const FlitFormat* format_;
  PacketPool* packets_;
  int ports_;
  int virtual_channels_;
  bool refuses_;
  bool adaptive_;  ///< the output is not known before: one stream an origin
  std::unordered_map<std::uint64_t, Owner> owners_;  ///< where tags do not name origins
  PacketQueues streams_;
  std::vector<std::uint64_t> next_ordinals_;  ///< [origin][output], with adaptive routing
};

}  // namespace weft::verif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "verif/network/packet_pool.h"

namespace weft::verif {

/// Sees every flit that crosses the ports of a switch.
class EndpointObserver {
 public:
  virtual ~EndpointObserver() = default;

  /// The switch took flit `index` of the packet at the packet's source.
  virtual void sent(const Packet& packet, int index, std::uint64_t cycle) = 0;
  /// The next hop took flit `index` of the packet from an output in a VC.
  virtual void received(const Packet& packet, int index, int output, int vc,
                        std::uint64_t cycle) = 0;
  /// The switch returned a credit for a queue of an input.
  virtual void credit(int input, int queue, std::uint64_t cycle) = 0;
};

}  // namespace weft::verif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "verif/network/endpoint_observer.h"

namespace weft::verif {

/// Several observers as one.
class Observers : public EndpointObserver {
 public:
  void add(EndpointObserver& observer) { all_.push_back(&observer); }

  void sent(const Packet& packet, int index, std::uint64_t cycle) override {
    for (EndpointObserver* one : all_) one->sent(packet, index, cycle);
  }
  void received(const Packet& packet, int index, int output, int vc, std::uint64_t cycle) override {
    for (EndpointObserver* one : all_) one->received(packet, index, output, vc, cycle);
  }
  void credit(int input, int queue, std::uint64_t cycle) override {
    for (EndpointObserver* one : all_) one->credit(input, queue, cycle);
  }

 private:
  std::vector<EndpointObserver*> all_;
};

}  // namespace weft::verif

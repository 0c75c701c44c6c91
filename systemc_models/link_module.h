// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <map>
#include <systemc>
#include <vector>

#include "arch/network/link.h"
#include "systemc_models/link_endpoint.h"

namespace weft::models {

/// One end of a link as a TLM-2.0 module (base protocol, 32-bit sockets), cycle-exact.
///
/// - `user`: a write to address v puts one flit into virtual channel v, and is complete at the end
/// of
///   the cycle in which the link takes it; a read from address v takes the oldest flit that has
///   arrived in v, and waits for one. The data are ceil(flit_width / 8) bytes, least significant
///   first. Transactions of a channel and direction execute in order; in a cycle one flit is
///   offered, the channels with waiting writes in turn. nb_transport is adapted by the socket.
/// - `wire_out`: in every cycle a write of the phit, ceil(phit_width / 8) bytes to address 0, at
/// the
///   end of its cycle.
/// - `wire_in`: takes such writes. A phit that comes at time x (delay included) is on the wire in
/// the
///   first cycle that starts at x or later; two modules that are bound to each other directly are
///   joined by a wire of one cycle. Cycles without a phit see zeros.
///
/// Clock cycle 0 starts at time 0; what is asked within a cycle counts from the next one's start
/// on. A payload that is not a transaction gets one precise response: address (no such channel),
/// byte enable, burst (length, streaming width, no data), generic error (bits above the flit), in
/// this order.
class LinkModule : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<LinkModule> user;
  tlm_utils::simple_target_socket<LinkModule> wire_in;
  tlm_utils::simple_initiator_socket<LinkModule> wire_out;

  LinkModule(const sc_core::sc_module_name& name, const arch::Link& link,
             const sc_core::sc_time& clock_period);

  /// Whether the link was up in the last cycle.
  [[nodiscard]] bool up() const { return up_; }

 private:
  using Payload = tlm::tlm_generic_payload;

  struct Request {
    Payload* payload;
    std::uint64_t cycle;  ///< from which it counts
    sc_core::sc_event* done;
  };
  using Requests = std::vector<std::deque<Request>>;  ///< [vc]

  void transport_user(Payload& payload, sc_core::sc_time& delay);
  void transport_wire(Payload& payload, sc_core::sc_time& delay);
  [[nodiscard]] tlm::tlm_response_status check(const Payload& payload) const;
  [[nodiscard]] std::uint64_t cycle_from(const sc_core::sc_time& time) const;

  void run_cycle();
  void offer_flit();
  void finish_requests(const arch::LinkOutputs& outputs);
  void send_phit(const arch::LinkOutputs& outputs);
  [[nodiscard]] bool waiting(const Requests& requests, int vc) const;
  static void finish(std::deque<Request>& requests);

  arch::Link link_;
  sc_core::sc_time period_;
  std::size_t flit_bytes_;
  LinkEndpoint endpoint_;
  arch::LinkInputs inputs_;
  sc_core::sc_event first_cycle_ends_;
  std::uint64_t now_ = 0;  ///< the cycle that is under way
  bool up_ = false;
  Requests writes_;
  Requests reads_;
  int turn_ = 0;  ///< channel whose write is offered first
  std::map<std::uint64_t, std::vector<std::uint64_t>>
      phits_;  ///< by the cycle in which they arrive
  std::vector<unsigned char> phit_bytes_;
};

}  // namespace weft::models

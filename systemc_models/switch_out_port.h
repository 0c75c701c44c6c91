// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm.h>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <deque>
#include <functional>
#include <systemc>
#include <vector>

#include "systemc_models/payload_pool.h"
#include "systemc_models/switch_payload.h"

namespace weft::models {

/// A packet that has left the switch.
struct LeavingPacket {
  int vc = 0;
  sc_core::sc_time head;  ///< when its first flit left
  sc_core::sc_time tail;  ///< when its last one did
  std::vector<unsigned char> data;
};

/// The protocol of one output socket of a switch: packets that have left become writes
/// (SwitchPacketExtension), in order. The next hop takes a packet with END_REQ; until then the
/// packets behind it wait. A response other than OK is reported as an SC_ERROR.
class SwitchOutPort : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<SwitchOutPort> socket;

  /// `on_taken` is called when the next hop takes a packet of a VC.
  SwitchOutPort(const sc_core::sc_module_name& name, std::function<void(int vc)> on_taken);

  /// Offers a packet now.
  void send(LeavingPacket packet);

 private:
  using Payload = tlm::tlm_generic_payload;

  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void on_phase(Payload& payload, const tlm::tlm_phase& phase);
  void request();
  void end_request(Payload& payload);
  void complete(Payload& payload);

  std::function<void(int vc)> on_taken_;
  PayloadPool pool_;
  tlm_utils::peq_with_cb_and_phase<SwitchOutPort> phases_;
  std::deque<Payload*> requests_;  // not taken; the first may be under way
  bool requesting_ = false;
};

}  // namespace weft::models

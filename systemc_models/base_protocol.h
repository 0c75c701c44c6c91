// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm.h>

namespace weft::models {

/// The nb_transport_fw of a target with four phases: keeps the payload from BEGIN_REQ on, until the
/// target releases it, and puts the phase into the target's queue. Reports what the base protocol
/// does not allow as fatal, under `message_type`.
template <class Phases>
tlm::tlm_sync_enum queue_forward(Phases& phases, tlm::tlm_generic_payload& payload,
                                 const tlm::tlm_phase& phase, const sc_core::sc_time& delay,
                                 const char* message_type) {
  if (phase == tlm::BEGIN_REQ) {
    if (!payload.has_mm()) {
      SC_REPORT_FATAL(message_type, "nb_transport needs payloads with a memory manager");
    }
    payload.acquire();
  } else if (phase != tlm::END_RESP) {
    SC_REPORT_FATAL(message_type, "phase outside the base protocol");
  }
  phases.notify(payload, phase, delay);
  return tlm::TLM_ACCEPTED;
}

}  // namespace weft::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm.h>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <systemc>

#include "arch/tensor_array.h"
#include "systemc_models/tensor_array_engine.h"
#include "systemc_models/tensor_array_payload.h"

namespace weft::models {

/// The tensor array as a TLM-2.0 target (base protocol, 32-bit socket).
///
/// Commands: tensor_array_address. Function and timing are those that the co-simulation proves
/// against the RTL. Clock cycle 0 starts at time 0; a beat offered within a clock cycle counts from
/// the next cycle's start on, and a beat moves at the end of its cycle. A write is complete when
/// its last beat is accepted; a read when its last result has left the array. Results wait in a
/// queue without limit, so the array never sees back pressure.
///
/// - b_transport annotates the command's duration. When a command's time depends on one that was
/// not
///   given yet (a load while all buffers wait for vectors, a read of results not yet asked for), it
///   synchronises and waits. The times do not depend on the initiators' quantum.
/// - nb_transport: four phases. END_REQ follows BEGIN_REQ at once, commands of a kind execute in
/// order,
///   BEGIN_RESP comes when the command is complete. Payloads need a memory manager.
/// - transport_dbg reads results without taking them; it cannot write.
///
/// A payload that is not a command gets one precise response: address (no command there, or not one
/// of this dataflow), command (read for write), byte enable, burst (length, streaming width, no
/// data), generic error (element outside its format, tag outside tag_width), in this order. Reports
/// have the message type "/weft/tensor_array".
///
/// The time resolution must be 1 ps (fix it before elaboration, sc_set_time_resolution).
class TensorArrayModule : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<TensorArrayModule> socket;

  TensorArrayModule(const sc_core::sc_module_name& name, const arch::TensorArray& array,
                    const sc_core::sc_time& clock_period);

 private:
  using Payload = tlm::tlm_generic_payload;

  struct Request {
    Payload* payload;
    sc_core::sc_time time;  // from which its first beat is offered
  };

  void b_transport(Payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  unsigned transport_dbg(Payload& payload);
  void on_phase(Payload& payload, const tlm::tlm_phase& phase);

  // A command, whichever way it came.
  [[nodiscard]] tlm::tlm_response_status check(const Payload& payload) const;
  [[nodiscard]] bool elements_fit(const Payload& payload) const;
  [[nodiscard]] bool can_execute(const Payload& payload) const;
  sc_core::sc_time execute(Payload& payload, const sc_core::sc_time& offered);
  TensorArrayEngine::Cycles write(Payload& payload, std::uint64_t offered);
  TensorArrayEngine::Cycles read(Payload& payload);

  [[nodiscard]] std::size_t beat_bytes(std::uint64_t address) const;
  [[nodiscard]] std::uint64_t cycle_from(const sc_core::sc_time& time) const;
  [[nodiscard]] sc_core::sc_time end_of(std::uint64_t cycle) const;

  // Non-blocking transport.
  void begin_request(Payload& payload);
  void execute_pending();
  void respond();

  arch::TensorArray array_;
  sc_core::sc_time period_;
  TensorArrayEngine engine_;
  sc_core::sc_event executed_;  // a command may have made another one possible

  tlm_utils::peq_with_cb_and_phase<TensorArrayModule> phases_;
  std::deque<Request> loads_;
  std::deque<Request> multiplications_;
  std::deque<Request> reads_;
  std::deque<Payload*> responses_;  // complete; the first may be under way
  bool responding_ = false;
};

}  // namespace weft::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <systemc>

#include "arch/tensor_array.h"
#include "arch/traffic.h"
#include "systemc_models/tensor_array_payload.h"
#include "testbenches/tensor_array/beat_packing.h"
#include "verif/dut.h"
#include "verif/dut_description.h"

namespace weft::verif {

/// The RTL of a tensor array as a TLM-2.0 target: takes the place of models::TensorArrayModule in a
/// virtual platform. Same commands (models::tensor_array_address), same results, and with internal
/// skew the same times, because the RTL runs cycle by cycle; with external skew a read is complete
/// when its last column has left.
///
/// Blocking transport only. A call synchronises its thread with the kernel; the RTL then runs ahead
/// as far as no other process can act, usually thousands of clock cycles at a time, and never wakes
/// the kernel once a cycle. Clock cycle 0 starts at time 0.
class TensorArrayRtl : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<TensorArrayRtl> socket;

  /// `dut` is the description from which `library` was built (describe_array). The time resolution
  /// must divide the clock period.
  TensorArrayRtl(const sc_core::sc_module_name& name, const arch::TensorArray& array,
                 const DutDescription& dut, std::shared_ptr<const DutLibrary> library,
                 const sc_core::sc_time& clock_period);

 private:
  using Payload = tlm::tlm_generic_payload;

  /// A source of the DUT with the beats of the command that it carries out.
  struct Stream {
    SourceBeats beats;
    std::vector<std::uint64_t> accepted;  ///< of the command, once it is done
    bool waiting = false;                 ///< beats are to be handed to the DUT
    bool active = false;                  ///< the DUT has them
    sc_core::sc_mutex owner;              ///< one command at a time
    sc_core::sc_event done;
  };

  void b_transport(Payload& payload, sc_core::sc_time& delay);
  [[nodiscard]] tlm::tlm_response_status check(const Payload& payload) const;
  void write(Payload& payload);
  void read(Payload& payload);
  void carry_out(Stream& stream);

  void simulate();
  void wait_for_others();
  void start_streams();
  void finish_streams();
  void collect_results();
  [[nodiscard]] bool idle() const;
  [[nodiscard]] std::uint64_t horizon() const;

  [[nodiscard]] std::uint64_t cycle_from(const sc_core::sc_time& time) const;
  [[nodiscard]] sc_core::sc_time end_of(std::uint64_t cycle) const;

  arch::TensorArray array_;
  sc_core::sc_time period_;
  Dut dut_;
  BeatPacker packer_;
  std::size_t result_stride_;
  std::array<std::size_t, 2> result_fields_{};  ///< offsets of tag and last
  std::size_t tag_bytes_;
  std::size_t groups_;
  std::uint64_t settle_;  ///< clock cycles after the last acceptance until all results have left
  std::array<Stream, 2> streams_;
  std::deque<arch::ResultBeat> results_;
  std::size_t wanted_results_ = 0;  ///< by the read that waits, 0: none does
  sc_core::sc_mutex reader_;
  sc_core::sc_event result_event_;
  sc_core::sc_event work_;
  std::uint64_t busy_until_ = 0;
};

}  // namespace weft::verif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <systemc>
#include <vector>

#include "arch/tensor_array.h"
#include "systemc_models/tensor_array_payload.h"

namespace weft::models {

/// Results that a client has read.
struct TimedResults {
  std::vector<std::int64_t> data;  ///< [results][COLS]
  std::vector<std::uint64_t> tags;
  std::vector<bool> last;
  std::vector<sc_core::sc_time> times;  ///< when each left the array
};

/// A loosely timed initiator of a TensorArrayModule, for use within one SC_THREAD: each call is a
/// blocking transport whose duration is added to the thread's local time; the thread synchronises
/// when the global quantum is used up. Several clients, each in its own thread, may share a socket;
/// that is how loads run beside multiplications. A response other than OK is reported as SC_ERROR.
class TensorArrayClient {
 public:
  TensorArrayClient(tlm::tlm_initiator_socket<>& socket, const arch::TensorArray& array);

  /// Loads a tile, [ROWS * MACS][COLS].
  void load_stationary(std::span<const std::int32_t> stationary);
  /// Multiplies vectors [vectors][ROWS][MACS].
  void multiply_moving(std::span<const std::int32_t> moving,
                       std::span<const std::uint64_t> tags = {}, bool last = true);
  /// Output stationary steps, [steps][COLS][MACS] and [steps][ROWS][MACS].
  void step(std::span<const std::int32_t> stationary, std::span<const std::int32_t> moving,
            std::span<const std::uint64_t> tags = {}, bool last = true);
  /// Takes the oldest results.
  TimedResults read_results(std::size_t count);

  /// When each beat of the last command moved.
  [[nodiscard]] const std::vector<sc_core::sc_time>& beat_times() const {
    return extension_.beat_times;
  }
  /// The thread's time, ahead of the kernel's by what was not synchronised yet.
  [[nodiscard]] sc_core::sc_time local_time() const { return keeper_.get_current_time(); }
  /// Waits until the kernel has reached the local time.
  void sync() { keeper_.sync(); }

 private:
  void write(std::uint64_t address, std::span<const std::int32_t> elements,
             std::span<const std::uint64_t> tags, bool last);
  void transport(tlm::tlm_command command, std::uint64_t address, unsigned char* data,
                 std::size_t length);

  tlm::tlm_initiator_socket<>& socket_;
  std::size_t rows_;
  std::size_t cols_;
  std::size_t macs_;
  tlm_utils::tlm_quantumkeeper keeper_;
  TileExtension extension_;
};

}  // namespace weft::models

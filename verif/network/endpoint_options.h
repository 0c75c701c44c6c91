// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::verif {

/// In which cycles something may happen.
struct Gate {
  unsigned percent = 100;  ///< the chance in every cycle
  std::vector<std::uint8_t>
      pattern;  ///< 0 and 1, repeated; port p begins at entry p. Empty: by chance

  [[nodiscard]] bool always() const { return pattern.empty() && percent >= 100; }
};

/// How the endpoints of a switch behave.
struct EndpointOptions {
  /// Sources keep all their packets in one FIFO. Otherwise they have one for every queue of the
  /// switch's input, so that a packet that cannot go holds up none for another queue.
  bool single_fifo = false;
  std::size_t backlog_limit = 0;  ///< packets that wait at a source; 0: any number
  bool interleave = true;         ///< flits of packets in different VCs take turns
  Gate send;                      ///< when a source may put a flit on its port
  Gate accept;                    ///< when a sink is ready, or may return a credit
  /// Cycles between a flit's arrival and the credit for it, beyond the one that a register costs.
  unsigned credit_delay = 0;
  bool payload = false;  ///< packets carry random bits, which the sinks check
  bool garbage = false;  ///< ports without a flit carry random bits
  std::uint64_t seed = 1;
};

}  // namespace weft::verif

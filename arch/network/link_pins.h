// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arch/network/link.h"

namespace weft::arch {

/// What is driven into an endpoint of a link in one cycle. Vectors of bits are 64-bit words, least
/// significant first, with unused high bits 0.
struct LinkInputs {
  explicit LinkInputs(const Link& link);

  bool valid = false;
  int vc = 0;
  std::vector<std::uint64_t> flit;
  std::uint32_t out_ready = 0;  ///< bit v: VC v
  std::vector<std::uint64_t> phit;
};

/// What an endpoint drives in one cycle.
struct LinkOutputs {
  explicit LinkOutputs(const Link& link);

  std::uint32_t in_ready = 0;           ///< bit v: VC v
  std::uint32_t out_valid = 0;          ///< bit v: VC v
  std::vector<std::uint64_t> out_flit;  ///< [vc * words of a flit + word]; of VCs with out_valid
  std::vector<std::uint64_t> phit;      ///< means nothing in cycles 0 and 1 after reset
  bool up = false;
  std::uint32_t mismatch = 0;
  bool restart = false;
  bool error = false;
  bool replay = false;

  bool operator==(const LinkOutputs&) const = default;
};

/// Anything that behaves as an endpoint of a link, cycle by cycle: the model, the Verilated RTL.
class LinkSimulation {
 public:
  virtual ~LinkSimulation() = default;

  /// Back to the state after reset; the next cycle() is cycle 0.
  virtual void reset() = 0;
  /// One clock cycle: what stands on the outputs while `inputs` stand on the inputs, then the clock
  /// edge. No output depends on the inputs of the same cycle. The result is valid until the next
  /// call.
  virtual const LinkOutputs& cycle(const LinkInputs& inputs) = 0;
};

}  // namespace weft::arch

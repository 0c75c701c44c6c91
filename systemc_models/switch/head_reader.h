// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arch/network/header.h"
#include "arch/network/routing.h"
#include "arch/network/switch.h"
#include "systemc_models/switch/bits.h"

namespace weft::models {

/// What the head flits that enter a switch ask for: arch::read_header and arch::route, with a table
/// where the route field is short and says everything.
class HeadReader {
 public:
  struct Head {
    arch::PacketOp op = arch::PacketOp::unicast;
    arch::OutputChoice outputs;  ///< of a unicast packet

    [[nodiscard]] bool collective() const { return op != arch::PacketOp::unicast; }
  };

  explicit HeadReader(const arch::Switch& design);

  void set_position(arch::Position position) { position_ = position; }

  [[nodiscard]] Head read(std::span<const std::uint64_t> flit, int input) const {
    if (outputs_.empty()) return read_any(flit, input);
    const auto op = static_cast<arch::PacketOp>((flit[0] >> op_offset_) & op_mask_);
    if (op != arch::PacketOp::unicast) return {op, {}};
    return {op, {outputs_[(flit[0] >> route_offset_) & route_mask_]}};
  }

  /// The outputs or members that the head of a collective packet names.
  template <class Mask>
  [[nodiscard]] Mask mask(std::span<const std::uint64_t> flit) const {
    Mask ports = 0;
    for (int k = 0; k < design_.ports; k += 64) {
      const auto word = as_index(mask_offset_ + k) / 64;
      const int shift = (mask_offset_ + k) % 64;
      std::uint64_t bits = flit[word] >> shift;
      if (shift != 0 && word + 1 < flit.size()) bits |= flit[word + 1] << (64 - shift);
      ports |= static_cast<Mask>(bits) << k;
    }
    return ports & low_bits<Mask>(design_.ports);
  }

  /// Changes a head to what leaves the switch.
  void forward(std::span<std::uint64_t> flit) const {
    if (changes_heads_) {
      arch::write_header(design_, arch::forwarded(design_, arch::read_header(design_, flit)), flit);
    }
  }

 private:
  [[nodiscard]] Head read_any(std::span<const std::uint64_t> flit, int input) const;

  arch::Switch design_;
  arch::Position position_;
  bool changes_heads_;
  int mask_offset_;
  std::vector<int> outputs_;  // [route field]; empty: it is too long, or does not suffice
  int op_offset_ = 0;
  std::uint64_t op_mask_ = 0;
  int route_offset_ = 0;
  std::uint64_t route_mask_ = 0;
};

}  // namespace weft::models

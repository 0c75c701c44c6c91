// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arch/network/header.h"
#include "arch/network/routing.h"
#include "arch/network/switch.h"

namespace weft::verif {

/// What packets can be sent to, numbered: an Injection's `destination`. Number p below the number
/// of ports is output port p, by the first header that leads there; add() gives others: further
/// destinations behind a port, groups of a multicast or a reduction.
class SwitchTargets {
 public:
  /// The first words of a head flit, all of its header; bits above it are 0.
  using HeaderWords = std::array<std::uint64_t, 3>;

  struct Entry {
    bool reachable = false;
    arch::Header header;
    HeaderWords entering{};  ///< the header in a head flit
    HeaderWords leaving{};   ///< the same as the switch forwards it
    /// By input port, or one for all of them: where a unicast may leave.
    std::vector<arch::OutputChoice> choices;

    [[nodiscard]] arch::PacketOp op() const { return header.op; }
    [[nodiscard]] bool reduction() const { return header.op >= arch::PacketOp::sum; }
    [[nodiscard]] const arch::OutputChoice& choice(int input) const {
      return choices[choices.size() == 1 ? 0 : static_cast<std::size_t>(input)];
    }
  };

  explicit SwitchTargets(const arch::Switch& design, arch::Position position = {});

  /// Adds a header, which must be legal, and returns its number; the same one for the same header.
  int add(const arch::Header& header);

  [[nodiscard]] int size() const { return static_cast<int>(entries_.size()); }
  /// False for outputs to which no header leads, as at the edge of a mesh.
  [[nodiscard]] bool reachable(int number) const { return (*this)[number].reachable; }
  [[nodiscard]] const Entry& operator[](int number) const {
    return entries_[static_cast<std::size_t>(number)];
  }

 private:
  [[nodiscard]] Entry make(const arch::Header& header) const;

  arch::Switch design_;
  arch::Position position_;
  std::vector<Entry> entries_;
};

}  // namespace weft::verif

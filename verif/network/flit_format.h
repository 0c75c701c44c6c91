// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "arch/network/switch.h"
#include "verif/network/packet_pool.h"
#include "verif/network/switch_targets.h"

namespace weft::verif {

/// What the head of a packet says about where it comes from: the *tag*, which lies above the
/// header.
struct PacketTag {
  bool collective = false;  ///< its op is not unicast
  bool reduction = false;
  int origin = 0;  ///< input * V + VC; 0 where flits have no room for it
};

/// The bits of flits: header, tag, payload. The payload is random and follows from the packet's
/// identity, so that nothing needs to be kept to check it.
class FlitFormat {
 public:
  /// `payload`: random bits above header and tag, otherwise zeros. `targets` must outlive this.
  FlitFormat(const arch::Switch& design, const SwitchTargets& targets, bool payload,
             std::uint64_t seed);

  /// Whether tags name the origin of packets that are (not) collective; flits may have no room.
  [[nodiscard]] bool names_origin(bool collective) const {
    return place(collective).origin_bits > 0;
  }
  /// Whether results of reductions can be told from multicasts when they leave.
  [[nodiscard]] bool tells_collectives_apart() const { return tells_collectives_apart_; }

  /// Writes flit `index` of a packet as it enters the switch.
  void write(const Packet& packet, int index, std::uint64_t* flit) const;
  /// Whether `flit` is flit `index` of a packet as it leaves the switch.
  [[nodiscard]] bool leaves_as(const Packet& packet, int index, const std::uint64_t* flit) const;
  /// The tag of a head that leaves.
  [[nodiscard]] PacketTag tag(const std::uint64_t* head) const;
  /// A digest of a head that leaves, and what it will be for a packet that is no reduction.
  [[nodiscard]] std::uint64_t digest(const std::uint64_t* head) const;
  [[nodiscard]] std::uint64_t leaving_digest(const Packet& packet) const;
  /// Whether two packets of an origin leave with the same head though they are not the same in all
  /// flits: narrow ones have few bits of payload beside the header.
  [[nodiscard]] bool mistakable(const Packet& a, const Packet& b) const;

 private:
  /// Where tags lie in heads that are (not) collective.
  struct TagPlace {
    int offset = 0;
    int origin_bits = 0;
    int kind_bits = 0;  ///< before the origin: 1 to tell results of reductions
    int end = 0;        ///< first bit of the payload
  };

  [[nodiscard]] const TagPlace& place(bool collective) const { return tags_[collective ? 1 : 0]; }
  /// Calls `word(w, value)` for each word of the head that `source` sends, until it returns false.
  template <typename Word>
  bool head_words(const Packet& packet, int source, const SwitchTargets::Entry& target,
                  const SwitchTargets::HeaderWords& header, Word&& word) const;
  [[nodiscard]] std::uint64_t payload_seed(const Packet& packet, int source) const;
  [[nodiscard]] std::uint64_t payload_word(std::uint64_t seed, int index, int word) const;
  [[nodiscard]] bool result_leaves_as(const Packet& packet, int index,
                                      const std::uint64_t* flit) const;

  const SwitchTargets* targets_;
  bool payload_;
  std::uint64_t seed_;
  int ports_;
  int virtual_channels_;
  int words_;
  std::uint64_t last_word_mask_;
  int op_offset_;
  int op_width_;
  std::array<TagPlace, 2> tags_;  ///< unicast, collective
  bool multicast_;
  bool reduction_;
  bool tells_collectives_apart_;
};

}  // namespace weft::verif

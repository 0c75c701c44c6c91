// SPDX-License-Identifier: Apache-2.0
#include "verif/network/flit_format.h"

#include <algorithm>

#include "arch/network/header.h"
#include "verif/network/flit_bits.h"

namespace weft::verif {
namespace {

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;

/// The combination of two words of contributions, in lanes of 32 bits, two's complement.
std::uint64_t combine(arch::PacketOp op, std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  for (const int shift : {0, 32}) {
    const auto x = static_cast<std::uint32_t>(a >> shift);
    const auto y = static_cast<std::uint32_t>(b >> shift);
    const bool x_less = static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y);
    const std::uint32_t lane = op == arch::PacketOp::sum   ? x + y
                               : op == arch::PacketOp::min ? (x_less ? x : y)
                                                           : (x_less ? y : x);
    result |= static_cast<std::uint64_t>(lane) << shift;
  }
  return result;
}

}  // namespace

FlitFormat::FlitFormat(const arch::Switch& design, const SwitchTargets& targets, bool payload,
                       std::uint64_t seed)
    : targets_(&targets),
      payload_(payload),
      seed_(mix(seed + golden)),
      ports_(design.ports),
      virtual_channels_(design.virtual_channels),
      words_((design.flit_width + flit_word_bits - 1) / flit_word_bits),
      last_word_mask_(low_ones((design.flit_width - 1) % flit_word_bits + 1)),
      multicast_(design.multicast),
      reduction_(design.in_network_reduction) {
  const arch::HeaderLayout layout(design);
  op_offset_ = layout.op_offset;
  op_width_ = layout.op_width;
  unicast_tag_offset_ = layout.route_offset + layout.route_width;
  collective_tag_offset_ = layout.route_offset + design.ports;
  const bool both = multicast_ && reduction_;
  const int collective_room = std::max(0, design.flit_width - collective_tag_offset_);
  kind_bits_ = both && collective_room > 0 ? 1 : 0;
  tells_collectives_apart_ = !both || kind_bits_ == 1;
  // At least one bit, so that there is a tag.
  const int needed = std::max(1, arch::index_width(design.ports * design.virtual_channels));
  unicast_origin_bits_ = needed <= design.flit_width - unicast_tag_offset_ ? needed : 0;
  collective_origin_bits_ = needed <= collective_room - kind_bits_ ? needed : 0;
}

std::uint64_t FlitFormat::payload_seed(const Packet& packet, int source) const {
  const auto address = static_cast<std::uint64_t>(packet.injection.destination) << 8 |
                       static_cast<std::uint64_t>(source);
  return mix(mix(seed_ ^ address) + packet.ordinal * golden);
}

std::uint64_t FlitFormat::payload_word(std::uint64_t seed, int index, int word) const {
  const std::uint64_t bits =
      mix(seed + static_cast<std::uint64_t>(index * words_ + word + 1) * golden);
  return word == words_ - 1 ? bits & last_word_mask_ : bits;
}

template <typename Word>
bool FlitFormat::head_words(const Packet& packet, int source,
                            const SwitchTargets::HeaderWords& header, Word&& word) const {
  const SwitchTargets::Entry& target = (*targets_)[packet.injection.destination];
  const bool collective = target.op() != arch::PacketOp::unicast;
  const int origin_width = origin_bits(collective);
  const int kind_bits = collective ? kind_bits_ : 0;
  const int offset = collective ? collective_tag_offset_ : unicast_tag_offset_;
  const auto origin = static_cast<std::uint64_t>(source * virtual_channels_ + packet.vc);
  const std::uint64_t tag = (origin & low_ones(origin_width)) << kind_bits |
                            (kind_bits == 1 && target.reduction() ? 1U : 0U);
  const int end = offset + kind_bits + origin_width;
  const std::uint64_t seed = payload_ ? payload_seed(packet, source) : 0;
  for (int w = 0; w < words_; ++w) {
    const int base = w * flit_word_bits;
    const auto index = static_cast<std::size_t>(w);
    std::uint64_t value = index < header.size() ? header[index] : 0;
    if (offset >= base && offset < base + flit_word_bits) {
      value |= tag << (offset - base);
    } else if (offset < base && end > base) {
      value |= tag >> (base - offset);
    }
    if (payload_) value |= payload_word(seed, 0, w) & ~low_ones(std::clamp(end - base, 0, 64));
    if (!word(w, value)) return false;
  }
  return true;
}

void FlitFormat::write(const Packet& packet, int index, std::uint64_t* flit) const {
  const int source = packet.injection.source;
  if (index == 0) {
    head_words(packet, source, (*targets_)[packet.injection.destination].entering,
               [flit](int w, std::uint64_t value) {
                 flit[w] = value;
                 return true;
               });
    return;
  }
  const std::uint64_t seed = payload_ ? payload_seed(packet, source) : 0;
  for (int w = 0; w < words_; ++w) flit[w] = payload_ ? payload_word(seed, index, w) : 0;
}

bool FlitFormat::leaves_as(const Packet& packet, int index, const std::uint64_t* flit) const {
  const SwitchTargets::Entry& target = (*targets_)[packet.injection.destination];
  if (target.reduction()) return result_leaves_as(packet, index, flit);
  const int source = packet.injection.source;
  if (index == 0) {
    return head_words(packet, source, target.leaving,
                      [flit](int w, std::uint64_t value) { return flit[w] == value; });
  }
  if (!payload_) return true;
  const std::uint64_t seed = payload_seed(packet, source);
  for (int w = 0; w < words_; ++w) {
    if (flit[w] != payload_word(seed, index, w)) return false;
  }
  return true;
}

bool FlitFormat::result_leaves_as(const Packet& packet, int index,
                                  const std::uint64_t* flit) const {
  const SwitchTargets::Entry& target = (*targets_)[packet.injection.destination];
  const arch::PortSet& members = target.header.mask;
  if (index == 0) {
    // It is the head of one of them.
    for (int member = 0; member < ports_; ++member) {
      if (members[static_cast<std::size_t>(member)] &&
          head_words(packet, member, target.leaving,
                     [flit](int w, std::uint64_t value) { return flit[w] == value; })) {
        return true;
      }
    }
    return false;
  }
  if (!payload_) return true;
  for (int w = 0; w < words_; ++w) {
    bool first = true;
    std::uint64_t result = 0;
    for (int member = 0; member < ports_; ++member) {
      if (!members[static_cast<std::size_t>(member)]) continue;
      const std::uint64_t word = payload_word(payload_seed(packet, member), index, w);
      result = first ? word : combine(target.op(), result, word);
      first = false;
    }
    if (flit[w] != result) return false;
  }
  return true;
}

PacketTag FlitFormat::tag(const std::uint64_t* head) const {
  PacketTag tag;
  const auto op = static_cast<arch::PacketOp>(get_bits(head, op_offset_, op_width_));
  tag.collective = op != arch::PacketOp::unicast;
  int offset = tag.collective ? collective_tag_offset_ : unicast_tag_offset_;
  if (tag.collective) {
    tag.reduction = kind_bits_ == 1 ? get_bits(head, offset, 1) != 0 : !multicast_;
    offset += kind_bits_;
  }
  tag.origin = static_cast<int>(get_bits(head, offset, origin_bits(tag.collective)));
  return tag;
}

std::uint64_t FlitFormat::digest(const std::uint64_t* head) const {
  std::uint64_t digest = 0;
  for (int w = 0; w < words_; ++w) digest = mix(digest + golden + head[w]);
  return digest;
}

std::uint64_t FlitFormat::leaving_digest(const Packet& packet) const {
  std::uint64_t digest = 0;
  head_words(packet, packet.injection.source, (*targets_)[packet.injection.destination].leaving,
             [&digest](int /*w*/, std::uint64_t value) {
               digest = mix(digest + golden + value);
               return true;
             });
  return digest;
}

}  // namespace weft::verif

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
  const bool both = multicast_ && reduction_;
  // At least one bit, so that there is a tag.
  const int needed = std::max(1, arch::index_width(design.ports * design.virtual_channels));
  const auto place_tag = [&](int offset, int kind_bits) {
    TagPlace place;
    place.offset = offset;
    place.kind_bits = std::clamp(design.flit_width - offset, 0, kind_bits);
    const int room = design.flit_width - offset - place.kind_bits;
    place.origin_bits = needed <= room ? needed : 0;
    place.end = offset + place.kind_bits + place.origin_bits;
    return place;
  };
  tags_[0] = place_tag(layout.route_offset + layout.route_width, 0);
  tags_[1] = place_tag(layout.route_offset + design.ports, both ? 1 : 0);
  tells_collectives_apart_ = !both || place(true).kind_bits == 1;
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
bool FlitFormat::head_words(const Packet& packet, int source, const SwitchTargets::Entry& target,
                            const SwitchTargets::HeaderWords& header, Word&& word) const {
  const TagPlace& at = place(target.op() != arch::PacketOp::unicast);
  const auto origin = static_cast<std::uint64_t>(source * virtual_channels_ + packet.vc);
  const std::uint64_t tag = (origin & low_ones(at.origin_bits)) << at.kind_bits |
                            (at.kind_bits == 1 && target.reduction() ? 1U : 0U);
  if (words_ == 1 && !payload_) {
    return word(0, at.offset < flit_word_bits ? header[0] | tag << at.offset : header[0]);
  }
  const std::uint64_t seed = payload_ ? payload_seed(packet, source) : 0;
  for (int w = 0; w < words_; ++w) {
    const int base = w * flit_word_bits;
    const auto index = static_cast<std::size_t>(w);
    std::uint64_t value = index < header.size() ? header[index] : 0;
    if (at.offset >= base && at.offset < base + flit_word_bits) {
      value |= tag << (at.offset - base);
    } else if (at.offset < base && at.end > base) {
      value |= tag >> (base - at.offset);
    }
    if (payload_) {
      value |= payload_word(seed, 0, w) & ~low_ones(std::clamp(at.end - base, 0, flit_word_bits));
    }
    if (!word(w, value)) return false;
  }
  return true;
}

void FlitFormat::write(const Packet& packet, int index, std::uint64_t* flit) const {
  const int source = packet.injection.source;
  if (index == 0) {
    const SwitchTargets::Entry& target = (*targets_)[packet.injection.destination];
    head_words(packet, source, target, target.entering, [flit](int w, std::uint64_t value) {
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
    return head_words(packet, source, target, target.leaving,
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
          head_words(packet, member, target, target.leaving,
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
  const TagPlace& at = place(tag.collective);
  if (tag.collective) {
    tag.reduction = at.kind_bits == 1 ? get_bits(head, at.offset, 1) != 0 : !multicast_;
  }
  tag.origin = static_cast<int>(get_bits(head, at.offset + at.kind_bits, at.origin_bits));
  return tag;
}

std::uint64_t FlitFormat::digest(const std::uint64_t* head) const {
  std::uint64_t digest = 0;
  for (int w = 0; w < words_; ++w) digest = mix(digest + golden + head[w]);
  return digest;
}

std::uint64_t FlitFormat::leaving_digest(const Packet& packet) const {
  std::uint64_t digest = 0;
  const SwitchTargets::Entry& target = (*targets_)[packet.injection.destination];
  head_words(packet, packet.injection.source, target, target.leaving,
             [&digest](int /*w*/, std::uint64_t value) {
               digest = mix(digest + golden + value);
               return true;
             });
  return digest;
}

bool FlitFormat::mistakable(const Packet& a, const Packet& b) const {
  return (payload_ || a.injection.flits != b.injection.flits) &&
         leaving_digest(a) == leaving_digest(b);
}

}  // namespace weft::verif

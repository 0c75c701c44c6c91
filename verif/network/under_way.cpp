// SPDX-License-Identifier: Apache-2.0
#include "verif/network/under_way.h"

#include "verif/network/flit_bits.h"

namespace weft::verif {

PacketsUnderWay::PacketsUnderWay(const arch::Switch& design, const SwitchTargets& targets,
                                 const FlitFormat& format, PacketPool& packets)
    : targets_(&targets),
      format_(&format),
      packets_(&packets),
      ports_(design.ports),
      virtual_channels_(design.virtual_channels),
      adaptive_(design.adaptive()),
      // unicasts, multicasts, results
      streams_(static_cast<std::size_t>((2 * design.ports + 1) * design.ports *
                                        design.virtual_channels)) {
  for (const int collective : {0, 1}) {
    owners_[static_cast<std::size_t>(collective)].resize(std::size_t{1}
                                                         << format.origin_bits(collective == 1));
  }
}

int PacketsUnderWay::origin_of(const Packet& packet) const {
  return packet.injection.source * virtual_channels_ + packet.vc;
}

const PacketsUnderWay::Owner& PacketsUnderWay::owner(bool collective, int origin) const {
  const auto tag = static_cast<std::uint64_t>(origin) & low_ones(format_->origin_bits(collective));
  return owners_[collective ? 1 : 0][tag];
}

PacketsUnderWay::Owner& PacketsUnderWay::owner(bool collective, int origin) {
  return const_cast<Owner&>(std::as_const(*this).owner(collective, origin));
}

std::size_t PacketsUnderWay::stream(bool collective, int origin, int output) const {
  const int kind = collective ? ports_ * virtual_channels_ : 0;
  const int lane = adaptive_ && !collective ? 0 : output;
  return static_cast<std::size_t>((kind + origin) * ports_ + lane);
}

std::size_t PacketsUnderWay::result_stream(int output, int vc) const {
  return static_cast<std::size_t>((2 * ports_ * ports_ + output) * virtual_channels_ + vc);
}

bool PacketsUnderWay::may_enter(const Packet& packet) const {
  if (target(packet).reduction()) return true;
  const int origin = origin_of(packet);
  const Owner& who = owner(target(packet).op() != arch::PacketOp::unicast, origin);
  return who.packets == 0 || who.origin == origin;
}

void PacketsUnderWay::enter(std::uint32_t number) {
  Packet& packet = (*packets_)[number];
  const SwitchTargets::Entry& to = target(packet);
  packet.copies = 1;
  if (to.reduction()) {
    streams_.push(result_stream(packet.injection.source, packet.vc), number);
    return;
  }
  const int origin = origin_of(packet);
  const bool collective = to.op() != arch::PacketOp::unicast;
  Owner& who = owner(collective, origin);
  who.origin = origin;
  ++who.packets;
  if (!collective) {
    streams_.push(stream(false, origin, to.choice(packet.injection.source).first), number);
    return;
  }
  packet.copies = 0;
  for (int output = 0; output < ports_; ++output) {
    if (!to.header.mask[static_cast<std::size_t>(output)]) continue;
    streams_.push(stream(true, origin, output), number);
    ++packet.copies;
  }
}

std::optional<std::size_t> PacketsUnderWay::stream_of(int output, int vc,
                                                      const std::uint64_t* head) const {
  const PacketTag tag = format_->tag(head);
  if (tag.reduction) return result_stream(output, vc);
  const Owner& who = owner(tag.collective, tag.origin);
  if (who.packets == 0) return std::nullopt;
  return stream(tag.collective, who.origin, output);
}

std::optional<std::uint32_t> PacketsUnderWay::arrive(int output, int vc,
                                                     const std::uint64_t* head) {
  const auto stream = stream_of(output, vc, head);
  if (!stream || streams_.empty(*stream)) return std::nullopt;
  const std::uint32_t number = streams_.front(*stream);
  const Packet& packet = (*packets_)[number];
  if (adaptive_ && target(packet).op() == arch::PacketOp::unicast) {
    const arch::OutputChoice& choice = target(packet).choice(packet.injection.source);
    if (choice.first != output && choice.second != output) return std::nullopt;
  }
  if (!format_->leaves_as(packet, 0, head)) return std::nullopt;
  streams_.pop(*stream);
  return number;
}

bool PacketsUnderWay::overtakes(int output, int vc, const std::uint64_t* head) const {
  const auto stream = stream_of(output, vc, head);
  return stream && streams_.any_of(*stream, [&](std::uint32_t number) {
    return format_->leaves_as((*packets_)[number], 0, head);
  });
}

void PacketsUnderWay::leave(const Packet& packet) {
  if (target(packet).reduction()) return;
  --owner(target(packet).op() != arch::PacketOp::unicast, origin_of(packet)).packets;
}

void PacketsUnderWay::clear() {
  for (auto& owners : owners_) owners.assign(owners.size(), {});
  streams_.clear();
}

}  // namespace weft::verif

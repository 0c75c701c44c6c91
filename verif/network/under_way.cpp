// SPDX-License-Identifier: Apache-2.0
#include "verif/network/under_way.h"

namespace weft::verif {

PacketsUnderWay::PacketsUnderWay(const arch::Switch& design, const SwitchTargets& targets,
                                 const FlitFormat& format, PacketPool& packets)
    : targets_(&targets),
      format_(&format),
      packets_(&packets),
      ports_(design.ports),
      virtual_channels_(design.virtual_channels),
      refuses_(design.adaptive() || !format.names_origin(false) ||
               (design.multicast && !format.names_origin(true))),
      adaptive_(design.adaptive()),
      // unicasts, multicasts, results
      streams_(static_cast<std::size_t>((2 * design.ports + 1) * design.ports *
                                        design.virtual_channels)),
      next_ordinals_(adaptive_ ? static_cast<std::size_t>(design.ports * design.ports *
                                                          design.virtual_channels)
                               : 0) {}

int PacketsUnderWay::origin_of(const Packet& packet) const {
  return packet.injection.source * virtual_channels_ + packet.vc;
}

template <typename Function>
bool PacketsUnderWay::for_outputs(const Packet& packet, Function&& function) const {
  const SwitchTargets::Entry& to = target(packet);
  if (to.op() == arch::PacketOp::unicast) {
    const arch::OutputChoice& choice = to.choice(packet.injection.source);
    return function(choice.first) && (choice.second < 0 || function(choice.second));
  }
  for (int output = 0; output < ports_; ++output) {
    if (to.header.mask[static_cast<std::size_t>(output)] && !function(output)) return false;
  }
  return true;
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
  if (!refuses_) return true;
  const SwitchTargets::Entry& to = target(packet);
  const bool collective = to.op() != arch::PacketOp::unicast;
  if (adaptive_ && !collective &&
      streams_.find(stream(false, origin_of(packet), 0), [&](std::uint32_t other) {
        return format_->mistakable((*packets_)[other], packet);
      })) {
    return false;
  }
  if (to.reduction() || format_->names_origin(collective)) return true;
  const std::uint64_t digest = format_->leaving_digest(packet);
  return for_outputs(packet, [&](int output) {
    const auto owner = owners_.find(owner_key(digest, output));
    return owner == owners_.end() || owner->second.origin == origin_of(packet);
  });
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
  if (!format_->names_origin(collective)) {
    const std::uint64_t digest = format_->leaving_digest(packet);
    for_outputs(packet, [&](int output) {
      Owner& owner = owners_[owner_key(digest, output)];
      owner.origin = origin;
      ++owner.packets;
      return true;
    });
  }
  if (!collective) {
    streams_.push(stream(false, origin, to.choice(packet.injection.source).first), number);
    return;
  }
  packet.copies = 0;
  for_outputs(packet, [&](int output) {
    streams_.push(stream(true, origin, output), number);
    ++packet.copies;
    return true;
  });
}

std::optional<std::size_t> PacketsUnderWay::stream_of(int output, int vc,
                                                      const std::uint64_t* head) const {
  const PacketTag tag = format_->tag(head);
  if (tag.reduction) return result_stream(output, vc);
  int origin = tag.origin;
  if (!format_->names_origin(tag.collective)) {
    const auto owner = owners_.find(owner_key(format_->digest(head), output));
    if (owner == owners_.end()) return std::nullopt;
    origin = owner->second.origin;
  }
  // Nonsense may name anyone.
  if (origin >= ports_ * virtual_channels_) return std::nullopt;
  return stream(tag.collective, origin, output);
}

std::optional<std::uint32_t> PacketsUnderWay::arrive(int output, int vc,
                                                     const std::uint64_t* head) {
  const auto stream = stream_of(output, vc, head);
  if (!stream || streams_.empty(*stream)) return std::nullopt;
  if (adaptive_ && !format_->tag(head).collective) return arrive_adaptive(*stream, output, head);
  const std::uint32_t number = streams_.front(*stream);
  if (!format_->leaves_as((*packets_)[number], 0, head)) return std::nullopt;
  streams_.pop(*stream);
  return number;
}

std::optional<std::uint32_t> PacketsUnderWay::arrive_adaptive(std::size_t stream, int output,
                                                              const std::uint64_t* head) {
  const auto number = streams_.find(stream, [&](std::uint32_t candidate) {
    const Packet& packet = (*packets_)[candidate];
    const arch::OutputChoice& choice = target(packet).choice(packet.injection.source);
    return (choice.first == output || choice.second == output) &&
           format_->leaves_as(packet, 0, head);
  });
  if (!number) return std::nullopt;
  const Packet& packet = (*packets_)[*number];
  std::uint64_t& next =
      next_ordinals_[static_cast<std::size_t>(origin_of(packet) * ports_ + output)];
  if (packet.ordinal < next) return std::nullopt;
  next = packet.ordinal + 1;
  streams_.remove(stream, *number);
  return number;
}

bool PacketsUnderWay::overtakes(int output, int vc, const std::uint64_t* head) const {
  const auto stream = stream_of(output, vc, head);
  return stream && streams_.find(*stream, [&](std::uint32_t number) {
    return format_->leaves_as((*packets_)[number], 0, head);
  });
}

void PacketsUnderWay::leave(const Packet& packet) {
  if (!refuses_) return;
  const SwitchTargets::Entry& to = target(packet);
  if (to.reduction() || format_->names_origin(to.op() != arch::PacketOp::unicast)) return;
  const std::uint64_t digest = format_->leaving_digest(packet);
  for_outputs(packet, [&](int output) {
    const auto owner = owners_.find(owner_key(digest, output));
    if (--owner->second.packets == 0) owners_.erase(owner);
    return true;
  });
}

void PacketsUnderWay::clear() {
  owners_.clear();
  streams_.clear();
  next_ordinals_.assign(next_ordinals_.size(), 0);
}

}  // namespace weft::verif

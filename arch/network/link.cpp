// SPDX-License-Identifier: Apache-2.0
#include "arch/network/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "arch/network/link_frame.h"
#include "arch/network/link_timing.h"

namespace weft::arch {
namespace {

constexpr int deepest_buffer = 2048;
constexpr int deepest_replay = 1024;
constexpr int widest_sequence = 12;

/// Flits beyond a round trip: acknowledgements and credits that are damaged on their way.
constexpr int damage_margin = 4;
/// Init frames in a row that may be damaged while the other end must notice a reset.
constexpr int quiet_margin = 32;
/// Round trips without progress after which everything is sent again.
constexpr int retry_round_trips = 4;

/// Round trips in frames for `auto` values. They need the length of a frame, to which the widths
/// still unknown contribute a few bits: these count as the least, which gives the most frames.
LinkTiming longest_round_trips(Link link) {
  if (link.sequence_width == 0) link.sequence_width = 2;
  if (link.buffer_depth == 0) link.buffer_depth = 1;
  return LinkTiming(link);
}

int default_replay_depth(const Link& link) {
  const int frames = longest_round_trips(link).replay_round_trip + damage_margin;
  return std::min(deepest_replay, static_cast<int>(std::bit_ceil(static_cast<unsigned>(frames))));
}

int default_sequence_width(const Link& link) {
  return std::countr_zero(static_cast<unsigned>(link.replay_depth)) + 1;
}

int default_buffer_depth(const Link& link) {
  return std::min(deepest_buffer, longest_round_trips(link).credit_round_trip + damage_margin);
}

int default_retry_timeout(const Link& link) {
  return retry_round_trips * longest_round_trips(link).replay_round_trip;
}

int default_quiet_frames(const Link& link) {
  return link.realign_frames + longest_round_trips(link).replay_frames + 1 + quiet_margin;
}

IntSet powers_of_two(int least, int greatest) {
  IntSet set;
  for (int value = least; value <= greatest; value *= 2) set.values.push_back(value);
  return set;
}

std::string objection_to_window(const Link& link) {
  const int most = 1 << (link.sequence_width - 1);
  if (link.replay_depth <= most) return {};
  return fmt::format(
      "{} flits need more than {}-bit sequence numbers; give at most {}, or a "
      "sequence_width of at least {}",
      link.replay_depth, link.sequence_width, most, default_sequence_width(link));
}

std::string objection_to_timeout(const Link& link) {
  const int round_trip = LinkTiming(link).replay_round_trip;
  if (link.retry_timeout > round_trip) return {};
  return fmt::format(
      "{} frames are over before an acknowledgement can come, which takes {}: "
      "everything would be sent again; give at least {}",
      link.retry_timeout, round_trip, round_trip + 1);
}

std::string objection_to_quiet_time(const Link& link) {
  const int least = link.realign_frames + LinkTiming(link).replay_frames + 2;
  if (link.quiet_frames >= least) return {};
  return fmt::format(
      "after {} frames there may still be arriving what was sent before a reset; "
      "give at least {}",
      link.quiet_frames, least);
}

}  // namespace

template <>
const Declaration<Link>& declaration() {
  using T = Link;
  static const auto declared = [] {
    Declaration<T> d("link",
                     "Two endpoints that carry flits without loss over wires that damage frames.");
    d.add(&T::name, Identifier{},
          {"name", "", "Name of the top module; the other modules' names begin with it.", true});
    d.add(&T::flit_width, IntRange{16, 1040},
          {"flit_width", "bits", "Width of a flit, with what travels beside it (head, tail ...)."});
    d.add(&T::virtual_channels, IntRange{1, 16},
          {"virtual_channels", "VCs",
           "Virtual channels: receive buffers that do not wait for each "
           "other."});
    d.add(&T::lanes, IntRange{1, 64}, {"lanes", "lanes", "Lanes of the wire in each direction."});
    d.add(&T::lane_width, IntRange{1, 1280},
          {"lane_width", "bits",
           "Bits that a lane carries in a cycle; with lanes, the width of a "
           "phit."});
    d.add(&T::crc_width, IntSet{{16, 32}},
          {"crc_width", "bits", "Width of the CRC of each frame: CRC-16-CCITT or CRC-32C."});
    d.add(&T::channel_latency, IntRange{0, 1024},
          {"channel_latency", "cycles",
           "Latency of the wire in each direction, for automatic "
           "depths and estimates."});
    d.add(&T::replay_depth, powers_of_two(2, deepest_replay),
          {"replay_depth", "flits", "Flits that are kept until they are acknowledged."},
          {default_replay_depth,
           "the round trip of an acknowledgement and 4 more, rounded up to a power of two"});
    d.add(&T::sequence_width, IntRange{2, widest_sequence},
          {"sequence_width", "bits", "Width of sequence numbers."},
          {default_sequence_width, "the least that replay_depth needs"});
    d.add(&T::buffer_depth, IntRange{1, deepest_buffer},
          {"buffer_depth", "flits", "Depth of the receive buffer of each virtual channel."},
          {default_buffer_depth, "the round trip of a credit and 4 more"});
    d.add(&T::retry_timeout, IntRange{4, 65535},
          {"retry_timeout", "frames",
           "Without progress for so long, all that is not acknowledged "
           "is sent again."},
          {default_retry_timeout, "4 round trips"});
    d.add(&T::realign_frames, IntRange{2, 255},
          {"realign_frames", "frames",
           "Damaged frames in a row after which the receiver looks for "
           "where frames begin."});
    d.add(
        &T::quiet_frames, IntRange{1, 65535},
        {"quiet_frames", "frames", "For so long after reset an endpoint ignores what it receives."},
        {default_quiet_frames, "realign_frames, the round trip and 32"});
    d.add({"replay_depth is at most 2^(sequence_width - 1): the receiver must tell a flit that is "
           "ahead from one that it has had.",
           {"replay_depth", "sequence_width"}},
          objection_to_window);
    d.add({"retry_timeout is longer than the round trip of an acknowledgement.",
           {"retry_timeout", "channel_latency"}},
          objection_to_timeout);
    d.add({"quiet_frames is longer than the other end takes to notice a reset, and its last frames "
           "to arrive.",
           {"quiet_frames", "realign_frames", "channel_latency"}},
          objection_to_quiet_time);
    return d;
  }();
  return declared;
}

Link resolved(Link link) {
  if (link.replay_depth == 0) link.replay_depth = default_replay_depth(link);
  if (link.sequence_width == 0) link.sequence_width = default_sequence_width(link);
  if (link.buffer_depth == 0) link.buffer_depth = default_buffer_depth(link);
  if (link.retry_timeout == 0) link.retry_timeout = default_retry_timeout(link);
  if (link.quiet_frames == 0) link.quiet_frames = default_quiet_frames(link);
  return link;
}

Link random_link(std::mt19937_64& random, const Narrowed& narrowed) {
  const auto& declared = declaration<Link>();
  return declared.build(random_values(declared.kind(), random, narrowed));
}

}  // namespace weft::arch

// SPDX-License-Identifier: Apache-2.0
// Parameters, frame and throughput of a link, against the words of docs/link.md.
#include "arch/network/link.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "arch/config.h"
#include "arch/network/link_frame.h"
#include "arch/network/link_timing.h"
#include "base/error.h"

namespace weft::arch {
namespace {

Link read(const std::string& text) {
  return std::get<Link>(parse_config("{kind: link, name: l" + text + "}", "f").design);
}

std::string problem(const std::string& text) {
  try {
    static_cast<void>(read(text));
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

TEST(LinkParameters, DefaultsCoverTheRoundTrip) {
  for (const int latency : {0, 1, 4, 30, 200}) {
    for (const int width : {1, 7, 16, 100}) {
      Link link;
      link.channel_latency = latency;
      link.lane_width = width;
      link = resolved(link);
      EXPECT_EQ(LinkTiming(link).error_free_rate, 1) << latency << " " << width;
    }
  }
  const Link link = read("");
  EXPECT_EQ(link, [] {
    Link same;
    same.name = "l";
    return resolved(same);
  }());
  // 2 * (1 + 4) + 9 frames and 4 more; their numbers in a window of half the sequence.
  EXPECT_EQ(link.replay_depth, 32);
  EXPECT_EQ(link.sequence_width, 6);
}

TEST(LinkParameters, AreCheckedTogether) {
  EXPECT_NE(problem(", replay_depth: 32, sequence_width: 5").find("replay_depth"),
            std::string::npos);
  EXPECT_NE(problem(", sequence_width: 5").find("at most 16"), std::string::npos);
  EXPECT_EQ(problem(", replay_depth: 16, sequence_width: 5"), "");
  EXPECT_NE(problem(", retry_timeout: 19").find("give at least 20"), std::string::npos);
  EXPECT_EQ(problem(", retry_timeout: 20"), "");
  EXPECT_NE(problem(", quiet_frames: 10").find("quiet_frames"), std::string::npos);
  EXPECT_NE(problem(", replay_depth: 12"), "");
}

TEST(LinkFrame, HasTheFieldsInOrder) {
  Link link;
  link.flit_width = 20;
  link.virtual_channels = 5;
  link.lanes = 3;
  link.lane_width = 7;
  link.crc_width = 16;
  link.replay_depth = 8;
  link.sequence_width = 4;
  link.buffer_depth = 9;
  const FrameLayout frame(resolved(link));
  int end = 0;
  for (const auto& [field, width] : {std::pair{frame.crc, 16},
                                     {frame.kind, 2},
                                     {frame.request, 1},
                                     {frame.retried, 1},
                                     {frame.acknowledge, 4},
                                     {frame.sequence, 4},
                                     {frame.credit, 5},
                                     {frame.credit_vc, 3},
                                     {frame.vc, 3},
                                     {frame.flit, 20}}) {
    EXPECT_EQ(field.offset, end);
    EXPECT_EQ(field.width, width);
    end += width;
  }
  EXPECT_EQ(frame.fields, end - 16);
  EXPECT_EQ(frame.phits, 3);  // 59 bits in phits of 21
  EXPECT_EQ(frame.bits, 63);
  EXPECT_EQ(frame.lane_bits, 21);
}

TEST(LinkThroughput, FollowsTheFormula) {
  Link link;
  link.channel_latency = 1;
  link = resolved(link);
  const double p = frame_error_probability(link, 1e-3);
  EXPECT_NEAR(p, 1 - std::pow(0.999, 128), 1e-12);
  // PHITS = 1: 2 * (1 + 1) + 8 frames, 1 more to notice, and what is lost of both.
  const double w = frames_per_error(link, p);
  EXPECT_NEAR(w, 13 + 2 * p / (1 - p), 1e-12);
  EXPECT_NEAR(link_goodput(p, w), (1 - p) / (1 - p + p * w), 1e-12);
}

/// x^i modulo the polynomial.
std::vector<std::uint32_t> powers(int crc_width, int count) {
  const std::uint64_t polynomial = (std::uint64_t{1} << crc_width) | crc_polynomial(crc_width);
  std::vector<std::uint32_t> result;
  std::uint64_t value = 1;
  for (int i = 0; i < count; ++i) {
    result.push_back(static_cast<std::uint32_t>(value));
    value <<= 1;
    if ((value >> crc_width) != 0) value ^= polynomial;
  }
  return result;
}

/// Whether errors of `half` and of other `half` bits have the same remainder: a code word of weight
/// 2 * half or less (of even weight, as both polynomials are divisible by x + 1).
bool has_word_of_pairs(const std::vector<std::uint32_t>& power) {
  std::vector<std::uint32_t> sums;
  for (std::size_t a = 0; a < power.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) sums.push_back(power[a] ^ power[b]);
  }
  std::ranges::sort(sums);
  return std::ranges::adjacent_find(sums) != sums.end();
}

bool has_word_of_triples(const std::vector<std::uint32_t>& power) {
  std::vector<std::uint32_t> sums;
  for (std::size_t a = 0; a < power.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      for (std::size_t c = 0; c < b; ++c) sums.push_back(power[a] ^ power[b] ^ power[c]);
    }
  }
  std::ranges::sort(sums);
  return std::ranges::adjacent_find(sums) != sums.end();
}

// The Hamming distances that docs/link.md names, with the bits of the CRC itself.
TEST(LinkCrc, HasTheHammingDistanceThatIsPromised) {
  for (const int width : {16, 32}) {
    const std::uint32_t taps = crc_polynomial(width);
    EXPECT_EQ(__builtin_popcount(taps) % 2, 1) << "divisible by x + 1";
  }
  const auto ccitt = powers(16, 32751 + 16);
  EXPECT_EQ(std::set(ccitt.begin(), ccitt.end()).size(), ccitt.size());  // no word of weight 2
  EXPECT_FALSE(has_word_of_triples(powers(32, 177 + 32)));               // none of 6 or less
  EXPECT_TRUE(has_word_of_triples(powers(32, 178 + 32)));
  EXPECT_FALSE(has_word_of_pairs(powers(32, 1200)));  // none of 4 in the longest frames
}

}  // namespace
}  // namespace weft::arch

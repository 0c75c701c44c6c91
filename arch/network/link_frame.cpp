// SPDX-License-Identifier: Apache-2.0
#include "arch/network/link_frame.h"

#include <array>
#include <bit>
#include <cstddef>

namespace weft::arch {
namespace {

int index_bits(int size) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(size - 1)));
}

}  // namespace

FrameLayout::FrameLayout(const Link& link) {
  const bool several = link.virtual_channels > 1;
  const int vc_width = several ? index_bits(link.virtual_channels) : 0;
  int end = 0;
  const auto place = [&end](int width) {
    const Field field{end, width};
    end += width;
    return field;
  };
  crc = place(link.crc_width);
  kind = place(2);
  request = place(1);
  retried = place(1);
  acknowledge = place(link.sequence_width);
  sequence = place(link.sequence_width);
  credit = place(index_bits(link.buffer_depth) + 1);
  credit_vc = place(vc_width);
  vc = place(vc_width);
  flit = place(link.flit_width);
  fields = end - link.crc_width;
  phit_width = link.lanes * link.lane_width;
  phits = (end + phit_width - 1) / phit_width;
  bits = phits * phit_width;
  lane_bits = phits * link.lane_width;
}

int init_value(const Link& link, int index) {
  const std::array values{link_protocol_version, link.flit_width, link.virtual_channels,
                          link.buffer_depth, link.sequence_width};
  static_assert(values.size() == init_words);
  return values.at(static_cast<std::size_t>(index));
}

std::uint32_t crc_polynomial(int crc_width) { return crc_width == 16 ? 0x1021U : 0x1EDC6F41U; }

}  // namespace weft::arch

// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/switch/head_reader.h"

namespace weft::models {
namespace {

// Bits of the longest route field that is looked up in a table.
constexpr int widest_table = 12;

std::uint64_t ones(int width) { return (std::uint64_t{1} << width) - 1; }

}  // namespace

HeadReader::HeadReader(const arch::Switch& design)
    : design_(design),
      changes_heads_(design.lookahead_routing || design.routing == arch::Routing::source),
      mask_offset_(arch::HeaderLayout(design).route_offset) {
  const bool destination = design.routing == arch::Routing::destination_table ||
                           design.routing == arch::Routing::up_down;
  const arch::HeaderLayout layout(design);
  if (!destination || design.lookahead_routing || layout.route_width > widest_table) return;
  op_offset_ = layout.op_offset;
  op_mask_ = ones(layout.op_width);
  route_offset_ = layout.route_offset;
  route_mask_ = ones(layout.route_width);
  // Fields that no packet may have lead to port 0.
  outputs_.resize(route_mask_ + 1);
  for (int d = 0; d < design.destinations; ++d) {
    arch::Header header;
    header.route = static_cast<std::uint64_t>(d);
    outputs_[header.route] = arch::route(design, header, 0).first;
  }
}

HeadReader::Head HeadReader::read_any(std::span<const std::uint64_t> flit, int input) const {
  const arch::Header header = arch::read_header(design_, flit);
  if (header.op != arch::PacketOp::unicast) return {header.op, {}};
  return {header.op, arch::route(design_, header, input, position_)};
}

}  // namespace weft::models

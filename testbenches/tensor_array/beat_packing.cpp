// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/beat_packing.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "testbenches/tensor_array/dut_ports.h"

namespace weft::verif {
namespace {

static_assert(std::endian::native == std::endian::little, "packed beats are little-endian");

template <typename Container, typename Element>
void narrow(std::span<const Element> elements, std::uint8_t* out) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto value = static_cast<Container>(elements[i]);
    std::memcpy(out + i * sizeof value, &value, sizeof value);
  }
}

template <typename Element>
void pack(std::span<const Element> elements, int width, std::uint8_t* out) {
  switch (width) {
    case 8:
      return narrow<std::uint8_t>(elements, out);
    case 16:
      return narrow<std::uint16_t>(elements, out);
    case 32:
      return narrow<std::uint32_t>(elements, out);
    case 64:
      return narrow<std::uint64_t>(elements, out);
    default:
      break;
  }
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  std::uint64_t pending = 0;
  int filled = 0;
  for (const Element element : elements) {
    const std::uint64_t value = static_cast<std::uint64_t>(element) & mask;
    pending |= value << filled;
    filled += width;
    if (filled >= 64) {
      std::memcpy(out, &pending, 8);
      out += 8;
      filled -= 64;
      pending = filled > 0 ? value >> (width - filled) : 0;
    }
  }
  std::memcpy(out, &pending, static_cast<std::size_t>(filled + 7) / 8);
}

std::uint8_t* append_beat(SourceBeats& beats, std::size_t stride) {
  const std::size_t at = beats.count * stride;
  if (beats.beats.size() < at + stride) beats.beats.resize(at + stride);
  ++beats.count;
  return beats.beats.data() + at;
}

}  // namespace

void pack_elements(std::span<const std::int32_t> elements, int width, std::uint8_t* out) {
  pack(elements, width, out);
}

void pack_elements(std::span<const std::int64_t> elements, int width, std::uint8_t* out) {
  pack(elements, width, out);
}

void unpack_elements(const std::uint8_t* packed, int width, bool is_signed,
                     std::span<std::int64_t> elements) {
  std::size_t bit = 0;
  for (std::int64_t& element : elements) {
    const std::size_t shift = bit % 8;
    std::uint64_t value = 0;
    std::memcpy(&value, packed + bit / 8, 8);
    value >>= shift;
    if (shift + static_cast<std::size_t>(width) > 64) {
      value |= std::uint64_t{packed[bit / 8 + 8]} << (64 - shift);
    }
    const int above = 64 - width;
    value <<= above;
    element = is_signed ? static_cast<std::int64_t>(value) >> above
                        : static_cast<std::int64_t>(value >> above);
    bit += static_cast<std::size_t>(width);
  }
}

BeatPacker::BeatPacker(arch::TensorArray array, const DutDescription& dut)
    : array_(std::move(array)),
      stationary_(beat_layout(dut.sources[stationary_source])),
      moving_(beat_layout(dut.sources[moving_source])) {}

void BeatPacker::append_load(std::span<const std::int32_t> tile, SourceBeats& stationary) {
  const auto macs = static_cast<std::size_t>(array_.macs_per_pe);
  const auto cols = static_cast<std::size_t>(array_.cols);
  const auto rows = static_cast<std::size_t>(array_.rows);
  const auto lanes = static_cast<std::size_t>(array_.load_rows_per_cycle);
  const std::size_t beats = (rows + lanes - 1) / lanes;
  beat_.resize(lanes * cols * macs);
  for (std::size_t beat = beats; beat-- > 0;) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t row = beat * lanes + lane;
      std::int32_t* out = beat_.data() + lane * cols * macs;
      if (row >= rows) {
        std::fill_n(out, cols * macs, -1);
        continue;
      }
      for (std::size_t m = 0; m < macs; ++m) {
        const std::int32_t* from = tile.data() + (row * macs + m) * cols;
        for (std::size_t c = 0; c < cols; ++c) out[c * macs + m] = from[c];
      }
    }
    pack_elements(beat_, array_.stationary_format.bits,
                  append_beat(stationary, stationary_.stride));
  }
}

void BeatPacker::append_steps(std::span<const std::int32_t> steps, SourceBeats& stationary) {
  const auto elements =
      static_cast<std::size_t>(array_.cols) * static_cast<std::size_t>(array_.macs_per_pe);
  for (std::size_t at = 0; at < steps.size(); at += elements) {
    pack_elements(steps.subspan(at, elements), array_.stationary_format.bits,
                  append_beat(stationary, stationary_.stride));
  }
}

void BeatPacker::append_moving(std::span<const std::int32_t> beats,
                               std::span<const std::uint64_t> tags, bool last,
                               SourceBeats& moving) {
  const auto elements =
      static_cast<std::size_t>(array_.rows) * static_cast<std::size_t>(array_.macs_per_pe);
  const FieldLayout& tag = moving_.fields[tag_field];
  const std::size_t count = beats.size() / elements;
  for (std::size_t beat = 0; beat < count; ++beat) {
    std::uint8_t* out = append_beat(moving, moving_.stride);
    pack_elements(beats.subspan(beat * elements, elements), array_.moving_format.bits, out);
    const std::uint64_t own_tag = beat < tags.size() ? tags[beat] : 0;
    std::memcpy(out + tag.offset, &own_tag, tag.bytes);
    out[moving_.fields[last_field].offset] = last && beat + 1 == count ? 1 : 0;
  }
}

void BeatPacker::append(const arch::Tile& tile, SourceBeats& stationary, SourceBeats& moving) {
  if (array_.output_stationary()) {
    append_steps(tile.stationary, stationary);
  } else {
    append_load(tile.stationary, stationary);
  }
  append_moving(tile.moving, tile.tags, true, moving);
}

}  // namespace weft::verif

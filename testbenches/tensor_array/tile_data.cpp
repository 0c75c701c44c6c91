// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/tile_data.h"

#include <functional>

namespace weft::verif {
namespace {

/// Draws elements of one format. Several come from one random number: stimuli must cost little
/// beside the simulation.
class ElementSource {
 public:
  ElementSource(const arch::IntFormat& format, Random& random)
      : format_(format), offset_(format.min()), random_(random) {}

  std::int32_t any() {
    if (left_ < format_.bits) {
      bits_ = random_.bits();
      left_ = 64;
    }
    const std::uint64_t value = bits_ & ((std::uint64_t{1} << format_.bits) - 1);
    bits_ >>= format_.bits;
    left_ -= format_.bits;
    return static_cast<std::int32_t>(static_cast<std::int64_t>(value) + offset_);
  }
  std::int32_t any_but_zero() {
    const std::int32_t value = any();
    return value != 0 ? value : 1;
  }
  std::int32_t extreme() { return (random_.bits() >> 63) != 0 ? greatest() : least(); }
  [[nodiscard]] std::int32_t least() const { return static_cast<std::int32_t>(format_.min()); }
  [[nodiscard]] std::int32_t greatest() const { return static_cast<std::int32_t>(format_.max()); }

 private:
  arch::IntFormat format_;
  std::int64_t offset_;
  Random& random_;
  std::uint64_t bits_ = 0;
  int left_ = 0;
};

/// Elements by position; `step` is the reduction step or vector, `lane` the row or column of PEs.
using Element = std::function<std::int32_t(int step, int lane, int mac)>;

/// Both operands of a tile by position, whatever the dataflow lays out.
struct Operands {
  Element
      stationary;  ///< weight, input stationary: step is the PE row; output stationary: the beat
  Element moving;  ///< step is the beat, lane the PE row
};

void fill(const arch::TensorArray& array, const Operands& operands, arch::Tile& tile) {
  auto stationary = tile.stationary.begin();
  if (array.output_stationary()) {
    for (int beat = 0; beat < tile.beats; ++beat) {
      for (int c = 0; c < array.cols; ++c) {
        for (int m = 0; m < array.macs_per_pe; ++m) *stationary++ = operands.stationary(beat, c, m);
      }
    }
  } else {
    for (int r = 0; r < array.rows; ++r) {
      for (int m = 0; m < array.macs_per_pe; ++m) {
        for (int c = 0; c < array.cols; ++c) *stationary++ = operands.stationary(r, c, m);
      }
    }
  }
  auto moving = tile.moving.begin();
  for (int beat = 0; beat < tile.beats; ++beat) {
    for (int r = 0; r < array.rows; ++r) {
      for (int m = 0; m < array.macs_per_pe; ++m) *moving++ = operands.moving(beat, r, m);
    }
  }
}

Operands operands_of(const arch::TensorArray& array, TileData data, ElementSource& s,
                     ElementSource& m, Random& random) {
  const Element any_s = [&s](int, int, int) { return s.any(); };
  const Element any_m = [&m](int, int, int) { return m.any(); };
  const auto constant = [](std::int32_t value) {
    return Element([value](int, int, int) { return value; });
  };
  const int row = static_cast<int>(random.below(static_cast<std::uint64_t>(array.rows)));
  const int col = static_cast<int>(random.below(static_cast<std::uint64_t>(array.cols)));
  const int mac = static_cast<int>(random.below(static_cast<std::uint64_t>(array.macs_per_pe)));
  const int rows = array.rows;
  const bool os = array.output_stationary();

  switch (data) {
    case TileData::random:
      break;
    case TileData::sparse:
      return {[&](int, int, int) { return random.chance(25) ? s.any() : 0; },
              [&](int, int, int) { return random.chance(25) ? m.any() : 0; }};
    case TileData::extremes:
      return {[&s](int, int, int) { return s.extreme(); },
              [&m](int, int, int) { return m.extreme(); }};
    case TileData::zeros:
      return {constant(0), constant(0)};
    case TileData::identity:
      return {[](int step, int lane, int i) { return i == 0 && step == lane ? 1 : 0; },
              os ? Element([](int step, int lane, int i) { return i == 0 && step == lane ? 1 : 0; })
                 : any_m};
    case TileData::least_by_least:
      return {constant(s.least()), constant(m.least())};
    case TileData::least_by_greatest:
      return {constant(s.least()), constant(m.greatest())};
    case TileData::greatest_by_least:
      return {constant(s.greatest()), constant(m.least())};
    case TileData::greatest_by_greatest:
      return {constant(s.greatest()), constant(m.greatest())};
    case TileData::one_hot_stationary:
      return {[=, &s](int step, int lane, int i) {
                return lane == col && i == mac && (os || step == row) ? s.any_but_zero() : 0;
              },
              any_m};
    case TileData::one_hot_moving:
      return {any_s, [=, &m](int step, int lane, int i) {
                return lane == (row + step) % rows && i == mac ? m.any_but_zero() : 0;
              }};
    case TileData::single_row:
      if (os) {
        return {any_s, [=, &m](int, int lane, int) { return lane == row ? m.any() : 0; }};
      }
      return {[=, &s](int step, int, int) { return step == row ? s.any() : 0; }, any_m};
    case TileData::single_column:
      return {[=, &s](int, int lane, int) { return lane == col ? s.any() : 0; }, any_m};
    case TileData::checkerboard:
      return {[&s](int step, int lane, int i) {
                return (step + lane + i) % 2 == 0 ? s.least() : s.greatest();
              },
              [&m](int step, int lane, int i) {
                return (step + lane + i) % 2 == 0 ? m.least() : m.greatest();
              }};
  }
  return {any_s, any_m};
}

}  // namespace

const std::vector<NamedTileData>& tile_data_kinds() {
  static const std::vector<NamedTileData> kinds = {
      {TileData::random, "random"},
      {TileData::sparse, "sparse"},
      {TileData::extremes, "extremes"},
      {TileData::zeros, "zeros"},
      {TileData::identity, "identity"},
      {TileData::least_by_least, "least by least"},
      {TileData::least_by_greatest, "least by greatest"},
      {TileData::greatest_by_least, "greatest by least"},
      {TileData::greatest_by_greatest, "greatest by greatest"},
      {TileData::one_hot_stationary, "one-hot stationary"},
      {TileData::one_hot_moving, "one-hot moving"},
      {TileData::single_row, "single row"},
      {TileData::single_column, "single column"},
      {TileData::checkerboard, "checkerboard"}};
  return kinds;
}

arch::Tile make_tile(const arch::TensorArray& array, TileData data, int beats, Random& random) {
  const auto count = static_cast<std::size_t>(beats);
  const auto macs = static_cast<std::size_t>(array.macs_per_pe);
  const auto rows = static_cast<std::size_t>(array.rows) * macs;
  const auto cols = static_cast<std::size_t>(array.cols);
  arch::Tile tile;
  tile.beats = beats;
  tile.stationary.resize(array.output_stationary() ? count * cols * macs : rows * cols);
  tile.moving.resize(count * rows);
  tile.tags.resize(count);
  for (std::uint64_t& tag : tile.tags) tag = random.bits() >> (64 - array.tag_width);

  ElementSource stationary(array.stationary_format, random);
  ElementSource moving(array.moving_format, random);
  if (data == TileData::random) {
    for (std::int32_t& element : tile.stationary) element = stationary.any();
    for (std::int32_t& element : tile.moving) element = moving.any();
  } else {
    fill(array, operands_of(array, data, stationary, moving, random), tile);
  }
  return tile;
}

}  // namespace weft::verif

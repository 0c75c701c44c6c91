// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/tests/random_experiments.h"

#include <rapidcheck.h>

#include <cstdint>
#include <vector>

#include "arch/numerics/integer.h"

namespace weft::models::testing {
namespace {

arch::IntFormat any_format() { return {*rc::gen::inRange(2, 17), *rc::gen::arbitrary<bool>()}; }

// Half of the elements are extremes: there sums overflow and signs go wrong.
std::vector<std::int32_t> random_elements(std::size_t count, const arch::IntFormat& format,
                                          std::mt19937_64& random) {
  std::uniform_int_distribution<std::int64_t> any(format.min(), format.max());
  std::vector<std::int32_t> elements(count);
  for (std::int32_t& element : elements) {
    const std::uint64_t kind = random() % 4;
    element = static_cast<std::int32_t>(kind == 0   ? format.min()
                                        : kind == 1 ? format.max()
                                                    : any(random));
  }
  return elements;
}

std::vector<std::uint32_t> any_gaps() {
  const auto longest = *rc::gen::element<std::uint32_t>(0, 1, 3, 20);
  if (longest == 0) return {};
  // Mostly streams that flow, now and then one that does not.
  return *rc::gen::scale(
      2.0, rc::gen::container<std::vector<std::uint32_t>>(rc::gen::weightedOneOf<std::uint32_t>(
               {{2, rc::gen::just<std::uint32_t>(0)},
                {1, rc::gen::inRange<std::uint32_t>(0, longest + 1)}})));
}

std::vector<std::uint8_t> any_ready() {
  std::vector<std::uint8_t> ready;
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return ready;
    case 1:  // once every so often
      ready.assign(*rc::gen::inRange<std::size_t>(1, 9), 0);
      ready.back() = 1;
      return ready;
    case 2:
      return {1, 0};
    default:
      ready = *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::inRange<std::uint8_t>(0, 2));
      ready.push_back(1);
      return ready;
  }
}

}  // namespace

arch::TensorArray any_array() {
  arch::TensorArray array;
  array.rows = *rc::gen::inRange(1, 22);
  array.cols = *rc::gen::inRange(1, 12);
  array.dataflow =
      *rc::gen::element(arch::Dataflow::weight_stationary, arch::Dataflow::input_stationary,
                        arch::Dataflow::output_stationary);
  array.stationary_format = any_format();
  array.moving_format = any_format();
  array.macs_per_pe = *rc::gen::element(1, 2, 4);
  array.max_depth = *rc::gen::inRange(1, 200);
  array.accumulator_width =
      arch::exact_accumulator_width(array.moving_format, array.stationary_format, array.max_depth);
  if (*rc::gen::arbitrary<bool>()) {
    array.accumulator_width = *rc::gen::inRange(2, array.accumulator_width + 1);
    array.overflow = *rc::gen::element(arch::Overflow::wrap, arch::Overflow::saturate);
  }
  array.multiplier_stages = *rc::gen::inRange(0, 4);
  array.adder_stages = *rc::gen::inRange(0, 4);
  array.pe_registers =
      *rc::gen::weightedOneOf<int>({{1, rc::gen::just(1)}, {1, rc::gen::inRange(1, 14)}});
  array.stationary_buffers = *rc::gen::inRange(1, 3);
  array.load_rows_per_cycle = *rc::gen::element(1, 2, 4);
  array.skew = *rc::gen::element(arch::Skew::internal, arch::Skew::external);
  return array;
}

arch::Tile random_tile(const arch::TensorArray& array, int beats, std::mt19937_64& random) {
  const auto rows = static_cast<std::size_t>(array.rows);
  const auto cols = static_cast<std::size_t>(array.cols);
  const auto macs = static_cast<std::size_t>(array.macs_per_pe);
  const auto count = static_cast<std::size_t>(beats);
  arch::Tile tile;
  tile.beats = beats;
  tile.stationary = random_elements((array.output_stationary() ? count : rows) * cols * macs,
                                    array.stationary_format, random);
  tile.moving = random_elements(count * rows * macs, array.moving_format, random);
  for (std::size_t i = 0; i < count; ++i) {
    tile.tags.push_back(arch::to_bits(static_cast<std::int64_t>(random()), array.tag_width));
  }
  return tile;
}

arch::Traffic any_traffic(const arch::TensorArray& array) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const int tiles = *rc::gen::inRange(1, 6);
  arch::Traffic traffic;
  for (int i = 0; i < tiles; ++i) {
    const int longest = *rc::gen::element(1, 3, 25);
    traffic.tiles.push_back(random_tile(array, *rc::gen::inRange(1, longest + 1), random));
  }
  traffic.stationary_gaps = any_gaps();
  traffic.moving_gaps = any_gaps();
  traffic.ready = any_ready();
  return traffic;
}

}  // namespace weft::models::testing

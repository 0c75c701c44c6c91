// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/rtl_gemm.h"

#include <fmt/format.h>

#include "arch/workload/mapping.h"

namespace weft::verif {

RtlGemm::RtlGemm(const arch::TensorArray& array, const ArrayRtl& rtl, const CosimOptions& options)
    : array_(array), session_(array, rtl, options) {}

std::uint64_t RtlGemm::multiply(const std::string& name, const arch::Gemm& gemm,
                                std::int64_t products, const Operands& operands,
                                const Result& result) {
  const arch::GemmMapping mapping(array_, gemm);
  const std::int64_t tiles = mapping.run().tiles;
  const std::int64_t results =
      array_.output_stationary() ? array_.rows : mapping.run().beats;  // of a tile

  std::int64_t sent = 0;
  std::pair<arch::Operands, arch::Operands> current;
  const auto next_tile = [&](arch::Tile& tile) {
    if (sent == products * tiles) return false;
    if (sent % tiles == 0) current = operands(sent / tiles);
    tile = mapping.tile(sent % tiles, current.first, current.second);
    ++sent;
    return true;
  };

  std::int64_t taken = 0;
  arch::Sums c(gemm.m, gemm.n);
  const auto take_result = [&](std::span<const std::int64_t> elements) {
    const std::int64_t index = taken / results;
    if (index == products * tiles) return;  // one too many: the scoreboard says so
    mapping.add_result(index % tiles, taken % results, elements, c);
    if (++taken % (results * tiles) == 0) {
      result(index / tiles, std::exchange(c, arch::Sums(gemm.m, gemm.n)));
    }
    session_.progress([&] {
      return fmt::format("{}: tile {} of {}, {} cycles", name, index, products * tiles,
                         session_.bench().cycles());
    });
  };
  const std::uint64_t cycles = session_.bench().stream(next_tile, take_result);
  session_.report().transactions += static_cast<std::uint64_t>(sent);
  return cycles;
}

arch::Sums RtlGemm::multiply(const arch::Operands& a, const arch::Operands& b) {
  arch::Sums c(a.rows(), b.cols());
  multiply(
      "matrix product", {.m = a.rows(), .n = b.cols(), .k = a.cols()}, 1,
      [&](std::int64_t) { return std::pair(a, b); },
      [&](std::int64_t, arch::Sums&& product) { c = std::move(product); });
  return c;
}

}  // namespace weft::verif

// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/integer_gemm.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#define WEFT_AVX2 1
#else
#define WEFT_AVX2 0
#endif

namespace weft::models {
namespace {

// A tile of the result is formed in registers: block_vectors x block_cols sums.
constexpr std::size_t block_vectors = 4;
constexpr std::size_t block_cols = 16;

// Inlined into a caller of each instruction set.
#define WEFT_INLINE inline __attribute__((always_inline))

bool has_avx2() {
#if WEFT_AVX2
  static const bool supported = __builtin_cpu_supports("avx2") != 0;
  return supported;
#else
  return false;
#endif
}

// x: [block_vectors][depth] with `x_item` elements from vector to vector.
template <typename Element>
void pack_vectors(const std::int32_t* x, std::size_t vectors, std::size_t groups, std::size_t lanes,
                  IntegerGemm::Layout layout, std::size_t depth, Element* packed) {
  for (std::size_t v = 0; v < vectors; ++v) {
    const std::int32_t* vector = x + static_cast<std::ptrdiff_t>(v) * layout.item;
    Element* to = packed + v * depth;
    if (layout.lane == 1 && layout.group == static_cast<std::ptrdiff_t>(lanes)) {
      for (std::size_t k = 0; k < groups * lanes; ++k) to[k] = static_cast<Element>(vector[k]);
      continue;
    }
    for (std::size_t g = 0; g < groups; ++g, vector += layout.group) {
      for (std::size_t m = 0; m < lanes; ++m) {
        *to++ = static_cast<Element>(vector[static_cast<std::ptrdiff_t>(m) * layout.lane]);
      }
    }
  }
}

// [block of columns][depth / interleave][block_cols][interleave]; padding is zero.
template <typename Element>
void pack_columns(const std::int32_t* s, std::size_t groups, std::size_t lanes, std::size_t cols,
                  IntegerGemm::Layout layout, std::size_t depth, std::size_t interleave,
                  std::vector<Element>& packed) {
  const std::size_t blocks = (cols + block_cols - 1) / block_cols;
  packed.assign(blocks * depth * block_cols, Element{0});
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t first = block * block_cols;
    const std::size_t width = std::min(block_cols, cols - first);
    Element* panel = packed.data() + block * depth * block_cols;
    for (std::size_t g = 0, k = 0; g < groups; ++g) {
      for (std::size_t m = 0; m < lanes; ++m, ++k) {
        const std::int32_t* from = s + static_cast<std::ptrdiff_t>(g) * layout.group +
                                   static_cast<std::ptrdiff_t>(m) * layout.lane +
                                   static_cast<std::ptrdiff_t>(first) * layout.item;
        Element* to = panel + (k / interleave) * block_cols * interleave + k % interleave;
        for (std::size_t c = 0; c < width; ++c) {
          to[c * interleave] =
              static_cast<Element>(from[static_cast<std::ptrdiff_t>(c) * layout.item]);
        }
      }
    }
  }
}

#if WEFT_AVX2
// 64-bit results from the low bits of 8 32-bit sums.
template <bool is_signed>
__attribute__((target("avx2"), always_inline)) inline void store_sums(__m256i sums, __m128i unused,
                                                                      std::int64_t* y) {
  sums = _mm256_sll_epi32(sums, unused);
  sums = is_signed ? _mm256_sra_epi32(sums, unused) : _mm256_srl_epi32(sums, unused);
  const __m128i low = _mm256_castsi256_si128(sums);
  const __m128i high = _mm256_extracti128_si256(sums, 1);
  const auto widen = [](__m128i v) __attribute__((target("avx2"), always_inline)) {
    return is_signed ? _mm256_cvtepi32_epi64(v) : _mm256_cvtepu32_epi64(v);
  };
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(y), widen(low));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(y + 4), widen(high));
}

// Multiplies block_vectors vectors with one panel. vpmaddwd multiplies pairs of 16-bit integers and
// adds the two products; the sums are right modulo 2^32.
template <bool is_signed>
__attribute__((target("avx2"))) void pairs_tile(const std::int16_t* x, const std::int16_t* panel,
                                                std::size_t depth, int sum_bits, std::int64_t* y,
                                                std::size_t y_stride) {
  __m256i sums[block_vectors][2] = {};
  for (std::size_t k = 0; k < depth; k += 2, panel += 2 * block_cols) {
    const __m256i s0 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(panel));
    const __m256i s1 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(panel + block_cols));
    for (std::size_t v = 0; v < block_vectors; ++v) {
      std::int32_t pair;
      std::memcpy(&pair, x + v * depth + k, sizeof pair);
      const __m256i xs = _mm256_set1_epi32(pair);
      sums[v][0] = _mm256_add_epi32(sums[v][0], _mm256_madd_epi16(xs, s0));
      sums[v][1] = _mm256_add_epi32(sums[v][1], _mm256_madd_epi16(xs, s1));
    }
  }
  const __m128i unused = _mm_cvtsi32_si128(32 - sum_bits);
  for (std::size_t v = 0; v < block_vectors; ++v) {
    store_sums<is_signed>(sums[v][0], unused, y + v * y_stride);
    store_sums<is_signed>(sums[v][1], unused, y + v * y_stride + block_cols / 2);
  }
}
#endif

// Products of 16-bit operands are below 2^32: this many of them add up exactly in a double.
constexpr std::size_t exact_depth = std::size_t{1} << 20;

WEFT_INLINE void reals_tile_body(const double* x, const double* panel, std::size_t depth,
                                 int sum_bits, bool is_signed, std::int64_t* y,
                                 std::size_t y_stride) {
  for (std::size_t v = 0; v < block_vectors; ++v) {
    std::uint64_t totals[block_cols] = {};
    for (std::size_t begin = 0; begin < depth; begin += exact_depth) {
      const std::size_t end = std::min(depth, begin + exact_depth);
      double sums[block_cols] = {};
      for (std::size_t k = begin; k < end; ++k) {
        const double xs = x[v * depth + k];
        for (std::size_t c = 0; c < block_cols; ++c) sums[c] += xs * panel[k * block_cols + c];
      }
      for (std::size_t c = 0; c < block_cols; ++c) {
        totals[c] += static_cast<std::uint64_t>(static_cast<std::int64_t>(sums[c]));
      }
    }
    for (std::size_t c = 0; c < block_cols; ++c) {
      y[v * y_stride + c] = arch::from_bits(totals[c], sum_bits, is_signed);
    }
  }
}

template <typename Sum>
WEFT_INLINE void serial_tile_body(const std::int32_t* x, const std::int32_t* panel,
                                  std::size_t depth, std::size_t lanes, Sum low, Sum high,
                                  std::int64_t* y, std::size_t y_stride) {
  for (std::size_t v = 0; v < block_vectors; ++v) {
    Sum sums[block_cols] = {};
    for (std::size_t group = 0; group < depth; group += lanes) {
      Sum dots[block_cols] = {};
      for (std::size_t k = group; k < group + lanes; ++k) {
        const Sum xs = x[v * depth + k];
        for (std::size_t c = 0; c < block_cols; ++c) dots[c] += xs * Sum{panel[k * block_cols + c]};
      }
      for (std::size_t c = 0; c < block_cols; ++c) {
        sums[c] = std::min(std::max(sums[c] + dots[c], low), high);
      }
    }
    for (std::size_t c = 0; c < block_cols; ++c) y[v * y_stride + c] = sums[c];
  }
}

}  // namespace

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
  const int unused = 32 - sum_bits;
  for (std::size_t v = 0; v < block_vectors; ++v) {
    std::uint32_t bits[block_cols];
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(bits), sums[v][0]);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(bits + block_cols / 2), sums[v][1]);
    for (std::size_t c = 0; c < block_cols; ++c) {
      // Shifting right keeps the sign of a signed and none of an unsigned sum.
      y[v * y_stride + c] = is_signed ? static_cast<std::int32_t>(bits[c] << unused) >> unused
                                      : static_cast<std::int64_t>(bits[c] << unused >> unused);
    }
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

// One set of bodies, compiled for AVX2 and for the plain processor.
#if WEFT_AVX2
__attribute__((target("avx2"))) void reals_tile_avx2(const double* x, const double* panel,
                                                     std::size_t depth, int sum_bits,
                                                     bool is_signed, std::int64_t* y,
                                                     std::size_t y_stride) {
  reals_tile_body(x, panel, depth, sum_bits, is_signed, y, y_stride);
}

template <typename Sum>
__attribute__((target("avx2"))) void serial_tile_avx2(const std::int32_t* x,
                                                      const std::int32_t* panel, std::size_t depth,
                                                      std::size_t lanes, Sum low, Sum high,
                                                      std::int64_t* y, std::size_t y_stride) {
  serial_tile_body<Sum>(x, panel, depth, lanes, low, high, y, y_stride);
}
#endif

void reals_tile(const double* x, const double* panel, std::size_t depth, int sum_bits,
                bool is_signed, std::int64_t* y, std::size_t y_stride) {
#if WEFT_AVX2
  if (has_avx2()) return reals_tile_avx2(x, panel, depth, sum_bits, is_signed, y, y_stride);
#endif
  reals_tile_body(x, panel, depth, sum_bits, is_signed, y, y_stride);
}

template <typename Sum>
void serial_tile(const std::int32_t* x, const std::int32_t* panel, std::size_t depth,
                 std::size_t lanes, Sum low, Sum high, std::int64_t* y, std::size_t y_stride) {
#if WEFT_AVX2
  if (has_avx2()) return serial_tile_avx2<Sum>(x, panel, depth, lanes, low, high, y, y_stride);
#endif
  serial_tile_body<Sum>(x, panel, depth, lanes, low, high, y, y_stride);
}

}  // namespace

IntegerGemm::IntegerGemm(arch::IntFormat x, arch::IntFormat s, arch::AccumulatorFormat accumulator,
                         std::size_t lanes, std::size_t cols)
    : x_format_(x), s_format_(s), accumulator_(accumulator), lanes_(lanes), cols_(cols) {}

void IntegerGemm::choose_kernel() {
  const auto depth = static_cast<std::int64_t>(groups_ * lanes_);
  const int exact_bits = arch::exact_accumulator_width(x_format_, s_format_, depth);
  if (accumulator_.overflow == arch::Overflow::saturate && exact_bits > accumulator_.width) {
    kernel_ = Kernel::serial;
    return;
  }
  sum_bits_ = std::min(exact_bits, accumulator_.width);
  const auto fits_16_bits = [](const arch::IntFormat& format) {
    return format.is_signed || format.bits < 16;
  };
  const bool pairs =
      has_avx2() && sum_bits_ <= 32 && fits_16_bits(x_format_) && fits_16_bits(s_format_);
  kernel_ = pairs ? Kernel::pairs : Kernel::reals;
}

void IntegerGemm::load(const std::int32_t* s, std::size_t groups, Layout layout) {
  if (groups != groups_) {
    groups_ = groups;
    choose_kernel();
  }
  depth_ = groups * lanes_;
  switch (kernel_) {
    case Kernel::pairs:
      depth_ += depth_ % 2;
      pack_columns(s, groups, lanes_, cols_, layout, depth_, 2, pairs_.s);
      break;
    case Kernel::reals:
      pack_columns(s, groups, lanes_, cols_, layout, depth_, 1, reals_.s);
      break;
    case Kernel::serial:
      pack_columns(s, groups, lanes_, cols_, layout, depth_, 1, serial_.s);
      break;
  }
}

// Runs over the blocks of the result; tile(x, panel, y, y_stride) computes one.
template <typename Element, typename Tile>
void IntegerGemm::multiply_blocks(const std::int32_t* x, std::size_t vectors, Layout layout,
                                  std::int64_t* y, Packed<Element>& packed, const Tile& tile) {
  packed.x.assign(block_vectors * depth_, Element{0});
  for (std::size_t v = 0; v < vectors; v += block_vectors) {
    const std::size_t height = std::min(block_vectors, vectors - v);
    pack_vectors(x + static_cast<std::ptrdiff_t>(v) * layout.item, height, groups_, lanes_, layout,
                 depth_, packed.x.data());
    const Element* panel = packed.s.data();
    for (std::size_t c = 0; c < cols_; c += block_cols, panel += depth_ * block_cols) {
      const std::size_t width = std::min(block_cols, cols_ - c);
      std::int64_t* to = y + v * cols_ + c;
      if (height == block_vectors && width == block_cols) {
        tile(packed.x.data(), panel, to, cols_);
        continue;
      }
      std::int64_t whole[block_vectors * block_cols];
      tile(packed.x.data(), panel, whole, block_cols);
      for (std::size_t i = 0; i < height; ++i) {
        std::copy_n(whole + i * block_cols, width, to + i * cols_);
      }
    }
  }
}

void IntegerGemm::multiply(const std::int32_t* x, std::size_t vectors, Layout layout,
                           std::int64_t* y) {
  const bool is_signed = accumulator_.is_signed;
  switch (kernel_) {
    case Kernel::pairs:
#if WEFT_AVX2
      multiply_blocks(x, vectors, layout, y, pairs_,
                      [this, is_signed](const std::int16_t* xs, const std::int16_t* panel,
                                        std::int64_t* to, std::size_t stride) {
                        is_signed ? pairs_tile<true>(xs, panel, depth_, sum_bits_, to, stride)
                                  : pairs_tile<false>(xs, panel, depth_, sum_bits_, to, stride);
                      });
#endif
      break;
    case Kernel::reals:
      multiply_blocks(x, vectors, layout, y, reals_,
                      [this, is_signed](const double* xs, const double* panel, std::int64_t* to,
                                        std::size_t stride) {
                        reals_tile(xs, panel, depth_, sum_bits_, is_signed, to, stride);
                      });
      break;
    case Kernel::serial:
      multiply_blocks(x, vectors, layout, y, serial_,
                      [this](const std::int32_t* xs, const std::int32_t* panel, std::int64_t* to,
                             std::size_t stride) { serial_block(xs, panel, to, stride); });
      break;
  }
}

// A sum and a group's exact dot product need one bit more than the wider of them.
void IntegerGemm::serial_block(const std::int32_t* x, const std::int32_t* panel, std::int64_t* y,
                               std::size_t y_stride) const {
  const int dot_bits =
      arch::exact_accumulator_width(x_format_, s_format_, static_cast<std::int64_t>(lanes_));
  const int width = accumulator_.width;
  const std::int64_t low = accumulator_.is_signed ? -(std::int64_t{1} << (width - 1)) : 0;
  const std::int64_t high = (std::int64_t{1} << (accumulator_.is_signed ? width - 1 : width)) - 1;
  if (std::max(dot_bits, width) <= 30) {
    serial_tile<std::int32_t>(x, panel, depth_, lanes_, static_cast<std::int32_t>(low),
                              static_cast<std::int32_t>(high), y, y_stride);
  } else {
    serial_tile<std::int64_t>(x, panel, depth_, lanes_, low, high, y, y_stride);
  }
}

}  // namespace weft::models

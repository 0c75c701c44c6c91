// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/integer_gemm.h"

#include <algorithm>
#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#define WEFT_X86 1
#else
#define WEFT_X86 0
#endif

namespace weft::models {
namespace {

using Layout = IntegerGemm::Layout;

// A tile of the result is formed in registers: block_vectors x block_cols sums.
constexpr std::size_t block_vectors = 4;
constexpr std::size_t block_cols = 16;

// Products of 16-bit operands are at most 2^32: this many of them add up exactly in a double.
constexpr std::size_t exact_depth = std::size_t{1} << 20;

bool has_avx2() {
#if WEFT_X86
  static const bool supported = __builtin_cpu_supports("avx2") != 0;
  return supported;
#else
  return false;
#endif
}

// --- Packing
// ---------------------------------------------------------------------------------------

// Calls use(depth index, address of the operand's item 0) along the reduction.
template <typename Use>
void along_depth(const std::int32_t* operand, std::size_t groups, std::size_t lanes, Layout layout,
                 const Use& use) {
  std::size_t k = 0;
  for (std::size_t g = 0; g < groups; ++g, operand += layout.group) {
    const std::int32_t* from = operand;
    for (std::size_t m = 0; m < lanes; ++m, from += layout.lane) use(k++, from);
  }
}

template <typename Element>
void pack_items(const std::int32_t* from, std::ptrdiff_t stride, std::size_t count, Element* to) {
  for (std::size_t i = 0; i < count; ++i, from += stride) to[i] = static_cast<Element>(*from);
}

// [depth][block_vectors]
template <typename Element>
void pack_vectors(const std::int32_t* x, std::size_t count, std::size_t groups, std::size_t lanes,
                  Layout layout, std::vector<Element>& packed) {
  packed.resize(groups * lanes * block_vectors);
  along_depth(x, groups, lanes, layout, [&](std::size_t k, const std::int32_t* from) {
    pack_items(from, layout.item, count, packed.data() + k * block_vectors);
  });
}

// [block of columns][depth][block_cols]
template <typename Element>
void pack_columns(const std::int32_t* s, std::size_t cols, std::size_t groups, std::size_t lanes,
                  Layout layout, std::vector<Element>& packed) {
  const std::size_t depth = groups * lanes;
  packed.resize((cols + block_cols - 1) / block_cols * depth * block_cols);
  Element* panel = packed.data();
  for (std::size_t c = 0; c < cols; c += block_cols, panel += depth * block_cols) {
    along_depth(s + static_cast<std::ptrdiff_t>(c) * layout.item, groups, lanes, layout,
                [&](std::size_t k, const std::int32_t* from) {
                  pack_items(from, layout.item, std::min(block_cols, cols - c),
                             panel + k * block_cols);
                });
  }
}

std::int32_t pair(std::int32_t even, std::int32_t odd) {
  return static_cast<std::int32_t>((static_cast<std::uint32_t>(even) & 0xffffU) |
                                   (static_cast<std::uint32_t>(odd) << 16));
}

// to[i] = the pair of items i of two adjacent depth indices.
void pack_item_pairs(const std::int32_t* even, const std::int32_t* odd, std::ptrdiff_t stride,
                     std::size_t count, std::int32_t* to) {
  if (stride == 1) {
    for (std::size_t i = 0; i < count; ++i) to[i] = pair(even[i], odd[i]);
    return;
  }
  for (std::size_t i = 0; i < count; ++i, even += stride, odd += stride) to[i] = pair(*even, *odd);
}

// [depth / 2][width], `count` items of `width` in use; an odd depth is filled up with zeros.
void pack_pairs(const std::int32_t* operand, std::size_t count, std::size_t groups,
                std::size_t lanes, Layout layout, std::size_t width, std::int32_t* to) {
  const std::int32_t* even = nullptr;
  along_depth(operand, groups, lanes, layout, [&](std::size_t k, const std::int32_t* from) {
    if (k % 2 == 0) {
      even = from;
      return;
    }
    pack_item_pairs(even, from, layout.item, count, to + k / 2 * width);
  });
  if (const std::size_t depth = groups * lanes; depth % 2 != 0) {
    for (std::size_t i = 0; i < count; ++i) {
      to[depth / 2 * width + i] = pair(even[static_cast<std::ptrdiff_t>(i) * layout.item], 0);
    }
  }
}

// One vector whose elements lie side by side: [depth / 2].
void pack_vector_pairs(const std::int32_t* x, std::size_t depth, std::int32_t* to) {
  for (std::size_t k = 0; k < depth / 2; ++k) to[k] = pair(x[2 * k], x[2 * k + 1]);
  if (depth % 2 != 0) to[depth / 2] = pair(x[depth - 1], 0);
}

// --- Tiles of block_vectors x block_cols sums
//
// Arrays of vectors are C arrays, and vector types typedefs: the compilers drop the vector
// attribute of a template argument. NOLINTBEGIN(modernize-avoid-c-arrays, modernize-use-using)
// ------------------------------------------------------

#if WEFT_X86
// vpmaddwd multiplies pairs of 16-bit integers and adds the two products; the sums are right modulo
// 2^32. Pair k of vector v is x[v * x_vector + k * x_pair].
template <bool is_signed>
__attribute__((target("avx2"))) void pairs_tile(const std::int32_t* x, std::size_t x_vector,
                                                std::size_t x_pair, const std::int32_t* panel,
                                                std::size_t pairs, int sum_bits, std::int64_t* y,
                                                std::ptrdiff_t y_stride) {
  __m256i sums[block_vectors][2] = {};
  for (std::size_t k = 0; k < pairs; ++k, x += x_pair, panel += block_cols) {
    const __m256i s0 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(panel));
    const __m256i s1 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(panel + block_cols / 2));
    for (std::size_t v = 0; v < block_vectors; ++v) {
      const __m256i xs = _mm256_set1_epi32(x[v * x_vector]);
      sums[v][0] = _mm256_add_epi32(sums[v][0], _mm256_madd_epi16(xs, s0));
      sums[v][1] = _mm256_add_epi32(sums[v][1], _mm256_madd_epi16(xs, s1));
    }
  }
  const int unused = 32 - sum_bits;
  for (std::size_t v = 0; v < block_vectors; ++v, y += y_stride) {
    std::uint32_t bits[block_cols];
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(bits), sums[v][0]);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(bits + block_cols / 2), sums[v][1]);
    for (std::size_t c = 0; c < block_cols; ++c) {
      // Shifting right keeps the sign of a signed and none of an unsigned sum.
      y[c] = is_signed ? static_cast<std::int32_t>(bits[c] << unused) >> unused
                       : static_cast<std::int64_t>(bits[c] << unused >> unused);
    }
  }
}
#endif

// The other kernels are written once, in vectors that the compiler maps to what the processor has,
// and inlined into a function for AVX2 and one for any processor.
#define WEFT_INLINE inline __attribute__((always_inline))
constexpr std::size_t vector_bytes = 32;

WEFT_INLINE void reals_tile_body(const double* x, const double* panel, std::size_t depth,
                                 int sum_bits, bool is_signed, std::int64_t* y,
                                 std::ptrdiff_t y_stride) {
  typedef double Vector __attribute__((vector_size(vector_bytes)));
  constexpr std::size_t lanes = vector_bytes / sizeof(double);
  constexpr std::size_t parts = block_cols / lanes;
  std::uint64_t totals[block_vectors][block_cols] = {};
  for (std::size_t begin = 0; begin < depth; begin += exact_depth) {
    const std::size_t end = std::min(depth, begin + exact_depth);
    for (std::size_t v = 0; v < block_vectors; ++v) {
      Vector sums[parts] = {};
      for (std::size_t k = begin; k < end; ++k) {
        const double xs = x[k * block_vectors + v];
        for (std::size_t p = 0; p < parts; ++p) {
          Vector ss;
          std::memcpy(&ss, panel + k * block_cols + p * lanes, sizeof ss);
          sums[p] += xs * ss;
        }
      }
      for (std::size_t c = 0; c < block_cols; ++c) {
        totals[v][c] +=
            static_cast<std::uint64_t>(static_cast<std::int64_t>(sums[c / lanes][c % lanes]));
      }
    }
  }
  for (std::size_t v = 0; v < block_vectors; ++v, y += y_stride) {
    for (std::size_t c = 0; c < block_cols; ++c) {
      y[c] = arch::from_bits(totals[v][c], sum_bits, is_signed);
    }
  }
}

template <typename Sum>
WEFT_INLINE void serial_tile_body(const std::int32_t* x, const std::int32_t* panel,
                                  std::size_t groups, std::size_t lanes, Sum low, Sum high,
                                  std::int64_t* y, std::ptrdiff_t y_stride) {
  typedef Sum Vector __attribute__((vector_size(vector_bytes)));
  constexpr std::size_t width = vector_bytes / sizeof(Sum);
  typedef std::int32_t Operands __attribute__((vector_size(width * sizeof(std::int32_t))));
  constexpr std::size_t parts = block_cols / width;
  const Vector lows = Vector{} + low;
  const Vector highs = Vector{} + high;
  Vector sums[block_vectors][parts] = {};
  for (std::size_t g = 0; g < groups; ++g) {
    Vector dots[block_vectors][parts] = {};
    for (std::size_t m = 0; m < lanes; ++m, x += block_vectors, panel += block_cols) {
      for (std::size_t p = 0; p < parts; ++p) {
        Operands operands;
        std::memcpy(&operands, panel + p * width, sizeof operands);
        const Vector ss = __builtin_convertvector(operands, Vector);
        for (std::size_t v = 0; v < block_vectors; ++v) dots[v][p] += Sum{x[v]} * ss;
      }
    }
    for (std::size_t v = 0; v < block_vectors; ++v) {
      for (std::size_t p = 0; p < parts; ++p) {
        Vector sum = sums[v][p] + dots[v][p];
        sum = sum < lows ? lows : sum;
        sums[v][p] = sum > highs ? highs : sum;
      }
    }
  }
  for (std::size_t v = 0; v < block_vectors; ++v, y += y_stride) {
    for (std::size_t c = 0; c < block_cols; ++c) y[c] = sums[v][c / width][c % width];
  }
}

// NOLINTEND(modernize-avoid-c-arrays, modernize-use-using)

#if WEFT_X86
__attribute__((target("avx2"))) void reals_tile_avx2(const double* x, const double* panel,
                                                     std::size_t depth, int sum_bits,
                                                     bool is_signed, std::int64_t* y,
                                                     std::ptrdiff_t y_stride) {
  reals_tile_body(x, panel, depth, sum_bits, is_signed, y, y_stride);
}

template <typename Sum>
__attribute__((target("avx2"))) void serial_tile_avx2(const std::int32_t* x,
                                                      const std::int32_t* panel, std::size_t groups,
                                                      std::size_t lanes, Sum low, Sum high,
                                                      std::int64_t* y, std::ptrdiff_t y_stride) {
  serial_tile_body<Sum>(x, panel, groups, lanes, low, high, y, y_stride);
}
#endif

void reals_tile(const double* x, const double* panel, std::size_t depth, int sum_bits,
                bool is_signed, std::int64_t* y, std::ptrdiff_t y_stride) {
#if WEFT_X86
  if (has_avx2()) return reals_tile_avx2(x, panel, depth, sum_bits, is_signed, y, y_stride);
#endif
  reals_tile_body(x, panel, depth, sum_bits, is_signed, y, y_stride);
}

template <typename Sum>
void serial_tile(const std::int32_t* x, const std::int32_t* panel, std::size_t groups,
                 std::size_t lanes, Sum low, Sum high, std::int64_t* y, std::ptrdiff_t y_stride) {
#if WEFT_X86
  if (has_avx2()) return serial_tile_avx2<Sum>(x, panel, groups, lanes, low, high, y, y_stride);
#endif
  serial_tile_body<Sum>(x, panel, groups, lanes, low, high, y, y_stride);
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
  switch (kernel_) {
    case Kernel::pairs: {
      const std::size_t panel_size = (groups * lanes_ + 1) / 2 * block_cols;
      pairs_.s.resize((cols_ + block_cols - 1) / block_cols * panel_size);
      for (std::size_t c = 0; c < cols_; c += block_cols) {
        pack_pairs(s + static_cast<std::ptrdiff_t>(c) * layout.item,
                   std::min(block_cols, cols_ - c), groups, lanes_, layout, block_cols,
                   pairs_.s.data() + c / block_cols * panel_size);
      }
      break;
    }
    case Kernel::reals:
      pack_columns(s, cols_, groups, lanes_, layout, reals_.s);
      break;
    case Kernel::serial:
      pack_columns(s, cols_, groups, lanes_, layout, serial_.s);
      break;
  }
}

void IntegerGemm::multiply(const std::int32_t* x, std::size_t vectors, Layout layout,
                           std::int64_t* y, std::ptrdiff_t y_stride) {
  switch (kernel_) {
    case Kernel::pairs:
      return multiply_pairs(x, vectors, layout, y, y_stride);
    case Kernel::reals:
      return multiply_reals(x, vectors, layout, y, y_stride);
    case Kernel::serial:
      return multiply_serial(x, vectors, layout, y, y_stride);
  }
}

template <typename Element, typename Pack, typename Tile>
void IntegerGemm::multiply_blocks(const Packed<Element>& packed, std::size_t panel_size,
                                  std::size_t vectors, std::int64_t* y, std::ptrdiff_t y_stride,
                                  const Pack& pack, const Tile& tile) const {
  for (std::size_t v = 0; v < vectors; v += block_vectors) {
    const std::size_t height = std::min(block_vectors, vectors - v);
    pack(static_cast<std::ptrdiff_t>(v), height);
    const Element* panel = packed.s.data();
    for (std::size_t c = 0; c < cols_; c += block_cols, panel += panel_size) {
      const std::size_t width = std::min(block_cols, cols_ - c);
      std::int64_t* to = y + static_cast<std::ptrdiff_t>(v) * y_stride + c;
      if (height == block_vectors && width == block_cols) {
        tile(panel, to, y_stride);
        continue;
      }
      std::array<std::int64_t, block_vectors * block_cols> whole{};
      tile(panel, whole.data(), block_cols);
      for (std::size_t i = 0; i < height; ++i, to += y_stride) {
        std::copy_n(whole.data() + i * block_cols, width, to);
      }
    }
  }
}

void IntegerGemm::multiply_pairs([[maybe_unused]] const std::int32_t* x,
                                 [[maybe_unused]] std::size_t vectors,
                                 [[maybe_unused]] Layout layout, [[maybe_unused]] std::int64_t* y,
                                 [[maybe_unused]] std::ptrdiff_t y_stride) {
#if WEFT_X86
  const std::size_t depth = groups_ * lanes_;
  const std::size_t pairs = (depth + 1) / 2;
  const bool side_by_side = layout.lane == 1 && layout.group == static_cast<std::ptrdiff_t>(lanes_);
  const std::size_t x_vector = side_by_side ? pairs : 1;
  const std::size_t x_pair = side_by_side ? 1 : block_vectors;
  pairs_.x.resize(pairs * block_vectors);
  const auto pack = [&](std::ptrdiff_t v, std::size_t height) {
    const std::int32_t* block = x + v * layout.item;
    if (!side_by_side) {
      pack_pairs(block, height, groups_, lanes_, layout, block_vectors, pairs_.x.data());
      return;
    }
    for (std::size_t i = 0; i < height; ++i, block += layout.item) {
      pack_vector_pairs(block, depth, pairs_.x.data() + i * pairs);
    }
  };
  const auto tile = [&](const std::int32_t* panel, std::int64_t* to, std::ptrdiff_t stride) {
    (accumulator_.is_signed ? pairs_tile<true> : pairs_tile<false>)(pairs_.x.data(), x_vector,
                                                                    x_pair, panel, pairs, sum_bits_,
                                                                    to, stride);
  };
  multiply_blocks(pairs_, pairs * block_cols, vectors, y, y_stride, pack, tile);
#endif
}

void IntegerGemm::multiply_reals(const std::int32_t* x, std::size_t vectors, Layout layout,
                                 std::int64_t* y, std::ptrdiff_t y_stride) {
  const std::size_t depth = groups_ * lanes_;
  const auto pack = [&](std::ptrdiff_t v, std::size_t height) {
    pack_vectors(x + v * layout.item, height, groups_, lanes_, layout, reals_.x);
  };
  const auto tile = [&](const double* panel, std::int64_t* to, std::ptrdiff_t stride) {
    reals_tile(reals_.x.data(), panel, depth, sum_bits_, accumulator_.is_signed, to, stride);
  };
  multiply_blocks(reals_, depth * block_cols, vectors, y, y_stride, pack, tile);
}

void IntegerGemm::multiply_serial(const std::int32_t* x, std::size_t vectors, Layout layout,
                                  std::int64_t* y, std::ptrdiff_t y_stride) {
  const int width = accumulator_.width;
  const std::int64_t low = accumulator_.is_signed ? -(std::int64_t{1} << (width - 1)) : 0;
  const std::int64_t high = (std::int64_t{1} << (accumulator_.is_signed ? width - 1 : width)) - 1;
  // A sum and a group's exact dot product need one bit more than the wider of them, and an unsigned
  // one another for the sign.
  const int dot_bits =
      arch::exact_accumulator_width(x_format_, s_format_, static_cast<std::int64_t>(lanes_));
  const bool narrow = std::max(dot_bits, width) <= 30;
  const auto pack = [&](std::ptrdiff_t v, std::size_t height) {
    pack_vectors(x + v * layout.item, height, groups_, lanes_, layout, serial_.x);
  };
  const auto tile = [&](const std::int32_t* panel, std::int64_t* to, std::ptrdiff_t stride) {
    if (narrow) {
      serial_tile<std::int32_t>(serial_.x.data(), panel, groups_, lanes_,
                                static_cast<std::int32_t>(low), static_cast<std::int32_t>(high), to,
                                stride);
    } else {
      serial_tile<std::int64_t>(serial_.x.data(), panel, groups_, lanes_, low, high, to, stride);
    }
  };
  multiply_blocks(serial_, groups_ * lanes_ * block_cols, vectors, y, y_stride, pack, tile);
}

}  // namespace weft::models

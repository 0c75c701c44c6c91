// SPDX-License-Identifier: Apache-2.0
//
// Included before Verilator's output. Its signed comparisons go through 64-bit sign extensions,
// from which compilers cannot tell how often a loop runs: with these, loops over 32-bit integers
// are counted and vectorised, up to nine times as fast. (A macro does not expand itself again, so
// the other widths still call Verilator's functions.)
#pragma once

#include "verilated.h"

#define VL_GTS_III(bits, a, b) \
  ((bits) == 32 ? IData(int32_t(a) > int32_t(b)) : VL_GTS_III(bits, a, b))
#define VL_LTS_III(bits, a, b) \
  ((bits) == 32 ? IData(int32_t(a) < int32_t(b)) : VL_LTS_III(bits, a, b))
#define VL_GTES_III(bits, a, b) \
  ((bits) == 32 ? IData(int32_t(a) >= int32_t(b)) : VL_GTES_III(bits, a, b))
#define VL_LTES_III(bits, a, b) \
  ((bits) == 32 ? IData(int32_t(a) <= int32_t(b)) : VL_LTES_III(bits, a, b))

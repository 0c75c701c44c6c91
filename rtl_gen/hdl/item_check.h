// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rtl_gen/hdl/eval.h"
#include "rtl_gen/hdl/module.h"
#include "rtl_gen/hdl/usage.h"

namespace weft::rtl::hdl {

/// Values begin .. end - 1, or the first two and the last when there are more than `limit`.
std::vector<std::int64_t> samples(std::int64_t begin, std::int64_t end, std::int64_t limit);

/// Checks the widths of an item in one environment; records drivers and readers if `usage` is
/// given. For loops of more than `limit` iterations are sampled. Throws HdlError without module and
/// item.
void check_item_sizes(const Item& item, Env& env, Usage* usage, std::int64_t limit);

}  // namespace weft::rtl::hdl

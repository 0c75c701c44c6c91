// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace weft::synth {

/// 1234567.8 as "1,234,568".
std::string grouped(double value);

/// An area; those of small designs and small technologies need decimals.
std::string area_text(double area);

}  // namespace weft::synth

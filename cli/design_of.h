// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <variant>

#include "arch/config.h"
#include "base/error.h"

namespace weft::cli {

/// The design of a configuration, for a command that does its `job` only for designs T. Throws
/// UserError if it is of another kind: "weft estimate: kind 'switch' has no workload estimate; it
/// is for tensor_array".
template <class T>
const T& design_of(const arch::Config& config, std::string_view command, std::string_view job) {
  if (const T* design = std::get_if<T>(&config.design)) return *design;
  throw UserError(fmt::format("weft {}: kind '{}' has no {}; it is for {}", command, config.kind,
                              job, arch::declaration<T>().kind().name));
}

}  // namespace weft::cli

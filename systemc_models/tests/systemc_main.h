// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace weft::models::testing {

/// Runs a simulation in a process of its own, because a process can elaborate only once. False when
/// it threw; what it threw is then on standard error.
bool run_in_child(const std::function<void()>& simulation);

}  // namespace weft::models::testing

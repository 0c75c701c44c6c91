// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace weft::synth {

/// Calls job(0) .. job(count - 1), at most `jobs` at once, in this order. After the first exception
/// no further job is started; it is thrown when those under way have ended.
void run_jobs(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& job);

}  // namespace weft::synth

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>

namespace weft::base {

/// CPU seconds that the calling thread has used: what work costs a core, whatever else the machine
/// does.
inline double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace weft::base

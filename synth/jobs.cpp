// SPDX-License-Identifier: Apache-2.0
#include "synth/jobs.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace weft::synth {

void run_jobs(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& job) {
  std::mutex mutex;
  std::size_t next = 0;
  std::exception_ptr failure;
  const auto work = [&] {
    for (;;) {
      std::size_t mine = 0;
      {
        const std::scoped_lock lock(mutex);
        if (failure || next == count) return;
        mine = next++;
      }
      try {
        job(mine);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min<std::size_t>(jobs, count); ++i) others.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace weft::synth

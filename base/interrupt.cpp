// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace weft::base {
namespace {

std::atomic<int> noted = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler writes it");

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

void note(int signal) {
  if (noted.exchange(signal) != 0) _exit(128 + signal);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = note;  // no SA_RESTART: blocking calls must return
  sigemptyset(&action.sa_mask);
  for (const int signal : signals) {
    struct sigaction current = {};
    sigaction(signal, nullptr, &current);
    // nohup and background jobs of a shell start with signals ignored; they stay so.
    if (current.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

InterruptScope::InterruptScope() : before_{} {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], nullptr, &before_[i]);
  noted = 0;
  catch_interrupts();
}

InterruptScope::~InterruptScope() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
  noted = 0;
}

int interrupt_signal() noexcept { return noted; }

void check_interrupt() {
  if (const int signal = interrupt_signal(); signal != 0) throw Interrupted{signal};
}

}  // namespace weft::base

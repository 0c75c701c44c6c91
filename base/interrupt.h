// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <csignal>

namespace weft::base {

/// Thrown by check_interrupt() to unwind the stack, so that temporary files are removed and child
/// processes are ended by their owners' destructors. Not a std::exception on purpose: code that
/// reports errors and goes on must not swallow it.
struct Interrupted {
  int signal;  ///< SIGINT, SIGTERM or SIGHUP; the command exits with 128 + signal
};

/// From now on SIGINT, SIGTERM and SIGHUP are only noted (and make blocking system calls return
/// EINTR). A second one ends the process at once.
void catch_interrupts();

/// Catches signals while it lives, then gives them back to whoever caught them before and forgets
/// what was noted: for libraries, whose program has handlers of its own.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  std::array<struct sigaction, 3> before_;
};

/// The signal that was noted, 0 if none.
[[nodiscard]] int interrupt_signal() noexcept;

/// Throws Interrupted if a signal was noted. Call it in every loop that can take longer than a
/// fraction of a second, and after every system call that returned EINTR.
void check_interrupt();

}  // namespace weft::base

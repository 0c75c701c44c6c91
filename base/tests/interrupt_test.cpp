// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace weft::base {
namespace {

/// The exit status of a child that raises `signal` `times` times and then unwinds, as a command
/// does.
int status_after(int signal, int times) {
  const pid_t child = fork();
  if (child == 0) {
    catch_interrupts();
    for (int i = 0; i < times; ++i) std::raise(signal);
    try {
      check_interrupt();
    } catch (const Interrupted& interrupted) {
      _exit(interrupted.signal);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

TEST(Interrupt, UnwindsOnTheFirstSignal) {
  EXPECT_EQ(status_after(SIGINT, 0), 0);
  EXPECT_EQ(status_after(SIGINT, 1), SIGINT);
  EXPECT_EQ(status_after(SIGTERM, 1), SIGTERM);
}

TEST(Interrupt, EndsTheProcessOnTheSecond) {
  EXPECT_EQ(status_after(SIGINT, 2), 128 + SIGINT);
  EXPECT_EQ(status_after(SIGTERM, 2), 128 + SIGTERM);
}

}  // namespace
}  // namespace weft::base

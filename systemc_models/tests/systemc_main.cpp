// SPDX-License-Identifier: Apache-2.0
// Runs GoogleTest within the SystemC kernel, with `run_in_child` for tests that simulate.
#include "systemc_models/tests/systemc_main.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <systemc>

namespace weft::models::testing {

bool run_in_child(const std::function<void()>& simulation) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    int status = 0;
    try {
      simulation();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      status = 1;
    }
    std::fflush(nullptr);
    _exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace weft::models::testing

int sc_main(int argc, char** argv) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}

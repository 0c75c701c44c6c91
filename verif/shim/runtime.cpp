// SPDX-License-Identifier: Apache-2.0
//
// Verilator's runtime as one file, compiled once per machine. A design that gives up throws instead
// of ending the process.
#include "verilated.cpp"
#include "verilated_threads.cpp"
#if VM_TRACE_FST
#include "verilated_fst_c.cpp"
#endif

#include <stdexcept>
#include <string>

void vl_finish(const char*, int, const char*) {
  throw std::runtime_error("the design called $finish");
}

void vl_stop(const char* file, int line, const char*) {
  throw std::runtime_error(std::string("the design stopped at ") + file + ":" +
                           std::to_string(line));
}

void vl_fatal(const char* file, int line, const char*, const char* message) {
  throw std::runtime_error(std::string(message) + " (" + file + ":" + std::to_string(line) + ")");
}

// SPDX-License-Identifier: Apache-2.0
#include "cli/load.h"

#include <fmt/format.h>

#include <cstdio>

#include "workbench/configurations.h"

namespace weft::cli {
namespace {

void warn(const std::string& text) { fmt::print(stderr, "warning: {}\n", text); }

}  // namespace

arch::Config load_configuration(const std::string& argument) {
  return workbench::load_configuration(argument, warn);
}

arch::Workload load_workload(const std::string& argument) {
  return workbench::load_workload(argument, warn);
}

}  // namespace weft::cli

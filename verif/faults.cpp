// SPDX-License-Identifier: Apache-2.0
#include "verif/faults.h"

#include <fmt/format.h>

#include <stdexcept>

namespace weft::verif {

std::vector<VerilogFile> plant(const Fault& fault, std::vector<VerilogFile> files) {
  std::size_t found = 0;
  for (VerilogFile& file : files) {
    if (!file.name.ends_with(fault.file)) continue;
    for (std::size_t at = file.text.find(fault.find); at != std::string::npos;
         at = file.text.find(fault.find, at + fault.replace.size())) {
      file.text.replace(at, fault.find.size(), fault.replace);
      ++found;
    }
  }
  if (found != fault.times) {
    throw std::logic_error(
        fmt::format(R"(the fault "{}" is out of date: "{}" stands {} times in *{}, not {} times)",
                    fault.name, fault.find, found, fault.file, fault.times));
  }
  return files;
}

}  // namespace weft::verif

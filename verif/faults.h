// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "verif/dut_description.h"

namespace weft::verif {

/// A design error to be planted in emitted Verilog: a piece of text and what stands there instead.
struct Fault {
  std::string name;       ///< what is wrong: "result valid is dropped with the last vector"
  std::string kind;       ///< "protocol", "arithmetic", "storage", "reset", "timing" ...
  std::string file;       ///< end of the name of the file in which it is planted
  std::string find;       ///< text that stands there; a space stands for any white space
  std::string replace;    ///< what replaces it
  std::size_t times = 1;  ///< how often it stands there; all are replaced
};

/// The files with the fault planted. Throws std::logic_error when the text does not stand there
/// exactly so many times: the fault is out of date with what is emitted.
[[nodiscard]] std::vector<VerilogFile> plant(const Fault& fault, std::vector<VerilogFile> files);

}  // namespace weft::verif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "synth/fpga/fpga_use.h"

namespace weft::synth {

/// An FPGA family, or a device of it, that designs are mapped to.
struct FpgaDevice {
  std::string name;                          ///< as the user gives it
  std::string summary;                       ///< for people
  std::string synthesis;                     ///< Yosys' command, with the placeholder {top}
  std::string ram_label;                     ///< its label where memories go to RAM cells
  std::vector<std::string> place_and_route;  ///< nextpnr and its arguments; empty: there is none
  std::vector<std::string> timing;           ///< icetime and its arguments

  /// Cell types by resource; `*` stands for any characters. All other cells are "others".
  struct Resource {
    std::uint64_t FpgaUse::*count;
    std::vector<std::string> cells;
  };
  std::vector<Resource> resources;

  /// The cell types of a resource.
  [[nodiscard]] const std::vector<std::string>& cells(std::uint64_t FpgaUse::*resource) const;
};

const std::vector<FpgaDevice>& fpga_devices();

/// The device of that name, or null.
const FpgaDevice* find_fpga(std::string_view name);

}  // namespace weft::synth

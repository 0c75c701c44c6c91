// SPDX-License-Identifier: Apache-2.0
#include "synth/fpga/device.h"

#include <algorithm>

namespace weft::synth {
namespace {

using Resources = std::vector<FpgaDevice::Resource>;

const Resources ice40_resources{
    {&FpgaUse::luts, {"SB_LUT4"}},
    {&FpgaUse::carries, {"SB_CARRY"}},
    {&FpgaUse::flip_flops, {"SB_DFF*"}},
    {&FpgaUse::dsps, {"SB_MAC16"}},
    {&FpgaUse::lut_rams, {}},
    {&FpgaUse::block_rams, {"SB_RAM40_4K*", "SB_SPRAM256KA"}},
};

const Resources ecp5_resources{
    {&FpgaUse::luts, {"LUT4"}},
    {&FpgaUse::carries, {"CCU2C"}},
    {&FpgaUse::flip_flops, {"TRELLIS_FF"}},
    {&FpgaUse::dsps, {"MULT18X18D", "ALU54B"}},
    {&FpgaUse::block_rams, {"DP16KD", "PDPW16KD"}},
    {&FpgaUse::lut_rams, {"TRELLIS_DPR16X4"}},
};

const Resources xilinx7_resources{
    {&FpgaUse::luts, {"LUT?"}},
    {&FpgaUse::carries, {"CARRY4"}},
    {&FpgaUse::flip_flops, {"FDRE*", "FDSE*", "FDCE*", "FDPE*"}},
    {&FpgaUse::dsps, {"DSP48E1"}},
    {&FpgaUse::block_rams, {"RAMB18E1", "RAMB36E1"}},
    {&FpgaUse::lut_rams, {"RAM*X1D*", "RAM*X1S*", "RAM32M", "RAM64M", "SRL16E", "SRLC32E"}},
};

}  // namespace

const std::vector<std::string>& FpgaDevice::cells(std::uint64_t FpgaUse::*resource) const {
  return std::ranges::find(resources, resource, &Resource::count)->cells;
}

const std::vector<FpgaDevice>& fpga_devices() {
  static const std::vector<FpgaDevice> devices{
      {"ice40",
       "Lattice iCE40 HX8K",
       "synth_ice40 -device hx -top {top}",
       "map_ram",
       {"nextpnr-ice40", "--hx8k", "--package", "ct256"},
       {"icetime", "-d", "hx8k", "-P", "ct256"},
       ice40_resources},
      {"ice40up",
       "Lattice iCE40 UltraPlus UP5K, with DSP blocks",
       "synth_ice40 -device u -dsp -top {top}",
       "map_ram",
       {"nextpnr-ice40", "--up5k", "--package", "sg48"},
       {"icetime", "-d", "up5k", "-P", "sg48"},
       ice40_resources},
      {"ecp5", "Lattice ECP5", "synth_ecp5 -top {top}", "map_ram", {}, {}, ecp5_resources},
      {"xilinx7",
       "Xilinx series 7; the block alone: no pads or clock buffers",
       "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top {top}",
       "map_memory",
       {},
       {},
       xilinx7_resources},
  };
  return devices;
}

const FpgaDevice* find_fpga(std::string_view name) {
  const auto& devices = fpga_devices();
  const auto found = std::ranges::find(devices, name, &FpgaDevice::name);
  return found == devices.end() ? nullptr : &*found;
}

}  // namespace weft::synth

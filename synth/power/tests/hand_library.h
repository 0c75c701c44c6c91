// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "synth/power/netlist.h"
#include "synth/power/power_library.h"

namespace weft::synth {

/// A library for 2 V in pF, ns and nW, so that energies are in pJ and can be summed by hand. Slews
/// and internal energies depend on nothing.
///
///   cell   pins' pF      pJ at rise, fall                       nW
///   INV    A 0.01        Y 0.03, 0.01                           2 while A, 4 else
///   NAND   A, B 0.01     Y by A 0.02, 0.04; by B 0.2, 0.4       3
///   XOR    A, B 0.02     Y 0.05, 0.05                           5
///   DFF    CK 0.02       CK 0.05, 0.02; Q 0.1, 0.06             10
///          D 0.01        D 0.004, 0.006
///   LATN   latch that is open while GN is 0
inline constexpr const char* hand_library_text = R"lib(
library (hand) {
  time_unit : "1ns"; voltage_unit : "1V"; leakage_power_unit : "1nW";
  capacitive_load_unit (1, pf);
  nom_voltage : 2;
  cell (INV) {
    area : 1;
    leakage_power () { value : 2; when : "A"; }
    leakage_power () { value : 4; when : "!A"; }
    pin (A) { direction : input; capacitance : 0.01; }
    pin (Y) {
      direction : output; function : "!A";
      internal_power () { related_pin : "A";
        rise_power (scalar) { values ("0.03"); } fall_power (scalar) { values ("0.01"); } }
    }
  }
  cell (NAND) {
    area : 1; cell_leakage_power : 3;
    pin (A, B) { direction : input; capacitance : 0.01; }
    pin (Y) {
      direction : output; function : "!(A B)";
      internal_power () { related_pin : "A";
        rise_power (scalar) { values ("0.02"); } fall_power (scalar) { values ("0.04"); } }
      internal_power () { related_pin : "B";
        rise_power (scalar) { values ("0.2"); } fall_power (scalar) { values ("0.4"); } }
    }
  }
  cell (XOR) {
    area : 1; cell_leakage_power : 5;
    pin (A, B) { direction : input; capacitance : 0.02; }
    pin (Y) {
      direction : output; function : "A ^ B";
      internal_power () { related_pin : "A B"; power (scalar) { values ("0.05"); } }
    }
  }
  cell (DFF) {
    area : 1; cell_leakage_power : 10;
    ff (IQ, IQN) { clocked_on : "CK"; next_state : "D"; }
    pin (CK) {
      direction : input; clock : true; capacitance : 0.02;
      internal_power () {
        rise_power (scalar) { values ("0.05"); } fall_power (scalar) { values ("0.02"); } }
    }
    pin (D) {
      direction : input; capacitance : 0.01;
      internal_power () {
        rise_power (scalar) { values ("0.004"); } fall_power (scalar) { values ("0.006"); } }
    }
    pin (Q) {
      direction : output; function : "IQ";
      internal_power () { related_pin : "CK";
        rise_power (scalar) { values ("0.1"); } fall_power (scalar) { values ("0.06"); } }
    }
  }
  cell (DFFN) {
    area : 1;
    ff (IQ, IQN) { clocked_on : "!CK"; next_state : "D"; }
    pin (CK, D) { direction : input; }
    pin (Q) { direction : output; function : "IQ"; }
  }
  cell (DFFR) {
    area : 1;
    ff (IQ, IQN) { clocked_on : "CK"; next_state : "D"; clear : "!R"; }
    pin (CK, D, R) { direction : input; }
    pin (QN) { direction : output; function : "IQN"; }
  }
  cell (LATN) {
    area : 1;
    latch (IQ, IQN) { enable : "!GN"; data_in : "D"; }
    pin (GN, D) { direction : input; }
    pin (Q) { direction : output; function : "IQ"; }
  }
  cell (AND) {
    area : 1;
    pin (A, B) { direction : input; capacitance : 0.01; }
    pin (Y) { direction : output; function : "A B"; }
  }
  cell (BUF) {
    area : 1;
    pin (A) { direction : input; capacitance : 0.01; }
    pin (Y) { direction : output; function : "A"; }
  }
  cell (MYSTERY) {
    area : 1;
    pin (A) { direction : input; }
    pin (Y) { direction : output; }
  }
}
)lib";

inline PowerLibrary hand_library() { return read_power_library(hand_library_text, "hand.lib"); }

inline Netlist hand_netlist(std::string_view text, const PowerLibrary& library) {
  return read_netlist(text, "hand.v", "top", library);
}

}  // namespace weft::synth

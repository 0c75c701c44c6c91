// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "synth/macro.h"

// What the scripts say about black boxes (Yosys) and about paths between ports (OpenSTA).

namespace weft::synth {

/// As flow_version, for runs with black boxes.
inline constexpr const char* macro_flow_version = "1";

/// Yosys, before the Verilog is read: the interfaces. Empty without macros.
std::string declare_macros(const std::vector<Macro>& macros);

/// Yosys, behind the elaboration: instances whose module is also synthesised, except those that are
/// spared.
std::string replace_all_but_spared(const std::vector<Macro>& macros);

/// Yosys, between coarse and fine synthesis, where memories are still memories. Empty if none of
/// the macros is a memory.
std::string replace_memories(const std::vector<Macro>& macros);

/// Yosys, before the netlist is written: the remaining ones get the names of their cells, and all
/// are counted.
std::string name_macros(const std::vector<Macro>& macros);

/// The files that the scripts read: files::macro_verilog and files::macro_library.
std::string macro_verilog(const std::vector<Macro>& macros);
std::string macro_liberty(const std::vector<Macro>& macros);

/// OpenSTA: the worst path between registers, then the worst one between each two ports and from
/// and to the registers. What happens at the ports of a block is seen with its surroundings.
std::string measure_arcs();

/// OpenSTA, behind the worst path: the slack without the paths through macros of which instances
/// are spared. Empty if there are none.
std::string measure_spared(const std::vector<Macro>& macros);

}  // namespace weft::synth

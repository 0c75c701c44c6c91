// SPDX-License-Identifier: Apache-2.0
#include "synth/composition_script.h"

#include <fmt/format.h>

#include "synth/scripts.h"

namespace weft::synth {

std::string composition_script(const std::vector<BlockRun>& runs, double memory_area_um2) {
  std::string script = fmt::format(
      "#!/bin/sh\n"
      "# Repeats the synthesis of all blocks in this directory, and adds their areas: sh run.sh\n"
      "# The weight of a block is how often it counts: its instances, times the change by its\n"
      "# context, times its share where sizes are extended ({} tells them apart). Those of weight "
      "0\n"
      "# are for paths, for the change by context, or for comparison.\n"
      "set -e\n"
      "cd \"$(dirname \"$0\")\"\n"
      "{{\n"
      "  echo \"{:.17g} 1 memories\"\n"
      "  while read -r weight block; do\n"
      "    sh \"$block/{}\" > /dev/null\n"
      "    echo \"$weight $(sed -n 's/.*Chip area.*: *//p' \"$block/{}\") $block\"\n"
      "  done\n"
      "}} > areas.txt <<RUNS\n",
      files::report, memory_area_um2, files::run_script, files::area);
  for (const BlockRun& run : runs) script += fmt::format("{:.17g} {}\n", run.weight, run.directory);
  return script +
         "RUNS\n"
         "awk '{print; total += $1 * $2} END {printf \"area %.3f\\n\", total}' areas.txt\n";
}

}  // namespace weft::synth

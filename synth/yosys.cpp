// SPDX-License-Identifier: Apache-2.0
#include "synth/yosys.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/tools.h"

namespace weft::synth {

Yosys find_yosys(const std::string& name_or_path) {
  const auto version = base::tool_version(name_or_path);
  if (!version.banner.starts_with("Yosys "))
    throw ToolError(
        fmt::format("{} is not Yosys; of its version it says: {}", name_or_path, version.banner));
  // Again, for the message: a stranger's version number means nothing.
  (void)base::tool_version(name_or_path, "0.23");
  const bool in_path = name_or_path.find('/') == std::string::npos;
  return {in_path ? name_or_path : version.path.string(), version.banner};
}

}  // namespace weft::synth

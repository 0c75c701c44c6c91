// SPDX-License-Identifier: Apache-2.0
#include "cli/whole_number.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <system_error>

#include "base/text.h"

namespace weft::cli {

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return {[=](std::string& text) -> std::string {
            std::uint64_t value = 0;
            const char* end = text.data() + text.size();
            const auto parsed = std::from_chars(text.data(), end, value);
            const bool parses = parsed.ec == std::errc() && parsed.ptr == end;
            if (parses && value >= least && value <= most) return "";
            return fmt::format("'{}' is not a whole number, {}..{}", base::printable(text), least,
                               most);
          },
          ""};
}

}  // namespace weft::cli

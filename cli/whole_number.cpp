// SPDX-License-Identifier: Apache-2.0
#include "cli/whole_number.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>

#include "base/text.h"

namespace weft::cli {

CLI::Validator whole_number() {
  return {[](std::string& text) -> std::string {
            std::uint64_t value = 0;
            const char* end = text.data() + text.size();
            const auto parsed = std::from_chars(text.data(), end, value);
            if (parsed.ec == std::errc() && parsed.ptr == end) return "";
            return fmt::format("'{}' is not a whole number, 0..{}", base::printable(text),
                               std::numeric_limits<std::uint64_t>::max());
          },
          ""};
}

}  // namespace weft::cli

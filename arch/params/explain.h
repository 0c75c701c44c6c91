// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arch/params/kind.h"

namespace weft::arch {

/// Everything that is declared about the parameter of that name in each of the kinds, or about the
/// kind of that name: text for a terminal. Throws UserError, with the nearest name, if there is
/// neither.
[[nodiscard]] std::string explain(const std::vector<const Kind*>& kinds, std::string_view name);

/// One line a parameter: name, default, legal values, meaning.
[[nodiscard]] std::string explain_all(const std::vector<const Kind*>& kinds);

/// The reference page of all parameters, in Markdown.
[[nodiscard]] std::string reference_page(const std::vector<const Kind*>& kinds);

}  // namespace weft::arch

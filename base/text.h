// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::base {

/// The candidate that a person who wrote `word` most likely meant: the nearest by edit distance
/// (insert, delete, replace, swap neighbours; letter case and `-` for `_` are free), or the only
/// one that `word` begins. Candidates with other digits are not typos of `word` (int32 is not a
/// slip for int2). Nothing if none is near.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 const std::vector<std::string>& candidates);

/// "; did you mean 'rows'?" for the nearest candidate, empty if there is none.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& candidates);

/// Text of a user's for use inside a one-line message: control characters become \xNN, and
/// everything after 60 bytes is replaced by "...".
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace weft::base

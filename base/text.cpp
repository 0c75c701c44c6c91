// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace weft::base {
namespace {

/// Lower case, with `-` as `_`: differences that cost nothing.
std::string folded(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) {
    return c == '-' ? '_' : static_cast<char>(std::tolower(c));
  });
  return result;
}

std::string digits(std::string_view text) {
  std::string result;
  std::ranges::copy_if(text, std::back_inserter(result),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
  return result;
}

/// Optimal string alignment distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  constexpr std::size_t longest_word = 100;  // the distance costs the product of both lengths
  if (word.empty() || word.size() > longest_word) return std::nullopt;
  const std::string wanted = folded(word);
  std::optional<std::string> best;
  std::size_t best_distance = 2 + wanted.size() / 4;  // the first distance that is too far
  std::vector<std::string> begun;
  for (const std::string& candidate : candidates) {
    const std::string offered = folded(candidate);
    if (digits(offered) != digits(wanted)) continue;
    const std::size_t distance = edit_distance(wanted, offered);
    if (distance < best_distance && distance < wanted.size()) {
      best = candidate;
      best_distance = distance;
    }
    if (wanted.size() >= 3 && offered.starts_with(wanted)) begun.push_back(candidate);
  }
  if (!best && begun.size() == 1) best = begun.front();
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const auto candidate = nearest(word, candidates);
  return candidate ? fmt::format("; did you mean '{}'?", *candidate) : std::string();
}

std::string printable(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result;
  for (const unsigned char c : text.substr(0, longest)) {
    if (c < 0x20 || c == 0x7f) {
      result += fmt::format("\\x{:02x}", c);
    } else {
      result += static_cast<char>(c);
    }
  }
  return text.size() > longest ? result + "..." : result;
}

}  // namespace weft::base

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace weft::verif {

/// What a switch can do wrong towards its neighbours.
enum class Violation {
  protocol,   ///< a head within a packet, a flit without one, a valid that is withdrawn ...
  unknown,    ///< a packet that nobody sent there: duplicated, misrouted or its header corrupted
  reordered,  ///< a packet has overtaken another of its stream
  corrupted,  ///< wrong bits in the flits
  wrong_vc,   ///< in a VC that its class does not allow
  credit,     ///< credits do not add up: too many, too few, or not at their time
  lost,       ///< something went in and never came out
  starved,    ///< a wait beyond the bound
  late,       ///< a cycle without a flit, or a latency, that the contract does not allow
};
inline constexpr std::size_t violation_kinds = 9;

[[nodiscard]] inline const char* to_string(Violation violation) {
  constexpr std::array<const char*, violation_kinds> names = {
      "protocol", "unknown packet", "reordered", "corrupted", "wrong VC",
      "credit",   "lost",           "starved",   "late"};
  return names[static_cast<std::size_t>(violation)];
}

/// What was found. Only the first is told in words: the others follow from it more often than not.
class Violations {
 public:
  [[nodiscard]] bool any() const { return total_ > 0; }
  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] std::uint64_t count(Violation kind) const {
    return counts_[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] Violation first_kind() const { return first_kind_; }
  /// Empty if there is none.
  [[nodiscard]] const std::string& first() const { return first_; }

  /// Counts one; `text()` says what it is, where and when.
  template <typename Text>
  void add(Violation kind, Text&& text) {
    if (total_++ == 0) {
      first_kind_ = kind;
      first_ = std::forward<Text>(text)();
    }
    ++counts_[static_cast<std::size_t>(kind)];
  }
  void clear() { *this = {}; }

 private:
  std::array<std::uint64_t, violation_kinds> counts_{};
  std::uint64_t total_ = 0;
  Violation first_kind_ = Violation::protocol;
  std::string first_;
};

}  // namespace weft::verif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "arch/network/header.h"
#include "systemc_models/switch/bits.h"

namespace weft::models {

/// What a switch knows of a flit that waits in it, beside its bits.
struct FlitTag {
  std::uint32_t next = 0;   ///< the flit behind it in its queue
  std::uint8_t output = 0;  ///< of a head
  std::uint8_t vc = 0;      ///< on the input
  std::uint8_t op : 3 = 0;  ///< arch::PacketOp of its packet
  bool head : 1 = false;
  bool tail : 1 = false;

  [[nodiscard]] bool unicast() const { return op == 0; }
};

/// The flits of all queues of a switch, in linked lists. Freed places are used again, the last one
/// first, so that what is touched stays in the processor's cache; the store grows to the most flits
/// that ever waited.
class FlitStore {
 public:
  static constexpr std::uint32_t nothing = ~std::uint32_t{0};

  /// A queue of the store.
  struct List {
    std::uint32_t front = nothing;
    std::uint32_t back = nothing;

    [[nodiscard]] bool empty() const { return front == nothing; }
  };

  explicit FlitStore(int flit_words) : words_(as_index(flit_words)) {}

  void clear() {
    tags_.clear();
    data_.clear();
    free_ = nothing;
  }

  [[nodiscard]] std::uint32_t allocate() {
    if (free_ == nothing) grow();
    const std::uint32_t slot = free_;
    free_ = tags_[slot].next;
    return slot;
  }
  void release(std::uint32_t slot) {
    tags_[slot].next = free_;
    free_ = slot;
  }

  [[nodiscard]] FlitTag& tag(std::uint32_t slot) { return tags_[slot]; }
  [[nodiscard]] const FlitTag& tag(std::uint32_t slot) const { return tags_[slot]; }
  [[nodiscard]] std::uint64_t* words(std::uint32_t slot) { return &data_[slot * words_]; }
  [[nodiscard]] const std::uint64_t* words(std::uint32_t slot) const {
    return &data_[slot * words_];
  }
  [[nodiscard]] std::size_t flit_words() const { return words_; }

  void push(List& list, std::uint32_t slot) {
    tags_[slot].next = nothing;
    (list.empty() ? list.front : tags_[list.back].next) = slot;
    list.back = slot;
  }
  /// Takes the front flit out of its list; its place is the caller's to release.
  std::uint32_t pop(List& list) {
    const std::uint32_t slot = list.front;
    list.front = tags_[slot].next;
    return slot;
  }

 private:
  [[gnu::noinline]] void grow() {
    const std::size_t size = std::max<std::size_t>(64, 2 * tags_.size());
    data_.resize(size * words_);
    while (tags_.size() < size) {
      tags_.push_back({.next = free_});
      free_ = static_cast<std::uint32_t>(tags_.size() - 1);
    }
  }

  std::size_t words_;
  std::vector<FlitTag> tags_;
  std::vector<std::uint64_t> data_;
  std::uint32_t free_ = nothing;
};

/// Copies a flit; nearly all have one word.
inline void copy_flit(std::uint64_t* to, const std::uint64_t* from, std::size_t words) {
  if (words == 1) {
    *to = *from;
  } else {
    std::memcpy(to, from, words * sizeof *to);
  }
}

}  // namespace weft::models

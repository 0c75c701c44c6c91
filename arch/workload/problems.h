// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace weft::arch {

/// Collects what is wrong with a file, so that the user sees all of it at once.
class WorkloadProblems {
 public:
  void add(std::string message) { messages_.push_back(std::move(message)); }
  [[nodiscard]] std::size_t count() const { return messages_.size(); }
  /// Throws a UserError with all messages, one a line, if there are any.
  void raise() const {
    if (messages_.empty()) return;
    std::string text;
    for (const std::string& message : messages_) {
      if (!text.empty()) text += '\n';
      text += message;
    }
    throw UserError(text);
  }

 private:
  std::vector<std::string> messages_;
};

}  // namespace weft::arch

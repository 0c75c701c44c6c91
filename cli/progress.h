// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

namespace weft::cli {

/// A duration for people: "0.02 s", "12.3 s", "2 min 05 s".
[[nodiscard]] std::string duration_text(std::chrono::duration<double> duration);

/// Tells people a line, on stderr.
void tell(std::string_view text);

/// One step of a command, told to people: what begins when it begins, and how long it took when it
/// is done. On a terminal the second line replaces the first.
///
///     Step step("building the simulator");
///     ...
///     step.done("found in the cache");   // building the simulator: found in the cache (0.02 s)
class Step {
 public:
  explicit Step(std::string what, std::FILE* stream = stderr);
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  /// A step that is not done has failed; the error that follows gets a line of its own.
  ~Step();

  /// Tells how far the step is. On a terminal that takes the place of what was told before;
  /// elsewhere it is a line of its own, at most every ten seconds.
  void update(std::string_view progress);
  /// Ends the step; `outcome` may be empty.
  void done(std::string_view outcome = {});
  /// Time since the step began.
  [[nodiscard]] std::chrono::duration<double> elapsed() const;

 private:
  std::string what_;
  std::FILE* stream_;
  bool terminal_;
  bool running_ = true;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point told_ = begin_;
};

}  // namespace weft::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <utility>

namespace weft::cli {
namespace {

constexpr const char* erase_line = "\r\x1b[K";

}  // namespace

std::string duration_text(std::chrono::duration<double> duration) {
  const double seconds = duration.count();
  if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 99.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = std::lround(seconds);
  return fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

void tell(std::string_view text) { fmt::print(stderr, "{}\n", text); }

Step::Step(std::string what, std::FILE* stream)
    : what_(std::move(what)), stream_(stream), terminal_(::isatty(::fileno(stream)) == 1) {
  fmt::print(stream_, "{} ...{}", what_, terminal_ ? "" : "\n");
  std::fflush(stream_);
}

Step::~Step() {
  if (running_ && terminal_) std::fputc('\n', stream_);
}

void Step::update(std::string_view progress) {
  const auto now = std::chrono::steady_clock::now();
  if (terminal_) {
    fmt::print(stream_, "{}{} ... {}", erase_line, what_, progress);
  } else if (now - told_ >= std::chrono::seconds(10)) {
    fmt::print(stream_, "  {}\n", progress);
    told_ = now;
  }
  std::fflush(stream_);
}

void Step::done(std::string_view outcome) {
  fmt::print(stream_, "{}{}{}{} ({})\n", terminal_ ? erase_line : "", what_,
             outcome.empty() ? "" : ": ", outcome, duration_text(elapsed()));
  running_ = false;
}

std::chrono::duration<double> Step::elapsed() const {
  return std::chrono::steady_clock::now() - begin_;
}

}  // namespace weft::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "workbench/evaluate.h"

namespace weft::explore {

/// One evaluation that is computed outside the engine.
struct Task {
  std::string key;            ///< workbench::evaluation_key: names its files
  std::string configuration;  ///< canonical form
  workbench::Depth depth = workbench::Depth::synth;
};

/// How a task came to its end.
enum class TaskStatus { ok, infeasible, failed, timeout, memory, lost };

/// What became of a task.
struct TaskResult {
  std::string key;
  TaskStatus status = TaskStatus::ok;
  std::string reason;          ///< unless ok, in one line
  std::filesystem::path log;   ///< if there is one
  workbench::Figures figures;  ///< if ok
  double seconds = 0;
  std::uint64_t peak_rss_bytes = 0;
  std::string host;
  std::string started;  ///< UTC, ISO 8601
  bool cached = false;
};

/// Limits of one task, its children included.
struct TaskLimits {
  std::chrono::seconds time{0};    ///< 0: none
  std::uint64_t memory_bytes = 0;  ///< 0: none
};

/// Where tasks are computed. Calls come from one thread.
class Executor {
 public:
  virtual ~Executor() = default;
  /// How many tasks it wants to have at hand to keep all its places busy.
  [[nodiscard]] virtual std::size_t appetite() const = 0;
  virtual void submit(const std::vector<Task>& tasks) = 0;
  /// Results that have come, waiting for the first until `wait` is over. Tasks whose process
  /// vanished come back as `lost`.
  /// @throws Interrupted, UserError (queue closed, scheduler absent).
  virtual std::vector<TaskResult> collect(std::chrono::milliseconds wait) = 0;
  /// Ends all that is under way, with all their children.
  virtual void cancel() = 0;
};

}  // namespace weft::explore

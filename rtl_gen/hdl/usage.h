// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rtl_gen/hdl/eval.h"
#include "rtl_gen/hdl/object.h"

namespace weft::rtl::hdl {

/// Records which bits of which signal are driven by whom and read at all, while the items of a
/// module are walked at given parameters. Positions count bits of an array from element 0 up.
class Usage {
 public:
  /// `read_elsewhere`: signals of generate blocks that other iterations read too, which is not
  /// followed.
  Usage(Env& env, std::set<const Object*> read_elsewhere)
      : env_(env), read_elsewhere_(std::move(read_elsewhere)) {}

  /// A new driver: one assign, always block or instance port in one generate iteration.
  int new_driver() { return ++last_driver_; }
  /// While > 0, loops are sampled and what is recorded is only part of the truth.
  void enter_sampled() { ++sampled_; }
  void leave_sampled() { --sampled_; }

  /// A declaration is met: loops around it count as one of their iterations.
  void open(const Object& object) { signals_[&object].depth = sampled_; }
  /// Throws HdlError if another driver already drives some of these bits.
  void drive(const Expr& target, int driver);
  void read(const Expr& expr);

  /// Throw HdlError if a bit of the signal has no driver, or no reader, as far as that is known.
  void check_driven(const Object& object);
  void check_used(const Object& object);
  /// Its scope ends.
  void forget(const Object& object) { signals_.erase(&object); }

 private:
  struct Span {
    std::int64_t low = 0;
    std::int64_t high = 0;  ///< exclusive
  };
  struct Signal {
    std::map<std::int64_t, std::pair<std::int64_t, int>> driven;  ///< low -> high, driver; disjoint
    std::map<std::int64_t, std::int64_t> used;                    ///< low -> high; disjoint
    int depth = 0;  ///< sampled loops around the declaration
    bool sampled = false;
  };

  [[nodiscard]] std::string place(const Object& object, std::int64_t position);
  Span locate(const Expr& place);
  void read_indices(const Expr& place);
  Signal& signal(const Object& object);

  Env& env_;
  std::set<const Object*> read_elsewhere_;
  int last_driver_ = 0;
  int sampled_ = 0;
  std::map<const Object*, Signal> signals_;
};

}  // namespace weft::rtl::hdl

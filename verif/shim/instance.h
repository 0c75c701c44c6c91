// SPDX-License-Identifier: Apache-2.0
//
// What every built DUT has, however it is driven: the Verilated model, its clock and reset, the
// waveform, and entry points that turn a failure into a return value and a text.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#include "dut_abi.h"
#include "verilated.h"
#if VM_TRACE_FST
#include "verilated_fst_c.h"
#endif

namespace weft_shim {

/// One instance of the DUT. `Binding` has Model and the accessors clock and reset_n.
template <typename Binding>
class Instance {
 public:
  using Model = typename Binding::Model;

  explicit Instance(std::int32_t seed) {
    context_.randReset(2);
    context_.randSeed(seed);
    context_.traceEverOn(VM_TRACE != 0);
    model_ = std::make_unique<Model>(&context_, "dut");
    Binding::clock(*model_, false);
    Binding::reset_n(*model_, false);
    half_cycle();
  }
  ~Instance() { model_->final(); }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  void trace(const char* path) {
#if VM_TRACE_FST
    trace_ = std::make_unique<VerilatedFstC>();
    model_->trace(trace_.get(), 99);
    trace_->open(path);
    if (!trace_->isOpen()) throw std::runtime_error("cannot write the waveform");
#else
    static_cast<void>(path);
    throw std::runtime_error("this build cannot write waveforms");
#endif
  }

  std::string& error() { return error_; }

 protected:
  Model& model() { return *model_; }

  /// A clock cycle: the inputs settle, `sample()` looks at the outputs, then the rising edge.
  template <typename Sample>
  void clock_cycle(Sample&& sample) {
    Binding::clock(*model_, false);
    half_cycle();
    sample();
    Binding::clock(*model_, true);
    half_cycle();
  }

  /// Holds reset for `cycles`; `noise()` sets the inputs before each.
  template <typename Noise>
  void hold_reset(std::uint64_t cycles, Noise&& noise) {
    Binding::reset_n(*model_, false);
    for (std::uint64_t i = 0; i < cycles; ++i) {
      noise();
      clock_cycle([] {});
    }
    Binding::reset_n(*model_, true);
  }

 private:
  void half_cycle() {
    model_->eval();
#if VM_TRACE_FST
    if (trace_) trace_->dump(context_.time());
    context_.timeInc(1);
#endif
  }

  VerilatedContext context_;
  std::unique_ptr<Model> model_;
#if VM_TRACE_FST
  std::unique_ptr<VerilatedFstC> trace_;
#endif
  std::string error_;
};

/// The C entry points that all kinds of DUTs have, over a class derived from Instance that has
/// reset(cycles, noise).
template <typename Dut>
struct EntryPoints {
  static Dut& self(WeftDut* dut) { return *reinterpret_cast<Dut*>(dut); }

  template <typename Result, typename Function>
  static Result guarded(WeftDut* dut, Result failed, Function&& function) {
    try {
      return function();
    } catch (const std::exception& error) {
      self(dut).error() = error.what();
      return failed;
    }
  }

  static WeftDut* create(std::int32_t seed) {
    try {
      return reinterpret_cast<WeftDut*>(new Dut(seed));
    } catch (const std::exception&) {
      return nullptr;
    }
  }
  static void destroy(WeftDut* dut) { delete &self(dut); }
  static int reset(WeftDut* dut, std::uint64_t cycles, int noise) {
    return guarded(dut, -1, [&] {
      self(dut).reset(cycles, noise != 0);
      return 0;
    });
  }
  static int trace(WeftDut* dut, const char* path) {
    return guarded(dut, -1, [&] {
      self(dut).trace(path);
      return 0;
    });
  }
  static const char* error(WeftDut* dut) { return self(dut).error().c_str(); }

  static constexpr WeftDutCommon table{create, destroy, reset, trace, error};
};

}  // namespace weft_shim

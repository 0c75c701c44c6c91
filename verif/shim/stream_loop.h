// SPDX-License-Identifier: Apache-2.0
//
// The loop that drives a Verilated model with streams. It is compiled once per DUT, into its shared
// object, against the port bindings that verif/shim_writer.cpp generates; so everything that could
// be decided at run time (widths, number of streams, skew) is a constant here, and a clock cycle
// costs little more than the model's own evaluation.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dut_abi.h"
#include "verilated.h"
#if VM_TRACE_FST
#include "verilated_fst_c.h"
#endif

namespace weft_shim {

/// Writes a port from its container in a packed beat. Verilator does not mask what is written to a
/// narrow port, so it is done here.
template <int Width, typename Port>
inline void put(Port& port, const std::uint8_t* at) {
  if constexpr (std::is_integral_v<Port>) {
    std::memcpy(&port, at, sizeof port);
    if constexpr (Width < 8 * static_cast<int>(sizeof(Port))) {
      port &= static_cast<Port>((Port{1} << Width) - 1);
    }
  } else {
    std::memcpy(port.data(), at, sizeof(port));
    if constexpr (Width % 32 != 0) {
      port.data()[Width / 32] &= (1U << (Width % 32)) - 1;
    }
  }
}

/// Reads a port into its container in a packed beat.
template <typename Port>
inline void get(const Port& port, std::uint8_t* at) {
  std::memcpy(at, &port, sizeof port);
}

/// True when any bit of the port is set.
template <typename Port>
inline bool any(const Port& port) {
  if constexpr (std::is_integral_v<Port>) {
    return port != 0;
  } else {
    for (std::size_t i = 0; i < sizeof(port) / sizeof(EData); ++i) {
      if (port[i] != 0) return true;
    }
    return false;
  }
}

/// Neighbouring bits of a packed beat that share a delay, in array cycles after the handshake.
struct LaneRun {
  std::size_t bit;
  std::size_t bits;
  std::size_t delay;
};

/// Copies the bits of one lane run between beats of the same layout.
inline void copy_bits(std::uint8_t* to, const std::uint8_t* from, const LaneRun& run) {
  std::size_t bit = run.bit;
  const std::size_t end = run.bit + run.bits;
  while (bit < end) {
    const std::size_t byte = bit / 8;
    if (bit % 8 == 0 && end - bit >= 8) {
      const std::size_t bytes = (end - bit) / 8;
      std::memcpy(to + byte, from + byte, bytes);
      bit += 8 * bytes;
    } else {
      const std::size_t stop = end < 8 * (byte + 1) ? end : 8 * (byte + 1);
      const auto mask =
          static_cast<std::uint8_t>((0xFFU << (bit % 8)) & (0xFFU >> (8 * (byte + 1) - stop)));
      to[byte] = static_cast<std::uint8_t>((to[byte] & ~mask) | (from[byte] & mask));
      bit = stop;
    }
  }
}

/// The last Depth + 1 packed beats, one per array cycle: the user's own skew registers.
template <std::size_t Stride, std::size_t Depth>
class History {
 public:
  /// The beat of `age` array cycles ago; 0 is the newest.
  std::uint8_t* at(std::size_t age) { return slots_[(newest_ + slots - age) % slots].data(); }
  void push(const std::uint8_t* beat) {
    newest_ = (newest_ + 1) % slots;
    std::memcpy(slots_[newest_].data(), beat, Stride);
  }
  void clear() {
    for (auto& slot : slots_) slot.fill(0);
  }

 private:
  static constexpr std::size_t slots = Depth + 1;
  std::array<std::array<std::uint8_t, Stride>, slots> slots_{};
  std::size_t newest_ = 0;
};

/// Which lanes of a beat were valid.
enum class Lanes { none, some, all };

/// Looks at the valid bits of a packed beat, `bits` of them from byte `at` on.
inline Lanes lanes_valid(const std::uint8_t* at, std::size_t bits) {
  std::size_t set = 0;
  for (std::size_t i = 0; i < bits; ++i) set += at[i / 8] >> (i % 8) & 1U;
  return set == 0 ? Lanes::none : set == bits ? Lanes::all : Lanes::some;
}

/// Drives one source's ports. `Binding` has Model, stride, depth (largest lane delay), lanes and
/// the accessors valid, ready, payload.
template <typename Binding>
class SourceDriver {
 public:
  using Model = typename Binding::Model;

  void start() { shown_ = nothing; }
  void clear() { history_.clear(); }

  /// Sets valid and payload for this cycle.
  void present(Model& model, WeftSource& source) {
    offered_ = source.next < source.count && source.wait == 0;
    if (!offered_ && source.next < source.count) --source.wait;
    if constexpr (Binding::depth > 0) {
      if (offered_) {
        std::memcpy(beat_.data(), source.beats + source.next * Binding::stride, Binding::stride);
      } else {
        invert();
      }
      auto skewed = beat_;
      for (const LaneRun& run : Binding::lanes) {
        if (run.delay > 0) copy_bits(skewed.data(), history_.at(run.delay - 1), run);
      }
      Binding::valid(model, offered_);
      Binding::payload(model, skewed.data());
    } else if (offered_) {
      if (shown_ != source.next) {
        shown_ = source.next;
        Binding::valid(model, true);
        Binding::payload(model, source.beats + source.next * Binding::stride);
      }
    } else if (shown_ != idle) {
      // While valid is low the payload is garbage, the opposite of a beat, so that a DUT that looks
      // at it is found out.
      if (source.count > 0) {
        const std::uint64_t last = source.next > 0 ? source.next - 1 : 0;
        std::memcpy(beat_.data(), source.beats + last * Binding::stride, Binding::stride);
      }
      invert();
      shown_ = idle;
      Binding::valid(model, false);
      Binding::payload(model, beat_.data());
    }
  }

  /// Records an acceptance after the model settled. True when the source must be filled again
  /// before the next cycle.
  bool sample(const Model& model, WeftSource& source, std::uint64_t now, bool advance) {
    if constexpr (Binding::depth > 0) {
      if (advance) history_.push(beat_.data());
    }
    if (!offered_ || !Binding::ready(model)) return false;
    source.accepted[source.next] = now;
    ++source.next;
    if (source.next == source.count) return source.open != 0;
    source.wait = source.gaps != nullptr ? source.gaps[source.next] : 0;
    return false;
  }

  /// Offers a beat of nonsense.
  void garbage(Model& model) {
    beat_.fill(0xA5);
    Binding::valid(model, true);
    Binding::payload(model, beat_.data());
  }

  /// The bare loop: offers beat `next` without further ado.
  static void drive(Model& model, const WeftSource& source, std::uint64_t next) {
    Binding::valid(model, true);
    Binding::payload(model, source.beats + next * Binding::stride);
  }
  static bool accepts(const Model& model) { return Binding::ready(model); }

 private:
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};
  static constexpr std::uint64_t idle = nothing - 1;

  void invert() {
    for (auto& byte : beat_) byte = static_cast<std::uint8_t>(~byte);
  }

  std::uint64_t shown_ = nothing;
  bool offered_ = false;
  std::array<std::uint8_t, Binding::stride> beat_{};
  History<Binding::stride, Binding::depth> history_;
};

/// Takes one sink's beats. `Binding` has Model, stride, skewed, depth, lanes and the accessors
/// valid, ready, payload. With skew, valid_bits valid bits lie behind the payload, from byte
/// `stride` on, and `packed` is the size of both.
template <typename Binding>
class SinkTaker {
 public:
  using Model = typename Binding::Model;

  void start() { stalled_ = false; }

  void clear() {
    stalled_ = false;
    history_.clear();
    cycles_.fill(0);
  }

  void present(Model& model, WeftSink& sink) {
    ready_ = sink.ready[sink.phase] != 0;
    if (++sink.phase == sink.ready_count) sink.phase = 0;
    Binding::ready(model, ready_);
  }

  /// Records a beat after the model settled. True when the sink has as many as were asked for.
  bool sample(const Model& model, WeftSink& sink, std::uint64_t now, bool advance) {
    const std::uint64_t before = sink.count;
    const bool valid = Binding::valid(model);
    if (stalled_) check_held(model, sink, now, valid);
    stalled_ = valid && !ready_;
    if (stalled_) Binding::payload(model, held_.data());
    if constexpr (Binding::skewed) {
      if (advance) deskew(model, sink, now);
    } else if (valid && ready_) {
      Binding::payload(model, sink.beats + sink.count * Binding::stride);
      sink.cycles[sink.count] = now;
      ++sink.count;
    }
    return sink.count != before && sink.count == sink.stop;
  }

  void garbage(Model& model) { Binding::ready(model, true); }

 private:
  void check_held(const Model& model, WeftSink& sink, std::uint64_t now, bool valid) {
    std::array<std::uint8_t, Binding::packed> beat{};
    Binding::payload(model, beat.data());
    if (!valid) {
      fault(sink, now, "valid was withdrawn before ready");
    } else if (beat != held_) {
      fault(sink, now, "the payload changed while ready was low");
    }
  }

  static void fault(WeftSink& sink, std::uint64_t now, const char* what) {
    if (sink.faults++ == 0) {
      sink.fault_cycle = now;
      sink.fault = what;
    }
  }

  /// Puts the lanes of a beat together again, `depth` array cycles after its first one appeared.
  void deskew(const Model& model, WeftSink& sink, std::uint64_t now) {
    std::array<std::uint8_t, Binding::packed> beat{};
    Binding::payload(model, beat.data());
    history_.push(beat.data());
    cycles_[newest_ = (newest_ + 1) % cycles_.size()] = now;
    for (const LaneRun& run : Binding::lanes) {
      copy_bits(beat.data(), history_.at(Binding::depth - run.delay), run);
    }
    const Lanes valid = lanes_valid(beat.data() + Binding::stride, Binding::valid_bits);
    if (valid == Lanes::none) return;
    std::uint64_t* cycles = sink.cycles + sink.count * cycles_.size();
    for (std::size_t i = 0; i < cycles_.size(); ++i) {
      cycles[i] = cycles_[(newest_ + 1 + i) % cycles_.size()];
    }
    if (valid == Lanes::some) fault(sink, cycles[0], "only some lanes of the beat were valid");
    std::memcpy(sink.beats + sink.count * Binding::stride, beat.data(), Binding::stride);
    ++sink.count;
  }

  bool ready_ = false;
  bool stalled_ = false;
  std::array<std::uint8_t, Binding::packed> held_{};
  History<Binding::packed, Binding::depth> history_;
  std::array<std::uint64_t, Binding::depth + 1> cycles_{};
  std::size_t newest_ = 0;
};

/// One instance of the DUT. `Binding` has Model, Sources and Sinks (tuples of drivers) and the
/// accessors clock, reset_n and advance.
template <typename Binding>
class Instance {
 public:
  using Model = typename Binding::Model;
  static constexpr std::size_t source_count = std::tuple_size_v<typename Binding::Sources>;
  static constexpr std::size_t sink_count = std::tuple_size_v<typename Binding::Sinks>;

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

  void reset(std::uint64_t cycles, bool noise) {
    for_sinks([&](auto& sink, std::size_t) { sink.clear(); });
    for_sources([&](auto& source, std::size_t) { source.clear(); });
    Binding::reset_n(*model_, false);
    for (std::uint64_t i = 0; i < cycles; ++i) {
      if (noise) {
        for_sources([&](auto& source, std::size_t) { source.garbage(*model_); });
        for_sinks([&](auto& sink, std::size_t) { sink.garbage(*model_); });
      }
      clock_cycle([] {});
    }
    Binding::reset_n(*model_, true);
    now_ = 0;
  }

  std::uint64_t run(std::uint64_t cycles, WeftSource* sources, WeftSink* sinks) {
    for_sources([&](auto& source, std::size_t) { source.start(); });
    bool stop = false;
    std::uint64_t done = 0;
    for (; done < cycles && !stop; ++done, ++now_) {
      for_sources([&](auto& source, std::size_t i) { source.present(*model_, sources[i]); });
      for_sinks([&](auto& sink, std::size_t i) { sink.present(*model_, sinks[i]); });
      clock_cycle([&] {
        const bool advance = Binding::advance(*model_);
        for_sources([&](auto& source, std::size_t i) {
          stop |= source.sample(*model_, sources[i], now_, advance);
        });
        for_sinks([&](auto& sink, std::size_t i) {
          stop |= sink.sample(*model_, sinks[i], now_, advance);
        });
      });
    }
    return done;
  }

  void bare(std::uint64_t cycles, WeftSource* sources) {
    std::array<std::uint64_t, source_count + 1> at{};
    for_sinks([&](auto& sink, std::size_t) { sink.garbage(*model_); });
    for (std::uint64_t done = 0; done < cycles; ++done) {
      for_sources([&](auto& source, std::size_t i) { source.drive(*model_, sources[i], at[i]); });
      clock_cycle([&] {
        for_sources([&](auto& source, std::size_t i) {
          if (!source.accepts(*model_)) return;
          ++sources[i].next;
          if (++at[i] == sources[i].count) at[i] = 0;
        });
      });
    }
  }

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

 private:
  template <typename Sample>
  void clock_cycle(Sample&& sample) {
    Binding::clock(*model_, false);
    half_cycle();
    sample();
    Binding::clock(*model_, true);
    half_cycle();
  }

  void half_cycle() {
    model_->eval();
#if VM_TRACE_FST
    if (trace_) trace_->dump(context_.time());
    context_.timeInc(1);
#endif
  }

  template <typename Tuple, typename Function, std::size_t... I>
  static void for_each(Tuple& tuple, Function&& function, std::index_sequence<I...>) {
    (function(std::get<I>(tuple), I), ...);
  }
  template <typename Function>
  void for_sources(Function&& function) {
    for_each(sources_, function, std::make_index_sequence<source_count>{});
  }
  template <typename Function>
  void for_sinks(Function&& function) {
    for_each(sinks_, function, std::make_index_sequence<sink_count>{});
  }

  VerilatedContext context_;
  std::unique_ptr<Model> model_;
#if VM_TRACE_FST
  std::unique_ptr<VerilatedFstC> trace_;
#endif
  typename Binding::Sources sources_;
  typename Binding::Sinks sinks_;
  std::uint64_t now_ = 0;
  std::string error_;
};

/// The C entry points over Instance; a failure becomes a return value and a text.
template <typename Binding>
struct EntryPoints {
  using Dut = Instance<Binding>;

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
  static std::uint64_t run(WeftDut* dut, std::uint64_t cycles, WeftSource* sources,
                           WeftSink* sinks) {
    return guarded(dut, ~std::uint64_t{0}, [&] { return self(dut).run(cycles, sources, sinks); });
  }
  static int bare(WeftDut* dut, std::uint64_t cycles, WeftSource* sources) {
    return guarded(dut, -1, [&] {
      self(dut).bare(cycles, sources);
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

  static constexpr WeftDutEntryPoints table{
      weft_dut_abi, Dut::source_count, Dut::sink_count, create, destroy, reset, run, bare, trace,
      error};
};

}  // namespace weft_shim

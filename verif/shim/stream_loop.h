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
#include <tuple>
#include <utility>

#include "dut_abi.h"
#include "instance.h"
#include "ports.h"

namespace weft_shim {

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

/// A DUT with streams. `Binding` has, besides what Instance needs, Sources and Sinks (tuples of
/// drivers) and the accessor advance.
template <typename Binding>
class StreamInstance : public Instance<Binding> {
 public:
  using Instance<Binding>::Instance;
  static constexpr std::size_t source_count = std::tuple_size_v<typename Binding::Sources>;
  static constexpr std::size_t sink_count = std::tuple_size_v<typename Binding::Sinks>;

  void reset(std::uint64_t cycles, bool noise) {
    for_sinks([&](auto& sink, std::size_t) { sink.clear(); });
    for_sources([&](auto& source, std::size_t) { source.clear(); });
    this->hold_reset(cycles, [&] {
      if (!noise) return;
      for_sources([&](auto& source, std::size_t) { source.garbage(this->model()); });
      for_sinks([&](auto& sink, std::size_t) { sink.garbage(this->model()); });
    });
    now_ = 0;
  }

  std::uint64_t run(std::uint64_t cycles, WeftSource* sources, WeftSink* sinks) {
    auto& model = this->model();
    for_sources([&](auto& source, std::size_t) { source.start(); });
    bool stop = false;
    std::uint64_t done = 0;
    for (; done < cycles && !stop; ++done, ++now_) {
      for_sources([&](auto& source, std::size_t i) { source.present(model, sources[i]); });
      for_sinks([&](auto& sink, std::size_t i) { sink.present(model, sinks[i]); });
      this->clock_cycle([&] {
        const bool advance = Binding::advance(model);
        for_sources([&](auto& source, std::size_t i) {
          stop |= source.sample(model, sources[i], now_, advance);
        });
        for_sinks([&](auto& sink, std::size_t i) {
          stop |= sink.sample(model, sinks[i], now_, advance);
        });
      });
    }
    return done;
  }

  void bare(std::uint64_t cycles, WeftSource* sources) {
    auto& model = this->model();
    std::array<std::uint64_t, source_count + 1> at{};
    for_sinks([&](auto& sink, std::size_t) { sink.garbage(model); });
    for (std::uint64_t done = 0; done < cycles; ++done) {
      for_sources([&](auto& source, std::size_t i) { source.drive(model, sources[i], at[i]); });
      this->clock_cycle([&] {
        for_sources([&](auto& source, std::size_t i) {
          if (!source.accepts(model)) return;
          ++sources[i].next;
          if (++at[i] == sources[i].count) at[i] = 0;
        });
      });
    }
  }

 private:
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

  typename Binding::Sources sources_;
  typename Binding::Sinks sinks_;
  std::uint64_t now_ = 0;
};

/// Its C entry points.
template <typename Binding>
struct StreamEntryPoints {
  using Dut = StreamInstance<Binding>;
  using Common = EntryPoints<Dut>;

  static std::uint64_t run(WeftDut* dut, std::uint64_t cycles, WeftSource* sources,
                           WeftSink* sinks) {
    return Common::guarded(dut, ~std::uint64_t{0},
                           [&] { return Common::self(dut).run(cycles, sources, sinks); });
  }
  static int bare(WeftDut* dut, std::uint64_t cycles, WeftSource* sources) {
    return Common::guarded(dut, -1, [&] {
      Common::self(dut).bare(cycles, sources);
      return 0;
    });
  }

  static constexpr WeftStreamEntryPoints streams{Dut::source_count, Dut::sink_count, run, bare};
  static constexpr WeftDutEntryPoints table{weft_dut_abi, &Common::table, &streams, nullptr};
};

}  // namespace weft_shim

// SPDX-License-Identifier: Apache-2.0
//
// The C interface between weft and a built DUT. Compiled into both sides, so it includes nothing of
// weft's. A change of it changes the digest of every cached DUT.
#pragma once

#include <cstdint>

extern "C" {

/// A source of beats as the loop sees it. Beat `next` is offered when `wait` clock cycles have gone
/// by, and stays offered until it is accepted; then `wait` is reloaded from `gaps`.
struct WeftSource {
  const std::uint8_t* beats;  ///< packed, `count` of them
  const std::uint32_t* gaps;  ///< per beat, or null: all 0
  std::uint64_t* accepted;    ///< out, per beat: the clock cycle in which it was accepted
  std::uint64_t count;
  std::uint64_t next;  ///< in and out
  std::uint64_t wait;  ///< in and out
  std::uint8_t open;   ///< more beats will follow: run returns once these are accepted
};

/// A taker of beats with a repeating ready pattern.
struct WeftSink {
  const std::uint8_t* ready;  ///< pattern of 0 and 1
  std::uint64_t ready_count;  ///< at least 1
  std::uint64_t phase;        ///< in and out: index into the pattern
  std::uint8_t* beats;        ///< out, packed
  std::uint64_t* cycles;      ///< out: the clock cycle of each beat, of each of its lane groups
  std::uint64_t count;        ///< in and out; there must be room for a beat a cycle
  std::uint64_t stop;         ///< run returns once this many were taken; 0: never
  std::uint64_t faults;       ///< in and out: protocol violations seen
  std::uint64_t fault_cycle;  ///< out: cycle of the first one
  const char* fault;          ///< out: what the first one was, static text
};

struct WeftDut;

/// Entry points that every DUT has.
struct WeftDutCommon {
  /// A new instance, null without memory. Registers start with random values drawn from `seed`.
  WeftDut* (*create)(std::int32_t seed);
  void (*destroy)(WeftDut*);

  /// Holds reset for `cycles` clock cycles and starts counting from 0 again. With `noise` the other
  /// inputs are busy with garbage during the reset, which the DUT must ignore.
  int (*reset)(WeftDut*, std::uint64_t cycles, int noise);

  /// Starts a waveform; only in a tracing build, otherwise returns -1.
  int (*trace)(WeftDut*, const char* path);

  /// What went wrong last; never null.
  const char* (*error)(WeftDut*);
};

/// Entry points of a DUT that is driven with streams.
struct WeftStreamEntryPoints {
  std::uint32_t sources;
  std::uint32_t sinks;

  /// Runs up to `cycles` clock cycles and returns how many; ~0 after a failure (see `error`). Ends
  /// early only after the cycle in which an open source ran out of beats or a sink has its `stop`.
  std::uint64_t (*run)(WeftDut*, std::uint64_t cycles, WeftSource*, WeftSink*);

  /// The least a C++ program can do: offers the beats of each source over and over as they are
  /// accepted, sinks always ready, nothing recorded. It is what the speed of `run` is measured
  /// against. Leaves in each source's `next` how many beats it moved. Returns 0, or -1 after a
  /// failure.
  int (*bare)(WeftDut*, std::uint64_t cycles, WeftSource*);
};

/// Entry points of a DUT that is driven by its pins.
struct WeftPinEntryPoints {
  std::uint32_t input_bytes;   ///< of the packed input ports
  std::uint32_t output_bytes;  ///< of the packed output ports

  /// One clock cycle: the input ports are set, the model settles, the output ports are read, the
  /// clock rises. Returns 0, or -1 after a failure.
  int (*cycle)(WeftDut*, const std::uint8_t* in, std::uint8_t* out);
};

/// Entry points of a built DUT; the shared object exports only `weft_dut_entry`.
struct WeftDutEntryPoints {
  std::uint32_t abi;
  const WeftDutCommon* common;
  const WeftStreamEntryPoints* streams;  ///< null if it is driven by its pins
  const WeftPinEntryPoints* pins;        ///< null if it is driven with streams
};

/// Bumped with every change of meaning.
enum { weft_dut_abi = 2 };
}

// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/tests/array_simulation.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <stdexcept>
#include <vector>

#include "arch/numerics/integer.h"

namespace weft::models::testing {
namespace {

using Lanes = std::vector<std::int32_t>;  // the MACS elements that enter a PE in one cycle

// A line of registers. shift() is the clock edge; it gives what the line's output was before it.
template <typename T>
class Delay {
 public:
  explicit Delay(int registers, T initial = {}) : registers_(registers, initial) {}
  T shift(T in) {
    registers_.push_back(std::move(in));
    T out = std::move(registers_.front());
    registers_.pop_front();
    return out;
  }
  // The output; of a line with at least one register it is known before the input is.
  [[nodiscard]] const T& out() const { return registers_.front(); }

 private:
  std::deque<T> registers_;
};

struct Flags {
  bool valid = false;
  bool last = false;
  std::uint64_t tag = 0;
};

struct LoadBeat {
  bool valid = false;
  int index = 0;             // within its tile
  std::vector<Lanes> lanes;  // [LOAD_ROWS * COLS]
};

struct MovingBeat {
  Flags flags;
  std::vector<Lanes> rows;        // [ROWS]
  std::vector<Lanes> stationary;  // output stationary: [COLS]
};

// What stands at the result port in a cycle.
struct Port {
  std::vector<Flags> column;       // [COLS]
  std::vector<std::int64_t> data;  // [COLS]
};

class Hardware {
 public:
  explicit Hardware(const arch::TensorArray& array)
      : a(array),
        format(arch::accumulator_format(array)),
        stages(array.multiplier_stages + array.adder_stages),
        external(array.skew == arch::Skew::external) {}
  virtual ~Hardware() = default;

  [[nodiscard]] virtual Port port() const = 0;
  [[nodiscard]] virtual bool load_ready() const = 0;
  [[nodiscard]] virtual bool moving_ready(bool last) const = 0;
  // The edge that ends an array cycle, with the beats that were accepted in it.
  virtual void clock(const LoadBeat& load, const MovingBeat& moving) = 0;

 protected:
  [[nodiscard]] bool hop(int index) const { return index > 0 && index % a.pe_registers == 0; }
  [[nodiscard]] int hops(int index) const {
    int count = 0;
    for (int i = 1; i <= index; ++i) count += hop(i) ? 1 : 0;
    return count;
  }
  [[nodiscard]] std::size_t at(int r, int c) const {
    return static_cast<std::size_t>(r) * static_cast<std::size_t>(a.cols) +
           static_cast<std::size_t>(c);
  }
  std::int64_t garbage() { return arch::from_bits(random(), format.width, format.is_signed); }
  Lanes garbage_lanes() {
    Lanes lanes;
    for (int m = 0; m < a.macs_per_pe; ++m) {
      lanes.push_back(static_cast<std::int32_t>(
          arch::from_bits(random(), a.stationary_format.bits, a.stationary_format.is_signed)));
    }
    return lanes;
  }
  [[nodiscard]] Lanes zero_lanes() const {
    Lanes zeros(static_cast<std::size_t>(a.macs_per_pe), 0);
    return zeros;
  }
  // The registers between PE `index` - 1 and PE `index` in one direction.
  template <typename T>
  Delay<T> between(int index, T initial = {}) const {
    return Delay<T>{hop(index) ? 1 : 0, initial};
  }

  arch::TensorArray a;
  arch::AccumulatorFormat format;
  int stages;
  bool external;
  std::mt19937_64 random{7};
};

// Weight and input stationary.
class StationaryHardware : public Hardware {
 public:
  explicit StationaryHardware(const arch::TensorArray& array)
      : Hardware(array), load_beats_((a.rows + a.load_rows_per_cycle - 1) / a.load_rows_per_cycle) {
    for (int r = 0; r < a.rows; ++r) {
      guard_cycles_ = std::max(guard_cycles_, hops(r) - r / a.load_rows_per_cycle);
      skew_.emplace_back(hops(r) + 1, zero_lanes());
      switch_down_.push_back(between<bool>(r));
      for (int c = 0; c < a.cols; ++c) {
        across_.push_back(between<Lanes>(c, zero_lanes()));
        switch_across_.push_back(between<bool>(c));
        down_.push_back(between<std::int64_t>(r));
        pipeline_.emplace_back(stages);
        active_.push_back(garbage_lanes());
        shadow_.push_back(garbage_lanes());
      }
    }
    const int last_hop = hops(a.cols - 1);
    for (int c = 0; c < a.cols; ++c) {
      load_across_.push_back(between<LoadBeat>(c));
      data_.emplace_back(1 + (external ? 0 : last_hop - hops(c)));
      flags_.emplace_back(1 + hops(a.rows - 1) + stages + 1 + (external ? hops(c) : last_hop));
    }
  }

  [[nodiscard]] Port port() const override {
    Port p;
    for (int c = 0; c < a.cols; ++c) {
      p.column.push_back(flags_[static_cast<std::size_t>(c)].out());
      p.data.push_back(data_[static_cast<std::size_t>(c)].out());
    }
    return p;
  }

  [[nodiscard]] bool load_ready() const override {
    if (a.stationary_buffers == 1) return !in_use_ && guard_ == 0;
    return switching() ? guard_cycles_ == 0 : !full_ && guard_ == 0;
  }
  [[nodiscard]] bool moving_ready(bool /*last*/) const override { return in_use_ || switching(); }

  void clock(const LoadBeat& load, const MovingBeat& moving) override {
    const bool switch_now = switching();
    // Rows of the moving operand and partial sums.
    std::vector<std::int64_t> sums(active_.size());
    for (int r = 0; r < a.rows; ++r) {
      Lanes x = skew_[static_cast<std::size_t>(r)].shift(
          moving.flags.valid ? moving.rows[static_cast<std::size_t>(r)] : zero_lanes());
      for (int c = 0; c < a.cols; ++c) {
        x = across_[at(r, c)].shift(x);
        const std::int64_t dot = pipeline_[at(r, c)].shift(arch::dot(x, active_[at(r, c)]));
        const std::int64_t above = down_[at(r, c)].shift(r == 0 ? 0 : sums[at(r - 1, c)]);
        sums[at(r, c)] = arch::accumulate(above, dot, format);
      }
    }
    // The switch travels as the vectors do, one cycle ahead.
    bool left = switch_now;
    for (int r = 0; r < a.rows && a.stationary_buffers == 2; ++r) {
      left = switch_down_[static_cast<std::size_t>(r)].shift(left);
      bool here = left;
      for (int c = 0; c < a.cols; ++c) {
        here = switch_across_[at(r, c)].shift(here);
        if (here) active_[at(r, c)] = shadow_[at(r, c)];
      }
    }
    // The weight chain of each column.
    std::vector<Lanes>& chain = a.stationary_buffers == 2 ? shadow_ : active_;
    LoadBeat beat = load;
    for (int c = 0; c < a.cols; ++c) {
      beat = load_across_[static_cast<std::size_t>(c)].shift(beat);
      if (beat.valid) shift_chain(chain, beat, c);
    }
    // Results.
    for (int c = 0; c < a.cols; ++c) {
      data_[static_cast<std::size_t>(c)].shift(sums[at(a.rows - 1, c)]);
      flags_[static_cast<std::size_t>(c)].shift(moving.flags);
    }
    clock_control(load, moving, switch_now);
  }

 private:
  [[nodiscard]] bool switching() const { return a.stationary_buffers == 2 && full_ && !in_use_; }

  void shift_chain(std::vector<Lanes>& chain, const LoadBeat& beat, int c) const {
    const int width = a.load_rows_per_cycle;
    for (int r = a.rows - 1; r >= 0; --r) {
      if (beat.index < r / width) continue;  // has not joined yet
      chain[at(r, c)] = r < width ? beat.lanes[at(r, c)] : chain[at(r - width, c)];
    }
  }

  void clock_control(const LoadBeat& load, const MovingBeat& moving, bool switch_now) {
    if (guard_ > 0) --guard_;
    if (switch_now) {
      full_ = false;
      in_use_ = true;
      guard_ = std::max(guard_cycles_ - 1, 0);
    }
    if (moving.flags.valid && moving.flags.last) {
      in_use_ = false;
      if (a.stationary_buffers == 1) guard_ = guard_cycles_;
    }
    if (load.valid && load.index == load_beats_ - 1) {
      (a.stationary_buffers == 2 ? full_ : in_use_) = true;
    }
  }

  int load_beats_;
  int guard_cycles_ = 0;
  // [ROWS]
  std::vector<Delay<Lanes>> skew_;
  std::vector<Delay<bool>> switch_down_;
  // [ROWS][COLS]
  std::vector<Delay<Lanes>> across_;
  std::vector<Delay<bool>> switch_across_;
  std::vector<Delay<std::int64_t>> down_;
  std::vector<Delay<std::int64_t>> pipeline_;
  std::vector<Lanes> active_;
  std::vector<Lanes> shadow_;
  // [COLS]
  std::vector<Delay<LoadBeat>> load_across_;
  std::vector<Delay<std::int64_t>> data_;
  std::vector<Delay<Flags>> flags_;
  // Control.
  bool full_ = false;    // a whole tile waits in the shadow chain
  bool in_use_ = false;  // a tile is being multiplied with, or may be
  int guard_ = 0;        // cycles until a load may begin
};

class OutputStationaryHardware : public Hardware {
 public:
  explicit OutputStationaryHardware(const arch::TensorArray& array)
      : Hardware(array),
        to_drain_(2 + hops(a.rows - 1) + stages),
        busy_(a.stationary_buffers == 1 ? a.rows + 1 : a.rows) {
    for (int r = 0; r < a.rows; ++r) {
      row_skew_.emplace_back(hops(r) + 1, zero_lanes());
      flags_down_.push_back(between<Flags>(r));
      for (int c = 0; c < a.cols; ++c) {
        across_.push_back(between<Lanes>(c, zero_lanes()));
        down_.push_back(between<Lanes>(r, zero_lanes()));
        flags_across_.push_back(between<Flags>(c));
        pipeline_.emplace_back(stages);
        flags_pipeline_.emplace_back(stages);
        accumulator_.push_back(garbage());
        drain_.push_back(garbage());
        fresh_.push_back(random() % 2 == 0);
      }
    }
    for (int c = 0; c < a.cols; ++c) {
      column_skew_.emplace_back(hops(c) + 1, zero_lanes());
      drain_across_.push_back(between<Drain>(c));
      data_.emplace_back(external ? 0 : hops(a.cols - 1) - hops(c));
      port_flags_.emplace_back(external ? hops(c) : hops(a.cols - 1));
    }
  }

  [[nodiscard]] Port port() const override {
    // Some of these lines have no registers: evaluate copies up to the port.
    Port p;
    const std::vector<std::int64_t>& bottom = a.stationary_buffers == 1 ? accumulator_ : drain_;
    for (int c = 0; c < a.cols; ++c) {
      auto line = port_flags_[static_cast<std::size_t>(c)];
      auto values = data_[static_cast<std::size_t>(c)];
      p.column.push_back(line.shift(result_flags(drain_now())));
      p.data.push_back(values.shift(bottom[at(a.rows - 1, c)]));
    }
    return p;
  }

  [[nodiscard]] bool load_ready() const override { return false; }
  [[nodiscard]] bool moving_ready(bool last) const override {
    if (in_reset_cycle_) return false;
    return a.stationary_buffers == 1 ? busy_ == 0 : !last || busy_ == 0;
  }

  void clock(const LoadBeat& /*load*/, const MovingBeat& moving) override {
    MovingBeat in = moving;
    // Reset acts as a last step without results.
    const bool clearing = in_reset_cycle_;
    if (clearing) in.flags.last = true;

    const Drain now = drain_now();
    const std::vector<std::int64_t> old_accumulator = accumulator_;
    const std::vector<std::int64_t> old_drain = drain_;

    // Draining, column by column.
    Drain token = now;
    for (int c = 0; c < a.cols; ++c) {
      token = drain_across_[static_cast<std::size_t>(c)].shift(token);
      data_[static_cast<std::size_t>(c)].shift(
          (a.stationary_buffers == 1 ? old_accumulator : old_drain)[at(a.rows - 1, c)]);
      port_flags_[static_cast<std::size_t>(c)].shift(result_flags(now));
      for (int r = 0; r < a.rows && token.active; ++r) {
        if (a.stationary_buffers == 1 && r >= token.index) {
          accumulator_[at(r, c)] = r == 0 ? 0 : old_accumulator[at(r - 1, c)];
          written_.push_back(at(r, c));
        }
        if (a.stationary_buffers == 2 && r > token.index) {
          drain_[at(r, c)] = old_drain[at(r - 1, c)];
          written_.push_back(at(r, c));
        }
      }
    }

    // Operands, flags, accumulation.
    std::vector<Lanes> s(accumulator_.size());
    Flags left = first_flags_.shift(in.flags);
    for (int r = 0; r < a.rows; ++r) {
      left = flags_down_[static_cast<std::size_t>(r)].shift(left);
      Flags f = left;
      Lanes x = row_skew_[static_cast<std::size_t>(r)].shift(
          in.flags.valid ? in.rows[static_cast<std::size_t>(r)] : zero_lanes());
      for (int c = 0; c < a.cols; ++c) {
        f = flags_across_[at(r, c)].shift(f);
        x = across_[at(r, c)].shift(x);
        s[at(r, c)] = down_[at(r, c)].shift(
            r > 0
                ? s[at(r - 1, c)]
                : column_skew_[static_cast<std::size_t>(c)].shift(
                      in.flags.valid ? in.stationary[static_cast<std::size_t>(c)] : zero_lanes()));
        const std::int64_t dot = pipeline_[at(r, c)].shift(arch::dot(x, s[at(r, c)]));
        accumulate(at(r, c), dot, flags_pipeline_[at(r, c)].shift(f));
      }
    }
    written_.clear();

    if (in.flags.last) drained_tag_.push_back({in.flags.tag, clearing});
    to_drain_.shift(in.flags.last);
    advance_drain(now);
    clock_control(in.flags.last);
  }

 private:
  struct Drain {
    bool active = false;
    int index = 0;  // result vectors of the tile before this one
  };

  // The drain of column 0 in this cycle.
  [[nodiscard]] Drain drain_now() const {
    if (to_drain_.out()) {
      if (draining_.active) throw std::logic_error("two tiles drain_ at once");
      return {true, 0};
    }
    return draining_;
  }
  [[nodiscard]] Flags result_flags(const Drain& token) const {
    if (!token.active || drained_tag_.front().clearing) return {};
    return {true, token.index == a.rows - 1, drained_tag_.front().tag};
  }
  void advance_drain(const Drain& now) {
    draining_ = now;
    if (now.active && ++draining_.index == a.rows) {
      draining_ = {};
      drained_tag_.pop_front();
    }
  }

  void accumulate(std::size_t pe, std::int64_t dot, const Flags& f) {
    const bool shifted = std::ranges::find(written_, pe) != written_.end();
    if (a.stationary_buffers == 1) {
      if (!f.valid) return;
      if (shifted) throw std::logic_error("an accumulator_ is shifted and added to at once");
      accumulator_[pe] = arch::accumulate(accumulator_[pe], dot, format);
      return;
    }
    if (f.valid)
      accumulator_[pe] = arch::accumulate(fresh_[pe] ? 0 : accumulator_[pe], dot, format);
    if (f.valid || f.last) fresh_[pe] = f.last;
    if (!f.last) return;
    if (shifted) throw std::logic_error("a drain_ register is shifted and captures at once");
    drain_[pe] = accumulator_[pe];
  }

  void clock_control(bool last) {
    if (busy_ > 0) --busy_;
    if (last && !in_reset_cycle_) busy_ = a.stationary_buffers == 1 ? a.rows : a.rows - 1;
    in_reset_cycle_ = false;
  }

  struct DrainedTag {
    std::uint64_t tag;
    bool clearing;
  };

  // [ROWS]
  std::vector<Delay<Lanes>> row_skew_;
  std::vector<Delay<Flags>> flags_down_;
  // [ROWS][COLS]
  std::vector<Delay<Lanes>> across_;
  std::vector<Delay<Lanes>> down_;
  std::vector<Delay<Flags>> flags_across_;
  std::vector<Delay<std::int64_t>> pipeline_;
  std::vector<Delay<Flags>> flags_pipeline_;
  std::vector<std::int64_t> accumulator_;
  std::vector<std::int64_t> drain_;
  std::vector<bool> fresh_;  // the next step starts a tile
  // [COLS]
  std::vector<Delay<Lanes>> column_skew_;
  std::vector<Delay<Drain>> drain_across_;
  std::vector<Delay<std::int64_t>> data_;
  std::vector<Delay<Flags>> port_flags_;
  // Control.
  Delay<Flags> first_flags_{1};
  Delay<bool> to_drain_;
  Drain draining_;
  std::deque<DrainedTag> drained_tag_;
  int busy_;                          // cycles until a step (2 buffers: a last step) may come
  bool in_reset_cycle_ = true;        // cycle 0
  std::vector<std::size_t> written_;  // registers that draining writes in this cycle
};

constexpr std::uint64_t cycle_limit = 1'000'000;

// A stream's source: when does it offer the next beat?
class Source {
 public:
  explicit Source(const std::vector<std::uint32_t>& gaps) : gaps_(gaps) { wait(); }
  [[nodiscard]] bool offers() const { return wait_ == 0; }
  void clock(bool accepted) {
    if (accepted) {
      ++beat_;
      wait();
    } else if (wait_ > 0) {
      --wait_;
    }
  }
  [[nodiscard]] std::size_t beat() const { return beat_; }

 private:
  void wait() { wait_ = beat_ < gaps_.size() ? gaps_[beat_] : 0; }

  const std::vector<std::uint32_t>& gaps_;
  std::size_t beat_ = 0;
  std::uint32_t wait_ = 0;
};

Lanes slice(const std::vector<std::int32_t>& elements, std::size_t begin, std::size_t count) {
  const auto from = elements.begin() + static_cast<std::ptrdiff_t>(begin);
  return {from, from + static_cast<std::ptrdiff_t>(count)};
}

// All beats of a traffic, in order.
std::vector<LoadBeat> load_beats(const arch::TensorArray& a, const arch::Traffic& traffic) {
  std::vector<LoadBeat> beats;
  if (a.output_stationary()) return beats;
  const int count = (a.rows + a.load_rows_per_cycle - 1) / a.load_rows_per_cycle;
  for (const arch::Tile& tile : traffic.tiles) {
    for (int b = 0; b < count; ++b) {
      LoadBeat beat{true, b, {}};
      for (int l = 0; l < a.load_rows_per_cycle; ++l) {
        const int row = (count - 1 - b) * a.load_rows_per_cycle + l;
        for (int c = 0; c < a.cols; ++c) {
          Lanes lanes(static_cast<std::size_t>(a.macs_per_pe), 1);  // ignored if row >= ROWS
          for (int m = 0; m < a.macs_per_pe && row < a.rows; ++m) {
            const std::ptrdiff_t k = std::ptrdiff_t{row} * a.macs_per_pe + m;
            lanes[static_cast<std::size_t>(m)] =
                tile.stationary[static_cast<std::size_t>(k * a.cols + c)];
          }
          beat.lanes.push_back(lanes);
        }
      }
      beats.push_back(beat);
    }
  }
  return beats;
}

std::vector<MovingBeat> moving_beats(const arch::TensorArray& a, const arch::Traffic& traffic) {
  std::vector<MovingBeat> beats;
  const auto macs = static_cast<std::size_t>(a.macs_per_pe);
  const auto rows = static_cast<std::size_t>(a.rows);
  const auto cols = static_cast<std::size_t>(a.cols);
  for (const arch::Tile& tile : traffic.tiles) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(tile.beats); ++i) {
      MovingBeat beat;
      beat.flags = {true, i + 1 == static_cast<std::size_t>(tile.beats), tile.tags[i]};
      for (std::size_t r = 0; r < rows; ++r) {
        beat.rows.push_back(slice(tile.moving, (i * rows + r) * macs, macs));
      }
      for (std::size_t c = 0; c < cols && a.output_stationary(); ++c) {
        beat.stationary.push_back(slice(tile.stationary, (i * cols + c) * macs, macs));
      }
      beats.push_back(beat);
    }
  }
  return beats;
}

// Collects results column by column; with external skew their columns leave at different times.
class Sink {
 public:
  Sink(const arch::TensorArray& a, Prediction& out) : a_(a), out_(out) {
    out.cols = a.cols;
    out.column_groups = a.skew == arch::Skew::internal ? 1 : (a.cols - 1) / a.pe_registers + 1;
    delivered_.resize(static_cast<std::size_t>(a.cols));
  }

  void take(const Port& port, std::uint64_t cycle) {
    for (int c = 0; c < a_.cols; ++c) {
      const Flags& flags = port.column[static_cast<std::size_t>(c)];
      if (!flags.valid) continue;
      const std::size_t i = delivered_[static_cast<std::size_t>(c)]++;
      if (c == 0) {
        out_.result_tags.push_back(flags.tag);
        out_.result_last.push_back(flags.last ? 1 : 0);
        out_.result_data.resize(out_.results() * static_cast<std::size_t>(a_.cols));
        out_.result_cycles.resize(out_.results() * static_cast<std::size_t>(out_.column_groups));
      }
      out_.result_data[i * static_cast<std::size_t>(a_.cols) + static_cast<std::size_t>(c)] =
          port.data[static_cast<std::size_t>(c)];
      const int group = a_.skew == arch::Skew::internal ? 0 : c / a_.pe_registers;
      std::uint64_t& seen = out_.result_cycles[i * static_cast<std::size_t>(out_.column_groups) +
                                               static_cast<std::size_t>(group)];
      const bool first_of_group =
          a_.skew == arch::Skew::internal ? c == 0 : c % a_.pe_registers == 0;
      if (!first_of_group && seen != cycle) throw std::logic_error("columns of a group part");
      seen = cycle;
      out_.cycles = cycle + 1;
    }
  }
  // Results of which every column has left.
  [[nodiscard]] std::size_t complete() const { return delivered_.back(); }

 private:
  const arch::TensorArray& a_;
  Prediction& out_;
  std::vector<std::size_t> delivered_;
};

}  // namespace

Prediction simulate(const arch::TensorArray& array, const arch::Traffic& traffic,
                    std::optional<std::uint64_t> reset_cycle) {
  std::unique_ptr<Hardware> hardware;
  if (array.output_stationary()) {
    hardware = std::make_unique<OutputStationaryHardware>(array);
  } else {
    hardware = std::make_unique<StationaryHardware>(array);
  }
  const std::vector<LoadBeat> loads = load_beats(array, traffic);
  const std::vector<MovingBeat> vectors = moving_beats(array, traffic);
  const std::size_t results = array.output_stationary()
                                  ? traffic.tiles.size() * static_cast<std::size_t>(array.rows)
                                  : vectors.size();
  Prediction out;
  Sink sink(array, out);
  Source stationary(traffic.stationary_gaps);
  Source moving(traffic.moving_gaps);

  for (std::uint64_t cycle = 0; sink.complete() < results; ++cycle) {
    if (cycle == cycle_limit) throw std::logic_error("the array hangs");
    if (cycle == reset_cycle) {
      out.cycles = cycle;
      break;
    }
    const Port port = hardware->port();
    const bool valid = std::ranges::any_of(port.column, &Flags::valid);
    const bool ready = traffic.ready.empty() || traffic.ready[cycle % traffic.ready.size()] != 0;
    if (!ready && valid) {
      stationary.clock(false);
      moving.clock(false);
      continue;
    }
    sink.take(port, cycle);

    LoadBeat load;
    MovingBeat vector;
    bool take_load =
        stationary.offers() && stationary.beat() < loads.size() && hardware->load_ready();
    bool take_vector = moving.offers() && moving.beat() < vectors.size() &&
                       hardware->moving_ready(vectors[moving.beat()].flags.last);
    if (array.output_stationary()) {
      take_vector = take_vector && stationary.offers();
      take_load = take_vector;
    } else if (take_load) {
      load = loads[stationary.beat()];
    }
    if (take_vector) vector = vectors[moving.beat()];
    if (take_load) out.stationary_cycles.push_back(cycle);
    if (take_vector) out.moving_cycles.push_back(cycle);
    stationary.clock(take_load);
    moving.clock(take_vector);
    hardware->clock(load, vector);
  }
  return out;
}

}  // namespace weft::models::testing

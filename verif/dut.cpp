// SPDX-License-Identifier: Apache-2.0
#include "verif/dut.h"

#include <stdexcept>
#include <utility>

namespace weft::verif {

namespace {

bool fits(const DutLibrary& library, const DutDescription& description) {
  const WeftStreamEntryPoints* streams = library.entry().streams;
  return streams != nullptr && streams->sources == description.sources.size() &&
         streams->sinks == description.sinks.size();
}

}  // namespace

Dut::Dut(const std::shared_ptr<const DutLibrary>& library, const DutDescription& description,
         std::int32_t seed)
    : DutInstance(library, fits(*library, description), seed) {
  for (const StreamPorts& stream : description.sources) {
    source_strides_.push_back(beat_layout(stream).stride);
  }
  for (const StreamPorts& stream : description.sinks) {
    sink_strides_.push_back(beat_layout(stream).stride);
    sink_groups_.push_back(static_cast<std::size_t>(lane_groups(stream)));
  }
  source_state_.resize(source_strides_.size());
  sink_state_.resize(sink_strides_.size());
  accepted_.resize(source_strides_.size());
  sinks_.resize(sink_strides_.size());
  offer({}, {});
}

void Dut::reset(std::uint64_t cycles, bool noise) {
  hold_reset(cycles, noise);
  now_ = 0;
  offer({}, {});
}

void Dut::refill(std::size_t s, const SourceBeats& offered, bool more) {
  if (offered.beats.size() < offered.count * source_strides_[s] ||
      (!offered.gaps.empty() && offered.gaps.size() != offered.count)) {
    throw std::logic_error("a source's beats or gaps do not fit their count");
  }
  if (accepted_[s].size() < offered.count) accepted_[s].resize(offered.count);
  source_state_[s] = {.beats = offered.beats.data(),
                      .gaps = offered.gaps.empty() ? nullptr : offered.gaps.data(),
                      .accepted = accepted_[s].data(),
                      .count = offered.count,
                      .next = 0,
                      .wait = offered.gaps.empty() ? 0 : offered.gaps.front(),
                      .open = more ? std::uint8_t{1} : std::uint8_t{0}};
}

bool Dut::dry(std::size_t s) const {
  return source_state_[s].open != 0 && source_state_[s].next == source_state_[s].count;
}

void Dut::offer(std::span<const SourceBeats> sources,
                std::span<const std::vector<std::uint8_t>> ready, bool more) {
  static constexpr std::uint8_t always = 1;
  static const SourceBeats nothing;
  for (std::size_t s = 0; s < source_state_.size(); ++s) {
    refill(s, s < sources.size() ? sources[s] : nothing, more);
  }
  for (std::size_t k = 0; k < sink_state_.size(); ++k) {
    const bool patterned = k < ready.size() && !ready[k].empty();
    sink_state_[k] = WeftSink{};
    sink_state_[k].ready = patterned ? ready[k].data() : &always;
    sink_state_[k].ready_count = patterned ? ready[k].size() : 1;
    sinks_[k].count = 0;
    sinks_[k].faults = 0;
    sinks_[k].fault.clear();
  }
}

std::uint64_t Dut::run(std::uint64_t cycles) {
  for (std::size_t k = 0; k < sink_state_.size(); ++k) {
    const std::size_t room = sinks_[k].count + cycles;
    if (sinks_[k].cycles.size() < room * sink_groups_[k]) {
      sinks_[k].cycles.resize(room * sink_groups_[k]);
      sinks_[k].beats.resize(room * sink_strides_[k] + 8);
    }
    sink_state_[k].beats = sinks_[k].beats.data();
    sink_state_[k].cycles = sinks_[k].cycles.data();
  }
  const std::uint64_t done =
      entry().streams->run(dut(), cycles, source_state_.data(), sink_state_.data());
  if (done == ~std::uint64_t{0}) fail();
  now_ += done;
  for (std::size_t k = 0; k < sink_state_.size(); ++k) {
    const WeftSink& state = sink_state_[k];
    sinks_[k].count = state.count;
    sinks_[k].faults = state.faults;
    sinks_[k].fault_cycle = state.fault_cycle;
    if (state.fault != nullptr) sinks_[k].fault = state.fault;
  }
  return done;
}

void Dut::stop_at(std::size_t k, std::size_t count) { sink_state_[k].stop = count; }

void Dut::clear_sink(std::size_t k) { sink_state_[k].count = sinks_[k].count = 0; }

std::span<const std::uint64_t> Dut::accepted(std::size_t s) const {
  return {accepted_[s].data(), source_state_[s].next};
}

std::vector<std::uint64_t> Dut::run_bare(std::uint64_t cycles,
                                         std::span<const SourceBeats> sources) {
  offer(sources, {});
  if (entry().streams->bare(dut(), cycles, source_state_.data()) != 0) fail();
  now_ += cycles;
  std::vector<std::uint64_t> moved;
  for (WeftSource& source : source_state_) moved.push_back(std::exchange(source.next, 0));
  return moved;
}

}  // namespace weft::verif

// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/link_endpoint.h"

#include <algorithm>
#include <utility>

#include "systemc_models/link_bits.h"

namespace weft::models {

using arch::FrameKind;
using arch::FrameLayout;
using arch::LinkInputs;
using arch::LinkOutputs;

namespace {

std::size_t words_for(int bits) { return static_cast<std::size_t>((bits + 63) / 64); }

std::uint64_t mask(int width) { return (std::uint64_t{1} << width) - 1; }

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

LinkEndpoint::LinkEndpoint(const arch::Link& link)
    : link_(link),
      layout_(link),
      crc_(link.crc_width),
      sequence_mask_(mask(link.sequence_width)),
      credit_mask_(mask(layout_.credit.width)),
      flit_words_(words_for(link.flit_width)),
      outputs_(link) {
  reset();
}

LinkEndpoint::State LinkEndpoint::initial_state() const {
  State state;
  state.quiet = link_.quiet_frames;
  state.taken.resize(at(link_.virtual_channels));
  state.seen.resize(at(link_.virtual_channels));
  state.freed.resize(at(link_.virtual_channels));
  state.buffers.resize(at(link_.virtual_channels));
  return state;
}

void LinkEndpoint::reset() {
  state_ = initial_state();
  now_ = 0;
  composed_.assign(words_for(layout_.bits), 0);
  line_ = composed_;
  sent_phits_ = 0;
  alignment_ = {};
  window_.assign(at(layout_.phits), Words(words_for(layout_.phit_width)));
  arrival_ = {};
}

const LinkOutputs& LinkEndpoint::cycle(const LinkInputs& inputs) {
  const Step step = look();
  show(step);
  advance(step, inputs);
  return outputs_;
}

// ---- frames

bool LinkEndpoint::ready() const {
  return std::all_of(state_.got.begin(), state_.got.end(), [](bool got) { return got; });
}

LinkEndpoint::Frame LinkEndpoint::compose() const {
  Frame frame;
  frame.flit.resize(flit_words_);
  if (!state_.up) {
    frame.kind = FrameKind::init;
    set_bits(frame.flit, 0, 1, ready() ? 1 : 0);
    set_bits(frame.flit, 1, 3, static_cast<std::uint64_t>(state_.word));
    set_bits(frame.flit, 4, 12, static_cast<std::uint64_t>(arch::init_value(link_, state_.word)));
    return frame;
  }
  frame.request = state_.request;
  frame.retried = state_.retried;
  frame.acknowledge = state_.expected;
  frame.sequence = state_.next;
  frame.credit = state_.freed[at(state_.turn)];
  frame.credit_vc = state_.turn;
  if (state_.next != state_.tail) {
    const Flit& flit = state_.kept[state_.next - state_.base];
    frame.kind = FrameKind::data;
    frame.vc = flit.vc;
    frame.flit = flit.bits;
  }
  return frame;
}

LinkEndpoint::Words LinkEndpoint::encode(const Frame& frame) const {
  Words bits(words_for(layout_.bits));
  const auto put = [&bits](const FrameLayout::Field& field, std::uint64_t value) {
    set_bits(bits, field.offset, field.width, value);
  };
  put(layout_.kind, static_cast<std::uint64_t>(frame.kind));
  put(layout_.request, frame.request ? 1 : 0);
  put(layout_.retried, frame.retried ? 1 : 0);
  put(layout_.acknowledge, frame.acknowledge);
  put(layout_.sequence, frame.sequence);
  put(layout_.credit, frame.credit);
  put(layout_.credit_vc, static_cast<std::uint64_t>(frame.credit_vc));
  put(layout_.vc, static_cast<std::uint64_t>(frame.vc));
  copy_bits(bits, layout_.flit.offset, frame.flit, 0, layout_.flit.width);
  put(layout_.crc, crc_(bits, layout_.crc.width, layout_.bits));
  return bits;
}

LinkEndpoint::Frame LinkEndpoint::decode(const Words& bits) const {
  const auto get = [&bits](const FrameLayout::Field& field) {
    return bits_of(bits, field.offset, field.width);
  };
  Frame frame;
  const std::uint64_t kind = get(layout_.kind);
  frame.kind = kind == 3 ? FrameKind::idle : static_cast<FrameKind>(kind);
  frame.request = get(layout_.request) != 0;
  frame.retried = get(layout_.retried) != 0;
  frame.acknowledge = get(layout_.acknowledge);
  frame.sequence = get(layout_.sequence);
  frame.credit = get(layout_.credit);
  frame.credit_vc = static_cast<int>(get(layout_.credit_vc));
  frame.vc = static_cast<int>(get(layout_.vc));
  frame.flit.resize(flit_words_);
  copy_bits(frame.flit, 0, bits, layout_.flit.offset, layout_.flit.width);
  return frame;
}

// ---- a cycle

LinkEndpoint::Step LinkEndpoint::look() const {
  Step step;
  step.up = state_.up;
  step.slot = now_ % static_cast<std::uint64_t>(layout_.phits) == 0;
  step.heard = arrival_.valid;
  if (step.heard) {
    step.frame = decode(arrival_.frame);
    const bool init = step.frame.kind == FrameKind::init;
    step.restart = state_.up && init && bits_of(step.frame.flit, 0, 1) == 0;
    step.applies = state_.up && !init;
  }
  if (step.applies) {
    step.gained = (step.frame.acknowledge - state_.base) & sequence_mask_;
    step.accepted = step.gained <= state_.tail - state_.base;
    step.replay = step.frame.request != state_.retried;
  }
  const bool progress = step.accepted && step.gained != 0;
  const bool expired = state_.up && step.slot && state_.timer == link_.retry_timeout - 1 &&
                       state_.next != state_.base && !progress;
  step.replay = step.replay || expired;
  return step;
}

bool LinkEndpoint::has_credit(int vc) const {
  return state_.taken[at(vc)] - state_.seen[at(vc)] <
         static_cast<std::uint64_t>(link_.buffer_depth);
}

void LinkEndpoint::show(const Step& step) {
  outputs_.in_ready = 0;
  outputs_.out_valid = 0;
  const bool room = state_.tail - state_.base < static_cast<std::uint64_t>(link_.replay_depth);
  for (int vc = 0; vc < link_.virtual_channels; ++vc) {
    if (state_.up && room && has_credit(vc)) outputs_.in_ready |= std::uint32_t{1} << vc;
    if (state_.buffers[at(vc)].empty()) continue;
    outputs_.out_valid |= std::uint32_t{1} << vc;
    std::copy_n(state_.buffers[at(vc)].front().begin(), flit_words_,
                outputs_.out_flit.begin() + static_cast<std::ptrdiff_t>(at(vc) * flit_words_));
  }
  for (int lane = 0; lane < link_.lanes; ++lane) {
    copy_bits(outputs_.phit, lane * link_.lane_width, line_,
              lane * layout_.lane_bits + sent_phits_ * link_.lane_width, link_.lane_width);
  }
  outputs_.up = state_.up;
  outputs_.mismatch = 0;
  for (std::size_t i = 0; i < state_.mismatch.size(); ++i) {
    if (state_.mismatch[i]) outputs_.mismatch |= std::uint32_t{1} << i;
  }
  outputs_.restart = step.restart;
  outputs_.error = arrival_.error;
  outputs_.replay = step.replay;
}

void LinkEndpoint::advance(const Step& step, const LinkInputs& inputs) {
  send_line(step);
  if (step.restart) {
    state_ = initial_state();
  } else {
    initialise(step);
    update_credits(step, inputs);
    update_sender(step);
    update_receiver(step, inputs);
    const auto accepts = (outputs_.in_ready >> inputs.vc) & 1;
    if (inputs.valid && accepts != 0) {
      state_.kept.push_back({inputs.vc, inputs.flit});
      ++state_.tail;
    }
  }
  collect(inputs);
  ++now_;
}

void LinkEndpoint::initialise(const Step& step) {
  const bool was_quiet = state_.quiet != 0;
  if (step.slot) {
    if (was_quiet) --state_.quiet;
    state_.word = (state_.word + 1) % arch::init_words;
  }
  if (state_.up || was_quiet || !step.heard) return;
  const bool init = step.frame.kind == FrameKind::init;
  const bool other_ready = !init || bits_of(step.frame.flit, 0, 1) != 0;
  if (ready() && other_ready) state_.up = true;
  if (!init) return;
  const auto index = static_cast<int>(bits_of(step.frame.flit, 1, 3));
  if (index >= arch::init_words) return;
  const bool equal =
      static_cast<int>(bits_of(step.frame.flit, 4, 12)) == arch::init_value(link_, index);
  state_.got[at(index)] = equal;
  state_.mismatch[at(index)] = !equal;
}

void LinkEndpoint::update_credits(const Step& step, const LinkInputs& inputs) {
  const bool known = step.frame.credit_vc < link_.virtual_channels;
  if (step.applies && known) {
    std::uint64_t& seen = state_.seen[at(step.frame.credit_vc)];
    const std::uint64_t more = (step.frame.credit - seen) & credit_mask_;
    if (more <= state_.taken[at(step.frame.credit_vc)] - seen) seen += more;
  }
  if (inputs.valid && ((outputs_.in_ready >> inputs.vc) & 1) != 0) ++state_.taken[at(inputs.vc)];
}

void LinkEndpoint::update_sender(const Step& step) {
  const bool outstanding = state_.next != state_.base;
  const bool progress = step.accepted && step.gained != 0;
  if (step.slot && step.up && state_.next != state_.tail) ++state_.next;
  if (step.accepted) {
    state_.base += step.gained;
    state_.kept.erase(state_.kept.begin(),
                      state_.kept.begin() + static_cast<std::ptrdiff_t>(step.gained));
    state_.next = std::max(state_.next, state_.base);
  }
  if (step.applies) state_.retried = step.frame.request;
  if (step.replay) state_.next = state_.base;
  if (progress || step.replay || !outstanding) {
    state_.timer = 0;
  } else if (step.slot) {
    ++state_.timer;
  }
}

void LinkEndpoint::update_receiver(const Step& step, const LinkInputs& inputs) {
  if (step.slot && step.up) state_.turn = (state_.turn + 1) % link_.virtual_channels;
  for (int vc = 0; vc < link_.virtual_channels; ++vc) {
    if ((outputs_.out_valid & inputs.out_ready & (std::uint32_t{1} << vc)) == 0) continue;
    state_.buffers[at(vc)].pop_front();
    ++state_.freed[at(vc)];
  }
  if (!step.applies) return;
  const Frame& frame = step.frame;
  const std::uint64_t ahead = (frame.sequence - state_.expected) & sequence_mask_;
  const bool data = frame.kind == FrameKind::data;
  const bool gap = ahead != 0 && (!data || ahead <= sequence_mask_ / 2);
  if (data && ahead == 0) {
    if (frame.vc < link_.virtual_channels) state_.buffers[at(frame.vc)].push_back(frame.flit);
    ++state_.expected;
  }
  if (gap && frame.retried == state_.request) state_.request = !state_.request;
}

// ---- the wire

void LinkEndpoint::send_line(const Step& step) {
  const auto phits = static_cast<std::uint64_t>(layout_.phits);
  if (now_ % phits == 1 % phits) {
    line_ = composed_;
    sent_phits_ = 0;
  } else {
    ++sent_phits_;
  }
  if (step.slot) composed_ = encode(compose());
}

void LinkEndpoint::collect(const LinkInputs& inputs) {
  arrival_.valid = false;
  arrival_.error = false;
  const bool complete = alignment_.count == layout_.phits;
  bool right = false;
  if (complete) {
    arrival_.frame.assign(words_for(layout_.bits), 0);
    for (int j = 0; j < layout_.phits; ++j) {
      for (int lane = 0; lane < link_.lanes; ++lane) {
        copy_bits(arrival_.frame, lane * layout_.lane_bits + j * link_.lane_width, window_[at(j)],
                  lane * link_.lane_width, link_.lane_width);
      }
    }
    const std::uint64_t sum = bits_of(arrival_.frame, layout_.crc.offset, layout_.crc.width);
    right = sum == crc_(arrival_.frame, layout_.crc.width, layout_.bits);
    arrival_.valid = right && alignment_.aligned;
    arrival_.error = !right && alignment_.aligned;
  }
  const bool taken = complete && (alignment_.aligned || right);
  if (taken) {
    alignment_.count = 1;
    alignment_.bad = right ? 0 : alignment_.bad + 1;
    alignment_.aligned = right || alignment_.bad < link_.realign_frames;
  } else if (!complete) {
    ++alignment_.count;
  }
  window_.pop_front();
  window_.push_back(inputs.phit);
}

}  // namespace weft::models

// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/tests/switch_transcription.h"

#include <algorithm>
#include <numeric>

namespace weft::models::testing {
namespace {

using arch::Organisation;

template <class T>
std::vector<std::vector<T>> table(int rows, int columns, T value = {}) {
  return {static_cast<std::size_t>(rows), std::vector<T>(static_cast<std::size_t>(columns), value)};
}

// The first index at or after `start`, cyclically, that is set; -1: none.
int first_at_or_after(const std::vector<bool>& set, int start) {
  const int n = static_cast<int>(set.size());
  for (int k = 0; k < n; ++k) {
    if (set[(start + k) % n]) return (start + k) % n;
  }
  return -1;
}

int least_recent_of(const std::vector<int>& order, const std::vector<bool>& set) {
  for (const int k : order) {
    if (set[k]) return k;
  }
  return -1;
}

void move_to_end(std::vector<int>& order, int k) {
  std::erase(order, k);
  order.push_back(k);
}

}  // namespace

// --- Matching

MatchingTranscription::MatchingTranscription(const arch::Switch& design)
    : design_(design), a_(design.ports), n_(design.ports), g_(design.ports) {
  std::vector<int> order(design.ports);
  std::iota(order.begin(), order.end(), 0);
  inputs_of_.assign(design.ports, order);
  outputs_of_.assign(design.ports, order);
}

MatchingTranscription::Pairs MatchingTranscription::match(const Requests& requests,
                                                          const std::vector<bool>& usable) {
  usable_ = usable;
  if (design_.organisation == Organisation::output_queued ||
      design_.organisation == Organisation::central_buffer) {
    return outputs_alone(requests);
  }
  switch (design_.allocator) {
    case arch::Allocator::round_robin:
      return design_.separable == arch::Separable::input_first ? input_first(requests)
                                                               : offers(requests, 1, false);
    case arch::Allocator::islip:
      return offers(requests, design_.islip_iterations, false);
    case arch::Allocator::matrix:
      return offers(requests, 1, true);
    case arch::Allocator::wavefront:
      break;
  }
  return wavefront(requests);
}

int MatchingTranscription::input_for(int output, const std::vector<bool>& candidates,
                                     bool least_recent) const {
  return least_recent ? least_recent_of(inputs_of_[output], candidates)
                      : first_at_or_after(candidates, g_[output]);
}

int MatchingTranscription::output_for(int input, const std::vector<bool>& candidates,
                                      bool least_recent) const {
  return least_recent ? least_recent_of(outputs_of_[input], candidates)
                      : first_at_or_after(candidates, a_[input]);
}

MatchingTranscription::Pairs MatchingTranscription::input_first(const Requests& requests) {
  const int n = design_.ports;
  auto picked = table<bool>(n, n);  // [output][input]
  for (int i = 0; i < n; ++i) {
    const int o = output_for(i, requests[i], false);
    if (o >= 0) picked[o][i] = true;
  }
  Pairs pairs;
  for (int o = 0; o < n; ++o) {
    const int i = input_for(o, picked[o], false);
    if (i < 0) continue;
    pairs.emplace_back(i, o);
    a_[i] = (o + 1) % n;
    if (usable_[o]) g_[o] = (i + 1) % n;
  }
  return pairs;
}

MatchingTranscription::Pairs MatchingTranscription::offers(const Requests& requests, int iterations,
                                                           bool least_recent) {
  const int n = design_.ports;
  Pairs pairs;
  Pairs of_first_iteration;
  std::vector<bool> input_matched(n);
  std::vector<bool> output_matched(n);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    auto offered = table<bool>(n, n);  // [input][output]
    for (int o = 0; o < n; ++o) {
      if (output_matched[o]) continue;
      std::vector<bool> candidates(n);
      for (int i = 0; i < n; ++i) candidates[i] = requests[i][o] && !input_matched[i];
      const int i = input_for(o, candidates, least_recent);
      if (i >= 0) offered[i][o] = true;
    }
    for (int i = 0; i < n; ++i) {
      const int o = output_for(i, offered[i], least_recent);
      if (o < 0) continue;
      pairs.emplace_back(i, o);
      input_matched[i] = true;
      output_matched[o] = true;
    }
    if (iteration == 0) of_first_iteration = pairs;
  }
  for (const auto& [i, o] : of_first_iteration) {
    a_[i] = iterations == 1 || n_[i] == 3 ? (o + 1) % n : o;
    n_[i] = (n_[i] + 1) % 4;
    move_to_end(outputs_of_[i], o);
    if (!usable_[o]) continue;
    g_[o] = (i + 1) % n;
    move_to_end(inputs_of_[o], i);
  }
  return pairs;
}

MatchingTranscription::Pairs MatchingTranscription::wavefront(const Requests& requests) {
  const int n = design_.ports;
  Pairs pairs;
  std::vector<bool> input_free(n, true);
  std::vector<bool> output_free(n, true);
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i) {
      for (int o = 0; o < n; ++o) {
        if ((i + o) % n != (d_ + k) % n) continue;
        if (!requests[i][o] || !input_free[i] || !output_free[o]) continue;
        pairs.emplace_back(i, o);
        input_free[i] = false;
        output_free[o] = false;
      }
    }
  }
  move_diagonal(requests);
  return pairs;
}

void MatchingTranscription::move_diagonal(const Requests& requests) {
  const int n = design_.ports;
  std::vector<bool> asked(n);
  for (int i = 0; i < n; ++i) {
    for (int o = 0; o < n; ++o) {
      if (requests[i][o] && usable_[o]) asked[(i + o) % n] = true;
    }
  }
  const int first = first_at_or_after(asked, d_);
  if (first < 0) return;
  const int k = (first - d_ + n) % n;
  if (k == 0) {
    if (++turns_ == 3) {
      d_ = (d_ + 1) % n;
      turns_ = 0;
    }
  } else if (k <= n - 2) {
    d_ = first;
    turns_ = 1;
  }
}

MatchingTranscription::Pairs MatchingTranscription::outputs_alone(const Requests& requests) {
  const int n = design_.ports;
  const bool least_recent = design_.allocator == arch::Allocator::matrix;
  Pairs pairs;
  for (int o = 0; o < n; ++o) {
    std::vector<bool> candidates(n);
    for (int i = 0; i < n; ++i) candidates[i] = requests[i][o];
    const int i = input_for(o, candidates, least_recent);
    if (i < 0) continue;
    pairs.emplace_back(i, o);
    g_[o] = (i + 1) % n;
    move_to_end(inputs_of_[o], i);
  }
  return pairs;
}

// --- The switch

SwitchTranscription::SwitchTranscription(const arch::Switch& design)
    : design_(design), timing_(design), layout_(design), pins_(layout_) {
  reset();
}

void SwitchTranscription::reset() {
  const int n = design_.ports;
  const int v = design_.virtual_channels;
  t_ = 0;
  matching_ = std::make_unique<MatchingTranscription>(design_);
  const int lists = design_.organisation == Organisation::central_buffer ? n * v : layout_.queues;
  queues_ = table<Queue>(n, lists);
  accepted_ = table<int>(n, layout_.queues);
  credits_owed_ = table<int>(n, layout_.queues);
  credits_ = table<int>(n, v, timing_.output_credits);
  held_ = table<bool>(n, v);
  last_head_ = table<Flit>(n, v);
  written_ = table<int>(n, v);
  arrivals_.clear();
  departures_.assign(n, {});
  turn_.assign(n, 0);
  left_.assign(n, design_.class_weights.at(0));
  pointer_ = table<int>(n, n);
  m_ = 0;
  r_ = 0;
  reference_ = -1;
  departing_.clear();
  going_out_.clear();
  sending_.reset();
  reduction_.reset();
  results_.clear();
}

const arch::SwitchOutputs& SwitchTranscription::cycle(const arch::SwitchInputs& inputs) {
  show();
  credits_at_start_ = credits_;
  input_reserved_.assign(design_.ports, false);
  output_reserved_.assign(design_.ports, false);
  no_new_heads_.reset();
  taken_.clear();

  const bool crossbar = design_.organisation == Organisation::crossbar;
  if (crossbar) {
    for (int i = 0; i < design_.ports; ++i) {
      if (inputs.valid[i] != 0) enter(inputs, i);
    }
    for (Arrival& arrival : arrivals_) write(arrival);
    arrivals_.clear();
  }
  if (design_.collectives()) collectives();
  allocate(requests());

  if (design_.flow_control == arch::FlowControl::ready_valid) {
    for (int o = 0; o < design_.ports; ++o) {
      if (pins_.valid[o] == 0 || inputs.accept[o] == 0) continue;
      departures_[o].pop_front();
      ++credits_[o][0];
    }
  } else {
    for (int o = 0; o < design_.ports; ++o) {
      for (int w = 0; w < design_.virtual_channels; ++w) {
        credits_[o][w] += inputs.accept[o * design_.virtual_channels + w];
      }
    }
  }

  if (crossbar) {
    for (int i = 0; i < design_.ports; ++i) queues_[i][0].flits.clear();
    for (const auto& [i, q] : taken_) pins_.queue[i] = 1;
  } else {
    for (int i = 0; i < design_.ports; ++i) {
      if (inputs.valid[i] != 0) enter(inputs, i);
    }
    std::vector<Arrival> later;
    for (Arrival& arrival : arrivals_) {
      if (arrival.cycle == t_) {
        write(arrival);
      } else {
        later.push_back(arrival);
      }
    }
    arrivals_ = later;
    for (const auto& [i, q] : taken_) {
      --accepted_[i][q];
      ++credits_owed_[i][q];
    }
  }
  ++t_;
  return pins_;
}

// What stands on the outputs in this cycle.
void SwitchTranscription::show() {
  pins_ = arch::SwitchOutputs(layout_);
  for (int o = 0; o < design_.ports; ++o) {
    if (departures_[o].empty() || departures_[o].front().cycle > t_) continue;
    const Departure& departure = departures_[o].front();
    pins_.valid[o] = 1;
    pins_.head[o] = departure.flit.head;
    pins_.tail[o] = departure.flit.tail;
    pins_.vc[o] = static_cast<std::uint8_t>(departure.vc);
    std::ranges::copy(departure.flit.bits, pins_.flit.begin() + o * layout_.flit_words);
    if (design_.flow_control == arch::FlowControl::credit) departures_[o].pop_front();
  }
  if (design_.organisation == Organisation::crossbar) return;
  for (int i = 0; i < design_.ports; ++i) {
    for (int q = 0; q < layout_.queues; ++q) {
      bool high = accepted_[i][q] < design_.buffer_depth;
      if (design_.flow_control == arch::FlowControl::credit) {
        high = credits_owed_[i][q] > 0;
        if (high) --credits_owed_[i][q];
      }
      if (high) pins_.queue[i * layout_.queue_words + q / 64] |= std::uint64_t{1} << (q % 64);
    }
  }
}

int SwitchTranscription::pin_queue(const Flit& flit) const {
  return arch::queue_index(design_, flit.output, flit.vc, flit.op != arch::PacketOp::unicast);
}

int SwitchTranscription::list_of(const Flit& flit) const {
  if (design_.organisation == Organisation::central_buffer) {
    return flit.output * design_.virtual_channels + flit.vc;
  }
  return pin_queue(flit);
}

void SwitchTranscription::enter(const arch::SwitchInputs& inputs, int i) {
  Arrival arrival{t_ + static_cast<std::uint64_t>(timing_.input_stages), i, {}, {}};
  Flit& flit = arrival.flit;
  flit.head = inputs.head[i] != 0;
  flit.tail = inputs.tail[i] != 0;
  flit.vc = design_.virtual_channels == 1 ? 0 : inputs.vc[i];
  const auto first = inputs.flit.begin() + i * layout_.flit_words;
  flit.bits.assign(first, first + layout_.flit_words);
  if (flit.head) {
    const arch::Header header = arch::read_header(design_, flit.bits);
    flit.op = header.op;
    if (header.op == arch::PacketOp::unicast) {
      arrival.choice = arch::route(design_, header, i, position_);
      flit.output = arrival.choice.first;
    }
  } else {
    // A packet's later flits go where its head goes.
    flit.op = last_head_[i][flit.vc].op;
    flit.output = last_head_[i][flit.vc].output;
  }
  if (design_.flow_control == arch::FlowControl::ready_valid &&
      design_.organisation != Organisation::crossbar) {
    const int q = pin_queue(flit);
    if ((pins_.queue[i * layout_.queue_words + q / 64] >> (q % 64) & 1) == 0) return;
  }
  if (flit.head) last_head_[i][flit.vc] = flit;
  if (design_.organisation != Organisation::crossbar) ++accepted_[i][pin_queue(flit)];
  arrivals_.push_back(arrival);
}

void SwitchTranscription::write(Arrival arrival) {
  Flit& flit = arrival.flit;
  int& output_of_packet = written_[arrival.input][flit.vc];
  if (flit.head) {
    output_of_packet = arrival.choice.first;
    const auto credits = [&](int o) { return credits_at_start_[o][flit.vc]; };
    const int second = arrival.choice.second;
    if (second >= 0 && credits(second) > credits(arrival.choice.first)) output_of_packet = second;
  }
  flit.output = output_of_packet;
  queues_[arrival.input][list_of(flit)].flits.push_back(flit);
}

std::optional<int> SwitchTranscription::vc_for_head(const Flit& head) const {
  int room = 1;
  if (design_.switching != arch::Switching::wormhole &&
      design_.flow_control == arch::FlowControl::credit) {
    room = std::min(design_.max_packet_flits, design_.credits);
  }
  for (int w = 0; w < design_.virtual_channels; ++w) {
    const bool permitted = design_.vc_allocation == arch::VcAllocation::keep
                               ? w == head.vc
                               : class_of(w) == class_of(head.vc);
    if (permitted && !held_[head.output][w] && credits_[head.output][w] >= room) return w;
  }
  return std::nullopt;
}

// Steps 1 to 3.
std::vector<SwitchTranscription::Request> SwitchTranscription::requests() {
  std::vector<Request> all;
  for (int i = 0; i < design_.ports; ++i) {
    if (input_reserved_[i]) continue;
    for (int q = 0; q < static_cast<int>(queues_[i].size()); ++q) {
      const Queue& queue = queues_[i][q];
      if (queue.flits.empty()) continue;
      const Flit& flit = queue.flits.front();
      if (flit.op != arch::PacketOp::unicast) continue;
      if (queue.holds) {
        const auto [o, w] = *queue.holds;
        if (output_reserved_[o]) continue;
        if (credits_[o][w] > 0) all.push_back({i, q, o, flit.vc, true, w});
        continue;
      }
      if (output_reserved_[flit.output]) continue;
      if (no_new_heads_[flit.output] && no_new_heads_vc_ == flit.vc) continue;
      if (design_.switching == arch::Switching::store_and_forward &&
          std::ranges::none_of(queue.flits, [](const Flit& f) { return f.tail; })) {
        continue;
      }
      const std::optional<int> w = vc_for_head(flit);
      if (w || design_.speculative_allocation) {
        all.push_back({i, q, flit.output, flit.vc, false, w});
      }
    }
  }
  if (design_.traffic_classes > 1) {
    const int classes = design_.traffic_classes;
    const bool weighted = design_.class_priority == arch::ClassPriority::weighted;
    std::vector<Request> remaining;
    for (int o = 0; o < design_.ports; ++o) {
      std::vector<bool> present(classes);
      for (const Request& request : all) {
        if (request.output == o) present[class_of(request.vc)] = true;
      }
      const int urgent = first_at_or_after(present, weighted ? turn_[o] : 0);
      std::ranges::copy_if(all, std::back_inserter(remaining), [&](const Request& request) {
        return request.output == o && class_of(request.vc) == urgent;
      });
    }
    all = remaining;
  }
  // Where packets under way drop heads, they themselves can be served.
  usable_.assign(design_.ports, false);
  for (const Request& request : all) {
    if (request.out_vc) usable_[request.output] = true;
  }
  std::vector<Request> remaining;
  for (const Request& request : all) {
    const bool dropped = !request.continuing && std::ranges::any_of(all, [&](const Request& other) {
      return other.continuing &&
             (other.output == request.output || (one_an_input() && other.input == request.input &&
                                                 class_of(other.vc) <= class_of(request.vc)));
    });
    if (!dropped) remaining.push_back(request);
  }
  return remaining;
}

// Steps 4 and 5, and the departures.
void SwitchTranscription::allocate(const std::vector<Request>& requests) {
  auto matrix = table<bool>(design_.ports, design_.ports);
  for (const Request& request : requests) matrix[request.input][request.output] = true;
  for (const auto& [i, o] : matching_->match(matrix, usable_)) {
    int& pointer = pointer_[i][o];
    std::vector<bool> candidates(design_.virtual_channels);
    for (const Request& request : requests) {
      if (request.input == i && request.output == o && request.out_vc) {
        candidates[request.vc] = true;
      }
    }
    const int chosen = first_at_or_after(candidates, pointer);
    if (chosen < 0) continue;  // a failed speculation
    pointer = (chosen + 1) % design_.virtual_channels;
    for (const Request& request : requests) {
      if (request.input != i || request.output != o || request.vc != chosen) continue;
      const int w = *request.out_vc;
      const int c = class_of(request.vc);
      const Flit flit = take(i, request.queue);
      Queue& queue = queues_[i][request.queue];
      if (flit.head && !flit.tail) queue.holds = Hold{o, w};
      if (flit.tail) queue.holds.reset();
      put_out(o, w, flit);
      if (c == turn_[o]) {
        --left_[o];
      } else {
        turn_[o] = c;
        left_[o] = design_.class_weights[c] - 1;
      }
      if (left_[o] == 0) {
        turn_[o] = (turn_[o] + 1) % design_.traffic_classes;
        left_[o] = design_.class_weights[turn_[o]];
      }
    }
  }
}

SwitchTranscription::Flit SwitchTranscription::take(int input, int queue) {
  Queue& from = queues_[input][queue];
  const Flit flit = from.flits.front();
  from.flits.pop_front();
  taken_.emplace_back(input, pin_queue(flit));
  return flit;
}

void SwitchTranscription::put_out(int output, int vc, const Flit& flit) {
  take_vc(output, vc, flit);
  show_later(output, vc, flit);
}

void SwitchTranscription::take_vc(int output, int vc, const Flit& flit) {
  if (flit.head && !flit.tail) held_[output][vc] = true;
  if (flit.tail) held_[output][vc] = false;
  --credits_[output][vc];
}

void SwitchTranscription::show_later(int output, int vc, const Flit& flit) {
  Flit leaving = flit;
  if (flit.head) {
    arch::write_header(design_, arch::forwarded(design_, arch::read_header(design_, flit.bits)),
                       leaving.bits);
  }
  departures_[output].push_back(
      {t_ + 1 + static_cast<std::uint64_t>(timing_.output_stages), vc, leaving});
}

// The first queue of an input with the head of a multicast, or of a reduction.
std::optional<int> SwitchTranscription::candidate(int input, bool multicast) const {
  for (int q = 0; q < static_cast<int>(queues_[input].size()); ++q) {
    const Queue& queue = queues_[input][q];
    if (queue.flits.empty()) continue;
    const Flit& flit = queue.flits.front();
    if (!flit.head || flit.op == arch::PacketOp::unicast) continue;
    if ((flit.op == arch::PacketOp::multicast) == multicast) return q;
  }
  return std::nullopt;
}

void SwitchTranscription::collectives() {
  const int n = design_.ports;
  // What was taken in the last cycle departs.
  for (const auto& [i, q] : departing_) {
    take(i, q);
    input_reserved_[i] = true;
  }
  departing_.clear();
  for (const auto& [o, vc, flit] : going_out_) {
    output_reserved_[o] = true;
    show_later(o, vc, flit);
  }
  going_out_.clear();
  if (sending_) no_new_heads_ = sending_->mask;
  no_new_heads_vc_ = sending_ ? sending_->vc : 0;

  const auto in_fifo = [&](const Result& result) { return result.from <= t_; };
  const bool result_is_there = !results_.empty() && in_fifo(results_.front());
  const std::size_t occupied = results_.size();

  // Is a flit of the chosen packet taken?
  bool sends = false;
  if (sending_) {
    sends = sending_->index == n ? result_is_there
                                 : !queues_[sending_->index][sending_->queue].flits.empty();
    for (int o = 0; o < n; ++o) {
      if (!sending_->mask[o]) continue;
      if (credits_[o][sending_->vc] == 0) sends = false;
      if (!sending_->started && held_[o][sending_->vc]) sends = false;
    }
  }
  const int sent_from = sends ? sending_->index : -1;

  // Does a reduction begin?
  if (!reduction_ && reference_ >= 0 && candidate(reference_, false)) {
    const Flit& head = queues_[reference_][*candidate(reference_, false)].flits.front();
    Reduction trial{reference_, head.op, mask_of(head), {}};
    bool complete = true;
    for (int i = 0; i < n; ++i) {
      if (!trial.members[i]) continue;
      const auto q = candidate(i, false);
      if (!q) {
        complete = false;
        break;
      }
      const Flit& other = queues_[i][*q].flits.front();
      complete =
          complete && other.op == head.op && other.vc == head.vc && mask_of(other) == trial.members;
      trial.queues[i] = *q;
    }
    if (complete) reduction_ = trial;
  }
  bool reduces = reduction_ && occupied < static_cast<std::size_t>(4 + tree_registers());
  if (reduction_) {
    for (const auto& [i, q] : reduction_->queues) {
      if (queues_[i][q].flits.empty()) reduces = false;
      if (sent_from == i) reduces = false;
    }
  }

  // The next sender and the next reference see what this cycle began with.
  bool chooses = !sending_;
  if (sends) {
    const Flit flit = sending_->index == n
                          ? results_.front().flit
                          : queues_[sending_->index][sending_->queue].flits.front();
    if (sending_->index == n) {
      results_.pop_front();
    } else {
      departing_.emplace_back(sending_->index, sending_->queue);
    }
    for (int o = 0; o < n; ++o) {
      if (!sending_->mask[o]) continue;
      take_vc(o, sending_->vc, flit);
      going_out_.emplace_back(o, sending_->vc, flit);
    }
    sending_->started = true;
    chooses = flit.tail;
  }
  if (chooses) {
    sending_.reset();
    for (int k = 0; k <= n && !sending_; ++k) {
      const int index = (m_ + k) % (n + 1);
      if (index == n) {
        if (results_.empty() || !in_fifo(results_.front())) continue;
        const Flit& head = results_.front().flit;
        sending_ = Sending{n, 0, head.vc, mask_of(head), false};
      } else if (const auto q = candidate(index, true); q && index != sent_from) {
        const Flit& head = queues_[index][*q].flits.front();
        sending_ = Sending{index, *q, head.vc, mask_of(head), false};
      }
    }
    if (sending_) m_ = (sending_->index + 1) % (n + 1);
  }

  if (reduces) take_for_reduction();
  if (!reduction_) {
    for (int k = 0; k < n; ++k) {
      const int i = (r_ + k) % n;
      if (!candidate(i, false)) continue;
      reference_ = i;
      r_ = (i + 1) % n;
      break;
    }
  }
}

// L
int SwitchTranscription::tree_registers() const {
  int levels = 0;
  while ((1 << levels) < design_.ports) ++levels;
  return 1 + levels;
}

void SwitchTranscription::take_for_reduction() {
  const int reference = reduction_->reference;
  Flit result = queues_[reference][reduction_->queues.at(reference)].flits.front();
  if (result.head) {
    arch::Header header = arch::read_header(design_, result.bits);
    header.op = arch::PacketOp::multicast;
    arch::write_header(design_, header, result.bits);
  }
  for (const auto& [i, queue] : reduction_->queues) {
    const Flit& flit = queues_[i][queue].flits.front();
    departing_.emplace_back(i, queue);
    if (i == reference || flit.head) continue;
    for (int lane = 0; lane < design_.flit_width / 32; ++lane) {
      const int shift = 32 * (lane % 2);
      std::uint64_t& word = result.bits[lane / 2];
      const auto a = static_cast<std::int32_t>(word >> shift);
      const auto b = static_cast<std::int32_t>(flit.bits[lane / 2] >> shift);
      std::int64_t value = static_cast<std::int64_t>(a) + b;
      if (reduction_->op == arch::PacketOp::min) value = std::min(a, b);
      if (reduction_->op == arch::PacketOp::max) value = std::max(a, b);
      word = (word & ~(std::uint64_t{0xffffffff} << shift)) |
             (static_cast<std::uint64_t>(value) & 0xffffffff) << shift;
    }
  }
  results_.push_back({t_ + static_cast<std::uint64_t>(tree_registers()) + 1, result});
  if (result.tail) reduction_.reset();
}

}  // namespace weft::models::testing

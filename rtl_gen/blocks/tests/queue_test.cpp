// SPDX-License-Identifier: Apache-2.0
// FIFOs, queue memory, skid buffer, credit counter and crossbar against queues and counters in C++.
#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "rtl_gen/blocks/credit_counter.h"
#include "rtl_gen/blocks/crossbar.h"
#include "rtl_gen/blocks/fifo.h"
#include "rtl_gen/blocks/queue_memory.h"
#include "rtl_gen/blocks/skid_buffer.h"
#include "rtl_gen/blocks/tests/block_simulation.h"

namespace weft::rtl::test {
namespace {

using hdl::Design;
using hdl::Module;

constexpr int width = 5;
constexpr int cycles = 400;

/// How eager writers and readers are: slow, fast, both at full speed, in turns.
struct Eagerness {
  int write, read;
};
Eagerness eagerness(int cycle) {
  static constexpr Eagerness phases[] = {{100, 100}, {90, 20}, {20, 90},
                                         {100, 0},   {0, 100}, {50, 50}};
  return phases[cycle / 20 % 6];
}

TEST(Fifo, IsAQueueOfAnyDepth) {
  Random random;
  for (const int depth : {1, 2, 3, 5, 8, 9}) {
    std::deque<Bits> queue;
    std::vector<Values> inputs, expected;
    for (int t = 0; t < cycles; ++t) {
      const bool full = static_cast<int>(queue.size()) == depth;
      const bool write = !full && random.chance(eagerness(t).write);
      const bool read = !queue.empty() && random.chance(eagerness(t).read);
      inputs.push_back(
          {{"write_i", bits(write, 1)}, {"data_i", random.draw(width)}, {"read_i", bits(read, 1)}});
      expected.push_back({{"full_o", bits(full, 1)}, {"valid_o", bits(!queue.empty(), 1)}});
      if (!queue.empty()) expected.back()["data_o"] = queue.front();
      if (read) queue.pop_front();
      if (write) queue.push_back(inputs.back().at("data_i"));
    }
    Design design;
    const Module& top = add_fifo(design, "t");
    const auto outputs = simulate(design, top, {{"DEPTH", depth}, {"WIDTH", width}}, inputs);
    for (std::size_t t = 0; t < inputs.size(); ++t)
      for (const auto& [port, value] : expected[t])
        ASSERT_EQ(outputs[t].at(port), value) << port << " depth " << depth << " cycle " << t;
  }
}

TEST(OutputFifo, CountsPlacesFromDepartureUntilTheFlitIsTaken) {
  Random random;
  for (const int delay : {0, 1, 2}) {  // D_out
    const int depth = delay + 2;
    std::deque<Bits> queue;
    std::deque<bool> on_its_way(static_cast<std::size_t>(delay), false);
    int places = depth;
    std::vector<Values> inputs, expected;
    for (int t = 0; t < cycles; ++t) {
      const bool depart = places > 0 && random.chance(eagerness(t).write);
      on_its_way.push_back(depart);
      const bool write = on_its_way.front();
      on_its_way.pop_front();
      const bool ready = random.chance(eagerness(t).read);
      inputs.push_back({{"depart_i", bits(depart, 1)},
                        {"write_i", bits(write, 1)},
                        {"data_i", random.draw(width)},
                        {"ready_i", bits(ready, 1)}});
      expected.push_back({{"room_o", bits(places > 0, 1)}, {"valid_o", bits(!queue.empty(), 1)}});
      if (!queue.empty()) expected.back()["data_o"] = queue.front();
      const bool taken = ready && !queue.empty();
      if (taken) queue.pop_front();
      if (write) queue.push_back(inputs.back().at("data_i"));
      places += taken - depart;
    }
    Design design;
    const Module& top = add_output_fifo(design, "t");
    const auto outputs = simulate(design, top, {{"DEPTH", depth}, {"WIDTH", width}}, inputs);
    for (std::size_t t = 0; t < inputs.size(); ++t)
      for (const auto& [port, value] : expected[t])
        ASSERT_EQ(outputs[t].at(port), value) << port << " depth " << depth << " cycle " << t;
  }
}

TEST(SkidBuffer, LosesNothingAndRegistersBothDirections) {
  Random random;
  std::deque<Bits> queue;
  std::vector<Values> inputs, expected;
  for (int t = 0; t < cycles; ++t) {
    const bool valid = random.chance(eagerness(t).write);
    const bool ready = random.chance(eagerness(t).read);
    inputs.push_back(
        {{"valid_i", bits(valid, 1)}, {"data_i", random.draw(width)}, {"ready_i", bits(ready, 1)}});
    const bool accepts = queue.size() < 2;
    expected.push_back({{"ready_o", bits(accepts, 1)}, {"valid_o", bits(!queue.empty(), 1)}});
    if (!queue.empty()) expected.back()["data_o"] = queue.front();
    if (ready && !queue.empty()) queue.pop_front();
    if (valid && accepts) queue.push_back(inputs.back().at("data_i"));
  }
  Design design;
  const Module& top = add_skid_buffer(design, "t");
  const auto outputs = simulate(design, top, {{"WIDTH", width}}, inputs);
  for (std::size_t t = 0; t < inputs.size(); ++t)
    for (const auto& [port, value] : expected[t])
      ASSERT_EQ(outputs[t].at(port), value) << port << " cycle " << t;
}

class QueueMemory : public testing::TestWithParam<QueueMemoryKind> {};

TEST_P(QueueMemory, IsManyQueuesWhoseHeadsAreSeen) {
  Random random;
  constexpr int flags = 3;
  for (const auto& [queues, depth] : {std::pair{1, 1}, {1, 4}, {2, 1}, {2, 8}, {3, 3}, {5, 2}}) {
    struct Word {
      Bits data, flags;
    };
    std::vector<std::deque<Word>> queue(static_cast<std::size_t>(queues));
    std::vector<Values> inputs, expected;
    std::vector<std::vector<Bits>> heads;
    Bits leaving;                                       // late: what was read in the last cycle
    std::vector<std::deque<Bits>> taken(queue.size());  // ahead: and not read
    for (int t = 0; t < cycles; ++t) {
      Bits full, nonempty;
      std::vector<Bits> head;
      for (std::size_t k = 0; k < queue.size(); ++k) {
        const auto& q = queue[k];
        full += static_cast<int>(q.size() + taken[k].size()) == depth ? '1' : '0';
        nonempty += q.empty() ? '0' : '1';
        head.push_back(q.empty() ? "" : q.front().flags);
      }
      const auto w = static_cast<std::size_t>(random.below(queues));
      const auto r = static_cast<std::size_t>(random.below(queues));
      const bool write = full[w] == '0' && random.chance(eagerness(t).write);
      const bool ahead = GetParam().ahead;
      std::uint64_t takes = 0;
      for (std::size_t q = 0; ahead && q < queue.size(); ++q) {
        if (queue[q].empty() || !random.chance(eagerness(t).read)) continue;
        takes |= 1ULL << q;
        taken[q].push_back(queue[q].front().data);
        queue[q].pop_front();
      }
      const bool read =
          (ahead ? !taken[r].empty() : nonempty[r] == '1') && random.chance(eagerness(t).read);
      const Word word{random.draw(width), random.draw(flags)};
      inputs.push_back({{"write_i", bits(write ? 1ULL << w : 0, queues)},
                        {"data_i", word.data},
                        {"flags_i", word.flags},
                        {"read_i", bits(read ? 1ULL << r : 0, queues)}});
      if (ahead) inputs.back()["take_i"] = bits(takes, queues);
      expected.push_back({{"full_o", full}, {"nonempty_o", nonempty}});
      heads.push_back(head);
      if (!leaving.empty()) expected.back()["data_o"] = leaving;
      leaving.clear();
      if (read) {
        Bits& seen = GetParam().late ? leaving : expected.back()["data_o"];
        if (ahead) {
          seen = taken[r].front();
          taken[r].pop_front();
        } else {
          seen = queue[r].front().data;
          queue[r].pop_front();
        }
      }
      if (write) queue[w].push_back(word);
    }
    Design design;
    const Module& top = add_queue_memory(design, "t", GetParam());
    const auto outputs = simulate(
        design, top, {{"QUEUES", queues}, {"DEPTH", depth}, {"WIDTH", width}, {"FLAGS", flags}},
        inputs);
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      for (const auto& [port, value] : expected[t])
        ASSERT_EQ(outputs[t].at(port), value)
            << port << ", " << queues << " x " << depth << " cycle " << t;
      for (std::size_t q = 0; q < heads[t].size(); ++q)
        if (!heads[t][q].empty())
          ASSERT_EQ(outputs[t].at("flags_o").substr(q * flags, flags), heads[t][q]) << q;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, QueueMemory,
                         testing::Values(QueueMemoryKind{}, QueueMemoryKind{.late = true},
                                         QueueMemoryKind{.gated_clocks = true},
                                         QueueMemoryKind{.ahead = true},
                                         QueueMemoryKind{.late = true, .ahead = true}),
                         [](const auto& info) {
                           return std::string(info.param.ahead && info.param.late ? "ahead_late"
                                              : info.param.ahead                  ? "ahead"
                                              : info.param.late                   ? "late"
                                              : info.param.gated_clocks           ? "gated_clocks"
                                                                                  : "plain");
                         });

TEST(CreditCounter, CountsAndTakesBothChangesAtOnce) {
  Random random;
  for (const auto& [initial, room] : {std::pair{1, 1}, {2, 2}, {3, 2}, {7, 1}, {8, 5}, {8, 8}}) {
    int count = initial;
    std::vector<Values> inputs;
    std::vector<int> counts;
    for (int t = 0; t < cycles; ++t) {
      const bool take = count > 0 && random.chance(eagerness(t).write);
      const bool give = count < initial && random.chance(eagerness(t).read);
      inputs.push_back({{"take_i", bits(take, 1)}, {"give_i", bits(give, 1)}});
      counts.push_back(count);
      count += give - take;
    }
    Design design;
    const Module& top = add_credit_counter(design, "t");
    const auto outputs = simulate(design, top, {{"INITIAL", initial}, {"ROOM", room}}, inputs);
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      const int width_of_count = static_cast<int>(outputs[t].at("count_o").size());
      ASSERT_EQ(number(outputs[t].at("count_o"), 0, width_of_count),
                static_cast<std::uint64_t>(counts[t]));
      ASSERT_EQ(is_set(outputs[t].at("credit_o"), 0), counts[t] >= 1);
      ASSERT_EQ(is_set(outputs[t].at("room_o"), 0), counts[t] >= room) << initial << " " << room;
    }
  }
}

TEST(Crossbar, JoinsEachOutputToItsInput) {
  Random random;
  for (const auto& [in, out] : {std::pair{1, 1}, {1, 3}, {4, 1}, {5, 7}, {8, 8}}) {
    std::vector<Values> inputs;
    std::vector<std::vector<int>> sources;
    for (int t = 0; t < 100; ++t) {
      Bits select(static_cast<std::size_t>(in * out), '0');
      sources.emplace_back();
      for (int o = 0; o < out; ++o) {
        const int i = random.below(in + 1) - 1;
        sources.back().push_back(i);
        if (i >= 0) select[static_cast<std::size_t>(i * out + o)] = '1';
      }
      inputs.push_back({{"select_i", select}, {"data_i", random.draw(in * width)}});
    }
    Design design;
    const Module& top = add_crossbar(design, "t");
    const auto outputs =
        simulate(design, top, {{"INPUTS", in}, {"OUTPUTS", out}, {"WIDTH", width}}, inputs);
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      for (int o = 0; o < out; ++o) {
        const int i = sources[t][static_cast<std::size_t>(o)];
        ASSERT_EQ(number(outputs[t].at("data_o"), o * width, width),
                  i < 0 ? 0 : number(inputs[t].at("data_i"), i * width, width));
      }
    }
  }
}

}  // namespace
}  // namespace weft::rtl::test

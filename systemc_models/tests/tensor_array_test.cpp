// SPDX-License-Identifier: Apache-2.0
// The TLM-2.0 module: the same results at the same times as the predictor, loosely and
// approximately timed, whatever the quantum; payloads that are not commands; debug transport.
#include "systemc_models/tensor_array.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>

#include "systemc_models/payload_pool.h"
#include "systemc_models/tensor_array_client.h"
#include "systemc_models/tensor_array_predictor.h"
#include "systemc_models/tests/random_experiments.h"
#include "systemc_models/tests/systemc_main.h"

namespace weft::models {
namespace {

namespace address = tensor_array_address;
using sc_core::sc_time;
using testing::run_in_child;

void expect(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

// An experiment without gaps and back pressure, and what must come of it.
struct Experiment {
  arch::TensorArray array;
  arch::Traffic traffic;
  Prediction prediction;
  sc_time period;

  std::vector<sc_time> ends(const std::vector<std::uint64_t>& cycles) const {
    std::vector<sc_time> times;
    times.reserve(cycles.size());
    for (const std::uint64_t cycle : cycles) {
      times.push_back(sc_time::from_value((cycle + 1) * period.value()));
    }
    return times;
  }
  // Of column 0.
  std::vector<sc_time> result_ends() const {
    std::vector<std::uint64_t> cycles;
    for (std::size_t i = 0; i < prediction.results(); ++i) {
      cycles.push_back(prediction.result(i).cycle);
    }
    return ends(cycles);
  }
};

Experiment any_experiment() {
  Experiment experiment;
  experiment.array = testing::any_array();
  experiment.traffic = testing::any_traffic(experiment.array);
  experiment.traffic.stationary_gaps.clear();
  experiment.traffic.moving_gaps.clear();
  experiment.traffic.ready.clear();
  TensorArrayPredictor(experiment.array).predict(experiment.traffic, experiment.prediction);
  experiment.period = sc_time(*rc::gen::element(1000.0, 333.0), sc_core::SC_PS);
  return experiment;
}

void append(std::vector<sc_time>& to, const std::vector<sc_time>& times) {
  to.insert(to.end(), times.begin(), times.end());
}

// Loads, multiplications and reads in threads of their own.
class LooselyTimed : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(LooselyTimed);
  LooselyTimed(const sc_core::sc_module_name& name, const Experiment& experiment)
      : sc_module(name), socket("socket"), e_(experiment) {
    if (!e_.array.output_stationary()) SC_THREAD(load);
    SC_THREAD(multiply);
    SC_THREAD(read);
  }

  tlm_utils::simple_initiator_socket<LooselyTimed> socket;

  void check() const {
    expect(loads_ == e_.ends(e_.array.output_stationary() ? std::vector<std::uint64_t>{}
                                                          : e_.prediction.stationary_cycles),
           "load times");
    expect(multiplications_ == e_.ends(e_.prediction.moving_cycles), "multiplication times");
    expect(results_.times == e_.result_ends(), "result times");
    expect(results_.data == e_.prediction.result_data, "data");
    expect(results_.tags == e_.prediction.result_tags, "tags");
    expect(results_.last == std::vector<bool>(e_.prediction.result_last.begin(),
                                              e_.prediction.result_last.end()),
           "last");
    expect(read_complete_ == e_.result_ends().back(), "duration of the read");
  }

 private:
  void load() {
    TensorArrayClient client(socket, e_.array);
    for (const arch::Tile& tile : e_.traffic.tiles) {
      client.load_stationary(tile.stationary);
      append(loads_, client.beat_times());
      expect(client.local_time() == loads_.back(), "duration of a load");
    }
  }

  // In two commands, where a tile has beats enough.
  void multiply() {
    TensorArrayClient client(socket, e_.array);
    for (const arch::Tile& tile : e_.traffic.tiles) {
      const auto beats = static_cast<std::size_t>(tile.beats);
      if (beats > 1) part(client, tile, 0, beats / 2, false);
      part(client, tile, beats / 2, beats - beats / 2, true);
    }
  }

  void part(TensorArrayClient& client, const arch::Tile& tile, std::size_t first, std::size_t count,
            bool last) {
    const auto beats = static_cast<std::size_t>(tile.beats);
    const std::size_t moving = tile.moving.size() / beats;
    const auto moving_part = std::span(tile.moving).subspan(first * moving, count * moving);
    const auto tags = std::span(tile.tags).subspan(first, count);
    if (e_.array.output_stationary()) {
      const std::size_t stationary = tile.stationary.size() / beats;
      client.step(std::span(tile.stationary).subspan(first * stationary, count * stationary),
                  moving_part, tags, last);
    } else {
      client.multiply_moving(moving_part, tags, last);
    }
    append(multiplications_, client.beat_times());
    expect(client.local_time() == multiplications_.back(), "duration of a multiplication");
  }

  void read() {
    TensorArrayClient client(socket, e_.array);
    results_ = client.read_results(e_.prediction.results());
    read_complete_ = client.local_time();
  }

  const Experiment& e_;
  std::vector<sc_time> loads_;
  std::vector<sc_time> multiplications_;
  TimedResults results_;
  sc_time read_complete_;
};

// Sends all commands as fast as the protocol allows and answers each phase.
class ApproximatelyTimed : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(ApproximatelyTimed);
  ApproximatelyTimed(const sc_core::sc_module_name& name, const Experiment& experiment)
      : sc_module(name), socket("socket"), e_(experiment), data_(e_.prediction.result_data.size()) {
    socket.register_nb_transport_bw(this, &ApproximatelyTimed::nb_transport_bw);
    SC_THREAD(run);
  }

  tlm_utils::simple_initiator_socket<ApproximatelyTimed> socket;

  void check() const {
    expect(responses_ == sent_, "every command has its response");
    expect(data_ == e_.prediction.result_data, "data");
    std::vector<sc_time> loads;
    std::vector<sc_time> multiplications;
    for (const Command& command : commands_) {
      const auto& times = command.extension.beat_times;
      expect(command.responded == times.back(), "the response comes with the last beat");
      if (command.address == address::load_stationary) append(loads, times);
      if (command.address == address::multiply_moving || command.address == address::step) {
        append(multiplications, times);
      }
      if (command.address == address::results) {
        expect(times == e_.result_ends(), "result times");
        expect(command.extension.result_tags == e_.prediction.result_tags, "tags");
      }
    }
    expect(multiplications == e_.ends(e_.prediction.moving_cycles), "multiplication times");
    if (!e_.array.output_stationary()) {
      expect(loads == e_.ends(e_.prediction.stationary_cycles), "load times");
    }
  }

 private:
  struct Command {
    std::uint64_t address = 0;
    std::vector<std::int32_t> elements;
    TileExtension extension;
    sc_time responded;
  };

  void run() {
    // Reads first, loads of all tiles before the first multiplication: the target queues them.
    add(address::results, {});
    for (const arch::Tile& tile : e_.traffic.tiles) {
      if (!e_.array.output_stationary()) add(address::load_stationary, tile.stationary);
    }
    for (const arch::Tile& tile : e_.traffic.tiles) {
      const bool steps = e_.array.output_stationary();
      add(steps ? address::step : address::multiply_moving, steps ? joint(tile) : tile.moving);
      commands_.back().extension.tags = tile.tags;
    }
    for (Command& command : commands_) send(command);
  }

  void add(std::uint64_t at, std::vector<std::int32_t> elements) {
    commands_.emplace_back();
    commands_.back().address = at;
    commands_.back().elements = std::move(elements);
  }

  std::vector<std::int32_t> joint(const arch::Tile& tile) const {
    const auto beats = static_cast<std::size_t>(tile.beats);
    const auto moving = static_cast<std::ptrdiff_t>(tile.moving.size() / beats);
    const auto stationary = static_cast<std::ptrdiff_t>(tile.stationary.size() / beats);
    std::vector<std::int32_t> elements;
    for (std::ptrdiff_t i = 0; i < tile.beats; ++i) {
      const auto m = tile.moving.begin() + i * moving;
      const auto s = tile.stationary.begin() + i * stationary;
      elements.insert(elements.end(), m, m + moving);
      elements.insert(elements.end(), s, s + stationary);
    }
    return elements;
  }

  void send(Command& command) {
    tlm::tlm_generic_payload& payload = pool_.allocate();
    const bool read = command.address == address::results;
    auto* data = read ? reinterpret_cast<unsigned char*>(data_.data())
                      : reinterpret_cast<unsigned char*>(command.elements.data());
    const auto length =
        static_cast<unsigned>(read ? data_.size() * sizeof(std::int64_t)
                                   : command.elements.size() * sizeof(std::int32_t));
    payload.set_command(read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    payload.set_address(command.address);
    payload.set_data_ptr(data);
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    payload.set_extension(&command.extension);
    by_payload_[&payload] = &command;
    phase_of_[&payload] = tlm::BEGIN_REQ;
    ++sent_;

    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload, phase, delay);
    expect(status == tlm::TLM_ACCEPTED, "four phases");
    if (phase_of_[&payload] == tlm::BEGIN_REQ) wait(request_ended_);
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_time& /*delay*/) {
    tlm::tlm_phase& last = phase_of_[&payload];
    if (phase == tlm::END_REQ) {
      expect(last == tlm::BEGIN_REQ, "END_REQ follows BEGIN_REQ");
      last = phase;
      request_ended_.notify();
      return tlm::TLM_ACCEPTED;
    }
    expect(phase == tlm::BEGIN_RESP && last == tlm::END_REQ, "BEGIN_RESP follows END_REQ");
    expect(payload.is_response_ok(), "response");
    Command& command = *by_payload_[&payload];
    command.responded = sc_core::sc_time_stamp();
    ++responses_;
    payload.clear_extension(&command.extension);
    phase = tlm::END_RESP;
    payload.release();
    return tlm::TLM_UPDATED;
  }

  const Experiment& e_;
  std::vector<std::int64_t> data_;
  PayloadPool pool_;
  std::deque<Command> commands_;
  std::map<tlm::tlm_generic_payload*, Command*> by_payload_;
  std::map<tlm::tlm_generic_payload*, tlm::tlm_phase> phase_of_;
  sc_core::sc_event request_ended_;
  std::size_t sent_ = 0;
  std::size_t responses_ = 0;
};

template <typename Initiator>
void run(const Experiment& experiment) {
  TensorArrayModule target("target", experiment.array, experiment.period);
  Initiator initiator("initiator", experiment);
  initiator.socket.bind(target.socket);
  sc_core::sc_start();
  initiator.check();
}

RC_GTEST_PROP(TensorArrayModule, LooselyTimedEqualsThePredictor, ()) {
  const Experiment experiment = any_experiment();
  const auto quantum = *rc::gen::element<std::uint64_t>(0, 1, 7, 1000);
  RC_ASSERT(run_in_child([&] {
    tlm::tlm_global_quantum::instance().set(
        sc_time::from_value(quantum * experiment.period.value()));
    run<LooselyTimed>(experiment);
  }));
}

RC_GTEST_PROP(TensorArrayModule, ApproximatelyTimedEqualsThePredictor, ()) {
  const Experiment experiment = any_experiment();
  RC_ASSERT(run_in_child([&] { run<ApproximatelyTimed>(experiment); }));
}

// Runs a body in a thread that is bound to a target.
class Bench : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Bench);
  Bench(const sc_core::sc_module_name& name, std::function<void(Bench&)> body)
      : sc_module(name), socket("socket"), body_(std::move(body)) {
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<Bench> socket;

  static bool simulate(const arch::TensorArray& array, std::function<void(Bench&)> body) {
    return run_in_child([&] {
      sc_core::sc_report_handler::set_actions("/weft/tensor_array", sc_core::SC_WARNING,
                                              sc_core::SC_DO_NOTHING);
      TensorArrayModule target("target", array, sc_time(1, sc_core::SC_NS));
      Bench bench("bench", std::move(body));
      bench.socket.bind(target.socket);
      sc_core::sc_start();
      expect(bench.done_, "the thread ends");
    });
  }

 private:
  void run() {
    body_(*this);
    done_ = true;
  }
  std::function<void(Bench&)> body_;
  bool done_ = false;
};

arch::TensorArray small_array(arch::Dataflow dataflow = arch::Dataflow::weight_stationary) {
  arch::TensorArray array;
  array.rows = 2;
  array.cols = 3;
  array.dataflow = dataflow;
  array.accumulator_width = 20;
  return array;
}

// A good MultiplyMoving of one vector, for tests to spoil.
struct GoodPayload : tlm::tlm_generic_payload {
  GoodPayload() {
    set_command(tlm::TLM_WRITE_COMMAND);
    set_address(address::multiply_moving);
    set_data_ptr(reinterpret_cast<unsigned char*>(elements.data()));
    set_length(2 * sizeof(std::int32_t));
    set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  void set_length(std::size_t length) {
    set_data_length(static_cast<unsigned>(length));
    set_streaming_width(static_cast<unsigned>(length));
  }
  std::array<std::int32_t, 16> elements{};
};

tlm::tlm_response_status response(Bench& bench, tlm::tlm_generic_payload& payload) {
  sc_time delay = sc_core::SC_ZERO_TIME;
  bench.socket->b_transport(payload, delay);
  expect(delay == sc_core::SC_ZERO_TIME, "an error takes no time");
  return payload.get_response_status();
}

TEST(TensorArrayModule, AnswersBadPayloadsPrecisely) {
  EXPECT_TRUE(Bench::simulate(small_array(), [](Bench& bench) {
    const auto answers = [&](tlm::tlm_response_status status, const char* what,
                             const std::function<void(GoodPayload&)>& spoil) {
      GoodPayload payload;
      spoil(payload);
      expect(response(bench, payload) == status, what);
    };
    answers(tlm::TLM_ADDRESS_ERROR_RESPONSE, "address", [](auto& p) { p.set_address(4); });
    answers(tlm::TLM_ADDRESS_ERROR_RESPONSE, "a step on a weight stationary array",
            [](auto& p) { p.set_address(address::step); });
    answers(tlm::TLM_COMMAND_ERROR_RESPONSE, "read of a write command",
            [](auto& p) { p.set_command(tlm::TLM_READ_COMMAND); });
    answers(tlm::TLM_COMMAND_ERROR_RESPONSE, "ignore command",
            [](auto& p) { p.set_command(tlm::TLM_IGNORE_COMMAND); });
    answers(tlm::TLM_COMMAND_ERROR_RESPONSE, "write of results",
            [](auto& p) { p.set_address(address::results); });
    std::array<unsigned char, 4> enables{};
    answers(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "byte enables",
            [&](auto& p) { p.set_byte_enable_ptr(enables.data()); });
    answers(tlm::TLM_BURST_ERROR_RESPONSE, "no data", [](auto& p) { p.set_data_ptr(nullptr); });
    answers(tlm::TLM_BURST_ERROR_RESPONSE, "empty", [](auto& p) { p.set_length(0); });
    answers(tlm::TLM_BURST_ERROR_RESPONSE, "half a vector", [](auto& p) { p.set_length(4); });
    answers(tlm::TLM_BURST_ERROR_RESPONSE, "streaming", [](auto& p) { p.set_streaming_width(4); });
    answers(tlm::TLM_BURST_ERROR_RESPONSE, "two tiles at once", [](auto& p) {
      p.set_address(address::load_stationary);
      p.set_length(12 * sizeof(std::int32_t));
    });
    answers(tlm::TLM_GENERIC_ERROR_RESPONSE, "element out of range",
            [](auto& p) { p.elements[1] = 128; });
    TileExtension extension;
    extension.tags = {256};
    GoodPayload payload;
    payload.set_extension(&extension);
    expect(response(bench, payload) == tlm::TLM_GENERIC_ERROR_RESPONSE, "tag out of range");
    payload.clear_extension(&extension);
  }));
  EXPECT_TRUE(Bench::simulate(small_array(arch::Dataflow::output_stationary), [](Bench& bench) {
    GoodPayload payload;
    expect(response(bench, payload) == tlm::TLM_ADDRESS_ERROR_RESPONSE, "vectors without steps");
  }));
}

TEST(TensorArrayModule, WorksWithoutTheExtension) {
  EXPECT_TRUE(Bench::simulate(small_array(), [](Bench& bench) {
    sc_time delay = sc_core::SC_ZERO_TIME;
    GoodPayload tile;
    tile.set_address(address::load_stationary);
    tile.set_length(6 * sizeof(std::int32_t));
    std::iota(tile.elements.begin(), tile.elements.end(), 1);
    bench.socket->b_transport(tile, delay);
    expect(tile.is_response_ok() && delay == sc_time(2, sc_core::SC_NS), "two load beats");
    GoodPayload vector;
    vector.elements[0] = 10;
    vector.elements[1] = 100;
    bench.socket->b_transport(vector, delay);
    expect(vector.is_response_ok() && delay == sc_time(3, sc_core::SC_NS), "one vector");
    // The vector was accepted in cycle 2; HR + HC + 2 = 5 cycles later its result leaves.
    std::array<std::int64_t, 3> sums{};
    GoodPayload read;
    read.set_command(tlm::TLM_READ_COMMAND);
    read.set_address(address::results);
    read.set_data_ptr(reinterpret_cast<unsigned char*>(sums.data()));
    read.set_length(sizeof sums);
    bench.socket->b_transport(read, delay);
    expect(read.is_response_ok() && delay == sc_time(8, sc_core::SC_NS), "its result");
    expect(sums[0] == 410 && sums[1] == 520 && sums[2] == 630, "the sums");
  }));
}

TEST(TensorArrayModule, TakesABeatOfferedWithinACycleInTheNext) {
  EXPECT_TRUE(Bench::simulate(small_array(), [](Bench& bench) {
    sc_core::wait(sc_time(2, sc_core::SC_NS));
    sc_time delay(100, sc_core::SC_PS);
    GoodPayload tile;
    tile.set_address(address::load_stationary);
    tile.set_length(6 * sizeof(std::int32_t));
    bench.socket->b_transport(tile, delay);
    // Offered in cycle 2, counted from cycle 3 on, where the first of two beats moves.
    expect(delay == sc_time(3, sc_core::SC_NS), "the end of cycle 4");
  }));
}

TEST(TensorArrayModule, DebugTransportTakesNothing) {
  EXPECT_TRUE(Bench::simulate(small_array(), [](Bench& bench) {
    TensorArrayClient client(bench.socket, small_array());
    client.load_stationary(std::vector<std::int32_t>{1, 2, 3, 4, 5, 6});
    client.multiply_moving(std::vector<std::int32_t>{1, 0, 0, 1});
    std::array<std::int64_t, 6> sums{};
    GoodPayload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(address::results);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(sums.data()));
    payload.set_length(sizeof sums);
    for (int twice = 0; twice < 2; ++twice) {
      expect(bench.socket->transport_dbg(payload) == sizeof sums, "bytes");
      expect(sums[0] == 1 && sums[5] == 6, "the results");
    }
    expect(client.read_results(2).data == std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}, "taken");
    expect(bench.socket->transport_dbg(payload) == 0, "nothing left");
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    expect(bench.socket->transport_dbg(payload) == 0, "no debug writes");
  }));
}

TEST(TensorArrayClient, ReportsErrors) {
  EXPECT_TRUE(Bench::simulate(small_array(), [](Bench& bench) {
    TensorArrayClient client(bench.socket, small_array());
    bool reported = false;
    try {
      client.load_stationary(std::vector<std::int32_t>{1, 2, 3});
    } catch (const sc_core::sc_report& report) {
      reported = std::string(report.get_msg()).find("TLM_BURST_ERROR") != std::string::npos;
    }
    expect(reported, "the burst error");
  }));
}

}  // namespace
}  // namespace weft::models

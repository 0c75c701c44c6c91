// SPDX-License-Identifier: Apache-2.0
//
// The RTL in the place of the model: the same initiators, the same times, the same results.
#include "testbenches/tensor_array/rtl_module.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdlib>

#include "systemc_models/tensor_array.h"
#include "systemc_models/tensor_array_client.h"
#include "testbenches/tensor_array/dut_ports.h"
#include "testbenches/tensor_array/tests/reference_rtl.h"
#include "testbenches/tensor_array/tile_data.h"
#include "verif/dut_builder.h"

namespace weft::verif {
namespace {

using sc_core::sc_time;

/// A small platform: loads, multiplications and reads in threads of their own, with pauses.
class Initiator : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Initiator);
  Initiator(const sc_core::sc_module_name& name, const arch::TensorArray& array,
            const std::vector<arch::Tile>& tiles, const sc_time& period)
      : sc_module(name), socket("socket"), array_(array), tiles_(tiles), period_(period) {
    SC_THREAD(load);
    SC_THREAD(multiply);
    SC_THREAD(read);
  }

  tlm_utils::simple_initiator_socket<Initiator> socket;
  std::vector<sc_time> loads, vectors, results;
  std::vector<std::int64_t> data;
  std::vector<std::uint64_t> tags;
  sc_time finished;

 private:
  static void append(std::vector<sc_time>& to, const std::vector<sc_time>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }

  /// Pauses of up to 40 periods, not all of them whole.
  void pause(Random& random) {
    if (random.chance(50)) wait(period_ * static_cast<double>(random.below(80)) * 0.5);
  }

  void load() {
    models::TensorArrayClient client(socket, array_);
    Random random(1);
    for (const arch::Tile& tile : tiles_) {
      client.load_stationary(tile.stationary);
      append(loads, client.beat_times());
      client.sync();
      pause(random);
    }
  }

  void multiply() {
    models::TensorArrayClient client(socket, array_);
    Random random(2);
    for (const arch::Tile& tile : tiles_) {
      client.multiply_moving(tile.moving, tile.tags);
      append(vectors, client.beat_times());
      client.sync();
      pause(random);
    }
  }

  void read() {
    models::TensorArrayClient client(socket, array_);
    Random random(3);
    for (const arch::Tile& tile : tiles_) {
      const models::TimedResults read = client.read_results(static_cast<std::size_t>(tile.beats));
      append(results, read.times);
      data.insert(data.end(), read.data.begin(), read.data.end());
      tags.insert(tags.end(), read.tags.begin(), read.tags.end());
      client.sync();
      pause(random);
    }
    finished = sc_core::sc_time_stamp();
  }

  const arch::TensorArray& array_;
  const std::vector<arch::Tile>& tiles_;
  sc_time period_;
};

TEST(TensorArrayRtl, TakesThePlaceOfTheModel) {
  setenv("WEFT_CACHE", WEFT_BINARY_DIR "/test-cache", 1);
  arch::TensorArray array;
  array.rows = 4;
  array.cols = 5;
  array = arch::resolved(array);
  std::vector<arch::Tile> tiles;
  Random random(99);
  for (int i = 0; i < 60; ++i) {
    tiles.push_back(
        make_tile(array, TileData::random, static_cast<int>(random.between(1, 30)), random));
  }
  const ArrayRtl rtl = reference_rtl(array);
  const DutDescription dut = describe_array(array, rtl.files, rtl.top, rtl.parameters);
  const sc_time period(1, sc_core::SC_NS);

  models::TensorArrayModule model("model", array, period);
  TensorArrayRtl hardware("hardware", array, dut, build_dut(dut).library, period);
  Initiator with_model("with_model", array, tiles, period);
  Initiator with_hardware("with_hardware", array, tiles, period);
  with_model.socket.bind(model.socket);
  with_hardware.socket.bind(hardware.socket);
  sc_core::sc_start();

  EXPECT_GT(with_model.data.size(), 2000U);
  EXPECT_EQ(with_hardware.data, with_model.data);
  EXPECT_EQ(with_hardware.tags, with_model.tags);
  EXPECT_EQ(with_hardware.loads, with_model.loads);
  EXPECT_EQ(with_hardware.vectors, with_model.vectors);
  EXPECT_EQ(with_hardware.results, with_model.results);
  EXPECT_EQ(with_hardware.finished, with_model.finished);
}

}  // namespace
}  // namespace weft::verif

int sc_main(int argc, char** argv) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
//
// The engine against small hand-written modules and against tools that misbehave.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "verif/dut.h"
#include "verif/dut_builder.h"
#include "verif/waveform.h"

namespace weft::verif {
namespace {
namespace fs = std::filesystem;

/// Adds pairs of operands; one register, stalls while the result is not taken.
constexpr const char* join_add = R"(module join_add #(
    parameter W = 8
) (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire         a_valid_i,
    output wire         a_ready_o,
    input  wire [W-1:0] a_data_i,
    input  wire         b_valid_i,
    output wire         b_ready_o,
    input  wire [W-1:0] b_data_i,
    output reg          sum_valid_o,
    input  wire         sum_ready_i,
    output reg  [W:0]   sum_data_o
);
  wire advance = sum_ready_i | ~sum_valid_o;
  wire take    = a_valid_i & b_valid_i & advance;
  assign a_ready_o = advance & b_valid_i;
  assign b_ready_o = advance & a_valid_i;
  always @(posedge clk_i) begin
    if (!rst_ni) sum_valid_o <= 1'b0;
    else if (advance) sum_valid_o <= take;
    if (take) sum_data_o <= {1'b0, a_data_i} + {1'b0, b_data_i};
  end
endmodule
)";

DutDescription join_add_dut(int width) {
  DutDescription dut;
  dut.top = "join_add";
  dut.files = {{"join_add.v", join_add}};
  dut.parameters = {{"W", std::to_string(width)}};
  for (const std::string name : {"a", "b"}) {
    dut.sources.push_back(
        {name, name + "_valid_i", name + "_ready_o", {{name + "_data_i", width, {}}}, {}});
  }
  dut.sinks = {{"sum", "sum_valid_o", "sum_ready_i", {{"sum_data_o", width + 1, {}}}, {}}};
  return dut;
}

/// A private cache that outlives a test case only when asked to: building the runtime once is
/// enough.
class EngineTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_cache_ = fs::path(WEFT_BINARY_DIR) / "test-cache";
    setenv("WEFT_CACHE", shared_cache_.c_str(), 1);
  }
  void SetUp() override {
    scratch_ = fs::temp_directory_path() / ("weft-engine-" + std::to_string(getpid()));
    fs::remove_all(scratch_);
    fs::create_directories(scratch_);
  }
  void TearDown() override { fs::remove_all(scratch_); }

  /// A design whose text nobody has built before.
  static DutDescription fresh(DutDescription dut) {
    dut.files[0].text += "// " + std::to_string(std::random_device{}()) + "\n";
    return dut;
  }

  std::string script(const std::string& name, const std::string& body) const {
    const fs::path path = scratch_ / name;
    std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }

  static std::string failure(const DutDescription& dut, const BuildOptions& options) {
    try {
      static_cast<void>(build_dut(dut, options));
    } catch (const ToolError& error) {
      return error.what();
    }
    return "no ToolError";
  }

  static fs::path shared_cache_;
  fs::path scratch_;
};

fs::path EngineTest::shared_cache_;

SourceBeats bytes_of(const std::vector<std::uint64_t>& values, std::size_t stride) {
  SourceBeats beats;
  beats.count = values.size();
  beats.beats.resize(values.size() * stride);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::memcpy(beats.beats.data() + i * stride, &values[i], sizeof(std::uint64_t));
  }
  return beats;
}

TEST(BeatLayout, FollowsVerilatorsContainers) {
  const BeatLayout layout =
      beat_layout({"s",
                   "v",
                   "r",
                   {{"a", 3, {}}, {"b", 9, {}}, {"c", 33, {}}, {"d", 65, {}}, {"e", 1, {}}},
                   {}});
  const std::vector<std::size_t> offsets = {0, 2, 8, 16, 28};
  const std::vector<std::size_t> bytes = {1, 2, 8, 12, 1};
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    EXPECT_EQ(layout.fields[i].offset, offsets[i]);
    EXPECT_EQ(layout.fields[i].bytes, bytes[i]);
  }
  EXPECT_EQ(layout.stride, 32U);
}

/// The registered adder, cycle by cycle, from its description above.
struct JoinAddModel {
  std::vector<std::uint64_t> sums, sum_cycles, accept_cycles;

  JoinAddModel(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b,
               const std::vector<std::uint32_t>& a_gaps, const std::vector<std::uint32_t>& b_gaps,
               const std::vector<std::uint8_t>& ready, std::uint64_t cycles) {
    std::uint64_t a_from = a_gaps.empty() ? 0 : a_gaps[0];
    std::uint64_t b_from = b_gaps.empty() ? 0 : b_gaps[0];
    bool valid = false;
    std::uint64_t held = 0;
    std::size_t i = 0;
    for (std::uint64_t t = 0; t < cycles; ++t) {
      const bool taken = ready.empty() || ready[t % ready.size()] != 0;
      if (valid && taken) {
        sums.push_back(held);
        sum_cycles.push_back(t);
      }
      if (valid && !taken) continue;
      valid = i < a.size() && t >= a_from && t >= b_from;
      if (!valid) continue;
      held = a[i] + b[i];
      accept_cycles.push_back(t);
      ++i;
      a_from = t + 1 + (i < a_gaps.size() ? a_gaps[i] : 0);
      b_from = t + 1 + (i < b_gaps.size() ? b_gaps[i] : 0);
    }
  }
};

TEST_F(EngineTest, DrivesStreamsCycleExactly) {
  const DutDescription description = join_add_dut(13);
  const BuiltDut built = build_dut(description);
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    Dut dut(built.library, description, round + 1);
    const std::size_t count = random() % 200;
    std::vector<std::uint64_t> a(count), b(count);
    for (auto& value : a) value = random() & 0x1FFF;
    for (auto& value : b) value = random() & 0x1FFF;
    std::vector<std::uint32_t> a_gaps(round % 2 == 0 ? 0 : count),
        b_gaps(round % 3 == 0 ? 0 : count);
    for (auto& gap : a_gaps) gap = random() % 4;
    for (auto& gap : b_gaps) gap = random() % 3;
    std::vector<std::uint8_t> ready(round % 5);
    for (auto& bit : ready) bit = random() & 1;
    if (!ready.empty()) ready.back() = 1;

    std::vector<SourceBeats> sources = {bytes_of(a, 8), bytes_of(b, 8)};
    sources[0].gaps = a_gaps;
    sources[1].gaps = b_gaps;
    const std::vector<std::vector<std::uint8_t>> patterns = {ready};
    dut.reset(1 + round % 3);
    dut.offer(sources, patterns);
    // In pieces: the state must carry over.
    const std::uint64_t cycles = 3 * count + 50;
    for (std::uint64_t done = 0; done < cycles;) {
      const std::uint64_t piece = std::min<std::uint64_t>(1 + random() % 100, cycles - done);
      dut.run(piece);
      done += piece;
    }
    const JoinAddModel model(a, b, a_gaps, b_gaps, ready, cycles);
    const auto accepted = dut.accepted(0);
    ASSERT_EQ(std::vector<std::uint64_t>(accepted.begin(), accepted.end()), model.accept_cycles);
    ASSERT_EQ(dut.sink(0).count, model.sums.size());
    EXPECT_EQ(dut.sink(0).faults, 0U) << dut.sink(0).fault;
    for (std::size_t i = 0; i < model.sums.size(); ++i) {
      std::uint64_t sum = 0;
      std::memcpy(&sum, dut.sink(0).beats.data() + 8 * i, 8);
      ASSERT_EQ(sum, model.sums[i]);
      ASSERT_EQ(dut.sink(0).cycles[i], model.sum_cycles[i]);
    }
  }
}

TEST_F(EngineTest, OverridesParametersAndHoldsSeveralDesigns) {
  const DutDescription narrow = join_add_dut(5);
  const DutDescription wide = join_add_dut(70);
  const BuiltDut built_narrow = build_dut(narrow);
  const BuiltDut built_wide = build_dut(wide);
  EXPECT_NE(built_narrow.digest, built_wide.digest);
  Dut first(built_narrow.library, narrow);
  Dut second(built_wide.library, wide);
  Dut third(built_wide.library, wide);
  for (Dut* dut : {&first, &second, &third}) dut->reset(1);

  // 70 bits lie in three words; a carry crosses all of them. The bits above 70 must be masked.
  const std::vector<SourceBeats> ones = {{std::vector<std::uint8_t>(16, 0xFF), 1, {}},
                                         {std::vector<std::uint8_t>(16, 0xFF), 1, {}}};
  const std::vector<SourceBeats> small = {bytes_of({31}, 8), bytes_of({3}, 8)};
  first.offer(small, {});
  second.offer(ones, {});
  third.offer(ones, {});
  first.run(3);
  second.run(3);
  ASSERT_EQ(first.sink(0).count, 1U);
  ASSERT_EQ(second.sink(0).count, 1U);
  EXPECT_EQ(third.sink(0).count, 0U);
  EXPECT_EQ(first.sink(0).beats[0], 34);
  const std::vector<std::uint8_t> sum = {0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F};
  EXPECT_TRUE(std::equal(sum.begin(), sum.end(), second.sink(0).beats.begin()));
}

TEST_F(EngineTest, CachesByContent) {
  const DutDescription description = fresh(join_add_dut(8));
  const BuiltDut first = build_dut(description);
  EXPECT_FALSE(first.cached);
  const BuiltDut again = build_dut(description);
  EXPECT_TRUE(again.cached);
  EXPECT_EQ(again.digest, first.digest);
  EXPECT_LT(again.seconds, 0.5);

  DutDescription other = description;
  other.files[0].text += "\n";
  EXPECT_NE(build_dut(other).digest, first.digest);
}

TEST_F(EngineTest, BuildsOnceWhenAskedInParallel) {
  const DutDescription description = fresh(join_add_dut(8));
  std::vector<int> cached(4);
  {
    std::vector<std::jthread> threads;
    for (int& flag : cached) {
      threads.emplace_back([&] { flag = build_dut(description).cached ? 1 : 0; });
    }
  }
  EXPECT_EQ(std::count(cached.begin(), cached.end(), 0), 1);
}

TEST_F(EngineTest, RebuildsDamagedEntries) {
  const DutDescription description = fresh(join_add_dut(8));
  const std::string digest = build_dut(description).digest;
  const fs::path entry = shared_cache_ / "entries" / digest;
  for (const auto& damage : std::vector<std::function<void()>>{
           [&] { fs::resize_file(entry / "dut.so", 1000); },
           [&] { std::ofstream(entry / "dut.so") << "nonsense"; },
           [&] { fs::remove(entry / "dut.so"); }, [&] { fs::remove(entry / "sha256"); },
           [&] {
             fs::remove_all(entry);
             std::ofstream(entry) << "a file in the place of the directory";
           }}) {
    damage();
    EXPECT_FALSE(build_dut(description).cached);
    EXPECT_TRUE(build_dut(description).cached);
  }
}

TEST_F(EngineTest, RefusesVerilogWithErrorsAndWarnings) {
  DutDescription broken = fresh(join_add_dut(8));
  broken.files[0].text = "module join_add(; endmodule\n";
  EXPECT_NE(failure(broken, {}).find("syntax error"), std::string::npos) << failure(broken, {});

  DutDescription warned = fresh(join_add_dut(8));
  warned.files[0].text.replace(warned.files[0].text.find("output reg  [W:0]"), 17,
                               "output reg  [W:1]");
  const std::string text = failure(warned, {});
  EXPECT_NE(text.find("%Warning-WIDTH"), std::string::npos) << text;
  const std::string log = text.substr(text.find("its log: ") + 9);
  EXPECT_TRUE(fs::exists(log)) << log;

  EXPECT_THROW(static_cast<void>(build_dut(warned)), DesignRefused);

  DutDescription no_parameter = fresh(join_add_dut(8));
  no_parameter.parameters["NOT_THERE"] = "1";
  EXPECT_NE(failure(no_parameter, {}).find("NOT_THERE"), std::string::npos);
}

TEST_F(EngineTest, NamesAPortThatIsNotThere) {
  DutDescription dut = fresh(join_add_dut(8));
  dut.sinks[0].payload[0].port = "product_o";
  EXPECT_NE(failure(dut, {}).find("product_o"), std::string::npos);
}

TEST_F(EngineTest, SaysWhichToolIsMissingOrTooOld) {
  BuildOptions options;
  options.verilator = "verilator-that-is-not-there";
  EXPECT_NE(failure(join_add_dut(8), options).find("verilator-that-is-not-there is not installed"),
            std::string::npos);
  options.verilator = script("old_verilator", "echo 'Verilator 4.038 2020-07-11'");
  EXPECT_NE(failure(join_add_dut(8), options).find("too old"), std::string::npos);
  options.verilator.clear();
  options.compiler = "/nowhere/c++";
  EXPECT_NE(failure(join_add_dut(8), options).find("/nowhere/c++"), std::string::npos);
}

TEST_F(EngineTest, SaysThatACompilerWasKilled) {
  BuildOptions options;
  options.compiler =
      script("dying_c++", "case \"$*\" in *--version*) echo 'fake 1.0.0';; *) kill -9 $$;; esac");
  const std::string text = failure(fresh(join_add_dut(8)), options);
  EXPECT_NE(text.find("was killed"), std::string::npos) << text;
  EXPECT_NE(text.find("log"), std::string::npos) << text;
}

TEST_F(EngineTest, RefusesASimulatorThatMiscompiles) {
  // Verilator as it comes, with the optimiser that the engine switches off.
  BuildOptions options;
  options.verilator =
      script("wrong_verilator",
             "for a in \"$@\"; do shift; [ \"$a\" = -fno-dfg ] || set -- \"$@\" \"$a\"; done\n"
             "exec verilator_bin \"$@\"");
  const std::string text = failure(fresh(join_add_dut(8)), options);
  EXPECT_NE(text.find("simulates legal Verilog wrongly"), std::string::npos) << text;
}

TEST_F(EngineTest, WritesWaveformsFromTracingBuildsOnly) {
  const DutDescription description = join_add_dut(8);
  BuildOptions options;
  options.trace = true;
  const BuiltDut traced = build_dut(description, options);
  const fs::path wave = scratch_ / "wave.fst";
  {
    Dut dut(traced.library, description);
    dut.trace(wave);
    dut.reset(2);
    const std::vector<SourceBeats> sources = {bytes_of({1, 2}, 8), bytes_of({3, 4}, 8)};
    dut.offer(sources, {});
    dut.run(10);
    EXPECT_EQ(dut.sink(0).count, 2U);
  }
  EXPECT_TRUE(is_whole_waveform(wave));
  for (const std::uintmax_t left :
       {fs::file_size(wave) - 1, std::uintmax_t{330}, std::uintmax_t{5}, std::uintmax_t{0}}) {
    fs::resize_file(wave, left);
    EXPECT_FALSE(is_whole_waveform(wave)) << left;
  }
  EXPECT_FALSE(is_whole_waveform(scratch_ / "missing.fst"));

  // A link, so that a mistake costs the link and not the device.
  fs::create_symlink("/dev/null", scratch_ / "device.fst");
  EXPECT_THROW(Dut(traced.library, description).trace(scratch_ / "device.fst"), UserError);
  EXPECT_TRUE(fs::is_symlink(scratch_ / "device.fst"));

  Dut untraced(build_dut(description).library, description);
  EXPECT_THROW(untraced.trace(wave), UserError);
  Dut nowhere(traced.library, description);
  EXPECT_THROW(nowhere.trace(scratch_ / "missing" / "wave.fst"), UserError);
}

TEST_F(EngineTest, TurnsAStoppingDesignIntoAnError) {
  DutDescription dut = fresh(join_add_dut(8));
  dut.files[0].text.replace(dut.files[0].text.find("    if (take) "), 14,
                            "    if (take && a_data_i == 8'h7F) $stop;\n    if (take) ");
  const BuiltDut built = build_dut(dut);
  Dut stopping(built.library, dut);
  stopping.reset(1);
  const std::vector<SourceBeats> sources = {bytes_of({0x7F}, 8), bytes_of({1}, 8)};
  stopping.offer(sources, {});
  EXPECT_THROW(stopping.run(5), ToolError);
}

TEST_F(EngineTest, SeesProtocolViolations) {
  // The register moves on while the result is not taken.
  DutDescription dut = join_add_dut(8);
  dut.files[0].text.replace(dut.files[0].text.find("sum_ready_i | ~sum_valid_o"), 26,
                            "sum_ready_i | ~sum_valid_o | a_data_i[0]");
  const BuiltDut built = build_dut(dut);
  Dut hasty(built.library, dut);
  hasty.reset(1);
  const std::vector<SourceBeats> sources = {bytes_of({1, 3, 5}, 8), bytes_of({1, 2, 3}, 8)};
  const std::vector<std::vector<std::uint8_t>> ready = {{0, 0, 0, 1}};
  hasty.offer(sources, ready);
  hasty.run(10);
  EXPECT_GT(hasty.sink(0).faults, 0U);
  EXPECT_EQ(hasty.sink(0).fault, "the payload changed while ready was low");
}

}  // namespace
}  // namespace weft::verif

// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/emit/emission.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "arch/params/verilog_names.h"
#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/process.h"
#include "base/tests/messages.h"
#include "base/tests/run_seed.h"

namespace weft::rtl {
namespace {

namespace fs = std::filesystem;

arch::Config config_named(const std::string& name, const std::string& more = "") {
  return arch::parse_config("kind: tensor_array\nname: " + name + "\nrows: 3\ncols: 5\n" + more,
                            "test");
}

class EmissionTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "weft_emit_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory = pattern;
  }
  void TearDown() override { fs::remove_all(directory); }

  [[nodiscard]] std::set<std::string> names(const fs::path& path) const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(path)) found.insert(entry.path().filename());
    return found;
  }

  fs::path directory;
};

std::set<std::string> names_of(const Emission& emission) {
  std::set<std::string> names;
  for (const auto& [name, text] : emission.files) names.insert(name);
  return names;
}

TEST_F(EmissionTest, TheNameIsNotOneOfThoseInside) {
  // A port, a parameter, an instance, a block, a function's variable, a loop variable.
  for (const char* name : {"rst_ni", "COLS", "u_grid", "column", "i", "multiply", "t"}) {
    const std::string error =
        test::message_of<UserError>([&] { static_cast<void>(emit(config_named(name))); });
    const std::string start =
        fmt::format("test:2:7: name: '{}' is also the name of something", name);
    EXPECT_EQ(error.substr(0, start.size()), start) << error;
    const std::string end = fmt::format(".v); legal: any other, such as 'my_{}'", name);
    EXPECT_EQ(error.substr(error.size() - std::min(error.size(), end.size())), end) << error;
    EXPECT_NO_THROW(static_cast<void>(emit(config_named(fmt::format("my_{}", name)))));
  }
}

TEST_F(EmissionTest, AnEmptyDirectoryNameIsAMistake) {
  EXPECT_THROW(write(emit(config_named("a")), ""), UserError);
}

TEST_F(EmissionTest, SameConfigurationSameBytes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20; ++i) {
    const arch::Config config = arch::config_of(arch::random_tensor_array(random));
    EXPECT_EQ(emit(config).files, emit(config).files);
  }
}

std::vector<arch::Config> random_configs(std::uint64_t seed, int of_each_kind) {
  std::mt19937_64 random(seed);
  std::vector<arch::Config> configs;
  for (int i = 0; i < of_each_kind; ++i) {
    arch::Switch device = arch::random_switch(random, {{"ports", arch::IntRange{2, 70}},
                                                       {"max_hops", arch::IntRange{1, 8}},
                                                       {"virtual_channels", arch::IntRange{1, 8}}});
    arch::Link link = arch::random_link(random);
    arch::TensorArray array = arch::random_tensor_array(random);
    // Names are as long as most that people give.
    device.name = link.name = array.name = "a_name_of_many_letters";
    for (const arch::Config& config :
         {arch::config_of(device), arch::config_of(link), arch::config_of(array)}) {
      configs.push_back(config);
    }
  }
  return configs;
}

TEST_F(EmissionTest, NoLineIsLongerThanAPage) {
  constexpr std::size_t page = 100;
  for (const arch::Config& config : random_configs(weft::test::run_seed(), 60)) {
    const Emission emission = emit(config);
    for (const std::string& file : emission.verilog) {
      std::istringstream text(emission.files.at(file));
      for (std::string line; std::getline(text, line);) {
        EXPECT_LE(line.size(), page) << file << ": " << line << '\n'
                                     << arch::canonical_form(config);
      }
    }
  }
}

TEST_F(EmissionTest, TheManifestDescribesTheFiles) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20; ++i) {
    const arch::TensorArray array = arch::random_tensor_array(random);
    const arch::Config config = arch::config_of(array);
    const Emission emission = emit(config);
    const auto manifest = nlohmann::json::parse(emission.files.at("manifest.json"));
    EXPECT_EQ(arch::parse_config(manifest["configuration"].dump(), "manifest"), config);
    EXPECT_EQ(manifest["digest"], arch::digest(config));
    EXPECT_EQ(manifest["top"], array.name);

    std::set<std::string> files;
    for (const auto& module : manifest["modules"]) {
      const std::string file = module["file"];
      files.insert(file);
      const std::string& text = emission.files.at(file);
      for (const auto& port : module["ports"]) {
        EXPECT_NE(text.find(port["name"].get<std::string>()), std::string::npos);
      }
    }
    EXPECT_EQ(std::set<std::string>(emission.verilog.begin(), emission.verilog.end()), files);
    EXPECT_EQ(files.size() + 4, emission.files.size());

    const auto width = [&](const std::string& name) {
      for (const auto& port : manifest["modules"].back()["ports"]) {
        if (port["name"] == name) return port["width"].get<int>();
      }
      return 0;
    };
    EXPECT_EQ(width("result_data_o"), array.cols * array.accumulator_width);
    EXPECT_EQ(width("moving_data_i"), array.rows * array.macs_per_pe * array.moving_format.bits);
    EXPECT_EQ(width("moving_tag_i"), array.tag_width);
  }
}

TEST_F(EmissionTest, TheLongestNameIsNotTooLong) {
  EXPECT_NO_THROW((void)emit(config_named(std::string(arch::longest_verilog_name, 'n'))));
}

TEST_F(EmissionTest, TheManifestTellsTheLatency) {
  const auto manifest = nlohmann::json::parse(
      emit(config_named("a", "multiplier_stages: 1\n")).files.at("manifest.json"));
  // Two hops down, four across, one stage, two edges.
  EXPECT_EQ(manifest["latency"]["LATENCY"]["value"], 9);
  EXPECT_EQ(manifest["latency"]["B"]["value"], 3);
  EXPECT_EQ(manifest["latency"]["G"]["value"], 0);
}

TEST_F(EmissionTest, SwitchesAndLinksHaveManifestsToo) {
  const auto manifest_of = [](const std::string& text) {
    const arch::Config config = arch::parse_config(text, "test");
    const Emission emission = emit(config);
    auto manifest = nlohmann::json::parse(emission.files.at("manifest.json"));
    EXPECT_EQ(arch::parse_config(manifest["configuration"].dump(), "manifest"), config);
    EXPECT_EQ(emission.top + ".v", manifest["modules"].back()["file"]);
    EXPECT_FALSE(manifest.contains("formats"));
    return manifest;
  };
  const auto of_switch = manifest_of(
      "kind: switch\nname: my_switch\nports: 5\npipeline: 4\nmulticast: true\nlink_latency: 2\n");
  EXPECT_EQ(of_switch["latency"]["LATENCY"]["value"], 2 + 1 + 2);
  EXPECT_EQ(of_switch["latency"]["CREDIT_ROUND_TRIP"]["value"], 4 + 1 + 2 + 4);
  EXPECT_EQ(of_switch["header"]["op"], nlohmann::json({{"offset", 0}, {"width", 3}}));
  EXPECT_EQ(of_switch["header"]["route"], nlohmann::json({{"offset", 3}, {"width", 3}}));
  EXPECT_EQ(of_switch["header"]["mask"], nlohmann::json({{"offset", 3}, {"width", 5}}));
  EXPECT_FALSE(of_switch["header"].contains("next"));

  const auto of_link = manifest_of("kind: link\nname: my_link\nlanes: 4\nlane_width: 8\n");
  EXPECT_EQ(of_link["frame"]["crc"], nlohmann::json({{"offset", 0}, {"width", 32}}));
  EXPECT_EQ(of_link["latency"]["LATENCY"]["value"],
            of_link["latency"]["PHITS"]["value"].get<int>() + 4 + 5);
}

TEST_F(EmissionTest, TheCoreFileIsYaml) {
  const Emission emission = emit(config_named("my_array"));
  const std::string& text = emission.files.at("weft.core");
  EXPECT_TRUE(text.starts_with("CAPI=2:\n"));
  const YAML::Node core = YAML::Load(text);
  EXPECT_TRUE(core["name"].as<std::string>().starts_with("weft:generated:my_array:"));
  EXPECT_EQ(core["description"].as<std::string>(),
            arch::declaration<arch::TensorArray>().kind().doc);
  EXPECT_EQ(core["filesets"]["rtl"]["files"].as<std::vector<std::string>>(), emission.verilog);
  for (const char* target : {"default", "lint"}) {
    EXPECT_EQ(core["targets"][target]["toplevel"].as<std::string>(), "my_array");
    for (const auto& fileset : core["targets"][target]["filesets"]) {
      EXPECT_TRUE(core["filesets"][fileset.as<std::string>()]);
    }
  }
}

TEST_F(EmissionTest, TheConstraintHasThePeriod) {
  EXPECT_NE(emit(config_named("a"), {.clock_ns = 2.5}).files.at("weft.sdc").find("-period 2.5 "),
            std::string::npos);
}

TEST_F(EmissionTest, VerilatorAcceptsTheFileList) {
  const Emission emission = emit(config_named("my_array"));
  write(emission, directory);
  const auto result = base::run_process(
      {.argv = {"verilator", "--lint-only", "-Wall", "-f", "weft.f", "--top-module", emission.top},
       .directory = directory});
  EXPECT_TRUE(result.ok()) << result.output_tail;
  EXPECT_EQ(result.output_tail, "");
}

TEST_F(EmissionTest, WritesAllFilesAndNothingElse) {
  const Emission emission = emit(config_named("a"));
  write(emission, directory / "new" / "place");
  EXPECT_EQ(names(directory / "new" / "place"), names_of(emission));
  for (const auto& [name, text] : emission.files) {
    EXPECT_EQ(base::read_file(directory / "new" / "place" / name), text);
  }
}

TEST_F(EmissionTest, RemovesTheVerilogOfAnEarlierGenerationOnly) {
  base::write_file_atomic(directory / "mine.v", "module mine; endmodule\n");
  write(emit(config_named("old_name")), directory);
  EXPECT_TRUE(fs::exists(directory / "old_name.v"));
  const Emission emission = emit(config_named("new_name"));
  write(emission, directory);
  std::set<std::string> expected = names_of(emission);
  expected.insert("mine.v");
  EXPECT_EQ(names(directory), expected);
}

TEST_F(EmissionTest, AForeignManifestRemovesNothing) {
  const fs::path out = directory / "out";
  base::make_directories(out);
  base::write_file_atomic(directory / "outside.v", "");
  base::write_file_atomic(out / "notes.txt", "");
  base::write_file_atomic(out / "b.v", "");
  base::write_file_atomic(out / "manifest.json", R"({"generator": "other", "files": ["b.v"]})");
  write(emit(config_named("a")), out);
  EXPECT_TRUE(fs::exists(out / "b.v"));
  base::write_file_atomic(out / "manifest.json",
                          R"({"generator": "weft", "files": ["../outside.v", "notes.txt", 7]})");
  write(emit(config_named("a")), out);
  EXPECT_TRUE(fs::exists(out / "notes.txt"));
  EXPECT_TRUE(fs::exists(directory / "outside.v"));
}

TEST_F(EmissionTest, RefusesWhatIsNotADirectory) {
  base::write_file_atomic(directory / "file", "text");
  EXPECT_THROW(write(emit(config_named("a")), directory / "file"), UserError);
  EXPECT_THROW(write(emit(config_named("a")), directory / "file" / "below"), UserError);
  EXPECT_EQ(base::read_file(directory / "file"), "text");
}

TEST_F(EmissionTest, AFileThatCannotBeWrittenLeavesEverythingAsItWas) {
  write(emit(config_named("a")), directory / "old");
  const auto before = names(directory / "old");
  const std::string manifest = base::read_file(directory / "old" / "manifest.json");

  // Files of more than a thousand bytes cannot be written any more.
  rlimit former{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &former), 0);
  const rlimit limit{1000, former.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  EXPECT_THROW(write(emit(config_named("b")), directory / "old"), UserError);
  EXPECT_THROW(write(emit(config_named("b")), directory / "new" / "place"), UserError);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &former), 0);
  std::signal(SIGXFSZ, handler);

  EXPECT_EQ(names(directory / "old"), before);
  EXPECT_EQ(base::read_file(directory / "old" / "manifest.json"), manifest);
  EXPECT_FALSE(fs::exists(directory / "new"));
}

TEST_F(EmissionTest, ASignalLeavesEverythingAsItWas) {
  const Emission emission = emit(config_named("a"));
  const pid_t child = fork();
  if (child == 0) {
    base::catch_interrupts();
    std::raise(SIGINT);
    try {
      write(emission, directory / "new");
    } catch (const base::Interrupted&) {
      _exit(7);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_TRUE(fs::is_empty(directory));
}

}  // namespace
}  // namespace weft::rtl

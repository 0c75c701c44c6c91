// SPDX-License-Identifier: Apache-2.0
#include "base/tools.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "base/tests/messages.h"

namespace weft::base {
namespace {

namespace fs = std::filesystem;

class ToolsTest : public ::testing::Test {
 protected:
  ToolsTest() : old_path_(std::getenv("PATH")) {
    std::string pattern = (fs::temp_directory_path() / "weft-tools-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
    ::setenv("PATH", (directory_.string() + ":" + old_path_).c_str(), 1);
  }
  ~ToolsTest() override {
    ::setenv("PATH", old_path_.c_str(), 1);
    fs::remove_all(directory_);
  }
  void tool(const std::string& name, const std::string& body) const {
    std::ofstream(directory_ / name) << "#!/bin/sh\n" << body << "\n";
    fs::permissions(directory_ / name, fs::perms::owner_all);
  }

  std::string old_path_;
  fs::path directory_;
};

TEST_F(ToolsTest, FindsTheFirstExecutableInPath) {
  std::ofstream(directory_ / "yosys") << "not executable";
  EXPECT_NE(find_executable("yosys"), directory_ / "yosys");
  tool("yosys", "true");
  EXPECT_EQ(find_tool("yosys"), directory_ / "yosys");
  fs::create_directory(directory_ / "weft-folder");
  EXPECT_EQ(find_executable("weft-folder"), std::nullopt);
}

TEST_F(ToolsTest, NamesThePackageOfAMissingTool) {
  ::setenv("PATH", directory_.c_str(), 1);
  EXPECT_EQ(test::message_of<ToolError>([] { find_tool("sta"); }),
            "sta is not installed (Debian package opensta)");
  EXPECT_EQ(test::message_of<ToolError>([] { tool_version("verilator"); }),
            "verilator is not installed (Debian package verilator)");
}

TEST_F(ToolsTest, ReadsVersionsAsToolsPrintThem) {
  const auto version_of = [this](const std::string& name, const std::string& output) {
    tool(name, "echo '" + output + "'");
    return tool_version(name).number;
  };
  EXPECT_EQ(version_of("verilator", "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)"), "5.006");
  EXPECT_EQ(version_of("g++", "g++ (Debian 12.2.0-14+deb12u1) 12.2.0"), "12.2.0");
  EXPECT_EQ(version_of("clang++", "\nDebian clang version 14.0.6"), "14.0.6");
  EXPECT_EQ(version_of("z3", "Z3 version 4.8.12 - 64 bit"), "4.8.12");
  EXPECT_EQ(version_of("sta", "2.0.17"), "2.0.17");
}

TEST_F(ToolsTest, AsksEachToolInItsOwnWay) {
  tool("yosys", R"([ "$1" = -V ] && echo 'Yosys 0.23 (git sha1 7ce5011c24b)')");
  EXPECT_EQ(tool_version("yosys").banner, "Yosys 0.23 (git sha1 7ce5011c24b)");
  tool("sta", R"([ "$1" = -version ] && echo 2.0.17)");
  EXPECT_EQ(tool_version("sta").number, "2.0.17");
}

TEST_F(ToolsTest, RefusesAToolThatIsTooOld) {
  tool("weft-old", "echo weft-old 4.038");
  EXPECT_EQ(test::message_of<ToolError>([] { tool_version("weft-old", "5.006"); }),
            "weft-old 4.038 is too old: 5.006 or newer is needed (" +
                (directory_ / "weft-old").string() + ")");
  EXPECT_EQ(tool_version("weft-old", "4.038").number, "4.038");
}

TEST_F(ToolsTest, SaysSoWhenAToolTellsNoVersion) {
  tool("weft-mute", "echo hello");
  EXPECT_NE(test::message_of<ToolError>([] {
              tool_version("weft-mute");
            }).find("does not tell its version"),
            std::string::npos);
}

TEST_F(ToolsTest, AsksOnlyOnce) {
  tool("weft-counted", "echo x >> " + (directory_ / "count").string() + "; echo 1.2");
  tool_version("weft-counted");
  tool_version("weft-counted");
  EXPECT_EQ(fs::file_size(directory_ / "count"), 2U);
}

TEST(Version, ComparesByComponent) {
  EXPECT_TRUE(version_less("5.006", "5.010"));
  EXPECT_TRUE(version_less("5.9", "5.10"));
  EXPECT_TRUE(version_less("0.9", "0.23"));
  EXPECT_TRUE(version_less("2.0", "2.0.17"));
  EXPECT_FALSE(version_less("10.0", "9.9"));
  EXPECT_FALSE(version_less("5.006", "5.006"));
  EXPECT_FALSE(version_less("5.006", ""));
}

}  // namespace
}  // namespace weft::base

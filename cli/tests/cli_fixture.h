// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/files.h"

namespace weft::cli {

inline const std::string weft = WEFT_BINARY_DIR "/cli/weft";

/// What a run of weft gave.
struct Outcome {
  int status;
  std::string out;
  std::string err;
};

/// Runs the command in a directory of its own, which is removed afterwards.
class Cli : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "weft_cli_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  /// Runs weft through a shell, with its output redirected unless `arguments` does it.
  /// `environment` is what stands before a command in a shell: "NAME=value ...".
  [[nodiscard]] Outcome run(const std::string& arguments,
                            const std::string& environment = "") const {
    const std::string out = path("out");
    const std::string err = path("err");
    const int status = std::system(fmt::format("cd {} && >{} 2>{} {} {} {}", directory.string(),
                                               out, err, environment, weft, arguments)
                                       .c_str());
    return {WEXITSTATUS(status), base::read_file(out), base::read_file(err)};
  }

  [[nodiscard]] std::string path(const std::string& name) const { return directory / name; }

  void write(const std::string& name, std::string_view text) const {
    base::write_file_atomic(path(name), text);
  }

  void write_program(const std::string& name, std::string_view text) const {
    write(name, text);
    std::filesystem::permissions(path(name), std::filesystem::perms::owner_all);
  }

  std::filesystem::path directory;
};

/// An array that tools are done with in seconds.
inline constexpr std::string_view tiny_array =
    "kind: tensor_array\nname: tiny_array\nrows: 2\ncols: 3\nstationary_format: int4\n"
    "moving_format: int4\naccumulator_width: 10\n";

}  // namespace weft::cli

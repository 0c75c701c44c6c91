// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "base/error.h"

namespace weft::base {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "weft_files_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory = pattern;
  }
  void TearDown() override { fs::remove_all(directory); }

  [[nodiscard]] long entries() const {
    return std::distance(fs::directory_iterator(directory), fs::directory_iterator());
  }
  static std::string error_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const UserError& error) {
      return error.what();
    }
    return {};
  }

  fs::path directory;
};

TEST_F(Files, WritesAndReadsBytes) {
  const std::string bytes("a\0b\n\xff", 5);
  write_file_atomic(directory / "f", bytes);
  EXPECT_EQ(read_file(directory / "f"), bytes);
  write_file_atomic(directory / "f", "new");
  EXPECT_EQ(read_file(directory / "f"), "new");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Files, GivesThePermissionsOfTheUmask) {
  const mode_t before = umask(027);
  write_file_atomic(directory / "f", "");
  umask(before);
  struct stat status = {};
  ASSERT_EQ(stat((directory / "f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
}

TEST_F(Files, FollowsLinksAndKeepsThem) {
  write_file_atomic(directory / "target", "old");
  fs::create_symlink("target", directory / "link");
  write_file_atomic(directory / "link", "new");
  EXPECT_TRUE(fs::is_symlink(directory / "link"));
  EXPECT_EQ(read_file(directory / "target"), "new");
}

TEST_F(Files, WritesToDevicesDirectly) {
  write_file_atomic("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(error_of([] { write_file_atomic("/dev/full", "x"); }),
            "cannot write '/dev/full': No space left on device");
}

TEST_F(Files, LeavesTheOldFileAndNoOtherWhenWritingFails) {
  const fs::path file = directory / "f";
  write_file_atomic(file, "old");
  rlimit limit = {};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small = {100, limit.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string error = error_of([&] { write_file_atomic(file, std::string(1000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &limit);
  EXPECT_EQ(error, "cannot write '" + file.string() + "': File too large");
  EXPECT_EQ(read_file(file), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Files, NamesPathAndReason) {
  const std::string missing = (directory / "no" / "f").string();
  EXPECT_EQ(error_of([&] { (void)read_file(missing); }),
            "cannot read '" + missing + "': No such file or directory");
  EXPECT_EQ(error_of([&] { write_file_atomic(missing, ""); }),
            "cannot write '" + missing + "': No such file or directory");
  EXPECT_EQ(error_of([&] { (void)read_file(directory); }),
            "cannot read '" + directory.string() + "': Is a directory");
  EXPECT_EQ(error_of([&] { write_file_atomic(directory, ""); }),
            "cannot write '" + directory.string() + "': Is a directory");
}

TEST_F(Files, StopsAtTheLimit) {
  EXPECT_EQ(error_of([] { (void)read_file("/dev/zero", 1000); }),
            "cannot read '/dev/zero': it has more than 1000 bytes");
  write_file_atomic(directory / "f", std::string(1000, 'x'));
  EXPECT_EQ(read_file(directory / "f", 1000).size(), 1000U);
}

TEST_F(Files, MakesDirectories) {
  make_directories(directory / "a" / "b");
  make_directories(directory / "a" / "b");
  EXPECT_TRUE(fs::is_directory(directory / "a" / "b"));
  const std::string file = (directory / "f").string();
  write_file_atomic(file, "");
  EXPECT_NE(error_of([&] { make_directories(file); }), "");
  EXPECT_EQ(error_of([&] { make_directories(file + "/x"); }),
            "cannot make directory '" + file + "/x': Not a directory");
}

}  // namespace
}  // namespace weft::base

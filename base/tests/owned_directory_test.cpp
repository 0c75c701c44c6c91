// SPDX-License-Identifier: Apache-2.0
#include "base/owned_directory.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/tests/messages.h"

namespace weft::base {
namespace {

namespace fs = std::filesystem;

class OwnedDirectoryTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "weft_owned_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    parent_ = pattern;
  }
  void TearDown() override { fs::remove_all(parent_); }

  [[nodiscard]] std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(parent_), {});
  }

  fs::path parent_;
};

TEST_F(OwnedDirectoryTest, LivesAsLongAsTheObject) {
  std::optional<OwnedDirectory> one(parent_);
  EXPECT_EQ(one->path().parent_path(), parent_);
  std::ofstream(one->path() / "file") << "content";
  const OwnedDirectory other(parent_);
  EXPECT_TRUE(fs::exists(one->path() / "file"));
  EXPECT_EQ(entries(), 2);
  one.reset();
  EXPECT_EQ(entries(), 1);
}

TEST_F(OwnedDirectoryTest, OfAKilledProcessIsRemovedByTheNext) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const OwnedDirectory killed(parent_);
    std::ofstream(killed.path() / "file") << "content";
    std::raise(SIGKILL);
  }
  fs::create_directory(parent_ / ".weft-other");
  // Until it is waited for, the process is there, and so is what it owns.
  siginfo_t ended{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  { const OwnedDirectory next(parent_); }
  EXPECT_EQ(entries(), 2);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  { const OwnedDirectory next(parent_); }
  EXPECT_EQ(entries(), 1);
  EXPECT_TRUE(fs::exists(parent_ / ".weft-other"));
}

TEST_F(OwnedDirectoryTest, SaysWhereItCannotBe) {
  const std::string missing = (parent_ / "missing").string();
  EXPECT_EQ(test::message_of<UserError>([&] { const OwnedDirectory none(missing); }),
            "cannot write '" + missing + "': No such file or directory");
}

}  // namespace
}  // namespace weft::base

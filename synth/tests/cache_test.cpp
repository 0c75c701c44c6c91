// SPDX-License-Identifier: Apache-2.0
#include "synth/cache.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>

#include "base/files.h"
#include "synth/gzip.h"
#include "synth/tests/temporary_directory.h"

namespace weft::synth {
namespace {

namespace fs = std::filesystem;

RC_GTEST_PROP(Gzip, UndoesItself, (const std::string& bytes)) {
  RC_ASSERT(gunzip(gzip(bytes)) == bytes);
}

TEST(Gzip, TakesSeveralMembersAsOneFile) {
  EXPECT_EQ(gunzip(gzip("one ") + gzip("two")), "one two");
}

TEST(Gzip, TakesLargeData) {
  std::string bytes;
  for (int i = 0; bytes.size() < 1'000'000; ++i) bytes += std::to_string(i * 7919);
  EXPECT_EQ(gunzip(gzip(bytes)), bytes);
}

TEST(Gzip, RefusesWhatIsDamaged) {
  const std::string file = gzip("a text that is long enough to be compressed, compressed");
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_EQ(gunzip(std::string_view(file).substr(0, size)), std::nullopt) << size;
  EXPECT_EQ(gunzip("plain text"), std::nullopt);
}

class CacheTest : public ::testing::Test {
 protected:
  TemporaryDirectory directory_;
  Cache cache_{directory_ / "cache"};
  const FileSet files_{{"a.txt", "text"}, {"dir/b.bin", std::string("\0\xff\n", 3)}, {"c", ""}};

  [[nodiscard]] fs::path only_file() const {
    return fs::directory_iterator(directory_ / "cache")->path();
  }
};

TEST_F(CacheTest, GivesBackWhatWasStored) {
  EXPECT_EQ(cache_.find("key"), std::nullopt);
  cache_.store("key", files_);
  EXPECT_EQ(cache_.find("key"), files_);
  EXPECT_EQ(cache_.find("other"), std::nullopt);
  cache_.store("key", {});
  EXPECT_EQ(cache_.find("key"), FileSet{});
}

TEST_F(CacheTest, TakesEveryDamagedEntryForMissing) {
  cache_.store("key", files_);
  const std::string good = base::read_file(only_file());
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    base::write_file_atomic(only_file(), bad);
    const auto found = cache_.find("key");
    // A few bits of the header (time, operating system) mean nothing.
    EXPECT_TRUE(!found || *found == files_) << i;
    base::write_file_atomic(only_file(), good.substr(0, i));
    EXPECT_EQ(cache_.find("key"), std::nullopt) << i;
  }
}

TEST_F(CacheTest, WithoutADirectoryKeepsNothing) {
  const Cache none{fs::path()};
  none.store("key", files_);
  // Nor does one that cannot be written, of which the user is warned.
  const Cache refused("/proc/weft");
  testing::internal::CaptureStderr();
  refused.store("key", files_);
  refused.store("other", files_);
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_EQ(told,
            "warning: the cache /proc/weft cannot be written: results are not kept; --cache or "
            "WEFT_CACHE names another place\n");
  EXPECT_FALSE(refused.find("key"));
  EXPECT_EQ(none.find("key"), std::nullopt);
}

}  // namespace
}  // namespace weft::synth

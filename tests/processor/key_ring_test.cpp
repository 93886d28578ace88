#include "processor/crypto/key_ring.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "processor/base/files.h"
#include "processor/crypto/data_keys.h"
#include "processor/store/open_store.h"
#include "test_support.h"

namespace webhook {
namespace {

using ::testing::Test;

// SHA-256 of 32 zero bytes begins with 66687aadf862bd77.
constexpr char kZeroKey[] = "66687aadf862bd77 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n";

class KeyRingTest : public Test {
 protected:
  std::string write(const std::string& text, mode_t mode = 0600) {
    const std::string path = dir_.file("keys");
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
    return path;
  }

  std::string error_of(const std::string& text, mode_t mode = 0600) {
    const auto ring = KeyRing::load(write(text, mode));
    return ring ? "" : ring.error().message;
  }

  testing::TempDir dir_;
};

TEST_F(KeyRingTest, CreatesWhatItLoads) {
  const std::string path = dir_.file("keys");
  const auto made = KeyRing::create(path);
  ASSERT_TRUE(made);
  struct stat info {};
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  const auto loaded = KeyRing::load(path);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->current().fingerprint, made->current().fingerprint);
  EXPECT_EQ(loaded->current().key.bytes(), made->current().key.bytes());
  EXPECT_FALSE(KeyRing::create(path)) << "an existing ring must not be replaced";
}

TEST_F(KeyRingTest, TheFirstKeyIsCurrentAndCommentsAreSkipped) {
  const auto other = KeyRing::create(dir_.file("other"));
  const std::string second = *read_file(dir_.file("other"), 4096);
  const auto ring = KeyRing::load(write(std::string("# mine\n\n") + kZeroKey + second));
  ASSERT_TRUE(ring) << ring.error().message;
  EXPECT_EQ(ring->current().fingerprint, "66687aadf862bd77");
  EXPECT_NE(ring->find(other->current().fingerprint), nullptr);
  EXPECT_EQ(ring->find("0000000000000000"), nullptr);
}

TEST_F(KeyRingTest, RefusesARingThatOthersCanRead) {
  EXPECT_EQ(error_of(kZeroKey), "");
  EXPECT_NE(error_of(kZeroKey, 0640).find("chmod 600"), std::string::npos);
  EXPECT_NE(error_of(kZeroKey, 0604).find("chmod 600"), std::string::npos);
}

TEST_F(KeyRingTest, RefusesBadLines) {
  std::string wrong = kZeroKey;
  wrong[0] = '7';
  EXPECT_NE(error_of(wrong).find("keys:1: the fingerprint"), std::string::npos);
  EXPECT_NE(error_of("# nothing\n").find("holds no key"), std::string::npos);
  EXPECT_NE(error_of("66687aadf862bd77 AAAA\n").find("not 32 bytes"), std::string::npos);
  EXPECT_NE(error_of("justoneword\n").find("FINGERPRINT"), std::string::npos);
}

class DataKeysTest : public Test {
 protected:
  std::string dsn() const { return "sqlite:" + dir_.file("inbox.db"); }

  testing::TempDir dir_;
};

TEST_F(DataKeysTest, ARingIsMadeOnlyForAnEmptyStore) {
  const std::string ring = dir_.file("keys");
  const auto store = open_store({.dsn = dsn()});
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE(DataKeys::open(ring, **store));
  ASSERT_TRUE(DataKeys::open(ring, **store));
  ASSERT_EQ(unlink(ring.c_str()), 0);
  const auto refused = DataKeys::open(ring, **store);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("is missing"), std::string::npos);
  EXPECT_NE(access(ring.c_str(), F_OK), 0) << "no ring may appear";
}

TEST_F(DataKeysTest, AWrongRingStopsTheStart) {
  const auto store = open_store({.dsn = dsn()});
  ASSERT_TRUE(DataKeys::open(dir_.file("keys"), **store));
  ASSERT_TRUE(KeyRing::create(dir_.file("other")));
  const auto refused = DataKeys::open(dir_.file("other"), **store);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find(dir_.file("other")), std::string::npos);
  EXPECT_NE(refused.error().message.find(dir_.file("inbox.db")), std::string::npos);
  EXPECT_FALSE(DataKeys::check(dir_.file("other"), **store));
  EXPECT_TRUE(DataKeys::check(dir_.file("keys"), **store));
}

TEST_F(DataKeysTest, EveryStartHasItsOwnKeyAndTheOldOnesStillOpen) {
  const auto store = open_store({.dsn = dsn()});
  const auto first = DataKeys::open(dir_.file("keys"), **store);
  const auto lease = (*first)->lease(unix_ms());
  const Digest digest = (*first)->digest("body");
  const auto second = DataKeys::open(dir_.file("keys"), **store);
  EXPECT_NE((*second)->lease(unix_ms())->key_id, lease->key_id);
  EXPECT_EQ((*second)->digest("body"), digest) << "one digest key for ever";
  const auto found = (*second)->find(lease->key_id);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ((*found)->bytes(), lease->key->bytes());
}

TEST_F(DataKeysTest, NoncesNeverRepeatAndADayBringsANewKey) {
  const auto store = open_store({.dsn = dsn()});
  const auto keys = DataKeys::open(dir_.file("keys"), **store);
  const int64_t now = unix_ms();
  const auto a = (*keys)->lease(now);
  const auto b = (*keys)->lease(now);
  EXPECT_EQ(a->key_id, b->key_id);
  EXPECT_NE(a->nonce, b->nonce);
  const auto tomorrow = (*keys)->lease(now + kMsPerDay);
  EXPECT_NE(tomorrow->key_id, a->key_id);
  EXPECT_TRUE((*keys)->find(tomorrow->key_id)) << "in the store before its first use";
}

}  // namespace
}  // namespace webhook

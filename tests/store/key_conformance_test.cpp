// Every store: the keys of payloads, and whose they are.
#include <atomic>
#include <thread>

#include "conformance.h"
#include "processor/crypto/data_keys.h"

namespace webhook {
namespace {

class KeyConformance : public testing::StoreConformance {};

TEST_P(KeyConformance, ThereIsOneCanaryAndOneDigestKey) {
  for (const auto kind : {DataKey::Kind::kCanary, DataKey::Kind::kDigest}) {
    DataKey key;
    key.kind = kind;
    key.key_id = {1, static_cast<uint8_t>(kind)};
    ASSERT_TRUE(store_->save_data_key(key));
    key.key_id = {2, static_cast<uint8_t>(kind)};
    const auto second = store_->save_data_key(key);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind, StoreError::Kind::kPoison);
  }
  DataKey payload;
  payload.key_id = {3};
  EXPECT_TRUE(store_->save_data_key(payload));
  payload.key_id = {4};
  EXPECT_TRUE(store_->save_data_key(payload));
}

TEST_P(KeyConformance, OfTwoRingsOnAnEmptyStoreOneWins) {
  testing::TempDir dir;
  std::atomic<int> started = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      started += DataKeys::open(dir.file("ring" + std::to_string(t)), *store_).has_value();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(started, 1);
  int again = 0;
  for (int t = 0; t < 4; ++t) {
    again += DataKeys::check(dir.file("ring" + std::to_string(t)), *store_).has_value();
  }
  EXPECT_EQ(again, 1);
}

WEBHOOK_TEST_ON_ALL_STORES(KeyConformance);

}  // namespace
}  // namespace webhook

#include "processor/crypto/sealed_blob.h"

#include <gtest/gtest.h>

namespace webhook {
namespace {

class SealedBlobTest : public ::testing::Test {
 protected:
  DataKeys::Lease lease_{{1, 2, 3}, std::make_shared<const SecretKey>(SecretKey::random()), {7}};
  Uuid payload_id_ = make_uuid7(1);
  BlobOwner owner_{payload_id_, "tenant", "stripe", "main"};
  BlobSealer sealer_;
};

TEST_F(SealedBlobTest, RoundTrips) {
  for (const std::string& plain :
       {std::string(), std::string("x"), std::string(1 << 20, 'a'), std::string("\0\xff", 2)}) {
    const std::string blob = sealer_.seal(lease_, owner_, plain);
    EXPECT_EQ(*blob_key_id(blob), lease_.key_id);
    const auto opened = open_blob(*lease_.key, owner_, blob);
    ASSERT_TRUE(opened);
    EXPECT_EQ(*opened, plain);
  }
}

TEST_F(SealedBlobTest, IsSmallerOnlyWhereThatHelps) {
  EXPECT_LT(sealer_.seal(lease_, owner_, std::string(10'000, 'a')).size(), 200u);
  std::string random(1000, '\0');
  fill_random({reinterpret_cast<uint8_t*>(random.data()), random.size()});
  EXPECT_EQ(sealer_.seal(lease_, owner_, random).size(), 1000u + 35 + kTagBytes);
}

TEST_F(SealedBlobTest, AnyFlippedByteFails) {
  const std::string blob = sealer_.seal(lease_, owner_, "some words, some words, some words");
  for (size_t i = 0; i < blob.size(); ++i) {
    for (const int bit : {0, 3, 7}) {
      std::string altered = blob;
      altered[i] = static_cast<char>(altered[i] ^ (1 << bit));
      EXPECT_FALSE(open_blob(*lease_.key, owner_, altered)) << i << " " << bit;
    }
  }
  for (size_t size = 0; size < blob.size(); ++size) {
    EXPECT_FALSE(open_blob(*lease_.key, owner_, blob.substr(0, size))) << size;
  }
}

TEST_F(SealedBlobTest, OpensOnlyInItsOwnRow) {
  const std::string blob = sealer_.seal(lease_, owner_, "secret");
  const Uuid other = make_uuid7(2);
  EXPECT_FALSE(open_blob(*lease_.key, {other, "tenant", "stripe", "main"}, blob));
  EXPECT_FALSE(open_blob(*lease_.key, {payload_id_, "tenan2", "stripe", "main"}, blob));
  EXPECT_FALSE(open_blob(*lease_.key, {payload_id_, "tenant", "github", "main"}, blob));
  EXPECT_FALSE(open_blob(*lease_.key, {payload_id_, "tenant", "stripe", "test"}, blob));
  EXPECT_FALSE(open_blob(*lease_.key, {payload_id_, "tenants", "tripe", "main"}, blob));
  EXPECT_FALSE(open_blob(SecretKey::random(), owner_, blob));
}

}  // namespace
}  // namespace webhook

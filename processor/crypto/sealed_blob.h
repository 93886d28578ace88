// The form of payload.blob: a header, then the compressed and encrypted
// payload, then the tag.
//
//   version 1 | algorithm 1 | codec 1 | dictionary 4 | key id 8 | nonce 12 |
//   original length 8            (bytes; numbers are big-endian)
//
// The tag also covers the header and the row that the blob belongs to: moved
// to another row or tenant, it does not open.
#ifndef WEBHOOK_PROCESSOR_CRYPTO_SEALED_BLOB_H_
#define WEBHOOK_PROCESSOR_CRYPTO_SEALED_BLOB_H_

#include <memory>
#include <string>
#include <string_view>

#include "processor/base/result.h"
#include "processor/base/uuid.h"
#include "processor/crypto/data_keys.h"

struct ZSTD_CCtx_s;

namespace webhook {

// The largest plaintext that is sealed or opened.
constexpr size_t kMaxPayloadBytes = size_t{80} << 20;

// What a blob is bound to.
struct BlobOwner {
  const Uuid& payload_id;
  std::string_view tenant;
  std::string_view provider;
  std::string_view endpoint;
};

// Makes blobs. One per thread: it keeps the compressor's memory.
class BlobSealer {
 public:
  BlobSealer();
  ~BlobSealer();

  // `plaintext` has at most kMaxPayloadBytes. It is stored compressed only
  // where that makes it smaller.
  std::string seal(const DataKeys::Lease& lease, const BlobOwner& owner,
                   std::string_view plaintext);

 private:
  std::string_view compress(std::string_view plaintext);

  struct FreeContext {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, FreeContext> context_;
  std::string compressed_;
};

// The key that a blob names; an error when it is no blob of a known form.
Result<KeyId> blob_key_id(std::string_view blob);

Result<std::string> open_blob(const SecretKey& key, const BlobOwner& owner, std::string_view blob);

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_CRYPTO_SEALED_BLOB_H_

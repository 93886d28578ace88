#include "processor/crypto/sealed_blob.h"

#include <zstd.h>

#include <algorithm>
#include <new>

namespace webhook {
namespace {

constexpr uint8_t kVersion = 1;
constexpr uint8_t kAes256Gcm = 1;
constexpr uint32_t kNoDictionary = 0;
constexpr size_t kHeaderBytes = 1 + 1 + 1 + 4 + 8 + 12 + 8;

// More costs time and saves little on payloads of this size.
constexpr int kCompressionLevel = 1;

enum class Codec : uint8_t { kPlain = 0, kZstd = 1 };

struct Header {
  Codec codec = Codec::kPlain;
  KeyId key_id{};
  Nonce nonce{};
  uint64_t original_length = 0;
};

void put_number(std::string& out, uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(value >> shift));
  }
}

uint64_t take_number(std::string_view& bytes, size_t size) {
  uint64_t value = 0;
  for (const char c : bytes.substr(0, size)) {
    value = value << 8 | static_cast<uint8_t>(c);
  }
  bytes.remove_prefix(size);
  return value;
}

template <size_t size>
void take_array(std::string_view& bytes, std::array<uint8_t, size>& array) {
  std::copy_n(bytes.begin(), size, array.begin());
  bytes.remove_prefix(size);
}

std::string encode(const Header& header) {
  std::string out;
  out.push_back(static_cast<char>(kVersion));
  out.push_back(static_cast<char>(kAes256Gcm));
  out.push_back(static_cast<char>(header.codec));
  put_number(out, kNoDictionary, 4);
  out.append(header.key_id.begin(), header.key_id.end());
  out.append(header.nonce.begin(), header.nonce.end());
  put_number(out, header.original_length, 8);
  return out;
}

Result<Header> decode(std::string_view blob) {
  if (blob.size() < kHeaderBytes + kTagBytes) {
    return fail("the stored payload is too short");
  }
  const uint64_t version = take_number(blob, 1);
  const uint64_t algorithm = take_number(blob, 1);
  const uint64_t codec = take_number(blob, 1);
  const uint64_t dictionary = take_number(blob, 4);
  if (version != kVersion || algorithm != kAes256Gcm ||
      codec > static_cast<uint64_t>(Codec::kZstd) || dictionary != kNoDictionary) {
    return fail("the stored payload has a form that this build does not know");
  }
  Header header;
  header.codec = static_cast<Codec>(codec);
  take_array(blob, header.key_id);
  take_array(blob, header.nonce);
  header.original_length = take_number(blob, 8);
  if (header.original_length > kMaxPayloadBytes) {
    return fail("the stored payload claims to be too large");
  }
  return header;
}

// Lengths keep ("ab", "c") apart from ("a", "bc").
void put_text(std::string& out, std::string_view text) {
  put_number(out, text.size(), 4);
  out += text;
}

std::string make_aad(std::string_view header, const BlobOwner& owner) {
  std::string aad(header);
  aad += as_bytes(owner.payload_id);
  put_text(aad, owner.tenant);
  put_text(aad, owner.provider);
  put_text(aad, owner.endpoint);
  return aad;
}

Result<std::string> decompress(const std::string& compressed, uint64_t original_length) {
  std::string plain(original_length, '\0');
  const size_t size =
      ZSTD_decompress(plain.data(), plain.size(), compressed.data(), compressed.size());
  if (ZSTD_isError(size) || size != original_length) {
    return fail("the stored payload does not decompress");
  }
  return plain;
}

}  // namespace

void BlobSealer::FreeContext::operator()(ZSTD_CCtx_s* context) const {
  ZSTD_freeCCtx(context);
}

BlobSealer::BlobSealer() : context_(ZSTD_createCCtx()) {
  if (!context_) throw std::bad_alloc();
}

BlobSealer::~BlobSealer() = default;

std::string_view BlobSealer::compress(std::string_view plaintext) {
  compressed_.resize(ZSTD_compressBound(plaintext.size()));
  const size_t size = ZSTD_compressCCtx(context_.get(), compressed_.data(), compressed_.size(),
                                        plaintext.data(), plaintext.size(), kCompressionLevel);
  if (ZSTD_isError(size)) return plaintext;
  return std::string_view(compressed_).substr(0, size);
}

std::string BlobSealer::seal(const DataKeys::Lease& lease, const BlobOwner& owner,
                             std::string_view plaintext) {
  const std::string_view compressed = compress(plaintext);
  const bool smaller = compressed.size() < plaintext.size();
  std::string blob =
      encode({smaller ? Codec::kZstd : Codec::kPlain, lease.key_id, lease.nonce, plaintext.size()});
  const std::string aad = make_aad(blob, owner);
  aead_seal(*lease.key, lease.nonce, aad, smaller ? compressed : plaintext, blob);
  return blob;
}

Result<KeyId> blob_key_id(std::string_view blob) {
  return decode(blob).map([](const Header& header) { return header.key_id; });
}

Result<std::string> open_blob(const SecretKey& key, const BlobOwner& owner, std::string_view blob) {
  const auto header = decode(blob);
  if (!header) return tl::make_unexpected(header.error());
  const std::string aad = make_aad(blob.substr(0, kHeaderBytes), owner);
  auto opened = aead_open(key, header->nonce, aad, blob.substr(kHeaderBytes));
  if (!opened) return fail("the stored payload was altered or moved");
  if (header->codec == Codec::kZstd) {
    return decompress(*opened, header->original_length);
  }
  if (opened->size() != header->original_length) {
    return fail("the stored payload has another length than it says");
  }
  return std::move(*opened);
}

}  // namespace webhook

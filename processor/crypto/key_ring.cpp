#include "processor/crypto/key_ring.h"

#include <openssl/evp.h>
#include <openssl/sha.h>
#include <sys/stat.h>

#include <optional>

#include "processor/base/files.h"

namespace webhook {
namespace {

constexpr size_t kMaxRingBytes = 64 << 10;
constexpr size_t kFingerprintBytes = 8;
constexpr size_t kBase64Size = 44;  // of 32 bytes

std::string fingerprint_of(const SecretKey& key) {
  uint8_t digest[SHA256_DIGEST_LENGTH];
  SHA256(key.data(), SecretKey::kSize, digest);
  std::string text;
  for (size_t i = 0; i < kFingerprintBytes; ++i) {
    text += fmt::format("{:02x}", digest[i]);
  }
  return text;
}

std::optional<SecretKey> decode_key(std::string_view base64) {
  if (base64.size() != kBase64Size || base64.back() != '=') {
    return std::nullopt;
  }
  uint8_t decoded[kBase64Size / 4 * 3];
  const int size = EVP_DecodeBlock(decoded, reinterpret_cast<const uint8_t*>(base64.data()),
                                   static_cast<int>(base64.size()));
  std::optional<SecretKey> key;
  if (size == sizeof(decoded)) {
    key = SecretKey::from_bytes({reinterpret_cast<const char*>(decoded), SecretKey::kSize});
  }
  OPENSSL_cleanse(decoded, sizeof(decoded));
  return key;
}

std::string encode_key(const SecretKey& key) {
  std::string text(kBase64Size + 1, '\0');  // EVP_EncodeBlock adds a NUL
  EVP_EncodeBlock(reinterpret_cast<uint8_t*>(text.data()), key.data(), SecretKey::kSize);
  text.resize(kBase64Size);
  return text;
}

Result<KeyRing::Entry> parse_line(std::string_view line, const std::string& where) {
  const size_t blank = line.find(' ');
  if (blank == line.npos) {
    return fail("{}: a line is 'FINGERPRINT BASE64KEY'", where);
  }
  const std::string_view fingerprint = line.substr(0, blank);
  const auto key = decode_key(line.substr(blank + 1));
  if (!key) return fail("{}: the key is not 32 bytes in base64", where);
  if (fingerprint_of(*key) != fingerprint) {
    return fail("{}: the fingerprint is not that of the key", where);
  }
  return KeyRing::Entry{std::string(fingerprint), *key};
}

Status check_mode(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    return fail("cannot open key ring {}: {}", path, last_os_error());
  }
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return fail("key ring {} is open to other users: chmod 600 it", path);
  }
  return {};
}

Result<std::vector<KeyRing::Entry>> parse_ring(std::string_view text, const std::string& path) {
  std::vector<KeyRing::Entry> entries;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    auto entry = parse_line(line, fmt::format("{}:{}", path, number));
    if (!entry) return tl::make_unexpected(entry.error());
    entries.push_back(std::move(*entry));
  }
  if (entries.empty()) return fail("key ring {} holds no key", path);
  return entries;
}

}  // namespace

Result<KeyRing> KeyRing::load(const std::string& path) {
  if (auto checked = check_mode(path); !checked) {
    return tl::make_unexpected(checked.error());
  }
  auto text = read_file(path, kMaxRingBytes);
  if (!text) return tl::make_unexpected(text.error());
  auto entries = parse_ring(*text, path);
  OPENSSL_cleanse(text->data(), text->size());
  if (!entries) return tl::make_unexpected(entries.error());
  KeyRing ring;
  ring.entries_ = std::move(*entries);
  return ring;
}

Result<KeyRing> KeyRing::create(const std::string& path) {
  if (auto made = make_directories(directory_of(path), 0750); !made) {
    return tl::make_unexpected(made.error());
  }
  KeyRing ring;
  const SecretKey key = SecretKey::random();
  ring.entries_.push_back({fingerprint_of(key), key});
  std::string text = fmt::format(
      "# Keys of the webhook store, the current one first. Without this file\n"
      "# no stored payload can be read: back it up, apart from the store.\n"
      "{} {}\n",
      ring.current().fingerprint, encode_key(key));
  const auto written = write_new_file(path, text, 0600);
  OPENSSL_cleanse(text.data(), text.size());
  if (!written) return tl::make_unexpected(written.error());
  return ring;
}

const KeyRing::Entry* KeyRing::find(std::string_view fingerprint) const {
  for (const Entry& entry : entries_) {
    if (entry.fingerprint == fingerprint) return &entry;
  }
  return nullptr;
}

}  // namespace webhook

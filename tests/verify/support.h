// What the tests of the verify library share.
#ifndef WEBHOOK_TESTS_VERIFY_SUPPORT_H_
#define WEBHOOK_TESTS_VERIFY_SUPPORT_H_

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ngx_webhook_module/verify/arena.h"
#include "ngx_webhook_module/verify/provider_file.h"
#include "ngx_webhook_module/verify/provider_parser.h"
#include "ngx_webhook_module/verify/secrets.h"
#include "ngx_webhook_module/verify/verifier.h"

namespace webhook::test {

using namespace std::string_literals;

inline std::string source_path(const std::string& path) {
  return std::string(WEBHOOK_SOURCE_DIR) + "/" + path;
}

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Memory of an own block each, so that AddressSanitizer sees every overrun;
// from the allocation after `allowed` on there is none.
class TestArena {
 public:
  explicit TestArena(size_t allowed = SIZE_MAX) : allowed_(allowed) {}

  Arena get() { return {allocate, this}; }

 private:
  static void* allocate(void* context, size_t bytes) {
    auto* self = static_cast<TestArena*>(context);
    if (self->blocks_.size() == self->allowed_) return nullptr;
    self->blocks_.push_back(std::make_unique<char[]>(bytes));
    return self->blocks_.back().get();
  }

  size_t allowed_;
  std::vector<std::unique_ptr<char[]>> blocks_;
};

// Text in a block of exactly its size, without a NUL behind it.
class Exact {
 public:
  Exact(std::string_view text) : bytes_(text.begin(), text.end()) {}
  std::string_view view() const { return {bytes_.data(), bytes_.size()}; }
  operator std::string_view() const { return view(); }

 private:
  std::vector<char> bytes_;
};

// The text of a provider file, read.
class Providers {
 public:
  explicit Providers(std::string_view text, size_t allocations = SIZE_MAX) : arena_(allocations) {
    const Exact exact(text);
    ConfigError sentence;
    good_ = read_provider_file(
        exact, arena_.get(),
        [](void* context, const Provider& provider) {
          static_cast<std::vector<Provider>*>(context)->push_back(provider);
        },
        &list_, &sentence);
    error_ = sentence.text;
  }

  bool good() const { return good_; }
  const std::string& error() const { return error_; }
  size_t size() const { return list_.size(); }
  const Provider& operator[](size_t i) const { return list_.at(i); }

 private:
  TestArena arena_;
  std::vector<Provider> list_;
  bool good_;
  std::string error_;
};

// One of the files of providers/.
inline Providers shipped(const std::string& name) {
  return Providers(read_file(source_path("providers/" + name + ".conf")));
}

// A secret file, read.
class TestSecrets {
 public:
  TestSecrets(std::string_view file, const Provider& provider, size_t min_bytes = 16,
              size_t allocations = SIZE_MAX)
      : arena_(allocations) {
    const Exact exact(file);
    ConfigError sentence;
    good_ = parse_secrets(exact, provider, min_bytes, arena_.get(), &set_, &sentence);
    error_ = sentence.text;
  }
  ~TestSecrets() { set_.destroy(); }
  TestSecrets(const TestSecrets&) = delete;
  TestSecrets& operator=(const TestSecrets&) = delete;

  bool good() const { return good_; }
  const std::string& error() const { return error_; }
  SecretSet* set() { return &set_; }

 private:
  TestArena arena_;
  SecretSet set_;
  bool good_;
  std::string error_;
};

// A body cut at `cuts` (ascending offsets), each piece in a block of its own.
class Pieces {
 public:
  explicit Pieces(std::string_view body, const std::vector<size_t>& cuts = {}) {
    size_t from = 0;
    for (const size_t cut : cuts) {
      parts_.emplace_back(body.substr(from, cut - from));
      from = cut;
    }
    parts_.emplace_back(body.substr(from));
    for (const Exact& part : parts_) {
      pieces_.push_back({const_cast<char*>(part.view().data()), part.view().size()});
    }
  }

  Body body() const { return {pieces_.data(), pieces_.size()}; }

 private:
  std::vector<Exact> parts_;
  std::vector<iovec> pieces_;
};

struct Delivery {
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  int64_t now_ms = 0;
  std::vector<size_t> cuts;  // of the body, ascending

  // Replaces the value of a header that is there, or adds it.
  void set(const std::string& name, const std::string& value) {
    for (auto& header : headers) {
      if (header.first == name) {
        header.second = value;
        return;
      }
    }
    headers.emplace_back(name, value);
  }

  const std::string& get(const std::string& name) const {
    for (const auto& header : headers) {
      if (header.first == name) return header.second;
    }
    throw std::runtime_error("no header " + name);
  }

  void erase(const std::string& name) {
    std::erase_if(headers, [&](const auto& header) { return header.first == name; });
  }
};

// The whole way of a request: content, headers, body.
inline Reason judge(const Provider& provider, const Delivery& delivery, SecretSet* secrets,
                    Match* match) {
  std::vector<HeaderField> fields;
  for (const auto& [name, value] : delivery.headers) fields.push_back({name, value});
  const Headers headers = {fields.data(), fields.size()};
  const Pieces pieces(delivery.body, delivery.cuts);
  Claims claims;
  Reason reason = check_content(provider, headers);
  if (reason == Reason::kNone) reason = check_headers(provider, headers, &claims);
  if (reason != Reason::kNone) return reason;
  return verify(provider, claims, headers, pieces.body(), secrets, provider.tolerance,
                delivery.now_ms, match);
}

inline Reason judge(const Provider& provider, const Delivery& delivery, SecretSet* secrets) {
  Match match;
  return judge(provider, delivery, secrets, &match);
}

// OpenSSL's one-shot HMAC, which the library does not use.
inline std::string hmac(std::string_view key, std::string_view message,
                        const EVP_MD* md = EVP_sha256()) {
  unsigned char out[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  HMAC(md, key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(message.data()), message.size(), out, &size);
  return {reinterpret_cast<char*>(out), size};
}

inline std::string hex(std::string_view bytes) {
  std::string text;
  for (const unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

inline std::string base64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  text.resize(static_cast<size_t>(EVP_EncodeBlock(
      reinterpret_cast<unsigned char*>(text.data()),
      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()))));
  return text;
}

// So that a failed comparison prints names, not numbers.
inline std::string name_of(Reason reason) {
  return reason_name(reason);
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace webhook::test

namespace webhook {

inline void PrintTo(Reason reason, std::ostream* out) {
  *out << reason_name(reason);
}

}  // namespace webhook

#endif  // WEBHOOK_TESTS_VERIFY_SUPPORT_H_

#include "webhookctl/secret_file.h"

#include <openssl/crypto.h>

#include <iostream>

#include "webhookctl/failure.h"
#include "webhookctl/files.h"

namespace webhook {
namespace {

// The default of webhook_secret_min, below which the edge refuses a file.
constexpr size_t kEdgeMinBytes = 16;

void warn_of_short_secrets(const std::string& path, const SecretSet& secrets) {
  for (size_t i = 0; i < secrets.count; ++i) {
    if (secrets.secrets[i].size >= kEdgeMinBytes) continue;
    std::cerr << "webhookctl: warning: secret " << secrets.secrets[i].version << " in " << path
              << " is shorter than the " << kEdgeMinBytes << " bytes that the edge wants\n";
  }
}

}  // namespace

SecretFile::SecretFile(const std::string& path, const Provider& provider) : path_(path) {
  std::string text = read_file(path, kMaxSecretFileSize);
  ConfigError error;
  const bool good = parse_secrets(text, provider, 1, memory_.arena(), &secrets_, &error);
  OPENSSL_cleanse(text.data(), text.size());
  if (!good) throw Misuse(path + ": " + error.text);
  warn_of_short_secrets(path, secrets_);
}

Secret* SecretFile::newest_valid(int64_t now_ms) {
  for (size_t i = 0; i < secrets_.count; ++i) {
    if (secrets_.secrets[i].valid_at(now_ms)) return &secrets_.secrets[i];
  }
  throw Misuse(path_ + ": no secret is valid now; look at its from= and until=");
}

}  // namespace webhook

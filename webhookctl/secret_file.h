// A secret file, read once.
#ifndef WEBHOOK_WEBHOOKCTL_SECRET_FILE_H_
#define WEBHOOK_WEBHOOKCTL_SECRET_FILE_H_

#include <cstdint>
#include <string>

#include "ngx_webhook_module/verify/secrets.h"
#include "webhookctl/heap_arena.h"

namespace webhook {

class SecretFile {
 public:
  // Short secrets are accepted, with a warning on standard error. Throws
  // Misuse that names the file and line.
  SecretFile(const std::string& path, const Provider& provider);
  ~SecretFile() { secrets_.destroy(); }
  SecretFile(const SecretFile&) = delete;
  SecretFile& operator=(const SecretFile&) = delete;

  SecretSet* secrets() { return &secrets_; }

  // The first of the file that is valid then. Throws Misuse when none is.
  Secret* newest_valid(int64_t now_ms);

 private:
  std::string path_;
  HeapArena memory_;
  SecretSet secrets_;
};

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_SECRET_FILE_H_

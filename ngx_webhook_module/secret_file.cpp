#include "ngx_webhook_module/secret_file.h"

#include <openssl/crypto.h>

namespace webhook {
namespace {

void destroy_set(void* data) {
  static_cast<SecretSet*>(data)->destroy();
}

SecretSet* allocate_set(ngx_pool_t* pool) {
  ngx_pool_cleanup_t* cleanup = ngx_pool_cleanup_add(pool, sizeof(SecretSet));
  if (cleanup == nullptr) return nullptr;
  cleanup->handler = destroy_set;
  auto* set = static_cast<SecretSet*>(cleanup->data);
  *set = SecretSet();
  return set;
}

// Reads at most `capacity` bytes; the size, or -1 with errno.
ssize_t read_file(const char* path, char* out, size_t capacity) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd == -1) return -1;
  size_t size = 0;
  ssize_t n;
  while ((n = read(fd, out + size, capacity - size)) > 0) size += n;
  const int error = errno;
  close(fd);
  errno = error;
  return n < 0 ? -1 : static_cast<ssize_t>(size);
}

bool parse_file(const char* path, const Provider& provider, size_t min_bytes, ngx_pool_t* pool,
                SecretSet* set, ConfigError* error) {
  // One byte more than allowed, to see that a file is too long.
  static char buffer[kMaxSecretFileSize + 1];
  const ssize_t size = read_file(path, buffer, sizeof(buffer));
  bool good = false;
  if (size < 0) {
    error->set("cannot be read: %s", strerror(errno));
  } else if (static_cast<size_t>(size) > kMaxSecretFileSize) {
    error->set("has more than %zu bytes", kMaxSecretFileSize);
  } else {
    good = parse_secrets({buffer, static_cast<size_t>(size)}, provider, min_bytes, pool_arena(pool),
                         set, error);
  }
  OPENSSL_cleanse(buffer, sizeof(buffer));
  return good;
}

}  // namespace

SecretSet* load_secrets(ngx_conf_t* cf, const ngx_str_t& path, const Provider& provider,
                        size_t min_bytes, ConfigError* error) {
  ngx_str_t full = path;
  SecretSet* set = allocate_set(cf->pool);
  if (set == nullptr || ngx_conf_full_name(cf->cycle, &full, 1) != NGX_OK) {
    error->set("out of memory");
    return nullptr;
  }
  ConfigError reason;
  if (parse_file(reinterpret_cast<char*>(full.data), provider, min_bytes, cf->pool, set, &reason)) {
    return set;
  }
  error->set("webhook_secret_file \"%.*s\": %s", WEBHOOK_TEXT(to_view(full)), reason.text);
  return nullptr;
}

}  // namespace webhook

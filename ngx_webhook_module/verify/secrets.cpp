#include "ngx_webhook_module/verify/secrets.h"

#include <openssl/crypto.h>

#include "ngx_webhook_module/verify/text.h"

namespace webhook {
namespace {

constexpr size_t kMaxKeySize = 4096;

struct Line {
  size_t number;
  std::string_view version;
  std::string_view secret;
  int64_t from_ms = INT64_MIN;
  int64_t until_ms = INT64_MAX;
};

std::string_view take_word(std::string_view* rest) {
  *rest = trim(*rest);
  size_t end = 0;
  while (end < rest->size() && (*rest)[end] != ' ' && (*rest)[end] != '\t') ++end;
  const std::string_view word = slice(*rest, 0, end);
  rest->remove_prefix(end);
  return word;
}

bool is_bound(std::string_view word) {
  return starts_with(word, "from=") || starts_with(word, "until=");
}

bool parse_bound(std::string_view word, Line* line, ConfigError* error) {
  // The word may be a secret with a blank in it: it is not repeated.
  if (!is_bound(word)) {
    return error->set(
        "line %zu: after the secret only from= and until= may stand, and a secret "
        "may hold no blank",
        line->number);
  }
  const bool from = starts_with(word, "from=");
  if (from ? line->from_ms != INT64_MIN : line->until_ms != INT64_MAX) {
    return error->set("line %zu: %s stands twice", line->number, from ? "from=" : "until=");
  }
  const std::string_view time = slice(word, word.find('=') + 1);
  if (parse_time(time, TimeUnit::kRfc3339, from ? &line->from_ms : &line->until_ms)) return true;
  return error->set("line %zu: from= and until= want a time like 2026-12-01T00:00:00Z",
                    line->number);
}

bool parse_line(std::string_view text, Line* line, ConfigError* error) {
  line->version = take_word(&text);
  line->secret = take_word(&text);
  // Without its version, a secret stands in the place of the version.
  if (line->secret.empty() || is_bound(line->secret)) {
    return error->set("line %zu: write VERSION SECRET [from=TIME] [until=TIME]", line->number);
  }
  if (!is_name(line->version)) {
    return error->set(
        "line %zu: the first word names the version; use letters, digits, '.', '_' "
        "and '-', at most 64",
        line->number);
  }
  for (text = trim(text); !text.empty(); text = trim(text)) {
    if (!parse_bound(take_word(&text), line, error)) return false;
  }
  if (line->from_ms < line->until_ms) return true;
  return error->set("line %zu: until= is not after from=", line->number);
}

bool decode_key(const SecretForm& form, std::string_view secret, uint8_t* key, size_t* size) {
  if (starts_with(secret, form.prefix)) secret.remove_prefix(form.prefix.size());
  switch (form.form) {
    case KeyForm::kBase64: return decode(Encoding::kBase64, secret, key, kMaxKeySize, size);
    case KeyForm::kHex: return decode(Encoding::kHex, secret, key, kMaxKeySize, size);
    case KeyForm::kUtf8: break;
  }
  if (secret.size() > kMaxKeySize) return false;
  memcpy(key, secret.data(), secret.size());
  *size = secret.size();
  return true;
}

const char* form_name(const SecretForm& form) {
  switch (form.form) {
    case KeyForm::kUtf8: return "text of at most 4096 bytes";
    case KeyForm::kBase64: return "base64";
    case KeyForm::kHex: return "hexadecimal";
  }
  return "";
}

bool make_key(const Line& line, const Provider& provider, size_t min_bytes, Secret* secret,
              ConfigError* error) {
  if (line.secret.front() == '@') {
    return error->set(
        "line %zu: a secret that starts with '@' names a PEM file; provider \"%.*s\" wants the "
        "secret itself",
        line.number, WEBHOOK_TEXT(provider.name));
  }
  const SecretForm& form = provider.secret;
  uint8_t key[kMaxKeySize];
  bool good = decode_key(form, line.secret, key, &secret->size);
  if (!good) {
    error->set("line %zu: the secret is not %s, as provider \"%.*s\" wants it", line.number,
               form_name(form), WEBHOOK_TEXT(provider.name));
  } else if (secret->size < min_bytes || secret->size == 0) {
    good = error->set("line %zu: the secret has %zu bytes and needs at least %zu", line.number,
                      secret->size, min_bytes);
  } else if (!secret->key.init(provider.algorithm,
                               {reinterpret_cast<const char*>(key), secret->size})) {
    good = error->set("line %zu: OpenSSL cannot use the key (version 3.0.3 or later is needed)",
                      line.number);
  }
  OPENSSL_cleanse(key, sizeof(key));
  return good;
}

bool has_version(const SecretSet& set, std::string_view version) {
  for (size_t i = 0; i < set.count; ++i) {
    if (set.secrets[i].version == version) return true;
  }
  return false;
}

bool add_secret(const Line& line, const Provider& provider, size_t min_bytes, const Arena& arena,
                SecretSet* set, ConfigError* error) {
  if (set->count == SecretSet::kMax) {
    return error->set("line %zu: more than %zu secrets", line.number, SecretSet::kMax);
  }
  if (set->count > 0 && line.until_ms == INT64_MAX) {
    return error->set("line %zu: only the first (newest) secret may go without until=",
                      line.number);
  }
  // Not repeated: with the words swapped it is the secret.
  if (has_version(*set, line.version)) {
    return error->set("line %zu: another line has the same version", line.number);
  }
  Secret* secret = &set->secrets[set->count++];
  *secret = {copy_text(arena, line.version), line.from_ms, line.until_ms, 0, MacKey()};
  if (secret->version.data() == nullptr) return error->set("out of memory");
  return make_key(line, provider, min_bytes, secret, error);
}

bool parse_lines(std::string_view file, const Provider& provider, size_t min_bytes,
                 const Arena& arena, SecretSet* set, ConfigError* error) {
  for (size_t number = 1; !file.empty(); ++number) {
    std::string_view text = take_until(&file, '\n');
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    if (trim(text).empty() || text.front() == '#') continue;
    Line line;
    line.number = number;
    if (!parse_line(text, &line, error) ||
        !add_secret(line, provider, min_bytes, arena, set, error)) {
      return false;
    }
  }
  return set->count > 0 || error->set("the file holds no secret; write a line VERSION SECRET");
}

}  // namespace

void SecretSet::destroy() {
  for (size_t i = 0; i < count; ++i) secrets[i].key.destroy();
  count = 0;
}

bool parse_secrets(std::string_view file, const Provider& provider, size_t min_bytes,
                   const Arena& arena, SecretSet* set, ConfigError* error) {
  set->count = 0;
  if (parse_lines(file, provider, min_bytes, arena, set, error)) return true;
  set->destroy();
  return false;
}

}  // namespace webhook

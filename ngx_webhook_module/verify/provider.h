// What is known of a provider: plain data, filled by ProviderParser.
#ifndef WEBHOOK_VERIFY_PROVIDER_H_
#define WEBHOOK_VERIFY_PROVIDER_H_

#include <stddef.h>
#include <stdint.h>

#include <string_view>

#include "ngx_webhook_module/verify/encoding.h"
#include "ngx_webhook_module/verify/mac.h"
#include "ngx_webhook_module/verify/timestamp.h"

namespace webhook {

// Where a value comes from.
struct Source {
  enum class Kind : uint8_t {
    kNone,
    kHeader,        // header:NAME
    kJson,          // json:/POINTER, of the body
    kSignatureKey,  // sigkv:KEY, an element of the signature header
  };
  Kind kind = Kind::kNone;
  std::string_view name;
};

enum class Join : uint8_t { kNone, kDotted, kConcat };

// One way to find a field: a single source, or several put together.
struct Choice {
  static constexpr size_t kMaxParts = 4;
  Join join = Join::kNone;
  size_t count = 0;
  Source parts[kMaxParts];
};

// A value of the event: the first choice that is present.
struct Field {
  static constexpr size_t kMaxChoices = 4;
  size_t count = 0;  // 0: the provider has no such value
  Choice choices[kMaxChoices];
  bool required = false;
  bool outside_signature = false;
  TimeUnit unit = TimeUnit::kNone;  // of a field that is a time
};

// How to read the signature header: bare, or a list, of bare or KEY SEP VALUE
// elements.
struct SignatureGrammar {
  std::string_view header;
  char list_separator = 0;  // 0: one element
  char kv_separator = 0;    // 0: bare
  std::string_view key;     // the wanted scheme
};

struct TemplatePart {
  enum class Kind : uint8_t { kLiteral, kBody, kTimestamp, kHeader };
  Kind kind = Kind::kLiteral;
  std::string_view text;  // the literal, or the header's name
};

// The signed bytes.
struct SignedTemplate {
  static constexpr size_t kMaxParts = 16;
  size_t count = 0;
  TemplatePart parts[kMaxParts];
};

enum class KeyForm : uint8_t { kUtf8, kBase64, kHex };

struct SecretForm {
  KeyForm form = KeyForm::kUtf8;
  std::string_view prefix;  // taken off before decoding, when it is there
};

// A request whose body has `match` equal to `equals` is answered with `echo`.
struct Handshake {
  Source match;  // kNone: the provider has no handshake
  std::string_view equals;
  Source echo;
};

struct Provider {
  static constexpr size_t kMaxContentTypes = 4;
  static constexpr size_t kMaxNamedHeaders = 16;

  std::string_view name;
  SignatureGrammar signature;
  Source timestamp;  // kNone: the provider signs no time
  TimeUnit timestamp_unit = TimeUnit::kNone;
  SignedTemplate signed_bytes;
  MacAlgorithm algorithm = MacAlgorithm::kHmacSha256;
  Encoding encoding = Encoding::kHex;
  SecretForm secret;
  Tolerance tolerance = {300, 300};
  size_t content_type_count = 0;  // 0: any
  std::string_view content_types[kMaxContentTypes];

  Field event_id;
  Field event_type;
  Field account;
  Field object_id;
  Field object_version;
  Field created_at;
  int64_t redelivery_s = 3 * 24 * 60 * 60;
  Handshake handshake;

  // Every header that the above names, once each: none may come twice.
  size_t named_header_count = 0;
  std::string_view named_headers[kMaxNamedHeaders];

  bool signs_time() const { return timestamp.kind != Source::Kind::kNone; }
};

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_PROVIDER_H_

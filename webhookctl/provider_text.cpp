#include "webhookctl/provider_text.h"

#include "webhookctl/time_text.h"

namespace webhook {
namespace {

std::string describe_source(const Source& source) {
  const std::string name(source.name);
  switch (source.kind) {
    case Source::Kind::kHeader: return "header:" + name;
    case Source::Kind::kJson: return "json:" + name;
    case Source::Kind::kSignatureKey: return "sigkv:" + name;
    case Source::Kind::kNone: break;
  }
  return {};
}

std::string describe_choice(const Choice& choice) {
  if (choice.join == Join::kNone) return describe_source(choice.parts[0]);
  std::string text = choice.join == Join::kDotted ? "dotted(" : "concat(";
  for (size_t i = 0; i < choice.count; ++i) {
    if (i > 0) text += ",";
    text += describe_source(choice.parts[i]);
  }
  return text + ")";
}

std::string unit_name(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kSeconds: return "s";
    case TimeUnit::kMilliseconds: return "ms";
    case TimeUnit::kRfc3339: return "rfc3339";
    case TimeUnit::kNone: break;
  }
  return {};
}

std::string separator_name(char separator) {
  return separator == ' ' ? "space" : std::string(1, separator);
}

std::string describe_signature(const SignatureGrammar& grammar) {
  std::string text = "header:" + std::string(grammar.header);
  if (grammar.list_separator != 0) text += " list=" + separator_name(grammar.list_separator);
  if (grammar.kv_separator != 0) {
    text += " kv=" + separator_name(grammar.kv_separator) + " key=" + std::string(grammar.key);
  }
  return text;
}

std::string describe_template(const SignedTemplate& signed_bytes) {
  std::string text;
  for (size_t i = 0; i < signed_bytes.count; ++i) {
    const TemplatePart& part = signed_bytes.parts[i];
    switch (part.kind) {
      case TemplatePart::Kind::kLiteral: text += part.text; break;
      case TemplatePart::Kind::kBody: text += "{body}"; break;
      case TemplatePart::Kind::kTimestamp: text += "{ts}"; break;
      case TemplatePart::Kind::kHeader: text += "{header:" + std::string(part.text) + "}"; break;
    }
  }
  return text;
}

std::string describe_secret(const SecretForm& secret) {
  std::string text = secret.form == KeyForm::kUtf8     ? "utf8"
                     : secret.form == KeyForm::kBase64 ? "base64"
                                                       : "hex";
  if (!secret.prefix.empty()) text += " prefix=" + std::string(secret.prefix);
  return text;
}

std::string describe_content_types(const Provider& provider) {
  std::string text;
  for (size_t i = 0; i < provider.content_type_count; ++i) {
    if (i > 0) text += " ";
    text += provider.content_types[i];
  }
  return text;
}

std::string describe_timestamp(const Provider& provider) {
  if (!provider.signs_time()) return {};
  return describe_source(provider.timestamp) + " unit=" + unit_name(provider.timestamp_unit);
}

std::string describe_handshake(const Handshake& handshake) {
  if (handshake.match.kind == Source::Kind::kNone) return {};
  return describe_source(handshake.match) + "=" + std::string(handshake.equals) +
         " echo=" + describe_source(handshake.echo);
}

}  // namespace

std::string describe_window(const Provider& provider) {
  if (!provider.signs_time()) return {};
  return format_duration(provider.tolerance.past_s) + " " +
         format_duration(provider.tolerance.future_s);
}

std::string describe_algorithm(const Provider& provider) {
  constexpr const char* kAlgorithms[] = {"hmac-sha1", "hmac-sha256", "hmac-sha512"};
  constexpr const char* kEncodings[] = {"hex", "base64", "base64url"};
  return std::string(kAlgorithms[static_cast<size_t>(provider.algorithm)]) + " " +
         kEncodings[static_cast<size_t>(provider.encoding)];
}

std::string describe_field(const Field& field) {
  std::string text;
  for (size_t i = 0; i < field.count; ++i) {
    if (i > 0) text += " ";
    text += describe_choice(field.choices[i]);
  }
  if (field.required) text += " required";
  if (field.outside_signature) text += " unsigned";
  if (field.unit != TimeUnit::kNone) text += " unit=" + unit_name(field.unit);
  return text;
}

Rows describe_provider(const Provider& provider) {
  Rows rows = {{"signature", describe_signature(provider.signature)},
               {"timestamp", describe_timestamp(provider)},
               {"signed", describe_template(provider.signed_bytes)},
               {"algorithm", describe_algorithm(provider)},
               {"secret", describe_secret(provider.secret)},
               {"tolerance", describe_window(provider)},
               {"content_type", describe_content_types(provider)},
               {"event_id", describe_field(provider.event_id)},
               {"event_type", describe_field(provider.event_type)},
               {"account", describe_field(provider.account)},
               {"object_id", describe_field(provider.object_id)},
               {"object_version", describe_field(provider.object_version)},
               {"created_at", describe_field(provider.created_at)},
               {"redelivery", format_duration(provider.redelivery_s)},
               {"handshake", describe_handshake(provider.handshake)}};
  std::erase_if(rows, [](const auto& row) { return row.second.empty(); });
  return rows;
}

}  // namespace webhook

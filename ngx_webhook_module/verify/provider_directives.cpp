#include "ngx_webhook_module/verify/provider_directives.h"

#include "ngx_webhook_module/verify/signed_template.h"
#include "ngx_webhook_module/verify/source.h"
#include "ngx_webhook_module/verify/text.h"

namespace webhook {
namespace {

// "kv==" gives "=" for the option "kv"; false for another word.
bool option(std::string_view word, std::string_view name, std::string_view* value) {
  if (!starts_with(word, name) || word.size() <= name.size() || word[name.size()] != '=') {
    return false;
  }
  *value = slice(word, name.size() + 1);
  return true;
}

bool unknown_word(std::string_view word, const char* accepted, ConfigError* error) {
  return error->set("unknown word \"%.*s\"; accepted here: %s", WEBHOOK_TEXT(word), accepted);
}

bool parse_separator(std::string_view text, char* separator, ConfigError* error) {
  if (text == "space") {
    *separator = ' ';
    return true;
  }
  if (text.size() == 1 && text[0] > ' ' && text[0] < 0x7f) {
    *separator = text[0];
    return true;
  }
  return error->set("\"%.*s\" is no separator; write one character or \"space\"",
                    WEBHOOK_TEXT(text));
}

bool signature(Provider* provider, Words words, ConfigError* error) {
  Source source;
  if (!parse_source(words[0], &source, error)) return false;
  if (source.kind != Source::Kind::kHeader) {
    return error->set("\"%.*s\" cannot hold a signature; write header:NAME",
                      WEBHOOK_TEXT(words[0]));
  }
  SignatureGrammar* grammar = &provider->signature;
  grammar->header = source.name;
  for (size_t i = 1; i < words.count; ++i) {
    std::string_view value;
    bool good = true;
    if (option(words[i], "list", &value)) {
      good = parse_separator(value, &grammar->list_separator, error);
    } else if (option(words[i], "kv", &value)) {
      good = parse_separator(value, &grammar->kv_separator, error);
    } else if (option(words[i], "key", &value)) {
      grammar->key = value;
    } else {
      good = unknown_word(words[i], "list=SEPARATOR, kv=SEPARATOR, key=SCHEME", error);
    }
    if (!good) return false;
  }
  return true;
}

bool timestamp(Provider* provider, Words words, ConfigError* error) {
  if (!parse_source(words[0], &provider->timestamp, error)) return false;
  if (provider->timestamp.kind == Source::Kind::kJson) {
    return error->set(
        "\"%.*s\" would have to be read before the signature is verified; write "
        "header:NAME or sigkv:KEY",
        WEBHOOK_TEXT(words[0]));
  }
  std::string_view unit;
  if (!option(words[1], "unit", &unit)) {
    return unknown_word(words[1], "unit=s, unit=ms, unit=rfc3339", error);
  }
  return parse_unit(unit, &provider->timestamp_unit, error);
}

bool signed_bytes(Provider* provider, Words words, ConfigError* error) {
  return parse_template(words[0], &provider->signed_bytes, error);
}

bool algorithm(Provider* provider, Words words, ConfigError* error) {
  if (words[0] == "hmac-sha256") {
    provider->algorithm = MacAlgorithm::kHmacSha256;
  } else if (words[0] == "hmac-sha1") {
    provider->algorithm = MacAlgorithm::kHmacSha1;
  } else if (words[0] == "hmac-sha512") {
    provider->algorithm = MacAlgorithm::kHmacSha512;
  } else {
    return unknown_word(words[0], "hmac-sha256, hmac-sha1, hmac-sha512", error);
  }
  if (words[1] == "hex") {
    provider->encoding = Encoding::kHex;
  } else if (words[1] == "base64") {
    provider->encoding = Encoding::kBase64;
  } else if (words[1] == "base64url") {
    provider->encoding = Encoding::kBase64Url;
  } else {
    return unknown_word(words[1], "hex, base64, base64url", error);
  }
  return true;
}

bool secret(Provider* provider, Words words, ConfigError* error) {
  if (words[0] == "utf8") {
    provider->secret.form = KeyForm::kUtf8;
  } else if (words[0] == "base64") {
    provider->secret.form = KeyForm::kBase64;
  } else if (words[0] == "hex") {
    provider->secret.form = KeyForm::kHex;
  } else {
    return unknown_word(words[0], "utf8, base64, hex", error);
  }
  if (words.count == 1) return true;
  if (!option(words[1], "prefix", &provider->secret.prefix)) {
    return unknown_word(words[1], "prefix=TEXT", error);
  }
  return provider->secret.form != KeyForm::kUtf8 ||
         error->set("a utf8 secret is the whole text; prefix= goes with base64 or hex");
}

bool parse_limit(std::string_view word, int64_t* seconds, ConfigError* error) {
  if (parse_duration(word, seconds)) return true;
  return error->set("\"%.*s\" is no time; write a number with s, m, h or d, as 5m",
                    WEBHOOK_TEXT(word));
}

bool tolerance(Provider* provider, Words words, ConfigError* error) {
  return parse_limit(words[0], &provider->tolerance.past_s, error) &&
         parse_limit(words[1], &provider->tolerance.future_s, error);
}

bool content_type(Provider* provider, Words words, ConfigError*) {
  for (const std::string_view word : words) {
    provider->content_types[provider->content_type_count++] = word;
  }
  return true;
}

bool redelivery(Provider* provider, Words words, ConfigError* error) {
  return parse_limit(words[0], &provider->redelivery_s, error);
}

bool handshake(Provider* provider, Words words, ConfigError* error) {
  constexpr char kForm[] = "json:/POINTER=TEXT echo=json:/POINTER";
  Handshake* handshake = &provider->handshake;
  std::string_view equals = words[0];
  const std::string_view match = take_until(&equals, '=');
  std::string_view echo;
  if (!option(words[1], "echo", &echo)) return unknown_word(words[1], kForm, error);
  if (!parse_source(match, &handshake->match, error) ||
      !parse_source(echo, &handshake->echo, error)) {
    return false;
  }
  handshake->equals = equals;
  if (handshake->match.kind == Source::Kind::kJson && handshake->echo.kind == Source::Kind::kJson &&
      !equals.empty()) {
    return true;
  }
  return error->set("a handshake is written %s", kForm);
}

bool parse_field(Field* field, Words words, bool is_time, ConfigError* error) {
  for (const std::string_view word : words) {
    std::string_view unit;
    if (word == "required") {
      field->required = true;
    } else if (word == "optional") {
      field->required = false;
    } else if (word == "unsigned") {
      field->outside_signature = true;
    } else if (is_time && option(word, "unit", &unit)) {
      if (!parse_unit(unit, &field->unit, error)) return false;
    } else if (field->count == Field::kMaxChoices) {
      return error->set("more than %zu places to look for one value", Field::kMaxChoices);
    } else if (!parse_choice(word, &field->choices[field->count++], error)) {
      return false;
    }
  }
  if (field->count == 0) {
    return error->set("no source is named; write header:NAME or json:/POINTER");
  }
  if (is_time && field->unit == TimeUnit::kNone) {
    return error->set("the unit is missing; add unit=s, unit=ms or unit=rfc3339");
  }
  return true;
}

template <Field Provider::*member>
bool value(Provider* provider, Words words, ConfigError* error) {
  return parse_field(&(provider->*member), words, false, error);
}

bool created_at(Provider* provider, Words words, ConfigError* error) {
  return parse_field(&provider->created_at, words, true, error);
}

}  // namespace

const Directive kDirectives[kDirectiveCount] = {
    {"signature", 1, 4, true, signature, "header:NAME [list=SEP] [kv=SEP key=SCHEME]"},
    {"timestamp", 2, 2, false, timestamp, "header:NAME|sigkv:KEY unit=s|ms|rfc3339"},
    {"signed", 1, 1, true, signed_bytes, "\"{ts}.{body}\""},
    {"algorithm", 2, 2, true, algorithm, "hmac-sha256|hmac-sha1|hmac-sha512 hex|base64|base64url"},
    {"secret", 1, 2, true, secret, "utf8 or base64|hex [prefix=TEXT]"},
    {"tolerance", 2, 2, false, tolerance, "PAST FUTURE"},
    {"content_type", 1, Provider::kMaxContentTypes, false, content_type, "TYPE/SUBTYPE..."},
    {"event_id", 1, 6, true, value<&Provider::event_id>, "SOURCE... [unsigned]"},
    {"event_type", 1, 6, false, value<&Provider::event_type>, "SOURCE... [required] [unsigned]"},
    {"account", 1, 6, false, value<&Provider::account>, "SOURCE... [required] [unsigned]"},
    {"object_id", 1, 6, false, value<&Provider::object_id>, "SOURCE... [required] [unsigned]"},
    {"object_version", 1, 6, false, value<&Provider::object_version>,
     "SOURCE... [required] [unsigned]"},
    {"created_at", 2, 7, false, created_at, "SOURCE... unit=s|ms|rfc3339 [unsigned]"},
    {"redelivery", 1, 1, false, redelivery, "TIME"},
    {"handshake", 2, 2, false, handshake, "json:/POINTER=TEXT echo=json:/POINTER"},
};

const char kDirectiveNames[] =
    "signature, timestamp, signed, algorithm, secret, tolerance, content_type, event_id, "
    "event_type, account, object_id, object_version, created_at, redelivery, handshake";

const Directive* find_directive(std::string_view name) {
  for (const Directive& directive : kDirectives) {
    if (directive.name == name) return &directive;
  }
  return nullptr;
}

}  // namespace webhook

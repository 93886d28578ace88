#include "ngx_webhook_module/verify/provider_file.h"

#include "ngx_webhook_module/verify/provider_parser.h"
#include "ngx_webhook_module/verify/text.h"

namespace webhook {
namespace {

constexpr size_t kMaxWords = 16;
constexpr size_t kMaxStatementSize = 4096;  // NGINX: of one word

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// NGINX's rules (ngx_conf_read_token): words end at a blank, ';' or '{', but not
// at that of "${"; a quote opens only at the start of a word; '\' escapes inside
// and outside; after a closing quote ')' starts the next word.
class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  size_t line() const { return line_; }
  const std::string_view* words() const { return words_; }
  size_t count() const { return count_; }

  // Reads up to ';', '{' or '}' and says which; '\0' at the end of the text
  // and on an error.
  char statement(ConfigError* error) {
    count_ = 0;
    used_ = 0;
    for (;;) {
      skip_blank();
      if (text_.empty()) {
        if (count_ > 0) error->set("\";\" is missing at the end of the file");
        return '\0';
      }
      const char c = text_.front();
      if (c == ';' || c == '{' || c == '}') {
        advance();
        return c;
      }
      if (!word(error)) return '\0';
    }
  }

 private:
  void advance() {
    if (text_.front() == '\n') ++line_;
    text_.remove_prefix(1);
  }

  void skip_blank() {
    while (!text_.empty() && (is_blank(text_.front()) || text_.front() == '#')) {
      if (text_.front() == '#') {
        while (!text_.empty() && text_.front() != '\n') advance();
      } else {
        advance();
      }
    }
  }

  bool put(char c, ConfigError* error) {
    if (used_ == sizeof(buffer_)) return error->set("the directive is too long");
    buffer_[used_++] = c;
    return true;
  }

  bool put_escaped(ConfigError* error) {
    advance();
    if (text_.empty()) return error->set("\"\\\" is the last character of the file");
    const char c = text_.front();
    advance();
    switch (c) {
      case 't': return put('\t', error);
      case 'r': return put('\r', error);
      case 'n': return put('\n', error);
      case '"':
      case '\'':
      case '\\': return put(c, error);
      default: return put('\\', error) && put(c, error);
    }
  }

  bool at_end_of_word(char quote) const {
    const char c = text_.front();
    return quote != '\0' ? c == quote : is_blank(c) || c == ';' || c == '{';
  }

  bool word(ConfigError* error) {
    if (count_ == kMaxWords) return error->set("more than %zu words", kMaxWords);
    const char quote = text_.front() == '"' || text_.front() == '\'' ? text_.front() : '\0';
    if (quote != '\0') advance();
    const size_t start = used_;
    bool variable = false;
    while (!text_.empty()) {
      const char c = text_.front();
      const bool brace = variable && c == '{';
      if (!brace && at_end_of_word(quote)) break;
      variable = brace || c == '$';
      if (c == '\\') {
        if (!put_escaped(error)) return false;
      } else {
        if (!put(c, error)) return false;
        advance();
      }
    }
    words_[count_++] = {buffer_ + start, used_ - start};
    return quote == '\0' || close_quote(error);
  }

  bool close_quote(ConfigError* error) {
    if (text_.empty()) return error->set("a quote is not closed");
    advance();
    if (text_.empty() || text_.front() == ')' || at_end_of_word('\0')) return true;
    return error->set("after a closing quote a blank, \";\" or \"{\" must stand");
  }

  std::string_view text_;
  size_t line_ = 1;
  size_t count_ = 0;
  size_t used_ = 0;
  std::string_view words_[kMaxWords];
  char buffer_[kMaxStatementSize];
};

bool read_block(Tokenizer* tokens, const Arena& arena, Provider* provider, ConfigError* error) {
  if (tokens->count() != 2 || tokens->words()[0] != "webhook_provider") {
    return error->set("a provider file holds only: webhook_provider NAME { ... }");
  }
  ProviderParser parser(arena, provider);
  if (!parser.begin(tokens->words()[1], error)) return false;
  for (;;) {
    const char end = tokens->statement(error);
    if (end == ';' && tokens->count() > 0) {
      if (!parser.add(tokens->words(), tokens->count(), error)) return false;
    } else if (end == '}' && tokens->count() == 0) {
      return parser.finish(error);
    } else if (end == '{') {
      return error->set("\"{\" stands outside of quotes; write signed \"{ts}.{body}\"");
    } else {
      return error->text[0] != '\0' ? false : error->set("\";\" or \"}\" is missing");
    }
  }
}

}  // namespace

bool read_provider_file(std::string_view text, const Arena& arena,
                        void (*visit)(void* context, const Provider& provider), void* context,
                        ConfigError* error) {
  Tokenizer tokens(text);
  ConfigError reason;
  for (;;) {
    const char end = tokens.statement(&reason);
    if (end == '\0' && reason.text[0] == '\0') return true;
    Provider provider;
    if (end == '{' && read_block(&tokens, arena, &provider, &reason)) {
      visit(context, provider);
      continue;
    }
    if (reason.text[0] == '\0') reason.set("webhook_provider NAME { ... } was expected");
    return error->set("line %zu: %s", tokens.line(), reason.text);
  }
}

}  // namespace webhook

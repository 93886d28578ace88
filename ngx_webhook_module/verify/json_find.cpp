#include "ngx_webhook_module/verify/json_find.h"

#include <yajl/yajl_parse.h>

#include "ngx_webhook_module/verify/text.h"

namespace webhook {
namespace {

constexpr size_t kMaxDepth = 512;

// How far the way from the root to the parser's place follows one pointer.
struct Query {
  std::string_view rest;  // tokens that are still to be met: "/b/c"
  size_t on_path = 0;     // containers below the root that met a token
  bool next = false;      // the value that begins now meets the first of `rest`
  bool done = false;
};

struct Search {
  Query queries[kMaxJsonPointers];
  size_t count = 0;
  JsonValue* values = nullptr;
  Arena arena = {};
  size_t depth = 0;  // open containers
  bool is_array[kMaxDepth];
  size_t index[kMaxDepth];  // of the next element

  // The container that the parser is in is the one where the query goes on.
  bool here(const Query& query) const { return !query.done && depth == query.on_path + 1; }
};

std::string_view first_token(std::string_view pointer) {
  pointer.remove_prefix(1);
  return take_until(&pointer, '/');
}

bool is_last_token(std::string_view pointer) {
  return first_token(pointer).size() + 1 == pointer.size();
}

// In a pointer ~0 stands for '~' and ~1 for '/'.
bool token_is_name(std::string_view token, std::string_view name) {
  size_t at = 0;
  for (size_t i = 0; i < token.size(); ++i, ++at) {
    char c = token[i];
    if (c == '~') c = token[++i] == '1' ? '/' : '~';
    if (at == name.size() || name[at] != c) return false;
  }
  return at == name.size();
}

bool token_is_index(std::string_view token, size_t index) {
  if (token.empty() || token.size() > 9 || (token.size() > 1 && token[0] == '0')) return false;
  size_t value = 0;
  for (const char c : token) {
    if (!is_digit(c)) return false;
    value = value * 10 + static_cast<size_t>(c - '0');
  }
  return value == index;
}

int on_member_name(void* context, const unsigned char* bytes, size_t size) {
  Search* search = static_cast<Search*>(context);
  const std::string_view name(reinterpret_cast<const char*>(bytes), size);
  if (!is_valid_utf8(name)) return 0;
  for (size_t i = 0; i < search->count; ++i) {
    Query* query = &search->queries[i];
    query->next = search->here(*query) && token_is_name(first_token(query->rest), name);
  }
  return 1;
}

// Every value begins with this; elements of an array have no name to match.
void begin_value(Search* search) {
  if (search->depth == 0 || !search->is_array[search->depth - 1]) return;
  const size_t index = search->index[search->depth - 1]++;
  for (size_t i = 0; i < search->count; ++i) {
    Query* query = &search->queries[i];
    query->next = search->here(*query) && token_is_index(first_token(query->rest), index);
  }
}

// Takes what has been met off the query; false when the value is not on its way.
bool meet(Query* query) {
  if (!query->next) return false;
  query->next = false;
  return true;
}

int on_scalar(Search* search, std::string_view text, bool present) {
  begin_value(search);
  for (size_t i = 0; i < search->count; ++i) {
    Query* query = &search->queries[i];
    if (!meet(query)) continue;
    query->done = true;
    if (!present || !is_last_token(query->rest)) continue;
    search->values[i].text = copy_text(search->arena, text);
    search->values[i].present = search->values[i].text.data() != nullptr;
    if (!search->values[i].present) return 0;
  }
  return 1;
}

int on_open(Search* search, bool is_array) {
  begin_value(search);
  if (search->depth == kMaxDepth) return 0;
  for (size_t i = 0; i < search->count; ++i) {
    Query* query = &search->queries[i];
    if (!meet(query)) continue;
    query->done = is_last_token(query->rest);
    query->rest.remove_prefix(1 + first_token(query->rest).size());
    ++query->on_path;
  }
  search->is_array[search->depth] = is_array;
  search->index[search->depth] = 0;
  ++search->depth;
  return 1;
}

// A container on the way closes without the value. A later one of the same name
// does not count, so there is none.
int on_close(void* context) {
  Search* search = static_cast<Search*>(context);
  for (size_t i = 0; i < search->count; ++i) {
    Query* query = &search->queries[i];
    if (search->here(*query)) query->done = true;
  }
  --search->depth;
  return 1;
}

int on_null(void* context) {
  return on_scalar(static_cast<Search*>(context), {}, false);
}

int on_boolean(void* context, int value) {
  return on_scalar(static_cast<Search*>(context), value ? "true" : "false", true);
}

int on_number(void* context, const char* text, size_t size) {
  return on_scalar(static_cast<Search*>(context), {text, size}, true);
}

// The parser itself lets overlong forms and surrogates pass.
int on_string(void* context, const unsigned char* bytes, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  return is_valid_utf8(text) ? on_scalar(static_cast<Search*>(context), text, true) : 0;
}

int on_start_map(void* context) {
  return on_open(static_cast<Search*>(context), false);
}

int on_start_array(void* context) {
  return on_open(static_cast<Search*>(context), true);
}

constexpr yajl_callbacks kCallbacks = {on_null,   on_boolean,     nullptr,      nullptr,
                                       on_number, on_string,      on_start_map, on_member_name,
                                       on_close,  on_start_array, on_close};

}  // namespace

bool json_find(const Body& body, const std::string_view* pointers, size_t count, const Arena& arena,
               JsonValue* values) {
  if (count > kMaxJsonPointers) return false;
  Search search;
  search.count = count;
  search.values = values;
  search.arena = arena;
  for (size_t i = 0; i < count; ++i) {
    search.queries[i].rest = pointers[i];
    values[i] = JsonValue();
  }
  yajl_handle parser = yajl_alloc(&kCallbacks, nullptr, &search);
  if (parser == nullptr) return false;
  bool good = true;
  for (size_t i = 0; good && i < body.count; ++i) {
    const iovec& piece = body.pieces[i];
    good = yajl_parse(parser, static_cast<const unsigned char*>(piece.iov_base), piece.iov_len) ==
           yajl_status_ok;
  }
  good = good && yajl_complete_parse(parser) == yajl_status_ok;
  yajl_free(parser);
  return good;
}

}  // namespace webhook

// NGINX's headers, and what differs between its versions.
#ifndef NGX_WEBHOOK_NGX_H_
#define NGX_WEBHOOK_NGX_H_

extern "C" {
#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>
#include <ngx_event_connect.h>
#include <ngx_http.h>
}

#include <string_view>

#include "ngx_webhook_module/verify/arena.h"

// ngx_log_error and friends for a std::string_view: "%*s".
#define NGX_TEXT(view) (view).size(), (view).data()

namespace webhook {

inline std::string_view to_view(const ngx_str_t& text) {
  return {reinterpret_cast<const char*>(text.data), text.len};
}

inline ngx_str_t to_ngx(std::string_view text) {
  return {text.size(), reinterpret_cast<u_char*>(const_cast<char*>(text.data()))};
}

inline Arena pool_arena(ngx_pool_t* pool) {
  return {[](void* context, size_t bytes) {
            return ngx_palloc(static_cast<ngx_pool_t*>(context), bytes);
          },
          pool};
}

// A header of the answer; `value` must live as long as the request.
inline bool add_header(ngx_http_request_t* r, std::string_view name, std::string_view value) {
  auto* header = static_cast<ngx_table_elt_t*>(ngx_list_push(&r->headers_out.headers));
  if (header == nullptr) return false;
  header->hash = 1;
  header->key = to_ngx(name);
  header->value = to_ngx(value);
#if (nginx_version >= 1023000)
  header->next = nullptr;
#endif
  return true;
}

inline bool is_https(const ngx_http_request_t* r) {
#if (NGX_HTTP_SSL)
  if (r->connection->ssl != nullptr) return true;
#endif
#if (NGX_HTTP_V3)
  if (r->connection->quic != nullptr) return true;
#endif
  return false;
}

}  // namespace webhook

#endif  // NGX_WEBHOOK_NGX_H_

#include "ngx_webhook_module/request.h"

namespace webhook {
namespace {

static_assert(std::is_trivially_destructible<RequestContext>::value, "the pool runs no destructor");

// The request ends, by its answer or before it.
void clean_up(void* data) {
  auto* context = static_cast<RequestContext*>(data);
  context->body.release();
  if (context->timer.timer_set) ngx_del_timer(&context->timer);
  if (context->link != nullptr) context->link->cancel(&context->handoff);
}

// Marks the context in the pool, where the log phase still finds it: by then
// the list of clean-ups of the request is gone.
void remember(void*) {}

}  // namespace

RequestContext* create_context(ngx_http_request_t* r) {
  auto* context = static_cast<RequestContext*>(ngx_pcalloc(r->pool, sizeof(RequestContext)));
  ngx_http_cleanup_t* cleanup = ngx_http_cleanup_add(r, 0);
  ngx_pool_cleanup_t* memory = ngx_pool_cleanup_add(r->pool, 0);
  if (context == nullptr || cleanup == nullptr || memory == nullptr) return nullptr;
  context->request = r;
  context->conf = location_conf(r);
  context->processor_ms = -1;
  cleanup->handler = clean_up;
  cleanup->data = context;
  memory->handler = remember;
  memory->data = context;
  ngx_http_set_ctx(r, context, ngx_http_webhook_module);
  return context;
}

std::string_view request_id(ngx_http_request_t* r) {
  static ngx_str_t name = ngx_string("request_id");
  static const ngx_uint_t key = ngx_hash_key(name.data, name.len);
  const ngx_http_variable_value_t* value = ngx_http_get_variable(r, &name, key);
  if (value == nullptr || value->not_found) return {};
  return {reinterpret_cast<char*>(value->data), value->len};
}

RequestContext* find_context(ngx_http_request_t* r) {
  auto* context = static_cast<RequestContext*>(ngx_http_get_module_ctx(r, ngx_http_webhook_module));
  if (context != nullptr) return context;
  for (ngx_pool_cleanup_t* c = r->pool->cleanup; c != nullptr; c = c->next) {
    if (c->handler == remember) return static_cast<RequestContext*>(c->data);
  }
  return nullptr;
}

}  // namespace webhook

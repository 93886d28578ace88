#include "ngx_webhook_module/request.h"

namespace webhook {
namespace {

using Value = ngx_http_variable_value_t;

ngx_int_t set_text(Value* value, std::string_view text) {
  value->data = reinterpret_cast<u_char*>(const_cast<char*>(text.data()));
  value->len = text.size();
  value->valid = 1;
  value->no_cacheable = 1;
  value->not_found = text.empty();
  return NGX_OK;
}

// Also for what NGINX itself has refused at an endpoint.
Reason reason_of(ngx_http_request_t* r, const RequestContext* context) {
  if (context != nullptr && context->reason != Reason::kNone) return context->reason;
  switch (r->headers_out.status) {
    case NGX_HTTP_REQUEST_ENTITY_TOO_LARGE: return Reason::kBodyTooLarge;
    case NGX_HTTP_TOO_MANY_REQUESTS: return Reason::kRateLimited;
    case NGX_HTTP_BAD_REQUEST:
    case NGX_HTTP_REQUEST_TIME_OUT:
    case NGX_HTTP_CLIENT_CLOSED_REQUEST: return Reason::kBodyIncomplete;
    default: return Reason::kNone;
  }
}

bool is_endpoint(ngx_http_request_t* r, const RequestContext* context) {
  return context != nullptr || location_conf(r)->entry != nullptr;
}

ngx_int_t get_decision(ngx_http_request_t* r, Value* value, uintptr_t) {
  const RequestContext* context = find_context(r);
  if (!is_endpoint(r, context)) return set_text(value, "");
  return set_text(value, decision_name(reason_decision(reason_of(r, context))));
}

ngx_int_t get_reason(ngx_http_request_t* r, Value* value, uintptr_t) {
  const RequestContext* context = find_context(r);
  if (!is_endpoint(r, context)) return set_text(value, "");
  return set_text(value, reason_name(reason_of(r, context)));
}

// `data` is the offset of an ngx_str_t in RequestContext.
ngx_int_t get_member(ngx_http_request_t* r, Value* value, uintptr_t data) {
  const RequestContext* context = find_context(r);
  if (context == nullptr) return set_text(value, "");
  const auto* bytes = reinterpret_cast<const u_char*>(context) + data;
  return set_text(value, to_view(*reinterpret_cast<const ngx_str_t*>(bytes)));
}

ngx_int_t get_tenant(ngx_http_request_t* r, Value* value, uintptr_t) {
  const RequestContext* context = find_context(r);
  return set_text(value, context == nullptr ? "" : to_view(context->conf->tenant));
}

ngx_int_t get_secret_version(ngx_http_request_t* r, Value* value, uintptr_t) {
  const RequestContext* context = find_context(r);
  const bool matched = context != nullptr && context->match.secret != nullptr;
  return set_text(value, matched ? context->match.secret->version : std::string_view());
}

// "-1.250": seconds, as $request_time is written.
ngx_int_t set_seconds(ngx_http_request_t* r, Value* value, int64_t ms) {
  auto* text = static_cast<u_char*>(ngx_pnalloc(r->pool, NGX_INT64_LEN + 5));
  if (text == nullptr) return NGX_ERROR;
  const uint64_t size = ms < 0 ? 0 - static_cast<uint64_t>(ms) : static_cast<uint64_t>(ms);
  const u_char* end = ngx_sprintf(text, "%s%uL.%03uL", ms < 0 ? "-" : "", size / 1000, size % 1000);
  return set_text(value, {reinterpret_cast<char*>(text), static_cast<size_t>(end - text)});
}

// How far the provider's clock is behind ours, by an authentic request.
ngx_int_t get_clock_skew(ngx_http_request_t* r, Value* value, uintptr_t) {
  const RequestContext* context = find_context(r);
  if (context == nullptr || context->match.secret == nullptr ||
      !context->conf->entry->provider.signs_time()) {
    return set_text(value, "");
  }
  const int64_t received_ms =
      static_cast<int64_t>(r->start_sec) * 1000 + static_cast<int64_t>(r->start_msec);
  return set_seconds(r, value, received_ms - context->claims.signed_at_ms);
}

ngx_int_t get_processor_time(ngx_http_request_t* r, Value* value, uintptr_t) {
  const RequestContext* context = find_context(r);
  if (context == nullptr || context->processor_ms < 0) return set_text(value, "");
  return set_seconds(r, value, context->processor_ms);
}

struct Variable {
  ngx_str_t name;
  ngx_http_get_variable_pt get;
  uintptr_t data;
};

const Variable kVariables[] = {
    {ngx_string("webhook_decision"), get_decision, 0},
    {ngx_string("webhook_reason"), get_reason, 0},
    {ngx_string("webhook_event_id"), get_member, offsetof(RequestContext, event_id)},
    {ngx_string("webhook_event_type"), get_member, offsetof(RequestContext, event_type)},
    {ngx_string("webhook_inbox_id"), get_member, offsetof(RequestContext, inbox_id)},
    {ngx_string("webhook_tenant"), get_tenant, 0},
    {ngx_string("webhook_secret_version"), get_secret_version, 0},
    {ngx_string("webhook_clock_skew"), get_clock_skew, 0},
    {ngx_string("webhook_processor_time"), get_processor_time, 0},
};

}  // namespace

ngx_int_t add_variables(ngx_conf_t* cf) {
  for (const Variable& variable : kVariables) {
    ngx_str_t name = variable.name;
    ngx_http_variable_t* added = ngx_http_add_variable(cf, &name, NGX_HTTP_VAR_NOCACHEABLE);
    if (added == nullptr) return NGX_ERROR;
    added->get_handler = variable.get;
    added->data = variable.data;
  }
  return NGX_OK;
}

}  // namespace webhook

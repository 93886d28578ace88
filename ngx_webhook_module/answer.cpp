#include "ngx_webhook_module/request.h"

namespace webhook {
namespace {

constexpr std::string_view kRetryAfter = "5";  // whole seconds

void log_reason(const RequestContext& context) {
  const Decision decision = reason_decision(context.reason);
  if (decision != Decision::kRefused && decision != Decision::kUnavailable) return;
  // The peer can cause the first at will, and only we the second.
  const ngx_uint_t level = decision == Decision::kRefused ? NGX_LOG_WARN : NGX_LOG_ERR;
  // The log of the cycle: that of the connection would add the request line,
  // whose arguments can hold tokens, and other headers.
  ngx_connection_t* c = context.request->connection;
  ngx_log_error(level, ngx_cycle->log, 0,
                "*%uA webhook %s: %s, provider \"%*s\", endpoint \"%V\", client: %V, "
                "request id: %*s",
                c->number, decision_name(decision), reason_name(context.reason),
                NGX_TEXT(context.conf->entry->provider.name), &context.conf->endpoint,
                &c->addr_text, NGX_TEXT(request_id(context.request)));
}

ngx_int_t send_body(ngx_http_request_t* r, const ngx_str_t& text) {
  auto* buf = static_cast<ngx_buf_t*>(ngx_calloc_buf(r->pool));
  if (buf == nullptr) return NGX_ERROR;
  buf->pos = text.data;
  buf->last = text.data + text.len;
  buf->memory = text.len > 0;
  buf->last_buf = 1;
  ngx_chain_t out = {buf, nullptr};
  return ngx_http_output_filter(r, &out);
}

ngx_int_t answer_success(RequestContext* context) {
  ngx_http_request_t* r = context->request;
  r->headers_out.status = NGX_HTTP_OK;
  r->headers_out.content_length_n = static_cast<off_t>(context->echo.len);
  if (context->echo.len > 0) {
    ngx_str_set(&r->headers_out.content_type, "text/plain");
    r->headers_out.content_type_len = r->headers_out.content_type.len;
  }
  const ngx_int_t rc = ngx_http_send_header(r);
  if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) return rc;
  return send_body(r, context->echo);
}

}  // namespace

ngx_int_t prepare_answer(RequestContext* context, Reason reason) {
  ngx_http_request_t* r = context->request;
  context->reason = reason;
  log_reason(*context);
  const Decision decision = reason_decision(reason);
  if (!add_header(r, "Webhook-Decision", decision_name(decision))) {
    return NGX_HTTP_INTERNAL_SERVER_ERROR;
  }
  if (reason == Reason::kMethod && !add_header(r, "Allow", "POST")) {
    return NGX_HTTP_INTERNAL_SERVER_ERROR;
  }
  if (decision == Decision::kUnavailable && !add_header(r, "Retry-After", kRetryAfter)) {
    return NGX_HTTP_INTERNAL_SERVER_ERROR;
  }
  return reason_status(reason);
}

void finish(RequestContext* context, Reason reason) {
  ngx_http_request_t* r = context->request;
  context->body.discard();
  ngx_int_t rc = prepare_answer(context, reason);
  if (rc == 0) rc = answer_success(context);
  ngx_http_finalize_request(r, rc);
}

}  // namespace webhook

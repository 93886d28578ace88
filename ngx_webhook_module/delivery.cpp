#include <time.h>

#include "ngx_webhook_module/request.h"
#include "ngx_webhook_module/verify/handshake.h"
#include "ngx_webhook_module/worker.h"

namespace webhook {
namespace {

int64_t now_ms() {
  const ngx_time_t* now = ngx_timeofday();
  return static_cast<int64_t>(now->sec) * 1000 + static_cast<int64_t>(now->msec);
}

// Shared by all processes of this host.
uint64_t monotonic_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

// Without the arguments, which can hold tokens.
std::string_view path_of(ngx_http_request_t* r) {
  std::string_view target = to_view(r->unparsed_uri);
  return take_until(&target, '?');
}

EventHead describe(const RequestContext& context) {
  const LocationConf& conf = *context.conf;
  EventHead head;
  head.tenant = to_view(conf.tenant);
  head.provider = conf.entry->provider.name;
  head.endpoint = to_view(conf.endpoint);
  head.received_at_ms = now_ms();
  head.deadline_ns = monotonic_ns() + static_cast<uint64_t>(conf.timeout) * 1000000u;
  head.has_signed_at = conf.entry->provider.signs_time();
  head.signed_at_ms = context.claims.signed_at_ms;
  head.secret_version = context.match.secret->version;
  head.signature_digest = {reinterpret_cast<const char*>(context.match.signature_digest),
                           kSignatureDigestSize};
  head.method = to_view(context.request->method_name);
  head.target = path_of(context.request);
  head.request_id = request_id(context.request);
  head.spec = conf.entry->event_spec;
  head.headers = context.headers;
  head.left_out_header = conf.entry->provider.signature.header;
  return head;
}

ngx_str_t keep(ngx_http_request_t* r, const char* text) {
  const size_t size = ngx_strlen(text);
  return to_ngx(copy_text(pool_arena(r->pool), {text, size}));
}

// As RFC 9562 writes it.
ngx_str_t uuid_text(ngx_http_request_t* r, const uint8_t* id) {
  constexpr size_t kSize = 36;
  auto* text = static_cast<u_char*>(ngx_pnalloc(r->pool, kSize));
  if (text == nullptr) return ngx_null_string;
  u_char* end = text;
  for (size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) *end++ = '-';
    end = ngx_hex_dump(end, const_cast<u_char*>(id + i), 1);
  }
  return {kSize, text};
}

void note_processor_time(RequestContext* context) {
  if (context->timer.timer_set) ngx_del_timer(&context->timer);
  context->processor_ms = static_cast<ngx_msec_int_t>(ngx_current_msec - context->handed_off_at);
}

void finish_from_event(RequestContext* context, Reason reason) {
  ngx_connection_t* c = context->request->connection;
  finish(context, reason);
  // Nobody else runs what the end of this request has made possible.
  ngx_http_run_posted_requests(c);
}

void on_completed(Handoff* handoff, const Outcome& outcome) {
  RequestContext* context = ngx_queue_data(handoff, RequestContext, handoff);
  ngx_http_request_t* r = context->request;
  note_processor_time(context);
  context->event_id = keep(r, outcome.event_id);
  context->event_type = keep(r, outcome.event_type);
  if (outcome.has_inbox_id) context->inbox_id = uuid_text(r, outcome.inbox_id);
  finish_from_event(context, outcome.reason);
}

void on_timeout(ngx_event_t* event) {
  auto* r = static_cast<ngx_http_request_t*>(static_cast<ngx_connection_t*>(event->data)->data);
  RequestContext* context = find_context(r);
  note_processor_time(context);
  context->link->cancel(&context->handoff);
  finish_from_event(context, Reason::kProcessorTimeout);
}

void start_timer(RequestContext* context) {
  ngx_http_request_t* r = context->request;
  context->handed_off_at = ngx_current_msec;
  context->timer.handler = on_timeout;
  context->timer.data = r->connection;
  context->timer.log = r->connection->log;
  ngx_add_timer(&context->timer, context->conf->timeout);
}

// The client may hang up meanwhile: the decision counts all the same.
Reason hand_off(RequestContext* context) {
  const LocationConf& conf = *context->conf;
  context->link = link_to(*conf.pass, main_conf(context->request)->max_inflight);
  if (context->link == nullptr) return Reason::kInternal;
  context->handoff.completed = on_completed;
  const InflightLimits limits = {conf.max_inflight_events, conf.max_inflight_bytes};
  const EventHead head = describe(*context);
  const Reason reason =
      context->link->submit(&context->handoff, head, context->body.body(), limits);
  if (reason == Reason::kNone) start_timer(context);
  return reason;
}

bool take_handshake(RequestContext* context) {
  std::string_view echo;
  const Provider& provider = context->conf->entry->provider;
  if (!is_handshake(provider, context->body.body(), pool_arena(context->request->pool), &echo)) {
    return false;
  }
  context->echo = to_ngx(echo);
  return true;
}

Reason verify_body(RequestContext* context) {
  const LocationConf& conf = *context->conf;
  const Tolerance tolerance = {conf.tolerance_past, conf.tolerance_future};
  const Reason reason =
      verify(conf.entry->provider, context->claims, context->headers, context->body.body(),
             conf.secrets, tolerance, now_ms(), &context->match);
  if (reason != Reason::kNone) return reason;
  return take_handshake(context) ? Reason::kHandshake : Reason::kNone;
}

void on_body(ngx_http_request_t* r, Reason reason) {
  RequestContext* context = find_context(r);
  if (reason == Reason::kNone) reason = verify_body(context);
  if (reason == Reason::kNone) {
    context->body.release();
    reason = hand_off(context);
  }
  if (reason != Reason::kNone) finish(context, reason);
}

}  // namespace

ngx_int_t handle_delivery(ngx_http_request_t* r) {
  RequestContext* context =
      static_cast<RequestContext*>(ngx_http_get_module_ctx(r, ngx_http_webhook_module));
  if (r != r->main) {
    ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                  "webhook: an endpoint answers requests of clients, not subrequests");
    return NGX_HTTP_INTERNAL_SERVER_ERROR;
  }
  if (context == nullptr) {
    ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                  "webhook: a request got here without its headers being checked");
    return NGX_HTTP_INTERNAL_SERVER_ERROR;
  }
  context->body.init(r, {context->conf->max_body, context->conf->max_reading}, on_body);
  return context->body.start();
}

}  // namespace webhook

// One request to an endpoint, from its headers to its answer.
#ifndef NGX_WEBHOOK_REQUEST_H_
#define NGX_WEBHOOK_REQUEST_H_

#include "ngx_webhook_module/body_reader.h"
#include "ngx_webhook_module/conf.h"
#include "ngx_webhook_module/link/link.h"
#include "ngx_webhook_module/verify/verifier.h"

namespace webhook {

// Lives in the request's pool. Trivially destructible.
struct RequestContext {
  ngx_http_request_t* request;
  const LocationConf* conf;

  Headers headers;
  Claims claims;
  BodyReader body;
  Match match;

  Link* link;
  Handoff handoff;
  ngx_event_t timer;  // webhook_timeout, while handed off
  ngx_msec_t handed_off_at;
  ngx_msec_int_t processor_ms;  // -1: not handed off

  // The answer.
  Reason reason;
  ngx_str_t echo;  // body of a handshake
  ngx_str_t event_id;
  ngx_str_t event_type;
  ngx_str_t inbox_id;  // UUID text
};

// The context of a request, also after an internal redirect (an error page)
// has taken it from NGINX's table; nullptr when it never reached an endpoint.
RequestContext* find_context(ngx_http_request_t* r);

// A new one; nullptr: no memory.
RequestContext* create_context(ngx_http_request_t* r);

// NGINX's $request_id, which the processor logs as well.
std::string_view request_id(ngx_http_request_t* r);

// PREACCESS: everything that headers alone decide. Before limit_req and
// limit_conn, so that what is refused here spends nobody's quota.
ngx_int_t check_request(ngx_http_request_t* r);

// Verifies the body that was read, and hands the event to the processor.
void deliver(RequestContext* context);

// Notes the reason, logs it and adds the headers of the answer. Returns the
// status; 0 where answer_success() has to write it.
ngx_int_t prepare_answer(RequestContext* context, Reason reason);

// prepare_answer() and everything after it, once the body was asked for.
void finish(RequestContext* context, Reason reason);

// Registers the $webhook_ variables.
ngx_int_t add_variables(ngx_conf_t* cf);

}  // namespace webhook

#endif  // NGX_WEBHOOK_REQUEST_H_

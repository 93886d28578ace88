#include "ngx_webhook_module/request.h"

namespace webhook {
namespace {

// Kept with the event; what does not fit is refused rather than cut.
constexpr size_t kMaxKeptHeaders = 16 * 1024;

template <typename Visit>
void for_each_header(ngx_http_request_t* r, Visit visit) {
  for (ngx_list_part_t* part = &r->headers_in.headers.part; part != nullptr; part = part->next) {
    auto* headers = static_cast<ngx_table_elt_t*>(part->elts);
    for (ngx_uint_t i = 0; i < part->nelts; ++i) {
      if (headers[i].hash != 0) visit(headers[i]);
    }
  }
}

bool collect_headers(ngx_http_request_t* r, Headers* headers) {
  size_t count = 0;
  for_each_header(r, [&count](const ngx_table_elt_t&) { ++count; });
  auto* fields =
      static_cast<HeaderField*>(ngx_palloc(r->pool, ngx_max(count, 1u) * sizeof(HeaderField)));
  if (fields == nullptr) return false;
  headers->fields = fields;
  headers->count = count;
  for_each_header(r, [&fields](const ngx_table_elt_t& header) {
    *fields++ = {to_view(header.key), to_view(header.value)};
  });
  return true;
}

size_t kept_size(const Headers& headers) {
  size_t size = 0;
  for (size_t i = 0; i < headers.count; ++i) {
    const HeaderField& field = headers.fields[i];
    if (!is_credential_header(field.name)) size += field.name.size() + field.value.size();
  }
  return size;
}

bool is_too_large(const ngx_http_request_t* r, const LocationConf& conf) {
  return r->headers_in.content_length_n > static_cast<off_t>(conf.max_body);
}

// In the order of the statuses: 403, 405, 415, 400, 413, 401.
Reason check(RequestContext* context) {
  ngx_http_request_t* r = context->request;
  const LocationConf& conf = *context->conf;
  const Provider& provider = conf.entry->provider;
  if (conf.require_https && !is_https(r)) return Reason::kHttpsRequired;
  if (r->method != NGX_HTTP_POST) return Reason::kMethod;
  if (!collect_headers(r, &context->headers)) return Reason::kInternal;

  Reason reason = check_content(provider, context->headers);
  if (reason != Reason::kNone) return reason;
  reason = check_headers(provider, context->headers, &context->claims);
  if (reason_status(reason) == NGX_HTTP_BAD_REQUEST) return reason;
  if (kept_size(context->headers) > kMaxKeptHeaders) return Reason::kHeaderOversized;
  if (is_too_large(r, conf)) return Reason::kBodyTooLarge;
  return reason;
}

// An error page that is an endpoint itself: the body is gone, and what was
// refused once is not verified by other rules.
ngx_int_t refuse_again(const RequestContext& earlier) {
  const int status = reason_status(earlier.reason);
  return status == 0 ? NGX_HTTP_INTERNAL_SERVER_ERROR : status;
}

}  // namespace

ngx_int_t check_request(ngx_http_request_t* r) {
  // A subrequest has the body and the headers of its parent; the content
  // handler refuses it.
  if (location_conf(r)->entry == nullptr || r != r->main) return NGX_DECLINED;
  if (const RequestContext* earlier = find_context(r)) return refuse_again(*earlier);
  RequestContext* context = create_context(r);
  if (context == nullptr) return NGX_HTTP_INTERNAL_SERVER_ERROR;
  const Reason reason = check(context);
  if (reason == Reason::kNone) return NGX_DECLINED;
  // NGINX would wait for a body that a client with "Expect" does not send.
  if (r->headers_in.expect != nullptr) r->keepalive = 0;
  return prepare_answer(context, reason);
}

}  // namespace webhook

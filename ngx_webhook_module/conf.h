// What the directives set.
#ifndef NGX_WEBHOOK_CONF_H_
#define NGX_WEBHOOK_CONF_H_

#include "ngx_webhook_module/ngx.h"
#include "ngx_webhook_module/verify/provider.h"
#include "ngx_webhook_module/verify/secrets.h"

extern "C" ngx_module_t ngx_http_webhook_module;

namespace webhook {

// A `webhook_provider` block.
struct ProviderEntry {
  Provider provider;
  std::string_view event_spec;  // the encoded webhook.v1.EventSpec
};

struct LocationConf;

struct MainConf {
  ngx_array_t providers;    // of ProviderEntry*
  ngx_array_t endpoints;    // of LocationConf*, one a `webhook` directive
  ngx_uint_t max_inflight;  // the largest in use
};

// Plain data, so that NGINX's directive slots can write into it.
struct LocationConf {
  ngx_str_t provider_name;  // empty: no endpoint
  ngx_str_t file;           // where `webhook` stands
  ngx_uint_t line;

  ngx_str_t endpoint;
  ngx_str_t tenant;
  ngx_str_t secret_file;
  size_t secret_min;
  ngx_addr_t* pass;
  time_t tolerance_past;
  time_t tolerance_future;
  size_t max_body;
  size_t max_reading;
  ngx_uint_t max_inflight_events;
  size_t max_inflight_bytes;
  ngx_msec_t timeout;
  ngx_flag_t require_https;

  // Resolved when the locations are merged.
  const ProviderEntry* entry;
  SecretSet* secrets;
};

extern ngx_command_t commands[];

void* create_main_conf(ngx_conf_t* cf);
void* create_location_conf(ngx_conf_t* cf);
char* merge_location_conf(ngx_conf_t* cf, void* parent, void* child);

// The `webhook_provider NAME { ... }` block.
char* provider_block(ngx_conf_t* cf, ngx_command_t* command, void* conf);

inline MainConf* main_conf(ngx_conf_t* cf) {
  return static_cast<MainConf*>(ngx_http_conf_get_module_main_conf(cf, ngx_http_webhook_module));
}

inline const MainConf* main_conf(ngx_http_request_t* r) {
  return static_cast<MainConf*>(ngx_http_get_module_main_conf(r, ngx_http_webhook_module));
}

inline const LocationConf* location_conf(ngx_http_request_t* r) {
  return static_cast<LocationConf*>(ngx_http_get_module_loc_conf(r, ngx_http_webhook_module));
}

// The content handler of an endpoint (delivery.cpp).
ngx_int_t handle_delivery(ngx_http_request_t* r);

}  // namespace webhook

#endif  // NGX_WEBHOOK_CONF_H_

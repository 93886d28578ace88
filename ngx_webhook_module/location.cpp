#include "ngx_webhook_module/conf.h"
#include "ngx_webhook_module/secret_file.h"

namespace webhook {
namespace {

// For what is only known once the whole configuration is read; says where the
// location's `webhook` stands.
char* wrong(ngx_conf_t* cf, const LocationConf& location, const char* text) {
  ngx_log_error(NGX_LOG_EMERG, cf->log, 0, "\"webhook %V\": %s in %V:%ui", &location.provider_name,
                text, &location.file, location.line);
  return static_cast<char*>(NGX_CONF_ERROR);
}

const ProviderEntry* find_provider(const MainConf& main, std::string_view name) {
  auto** entries = static_cast<ProviderEntry**>(main.providers.elts);
  for (ngx_uint_t i = 0; i < main.providers.nelts; ++i) {
    if (entries[i]->provider.name == name) return entries[i];
  }
  return nullptr;
}

bool same_key(const LocationConf& a, const LocationConf& b) {
  return to_view(a.tenant) == to_view(b.tenant) &&
         to_view(a.provider_name) == to_view(b.provider_name) &&
         to_view(a.endpoint) == to_view(b.endpoint);
}

char* check_unique(ngx_conf_t* cf, LocationConf* location) {
  MainConf* main = main_conf(cf);
  auto** endpoints = static_cast<LocationConf**>(main->endpoints.elts);
  for (ngx_uint_t i = 0; i < main->endpoints.nelts; ++i) {
    if (!same_key(*endpoints[i], *location)) continue;
    ConfigError error;
    error.set(
        "tenant \"%.*s\" and webhook_endpoint \"%.*s\" are those of %.*s:%zu as well, so one "
        "event at both would count as a duplicate; give each its own webhook_endpoint",
        WEBHOOK_TEXT(to_view(location->tenant)), WEBHOOK_TEXT(to_view(location->endpoint)),
        WEBHOOK_TEXT(to_view(endpoints[i]->file)), static_cast<size_t>(endpoints[i]->line));
    return wrong(cf, *location, error.text);
  }
  auto** slot = static_cast<LocationConf**>(ngx_array_push(&main->endpoints));
  if (slot == nullptr) return static_cast<char*>(NGX_CONF_ERROR);
  *slot = location;
  main->max_inflight = ngx_max(main->max_inflight, location->max_inflight_events);
  return NGX_CONF_OK;
}

// A frame of the link has at most 64 MiB.
constexpr size_t kLargestBody = 60 * 1024 * 1024;

char* check_limits(ngx_conf_t* cf, const LocationConf& location) {
  const auto* core = static_cast<ngx_http_core_loc_conf_t*>(
      ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module));
  if (core->client_max_body_size > 0 &&
      static_cast<off_t>(location.max_body) > core->client_max_body_size) {
    return wrong(cf, location,
                 "webhook_max_body is larger than client_max_body_size, at which NGINX refuses "
                 "first; raise client_max_body_size or lower webhook_max_body");
  }
  if (location.max_body > location.max_inflight_bytes) {
    return wrong(cf, location,
                 "webhook_max_body is larger than the SIZE of webhook_max_inflight, so such a "
                 "body could never be handed off; raise webhook_max_inflight");
  }
  if (location.max_body > location.max_reading / 4 * 3) {
    return wrong(cf, location,
                 "webhook_max_body is larger than three quarters of webhook_max_reading, so such a "
                 "body could never be read; raise webhook_max_reading");
  }
  if (location.max_body == 0 || location.max_body > kLargestBody) {
    return wrong(cf, location, "webhook_max_body is out of range; write a size from 1 to 60m");
  }
  if (location.timeout == 0) {
    return wrong(cf, location, "webhook_timeout 0 leaves no time to commit; write 1500ms, say");
  }
  return NGX_CONF_OK;
}

// Another directive that answers in this place would get the requests instead,
// none of them verified.
char* check_handler(ngx_conf_t* cf, const LocationConf& location) {
  const auto* core = static_cast<ngx_http_core_loc_conf_t*>(
      ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module));
  if (core->handler == handle_delivery) return NGX_CONF_OK;
  return wrong(cf, location,
               "another directive of this location (proxy_pass, say) answers its requests, and "
               "would get them unverified; give it a location of its own");
}

char* check_present(ngx_conf_t* cf, const LocationConf& location) {
  if (location.entry == nullptr) {
    return wrong(cf, location,
                 "there is no such provider; include its file (include providers/NAME.conf;) or "
                 "write a webhook_provider block at http level");
  }
  if (location.endpoint.len == 0) {
    return wrong(cf, location, "webhook_endpoint is missing; write webhook_endpoint NAME");
  }
  if (location.pass == nullptr) {
    return wrong(cf, location, "webhook_pass is missing; write webhook_pass unix:PATH");
  }
  if (location.secret_file.len == 0) {
    return wrong(cf, location, "webhook_secret_file is missing; write webhook_secret_file PATH");
  }
  return NGX_CONF_OK;
}

char* check_tolerance(ngx_conf_t* cf, const LocationConf& own, LocationConf* location) {
  const Provider& provider = location->entry->provider;
  if (own.tolerance_past != NGX_CONF_UNSET && !provider.signs_time()) {
    return wrong(cf, *location,
                 "webhook_tolerance means nothing, as the provider signs no time; remove it");
  }
  if (location->tolerance_past == NGX_CONF_UNSET || !provider.signs_time()) {
    location->tolerance_past = provider.tolerance.past_s;
    location->tolerance_future = provider.tolerance.future_s;
  }
  return NGX_CONF_OK;
}

// Not an error: a secret may begin later, and a restart must work all the same.
void warn_without_secret(ngx_conf_t* cf, const LocationConf& location) {
  const int64_t now_ms = static_cast<int64_t>(ngx_time()) * 1000;
  for (size_t i = 0; i < location.secrets->count; ++i) {
    if (location.secrets->secrets[i].valid_at(now_ms)) return;
  }
  ngx_log_error(NGX_LOG_WARN, cf->log, 0,
                "\"webhook %V\": no secret of webhook_secret_file \"%V\" is valid now, so every "
                "delivery gets 503; look at its from= and until= in %V:%ui",
                &location.provider_name, &location.secret_file, &location.file, location.line);
}

char* resolve(ngx_conf_t* cf, const LocationConf& own, LocationConf* location) {
  location->entry = find_provider(*main_conf(cf), to_view(location->provider_name));
  char* rv = check_handler(cf, *location);
  if (rv == NGX_CONF_OK) rv = check_present(cf, *location);
  if (rv == NGX_CONF_OK) rv = check_tolerance(cf, own, location);
  if (rv == NGX_CONF_OK) rv = check_limits(cf, *location);
  if (rv == NGX_CONF_OK) rv = check_unique(cf, location);
  if (rv != NGX_CONF_OK) return rv;

  ConfigError error;
  location->secrets = load_secrets(cf, location->secret_file, location->entry->provider,
                                   location->secret_min, &error);
  if (location->secrets == nullptr) return wrong(cf, *location, error.text);
  warn_without_secret(cf, *location);
  return NGX_CONF_OK;
}

void merge_values(const LocationConf& parent, LocationConf* child) {
  ngx_conf_merge_str_value(child->tenant, parent.tenant, "default");
  ngx_conf_merge_str_value(child->secret_file, parent.secret_file, "");
  ngx_conf_merge_size_value(child->secret_min, parent.secret_min, 16);
  if (child->pass == nullptr) child->pass = parent.pass;
  ngx_conf_merge_value(child->tolerance_past, parent.tolerance_past, NGX_CONF_UNSET);
  ngx_conf_merge_value(child->tolerance_future, parent.tolerance_future, NGX_CONF_UNSET);
  ngx_conf_merge_size_value(child->max_body, parent.max_body, 1024 * 1024);
  ngx_conf_merge_size_value(child->max_reading, parent.max_reading, 64 * 1024 * 1024);
  ngx_conf_merge_uint_value(child->max_inflight_events, parent.max_inflight_events, 4096);
  ngx_conf_merge_size_value(child->max_inflight_bytes, parent.max_inflight_bytes, 64 * 1024 * 1024);
  ngx_conf_merge_msec_value(child->timeout, parent.timeout, 1500);
  ngx_conf_merge_value(child->require_https, parent.require_https, 1);
}

// The nameless locations of `if` and `limit_except` are the endpoint around
// them. NGINX does not hand its content handler down to the latter.
bool inherits_endpoint(ngx_conf_t* cf, const LocationConf& parent, const LocationConf& child) {
  const auto* core = static_cast<ngx_http_core_loc_conf_t*>(
      ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module));
  return core->noname && parent.entry != nullptr && child.provider_name.data == nullptr;
}

char* inherit_endpoint(ngx_conf_t* cf, const LocationConf& parent, LocationConf* child) {
  auto* core = static_cast<ngx_http_core_loc_conf_t*>(
      ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module));
  *child = parent;
  if (core->handler == nullptr) core->handler = handle_delivery;
  return check_handler(cf, *child);
}

}  // namespace

void* create_main_conf(ngx_conf_t* cf) {
  auto* main = static_cast<MainConf*>(ngx_pcalloc(cf->pool, sizeof(MainConf)));
  if (main == nullptr) return nullptr;
  if (ngx_array_init(&main->providers, cf->pool, 8, sizeof(ProviderEntry*)) != NGX_OK ||
      ngx_array_init(&main->endpoints, cf->pool, 8, sizeof(LocationConf*)) != NGX_OK) {
    return nullptr;
  }
  return main;
}

void* create_location_conf(ngx_conf_t* cf) {
  auto* location = static_cast<LocationConf*>(ngx_pcalloc(cf->pool, sizeof(LocationConf)));
  if (location == nullptr) return nullptr;
  location->secret_min = NGX_CONF_UNSET_SIZE;
  location->tolerance_past = NGX_CONF_UNSET;
  location->tolerance_future = NGX_CONF_UNSET;
  location->max_body = NGX_CONF_UNSET_SIZE;
  location->max_reading = NGX_CONF_UNSET_SIZE;
  location->max_inflight_events = NGX_CONF_UNSET_UINT;
  location->max_inflight_bytes = NGX_CONF_UNSET_SIZE;
  location->timeout = NGX_CONF_UNSET_MSEC;
  location->require_https = NGX_CONF_UNSET;
  return location;
}

char* merge_location_conf(ngx_conf_t* cf, void* parent, void* child) {
  const auto& outer = *static_cast<LocationConf*>(parent);
  auto* location = static_cast<LocationConf*>(child);
  if (inherits_endpoint(cf, outer, *location)) return inherit_endpoint(cf, outer, location);
  const LocationConf own = *location;
  merge_values(outer, location);
  if (location->provider_name.data != nullptr) return resolve(cf, own, location);
  if (location->endpoint.len == 0) return NGX_CONF_OK;
  ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                "\"webhook_endpoint %V\" stands in a location without \"webhook\"; write "
                "webhook PROVIDER as well",
                &location->endpoint);
  return static_cast<char*>(NGX_CONF_ERROR);
}

}  // namespace webhook

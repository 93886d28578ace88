#include "ngx_webhook_module/conf.h"
#include "ngx_webhook_module/verify/text.h"
#include "ngx_webhook_module/verify/timestamp.h"

namespace webhook {
namespace {

ngx_str_t* arguments(ngx_conf_t* cf) {
  return static_cast<ngx_str_t*>(cf->args->elts);
}

char* wrong(ngx_conf_t* cf, const char* what, const ngx_str_t& word) {
  ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, what, &word);
  return static_cast<char*>(NGX_CONF_ERROR);
}

char* set_webhook(ngx_conf_t* cf, ngx_command_t*, void* conf) {
  auto* location = static_cast<LocationConf*>(conf);
  if (location->provider_name.data != nullptr) return const_cast<char*>("is duplicate");
  location->provider_name = arguments(cf)[1];
  location->file = cf->conf_file->file.name;
  location->line = cf->conf_file->line;
  auto* core = static_cast<ngx_http_core_loc_conf_t*>(
      ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module));
  core->handler = handle_delivery;
  return NGX_CONF_OK;
}

bool is_key_part(std::string_view name) {
  return !name.empty() && name.size() <= 64 && is_printable_ascii(name) &&
         name.find(' ') == std::string_view::npos && name.find('$') == std::string_view::npos;
}

// A part of the event's key, which is fixed for as long as the events are kept.
char* set_key_part(ngx_conf_t* cf, ngx_command_t* command, void* conf) {
  const ngx_str_t& value = arguments(cf)[1];
  if (is_key_part(to_view(value))) return ngx_conf_set_str_slot(cf, command, conf);
  ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                     "\"%V\" is no name for %V: write 1 to 64 printable characters without blanks "
                     "and variables",
                     &value, &command->name);
  return static_cast<char*>(NGX_CONF_ERROR);
}

char* set_pass(ngx_conf_t* cf, ngx_command_t*, void* conf) {
  auto* location = static_cast<LocationConf*>(conf);
  if (location->pass != nullptr) return const_cast<char*>("is duplicate");
  ngx_url_t url;
  ngx_memzero(&url, sizeof(url));
  url.url = arguments(cf)[1];
  if (!starts_with(to_view(url.url), "unix:")) {
    return wrong(cf, "\"%V\" is no Unix socket: write webhook_pass unix:/path/to/processor.sock",
                 url.url);
  }
  if (ngx_parse_url(cf->pool, &url) != NGX_OK) {
    return wrong(cf, "\"%V\" is no Unix socket that can be used: its path is empty or too long",
                 url.url);
  }
  location->pass = url.addrs;
  return NGX_CONF_OK;
}

bool read_seconds(const ngx_str_t& word, time_t* seconds) {
  int64_t value;
  if (!parse_duration(to_view(word), &value)) return false;
  *seconds = value;
  return true;
}

char* set_tolerance(ngx_conf_t* cf, ngx_command_t*, void* conf) {
  auto* location = static_cast<LocationConf*>(conf);
  if (location->tolerance_past != NGX_CONF_UNSET) return const_cast<char*>("is duplicate");
  if (!read_seconds(arguments(cf)[1], &location->tolerance_past)) {
    return wrong(cf, "\"%V\" is no time: write webhook_tolerance PAST FUTURE, as 5m 1m",
                 arguments(cf)[1]);
  }
  if (!read_seconds(arguments(cf)[2], &location->tolerance_future)) {
    return wrong(cf, "\"%V\" is no time: write webhook_tolerance PAST FUTURE, as 5m 1m",
                 arguments(cf)[2]);
  }
  return NGX_CONF_OK;
}

char* set_max_inflight(ngx_conf_t* cf, ngx_command_t*, void* conf) {
  auto* location = static_cast<LocationConf*>(conf);
  if (location->max_inflight_events != NGX_CONF_UNSET_UINT) {
    return const_cast<char*>("is duplicate");
  }
  const ngx_int_t events = ngx_atoi(arguments(cf)[1].data, arguments(cf)[1].len);
  const ssize_t bytes = ngx_parse_size(&arguments(cf)[2]);
  if (events < 1 || events > (1 << 20)) {
    return wrong(cf,
                 "\"%V\" is no count: write webhook_max_inflight N SIZE with N from 1 to 1048576",
                 arguments(cf)[1]);
  }
  if (bytes < 1) {
    return wrong(cf, "\"%V\" is no size: write webhook_max_inflight N SIZE, as 4096 64m",
                 arguments(cf)[2]);
  }
  location->max_inflight_events = events;
  location->max_inflight_bytes = bytes;
  return NGX_CONF_OK;
}

constexpr ngx_uint_t kAnyLevel = NGX_HTTP_MAIN_CONF | NGX_HTTP_SRV_CONF | NGX_HTTP_LOC_CONF;

}  // namespace

#define WEBHOOK_COMMAND(name, type, set, offset) \
  { ngx_string(name), type, set, NGX_HTTP_LOC_CONF_OFFSET, offset, nullptr }

ngx_command_t commands[] = {
    {ngx_string("webhook_provider"), NGX_HTTP_MAIN_CONF | NGX_CONF_BLOCK | NGX_CONF_TAKE1,
     provider_block, NGX_HTTP_MAIN_CONF_OFFSET, 0, nullptr},
    WEBHOOK_COMMAND("webhook", NGX_HTTP_LOC_CONF | NGX_CONF_TAKE1, set_webhook, 0),
    WEBHOOK_COMMAND("webhook_endpoint", NGX_HTTP_LOC_CONF | NGX_CONF_TAKE1, set_key_part,
                    offsetof(LocationConf, endpoint)),
    WEBHOOK_COMMAND("webhook_tenant", kAnyLevel | NGX_CONF_TAKE1, set_key_part,
                    offsetof(LocationConf, tenant)),
    WEBHOOK_COMMAND("webhook_pass", kAnyLevel | NGX_CONF_TAKE1, set_pass, 0),
    WEBHOOK_COMMAND("webhook_secret_file", kAnyLevel | NGX_CONF_TAKE1, ngx_conf_set_str_slot,
                    offsetof(LocationConf, secret_file)),
    WEBHOOK_COMMAND("webhook_secret_min", kAnyLevel | NGX_CONF_TAKE1, ngx_conf_set_size_slot,
                    offsetof(LocationConf, secret_min)),
    WEBHOOK_COMMAND("webhook_tolerance", kAnyLevel | NGX_CONF_TAKE2, set_tolerance, 0),
    WEBHOOK_COMMAND("webhook_max_body", kAnyLevel | NGX_CONF_TAKE1, ngx_conf_set_size_slot,
                    offsetof(LocationConf, max_body)),
    WEBHOOK_COMMAND("webhook_max_reading", kAnyLevel | NGX_CONF_TAKE1, ngx_conf_set_size_slot,
                    offsetof(LocationConf, max_reading)),
    WEBHOOK_COMMAND("webhook_max_inflight", kAnyLevel | NGX_CONF_TAKE2, set_max_inflight, 0),
    WEBHOOK_COMMAND("webhook_timeout", kAnyLevel | NGX_CONF_TAKE1, ngx_conf_set_msec_slot,
                    offsetof(LocationConf, timeout)),
    WEBHOOK_COMMAND("webhook_require_https", kAnyLevel | NGX_CONF_FLAG, ngx_conf_set_flag_slot,
                    offsetof(LocationConf, require_https)),
    ngx_null_command};

}  // namespace webhook

#include "ngx_webhook_module/conf.h"
#include "ngx_webhook_module/event_spec.h"
#include "ngx_webhook_module/verify/provider_parser.h"

namespace webhook {
namespace {

constexpr ngx_uint_t kMaxWords = 32;

char* failed(ngx_conf_t* cf, const ConfigError& error) {
  ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "%s", error.text);
  return static_cast<char*>(NGX_CONF_ERROR);
}

// Called by NGINX for every directive of the block.
char* add_directive(ngx_conf_t* cf, ngx_command_t*, void* conf) {
  auto* parser = static_cast<ProviderParser*>(conf);
  const auto* args = static_cast<ngx_str_t*>(cf->args->elts);
  ConfigError error;
  std::string_view words[kMaxWords];
  if (cf->args->nelts > kMaxWords) {
    error.set("more than %zu words", static_cast<size_t>(kMaxWords));
    return failed(cf, error);
  }
  for (ngx_uint_t i = 0; i < cf->args->nelts; ++i) words[i] = to_view(args[i]);
  return parser->add(words, cf->args->nelts, &error) ? NGX_CONF_OK : failed(cf, error);
}

char* parse_block(ngx_conf_t* cf, ProviderParser* parser) {
  ngx_conf_t saved = *cf;
  cf->handler = reinterpret_cast<ngx_conf_handler_pt>(add_directive);
  cf->handler_conf = reinterpret_cast<decltype(cf->handler_conf)>(parser);
  char* rv = ngx_conf_parse(cf, nullptr);
  *cf = saved;
  return rv;
}

bool is_defined(const MainConf& main, std::string_view name) {
  auto** entries = static_cast<ProviderEntry**>(main.providers.elts);
  for (ngx_uint_t i = 0; i < main.providers.nelts; ++i) {
    if (entries[i]->provider.name == name) return true;
  }
  return false;
}

}  // namespace

char* provider_block(ngx_conf_t* cf, ngx_command_t*, void* conf) {
  auto* main = static_cast<MainConf*>(conf);
  const ngx_str_t name = static_cast<ngx_str_t*>(cf->args->elts)[1];
  ConfigError error;
  if (is_defined(*main, to_view(name))) {
    error.set("provider \"%.*s\" is defined twice", WEBHOOK_TEXT(to_view(name)));
    return failed(cf, error);
  }
  auto* entry = static_cast<ProviderEntry*>(ngx_pcalloc(cf->pool, sizeof(ProviderEntry)));
  auto** slot = static_cast<ProviderEntry**>(ngx_array_push(&main->providers));
  if (entry == nullptr || slot == nullptr) return static_cast<char*>(NGX_CONF_ERROR);
  *slot = entry;

  ProviderParser parser(pool_arena(cf->pool), &entry->provider);
  if (!parser.begin(to_view(name), &error)) return failed(cf, error);
  char* rv = parse_block(cf, &parser);
  if (rv != NGX_CONF_OK) return rv;
  if (!parser.finish(&error)) return failed(cf, error);
  entry->event_spec = encode_event_spec(entry->provider, pool_arena(cf->pool));
  if (entry->event_spec.data() == nullptr) return static_cast<char*>(NGX_CONF_ERROR);
  return NGX_CONF_OK;
}

}  // namespace webhook

// The module as NGINX sees it.
#include "ngx_webhook_module/conf.h"
#include "ngx_webhook_module/request.h"
#include "ngx_webhook_module/worker.h"

namespace webhook {
namespace {

ngx_int_t add_phase_handler(ngx_conf_t* cf) {
  auto* core = static_cast<ngx_http_core_main_conf_t*>(
      ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module));
  auto* handler = static_cast<ngx_http_handler_pt*>(
      ngx_array_push(&core->phases[NGX_HTTP_PREACCESS_PHASE].handlers));
  if (handler == nullptr) return NGX_ERROR;
  *handler = check_request;
  return NGX_OK;
}

ngx_http_module_t context = {
    add_variables,         // preconfiguration
    add_phase_handler,     // postconfiguration
    create_main_conf,      // create main configuration
    nullptr,               // init main configuration
    nullptr,               // create server configuration
    nullptr,               // merge server configuration
    create_location_conf,  // create location configuration
    merge_location_conf,   // merge location configuration
};

}  // namespace
}  // namespace webhook

ngx_module_t ngx_http_webhook_module = {
    NGX_MODULE_V1,
    &webhook::context,
    webhook::commands,
    NGX_HTTP_MODULE,
    nullptr,                // init master
    nullptr,                // init module
    nullptr,                // init process
    nullptr,                // init thread
    nullptr,                // exit thread
    webhook::exit_process,  // exit process
    nullptr,                // exit master
    NGX_MODULE_V1_PADDING,
};

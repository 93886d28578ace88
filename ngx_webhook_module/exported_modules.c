/*
 * What NGINX looks up in a dynamic module. NGINX's own build generates this
 * file; CMake compiles this one.
 */
#include <ngx_config.h>
#include <ngx_core.h>

extern ngx_module_t ngx_http_webhook_module;

ngx_module_t *ngx_modules[] = {&ngx_http_webhook_module, NULL};
char *ngx_module_names[] = {"ngx_http_webhook_module", NULL};
char *ngx_module_order[] = {NULL};

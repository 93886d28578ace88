#include "ngx_webhook_module/verify/handshake.h"

#include "ngx_webhook_module/verify/json_find.h"

namespace webhook {

bool is_handshake(const Provider& provider, const Body& body, const Arena& arena,
                  std::string_view* echo) {
  const Handshake& handshake = provider.handshake;
  if (handshake.match.kind == Source::Kind::kNone || body.size() > kMaxHandshakeBody) return false;
  const std::string_view pointers[] = {handshake.match.name, handshake.echo.name};
  JsonValue values[2];
  if (!json_find(body, pointers, 2, arena, values)) return false;
  if (!values[0].present || values[0].text != handshake.equals || !values[1].present) return false;
  *echo = values[1].text;
  return true;
}

}  // namespace webhook

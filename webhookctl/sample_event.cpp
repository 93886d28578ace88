#include "webhookctl/sample_event.h"

#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "ngx_webhook_module/verify/text.h"
#include "webhookctl/encode.h"
#include "webhookctl/failure.h"
#include "webhookctl/time_text.h"

namespace webhook {
namespace {

using nlohmann::json;

// "a.b.c" over two parts is "a" and "b.c"; parts too many stay empty.
std::vector<std::string> split_at_dots(std::string_view text, size_t parts) {
  std::vector<std::string> pieces;
  while (pieces.size() + 1 < parts) pieces.emplace_back(take_until(&text, '.'));
  pieces.emplace_back(text);
  return pieces;
}

// What every part has to hold so that together they give `value`. An id that is
// put together from several values has no free text: the first gets it.
std::vector<std::string> pieces_for(const Choice& choice, const std::string& value) {
  if (choice.join == Join::kDotted) return split_at_dots(value, choice.count);
  std::vector<std::string> pieces(choice.count, "test");
  pieces.front() = value;
  return pieces;
}

class RequestBuilder {
 public:
  explicit RequestBuilder(EventRequest* request) : request_(request) {}

  void fill(const Field& field, const std::string& value) {
    if (field.count == 0) return;
    const Choice& choice = field.choices[0];
    const std::vector<std::string> pieces = pieces_for(choice, value);
    for (size_t i = 0; i < choice.count; ++i) {
      if (!pieces[i].empty()) put(choice.parts[i], pieces[i]);
    }
  }

  // Numbers of a JSON body are no strings.
  void fill_time(const Field& field, int64_t unix_ms) {
    if (field.count == 0) return;
    const std::string text = format_time(unix_ms, field.unit);
    const Source& source = field.choices[0].parts[0];
    if (source.kind == Source::Kind::kHeader || field.unit == TimeUnit::kRfc3339) {
      put(source, text);
    } else {
      put_json(source.name, std::stoll(text));
    }
  }

  // A header that is signed and of no field still has to be there.
  void fill_signed_headers(const SignedTemplate& signed_bytes, const std::string& value) {
    for (size_t i = 0; i < signed_bytes.count; ++i) {
      const TemplatePart& part = signed_bytes.parts[i];
      if (part.kind == TemplatePart::Kind::kHeader) put_header(part.text, value);
    }
  }

  // The same bytes under another id would be the same event, where the id is
  // not signed.
  void tell_apart(const Field& event_id, const std::string& value) {
    if (event_id.outside_signature) put_json("/sample_id", value);
  }

  std::string body() const { return body_.dump(); }

 private:
  void put(const Source& source, const std::string& value) {
    if (source.kind == Source::Kind::kJson) {
      put_json(source.name, value);
    } else {
      put_header(source.name, value);
    }
  }

  // Two fields may look at the same place: the one that came first keeps it.
  void put_header(std::string_view name, const std::string& value) {
    if (request_->headers.has(name)) return;
    if (!is_printable_ascii(value)) {
      throw Misuse("this provider has the event id or type in header " + std::string(name) +
                   ", where only printable ASCII may stand");
    }
    request_->headers.add(name, value);
  }

  void put_json(std::string_view pointer, const json& value) {
    const json::json_pointer place{std::string(pointer)};
    if (!body_.contains(place)) body_[place] = value;
  }

  EventRequest* request_;
  json body_ = json::object();
};

}  // namespace

std::string random_event_id() {
  std::random_device random;
  uint8_t bytes[16];
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return "evt_" + encode(Encoding::kHex, bytes);
}

EventRequest make_request(const Provider& provider, const SampleEvent& event) {
  EventRequest request;
  const bool any_type = provider.content_type_count == 0;
  request.headers.add("Content-Type", any_type ? "application/json" : provider.content_types[0]);
  RequestBuilder builder(&request);
  builder.fill(provider.event_id, event.event_id);
  builder.fill(provider.event_type, event.event_type);
  builder.fill_time(provider.created_at, event.created_at_ms);
  builder.fill(provider.account, "acct_test");
  builder.fill(provider.object_id, "obj_test");
  builder.fill(provider.object_version, rfc3339(event.created_at_ms));
  builder.fill_signed_headers(provider.signed_bytes, event.event_id);
  builder.tell_apart(provider.event_id, event.event_id);
  request.body = event.body ? *event.body : builder.body();
  return request;
}

}  // namespace webhook

#include "bench/event_source.h"

#include <algorithm>
#include <cstdio>

#include "webhookctl/failure.h"
#include "webhookctl/time_text.h"

namespace webhook::bench {
namespace {

constexpr uint64_t kRecent = 1000;
constexpr char kJsonSpace[] = " \t\r\n";

// The body is part of what is signed: with an id of its own in it, no two events
// have the same signature, which would make them replays of each other.
std::string with_delivery(const std::string& body, const std::string& id) {
  const size_t first = body.find_first_not_of(kJsonSpace);
  if (first == std::string::npos || body[first] != '{') {
    throw Misuse("the corpus holds a payload that is no JSON object");
  }
  const size_t next = body.find_first_not_of(kJsonSpace, first + 1);
  const bool empty = next != std::string::npos && body[next] == '}';
  const std::string field = "\"bench_delivery\":\"" + id + (empty ? "\"" : "\",");
  return std::string(body).insert(first + 1, field);
}

void find_places(std::string* text, const std::string& id, std::vector<char*>* places) {
  for (size_t at = text->find(id); at != std::string::npos; at = text->find(id, at + 1)) {
    places->push_back(text->data() + at);
  }
}

void write_request(const std::string& request_line_and_host, const EventRequest& request,
                   std::string* wire) {
  *wire = request_line_and_host;
  for (const OwnedHeader& header : request.headers.all()) {
    *wire += header.name;
    *wire += ": ";
    *wire += header.value;
    *wire += "\r\n";
  }
  *wire += "Content-Length: " + std::to_string(request.body.size()) + "\r\n\r\n";
  *wire += request.body;
}

}  // namespace

EventSource::EventSource(const Provider& provider, MacKey* key, const Target& target,
                         const std::vector<Payload>& corpus, double duplicates)
    : provider_(provider),
      signer_(provider, key),
      request_line_and_host_("POST " + target.path + " HTTP/1.1\r\nHost: " + target.authority +
                             "\r\n"),
      duplicates_(duplicates) {
  for (const Payload& payload : corpus) prepare(payload);
}

size_t EventSource::next(std::string* wire) {
  const uint64_t sequence = choose_sequence();
  Prepared& event = prepared_[sequence % prepared_.size()];
  const std::string id = id_text(sequence);
  for (char* place : event.id_places) std::copy(id.begin(), id.end(), place);
  sign(&event.request);
  write_request(request_line_and_host_, event.request, wire);
  return event.request.body.size();
}

// Always of the same size.
std::string EventSource::id_text(uint64_t sequence) const {
  char text[40];
  std::snprintf(text, sizeof(text), "evt_%016llx%016llx", static_cast<unsigned long long>(run_),
                static_cast<unsigned long long>(sequence));
  return text;
}

void EventSource::prepare(const Payload& payload) {
  SampleEvent event;
  event.event_id = id_text(0);
  event.event_type = payload.event_type;
  event.created_at_ms = unix_now_ms();
  event.body = with_delivery(payload.body, event.event_id);
  Prepared& prepared = prepared_.emplace_back();
  prepared.request = make_request(provider_, event);
  // Makes the header that the signature stands in; one that is added later could
  // move the others, whose places are kept.
  sign(&prepared.request);
  for (OwnedHeader& header : prepared.request.headers.all()) {
    find_places(&header.value, event.event_id, &prepared.id_places);
  }
  if (prepared.id_places.empty()) {
    throw Misuse("provider " + std::string(provider_.name) +
                 " has the event id in the body, which a corpus leaves no place for");
  }
  find_places(&prepared.request.body, event.event_id, &prepared.id_places);
}

// The payload follows from the sequence, so a copy has the same body.
uint64_t EventSource::choose_sequence() {
  std::uniform_real_distribution<double> share(0, 1);
  if (sent_ == 0 || duplicates_ == 0 || share(random_) >= duplicates_) return sent_++;
  return sent_ - 1 - random_() % std::min(sent_, kRecent);
}

void EventSource::sign(EventRequest* request) const {
  if (!signer_.sign(unix_now_ms(), request->body, &request->headers)) {
    throw Failure("OpenSSL cannot compute the signature");
  }
}

}  // namespace webhook::bench

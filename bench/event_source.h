// An endless row of signed requests, each with an id of its own.
#ifndef WEBHOOK_BENCH_EVENT_SOURCE_H_
#define WEBHOOK_BENCH_EVENT_SOURCE_H_

#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "bench/corpus.h"
#include "bench/target.h"
#include "webhookctl/sample_event.h"
#include "webhookctl/signer.h"

namespace webhook::bench {

class EventSource {
 public:
  // A share of `duplicates` are copies of one of the last 1000 events: of the
  // same id, body and signature, but for a signed time. Throws Misuse when a
  // payload is no JSON object, or when the id has no place in the headers: a
  // provider that has it in the body cannot be sent the bodies of a corpus.
  EventSource(const Provider& provider, MacKey* key, const Target& target,
              const std::vector<Payload>& corpus, double duplicates);

  // Writes the next request, as it goes on the wire; returns the size of its
  // body.
  size_t next(std::string* wire);

 private:
  // A request in which only the id, which is in the body as well, and the
  // signature change from event to event.
  struct Prepared {
    EventRequest request;
    std::vector<char*> id_places;
  };

  std::string id_text(uint64_t sequence) const;
  void prepare(const Payload& payload);
  uint64_t choose_sequence();
  void sign(EventRequest* request) const;

  const Provider& provider_;
  const Signer signer_;
  const std::string request_line_and_host_;
  const double duplicates_;
  std::mt19937_64 random_{std::random_device()()};
  const uint64_t run_ = random_();
  uint64_t sent_ = 0;
  std::deque<Prepared> prepared_;  // their addresses are kept
};

}  // namespace webhook::bench

#endif  // WEBHOOK_BENCH_EVENT_SOURCE_H_

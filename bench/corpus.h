// Real payloads to send.
#ifndef WEBHOOK_BENCH_CORPUS_H_
#define WEBHOOK_BENCH_CORPUS_H_

#include <string>
#include <vector>

namespace webhook::bench {

struct Payload {
  std::string event_type;
  std::string body;
};

// One file, or every file of a folder, by name. A file's name up to its first
// '.' is the type of the event: "issues.12.json" holds an `issues` event.
// Throws Misuse when there is none.
std::vector<Payload> read_corpus(const std::string& path);

}  // namespace webhook::bench

#endif  // WEBHOOK_BENCH_CORPUS_H_

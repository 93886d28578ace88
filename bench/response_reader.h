// Just enough of HTTP/1.1 to know where an answer ends.
#ifndef WEBHOOK_BENCH_RESPONSE_READER_H_
#define WEBHOOK_BENCH_RESPONSE_READER_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace webhook::bench {

class ResponseReader {
 public:
  enum class Progress {
    kMore,  // the answer goes on
    kDone,
    kBad,  // no answer, one without Content-Length, or more than one
  };

  // Forgets the last answer.
  void start();

  Progress feed(std::string_view bytes);

  // Of an answer that is done.
  int status() const { return status_; }
  bool closes() const { return closes_; }

 private:
  static constexpr size_t kMaxHead = 16 * 1024;

  bool read_head(std::string_view head);
  bool read_field(std::string_view line);

  std::string head_;
  bool in_body_ = false;
  int status_ = 0;
  bool closes_ = false;
  bool sized_ = false;
  size_t body_left_ = 0;
};

}  // namespace webhook::bench

#endif  // WEBHOOK_BENCH_RESPONSE_READER_H_

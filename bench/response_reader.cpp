#include "bench/response_reader.h"

#include <charconv>

#include "ngx_webhook_module/verify/text.h"

namespace webhook::bench {
namespace {

constexpr std::string_view kEndOfHead = "\r\n\r\n";
constexpr int kNoContent = 204;

template <typename Number>
bool parse_number(std::string_view text, Number* number) {
  const auto result = std::from_chars(text.begin(), text.end(), *number);
  return result.ec == std::errc() && result.ptr == text.end();
}

std::string_view take_line(std::string_view* text) {
  const std::string_view line = take_until(text, '\n');
  return slice(line, 0, line.size() - 1);
}

}  // namespace

void ResponseReader::start() {
  head_.clear();
  in_body_ = false;
  closes_ = false;
  sized_ = false;
  body_left_ = 0;
}

ResponseReader::Progress ResponseReader::feed(std::string_view bytes) {
  if (!in_body_) {
    head_ += bytes;
    const size_t end = head_.find(kEndOfHead);
    if (end == std::string::npos) return head_.size() > kMaxHead ? Progress::kBad : Progress::kMore;
    if (!read_head(slice(head_, 0, end + 2))) return Progress::kBad;
    in_body_ = true;
    bytes = slice(head_, end + kEndOfHead.size());
  }
  if (bytes.size() > body_left_) return Progress::kBad;
  body_left_ -= bytes.size();
  return body_left_ == 0 ? Progress::kDone : Progress::kMore;
}

bool ResponseReader::read_head(std::string_view head) {
  const std::string_view status_line = take_line(&head);
  if (!starts_with(status_line, "HTTP/1.1 ") ||
      !parse_number(slice(status_line, 9, 12), &status_)) {
    return false;
  }
  while (!head.empty()) {
    if (!read_field(take_line(&head))) return false;
  }
  return sized_ || status_ == kNoContent;
}

bool ResponseReader::read_field(std::string_view line) {
  const std::string_view name = take_until(&line, ':');
  const std::string_view value = trim(line);
  if (equal_ignoring_case(name, "Content-Length")) {
    sized_ = true;
    return parse_number(value, &body_left_);
  }
  if (equal_ignoring_case(name, "Connection")) closes_ = equal_ignoring_case(value, "close");
  return true;
}

}  // namespace webhook::bench

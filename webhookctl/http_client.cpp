#include "webhookctl/http_client.h"

#include "webhookctl/failure.h"

namespace webhook {
namespace {

constexpr long kTimeoutSeconds = 10;

using HeaderLines = std::unique_ptr<curl_slist, void (*)(curl_slist*)>;

void add_line(const std::string& line, HeaderLines* lines) {
  curl_slist* longer = curl_slist_append(lines->get(), line.c_str());
  if (longer == nullptr) throw Failure("out of memory");
  (void)lines->release();
  lines->reset(longer);
}

HeaderLines header_lines(const HeaderList& headers) {
  HeaderLines lines(nullptr, curl_slist_free_all);
  // Else curl waits for 100 Continue before a larger body.
  add_line("Expect:", &lines);
  for (const OwnedHeader& header : headers.all()) {
    add_line(header.name + ": " + header.value, &lines);
  }
  return lines;
}

size_t discard(char*, size_t size, size_t count, void*) {
  return size * count;
}

}  // namespace

HttpClient::HttpClient(std::string url)
    : url_(std::move(url)), curl_(curl_easy_init(), curl_easy_cleanup) {
  if (curl_ == nullptr) throw Failure("libcurl cannot start");
  curl_easy_setopt(curl_.get(), CURLOPT_URL, url_.c_str());
  curl_easy_setopt(curl_.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl_.get(), CURLOPT_TIMEOUT, kTimeoutSeconds);
  curl_easy_setopt(curl_.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl_.get(), CURLOPT_POST, 1L);
  curl_easy_setopt(curl_.get(), CURLOPT_USERAGENT, "webhookctl/" WEBHOOK_VERSION);
  curl_easy_setopt(curl_.get(), CURLOPT_WRITEFUNCTION, discard);
}

HttpAnswer HttpClient::post(const HeaderList& headers, std::string_view body) {
  const HeaderLines lines = header_lines(headers);
  curl_easy_setopt(curl_.get(), CURLOPT_HTTPHEADER, lines.get());
  curl_easy_setopt(curl_.get(), CURLOPT_POSTFIELDS, body.data());
  curl_easy_setopt(curl_.get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  const CURLcode result = curl_easy_perform(curl_.get());
  curl_easy_setopt(curl_.get(), CURLOPT_HTTPHEADER, nullptr);
  if (result != CURLE_OK) {
    throw Failure("no answer from " + url_ + ": " + curl_easy_strerror(result));
  }
  return answer();
}

HttpAnswer HttpClient::answer() {
  HttpAnswer answer;
  curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &answer.status);
  curl_off_t microseconds = 0;
  curl_easy_getinfo(curl_.get(), CURLINFO_TOTAL_TIME_T, &microseconds);
  answer.ms = static_cast<double>(microseconds) / 1000;
  curl_header* decision = nullptr;
  if (curl_easy_header(curl_.get(), "Webhook-Decision", 0, CURLH_HEADER, -1, &decision) ==
      CURLHE_OK) {
    answer.decision = decision->value;
  }
  return answer;
}

}  // namespace webhook

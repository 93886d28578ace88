#include "bench/response_reader.h"

#include <gtest/gtest.h>

namespace webhook::bench {
namespace {

using Progress = ResponseReader::Progress;

Progress feed_in_pieces(ResponseReader* reader, std::string_view bytes, size_t size) {
  reader->start();
  Progress progress = Progress::kMore;
  for (size_t at = 0; at < bytes.size() && progress == Progress::kMore; at += size) {
    progress = reader->feed(bytes.substr(at, size));
  }
  return progress;
}

TEST(ResponseReader, EndsWithTheBody) {
  constexpr std::string_view kAnswer =
      "HTTP/1.1 503 Service Unavailable\r\nServer: nginx\r\ncontent-length: 5\r\n\r\nhello";
  ResponseReader reader;
  for (size_t size = 1; size <= kAnswer.size(); ++size) {
    EXPECT_EQ(feed_in_pieces(&reader, kAnswer, size), Progress::kDone) << size;
    EXPECT_EQ(reader.status(), 503);
    EXPECT_FALSE(reader.closes());
    EXPECT_EQ(feed_in_pieces(&reader, kAnswer.substr(0, kAnswer.size() - 1), size),
              Progress::kMore);
  }
}

TEST(ResponseReader, NoContentHasNoBody) {
  ResponseReader reader;
  EXPECT_EQ(reader.feed("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"), Progress::kDone);
  EXPECT_EQ(reader.status(), 204);
  EXPECT_TRUE(reader.closes());
}

TEST(ResponseReader, RefusesWhatItCannotMeasure) {
  for (const std::string_view answer :
       {"HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab", "SSH-2.0-OpenSSH\r\n\r\n"}) {
    ResponseReader reader;
    EXPECT_EQ(reader.feed(answer), Progress::kBad) << answer;
  }
}

}  // namespace
}  // namespace webhook::bench

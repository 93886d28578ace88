#ifndef WEBHOOK_TESTS_PROCESSOR_LINK_CLIENT_H_
#define WEBHOOK_TESTS_PROCESSOR_LINK_CLIENT_H_

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "processor/base/unique_fd.h"
#include "processor/link/frame_decoder.h"
#include "processor/link/frame_writer.h"
#include "processor/link/protocol.h"
#include "webhook.pb.h"

namespace webhook::testing {

// An NGINX worker's end of the link, blocking, with a time limit.
class LinkClient {
 public:
  explicit LinkClient(const std::string& path) : decoder_(link::kMaxFrameBytes) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
    fd_.reset(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const timeval limit{10, 0};
    setsockopt(fd_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    connected_ = connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  }

  bool connected() const { return connected_; }
  void close() { fd_.reset(); }

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
  }

  void hello(uint32_t version = link::kProtocolVersion) {
    v1::Frame frame;
    frame.mutable_hello()->set_version(version);
    std::string out;
    link::append_frame(out, frame);
    send(out);
  }

  // Nothing when the other end has closed, or nothing came in time.
  std::optional<link::Frame> receive() {
    char bytes[4096];
    while (frames_.empty()) {
      const ssize_t got = recv(fd_.get(), bytes, sizeof(bytes), 0);
      if (got <= 0) return std::nullopt;
      if (!decoder_.feed({bytes, static_cast<size_t>(got)}, frames_)) return std::nullopt;
    }
    link::Frame frame = std::move(frames_.front());
    frames_.erase(frames_.begin());
    return frame;
  }

  // The next frame, which must be an answer of one result.
  v1::Result answer(uint64_t* stream = nullptr) {
    const auto frame = receive();
    v1::Answer answer;
    if (!frame || frame->kind() != link::FrameKind::kAnswer ||
        !answer.ParseFromString(std::string(frame->message()))) {
      ADD_FAILURE() << "no answer";
      return {};
    }
    if (stream != nullptr) *stream = frame->stream();
    EXPECT_EQ(answer.results_size(), 1);
    return answer.results(0);
  }

 private:
  UniqueFd fd_;
  bool connected_ = false;
  link::FrameDecoder decoder_;
  std::vector<link::Frame> frames_;
};

}  // namespace webhook::testing

#endif  // WEBHOOK_TESTS_PROCESSOR_LINK_CLIENT_H_

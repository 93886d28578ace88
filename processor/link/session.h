#ifndef WEBHOOK_PROCESSOR_LINK_SESSION_H_
#define WEBHOOK_PROCESSOR_LINK_SESSION_H_

#include <array>
#include <asio/local/stream_protocol.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "processor/link/admission.h"
#include "processor/link/frame_decoder.h"
#include "webhook.pb.h"

namespace webhook::link {

using Socket = asio::local::stream_protocol::socket;

class Session;

// The server, as a session sees it.
class SessionOwner {
 public:
  virtual ~SessionOwner() = default;
  virtual void on_event_frame(Session& session, Frame frame) = 0;
  // Called once; the session may be let go.
  virtual void on_closed(const Session& session) = 0;
};

// One connection of an NGINX worker. Lives on the io thread alone.
class Session : public std::enable_shared_from_this<Session> {
 public:
  // Answers that wait for the peer to read; past it the session is closed.
  static constexpr size_t kMaxUnsentBytes = size_t{4} << 20;

  Session(uint64_t id, Socket socket, SessionOwner& owner);

  // Says Hello and begins to read.
  void start();
  void send_go_away();

  // The answer to `stream`. It leaves with the next write; `permit`, if any,
  // is kept until then.
  void answer(uint64_t stream, v1::Answer answer);
  void answer(uint64_t stream, v1::Answer answer, Admission::Permit permit);

  // One log line that says why, unless `why` is empty.
  void close(std::string_view why);

  uint64_t id() const { return id_; }
  // Events that were read and not yet answered.
  size_t open_streams() const { return open_streams_; }
  // When the last frame came, or the session began (CLOCK_MONOTONIC).
  uint64_t last_read_ns() const { return last_read_ns_; }
  bool said_hello() const { return said_hello_; }
  bool all_sent() const { return !writing_ && unsent_.empty(); }
  // Since when one write has been under way; 0 when none is.
  uint64_t writing_since_ns() const { return writing_since_ns_; }

 private:
  static constexpr size_t kReadBytes = size_t{64} << 10;

  void read();
  void on_read(std::string_view bytes);
  void handle(Frame frame);
  void handle_hello(const Frame& frame);
  void send(const v1::Frame& frame);
  void schedule_flush();
  void flush();
  void on_written();

  const uint64_t id_;
  Socket socket_;
  SessionOwner& owner_;
  FrameDecoder decoder_;
  std::array<char, kReadBytes> read_buffer_;

  // Two buffers that change places: one is written, the other fills.
  std::string unsent_;
  std::string sending_;
  std::vector<Admission::Permit> unsent_permits_;
  std::vector<Admission::Permit> sending_permits_;

  size_t open_streams_ = 0;
  uint64_t last_read_ns_ = 0;
  uint64_t writing_since_ns_ = 0;
  bool writing_ = false;
  bool flush_scheduled_ = false;
  bool said_hello_ = false;
  bool closed_ = false;
};

}  // namespace webhook::link

#endif  // WEBHOOK_PROCESSOR_LINK_SESSION_H_

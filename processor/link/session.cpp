#include "processor/link/session.h"

#include <unistd.h>

#include <asio/buffer.hpp>
#include <asio/post.hpp>
#include <asio/write.hpp>
#include <utility>

#include "processor/base/clock.h"
#include "processor/base/fault.h"
#include "processor/base/log.h"
#include "processor/link/frame_writer.h"

namespace webhook::link {

Session::Session(uint64_t id, Socket socket, SessionOwner& owner)
    : id_(id),
      socket_(std::move(socket)),
      owner_(owner),
      decoder_(kMaxFrameBytes),
      last_read_ns_(monotonic_ns()) {}

void Session::start() {
  v1::Frame frame;
  frame.mutable_hello()->set_version(kProtocolVersion);
  frame.mutable_hello()->set_pid(static_cast<uint32_t>(getpid()));
  send(frame);
  read();
}

void Session::send_go_away() {
  v1::Frame frame;
  frame.mutable_go_away();
  send(frame);
}

void Session::answer(uint64_t stream, v1::Answer answer) {
  if (closed_) return;
  --open_streams_;
  v1::Frame frame;
  frame.set_stream(stream);
  *frame.mutable_answer() = std::move(answer);
  send(frame);
}

void Session::answer(uint64_t stream, v1::Answer answer, Admission::Permit permit) {
  if (closed_) return;
  unsent_permits_.push_back(std::move(permit));
  this->answer(stream, std::move(answer));
}

void Session::close(std::string_view why) {
  if (closed_) return;
  closed_ = true;
  if (!why.empty()) {
    log(LogLevel::kWarning, "session closed",
        {{"session", static_cast<int64_t>(id_)}, {"why", why}});
  }
  std::error_code ignored;
  socket_.close(ignored);
  unsent_permits_.clear();
  sending_permits_.clear();
  owner_.on_closed(*this);
}

void Session::read() {
  socket_.async_read_some(asio::buffer(read_buffer_),
                          [self = shared_from_this()](std::error_code error, size_t size) {
                            // The end of the connection needs no reason: a worker went away.
                            if (error) return self->close("");
                            self->on_read({self->read_buffer_.data(), size});
                          });
}

void Session::on_read(std::string_view bytes) {
  // Bounded by what one read can hold; a frame is at least two bytes and its
  // length.
  std::vector<Frame> frames;
  const auto fed = decoder_.feed(bytes, frames);
  last_read_ns_ = monotonic_ns();
  for (Frame& frame : frames) {
    if (closed_) return;
    handle(std::move(frame));
  }
  if (!fed) return close(frame_error_text(fed.error()));
  if (!closed_) read();
}

void Session::handle(Frame frame) {
  if (!said_hello_) return handle_hello(frame);
  switch (frame.kind()) {
    case FrameKind::kEvent:
      if (fault(FaultPoint::after_frame_read)) return close("fault point");
      ++open_streams_;
      return owner_.on_event_frame(*this, std::move(frame));
    case FrameKind::kGoAway:
      // The worker will send nothing more; it closes when all is answered.
      return;
    case FrameKind::kHello:
    case FrameKind::kAnswer:
    case FrameKind::kNone: return close("a frame that a worker never sends");
  }
}

void Session::handle_hello(const Frame& frame) {
  if (frame.kind() != FrameKind::kHello) return close("no hello first");
  v1::Hello hello;
  const std::string_view message = frame.message();
  if (!hello.ParseFromArray(message.data(), static_cast<int>(message.size()))) {
    return close("malformed hello");
  }
  if (hello.version() != kProtocolVersion) {
    return close(fmt::format("peer speaks protocol version {}, this end {}", hello.version(),
                             kProtocolVersion));
  }
  said_hello_ = true;
}

void Session::send(const v1::Frame& frame) {
  if (closed_) return;
  append_frame(unsent_, frame);
  if (unsent_.size() > kMaxUnsentBytes) {
    return close("the peer does not read its answers");
  }
  schedule_flush();
}

// Posted, not written at once: what one turn of the loop adds leaves together.
void Session::schedule_flush() {
  if (flush_scheduled_ || writing_) return;
  flush_scheduled_ = true;
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    self->flush_scheduled_ = false;
    self->flush();
  });
}

void Session::flush() {
  if (closed_ || writing_ || unsent_.empty()) return;
  writing_ = true;
  writing_since_ns_ = monotonic_ns();
  std::swap(unsent_, sending_);
  std::swap(unsent_permits_, sending_permits_);
  asio::async_write(socket_, asio::buffer(sending_),
                    [self = shared_from_this()](std::error_code error, size_t) {
                      if (error) return self->close("");
                      self->on_written();
                    });
}

void Session::on_written() {
  writing_ = false;
  writing_since_ns_ = 0;
  sending_.clear();
  const bool answered = !sending_permits_.empty();
  sending_permits_.clear();
  if (answered && fault(FaultPoint::after_answer)) return close("fault point");
  flush();
}

}  // namespace webhook::link

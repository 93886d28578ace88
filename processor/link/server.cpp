#include "processor/link/server.h"

#include <unistd.h>

#include <asio/post.hpp>
#include <utility>

#include "processor/base/clock.h"
#include "processor/base/log.h"
#include "processor/base/unix_socket.h"

namespace webhook::link {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTick{500};
constexpr milliseconds kDrainTick{20};

constexpr uint64_t kHelloTimeoutNs = 5000 * kNsPerMs;
constexpr uint64_t kWriteTimeoutNs = 5000 * kNsPerMs;

// While draining, a session on which nothing is open or came for so long has
// understood the GoAway.
constexpr uint64_t kDrainIdleNs = 200 * kNsPerMs;

// After the drain timeout, for the answers of what is still being committed.
constexpr uint64_t kLastAnswersNs = 5000 * kNsPerMs;

}  // namespace

Server::Server(asio::io_context& io, ServerOptions options)
    : io_(io),
      options_(std::move(options)),
      admission_(std::make_shared<Admission>(options_.max_events, options_.max_bytes)),
      acceptor_(io),
      ticker_(io) {}

Server::~Server() {
  if (acceptor_.is_open()) unlink(options_.path.c_str());
}

Status Server::listen(Handler& handler) {
  handler_ = &handler;
  auto fd = listen_unix(options_.path, 0660);
  if (!fd) return tl::make_unexpected(fd.error());
  acceptor_.assign(asio::local::stream_protocol(), fd->release());
  accept();
  start_ticking();
  return {};
}

void Server::accept() {
  accepting_ = true;
  acceptor_.async_accept([this](std::error_code error, Socket socket) {
    accepting_ = false;
    if (state_ != State::kServing) return;
    if (error) {
      // Out of descriptors, most likely: the next tick tries again.
      log(LogLevel::kError, "cannot accept", {{"why", error.message()}});
      return;
    }
    on_accepted(std::move(socket));
    accept();
  });
}

void Server::on_accepted(Socket socket) {
  if (!is_allowed(socket)) return;
  if (sessions_.size() >= kMaxSessions) {
    log(LogLevel::kWarning, "too many sessions, one turned away");
    return;
  }
  const uint64_t id = next_session_++;
  auto session = std::make_shared<Session>(id, std::move(socket), *this);
  sessions_.emplace(id, session);
  session->start();
}

bool Server::is_allowed(Socket& socket) const {
  if (options_.allow_uids.empty()) return true;
  const auto uid = peer_uid(socket.native_handle());
  for (const uid_t allowed : options_.allow_uids) {
    if (uid == allowed) return true;
  }
  log(LogLevel::kWarning, "peer is not in allow_uids",
      {{"uid", uid ? static_cast<int64_t>(*uid) : -1}});
  return false;
}

void Server::reply(std::vector<Reply> replies) {
  asio::post(io_, [this, replies = std::move(replies)]() mutable { deliver(std::move(replies)); });
}

void Server::deliver(std::vector<Reply> replies) {
  for (Reply& reply : replies) {
    const auto found = sessions_.find(reply.address.session);
    if (found == sessions_.end()) continue;
    // Held here: an answer may close the session and so remove it.
    const std::shared_ptr<Session> session = found->second;
    session->answer(reply.address.stream, std::move(reply.answer), std::move(reply.permit));
  }
}

void Server::on_event_frame(Session& session, Frame frame) {
  const uint64_t stream = frame.stream();
  if (state_ == State::kPastDeadline) {
    return turn_away(session, stream, Reason::kProcessorStopping);
  }
  auto permit = admission_->admit(frame.size());
  if (!permit) return turn_away(session, stream, Reason::kProcessorFull);
  handler_->on_event({{session.id(), stream}, std::move(*permit), std::move(frame)});
}

void Server::turn_away(Session& session, uint64_t stream, Reason reason) {
  handler_->on_turned_away(reason);
  session.answer(stream, make_answer(reason));
}

void Server::on_closed(const Session& session) {
  sessions_.erase(session.id());
}

void Server::drain(std::function<void()> done) {
  if (state_ != State::kServing) return;
  state_ = State::kDraining;
  drained_ = std::move(done);
  drain_until_ns_ =
      monotonic_ns() + static_cast<uint64_t>(options_.drain_timeout.count()) * kNsPerMs;
  // Unlinked first: who connects now is refused at once, not left to wait.
  unlink(options_.path.c_str());
  acceptor_.close();
  const auto sessions = sessions_;  // closing one removes it from the map
  for (const auto& [id, session] : sessions) session->send_go_away();
  start_ticking();
}

void Server::start_ticking() {
  ticker_.expires_after(state_ == State::kServing ? kTick : kDrainTick);
  ticker_.async_wait([this](std::error_code error) {
    if (!error) tick();
  });
}

void Server::tick() {
  if (state_ == State::kDone) return;
  const uint64_t now_ns = monotonic_ns();
  const auto sessions = sessions_;  // closing one removes it from the map
  for (const auto& [id, session] : sessions) check(*session, now_ns);
  if (state_ == State::kServing) {
    if (!accepting_) accept();
  } else {
    advance_drain(now_ns);
  }
  if (state_ != State::kDone) start_ticking();
}

void Server::check(Session& session, uint64_t now_ns) {
  if (session.writing_since_ns() != 0 && now_ns - session.writing_since_ns() > kWriteTimeoutNs) {
    return session.close("the peer does not read its answers");
  }
  if (!session.said_hello() && now_ns - session.last_read_ns() > kHelloTimeoutNs) {
    return session.close("no hello in time");
  }
  if (may_close(session, now_ns)) session.close("");
}

bool Server::may_close(const Session& session, uint64_t now_ns) const {
  if (state_ == State::kServing) return false;
  if (session.open_streams() != 0 || !session.all_sent()) return false;
  return state_ == State::kPastDeadline || now_ns - session.last_read_ns() > kDrainIdleNs;
}

void Server::advance_drain(uint64_t now_ns) {
  if (now_ns >= drain_until_ns_) state_ = State::kPastDeadline;
  if (now_ns >= drain_until_ns_ + kLastAnswersNs) {
    const auto sessions = sessions_;
    for (const auto& [id, session] : sessions) {
      session->close("its last answers were not ready in time");
    }
  }
  if (!sessions_.empty()) return;
  state_ = State::kDone;
  drained_();
}

}  // namespace webhook::link

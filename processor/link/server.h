#ifndef WEBHOOK_PROCESSOR_LINK_SERVER_H_
#define WEBHOOK_PROCESSOR_LINK_SERVER_H_

#include <sys/types.h>

#include <asio/io_context.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "processor/base/result.h"
#include "processor/link/admission.h"
#include "processor/link/handler.h"
#include "processor/link/session.h"

namespace webhook::link {

struct ServerOptions {
  std::string path = "/run/webhook/processor.sock";
  std::vector<uid_t> allow_uids;  // empty: whoever may open the socket
  size_t max_events = 4096;
  size_t max_bytes = size_t{64} << 20;
  std::chrono::milliseconds drain_timeout{5000};
};

// The processor's end of the link: accepts workers, admits their events,
// hands them to the handler and carries the answers back. Everything but
// reply() and in_flight() belongs to the io thread.
class Server : public Replier, public SessionOwner {
 public:
  // More workers than this are turned away.
  static constexpr size_t kMaxSessions = 1024;

  Server(asio::io_context& io, ServerOptions options);
  ~Server() override;

  // Binds the socket (mode 0660) and begins to accept. `handler` must outlive
  // the running of the io context.
  Status listen(Handler& handler);

  void reply(std::vector<Reply> replies) override;

  // Stops accepting and tells every worker to go away; goes on reading and
  // answering until each session is closed by its peer or idle, for at most
  // the drain timeout. `done` is called when the last session is gone.
  void drain(std::function<void()> done);

  const Admission& in_flight() const { return *admission_; }

 private:
  enum class State { kServing, kDraining, kPastDeadline, kDone };

  void accept();
  void on_accepted(Socket socket);
  bool is_allowed(Socket& socket) const;
  void deliver(std::vector<Reply> replies);
  void on_event_frame(Session& session, Frame frame) override;
  void turn_away(Session& session, uint64_t stream, Reason reason);
  void on_closed(const Session& session) override;

  void start_ticking();
  void tick();
  void check(Session& session, uint64_t now_ns);
  bool may_close(const Session& session, uint64_t now_ns) const;
  void advance_drain(uint64_t now_ns);

  asio::io_context& io_;
  const ServerOptions options_;
  const std::shared_ptr<Admission> admission_;
  Handler* handler_ = nullptr;
  asio::local::stream_protocol::acceptor acceptor_;
  asio::steady_timer ticker_;
  std::map<uint64_t, std::shared_ptr<Session>> sessions_;
  uint64_t next_session_ = 1;
  bool accepting_ = false;

  State state_ = State::kServing;
  uint64_t drain_until_ns_ = 0;
  std::function<void()> drained_;
};

}  // namespace webhook::link

#endif  // WEBHOOK_PROCESSOR_LINK_SERVER_H_

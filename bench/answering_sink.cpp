// webhook-sink: stands behind the link in place of the processor and accepts
// every event at once, so that a benchmark measures the edge alone.
//
//   webhook-sink SOCKET
#include <asio/io_context.hpp>
#include <asio/signal_set.hpp>
#include <csignal>
#include <iostream>
#include <vector>

#include "processor/link/server.h"

namespace webhook::bench {
namespace {

class AnsweringSink : public link::Handler {
 public:
  explicit AnsweringSink(link::Replier* replier) : replier_(replier) {}

  void on_event(link::Request request) override {
    std::vector<link::Reply> replies;
    replies.push_back({request.address, std::move(request.permit), accepted_});
    replier_->reply(std::move(replies));
  }

  // The generator counts these by their status.
  void on_turned_away(Reason) override {}

 private:
  link::Replier* replier_;
  const v1::Answer accepted_ = link::make_answer(Reason::kAccepted);
};

int run(const char* path) {
  asio::io_context io(1);
  link::ServerOptions options;
  options.path = path;
  link::Server server(io, options);
  AnsweringSink sink(&server);
  const Status listening = server.listen(sink);
  if (!listening) {
    std::cerr << "webhook-sink: " << listening.error().message << "\n";
    return 1;
  }
  asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&io](const asio::error_code&, int) { io.stop(); });
  io.run();
  return 0;
}

}  // namespace
}  // namespace webhook::bench

int main(int argc, char** argv) {
  if (argc == 2) return webhook::bench::run(argv[1]);
  std::cerr << "usage: webhook-sink SOCKET\n";
  return 2;
}

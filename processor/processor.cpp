#include "processor/processor.h"

#include <sys/prctl.h>

#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/signal_set.hpp>
#include <csignal>
#include <memory>

#include "processor/accept/pipeline.h"
#include "processor/admin/server.h"
#include "processor/admin/service.h"
#include "processor/base/log.h"
#include "processor/crypto/data_keys.h"
#include "processor/link/server.h"
#include "processor/store/open_store.h"

namespace webhook {
namespace {

// The parts that serve, in the order in which they depend on each other.
class Processor {
 public:
  Processor(const Config& config, Store& store, DataKeys& keys)
      : config_(config),
        signals_(io_),
        server_(io_, config.link),
        pipeline_(config.accept, store, keys, server_,
                  [this] { asio::post(io_, [this] { on_store_failed(); }); }),
        store_name_(store.name()),
        service_(store, keys, pipeline_.counters(), server_.in_flight()),
        admin_(service_) {}

  Status run() {
    if (auto started = admin_.start(config_.admin_socket); !started) {
      return started;
    }
    if (auto listening = server_.listen(pipeline_); !listening) {
      return listening;
    }
    wait_for_signal();
    log(LogLevel::kInfo, "ready", {{"socket", config_.link.path}, {"store", store_name_}});
    io_.run();
    pipeline_.stop();
    admin_.stop();
    log(LogLevel::kInfo, "stopped");
    if (store_failed_) return fail("the store failed: see the log");
    return {};
  }

 private:
  void wait_for_signal() {
    signals_.add(SIGTERM);
    signals_.add(SIGINT);
    signals_.async_wait([this](std::error_code error, int signal) {
      if (error) return;
      log(LogLevel::kInfo, "stopping", {{"signal", int64_t{signal}}});
      drain();
    });
  }

  void on_store_failed() {
    store_failed_ = true;
    signals_.cancel();
    drain();
  }

  // When the last session is gone nothing is left in the loop, and it ends.
  void drain() {
    server_.drain([this] { signals_.cancel(); });
  }

  const Config& config_;
  asio::io_context io_{1};
  asio::signal_set signals_;
  link::Server server_;
  Pipeline pipeline_;
  const std::string store_name_;
  admin::Service service_;
  admin::Server admin_;
  bool store_failed_ = false;
};

}  // namespace

Status run_processor(const Config& config) {
  // No core dumps and no ptrace by the same user: memory holds keys.
  prctl(PR_SET_DUMPABLE, 0);
  // A log reader that went away must not end the processor.
  std::signal(SIGPIPE, SIG_IGN);
  // A file at its size limit is an error of the write, as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  const auto ring_path = key_ring_path(config);
  if (!ring_path) return tl::make_unexpected(ring_path.error());
  const auto store = open_store(config.store);
  if (!store) return tl::make_unexpected(store.error());
  const auto keys = DataKeys::open(*ring_path, **store);
  if (!keys) return tl::make_unexpected(keys.error());
  return Processor(config, **store, **keys).run();
}

Status check_processor(const Config& config) {
  const auto ring_path = key_ring_path(config);
  if (!ring_path) return tl::make_unexpected(ring_path.error());
  const auto store = open_store_read_only(config.store);
  if (!store) return tl::make_unexpected(store.error());
  if (!*store) return {};  // the first start will make it
  return DataKeys::check(*ring_path, **store);
}

}  // namespace webhook

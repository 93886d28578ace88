#ifndef WEBHOOK_PROCESSOR_STORE_POSTGRES_SESSION_POOL_H_
#define WEBHOOK_PROCESSOR_STORE_POSTGRES_SESSION_POOL_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "processor/store/postgres/session.h"

namespace webhook::postgres {

// A fixed number of sessions, each used by one thread at a time. Thread-safe.
class SessionPool {
 public:
  // `size` is at least 1.
  SessionPool(Shared& shared, size_t size);

  // Gives its session back.
  class Guard {
   public:
    Guard(SessionPool& pool, Session& session) : pool_(pool), session_(session) {}
    ~Guard() { pool_.give_back(session_); }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    Session& operator*() { return session_; }

   private:
    SessionPool& pool_;
    Session& session_;
  };

  // Waits while all are taken: for as long as the deadlines of their statements.
  Guard take();

 private:
  void give_back(Session& session);

  std::vector<std::unique_ptr<Session>> sessions_;
  std::mutex mutex_;
  std::condition_variable given_back_;
  std::vector<Session*> free_;  // guarded by mutex_
};

}  // namespace webhook::postgres

#endif  // WEBHOOK_PROCESSOR_STORE_POSTGRES_SESSION_POOL_H_

#ifndef WEBHOOK_TESTS_SUPPORT_TEST_SUPPORT_H_
#define WEBHOOK_TESTS_SUPPORT_TEST_SUPPORT_H_

#include <cstdlib>
#include <filesystem>
#include <string>

#include "processor/base/clock.h"
#include "processor/base/uuid.h"
#include "processor/store/store.h"

namespace webhook::testing {

// A directory that is gone at the end of the test.
class TempDir {
 public:
  TempDir() {
    std::string name = "/tmp/webhook_test_XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~TempDir() { std::filesystem::remove_all(path_); }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline AcceptRow make_row(const std::string& event_id, const std::string& tenant = "t") {
  AcceptRow row;
  row.key = {tenant, "stripe", "main", event_id};
  row.inbox_id = make_uuid7(unix_ms());
  row.payload_id = make_uuid7(unix_ms());
  row.event_type = "invoice.paid";
  row.received_at_ms = unix_ms();
  row.secret_version = "v1";
  row.body_bytes = 7;
  row.blob = "sealed " + event_id;
  return row;
}

}  // namespace webhook::testing

#endif  // WEBHOOK_TESTS_SUPPORT_TEST_SUPPORT_H_

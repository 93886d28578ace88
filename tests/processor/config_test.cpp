#include "processor/config.h"

#include <gtest/gtest.h>

namespace webhook {
namespace {

std::string error_of(const std::string& toml) {
  const auto config = parse_config(toml, "f.toml");
  return config ? "" : config.error().message;
}

TEST(Config, DefaultsAreWhole) {
  const auto config = parse_config("", "f.toml");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->link.path, "/run/webhook/processor.sock");
  EXPECT_EQ(config->link.max_events, 4096u);
  EXPECT_EQ(config->link.max_bytes, size_t{64} << 20);
  EXPECT_EQ(config->link.drain_timeout.count(), 5000);
  EXPECT_EQ(config->accept.batch.rows, 64u);
  EXPECT_EQ(config->accept.batch.bytes, size_t{1} << 20);
  EXPECT_GE(config->accept.threads, 1u);
  EXPECT_EQ(*key_ring_path(*config), "/var/lib/webhook/keys");
}

TEST(Config, TakesEverySetting) {
  const auto config = parse_config(R"(
[link]
socket = "/a"
allow_uids = [33, 0]
max_events = 5
max_bytes = "1MiB"
drain_timeout = "250ms"
[store]
dsn = "sqlite:/b/c.db"
[keys]
file = "/k"
[admin]
socket = "/d"
[log]
level = "warning"
[accept]
threads = 3
batch_rows = 7
batch_bytes = 65536
)",
                                   "f.toml");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->link.path, "/a");
  EXPECT_EQ(config->link.allow_uids, (std::vector<uid_t>{33, 0}));
  EXPECT_EQ(config->link.max_events, 5u);
  EXPECT_EQ(config->link.max_bytes, size_t{1} << 20);
  EXPECT_EQ(config->link.drain_timeout.count(), 250);
  EXPECT_EQ(config->store.dsn, "sqlite:/b/c.db");
  EXPECT_EQ(*key_ring_path(*config), "/k");
  EXPECT_EQ(config->admin_socket, "/d");
  EXPECT_EQ(config->log_level, "warning");
  EXPECT_EQ(config->accept.threads, 3u);
  EXPECT_EQ(config->accept.batch.rows, 7u);
  EXPECT_EQ(config->accept.batch.bytes, 65536u);
}

TEST(Config, NamesFileLineKeyAndWhatIsKnown) {
  EXPECT_EQ(error_of("\n[link]\nsockets = 1\n"),
            "f.toml:3: unknown key 'sockets' in [link]; known: allow_uids, drain_timeout, "
            "max_bytes, max_events, socket");
  EXPECT_EQ(error_of("[lnk]\n").substr(0, 32), "f.toml:1: unknown section [lnk];");
  EXPECT_EQ(error_of("[link\n").substr(0, 9), "f.toml:1:");
}

TEST(Config, RefusesValuesOutOfBounds) {
  EXPECT_NE(error_of("[link]\nmax_events = 0"), "");
  EXPECT_NE(error_of("[link]\nmax_events = \"5\""), "");
  EXPECT_NE(error_of("[link]\nmax_bytes = \"5MB\""), "");
  EXPECT_NE(error_of("[link]\nmax_bytes = -1"), "");
  EXPECT_NE(error_of("[link]\ndrain_timeout = 5"), "");
  EXPECT_NE(error_of("[link]\nallow_uids = [-1]"), "");
  EXPECT_NE(error_of("[link]\nallow_uids = 0"), "");
  EXPECT_NE(error_of("[log]\nlevel = \"loud\""), "");
  EXPECT_NE(error_of("[store]\ndsn = \"\""), "");
  EXPECT_NE(error_of("link = 3"), "");
}

}  // namespace
}  // namespace webhook

// The VFS by itself, under SQLite: what is in its buffer is missed by nobody.
#include "processor/store/sqlite/buffered_wal.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <memory>
#include <string>

#include "test_support.h"

namespace webhook::sqlite {
namespace {

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
using Connection = std::unique_ptr<sqlite3, Close>;

class BufferedWalTest : public ::testing::Test {
 protected:
  Connection open(const char* vfs) {
    sqlite3* db = nullptr;
    constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    EXPECT_EQ(sqlite3_open_v2(dir_.file("x.db").c_str(), &db, kFlags, vfs), SQLITE_OK);
    return Connection(db);
  }

  // A cache of ten pages: a large transaction goes to the WAL before its end.
  Connection open_writer() {
    Connection db = open(buffered_wal_vfs());
    run(db,
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0;"
        "PRAGMA cache_size=10; CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, b BLOB)");
    return db;
  }

  static void run(const Connection& db, const std::string& sql) {
    ASSERT_EQ(sqlite3_exec(db.get(), sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db.get());
  }

  // The first value that a query gives.
  static std::string get(const Connection& db, const char* sql) {
    std::string value;
    const auto take = [](void* out, int, char** row, char**) {
      *static_cast<std::string*>(out) = row[0];
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(db.get(), sql, take, &value, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db.get());
    return value;
  }

  static void insert_mebibytes(const Connection& db, int count) {
    run(db, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " +
                std::to_string(count * 256) + ") INSERT INTO t (b) SELECT randomblob(4000) FROM n");
  }

  testing::TempDir dir_;
};

TEST_F(BufferedWalTest, AnotherConnectionSeesEachCommitAtOnce) {
  const Connection writer = open_writer();
  const Connection reader = open(nullptr);
  for (int i = 1; i <= 50; ++i) {
    run(writer, "INSERT INTO t (b) VALUES (randomblob(" + std::to_string(i * 997) + "))");
    ASSERT_EQ(get(reader, "SELECT count(*) FROM t"), std::to_string(i));
  }
  EXPECT_EQ(get(reader, "PRAGMA integrity_check"), "ok");
}

TEST_F(BufferedWalTest, ATransactionReadsWhatItHasWrittenItself) {
  const Connection writer = open_writer();
  run(writer, "BEGIN");
  insert_mebibytes(writer, 3);
  EXPECT_EQ(get(writer, "SELECT sum(length(b)) FROM t"), std::to_string(3 * 256 * 4000));
  run(writer, "COMMIT");
  const Connection reader = open(nullptr);
  EXPECT_EQ(get(reader, "SELECT count(*) FROM t"), "768");
  EXPECT_EQ(get(reader, "PRAGMA integrity_check"), "ok");
}

TEST_F(BufferedWalTest, WhatIsRolledBackLeavesNothing) {
  const Connection writer = open_writer();
  insert_mebibytes(writer, 1);
  run(writer, "BEGIN");
  insert_mebibytes(writer, 2);
  run(writer, "ROLLBACK");
  insert_mebibytes(writer, 1);
  EXPECT_EQ(get(open(nullptr), "SELECT count(*) FROM t"), "512");
  EXPECT_EQ(get(open(nullptr), "PRAGMA integrity_check"), "ok");
}

TEST_F(BufferedWalTest, TheLogBeginsAnewAfterACheckpoint) {
  const Connection writer = open_writer();
  for (int i = 0; i < 5; ++i) {
    insert_mebibytes(writer, 1);
    run(writer, "PRAGMA wal_checkpoint(PASSIVE)");
  }
  EXPECT_EQ(get(open(nullptr), "SELECT count(*) FROM t"), "1280");
  EXPECT_EQ(get(open(nullptr), "PRAGMA integrity_check"), "ok");
}

}  // namespace
}  // namespace webhook::sqlite

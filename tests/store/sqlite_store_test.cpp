// What only the embedded store promises.
#include "processor/store/sqlite/sqlite_store.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/store/open_store.h"
#include "processor/store/sql_files.h"
#include "processor/store/sqlite/error.h"
#include "test_support.h"

namespace webhook::sqlite {
namespace {

class SqliteStoreTest : public ::testing::Test {
 protected:
  void run(const char* sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
  }

  mode_t mode_of(const std::string& path) {
    struct stat info {};
    EXPECT_EQ(stat(path.c_str(), &info), 0) << path;
    return info.st_mode & 0777;
  }

  testing::TempDir dir_;
  std::string path_ = dir_.file("a/b/inbox.db");
};

TEST_F(SqliteStoreTest, MakesDirectoryAndFileForItselfAlone) {
  ASSERT_TRUE(SqliteStore::open(path_));
  EXPECT_EQ(mode_of(dir_.file("a")) & 0027, 0u);
  EXPECT_EQ(mode_of(path_) & 0137, 0u);
}

TEST_F(SqliteStoreTest, ASecondOpenerIsRefused) {
  auto first = SqliteStore::open(path_);
  ASSERT_TRUE(first);
  const auto second = SqliteStore::open(path_);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("in use by another"), std::string::npos);
  EXPECT_TRUE(SqliteStore::open_read_only(path_)) << "--check looks beside a running processor";
  first->reset();
  EXPECT_TRUE(SqliteStore::open(path_));
}

TEST_F(SqliteStoreTest, ASecondOpenerIsRefusedByAnyName) {
  const auto first = SqliteStore::open(path_);
  ASSERT_TRUE(first);
  const std::string other = dir_.file("a/b/other.db");
  ASSERT_EQ(link(path_.c_str(), other.c_str()), 0);
  EXPECT_FALSE(SqliteStore::open(other));
}

TEST_F(SqliteStoreTest, NothingIsWrittenToAFileThatHasLostItsName) {
  auto store = SqliteStore::open(path_);
  ASSERT_TRUE(store);
  ASSERT_TRUE((*store)->log_operator({1, "somebody", "look", std::nullopt, ""}));
  ASSERT_EQ(rename(path_.c_str(), dir_.file("a/b/away.db").c_str()), 0);
  const auto refused = (*store)->log_operator({2, "somebody", "look", std::nullopt, ""});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, StoreError::Kind::kFatal);
  // Back again: what happened in between is not known.
  ASSERT_EQ(rename(dir_.file("a/b/away.db").c_str(), path_.c_str()), 0);
  EXPECT_FALSE((*store)->log_operator({3, "somebody", "look", std::nullopt, ""}));
}

TEST_F(SqliteStoreTest, ANewerSchemaIsRefused) {
  ASSERT_TRUE(SqliteStore::open(path_));
  run("INSERT INTO schema_version VALUES (9999, 0)");
  const auto refused = SqliteStore::open(path_);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("schema 9999"), std::string::npos);
  EXPECT_FALSE(SqliteStore::open_read_only(path_));
}

TEST_F(SqliteStoreTest, AFileThatIsNoDatabaseIsRefused) {
  ASSERT_TRUE(SqliteStore::open(path_));
  FILE* file = fopen(path_.c_str(), "r+");
  fputs("this is not a database, not at all, no way", file);
  fclose(file);
  EXPECT_FALSE(SqliteStore::open(path_));
}

TEST_F(SqliteStoreTest, AReadOnlyStoreRefusesWrites) {
  ASSERT_TRUE(SqliteStore::open(path_));
  const auto store = SqliteStore::open_read_only(path_);
  ASSERT_TRUE(store);
  const std::vector<AcceptRow> rows = {testing::make_row("x")};
  EXPECT_FALSE((*store)->accept(rows));
  EXPECT_FALSE((*store)->log_operator({}));
  EXPECT_EQ((*store)->count({}).value(), 0u);
}

TEST_F(SqliteStoreTest, TheLogOfTheDatabaseStaysBounded) {
  auto store = SqliteStore::open(path_);
  AcceptRow row = testing::make_row("x");
  for (int i = 0; i < 600; ++i) {
    row.key.event_id = std::to_string(i);
    row.inbox_id = row.payload_id = make_uuid7(unix_ms());
    row.blob.assign(32 << 10, 'x');
    ASSERT_TRUE((*store)->accept(std::span(&row, 1)));
    ASSERT_TRUE((*store)->maintain());
  }
  EXPECT_LT(std::filesystem::file_size(path_ + "-wal"), size_t{10} << 20);
  store->reset();
  EXPECT_FALSE(std::filesystem::exists(path_ + "-wal")) << "the end empties it";
}

TEST(SqliteError, Kinds) {
  const auto kind = [](int code) { return to_store_error(code, nullptr).kind; };
  EXPECT_EQ(kind(SQLITE_CONSTRAINT_UNIQUE), StoreError::Kind::kPoison);
  EXPECT_EQ(kind(SQLITE_TOOBIG), StoreError::Kind::kPoison);
  EXPECT_EQ(kind(SQLITE_FULL), StoreError::Kind::kTransient);
  EXPECT_EQ(kind(SQLITE_BUSY_SNAPSHOT), StoreError::Kind::kTransient);
  EXPECT_EQ(kind(SQLITE_IOERR_FSYNC), StoreError::Kind::kFatal);
  EXPECT_EQ(kind(SQLITE_CORRUPT), StoreError::Kind::kFatal);
}

TEST(NamedStatements, AreSplitByName) {
  const auto blocks =
      webhook::split_statements("-- head\n-- name: a\nSELECT 1;\n\n-- name: b\nSELECT 2;\n");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks.at("a"), "SELECT 1;\n\n");
  EXPECT_EQ(blocks.at("b"), "SELECT 2;\n");
}

TEST(OpenStore, SaysWhatItCannotOpen) {
  EXPECT_NE(check_dsn("redis://x").error().message.find("sqlite:PATH"), std::string::npos);
  EXPECT_FALSE(open_store({.dsn = "redis://x"}));
  EXPECT_FALSE(check_dsn("sqlite:"));
  EXPECT_FALSE(check_dsn("sqlite:file:/tmp/x.db?mode=memory"));
}

}  // namespace
}  // namespace webhook::sqlite

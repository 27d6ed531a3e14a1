// For tests: somebody else with the board's database open, who makes its days bad.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <string>

namespace rpcbench {

class OtherConnection final {
 public:
  explicit OtherConnection(const std::filesystem::path& file) {
    EXPECT_EQ(sqlite3_open(file.c_str(), &database_), SQLITE_OK);
    sqlite3_busy_timeout(database_, 5000);
  }
  ~OtherConnection() { sqlite3_close(database_); }
  OtherConnection(const OtherConnection&) = delete;
  OtherConnection& operator=(const OtherConnection&) = delete;

  void Lock() { Run("BEGIN IMMEDIATE"); }
  void Unlock() { Run("ROLLBACK"); }

  // With StoreOptions::max_pages that is a disk that fills, at the same command each time.
  void MakeEachCommandTakeAPage() {
    Run("CREATE TABLE ballast (bytes BLOB)");
    Run("CREATE TRIGGER load AFTER UPDATE ON card BEGIN"
        " INSERT INTO ballast VALUES (zeroblob(3000)); END");
  }
  void FreePages() {
    Run("DROP TRIGGER load");
    Run("DELETE FROM ballast");
  }

 private:
  void Run(const std::string& sql) {
    EXPECT_EQ(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sql << ": " << sqlite3_errmsg(database_);
  }

  sqlite3* database_ = nullptr;
};

}  // namespace rpcbench

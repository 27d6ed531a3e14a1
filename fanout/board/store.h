// The board's counts in SQLite, in WAL mode with checkpoints on.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/board/board.h"
#include "fanout/board/command.h"

struct sqlite3;
struct sqlite3_stmt;

namespace rpcbench {

// FULL syncs the log at each commit, so that it outlives a loss of power; NORMAL only at
// checkpoints. Either outlives the end of the process.
enum class Synchronous { kFull, kNormal };

const char* ToString(Synchronous synchronous);  // "full", "normal"

struct StoreOptions {
  std::filesystem::path file;  // made if it is not there; its folder must be
  Synchronous synchronous = Synchronous::kFull;
  int cards = kCards;
  std::chrono::milliseconds busy_timeout{250};  // how long one commit waits for another's lock
  std::int64_t max_pages = 0;                   // past so many 4 KiB pages it is full; 0: no limit
};

// For checks: what the database says was ever applied.
struct StoreTotals {
  std::int64_t commands = 0;
  std::int64_t transactions = 0;
};

// A connection. One thread at a time.
class Store final {
 public:
  // Throws Error that names the file: it cannot be opened, is no database or a corrupt one, has
  // another number of cards, or cannot have a write-ahead log.
  explicit Store(const StoreOptions& options);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // All of them in one transaction, or, unless ok, none. Cards are in range. The store is of use
  // after a failure: what passes by, such as a lock or a full disk, is no reason to open it anew.
  Status Apply(std::span<const Command> commands);

  // As committed. Both throw Error if it cannot be read.
  std::vector<std::int64_t> Counts();
  StoreTotals Totals();
  // Every page and index: throws Error with the first finding.
  void CheckIntegrity();

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  struct Close {
    void operator()(sqlite3* database) const;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

  void Execute(const std::string& sql);
  void MakeTables();
  Statement Prepare(std::string_view sql);
  // The first column of the first row.
  std::string ReadText(std::string_view sql);
  // To the end, for statements without rows; whether that went well.
  bool Step(const Statement& statement);
  Status Fail(std::string_view doing, std::size_t commands);
  [[noreturn]] void Throw(std::string_view doing);

  const StoreOptions options_;
  std::unique_ptr<sqlite3, Close> database_;
  Statement begin_, add_, total_, commit_, rollback_;
};

// The counts that a fresh connection reads. Throws Error as Store does.
void Load(Store& store, Board& board);

}  // namespace rpcbench

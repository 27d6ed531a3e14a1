#include "fanout/board/store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include "echo/error.h"

namespace rpcbench {
namespace {

StatusCode CodeOf(int result) {
  switch (result & 0xff) {  // the low byte is the primary code of an extended one
    case SQLITE_FULL:
      return StatusCode::kDiskFull;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return StatusCode::kLocked;
    case SQLITE_READONLY:
      return StatusCode::kReadOnly;
    case SQLITE_IOERR:
      return StatusCode::kInputOutput;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return StatusCode::kCorrupt;
    default:
      return StatusCode::kFailed;
  }
}

}  // namespace

const char* ToString(Synchronous synchronous) {
  return synchronous == Synchronous::kFull ? "full" : "normal";
}

void Store::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void Store::Close::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

Store::Store(const StoreOptions& options) : options_(options) {
  sqlite3* opened = nullptr;
  const int result =
      sqlite3_open_v2(options.file.c_str(), &opened,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  database_.reset(opened);  // a failed open has a handle too, with the message
  if (result != SQLITE_OK) Throw("open it");
  sqlite3_extended_result_codes(opened, 1);
  sqlite3_busy_timeout(opened, static_cast<int>(options.busy_timeout.count()));
  Execute("PRAGMA journal_mode=WAL");
  const std::string mode = ReadText("PRAGMA journal_mode");
  if (mode != "wal") {
    throw Error(fmt::format("database {}: its journal mode stays \"{}\" instead of \"wal\"",
                            options_.file.string(), mode));
  }
  Execute(fmt::format("PRAGMA synchronous={}", ToString(options.synchronous)));
  Execute("PRAGMA wal_autocheckpoint=1000");  // pages; SQLite's own default, said for the record
  MakeTables();
  if (options.max_pages > 0) Execute(fmt::format("PRAGMA max_page_count={}", options.max_pages));
  begin_ = Prepare("BEGIN IMMEDIATE");
  add_ = Prepare("UPDATE card SET count = count + 1 WHERE id = ?1");
  total_ = Prepare("UPDATE total SET commands = commands + ?1, transactions = transactions + 1");
  commit_ = Prepare("COMMIT");
  rollback_ = Prepare("ROLLBACK");
}

Store::~Store() = default;

// Writes only where something is missing, so that a locked database can be opened and read.
void Store::MakeTables() {
  if (ReadText("SELECT count(*) FROM sqlite_master WHERE name IN ('card', 'total')") != "2") {
    // Of two that open it at once the second finds all made once it has the lock.
    Execute(
        "BEGIN IMMEDIATE;"
        "CREATE TABLE IF NOT EXISTS card (id INTEGER PRIMARY KEY, count INTEGER NOT NULL);"
        "CREATE TABLE IF NOT EXISTS total (id INTEGER PRIMARY KEY CHECK (id = 0),"
        " commands INTEGER NOT NULL, transactions INTEGER NOT NULL);"
        "INSERT OR IGNORE INTO total VALUES (0, 0, 0)");
    const Statement insert = Prepare("INSERT OR IGNORE INTO card VALUES (?1, 0)");
    for (int card = 0; card < options_.cards; ++card) {
      sqlite3_bind_int64(insert.get(), 1, card);
      if (!Step(insert)) Throw("make its cards");
    }
    Execute("COMMIT");
  }
  const std::string cards = ReadText("SELECT count(*) FROM card");
  if (cards != std::to_string(options_.cards)) {
    throw Error(fmt::format("database {}: it has {} cards, and this board {}",
                            options_.file.string(), cards, options_.cards));
  }
}

Status Store::Apply(std::span<const Command> commands) {
  if (!Step(begin_)) return Fail("begin", commands.size());
  for (const Command& command : commands) {
    sqlite3_bind_int64(add_.get(), 1, command.card);
    if (!Step(add_)) return Fail("apply", commands.size());
  }
  sqlite3_bind_int64(total_.get(), 1, static_cast<sqlite3_int64>(commands.size()));
  if (!Step(total_)) return Fail("apply", commands.size());
  if (!Step(commit_)) return Fail("commit", commands.size());
  return {};
}

std::vector<std::int64_t> Store::Counts() {
  const Statement select = Prepare("SELECT count FROM card ORDER BY id");
  std::vector<std::int64_t> counts;
  int result = SQLITE_ROW;
  while ((result = sqlite3_step(select.get())) == SQLITE_ROW) {
    counts.push_back(sqlite3_column_int64(select.get(), 0));
  }
  if (result != SQLITE_DONE) Throw("read its counts");
  return counts;
}

StoreTotals Store::Totals() {
  const Statement select = Prepare("SELECT commands, transactions FROM total");
  if (sqlite3_step(select.get()) != SQLITE_ROW) Throw("read its totals");
  return {sqlite3_column_int64(select.get(), 0), sqlite3_column_int64(select.get(), 1)};
}

void Store::CheckIntegrity() {
  const std::string finding = ReadText("PRAGMA integrity_check");
  if (finding != "ok") throw Error("database " + options_.file.string() + ": " + finding);
}

void Store::Execute(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    Throw("run \"" + sql + "\" on it");
  }
}

Store::Statement Store::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int result = sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (result != SQLITE_OK) Throw("prepare \"" + std::string(sql) + "\" on it");
  return Statement(statement);
}

std::string Store::ReadText(std::string_view sql) {
  const Statement select = Prepare(sql);
  if (sqlite3_step(select.get()) != SQLITE_ROW) Throw("run \"" + std::string(sql) + "\" on it");
  return reinterpret_cast<const char*>(sqlite3_column_text(select.get(), 0));
}

bool Store::Step(const Statement& statement) {
  const int result = sqlite3_step(statement.get());
  // A reset says again what the step said, so that the connection's message stays.
  sqlite3_reset(statement.get());
  return result == SQLITE_DONE;
}

Status Store::Fail(std::string_view doing, std::size_t commands) {
  const int result = sqlite3_extended_errcode(database_.get());
  Status status{CodeOf(result),
                fmt::format("cannot {} {} commands in {}: {} ({})", doing, commands,
                            options_.file.string(), sqlite3_errmsg(database_.get()), result)};
  // Some failures have ended the transaction already.
  if (sqlite3_get_autocommit(database_.get()) == 0) Step(rollback_);
  return status;
}

void Store::Throw(std::string_view doing) {
  throw Error(fmt::format("database {}: cannot {}: {}", options_.file.string(), doing,
                          database_ ? sqlite3_errmsg(database_.get()) : "out of memory"));
}

void Load(Store& store, Board& board) {
  const std::vector<std::int64_t> counts = store.Counts();
  for (std::size_t card = 0; card < counts.size(); ++card) {
    board.Set(static_cast<int>(card), counts[card]);
  }
}

}  // namespace rpcbench

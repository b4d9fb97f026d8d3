// Database, Statement, PageCopy: SQLite as Result<T>. The only door to sqlite3.h.
//
// One thread at a time: SQLite's own mutexes are off. A Database outlives its statements.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"

struct sqlite3;
struct sqlite3_stmt;
struct sqlite3_backup;

namespace weir::store {

// A prepared statement, used again and again. What is bound must outlive the step.
class Statement {
 public:
  // Binds from the first parameter on, in order.
  Statement& bind(std::int64_t number);
  Statement& bind(std::string_view text);
  Statement& bind(ByteSpan bytes);
  Statement& bind_null();

  // True: there is a row; false: done, and the statement is ready to be bound anew. After an error
  // it is ready, too.
  Result<bool> step();
  // Runs to the end; rows are an error of ours.
  Status run();
  void reset();

  // Of the row; texts and bytes live until the next step.
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t number(int column) const;
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] ByteSpan bytes(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}
  void note(int code);

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int next_ = 1;
  int bind_failure_ = 0;
};

class Database {
 public:
  // `vfs` empty: the default one. Errors: missing unless `create`; the system's.
  static Result<Database> open(const std::filesystem::path& path, bool create,
                               const std::string& vfs = {});

  Status execute(const std::string& sql);
  Result<Statement> prepare(std::string_view sql);
  // The one number of a query without parameters; none for NULL or no row.
  Result<std::optional<std::int64_t>> number(std::string_view sql);
  // The same for a text.
  Result<std::string> text(std::string_view sql);

  // Rows that the last INSERT, UPDATE or DELETE changed.
  [[nodiscard]] std::uint64_t changes() const;
  // Whether a transaction is open: SQLite ends it by itself on some errors.
  [[nodiscard]] bool in_transaction() const;
  // Pages in the write-ahead log that are not all in the database yet.
  [[nodiscard]] int log_pages() const;
  // Brings them there.
  Status checkpoint();

  // Closes and says whether all went well; the destructor closes, too.
  Status close();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  friend class PageCopy;
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  Database(std::filesystem::path path, sqlite3* handle);
  [[nodiscard]] std::unexpected<Error> error(int code) const;

  std::filesystem::path path_;
  std::unique_ptr<int> log_pages_;  // where SQLite's hook can find it
  std::unique_ptr<sqlite3, Close> handle_;
};

// Copies a database page by page. What `from` commits between the steps is in the copy.
class PageCopy {
 public:
  static Result<PageCopy> begin(Database& from, Database& to);
  // True when all pages are copied.
  Result<bool> step(int pages);

 private:
  struct Finish {
    void operator()(sqlite3_backup* copy) const;
  };
  PageCopy(Database& to, sqlite3_backup* copy) : to_(&to), copy_(copy) {}

  Database* to_;
  std::unique_ptr<sqlite3_backup, Finish> copy_;
};

}  // namespace weir::store

#include "store/database.hpp"

#include <cerrno>

#include <fmt/format.h>
#include <sqlite3.h>

#include "base/assert.hpp"

namespace weir::store {
namespace {

// SQLite knows a full disk from ENOSPC alone; a user's quota is the same to us.
Errc errc_of(int code, int system) {
  if (code == SQLITE_IOERR_WRITE && system == EDQUOT) return Errc::kDiskFull;
  switch (code & 0xFF) {
    case SQLITE_FULL: return Errc::kDiskFull;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return Errc::kCorrupt;
    case SQLITE_TOOBIG: return Errc::kLimit;
    default: return Errc::kIo;
  }
}

std::unexpected<Error> error_of(sqlite3* handle, std::string_view path, int code) {
  const char* const detail = sqlite3_errmsg(handle);
  // The detail is of the last call; the code's own words are there where it says the same or less.
  std::string message = fmt::format("{}: {}", path, sqlite3_errstr(code));
  if (sqlite3_extended_errcode(handle) == code && detail != nullptr &&
      std::string_view(detail) != sqlite3_errstr(code))
    message += fmt::format(" ({})", detail);
  const int system = sqlite3_system_errno(handle);
  if ((code & 0xFF) != code) message += fmt::format(" [SQLite {}, errno {}]", code, system);
  return std::unexpected(Error{errc_of(code, system), std::move(message)});
}

int keep_log_pages(void* pages, sqlite3* /*handle*/, const char* /*schema*/, int count) {
  *static_cast<int*>(pages) = count;
  return SQLITE_OK;
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::note(int code) {
  ++next_;
  if (code != SQLITE_OK && bind_failure_ == SQLITE_OK) bind_failure_ = code;
}

Statement& Statement::bind(std::int64_t number) {
  note(sqlite3_bind_int64(statement_.get(), next_, number));
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  // A null pointer would bind NULL; an empty text is a text.
  note(sqlite3_bind_text64(statement_.get(), next_, text.empty() ? "" : text.data(), text.size(),
                           SQLITE_STATIC, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(ByteSpan bytes) {
  note(bytes.empty() ? sqlite3_bind_zeroblob(statement_.get(), next_, 0)
                     : sqlite3_bind_blob64(statement_.get(), next_, bytes.data(), bytes.size(),
                                           SQLITE_STATIC));
  return *this;
}

Statement& Statement::bind_null() {
  note(sqlite3_bind_null(statement_.get(), next_));
  return *this;
}

Result<bool> Statement::step() {
  sqlite3* const handle = sqlite3_db_handle(statement_.get());
  int code = bind_failure_;
  if (code == SQLITE_OK) code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    reset();
    return false;
  }
  auto failure = error_of(handle, sqlite3_db_filename(handle, "main"), code);
  reset();
  return failure;
}

Status Statement::run() {
  const bool row = WEIR_TRY(step());
  WEIR_ASSERT(!row);
  return {};
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  next_ = 1;
  bind_failure_ = SQLITE_OK;
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string_view Statement::text(int column) const {
  const unsigned char* const text = sqlite3_column_text(statement_.get(), column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

ByteSpan Statement::bytes(int column) const {
  const void* const bytes = sqlite3_column_blob(statement_.get(), column);
  if (bytes == nullptr) return {};
  return {static_cast<const std::uint8_t*>(bytes),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

Database::Database(std::filesystem::path path, sqlite3* handle)
    : path_(std::move(path)), log_pages_(std::make_unique<int>(0)), handle_(handle) {}

Result<Database> Database::open(const std::filesystem::path& path, bool create,
                                const std::string& vfs) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (create ? SQLITE_OPEN_CREATE : 0);
  const int code =
      sqlite3_open_v2(path.c_str(), &handle, flags, vfs.empty() ? nullptr : vfs.c_str());
  Database database(path, handle);
  if (code != SQLITE_OK) return error_of(handle, path.string(), code);
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_wal_hook(handle, keep_log_pages, database.log_pages_.get());
  return database;
}

std::unexpected<Error> Database::error(int code) const {
  return error_of(handle_.get(), path_.string(), code);
}

Status Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return error(code);
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return error(code);
  return Statement(statement);
}

Result<std::optional<std::int64_t>> Database::number(std::string_view sql) {
  Statement query = WEIR_TRY(prepare(sql));
  const bool row = WEIR_TRY(query.step());
  if (!row || query.is_null(0)) return std::nullopt;
  return query.number(0);
}

Result<std::string> Database::text(std::string_view sql) {
  Statement query = WEIR_TRY(prepare(sql));
  const bool row = WEIR_TRY(query.step());
  return row ? std::string(query.text(0)) : std::string();
}

std::uint64_t Database::changes() const {
  return static_cast<std::uint64_t>(sqlite3_changes64(handle_.get()));
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }

int Database::log_pages() const { return *log_pages_; }

Status Database::checkpoint() {
  const int code =
      sqlite3_wal_checkpoint_v2(handle_.get(), "main", SQLITE_CHECKPOINT_RESTART, nullptr, nullptr);
  if (code != SQLITE_OK) return error(code);
  *log_pages_ = 0;
  return {};
}

Status Database::close() {
  sqlite3* const handle = handle_.release();
  const int code = sqlite3_close(handle);
  if (code == SQLITE_OK) return {};
  auto failure = error_of(handle, path_.string(), code);
  sqlite3_close_v2(handle);
  return failure;
}

void PageCopy::Finish::operator()(sqlite3_backup* copy) const { sqlite3_backup_finish(copy); }

Result<PageCopy> PageCopy::begin(Database& from, Database& to) {
  sqlite3_backup* const copy =
      sqlite3_backup_init(to.handle_.get(), "main", from.handle_.get(), "main");
  if (copy == nullptr) return to.error(sqlite3_extended_errcode(to.handle_.get()));
  return PageCopy(to, copy);
}

Result<bool> PageCopy::step(int pages) {
  const int code = sqlite3_backup_step(copy_.get(), pages);
  if (code == SQLITE_DONE) return true;
  if (code == SQLITE_OK) return false;
  return to_->error(code);
}

}  // namespace weir::store

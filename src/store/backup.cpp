#include "store/backup.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "os/descriptor.hpp"
#include "os/errors.hpp"
#include "store/open.hpp"
#include "store/recovery.hpp"
#include "store/schema.hpp"
#include "store/state_directory.hpp"

namespace weir::store {
namespace {

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

// A restore that failed may have left its lock behind.
Status check_empty(const std::filesystem::path& directory) {
  std::error_code failure;
  if (!std::filesystem::exists(directory, failure)) return {};
  for (const auto& entry : std::filesystem::directory_iterator(directory, failure))
    if (entry.path().filename() != "lock")
      return bad_input(
          fmt::format("{}: the directory is not empty (it holds {}): restore into a new one",
                      directory.string(), entry.path().filename().string()));
  if (failure) return os::system_error(directory, "cannot be read", failure.value());
  return {};
}

// Everything that makes it fit to start from, on the copy.
Status check_content(const std::filesystem::path& copy, const std::filesystem::path& backup) {
  {
    Database raw = WEIR_TRY(Database::open(copy, /*create=*/false));
    WEIR_TRY(check_format(raw));
  }
  Database database = WEIR_TRY(open_database(copy, {}));
  const std::string verdict = WEIR_TRY(database.text("PRAGMA integrity_check(1)"));
  if (verdict != "ok")
    return corrupt(fmt::format("{}: this backup is damaged: {}", backup.string(), verdict));
  const Recovered found = WEIR_TRY(read_back(database));
  if (!found.damages.empty())
    return corrupt(
        fmt::format("{}: this backup is damaged: {}", backup.string(), found.damages.front().what));
  return database.close();
}

Status copy_and_check(const std::filesystem::path& backup, const std::filesystem::path& copy) {
  WEIR_TRY(remove_database(copy));
  std::error_code failure;
  std::filesystem::copy_file(backup, copy, failure);
  if (failure) return os::system_error(backup, "cannot be copied", failure.value());
  std::filesystem::permissions(
      copy, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, failure);
  if (failure) return os::system_error(copy, "cannot be made private", failure.value());
  WEIR_TRY(check_content(copy, backup));
  return sync_file(copy);
}

}  // namespace

BackupFile::BackupFile(std::filesystem::path path, std::filesystem::path part, Database database)
    : path_(std::move(path)),
      part_(std::move(part)),
      database_(std::make_unique<Database>(std::move(database))) {}

Result<BackupFile> BackupFile::create(const std::filesystem::path& path) {
  if (std::filesystem::exists(std::filesystem::symlink_status(path)))
    return bad_input(fmt::format("{}: the file exists already: name a new one", path.string()));
  std::filesystem::path part = path.string() + ".part";
  WEIR_TRY(remove_database(part));
  {
    const os::Descriptor file(::open(part.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file.is_open()) return os::system_error(part, "cannot be created", errno);
  }
  Database database = WEIR_TRY(Database::open(part, /*create=*/false));
  // Half a copy is worth nothing: what is there is made durable once, at the end.
  WEIR_TRY(database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF"));
  return BackupFile(path, std::move(part), std::move(database));
}

BackupFile::~BackupFile() {
  copy_.reset();
  database_.reset();
  if (part_.empty()) return;
  [[maybe_unused]] const Status left = remove_database(part_);
}

Status BackupFile::begin(Database& from) {
  copy_ = WEIR_TRY(PageCopy::begin(from, *database_));
  return {};
}

Result<bool> BackupFile::step(int pages) { return copy_->step(pages); }

Status BackupFile::keep() {
  WEIR_TRY(database_->close());
  WEIR_TRY(sync_file(part_));
  // Unlike rename(2), link(2) never replaces a file that came up meanwhile.
  if (::link(part_.c_str(), path_.c_str()) != 0)
    return os::system_error(path_, "cannot be created", errno);
  ::unlink(std::exchange(part_, {}).c_str());
  return sync_directory(folder_of(path_));
}

Status restore(const std::filesystem::path& backup, const std::filesystem::path& directory) {
  WEIR_TRY(check_empty(directory));
  const StateDirectory state = WEIR_TRY(StateDirectory::open(directory));
  const std::filesystem::path copy = state.database().string() + ".new";
  Status done = copy_and_check(backup, copy);
  if (done && std::rename(copy.c_str(), state.database().c_str()) != 0)
    done = os::system_error(state.database(), "cannot be created", errno);
  if (!done) {
    [[maybe_unused]] const Status left = remove_database(copy);
    return done;
  }
  return sync_directory(state.path());
}

}  // namespace weir::store

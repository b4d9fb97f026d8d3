#include "store/test_vfs.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <new>

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include "base/assert.hpp"

namespace weir::store::testing {
namespace {

constexpr std::size_t kSector = 512;

// The real file, for one action.
class RealFile {
 public:
  explicit RealFile(const std::string& path)
      : fd_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    WEIR_ASSERT(fd_ >= 0);
  }
  ~RealFile() { ::close(fd_); }
  RealFile(const RealFile&) = delete;
  RealFile& operator=(const RealFile&) = delete;

  void write(std::uint64_t at, const std::uint8_t* bytes, std::size_t count) const {
    WEIR_ASSERT(::pwrite(fd_, bytes, count, static_cast<off_t>(at)) == static_cast<ssize_t>(count));
  }
  void truncate(std::uint64_t size) const {
    WEIR_ASSERT(::ftruncate(fd_, static_cast<off_t>(size)) == 0);
  }
  [[nodiscard]] std::vector<std::uint8_t> read() const {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(::lseek(fd_, 0, SEEK_END)));
    WEIR_ASSERT(::pread(fd_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
    return bytes;
  }

 private:
  int fd_;
};

}  // namespace

// What SQLite calls; lives in memory that SQLite gives.
struct OpenFile {
  sqlite3_file base;  // first, since SQLite knows only that
  TestVfs* vfs;
  std::shared_ptr<void> file;
  std::uint64_t generation;
};

struct VfsCalls {
  using File = TestVfs::File;

  static TestVfs& vfs_of(sqlite3_vfs* vfs) { return *static_cast<TestVfs*>(vfs->pAppData); }
  static OpenFile& of(sqlite3_file* file) { return *reinterpret_cast<OpenFile*>(file); }
  static File& content(sqlite3_file* file) { return *static_cast<File*>(of(file).file.get()); }

  // Runs a change unless the file is of a machine that has crashed.
  template <typename Change>
  static int change(sqlite3_file* file, Change action) {
    TestVfs& vfs = *of(file).vfs;
    const std::lock_guard guard(vfs.mutex_);
    if (of(file).generation != vfs.generation_ || !vfs.next_call()) return SQLITE_IOERR;
    return action(vfs, content(file));
  }

  static int open(sqlite3_vfs* handle, const char* name, sqlite3_file* file, int flags, int* out);
  static int remove(sqlite3_vfs* handle, const char* name, int /*sync*/) {
    TestVfs& vfs = vfs_of(handle);
    const std::lock_guard guard(vfs.mutex_);
    if (!vfs.next_call()) return SQLITE_IOERR_DELETE;
    vfs.files_.erase(name);
    return ::unlink(name) == 0 ? SQLITE_OK : SQLITE_IOERR_DELETE_NOENT;
  }
  static int close(sqlite3_file* file) {
    TestVfs& vfs = *of(file).vfs;
    const std::lock_guard guard(vfs.mutex_);
    of(file).~OpenFile();
    return SQLITE_OK;
  }
  static int read(sqlite3_file* file, void* out, int count, sqlite3_int64 at) {
    TestVfs& vfs = *of(file).vfs;
    const std::lock_guard guard(vfs.mutex_);
    if (of(file).generation != vfs.generation_ || vfs.crashed_) return SQLITE_IOERR_READ;
    const std::vector<std::uint8_t>& bytes = content(file).bytes;
    const auto wanted = static_cast<std::size_t>(count);
    const std::size_t begin = std::min(static_cast<std::size_t>(at), bytes.size());
    const std::size_t there = std::min(wanted, bytes.size() - begin);
    std::memset(out, 0, wanted);
    if (there > 0) std::memcpy(out, bytes.data() + begin, there);
    return there == wanted ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
  }
  static int write(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 at) {
    return change(file, [&](TestVfs& vfs, File& content) {
      return vfs.write(content, static_cast<std::uint64_t>(at),
                       static_cast<const std::uint8_t*>(bytes), static_cast<std::size_t>(count));
    });
  }
  static int truncate(sqlite3_file* file, sqlite3_int64 size) {
    return change(file, [&](TestVfs& vfs, File& content) {
      return vfs.truncate(content, static_cast<std::uint64_t>(size));
    });
  }
  static int sync(sqlite3_file* file, int /*flags*/) {
    std::function<void()> hook;
    {
      const std::lock_guard guard(of(file).vfs->mutex_);
      hook = of(file).vfs->on_sync_;
    }
    if (hook) hook();
    return change(file, [](TestVfs& vfs, File& content) { return vfs.sync(content); });
  }
  static int size(sqlite3_file* file, sqlite3_int64* size) {
    const std::lock_guard guard(of(file).vfs->mutex_);
    *size = static_cast<sqlite3_int64>(content(file).bytes.size());
    return SQLITE_OK;
  }
  // One process, one connection: nobody to lock out.
  static int lock(sqlite3_file* /*file*/, int /*level*/) { return SQLITE_OK; }
  static int check_lock(sqlite3_file* /*file*/, int* out) {
    *out = 0;
    return SQLITE_OK;
  }
  static int control(sqlite3_file* /*file*/, int /*operation*/, void* /*argument*/) {
    return SQLITE_NOTFOUND;
  }
  static int sector_size(sqlite3_file* /*file*/) { return 4096; }
  // As the layer for Unix promises: a write leaves the bytes beside it alone.
  static int characteristics(sqlite3_file* /*file*/) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }
};

int VfsCalls::open(sqlite3_vfs* handle, const char* name, sqlite3_file* file, int flags, int* out) {
  static constexpr sqlite3_io_methods kMethods = {
      1,       close,      read,    write,       truncate,        sync,    size,    lock,
      lock,    check_lock, control, sector_size, characteristics, nullptr, nullptr, nullptr,
      nullptr, nullptr,    nullptr};
  TestVfs& vfs = vfs_of(handle);
  const std::lock_guard guard(vfs.mutex_);
  file->pMethods = nullptr;
  if (name == nullptr || !vfs.next_call()) return SQLITE_IOERR;
  if ((flags & SQLITE_OPEN_CREATE) == 0 && ::access(name, F_OK) != 0) return SQLITE_CANTOPEN;
  ::new (file) OpenFile{{&kMethods}, &vfs, vfs.open(name), vfs.generation_};
  if (out != nullptr) *out = flags;
  return SQLITE_OK;
}

TestVfs::TestVfs()
    : name_(fmt::format("weir-test-{}", static_cast<const void*>(this))),
      vfs_(std::make_unique<sqlite3_vfs>(*sqlite3_vfs_find(nullptr))) {
  vfs_->iVersion = 1;
  vfs_->szOsFile = sizeof(OpenFile);
  vfs_->pNext = nullptr;
  vfs_->zName = name_.c_str();
  vfs_->pAppData = this;
  vfs_->xOpen = VfsCalls::open;
  vfs_->xDelete = VfsCalls::remove;
  WEIR_ASSERT(sqlite3_vfs_register(vfs_.get(), 0) == SQLITE_OK);
}

TestVfs::~TestVfs() { sqlite3_vfs_unregister(vfs_.get()); }

std::uint64_t TestVfs::calls() const {
  const std::lock_guard guard(mutex_);
  return calls_;
}

bool TestVfs::crashed() const {
  const std::lock_guard guard(mutex_);
  return crashed_;
}

void TestVfs::crash_at(std::uint64_t call, Crash crash, std::uint64_t seed) {
  const std::lock_guard guard(mutex_);
  crash_call_ = calls_ + call;
  crash_kind_ = crash;
  crash_seed_ = seed;
}

void TestVfs::crash_now(Crash kind, std::uint64_t seed) {
  const std::lock_guard guard(mutex_);
  if (!crashed_) crash(kind, seed);
}

void TestVfs::restart() {
  const std::lock_guard guard(mutex_);
  files_.clear();
  ++generation_;
  crashed_ = false;
  crash_call_ = 0;
}

void TestVfs::set_disk_bytes(std::optional<std::uint64_t> bytes) {
  const std::lock_guard guard(mutex_);
  disk_bytes_ = bytes;
}

void TestVfs::fail_sync_at(std::uint64_t sync) {
  const std::lock_guard guard(mutex_);
  failing_sync_ = sync;
}

void TestVfs::set_on_sync(std::function<void()> hook) {
  const std::lock_guard guard(mutex_);
  on_sync_ = std::move(hook);
}

bool TestVfs::next_call() {
  if (crashed_) return false;
  if (++calls_ != crash_call_) return true;
  crash(crash_kind_, crash_seed_);
  return false;
}

void TestVfs::crash(Crash kind, std::uint64_t seed) {
  if (kind == Crash::kProcess) ::raise(SIGKILL);
  Rng rng(seed);
  if (kind == Crash::kTear)
    for (const auto& [path, file] : files_) tear(*file, rng);
  crashed_ = true;
}

// Lets some of what was not synced reach the disk.
void TestVfs::tear(File& file, Rng& rng) {
  const RealFile real(file.path);
  for (const Write& write : file.unsynced) {
    if (write.bytes.empty()) {
      if (rng.below(2) == 0) real.truncate(write.at);
      continue;
    }
    for (std::size_t i = 0; i < write.bytes.size(); i += kSector)
      if (rng.below(2) == 0)
        real.write(write.at + i, write.bytes.data() + i, std::min(kSector, write.bytes.size() - i));
  }
}

void TestVfs::settle(File& file) {
  const RealFile real(file.path);
  for (const Write& write : file.unsynced) {
    if (write.bytes.empty())
      real.truncate(write.at);
    else
      real.write(write.at, write.bytes.data(), write.bytes.size());
  }
  file.unsynced.clear();
}

std::shared_ptr<TestVfs::File> TestVfs::open(const std::string& path) {
  std::shared_ptr<File>& file = files_[path];
  // Somebody else may have replaced a file that was closed with nothing unsynced.
  if (file == nullptr || (file.use_count() == 1 && file->unsynced.empty()))
    file = std::make_shared<File>(File{path, RealFile(path).read(), {}});
  return file;
}

int TestVfs::write(File& file, std::uint64_t at, const std::uint8_t* bytes, std::size_t count) {
  const std::size_t end = static_cast<std::size_t>(at) + count;
  if (end > file.bytes.size()) {
    std::uint64_t all = end - file.bytes.size();
    for (const auto& [path, other] : files_) all += other->bytes.size();
    if (disk_bytes_ && all > *disk_bytes_) return SQLITE_FULL;
    file.bytes.resize(end);
  }
  std::copy_n(bytes, count, file.bytes.begin() + static_cast<std::ptrdiff_t>(at));
  file.unsynced.push_back({at, {bytes, bytes + count}});
  return SQLITE_OK;
}

int TestVfs::truncate(File& file, std::uint64_t size) {
  file.bytes.resize(static_cast<std::size_t>(size));
  file.unsynced.push_back({size, {}});
  return SQLITE_OK;
}

int TestVfs::sync(File& file) {
  if (failing_sync_ > 0 && --failing_sync_ == 0) {
    file.unsynced.clear();
    return SQLITE_IOERR_FSYNC;
  }
  settle(file);
  return SQLITE_OK;
}

}  // namespace weir::store::testing

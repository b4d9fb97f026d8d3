// For tests of the store: a file layer for SQLite that loses, at a crash, exactly what was not
// synced. (A killed process alone loses nothing: the kernel keeps its page cache.)
//
// What SQLite writes stays in memory until it syncs that file; reads see it, the real file does
// not. A crash drops the rest, or lets a seeded part of its sectors survive, in any order, as a
// disk does. Making and deleting files are durable at once: of those the store takes care itself.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.hpp"

struct sqlite3_vfs;

namespace weir::store::testing {

class TestVfs {
 public:
  enum class Crash : std::uint8_t {
    kDrop,     // nothing unsynced survives
    kTear,     // each unsynced sector of 512 bytes survives or not
    kProcess,  // this process gets SIGKILL: a child of the test
  };

  // Registers itself with SQLite. REQUIRES: outlives every database that is open on it.
  TestVfs();
  ~TestVfs();
  TestVfs(const TestVfs&) = delete;
  TestVfs& operator=(const TestVfs&) = delete;

  // For OpenOptions::vfs.
  [[nodiscard]] const std::string& name() const { return name_; }

  // Calls that change a file: writes, truncations, syncs, openings, deletions.
  [[nodiscard]] std::uint64_t calls() const;
  [[nodiscard]] bool crashed() const;

  // The crash comes instead of the `call`th call from now on (1 is the next). After it every call
  // fails until restart().
  void crash_at(std::uint64_t call, Crash crash, std::uint64_t seed = 0);
  void crash_now(Crash crash, std::uint64_t seed = 0);
  // The machine is on again: files are what the disk has. Those still open stay dead.
  void restart();

  // All files together may have so many bytes; writing beyond is refused as on a full disk.
  void set_disk_bytes(std::optional<std::uint64_t> bytes);
  // The `sync`th sync from now on fails, and what it was to write is lost.
  void fail_sync_at(std::uint64_t sync);
  // Runs in every sync, before it, with no lock held.
  void set_on_sync(std::function<void()> hook);

 private:
  friend struct VfsCalls;

  struct Write {
    std::uint64_t at;
    std::vector<std::uint8_t> bytes;  // empty: a truncation to `at`
  };
  struct File {
    std::string path;
    std::vector<std::uint8_t> bytes;  // as the process sees it
    std::vector<Write> unsynced;
  };

  // All REQUIRE that the mutex is held.
  bool next_call();  // false: this is where it crashes, or it has crashed
  void crash(Crash crash, std::uint64_t seed);
  static void settle(File& file);
  static void tear(File& file, Rng& rng);
  std::shared_ptr<File> open(const std::string& path);
  int write(File& file, std::uint64_t at, const std::uint8_t* bytes, std::size_t count);
  int truncate(File& file, std::uint64_t size);
  int sync(File& file);

  std::string name_;
  std::unique_ptr<sqlite3_vfs> vfs_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<File>> files_;
  std::uint64_t calls_ = 0;
  std::uint64_t generation_ = 0;  // of restarts
  std::uint64_t crash_call_ = 0;  // 0: never
  Crash crash_kind_ = Crash::kDrop;
  std::uint64_t crash_seed_ = 0;
  bool crashed_ = false;
  std::optional<std::uint64_t> disk_bytes_;
  std::uint64_t failing_sync_ = 0;  // counts down; 0: none
  std::function<void()> on_sync_;
};

}  // namespace weir::store::testing

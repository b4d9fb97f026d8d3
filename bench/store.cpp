// Durable turns: SqliteStore beside raw appends with fdatasync, on the same disk, turn about, so
// that both meet the same neighbours.
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include "benches.hpp"
#include "os/descriptor.hpp"
#include "os/errors.hpp"
#include "store/sqlite_store.hpp"
#include "timings.hpp"

namespace weir::bench {
namespace {

// A submission's event in the journal.
constexpr std::size_t kSubmissionBytes = 200;
constexpr std::size_t kTurnsAtOnce = 25;

struct Load {
  std::size_t submissions;  // of one turn
  std::size_t turns;
  bool bar;
};

class Folder {
 public:
  Folder() : path_((std::filesystem::temp_directory_path() / "weir-bench-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Wall time: a turn that waited for the disk has given its core away, so Timings would drop it.
class WallTimes {
 public:
  template <typename Work>
  auto time(Work work) {
    const auto begin = Clock::now();
    auto result = work();
    times_.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    sum_ += times_.back();
    return result;
  }
  [[nodiscard]] double per_second() const { return static_cast<double>(times_.size()) / sum_; }
  [[nodiscard]] double percentile_ms(std::size_t percent) const {
    std::vector<double> sorted = times_;
    std::ranges::sort(sorted);
    return sorted[(sorted.size() * percent + 99) / 100 - 1] * 1e3;
  }

 private:
  std::vector<double> times_;
  double sum_ = 0;
};

Status append(int fd, const std::string& path, const std::vector<std::uint8_t>& bytes) {
  if (::write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()) ||
      ::fdatasync(fd) != 0)
    return os::system_error(path, "cannot be written", errno);
  return {};
}

Status bench_load(const Load& load, BenchReport& report) {
  const Folder folder;
  const std::string raw_path = folder.path() + "/raw";
  const os::Descriptor raw(::open(raw_path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600));
  if (!raw.is_open()) return os::system_error(raw_path, "cannot be created", errno);
  const auto store = WEIR_TRY(store::SqliteStore::open(folder.path() + "/state"));
  WEIR_TRY(store->recover());
  store::TurnWrite turn{
      0, std::vector<std::uint8_t>(load.submissions * kSubmissionBytes, 0x5A), {}};
  WallTimes commits;
  WallTimes appends;
  while (turn.number < load.turns) {
    for (std::size_t i = 0; i < kTurnsAtOnce; ++i)
      WEIR_TRY(appends.time([&] { return append(raw.get(), raw_path, turn.frame); }));
    for (std::size_t i = 0; i < kTurnsAtOnce; ++i, ++turn.number)
      WEIR_TRY(commits.time([&] { return store->commit(turn); }));
  }
  const double each = static_cast<double>(load.submissions);
  const double ratio = commits.percentile_ms(99) / appends.percentile_ms(99);
  report.row(fmt::format("{} a turn", load.submissions),
             {commits.per_second() * each, commits.per_second(), commits.percentile_ms(50),
              commits.percentile_ms(99), appends.per_second(), appends.percentile_ms(50),
              appends.percentile_ms(99), ratio});
  if (!load.bar) return {};
  report.bar({"durable submissions, 256 a turn", "1/s", commits.per_second() * each, 20'000, true});
  report.bar({"p99 of a durable turn of 256 over raw fdatasync's", "times", ratio, 3, false});
  return {};
}

}  // namespace

Status bench_store(const BenchOptions& /*options*/, BenchReport& report) {
  report.table(
      "Durable turns beside raw fdatasync on the same disk", "submissions",
      {"subm./s", "turns/s", "p50 ms", "p99 ms", "raw/s", "raw p50 ms", "raw p99 ms", "p99 ratio"});
  for (const Load& load : {Load{1, 2'000, false}, Load{16, 2'000, false}, Load{256, 2'000, true},
                           Load{1'000, 1'000, false}})
    WEIR_TRY(bench_load(load, report));
  return {};
}

}  // namespace weir::bench

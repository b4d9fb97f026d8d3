// MemoryStore: a store that lives as long as the process, for the simulator and for tests. Behaves
// like SqliteStore as far as a caller can see, damaged bytes and backups aside.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "store/store.hpp"

namespace weir::store {

class MemoryStore final : public Store {
 public:
  Result<Recovered> recover() override;
  Status commit(const TurnWrite& turn) override;
  Status tidy() override { return {}; }
  Status save_snapshot(std::uint64_t turn, ByteSpan bytes) override;
  Result<std::vector<FinishedJob>> history(const HistoryFilter& filter) override;
  Result<std::uint64_t> prune_history(Instant older_than, std::size_t most) override;
  Status backup(const std::filesystem::path& path) override;

  // Lets commits fail with `error` until it is taken back (none): a full disk, a broken one.
  void fail_with(std::optional<Error> error);

 private:
  std::mutex mutex_;
  std::optional<std::vector<std::uint8_t>> header_;
  std::vector<Snapshot> snapshots_;  // the two newest, older first
  std::vector<Frame> frames_;
  std::map<JobId, FinishedJob> finished_;
  std::uint64_t last_ = 0;
  std::optional<Error> injected_;
  std::optional<Error> failed_;
};

}  // namespace weir::store

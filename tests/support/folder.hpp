// TestFolder: a folder of its own for one test, removed with all it holds at the end.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

namespace weir::testing {

// For thousands of files that no test wants on a disk.
inline std::filesystem::path folder_in_memory() {
  const char* const memory = "/dev/shm";
  if (::access(memory, W_OK) == 0) return memory;
  return std::filesystem::temp_directory_path();
}

class TestFolder {
 public:
  explicit TestFolder(const std::filesystem::path& where = std::filesystem::temp_directory_path()) {
    std::string name = (where / "weir-test-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  [[nodiscard]] std::filesystem::path write(const std::string& name,
                                            const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace weir::testing

// What docs/reference shows must be true: each TOML block of job-file.md is a job file, each of
// api.md a file of job requests.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "formats/job_file.hpp"
#include "formats/job_request.hpp"
#include "os/files.hpp"

namespace weir {
namespace {

std::vector<std::string> toml_blocks(std::string_view document) {
  std::vector<std::string> blocks;
  bool inside = false;
  for (const std::string_view line : split(document, '\n')) {
    if (line.starts_with("```")) {
      inside = line == "```toml";
      if (inside) blocks.emplace_back();
    } else if (inside) {
      (blocks.back() += line) += '\n';
    }
  }
  return blocks;
}

TEST(JobFileReference, EveryExampleParses) {
  const auto document = os::read_text(
      std::filesystem::path(WEIR_SOURCE_TREE) / "docs/reference/job-file.md", 1 << 20);
  ASSERT_TRUE(document) << document.error().message;
  const auto blocks = toml_blocks(*document);
  EXPECT_GE(blocks.size(), 2U);
  for (const std::string& block : blocks) {
    const auto jobs = parse_job_file(block, "example");
    EXPECT_TRUE(jobs) << jobs.error().message << "\n" << block;
  }
}

TEST(ApiReference, EveryExampleParses) {
  const auto document =
      os::read_text(std::filesystem::path(WEIR_SOURCE_TREE) / "docs/reference/api.md", 1 << 20);
  ASSERT_TRUE(document) << document.error().message;
  const auto blocks = toml_blocks(*document);
  EXPECT_GE(blocks.size(), 1U);
  for (const std::string& block : blocks) {
    const auto jobs = parse_job_requests_toml(block, "example");
    EXPECT_TRUE(jobs) << jobs.error().message << "\n" << block;
  }
}

}  // namespace
}  // namespace weir

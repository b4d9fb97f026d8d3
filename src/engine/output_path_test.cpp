#include "engine/output_path.hpp"

#include <gtest/gtest.h>

namespace weir::engine {
namespace {

std::string path(std::string_view pattern, std::string_view directory = "/data/run") {
  return output_path(pattern, directory, {{JobId(12), 3}, 7, "n4", "ada"});
}

TEST(OutputPath, PutsTheNamesIn) {
  EXPECT_EQ(path("%j-%a/%t.%n.%u"), "/data/run/12-3/7.n4.ada");
  EXPECT_EQ(path("/scratch/%u/%j"), "/scratch/ada/12");
  EXPECT_EQ(path("50%%j"), "/data/run/50%j");
  EXPECT_EQ(path("%x%"), "/data/run/%x%") << "what is no name stays";
  EXPECT_EQ(path("out", "/"), "/out");
  EXPECT_EQ(path(""), "") << "the node keeps it";
}

}  // namespace
}  // namespace weir::engine

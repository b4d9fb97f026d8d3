// random_tree SEED FAULT: prints a random fabric as ibnetdiscover text; with a third word, `roots`,
// the GUIDs of its top switches instead.
#include <cstdio>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/ibnetdiscover_writer.hpp"
#include "peers/random_tree.hpp"

int main(int argc, char** argv) {
  const auto seed = argc > 2 ? weir::parse_unsigned(argv[1]) : std::nullopt;
  const auto fault = argc > 2 ? weir::testing::tree_fault_called(argv[2]) : std::nullopt;
  if (!seed || !fault) {
    fmt::print(stderr, "usage: random_tree SEED none|empty|cut|sideways [roots]\n");
    return 2;
  }
  const weir::testing::RandomTree tree = weir::testing::random_tree(*seed, *fault);
  if (argc > 3 && std::string_view(argv[3]) == "roots") {
    for (const weir::Guid guid : tree.roots) fmt::print("{}\n", weir::fabric::to_text(guid));
    return 0;
  }
  fmt::print("{}", weir::write_ibnetdiscover(tree.graph));
  return 0;
}

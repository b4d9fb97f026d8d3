// FabricFileReader: a file about a fabric in any of the formats read here, told by what stands in
// it, never by its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>

#include "base/result.hpp"
#include "fabric/forwarding.hpp"
#include "fabric/graph.hpp"
#include "fabric/named_topology.hpp"

namespace weir {

enum class FabricFormat : std::uint8_t {
  kIbnetdiscover,   // ibnetdiscover, also -g, also ibsim's input
  kPortList,        // ibnetdiscover -p
  kSubnetList,      // opensm-subnet.lst
  kForwardingDump,  // opensm-lfts.dump, opensm.fdbs
  kTopologyConf,    // Slurm
  kTopograph,       // topograph's YAML
  kBlockList,       // nodes and their NVLink block
};

// Cables, names, or forwarding tables.
using FabricContent =
    std::variant<fabric::Snapshot, fabric::NamedTopology, fabric::ForwardingTables>;

// The format that a line shows; nothing where it may stand in several or in none.
std::optional<FabricFormat> format_shown_by(std::string_view line);

class FabricFileReader {
 public:
  // `otherwise`: how to read a file whose first line shows no format, such as a plain list.
  explicit FabricFileReader(std::optional<FabricFormat> otherwise = std::nullopt);
  ~FabricFileReader();
  FabricFileReader(const FabricFileReader&) = delete;
  FabricFileReader& operator=(const FabricFileReader&) = delete;

  // Takes the next line, without its '\n'; `number` counts from 1. After an error the reader is
  // done with. Errors: those of the format's reader; a text that is no UTF-8 or ASCII, or ends its
  // lines with CR LF; a first line that shows no format.
  Status line(std::string_view text, std::size_t number);

  // What was read, once. Errors begin with "LINE: " where a line is to blame.
  Result<FabricContent> finish();

  // None before the first line that is no comment.
  [[nodiscard]] std::optional<FabricFormat> format() const { return format_; }

 private:
  struct AnyReader;

  std::optional<FabricFormat> otherwise_;
  std::optional<FabricFormat> format_;
  std::unique_ptr<AnyReader> reader_;
};

}  // namespace weir

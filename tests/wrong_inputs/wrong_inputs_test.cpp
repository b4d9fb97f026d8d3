// Every reader of fabric files, on every kind of wrong input that applies to it: an error that
// names the file, and the line where there is one; never a crash or a silent repair.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "lab/fabric_files.hpp"
#include "support/fabric_text.hpp"
#include "support/folder.hpp"
#include "wrong_inputs/inputs.hpp"

namespace weir {
namespace {

using testing::Case;
using testing::Format;
using testing::replaced;

constexpr std::string_view kLfts =
    "Unicast lids [0-4] of switch Lid 1 guid 0x00000000000000a1 ('leaf1'):\n"
    "0x0001 000 # Switch portguid 0x00000000000000a1: 'leaf1'\n"
    "0x0003 002 # Channel Adapter portguid 0x00000000000000c1: 'n1 mlx5_0'\n"
    "4 lids dumped \n";
constexpr std::string_view kFdbs =
    "dump_ucast_routes: Switch 0x00000000000000a1\n"
    "LID    : Port : Hops : Optimal\n"
    "0x0001 : 000  : 00   : yes\n"
    "0x0003 : 002  : 01   : yes\n";
constexpr std::string_view kTopology =
    "SwitchName=spine Switches=leaf[1-2]\n"
    "SwitchName=leaf1 Nodes=n[1-2]\n"
    "SwitchName=leaf2 Nodes=n[3-4]\n";
constexpr std::string_view kTopograph =
    "switches:\n"
    "  spine: {switches: [leaf1]}\n"
    "blocks:\n"
    "- {switch: leaf1, nodes: [\"n[1-2]\"]}\n";
constexpr std::string_view kBlocks = "n[1-2] rack1\nn3 rack2\n";

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = {
      {"ibnetdiscover", testing::kSmallIbnetdiscover},
      {"ibnetdiscover -p", testing::kSmallPortList},
      {"opensm-subnet.lst", testing::kSmallSubnetList},
      {"opensm-lfts.dump", kLfts},
      {"opensm.fdbs", kFdbs},
      {"topology.conf", kTopology},
      {"topograph", kTopograph},
      {"blocks", kBlocks},
  };
  return kFormats;
}

std::string_view good(std::string_view name) { return testing::good_text(formats(), name); }

class WrongInputs : public ::testing::Test {
 protected:
  // What the reader of that format says to these bytes, the folder taken off; empty: accepted.
  std::string error(std::string_view format, std::string_view bytes) {
    const auto path = folder_.write("input", std::string(bytes));
    std::string message;
    if (format == "blocks")
      message = testing::message_of(lab::read_blocks(path));
    else
      message = testing::message_of(lab::read_fabric_file(path));
    return testing::without_folder(message, folder_);
  }

  void check(const std::vector<Case>& cases) {
    for (const Case& one : cases) {
      const std::string message = error(one.format, replaced(good(one.format), one.what, one.with));
      EXPECT_TRUE(message.starts_with(one.expected)) << one.format << ": " << message;
    }
  }

  testing::TestFolder folder_;
};

TEST_F(WrongInputs, TheGoodOnesAreAccepted) {
  for (const Format& format : formats())
    EXPECT_EQ(error(format.name, format.good), "") << format.name;
}

TEST_F(WrongInputs, AnEmptyFile) {
  for (const Format& format : formats())
    EXPECT_NE(error(format.name, "").find("input"), std::string::npos) << format.name;
}

TEST_F(WrongInputs, Utf16) {
  for (const Format& format : formats()) {
    std::string wide = "\xff\xfe";
    for (const char c : format.good) wide += {c, '\0'};
    const std::string message = error(format.name, wide);
    EXPECT_TRUE(message.starts_with("input:1:")) << format.name << ": " << message;
  }
}

TEST_F(WrongInputs, BinaryBytes) {
  std::string bytes;
  for (int i = 0; i < 4'096; ++i) bytes += static_cast<char>(i * 31 % 256);
  for (const Format& format : formats()) {
    const std::string message = error(format.name, bytes);
    EXPECT_TRUE(message.starts_with("input:1:")) << format.name << ": " << message;
  }
}

TEST_F(WrongInputs, CrLf) {
  for (const Format& format : formats()) {
    std::string text;
    for (const char c : format.good) text += c == '\n' ? "\r\n" : std::string(1, c);
    const std::string message = error(format.name, text);
    EXPECT_TRUE(message.starts_with("input:1:") && message.find("dos2unix") != std::string::npos)
        << format.name << ": " << message;
  }
}

TEST_F(WrongInputs, ALineOfTenMegabytes) {
  const std::string line(10'000'000, 'x');
  for (const Format& format : formats()) {
    const std::string message = error(format.name, std::string(format.good) + line);
    EXPECT_TRUE(message.starts_with("input:")) << format.name << ": " << message.substr(0, 300);
    EXPECT_LT(message.size(), 1'000U) << format.name;
  }
}

// A file that ends anywhere is an error, or shows as incomplete, or lacks nothing that counts.
TEST_F(WrongInputs, CablesCutOffAtAnyByte) {
  for (const std::string_view name : {"ibnetdiscover", "ibnetdiscover -p", "opensm-subnet.lst"}) {
    const std::string_view text = good(name);
    FabricFileReader whole_reader;
    const auto whole = std::get<fabric::Snapshot>(testing::read_text(whole_reader, text).value());
    for (std::size_t size = 0; size + 1 < text.size(); ++size) {
      FabricFileReader reader;
      // Nothing shows that `ibnetdiscover -p` had more lines for the ports of a node.
      const bool between_lines = size > 0 && (text[size - 1] == '\n' || text[size] == '\n');
      if (name == "ibnetdiscover -p" && between_lines) continue;
      const auto found = testing::read_text(reader, text.substr(0, size));
      if (!found) continue;
      const auto& cut = std::get<fabric::Snapshot>(*found);
      const bool same =
          std::ranges::equal(cut.links, whole.links, {}, &fabric::Link::a, &fabric::Link::a);
      // One node alone may be all there is.
      EXPECT_TRUE(same || !cut.complete() || cut.vertices.size() == 1)
          << name << " cut off behind byte " << size;
    }
  }
}

TEST_F(WrongInputs, TruncatedInTheMiddleOfALine) {
  for (const Format& format : formats()) {
    if (format.name == "blocks" || format.name == "topology.conf") continue;  // any start is whole
    const std::string message = error(format.name, format.good.substr(0, format.good.size() - 9));
    EXPECT_TRUE(message.starts_with("input:")) << format.name << ": " << message;
  }
  EXPECT_EQ(error("topology.conf", "SwitchName=leaf1 Nodes=n[1-"),
            "input:1: expected brackets in pairs, found \"n[1-\"");
  EXPECT_EQ(error("blocks", "n[1-2] rack1\nn3"),
            "input:2: expected two words, nodes and their block, like \"node[001-018] rack1\", "
            "found \"n3\"");
}

TEST_F(WrongInputs, DuplicateGuid) {
  const std::vector<Case> cases = {
      {"ibnetdiscover", "switchguid=0xb1(b1)\nSwitch\t40 \"S-00000000000000b1\"",
       "switchguid=0xa1(a1)\nSwitch\t40 \"S-00000000000000a1\"",
       "input:14: expected each GUID once, found a second record of 0x00000000000000a1"},
      {"ibnetdiscover -p", "SW     2  1 0x00000000000000b1 4x HDR - SW     1 10",
       "SW     2  1 0x00000000000000a1 4x HDR - SW     1 10",
       "input:7: expected a cable to another node"},
      {"ibnetdiscover -p", "SW     1  2 0x00000000000000a1 4x", "SW     1  1 0x00000000000000a1 4x",
       "input:4: expected each port once, found port 1 of 0x00000000000000a1 again"},
      {"opensm-subnet.lst", "NodeGUID:00000000000000d0 PortGUID:00000000000000d1 VenID:0002C9",
       "NodeGUID:00000000000000c0 PortGUID:00000000000000d1 VenID:0002C9",
       "input:6: expected 0x00000000000000c0 to be called \"n1 mlx5_0\" as in line 5"},
      {"opensm-lfts.dump", "4 lids dumped \n",
       "4 lids dumped \nUnicast lids [0-4] of switch Lid 1 guid 0xa1 ('x'):\n",
       "input:5: expected each switch once, found 0x00000000000000a1 again, first in line 1"},
      {"opensm.fdbs", "0x0003 : 002", "dump_ucast_routes: Switch 0xa1\n0x0003 : 002",
       "input:4: expected each switch once"},
  };
  check(cases);
}

TEST_F(WrongInputs, LidZeroSelfLoopPortOutOfRange) {
  const std::vector<Case> cases = {
      {"ibnetdiscover", "port 0 lid 1", "port 0 lid 0", "input:5: expected a LID from 1 to 49151"},
      {"ibnetdiscover -p", "CA     3  1", "CA     0  1", "input:1: expected a LID from 1 to 49151"},
      {"opensm-subnet.lst", "LID:0001", "LID:0000", "input:1: expected a LID from 1 to 49151"},
      {"opensm-lfts.dump", "0x0001 000", "0x0000 000", "input:2: expected a LID from 1 to 49151"},
      {"opensm.fdbs", "0x0001 : 000", "0xC000 : 000", "input:3: expected a LID from 1 to 49151"},
      {"ibnetdiscover", "\"H-00000000000000c0\"[1](c1)", "\"S-00000000000000a1\"[2]",
       "input:6: expected a cable to another node, found one from 0x00000000000000a1 to itself"},
      {"ibnetdiscover -p", "SW     2  1 0x00000000000000b1 ( 'leaf1' - 'spine {x}' )",
       "SW     1  9 0x00000000000000a1 ( 'leaf1' - 'leaf1' )",
       "input:5: expected a cable to another node, found one from 0x00000000000000a1 to itself"},
      {"opensm-subnet.lst", "NodeGUID:00000000000000c0", "NodeGUID:00000000000000a1",
       "input:1: expected a cable to another node, found one from 0x00000000000000a1 to itself"},
      {"ibnetdiscover", "[10]\t\"S", "[41]\t\"S", "input:8: expected a port from 1 to 40"},
      {"ibnetdiscover -p", "SW     1 40", "SW     1 255", "input:6: expected a port from 1 to 254"},
      {"opensm-subnet.lst", "PN:0A }", "PN:FE }", "input:3: expected a port from 1 to 40"},
      {"opensm-lfts.dump", "0x0003 002", "0x0003 255", "input:3: expected a port from 0 to 254"},
      {"opensm.fdbs", "0x0003 : 002", "0x0003 : 300", "input:4: expected a port from 0 to 254"},
  };
  check(cases);
}

TEST_F(WrongInputs, CyclesAndDuplicatesAmongNames) {
  const std::vector<Case> cases = {
      {"topology.conf", "Nodes=n[3-4]", "Switches=spine",
       "input:3: expected a tree, found a cycle"},
      {"topology.conf", "SwitchName=leaf2", "SwitchName=leaf1",
       "input:3: expected each switch once, found \"leaf1\" again, first in line 2"},
      {"topology.conf", "Nodes=n[1-2]", "Nodes=n[1-2],n1",
       "input:2: expected each node of switch \"leaf1\" once, found \"n1\" again"},
      {"topograph", "switches: [leaf1]", "switches: [spine]",
       "input:2: expected a tree, found a cycle"},
      {"topograph", "nodes: [\"n[1-2]\"]", "nodes: [\"n[2-1]\"]",
       "input:4: expected a number or a range"},
      {"blocks", "n3 rack2", "n2 rack2", "input:2: expected each node in one block"},
  };
  check(cases);
}

}  // namespace
}  // namespace weir

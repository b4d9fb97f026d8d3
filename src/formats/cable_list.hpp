// CableList: gathers dumps that list ports, a line for each with all that is known of its node,
// into a Snapshot: `ibnetdiscover -p` and OpenSM's opensm-subnet.lst.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "fabric/graph.hpp"

namespace weir::dump {

// What one line says of the port it is about.
struct ListedPort {
  fabric::Vertex vertex;  // port_count 0 where the format does not say; at most one address
  fabric::PortNumber port;
};

// Where its cable leads.
struct ListedPeer {
  Guid guid;
  fabric::PortNumber port;
  fabric::LinkRate rate;
  std::string description;
};

class CableList {
 public:
  // Takes a line. Errors: the port stood in an earlier line; its node was described otherwise
  // there; the cable leads to its own node; more nodes than a subnet can have (kLimit).
  Status add(ListedPort port, std::optional<ListedPeer> peer, std::size_t line);

  // Makes one HCA of the ports of a host's HCA, for formats that print port GUIDs: equal names that
  // name host and device, different ports, and GUIDs as far apart as the ports are. Its GUID is
  // that of its first port. To be called before finish().
  void join_ports();

  [[nodiscard]] bool empty() const { return vertices_.empty(); }

  // What was gathered, once. Where the format does not say how many ports a node has, it is the
  // highest one seen. Errors, beginning with "LINE: ": a cable leads to a port that its peer lacks,
  // or to its own node.
  Result<fabric::Snapshot> finish();

 private:
  struct Record {
    std::size_t line;                     // that first told of the node
    bool counted;                         // the format says how many ports it has
    std::vector<std::size_t> port_lines;  // by port: its line, 0 when there is none yet
  };

  Status check_same(const fabric::Vertex& known, const fabric::Vertex& again,
                    std::size_t line) const;
  Status check_peers();
  bool is_port_of(std::size_t port, std::size_t hca) const;
  void take_over(std::size_t hca, std::size_t port);

  std::vector<fabric::Vertex> vertices_;
  std::vector<Record> records_;  // of vertices_
  std::vector<fabric::CableEnd> ends_;
  std::vector<std::size_t> end_lines_;
  std::unordered_map<Guid, std::size_t> by_guid_;  // for look-up only, never iterated
};

}  // namespace weir::dump

// IbnetdiscoverReader: the text of `ibnetdiscover [-g]`, of ibsim input files, and of our own
// writer becomes a Snapshot, in one pass, a line at a time.
//
//   IbnetdiscoverReader reader;
//   os::for_each_line(path, [&](auto text, auto number) { return reader.line(text, number); });
//   Result<fabric::Snapshot> snapshot = reader.finish();
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/result.hpp"
#include "fabric/graph.hpp"
#include "formats/ibnetdiscover_line.hpp"

namespace weir {

class IbnetdiscoverReader {
 public:
  // Takes the next line, without its '\n'; `number` counts from 1. After an error the reader is
  // done with. Errors: kBadInput, what was expected and what was found, without file or line (the
  // caller has both); kLimit for more vertices than a subnet can have.
  Status line(std::string_view text, std::size_t number);

  // What was read, once. Errors are those that only the whole file shows; the message begins with
  // "LINE: ", so that PATH and ':' in front give the usual form.
  Result<fabric::Snapshot> finish();

 private:
  struct Ids {
    std::size_t line = 0;  // of the first id line; 0 when there is none
    std::uint32_t vendor = 0;
    std::uint32_t device = 0;
    Guid system_image = Guid(0);
    Guid port_guid = Guid(0);
    std::optional<Guid> node;
    fabric::VertexKind kind = fabric::VertexKind::kHca;  // of `node`
  };
  struct Record {
    std::size_t vertex;
    std::size_t line;
  };

  Status take(const ibnetdiscover::NothingLine&, std::size_t) { return {}; }
  Status take(const ibnetdiscover::ChassisLine& line, std::size_t number);
  Status take(const ibnetdiscover::IdLine& line, std::size_t number);
  Status take(ibnetdiscover::NodeLine& line, std::size_t number);
  Status take(ibnetdiscover::PortLine& line, std::size_t number);
  Status check_ids_fit(const ibnetdiscover::NodeLine& line) const;
  Status check_peers() const;

  Ids ids_;                    // gathered for the next record
  std::uint32_t chassis_ = 0;  // of the records to come
  bool in_record_ = false;     // a port line may follow
  fabric::FabricDraft draft_;
  std::vector<std::size_t> end_lines_;                // line of each draft_.ends
  std::vector<std::size_t> port_lines_;               // by port of the current record: its line
  std::unordered_map<Guid, Record> records_by_guid_;  // for look-up only, never iterated
};

}  // namespace weir

#include "report/fabric_words.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/format.hpp"

namespace weir::report {
namespace {

using fabric::GapKind;
using fabric::OddityKind;

// What is said of one and of many, with the number before it.
struct Sentence {
  std::string_view one;
  std::string_view many;
};

Sentence words(OddityKind kind) {
  switch (kind) {
    case OddityKind::kFactoryName:
      return {"HCA carries no host name and joins no host: set its node description (rdma-ndd)",
              "HCAs carry no host name and join no host: set their node descriptions (rdma-ndd)"};
    case OddityKind::kPlaceholderHost:
      return {"HCA calls its host localhost, ubuntu or the like and joins none",
              "HCAs call their host localhost, ubuntu or the like and join none"};
    case OddityKind::kDuplicateName:
      return {"HCA shares host and device name with another and joins no host",
              "HCAs share host and device name with others and join no host"};
    case OddityKind::kMissingHca:
      return {"compute node lacks HCAs that its like have",
              "compute nodes lack HCAs that their like have"};
    case OddityKind::kExtraHca:
      return {"HCA of a compute node serves no rail", "HCAs of compute nodes serve no rail"};
    case OddityKind::kUnlinkedHca: return {"HCA has no cable", "HCAs have no cable"};
    case OddityKind::kOffPlane:
      return {"HCA is on another plane than its rail: not counted as linked",
              "HCAs are on another plane than their rail: not counted as linked"};
    case OddityKind::kMiswired:
      return {"HCA sits on a leaf of another rail: check its cable",
              "HCAs sit on leaves of other rails: check their cables"};
    case OddityKind::kForeignLeaf:
      return {"HCA sits apart from its node's unit: check its cable",
              "HCAs sit apart from their nodes' units: check their cables"};
    case OddityKind::kStrayCable:
      return {"leaf port leads to a spine of another pod",
              "leaf ports lead to spines of other pods"};
    case OddityKind::kSlowLink:
      return {"link is slower than its like", "links are slower than their like"};
    case OddityKind::kDuplicateLid:
      return {"LID is held by several ports of one plane",
              "LIDs are held by several ports of one plane"};
    case OddityKind::kDuplicateSwitch:
      return {"name is shared by several switches", "names are shared by several switches"};
    case OddityKind::kOtherCount:
      return {"fabric of nodes with another number of HCAs than usual here",
              "fabrics of nodes with another number of HCAs than usual here"};
  }
  return {};
}

Sentence words(GapKind kind) {
  switch (kind) {
    case GapKind::kUndescribedPeer:
      return {"cable leads to a node that is not described",
              "cables lead to nodes that are not described"};
    case GapKind::kOneEnded:
      return {"cable is described at one end only", "cables are described at one end only"};
    case GapKind::kDisagreement:
      return {"cable is described differently at its two ends and left out",
              "cables are described differently at their two ends and left out"};
  }
  return {};
}

// The name of a described vertex, or its GUID.
std::string name_of(const fabric::SiteView& view, Guid guid) {
  const auto found = view.graph.find(guid);
  const std::string_view name = found ? trim(view.graph.at(*found).description) : "";
  return name.empty() ? fabric::to_text(guid) : std::string(name);
}

}  // namespace

std::string counted(std::size_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", with_thousands(number), number == 1 ? one : many);
}

std::string rate_text(Bandwidth rate) {
  if (rate == Bandwidth()) return "unknown rate";
  const double gbps = rate.gbps();
  if (gbps >= 1000) return fmt::format("{:.1f} Tb/s", gbps / 1000);
  return fmt::format("{:.4g} Gb/s", gbps);
}

std::string rate_text(fabric::LinkRate rate) {
  if (!rate.is_known()) return "unknown rate";
  return fmt::format("{} ({})", to_text(rate), rate_text(bandwidth(rate)));
}

std::string ratio_text(Bandwidth down, Bandwidth up) {
  if (down == Bandwidth() || up == Bandwidth()) return "";
  return fmt::format("{:.2f} : 1", static_cast<double>(down.bits_per_second()) /
                                       static_cast<double>(up.bits_per_second()));
}

std::string oddity_sentence(OddityKind kind, std::size_t count) {
  const Sentence sentence = words(kind);
  return counted(count, sentence.one, sentence.many);
}

std::string gap_sentence(GapKind kind, std::size_t count) {
  const Sentence sentence = words(kind);
  return counted(count, sentence.one, sentence.many);
}

std::string gap_text(const fabric::SiteView& view, const fabric::Gap& gap) {
  const std::string_view peer = trim(gap.end.peer_description);
  return clean_text(fmt::format("{} port {} to port {} of {}", name_of(view, gap.end.vertex),
                                gap.end.port.value(), gap.end.peer_port.value(),
                                peer.empty() ? fabric::to_text(gap.end.peer) : std::string(peer)));
}

std::string missing_node_text(const fabric::SiteView& view, const fabric::CableEnd& first,
                              std::size_t cables) {
  const std::string_view peer = trim(first.peer_description);
  return clean_text(fmt::format("{} ({}): {} {} port {}", peer.empty() ? "no name" : peer,
                                fabric::to_text(first.peer),
                                counted(cables, "cable, from", "cables, the first from"),
                                name_of(view, first.vertex), first.port.value()));
}

std::string ranges_text(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    text +=
        last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace weir::report

// Fabrics: nodes joined to each other on every rail they use. Nodes whose rails lie on the same
// planes are one fabric; a lone node that differs gives up the rails on other planes and stays.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "fabric/analysis.hpp"

namespace weir::fabric {
namespace {

using Signature = std::vector<PlaneId>;  // the plane of each rail, none where it has no link

// Nodes that differ from a fabric on some rail are a fabric of their own from this many on: two,
// and one for each kShare nodes of the fabric they differ from.
constexpr std::size_t kFewest = 2;
constexpr std::size_t kShare = 10;

struct Fit {
  std::size_t matches = 0;
  bool conflict = false;
};

Fit fit(const Signature& node, const Signature& fabric) {
  Fit result;
  for (std::size_t r = 0; r < node.size(); ++r) {
    if (node[r].is_none() || r >= fabric.size() || fabric[r].is_none()) continue;
    if (node[r] == fabric[r])
      ++result.matches;
    else
      result.conflict = true;
  }
  return result;
}

Signature signature_of(const SiteView& view, const NodeDraft& node) {
  const Host& host = view.hosts[node.host.index()];
  Signature signature;
  for (const std::size_t i : node.hca_by_rail)
    signature.push_back(i == NodeDraft::kNoHca ? PlaneId::none() : host.hcas[i].plane);
  return signature;
}

// The fabrics found so far and, to find those that may fit, where each (rail, plane) occurs.
class FabricList {
 public:
  // The fabric of all nodes with this signature; `nodes` of them.
  std::size_t place(const Signature& signature, std::size_t nodes) {
    std::size_t best = fabrics_.size();
    Fit best_fit;
    for (std::size_t r = 0; r < signature.size(); ++r) {
      const auto at = uses_.find({r, signature[r]});
      if (signature[r].is_none() || at == uses_.end()) continue;
      for (const std::size_t candidate : at->second) {
        const Fit found = fit(signature, fabrics_[candidate].planes);
        if (found.matches > best_fit.matches ||
            (found.matches == best_fit.matches && candidate < best)) {
          best = candidate;
          best_fit = found;
        }
      }
    }
    const bool own = best == fabrics_.size() || (best_fit.conflict && nodes >= kFewest &&
                                                 nodes * kShare >= fabrics_[best].nodes);
    if (own) {
      best = fabrics_.size();
      fabrics_.push_back({{}, nodes});
    }
    extend(best, signature);
    return best;
  }

  [[nodiscard]] std::size_t size() const { return fabrics_.size(); }
  [[nodiscard]] const Signature& planes(std::size_t fabric) const {
    return fabrics_[fabric].planes;
  }

 private:
  struct Entry {
    Signature planes;
    std::size_t nodes = 0;  // with the signature that founded it
  };

  // Rails that the fabric had not yet come from this node.
  void extend(std::size_t fabric, const Signature& signature) {
    Signature& planes = fabrics_[fabric].planes;
    if (planes.size() < signature.size()) planes.resize(signature.size(), PlaneId::none());
    for (std::size_t r = 0; r < signature.size(); ++r) {
      if (!planes[r].is_none() || signature[r].is_none()) continue;
      planes[r] = signature[r];
      uses_[{r, planes[r]}].push_back(fabric);
    }
  }

  std::vector<Entry> fabrics_;
  std::map<std::pair<std::size_t, PlaneId>, std::vector<std::size_t>> uses_;
};

std::size_t linked(const Signature& signature) {
  return signature.size() -
         static_cast<std::size_t>(std::ranges::count(signature, PlaneId::none()));
}

// Sets the rails that join the node to its fabric; an HCA on another plane is an oddity.
void mask_rails(SiteView& view, NodeDraft& node, const Signature& planes) {
  const Host& host = view.hosts[node.host.index()];
  for (std::size_t r = 0; r < node.hca_by_rail.size(); ++r) {
    if (node.hca_by_rail[r] == NodeDraft::kNoHca) continue;
    const HostHca& hca = host.hcas[node.hca_by_rail[r]];
    if (hca.plane.is_none()) continue;
    if (hca.plane == planes[r]) {
      node.rails = static_cast<RailMask>(node.rails | (1U << r));
    } else {
      view.oddities.push_back({OddityKind::kOffPlane, label(host, hca),
                               fmt::format("on plane {}; rail {} runs on plane {}",
                                           hca.plane.value() + 1, r, planes[r].value() + 1)});
    }
  }
}

// The device list that most nodes of each fabric have.
void find_usual_devices(SiteView& view, const ComputeDraft& draft) {
  std::vector<std::map<std::size_t, std::size_t>> nodes_with(view.fabrics.size());
  for (const NodeDraft& node : draft.nodes) ++nodes_with[node.fabric][node.pattern];
  for (std::size_t f = 0; f < view.fabrics.size(); ++f) {
    const auto by_nodes = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto most = std::ranges::max_element(nodes_with[f], by_nodes);
    view.fabrics[f].usual_devices = draft.patterns[most->first];
  }
}

}  // namespace

void split_fabrics(SiteView& view, ComputeDraft& draft) {
  std::map<Signature, std::vector<std::size_t>> nodes_by_signature;
  for (std::size_t n = 0; n < draft.nodes.size(); ++n)
    nodes_by_signature[signature_of(view, draft.nodes[n])].push_back(n);
  std::vector<std::pair<Signature, std::vector<std::size_t>>> ordered(nodes_by_signature.begin(),
                                                                      nodes_by_signature.end());
  std::ranges::sort(ordered, [](const auto& a, const auto& b) {
    if (a.second.size() != b.second.size()) return a.second.size() > b.second.size();
    if (linked(a.first) != linked(b.first)) return linked(a.first) > linked(b.first);
    return a.first < b.first;
  });

  FabricList fabrics;
  for (const auto& [signature, nodes] : ordered) {
    const std::size_t fabric = fabrics.place(signature, nodes.size());
    for (const std::size_t n : nodes) draft.nodes[n].fabric = fabric;
  }
  view.fabrics.resize(fabrics.size());
  for (std::size_t f = 0; f < fabrics.size(); ++f)
    view.fabrics[f].plane_by_rail = fabrics.planes(f);
  for (NodeDraft& node : draft.nodes) mask_rails(view, node, fabrics.planes(node.fabric));
  find_usual_devices(view, draft);
}

}  // namespace weir::fabric

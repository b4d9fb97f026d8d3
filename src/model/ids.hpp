// The names of things everybody speaks of.
#pragma once

#include <cstdint>

#include "base/id.hpp"

namespace weir {

using NodeId = Id<struct NodeTag>;  // a host with GPUs, numbered in the order it joined
using JobId = Id<struct JobTag, std::uint64_t>;  // numbered from 1 in the order of submission
using KindId = Id<struct KindTag>;               // a NodeKind
using DomainId = Id<struct DomainTag>;           // a vertex of one level of the locality tree
using Guid = Id<struct GuidTag, std::uint64_t>;  // EUI-64 of an InfiniBand node or port
using Lid = Id<struct LidTag, std::uint16_t>;    // address of a port inside one plane; 0 is none

}  // namespace weir

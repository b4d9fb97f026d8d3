#include <algorithm>

#include "model/codec.hpp"
#include "state/state.hpp"

namespace weir::state {
namespace {

void encode_pool(const pool::Pool& pool, ByteWriter& out) {
  weir::encode(out, pool.locality());
  out.unsigned_number(pool.nodes());
  for (std::uint32_t i = 0; i < pool.nodes(); ++i) {
    const pool::NodeState& node = pool.node(NodeId(i));
    const pool::NodeClass& node_class = pool.classes().node_class(node.node_class);
    out.text(node.name);
    weir::encode(out, pool.classes().kind(node_class.kind));
    out.unsigned_number(node.cell.value());
    out.unsigned_number(node_class.rails);
    out.u8(static_cast<std::uint8_t>(node_class.grade));
    out.u8(static_cast<std::uint8_t>(node.availability));
    out.unsigned_number(node.free_gpus);
    out.unsigned_number(node.shared.size());
    for (const pool::SharedGpu& one : node.shared) {
      out.u8(one.gpu);
      out.unsigned_number(one.left);
    }
    out.unsigned_number(node.free.cpu_milli);
    out.unsigned_number(node.free.memory_mib);
    out.unsigned_number(node.closed_by);
    out.unsigned_number(node.holdings.size());
    for (const pool::Holding& holding : node.holdings) {
      out.unsigned_number(holding.job.value());
      out.unsigned_number(holding.gpus);
      out.unsigned_number(holding.held.gpu_milli);
      out.signed_number(holding.until.microseconds());
    }
  }
}

}  // namespace

void State::encode(ByteWriter& out) const {
  out.text("weir state 2");
  encode_pool(pool_, out);
  out.unsigned_number(next_job_);
  for (const std::uint64_t count :
       {totals_.submitted, totals_.started, totals_.ended, totals_.cancelled, totals_.refused})
    out.unsigned_number(count);
  const std::vector<JobId> ids = jobs();
  out.unsigned_number(ids.size());
  for (const JobId id : ids) {
    const JobRecord& record = jobs_.at(id);
    out.unsigned_number(id.value());
    weir::encode(out, record.job);
    out.u8(static_cast<std::uint8_t>(record.phase));
    out.signed_number(record.submitted.microseconds());
    out.signed_number(record.promised.microseconds());
    if (record.phase == JobPhase::kRunning) weir::encode(out, record.lease);
  }
}

}  // namespace weir::state

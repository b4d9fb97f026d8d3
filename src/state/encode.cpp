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

void put_ids(ByteWriter& out, const std::vector<NodeId>& ids) {
  out.unsigned_number(ids.size());
  for (const NodeId id : ids) out.unsigned_number(id.value());
}

void encode_work(const WorkRecord& work, ByteWriter& out) {
  weir::encode(out, *work.work);
  out.unsigned_number(work.attempt);
  out.unsigned_number(work.restarts);
  out.unsigned_number(work.token);
  out.u8(work.held ? 1 : 0);
  out.unsigned_number(work.unmet.size());
  for (const Dependency& dependency : work.unmet) {
    out.unsigned_number(dependency.job.value());
    out.u8(static_cast<std::uint8_t>(dependency.kind));
  }
  out.unsigned_number(work.steps.size());
  for (const StepRecord& step : work.steps) {
    out.unsigned_number(step.node.value());
    weir::encode(out, StepReport{{}, 0, step.phase, step.ends});
  }
  out.u8(work.ending ? static_cast<std::uint8_t>(1 + static_cast<std::uint8_t>(*work.ending)) : 0);
  out.u8(static_cast<std::uint8_t>((work.again ? 1 : 0) | (work.start_failed ? 2 : 0)));
  out.signed_number(work.running_since.microseconds());
  out.unsigned_number(work.failures.size());
  for (const StartFailure& failure : work.failures) {
    out.unsigned_number(failure.node.value());
    out.text(failure.detail);
  }
}

void encode_agent(const AgentRecord& agent, ByteWriter& out) {
  out.u8(static_cast<std::uint8_t>((agent.known ? 1 : 0) | (agent.connected ? 2 : 0)));
  out.text(agent.boot);
  out.unsigned_number(agent.session);
  out.signed_number(agent.since.microseconds());
  out.unsigned_number(agent.former_boots.size());
  for (const std::string& boot : agent.former_boots) out.text(boot);
  out.unsigned_number(agent.welcome);
  put_ids(out, agent.witnesses);
  put_ids(out, agent.earlier);
  out.unsigned_number(agent.query);
  out.signed_number(agent.asked.microseconds());
  out.signed_number(agent.ask_next.microseconds());
  out.unsigned_number(agent.heard_until.size());
  for (const auto& [witness, until] : agent.heard_until) {
    out.unsigned_number(witness.value());
    out.signed_number(until.microseconds());
  }
  out.u8(static_cast<std::uint8_t>(agent.wished));
}

}  // namespace

void State::encode(ByteWriter& out) const {
  out.text("weir state 3");
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
    if (record.phase == JobPhase::kRunning) {
      out.unsigned_number(record.start_order);
      weir::encode(out, record.lease);
    }
    put_ids(out, record.avoid);
  }
  encode_live(out);
}

void State::encode_live(ByteWriter& out) const {
  out.unsigned_number(epoch_);
  out.unsigned_number(tokens_);
  out.signed_number(rules_.deadline.count());
  out.signed_number(rules_.margin.count());
  out.unsigned_number(works_.size());
  for (const auto& [id, work] : works_) {
    out.unsigned_number(id.value());
    encode_work(work, out);
  }
  out.unsigned_number(agents_.size());
  for (const AgentRecord& agent : agents_) encode_agent(agent, out);
  out.unsigned_number(outcomes_.size());
  for (const auto& [id, went_well] : outcomes_) {
    out.unsigned_number(id.value());
    out.u8(went_well ? 1 : 0);
  }
}

}  // namespace weir::state

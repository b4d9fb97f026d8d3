#include "model/codec.hpp"

#include "model/live_fields.hpp"

namespace weir {

void encode(ByteWriter& out, const Event& event) { codec::Encoder{out}(event); }
void encode(ByteWriter& out, const Decision& decision) { codec::Encoder{out}(decision); }
void encode(ByteWriter& out, const Job& job) { codec::Encoder{out}(job); }
void encode(ByteWriter& out, const Lease& lease) { codec::Encoder{out}(lease); }
void encode(ByteWriter& out, const Locality& locality) { codec::Encoder{out}(locality); }
void encode(ByteWriter& out, const NodeKind& kind) { codec::Encoder{out}(kind); }
void encode(ByteWriter& out, const Work& work) { codec::Encoder{out}(work); }
void encode(ByteWriter& out, const StepReport& report) { codec::Encoder{out}(report); }
void encode(ByteWriter& out, const StepSpec& spec) { codec::Encoder{out}(spec); }

Event decode_event(ByteReader& in) {
  Event event;
  codec::Decoder{in}(event);
  return event;
}

Decision decode_decision(ByteReader& in) {
  Decision decision;
  codec::Decoder{in}(decision);
  return decision;
}

StepReport decode_step_report(ByteReader& in) {
  StepReport report;
  codec::Decoder{in}(report);
  return report;
}

StepSpec decode_step_spec(ByteReader& in) {
  StepSpec spec;
  codec::Decoder{in}(spec);
  return spec;
}

}  // namespace weir

// The bytes of model values, as the journal and the canonical state use them.
//
// Each struct is described once (fields.hpp); writing and reading follow the same description, so
// they cannot disagree. decode() leaves `reader.ok()` false for anything that encode() would not
// write: unknown tags, enums out of range, texts over the limit.
#pragma once

#include "base/bytes.hpp"
#include "model/decision.hpp"
#include "model/event.hpp"
#include "model/program.hpp"
#include "model/step.hpp"

namespace weir {

void encode(ByteWriter& out, const Event& event);
void encode(ByteWriter& out, const Decision& decision);
void encode(ByteWriter& out, const Job& job);
void encode(ByteWriter& out, const Lease& lease);
void encode(ByteWriter& out, const Locality& locality);
void encode(ByteWriter& out, const NodeKind& kind);
void encode(ByteWriter& out, const Work& work);
void encode(ByteWriter& out, const StepReport& report);
void encode(ByteWriter& out, const StepSpec& spec);

Event decode_event(ByteReader& in);
Decision decode_decision(ByteReader& in);
StepReport decode_step_report(ByteReader& in);
StepSpec decode_step_spec(ByteReader& in);

}  // namespace weir

#include "model/codec.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/limits.hpp"

namespace weir {
namespace {

// How many values an enum has; those from here on are refused.
template <typename E>
constexpr std::uint32_t kValues = 0;
template <>
constexpr std::uint32_t kValues<Grade> = kGrades;
template <>
constexpr std::uint32_t kValues<Level> = kLevels;
template <>
constexpr std::uint32_t kValues<Availability> = kAvailabilities;
template <>
constexpr std::uint32_t kValues<ReasonCode> = kReasonCodes;

// How many values a list may hold; the checks of events refuse more, too.
template <typename T>
constexpr std::size_t kMost = 0;
template <>
constexpr std::size_t kMost<std::string> = limits::kNamesPerField;
template <>
constexpr std::size_t kMost<LevelTable> = kLevels;
template <>
constexpr std::size_t kMost<Domain> = limits::kDomainsPerLevel;
template <>
constexpr std::size_t kMost<LeasePart> = limits::kNodes;

// T or const T.
template <typename X, typename T>
concept Of = std::same_as<std::remove_const_t<X>, T>;

template <typename A>
void fields(A& a, Of<Capacity> auto& x) {
  a(x.gpus, x.cpu_milli, x.memory_mib, x.gpu_milli);
}
template <typename A>
void fields(A& a, Of<Gang> auto& x) {
  a(x.nodes, x.per_node, x.tail);
}
template <typename A>
void fields(A& a, Of<Requirement> auto& x) {
  a(x.partition, x.gpu_models, x.features, x.worst_grade, x.rails);
}
template <typename A>
void fields(A& a, Of<TopologyWish> auto& x) {
  a(x.require, x.prefer, x.segment_nodes, x.segment_level, x.exclusive);
}
template <typename A>
void fields(A& a, Of<Job> auto& x) {
  a(x.name, x.user, x.gang, x.requirement, x.wish, x.priority, x.estimate);
}
template <typename A>
void fields(A& a, Of<NodeKind> auto& x) {
  a(x.gpu_model, x.total, x.partitions, x.features);
}
template <typename A>
void fields(A& a, Of<Node> auto& x) {
  a(x.name, x.kind, x.cell, x.rails, x.grade, x.availability);
}
template <typename A>
void fields(A& a, Of<Domain> auto& x) {
  a(x.parent, x.name);
}
template <typename A>
void fields(A& a, Of<LevelTable> auto& x) {
  a(x.level, x.domains);
}
template <typename A>
void fields(A& a, Of<Locality> auto& x) {
  a(x.levels, x.known);
}
template <typename A>
void fields(A& a, Of<LeasePart> auto& x) {
  a(x.node, x.gpus, x.cpu_milli, x.memory_mib, x.gpu_milli);
}
template <typename A>
void fields(A& a, Of<Lease> auto& x) {
  a(x.parts, x.start, x.until, x.spans, x.exclusive);
}
template <typename A>
void fields(A& a, Of<Reason> auto& x) {
  a(x.code, x.level, x.asked, x.best, x.name);
}
template <typename A>
void fields(A& a, Of<LocalityLearned> auto& x) {
  a(x.locality);
}
template <typename A>
void fields(A& a, Of<NodeJoined> auto& x) {
  a(x.node);
}
template <typename A>
void fields(A& a, Of<NodeGraded> auto& x) {
  a(x.node, x.grade);
}
template <typename A>
void fields(A& a, Of<NodeAvailabilityChanged> auto& x) {
  a(x.node, x.availability);
}
template <typename A>
void fields(A& a, Of<JobSubmitted> auto& x) {
  a(x.job);
}
template <typename A>
void fields(A& a, Of<JobEnded> auto& x) {
  a(x.job);
}
template <typename A>
void fields(A& a, Of<JobCancelled> auto& x) {
  a(x.job);
}
template <typename A>
void fields(A& a, Of<JobStarted> auto& x) {
  a(x.job, x.lease);
}
template <typename A>
void fields(A& a, Of<JobRefused> auto& x) {
  a(x.job, x.reason);
}
template <typename A>
void fields(A& a, Of<StartPromised> auto& x) {
  a(x.job, x.by);
}

struct Encoder {
  ByteWriter& out;

  template <typename... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }

  void put(bool value) { out.u8(value ? 1 : 0); }
  void put(std::unsigned_integral auto value) { out.unsigned_number(value); }
  void put(std::int64_t value) { out.signed_number(value); }
  void put(const std::string& value) { out.text(value); }
  void put(Instant value) { out.signed_number(value.microseconds()); }
  void put(Duration value) { out.signed_number(value.count()); }
  template <typename E>
    requires std::is_enum_v<E>
  void put(E value) {
    out.u8(static_cast<std::uint8_t>(value));
  }
  template <typename Tag, typename Rep>
  void put(Id<Tag, Rep> value) {
    out.unsigned_number(value.value());
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <typename T>
  void put(const std::vector<T>& values) {
    out.unsigned_number(values.size());
    for (const T& value : values) put(value);
  }
  template <typename... T>
  void put(const std::variant<T...>& value) {
    out.u8(static_cast<std::uint8_t>(value.index()));
    std::visit([this](const auto& content) { this->put(content); }, value);
  }
  template <typename T>
    requires std::is_class_v<T>
  void put(const T& value) {
    fields(*this, value);
  }
};

struct Decoder {
  ByteReader& in;

  template <typename... T>
  void operator()(T&... values) {
    (get(values), ...);
  }

  void get(bool& value) { value = in.below(2) == 1; }
  template <std::unsigned_integral T>
  void get(T& value) {
    const std::uint64_t number = in.unsigned_number();
    value = static_cast<T>(number);
    if (value != number) in.fail();
  }
  void get(std::int64_t& value) { value = in.signed_number(); }
  void get(std::string& value) { value = in.text(limits::kTextBytes); }
  void get(Instant& value) { value = Instant(in.signed_number()); }
  void get(Duration& value) { value = Duration(in.signed_number()); }
  template <typename E>
    requires std::is_enum_v<E>
  void get(E& value) {
    value = static_cast<E>(in.below(kValues<E>));
  }
  template <typename Tag, typename Rep>
  void get(Id<Tag, Rep>& value) {
    Rep number{};
    get(number);
    value = Id<Tag, Rep>(number);
  }
  template <typename T>
  void get(std::optional<T>& value) {
    bool present = false;
    get(present);
    if (present) get(value.emplace());
  }
  template <typename T>
  void get(std::vector<T>& values) {
    const std::size_t count = in.count();
    if (count > kMost<T>) in.fail();
    for (std::size_t i = 0; i < count && in.ok(); ++i) get(values.emplace_back());
  }
  template <typename... T>
  void get(std::variant<T...>& value) {
    const auto tag = static_cast<std::size_t>(in.below(sizeof...(T)));
    std::size_t alternative = 0;
    // Exactly one alternative has this tag.
    static_cast<void>(((alternative++ == tag && (get(value.template emplace<T>()), true)) || ...));
  }
  template <typename T>
    requires std::is_class_v<T>
  void get(T& value) {
    fields(*this, value);
  }
};

}  // namespace

void encode(ByteWriter& out, const Event& event) { Encoder{out}(event); }
void encode(ByteWriter& out, const Decision& decision) { Encoder{out}(decision); }
void encode(ByteWriter& out, const Job& job) { Encoder{out}(job); }
void encode(ByteWriter& out, const Lease& lease) { Encoder{out}(lease); }
void encode(ByteWriter& out, const Locality& locality) { Encoder{out}(locality); }
void encode(ByteWriter& out, const NodeKind& kind) { Encoder{out}(kind); }

Event decode_event(ByteReader& in) {
  Event event;
  Decoder{in}(event);
  return event;
}

Decision decode_decision(ByteReader& in) {
  Decision decision;
  Decoder{in}(decision);
  return decision;
}

}  // namespace weir

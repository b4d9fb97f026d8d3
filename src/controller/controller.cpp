#include "controller/controller.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/job_view.hpp"
#include "core/journal.hpp"
#include "os/machine.hpp"

namespace weir::controller {
namespace {

enum Key : std::uint64_t { kStop, kInbox, kJournal, kTimer };

// Jobs of which it is remembered where their output lies.
constexpr std::size_t kEndedPlaces = 10'000;
// How often it is looked whether the own certificate is to be renewed.
constexpr Duration kRefresh{std::int64_t{3600} * 1'000'000};
// How soon a full disk is tried again.
constexpr Duration kRetry{1'000'000};

// The tree of a site of which no fabric is known yet: one domain in each level.
Locality plain_locality() {
  Locality tree;
  tree.levels = {{Level::kUnit, {{DomainId(0), "unit"}}},
                 {Level::kPod, {{DomainId(0), "pod"}}},
                 {Level::kFabric, {{DomainId(0), "fabric"}}},
                 {Level::kSite, {{DomainId::none(), "site"}}}};
  return tree;
}

}  // namespace

Controller::Controller(ControllerOptions options, std::unique_ptr<store::SqliteStore> store,
                       identity::ControllerIdentity identity, os::Poller poller,
                       os::BootTimer timer)
    : options_(std::move(options)),
      store_(std::move(store)),
      identity_(std::move(identity)),
      poller_(std::move(poller)),
      timer_(std::move(timer)),
      logs_([this](const std::string& node, const channel::OutputWanted& wanted) {
        const auto found = nodes_.find(node);
        return found != nodes_.end() && !found->second.session.is_none() &&
               agents_->send(found->second.session, channel::FromController(wanted)) ==
                   channel::Sent::kQueued;
      }) {}

Controller::~Controller() = default;

Result<std::unique_ptr<Controller>> Controller::open(ControllerOptions options) {
  auto store = WEIR_TRY(store::SqliteStore::open(options.state));
  identity::ControllerOptions names;
  names.names = options.names;
  auto identity = WEIR_TRY(
      identity::ControllerIdentity::open(options.state / "identity", names, os::wall_clock()));
  os::Poller poller = WEIR_TRY(os::Poller::create());
  os::BootTimer timer = WEIR_TRY(os::BootTimer::create());
  std::unique_ptr<Controller> controller(new Controller(std::move(options), std::move(store),
                                                        std::move(identity), std::move(poller),
                                                        std::move(timer)));
  WEIR_TRY(controller->recover());
  WEIR_TRY(controller->start());
  return controller;
}

core::FrameSink Controller::sink() {
  return [this](ByteSpan frame) -> Status {
    frame_.assign(frame.begin(), frame.end());
    return {};
  };
}

// What the store holds, then the first turn of this controller: it has opened the journal, and no
// session of another one lives.
Status Controller::recover() {
  const store::Recovered recovered = WEIR_TRY(store_->recover());
  for (const store::Damage& damage : recovered.damages) options_.log("store: " + damage.what);
  journal_ = WEIR_TRY(store::JournalThread::start(*store_));
  if (!recovered.header) {
    engine_ = WEIR_TRY(core::Engine::make(options_.settings, sink()));
    WEIR_TRY(journal_->push({0, std::exchange(frame_, {}), {}}, [](const Status&) {}));
  } else {
    std::vector<std::uint8_t> bytes = *recovered.header;
    for (const store::Frame& frame : recovered.frames)
      bytes.insert(bytes.end(), frame.bytes.begin(), frame.bytes.end());
    engine_ = WEIR_TRY(core::Engine::recover(bytes, sink()));
  }
  clock_ = CoreClock(os::wall_clock(), engine_->last(), os::since_boot());
  engine::DeskSite site;
  site.heartbeat = options_.heartbeat;
  site.silence = options_.silence;
  site.spec = [this](const state::State& state, NodeId node, StepId step) {
    return spec_of(state, node, step);
  };
  site.address = [this](const std::string& node) {
    const auto found = nodes_.find(node);
    return found == nodes_.end() ? std::string() : found->second.witness;
  };
  site.cell = [](const node::Hello&) { return DomainId(0); };
  desk_ = std::make_unique<engine::AgentDesk>(std::move(site));
  if (engine_->state().pool().nodes() == 0 && engine_->state().epoch() == 0)
    events_.emplace_back(LocalityLearned{plain_locality()});
  events_.emplace_back(ControllerStarted{options_.deadline, options_.margin});
  return turn();
}

Status Controller::start() {
  channel::ServerOptions agents;
  agents.agents = options_.agents;
  agents.joining = options_.joining;
  agents.credentials = identity_.files();
  agents_ = WEIR_TRY(channel::Server::start(agents, *this));
  net::ServerOptions http;
  http.socket = options_.socket;
  http.mode = 0666;  // who asks is known by the socket's credentials
  http.log = options_.log;
  http_ = WEIR_TRY(
      net::Server::start(std::move(http), [this](net::Request request, net::Responder responder) {
        inbox_.push(HttpAsked{std::move(request), std::move(responder)});
      }));
  return {};
}

Result<std::string> Controller::make_token(std::string_view node, Duration life) {
  return identity_.make_token(node, os::wall_clock(), life);
}

void Controller::opened(channel::SessionId session, const std::string& node,
                        const std::string& from) {
  inbox_.push(AgentOpened{session, node, from});
}
void Controller::received(channel::SessionId session, channel::FromAgent message) {
  inbox_.push(AgentSaid{session, std::move(message)});
}
void Controller::closed(channel::SessionId session, const std::string& why) {
  static_cast<void>(why);
  inbox_.push(AgentClosed{session});
}
void Controller::renewal(const std::string& node, const std::string& request,
                         channel::Admit admit) {
  inbox_.push(RenewalAsked{node, request, std::move(admit)});
}
void Controller::join(channel::JoinAsked asked, channel::Admit admit) {
  inbox_.push(Joining{std::move(asked), std::move(admit)});
}

Status Controller::run(int stop) {
  WEIR_TRY(poller_.watch(stop, kStop));
  WEIR_TRY(poller_.watch(inbox_.fd(), kInbox));
  WEIR_TRY(poller_.watch(journal_->ready_fd(), kJournal));
  WEIR_TRY(poller_.watch(timer_.fd(), kTimer));
  for (;;) {
    set_timer();
    for (const os::Ready& ready : poller_.wait(std::nullopt)) {
      if (ready.key == kStop) return {};
      if (ready.key == kTimer) timer_.acknowledge();
    }
    journal_->deliver();
    if (const auto error = journal_->error()) {
      if (error->code != Errc::kDiskFull) return std::unexpected(*error);
      const Instant now = clock_.at(os::since_boot());
      if (retry_at_ && now >= *retry_at_) {
        retry_at_.reset();
        journal_->retry();
      } else if (!retry_at_) {
        retry_at_ = now + kRetry;
      }
    }
    if (const Instant today = os::wall_clock(); today >= refresh_at_) {
      refresh_at_ = today + kRefresh;
      if (const Status fresh = identity_.refresh(today); !fresh)
        options_.log("certificate: " + fresh.error().message);
    }
    for (Incoming& incoming : inbox_.take()) take(std::move(incoming));
    WEIR_TRY(turns());
  }
}

void Controller::set_timer() {
  Instant wake = std::min({engine_->state().next_wake(), desk_->next_wake(), logs_.next_wake()});
  if (retry_at_) wake = std::min(wake, *retry_at_);
  timer_.set(wake == Instant::far_future() ? std::nullopt : std::optional(clock_.boot_time(wake)));
}

// ---- turns

Status Controller::turns() {
  const Instant now = clock_.at(os::since_boot());
  do_desk(desk_->tick(now, engine_->state()));
  logs_.tick(now);
  if (engine_->state().next_wake() <= now) events_.emplace_back(TimePassed{});
  // What follows from a turn may want another one; while the disk is behind, all of it waits.
  while (!events_.empty() && journal_->has_room() && !journal_->error()) WEIR_TRY(turn());
  return {};
}

Status Controller::turn() {
  std::vector<Reply> replies = std::exchange(replies_, {});
  core::TurnResult result =
      WEIR_TRY(engine_->turn(clock_.at(os::since_boot()), std::exchange(events_, {})));
  for (const core::Rejected& rejected : result.rejected)
    options_.log("not taken: " + rejected.error.message);
  do_desk(desk_->after(result, engine_->state()));
  remember(result);
  return journal(result, std::move(replies));
}

Status Controller::journal(core::TurnResult& result, std::vector<Reply> replies) {
  if (result.number == 0) {
    answer(replies, result, {});
    send(desk_->durable(durable_));
    return {};
  }
  store::TurnWrite write{result.number, std::exchange(frame_, {}), rows(result)};
  result.decisions.clear();
  result.commands.clear();
  result.finished.clear();
  auto told = std::make_shared<std::pair<core::TurnResult, std::vector<Reply>>>(std::move(result),
                                                                                std::move(replies));
  return journal_->push(std::move(write), [this, told](const Status& durable) {
    if (durable) {
      durable_ = told->first.number;
      send(desk_->durable(durable_));
    }
    answer(told->second, told->first, durable);
  });
}

void Controller::answer(std::vector<Reply>& replies, const core::TurnResult& turn,
                        const Status& durable) {
  std::size_t submission = 0;
  for (Reply& reply : replies) {
    const auto rejected = std::ranges::find(turn.rejected, reply.event, &core::Rejected::index);
    if (rejected != turn.rejected.end()) {
      reply.responder.respond(net::error_response(409, rejected->error.message));
      continue;
    }
    const JobId job = reply.submission ? turn.submitted[submission++] : reply.job;
    if (!durable) {
      reply.responder.respond(net::error_response(503, durable.error().message));
    } else if (job.is_none()) {
      reply.responder.respond(net::json_response(200, "{}"));
    } else {
      reply.responder.respond(net::json_response(reply.submission ? 201 : 200,
                                                 fmt::format(R"({{"id":{}}})", job.value())));
    }
  }
}

std::vector<store::FinishedJob> Controller::rows(const core::TurnResult& result) const {
  std::vector<store::FinishedJob> rows;
  for (const state::Finished& finished : result.finished) {
    store::FinishedJob& row = rows.emplace_back();
    row.job = finished.id;
    row.attempts = finished.attempts;
    row.name = finished.job.name;
    row.user = finished.job.user;
    row.queue = finished.job.requirement.partition;
    row.state = to_text(finished.state);
    row.reason = finished.reason;
    row.submitted = finished.submitted;
    if (finished.started != Instant::far_future()) row.started = finished.started;
    row.ended = finished.ended;
    row.nodes = finished.job.gang.node_count();
    row.gpus = static_cast<std::uint32_t>(finished.job.gang.gpus());
    row.exit_code = static_cast<int>(finished.exit_code);
    row.signal = static_cast<int>(finished.signal);
    for (const LeasePart& part : finished.lease.parts)
      row.node_list +=
          (row.node_list.empty() ? "" : ",") + engine_->state().pool().node(part.node).name;
    row.record = api::job_json(api::view_of(engine_->state(), finished));
  }
  return rows;
}

// Where the tasks of jobs that ended have written.
void Controller::remember(const core::TurnResult& result) {
  for (const state::Finished& finished : result.finished) {
    if (!finished.work || finished.lease.parts.empty()) continue;
    EndedPlaces places;
    places.attempt = finished.attempts;
    places.tasks_per_node = finished.work->program.tasks_per_node;
    for (const LeasePart& part : finished.lease.parts)
      places.nodes.push_back(engine_->state().pool().node(part.node).name);
    ended_.emplace_back(finished.id, std::move(places));
    if (ended_.size() > kEndedPlaces) ended_.pop_front();
  }
}

}  // namespace weir::controller

#include "lab/trace_source.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/gpu_log.hpp"
#include "formats/job_file.hpp"
#include "formats/openb.hpp"
#include "formats/pai.hpp"
#include "formats/philly.hpp"
#include "formats/philly_json.hpp"
#include "formats/sia.hpp"
#include "formats/swf.hpp"
#include "formats/venus.hpp"
#include "lab/file_error.hpp"
#include "os/files.hpp"
#include "os/lines.hpp"
#include "sim/workload.hpp"

namespace weir::lab {
namespace {

struct Loaded {
  Trace jobs;
  std::string left_out;  // rows of the log that are no jobs here, in words
};

template <typename Reader>
Result<Loaded> finish(Reader& reader, const std::string& path) {
  auto trace = reader.finish();
  if (!trace) return in_file(path, trace.error());
  Loaded loaded{*std::move(trace), {}};
  if constexpr (requires { reader.left_out(); }) loaded.left_out = reader.left_out();
  return loaded;
}

template <typename Reader>
Result<Loaded> read_log(const std::string& path, const TraceRequest& request,
                        const LabPool& /*pool*/) {
  Reader reader(request.filter);
  WEIR_TRY(os::for_each_line(
      path, [&](std::string_view line, std::size_t number) { return reader.line(line, number); }));
  return finish(reader, path);
}

Result<Loaded> read_philly_json(const std::string& path, const TraceRequest& request,
                                const LabPool& /*pool*/) {
  PhillyJsonReader reader(request.filter);
  WEIR_TRY(os::for_each_chunk(path, [&](std::string_view chunk) -> Status {
    if (const Status status = reader.bytes(chunk); !status) return in_file(path, status.error());
    return {};
  }));
  return finish(reader, path);
}

Result<Loaded> read_job_file(const std::string& path, const TraceRequest& request,
                             const LabPool& pool) {
  const std::string text = WEIR_TRY(os::read_text(path, limits::kInputBytes));
  JobFileOptions options;
  options.filter = request.filter;
  options.site_rails = pool.rails;
  return Loaded{WEIR_TRY(parse_job_file(text, path, options)), {}};
}

Result<Loaded> make_jobs(const std::string& kind, const TraceRequest& request,
                         const LabPool& pool) {
  if (request.filter.active())
    return bad_input(
        "--vc, --from and --to choose from a log; a made stream has --days and --load");
  sim::WorkloadOptions options;
  options.kind = WEIR_TRY(sim::parse_workload_kind(kind));
  options.seed = request.seed;
  options.pool_gpus = pool.pool.gpus();
  options.gpus_per_node = pool.pool.gpus_per_node();
  options.length = request.made_length;
  options.load = request.load.value_or(0.8);
  options.biggest_gang = std::min<std::uint32_t>(
      options.biggest_gang,
      std::max<std::uint32_t>(2, static_cast<std::uint32_t>(pool.pool.nodes.size() / 2)));
  return Loaded{WEIR_TRY(sim::generate_workload(options)), {}};
}

struct Source {
  std::string_view name;
  Result<Loaded> (*load)(const std::string& rest, const TraceRequest& request, const LabPool& pool);
};
constexpr std::array<Source, 11> kSources{{{"openb", read_log<OpenbTaskReader>},
                                           {"philly", read_log<PhillyReader>},
                                           {"philly-json", read_philly_json},
                                           {"venus", read_log<VenusReader>},
                                           {"helios", read_log<HeliosReader>},
                                           {"acme", read_log<AcmeReader>},
                                           {"pai", read_log<PaiReader>},
                                           {"sia", read_log<SiaReader>},
                                           {"swf", read_log<SwfReader>},
                                           {"job", read_job_file},
                                           {"made", make_jobs}}};

std::vector<std::string_view> kinds_of_logs() {
  std::vector<std::string_view> names;
  for (const Source& source : kSources)
    if (source.name != "made") names.push_back(source.name);
  return names;
}

struct Extent {
  Instant first = Instant::far_future();
  Instant last;
};

Extent extent_of(const Trace& trace) {
  Extent extent;
  extent.last = trace.front().submit;
  for (const TraceJob& job : trace) {
    extent.first = std::min(extent.first, job.submit);
    extent.last = std::max(extent.last, job.submit);
  }
  return extent;
}

std::string describe(const LabTrace& trace, std::string_view source, bool made,
                     const std::string& left_out) {
  const Extent extent = extent_of(trace.jobs);
  std::string text = made ? fmt::format("generated, {}", source)
                          : std::filesystem::path(source).filename().string();
  text += fmt::format(": {} jobs", with_thousands(trace.jobs.size()));
  if (made) {
    text += fmt::format(" over {}", format_duration(extent.last - extent.first));
  } else if (extent.first < extent.last) {
    text += fmt::format(", {} to {}", format_instant(extent.first).substr(0, 10),
                        format_instant(extent.last).substr(0, 10));
  } else {
    return text;
  }
  if (trace.speedup != 1) text += fmt::format(", arrivals sped up {:.4g} times", trace.speedup);
  if (!left_out.empty()) text += fmt::format(" (left out: {})", left_out);
  return text + fmt::format(", offered load {:.0f} %", 100 * trace.offered_load);
}

}  // namespace

Result<LabTrace> load_trace(const TraceRequest& request, const LabPool& pool) {
  const std::size_t colon = request.source.find(':');
  const auto source =
      std::ranges::find(kSources, std::string_view(request.source).substr(0, colon), &Source::name);
  if (colon == std::string::npos || source == kSources.end() || colon + 1 == request.source.size())
    return bad_input(
        fmt::format("--trace {}: expected {} and a file, like philly:jobs.csv, or "
                    "made: and one of {}",
                    weir::quoted(request.source), fmt::join(kinds_of_logs(), ":, "),
                    fmt::join(sim::workload_kinds(), ", ")));
  const std::string rest = request.source.substr(colon + 1);
  const bool made = source->name == "made";
  LabTrace result;
  Loaded loaded = WEIR_TRY(source->load(rest, request, pool));
  result.jobs = std::move(loaded.jobs);
  if (result.jobs.empty())
    return bad_input(fmt::format("--trace {}: no job in it{}{}", request.source,
                                 loaded.left_out.empty() ? "" : "; left out: ", loaded.left_out));
  for (TraceJob& job : result.jobs)
    if (job.job.requirement.rails == 0) job.job.requirement.rails = pool.rails;

  result.speedup = request.speedup;
  if (request.load && !made) {
    const double natural = offered_load(result.jobs, pool.pool.gpus());
    if (natural <= 0)
      return bad_input("--load: all jobs come at one instant, they cannot be sped up");
    result.speedup *= *request.load / natural;
  }
  if (result.speedup != 1) speed_up(result.jobs, result.speedup);
  result.offered_load = offered_load(result.jobs, pool.pool.gpus());
  result.description = describe(result, rest, made, loaded.left_out);
  return result;
}

void speed_up(Trace& trace, double factor) {
  if (trace.empty()) return;
  const Instant first = extent_of(trace).first;
  for (TraceJob& job : trace) {
    const auto gap = static_cast<double>((job.submit - first).count());
    job.submit = first + Duration(static_cast<std::int64_t>(std::floor(gap / factor)));
  }
}

double offered_load(const Trace& trace, std::uint64_t pool_gpus) {
  if (trace.empty() || pool_gpus == 0) return 0;
  const Extent extent = extent_of(trace);
  if (extent.last <= extent.first) return 0;
  double asked = 0;
  for (const TraceJob& job : trace) {
    const std::uint64_t milli = job.gpus > 0 ? job.gpus * kWholeMilli : job.job.gang.milli_gpus();
    asked += seconds(job.runtime) * static_cast<double>(milli) / kWholeMilli;
  }
  return asked / (seconds(extent.last - extent.first) * static_cast<double>(pool_gpus));
}

}  // namespace weir::lab

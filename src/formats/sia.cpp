#include "formats/sia.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.hpp"
#include "base/text.hpp"

namespace weir {
namespace {

enum Column : std::size_t { kName, kTime, kApplication, kReplicas };

struct Application {
  std::string_view name;
  double gpu_hours;
};
constexpr double kSmall = 0.316;
constexpr double kMedium = 3.16;
constexpr double kLarge = 31.6;
constexpr double kExtraLarge = 100;
constexpr std::array<Application, 6> kApplications{{{"cifar10", kSmall},
                                                    {"ncf", kSmall},
                                                    {"bert", kMedium},
                                                    {"deepspeech2", kMedium},
                                                    {"yolov3", kLarge},
                                                    {"imagenet", kExtraLarge}}};

}  // namespace

SiaReader::SiaReader(TraceFilter filter)
    : CsvLogReader(CsvTable({"name", "time", "application", "num_replicas"}), std::move(filter)) {}

Status SiaReader::line(std::string_view text, std::size_t /*number*/) {
  if (!WEIR_TRY(table_.take(text))) return {};
  TraceJob job;
  job.submit = Instant() + WEIR_TRY(table_.duration(kTime));
  job.gpus = WEIR_TRY(table_.number(kReplicas, 1, limits::kGpus));
  job.vc = WEIR_TRY(table_.name(kApplication));
  job.job.name = WEIR_TRY(table_.name(kName));
  const auto found = std::ranges::find(kApplications, std::string_view(job.vc), &Application::name);
  if (found == kApplications.end()) {
    std::vector<std::string_view> known;
    for (const Application& one : kApplications) known.push_back(one.name);
    return bad_input(fmt::format("application: expected one of {}, found {}",
                                 fmt::join(known, ", "), quoted(job.vc)));
  }
  job.runtime = from_seconds(found->gpu_hours * 3600 / static_cast<double>(job.gpus));
  job.job.estimate = job.runtime;
  return jobs_.add(std::move(job));
}

}  // namespace weir

// Reading: a compressed job log and compressed fabric dumps, from file to values.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>

#include "benches.hpp"
#include "data.hpp"
#include "formats/ibnetdiscover.hpp"
#include "timings.hpp"

namespace weir::bench {
namespace {

constexpr int kRounds = 3;

// Number of lines.
Result<std::size_t> read_dump(const std::filesystem::path& path) {
  IbnetdiscoverReader reader;
  std::size_t lines = 0;
  WEIR_TRY(os::for_each_line(path, [&](std::string_view line, std::size_t number) {
    lines = number;
    return reader.line(line, number);
  }));
  WEIR_TRY(reader.finish());
  return lines;
}

Result<std::size_t> read_log() {
  const Trace trace = WEIR_TRY(read_philly({}));
  return trace.size();
}

// The fastest of several rounds.
Status bench_reader(const std::string& name, const std::function<Result<std::size_t>()>& read,
                    BenchReport& report) {
  double best = std::numeric_limits<double>::max();
  std::size_t lines = 0;
  for (int round = 0; round < kRounds; ++round) {
    const double begin = cpu_seconds();
    lines = WEIR_TRY(read());
    best = std::min(best, cpu_seconds() - begin);
  }
  const auto count = static_cast<double>(lines);
  report.row(name, {count, best * 1e3, count / best});
  return {};
}

}  // namespace

Status bench_readers(const BenchOptions& /*options*/, BenchReport& report) {
  if (!std::filesystem::exists(data_file("traces"))) {
    report.note("readers: the data set is not here; set WEIR_TEST_DATA");
    return {};
  }
  report.table("Readers: decompressed and parsed, one core", "file",
               {"lines", "CPU ms", "lines/s"});
  WEIR_TRY(bench_reader("philly_jobs.csv.gz", read_log, report));
  for (const char* name :
       {"selene.compute.ibnetdiscover.xz", "ndr-dgx-40sw-582ca.ibnetdiscover.xz"})
    WEIR_TRY(bench_reader(
        name, [&] { return read_dump(data_file(std::string("ib-samples/ibnetdiscover/") + name)); },
        report));
  return {};
}

}  // namespace weir::bench

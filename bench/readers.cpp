// Reading: texts of every format, generated in memory at two sizes; and of the data set a
// compressed job log and compressed fabric dumps, from file to values.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "benches.hpp"
#include "data.hpp"
#include "formats/ibnetdiscover.hpp"
#include "reader_texts.hpp"
#include "timings.hpp"

namespace weir::bench {
namespace {

constexpr int kRounds = 3;
// How much longer the long texts are than the short ones.
constexpr std::uint32_t kGrowth = 8;
// A round reads a short text again and again until this much CPU time is gone.
constexpr double kRoundSeconds = 0.05;

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

double megabytes(const ReaderText& text) { return static_cast<double>(text.text.size()) / 1e6; }

// MB/s of the fastest round. What the reader found is compared with what the text holds.
Result<double> measure(const ReaderText& text, bool quick, BenchReport& report) {
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < (quick ? 1 : kRounds); ++round) {
    const double begin = cpu_seconds();
    double taken = 0;
    int readings = 0;
    do {
      const std::size_t found = WEIR_TRY(text.read(text.text));
      if (found != text.items)
        report.note(
            fmt::format("{}: read {} items, the text holds {}", text.format, found, text.items));
      report.compared(1, found == text.items ? 0 : 1);
      ++readings;
      taken = cpu_seconds() - begin;
    } while (!quick && taken < kRoundSeconds);
    best = std::min(best, taken / readings);
  }
  return megabytes(text) / best;
}

using MakeTexts = Result<std::vector<ReaderText>> (*)(TextSize size);

Status bench_generated(const std::string& what, MakeTexts make, const BenchOptions& options,
                       BenchReport& report) {
  const std::vector<ReaderText> small = WEIR_TRY(make({1, options.quick}));
  const std::vector<ReaderText> large = WEIR_TRY(make({kGrowth, options.quick}));
  report.table(what + ": generated text in memory, one core", "format",
               {"MB", "MB/s", "large, MB", "MB/s, large", "MB/s ratio"});
  for (std::size_t i = 0; i < small.size(); ++i) {
    const double short_speed = WEIR_TRY(measure(small[i], options.quick, report));
    const double long_speed = WEIR_TRY(measure(large[i], options.quick, report));
    report.row(std::string(small[i].format), {megabytes(small[i]), short_speed, megabytes(large[i]),
                                              long_speed, long_speed / short_speed});
  }
  return {};
}

}  // namespace

Status bench_readers(const BenchOptions& options, BenchReport& report) {
  WEIR_TRY(bench_generated("Readers of fabrics", fabric_texts, options, report));
  WEIR_TRY(bench_generated("Readers of job logs", log_texts, options, report));
  if (options.quick) return {};
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

// Job logs as text: the columns that their owners publish, filled at random with what these logs
// hold, so that fields are as long as real ones.
#include <array>
#include <chrono>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/rng.hpp"
#include "base/time.hpp"
#include "formats/gpu_log.hpp"
#include "formats/job_file.hpp"
#include "formats/openb.hpp"
#include "formats/pai.hpp"
#include "formats/philly.hpp"
#include "formats/philly_json.hpp"
#include "formats/sia.hpp"
#include "formats/swf.hpp"
#include "formats/venus.hpp"
#include "reader_texts.hpp"

namespace weir::bench {
namespace {

using Text = std::back_insert_iterator<std::string>;

// What is drawn for one row.
struct Row {
  std::size_t number;
  std::uint64_t seconds;  // of submission, from the log's start
  std::uint64_t duration;
  std::uint64_t gpus;
  std::uint64_t user;

  // At the log's start plus so many seconds.
  [[nodiscard]] static std::string date(std::uint64_t seconds) {
    constexpr auto kStart = std::chrono::sys_days(std::chrono::year(2020) / 4 / 1);
    return format_instant(Instant(std::chrono::microseconds(kStart.time_since_epoch()).count()) +
                          std::chrono::seconds(seconds));
  }
};

// `head` and then what `write` makes of each of so many rows.
template <typename Write>
std::string rows(std::string_view head, std::size_t count, Write write) {
  Rng rng(42);
  std::string text(head);
  const Text out(text);
  for (std::size_t number = 1; number <= count; ++number)
    write(out, Row{number, rng.below(180UL * 86'400), 1 + rng.below(200'000),
                   std::uint64_t{1} << rng.below(6), rng.below(400)});
  return text;
}

std::string philly(std::size_t jobs) {
  return rows("timestamp,duration,num_gpus,gpu_time,cluster\n", jobs, [](Text out, const Row& row) {
    fmt::format_to(out, "{},{}.0,{},{}.0,{:06x}\n", Row::date(row.seconds), row.duration, row.gpus,
                   row.duration * row.gpus, row.user % 14);
  });
}

std::string philly_json(std::size_t jobs) {
  std::string text = rows("[\n", jobs, [](Text out, const Row& row) {
    fmt::format_to(out,
                   "  {{\n    \"status\": \"Pass\", \"vc\": \"{:06x}\", \"jobid\": "
                   "\"application_1506638472019_{:05}\",\n    \"attempts\": [ {{\n"
                   "      \"start_time\": \"{}\", \"end_time\": \"{}\",\n"
                   "      \"detail\": [ {{ \"ip\": \"m{}\", \"gpus\": [ ",
                   row.user % 14, row.number, Row::date(row.seconds),
                   Row::date(row.seconds + row.duration), row.user);
    for (std::uint64_t gpu = 0; gpu < row.gpus; ++gpu)
      fmt::format_to(out, "{}\"gpu{}\"", gpu == 0 ? "" : ", ", gpu);
    fmt::format_to(
        out, " ] }} ]\n    }} ],\n    \"submitted_time\": \"{}\", \"user\": \"{:06x}\"\n  }},\n",
        Row::date(row.seconds), row.user);
  });
  text.erase(text.size() - 2);  // the last comma
  return text + "\n]\n";
}

std::string venus(std::size_t jobs) {
  return rows(
      "job_id,user,tenant,class,submit_time,num_chips,chip_type,num_nodes,duration_s,"
      "walltime_limit_s,final_status\n",
      jobs, [](Text out, const Row& row) {
        fmt::format_to(out, "{},u{:04x},vc{},finetune,{},{},,1,{}.0,{}.0,COMPLETED\n",
                       700'000 + row.number, row.user, row.user % 14, row.seconds * 1'000'000,
                       row.gpus, row.duration, row.duration);
      });
}

std::string helios(std::size_t jobs) {
  return rows(
      "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
      "queue\n",
      jobs, [](Text out, const Row& row) {
        const std::string date = Row::date(row.seconds);
        fmt::format_to(out, "{},u{:04x},vc{},{},{},1,COMPLETED,{},{},{},{},0\n", row.number,
                       row.user, row.user % 14, row.gpus, row.gpus * 8, date, date,
                       Row::date(row.seconds + row.duration), row.duration);
      });
}

std::string acme(std::size_t jobs) {
  return rows(
      "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,"
      "queue,gpu_time\n",
      jobs, [](Text out, const Row& row) {
        const std::string date = Row::date(row.seconds);
        fmt::format_to(out,
                       "dlctk{:06x},u{:04x},1,{},{},evaluation,COMPLETED,{}+08:00,{}+08:00,"
                       "{}+08:00,{}.0,0,{}\n",
                       row.number, row.user, row.gpus, row.gpus * 16, date, date,
                       Row::date(row.seconds + row.duration), row.duration,
                       row.duration * row.gpus);
      });
}

std::string pai(std::size_t jobs) {
  return rows("submit_time,duration,job_id,num_inst,num_gpu,num_cpu,user,gpu_type,group\n", jobs,
              [](Text out, const Row& row) {
                fmt::format_to(out, "{}.0,{}.0,{:08x},{},0.5,6.0,{:04x},MISC,{:06x}\n", row.seconds,
                               row.duration, row.number, row.gpus, row.user, row.user % 14);
              });
}

std::string sia(std::size_t jobs) {
  constexpr std::array<std::string_view, 6> kModels{"cifar10",     "ncf",    "bert",
                                                    "deepspeech2", "yolov3", "imagenet"};
  return rows("name,time,application,num_replicas,batch_size\n", jobs,
              [&](Text out, const Row& row) {
                const std::string_view model = kModels[row.user % kModels.size()];
                fmt::format_to(out, "{}-{},{},{},{},{}\n", model, row.number, row.seconds, model,
                               row.gpus, row.gpus * 128);
              });
}

std::string swf(std::size_t jobs) {
  return rows("; Version: 2.2\n; UnixStartTime: 1585699200\n", jobs, [](Text out, const Row& row) {
    fmt::format_to(out, "{:6} {:9} {:6} {:7} {:4} -1 -1 {:4} {:7} -1 1 {:4} 1 -1 {:2} -1 -1 -1\n",
                   row.number, row.seconds, row.user, row.duration, row.gpus, row.gpus,
                   row.duration * 2, row.user, row.user % 4);
  });
}

std::string openb_nodes(std::size_t nodes) {
  return rows("sn,cpu_milli,memory_mib,gpu,model\n", nodes, [](Text out, const Row& row) {
    fmt::format_to(out, "openb-node-{:05},{},{},{},{}\n", row.number, 96'000, 393'216, row.gpus % 9,
                   row.user % 2 == 0 ? "V100M32" : "G2");
  });
}

std::string openb_tasks(std::size_t tasks) {
  return rows(
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
      "deletion_time,scheduled_time\n",
      tasks, [](Text out, const Row& row) {
        fmt::format_to(out, "openb-pod-{:06},{},{},1,{},{},LS,Running,{},{},{}\n", row.number,
                       row.gpus * 1'000, row.gpus * 4'096, 1 + row.user,
                       row.user % 3 == 0 ? "V100M16|V100M32" : "", row.seconds,
                       row.seconds + row.duration, row.seconds);
      });
}

std::string job_file(std::size_t jobs) {
  return rows("# jobs of a week\n", jobs, [](Text out, const Row& row) {
    fmt::format_to(out,
                   "[[job]]\nname = \"train-{}\"\nuser = \"u{:04x}\"\ngpus = {}\n"
                   "runtime = \"{}s\"\nsubmit = \"{}s\"\n\n",
                   row.number, row.user, row.gpus, row.duration, row.seconds);
  });
}

template <typename Reader>
Result<std::size_t> read(std::string_view text) {
  Reader reader;
  return WEIR_TRY(read_lines(reader, text)).size();
}

Result<std::size_t> read_philly_json(std::string_view text) {
  constexpr std::size_t kChunk = std::size_t{64} << 10;  // about what a file is read in
  PhillyJsonReader reader;
  for (; !text.empty(); text.remove_prefix(std::min(kChunk, text.size())))
    WEIR_TRY(reader.bytes(text.substr(0, kChunk)));
  return WEIR_TRY(reader.finish()).size();
}

Result<std::size_t> read_job_file(std::string_view text) {
  return WEIR_TRY(parse_job_file(text, "jobs.toml")).size();
}

}  // namespace

Result<std::vector<ReaderText>> log_texts(TextSize size) {
  const std::size_t jobs = std::size_t{size.quick ? 200U : 20'000U} * size.scale;
  const std::size_t nodes = jobs / 5;  // no site has more than limits::kNodes
  return std::vector<ReaderText>{
      {"philly", philly(jobs), jobs, read<PhillyReader>},
      {"philly-json", philly_json(jobs), jobs, read_philly_json},
      {"venus", venus(jobs), jobs, read<VenusReader>},
      {"helios", helios(jobs), jobs, read<HeliosReader>},
      {"acme", acme(jobs), jobs, read<AcmeReader>},
      {"pai", pai(jobs), jobs, read<PaiReader>},
      {"sia", sia(jobs), jobs, read<SiaReader>},
      {"swf", swf(jobs), jobs, read<SwfReader>},
      {"openb, nodes", openb_nodes(nodes), nodes, read<OpenbNodeReader>},
      {"openb, tasks", openb_tasks(jobs), jobs, read<OpenbTaskReader>},
      {"job file", job_file(nodes), nodes, read_job_file},
  };
}

}  // namespace weir::bench

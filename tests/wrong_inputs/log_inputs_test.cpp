// Every reader of job logs, on every kind of wrong input: an error that names file and line, or the
// meaning that the format gives to it, told in what was left out; never a crash or a silent repair.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "lab/trace_source.hpp"
#include "support/fabric_text.hpp"
#include "support/folder.hpp"
#include "wrong_inputs/inputs.hpp"

namespace weir {
namespace {

using testing::Case;
using testing::Format;
using testing::replaced;

constexpr std::string_view kPhillyJson = R"([
 {"vc": "v", "jobid": "a1", "user": "u1", "submitted_time": "2017-10-09 07:01:55",
  "attempts": [
   {"start_time": "2017-10-09 07:02:00", "end_time": "2017-10-09 07:03:00",
    "detail": [{"ip": "m1", "gpus": ["gpu0"]}]}]}
]
)";

// A job each; of openb's nodes, a node.
const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = {
      {"philly",
       "timestamp,duration,num_gpus,gpu_time,cluster\n"
       "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n"},
      {"philly-json", kPhillyJson},
      {"venus",
       "job_id,user,tenant,class,submit_time,num_chips,chip_type,num_nodes,duration_s,"
       "walltime_limit_s,final_status\n"
       "765563,u1,vc1,finetune,5835000000,128,,16,24.0,24.0,CANCELED\n"},
      {"helios",
       "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
       "queue\n"
       "7,u1,vcA,16,64,2,COMPLETED,2020-04-01 00:00:37,2020-04-01 00:01:00,2020-04-01 00:02:00,"
       "60,23\n"},
      {"acme",
       "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,"
       "queue,gpu_time\n"
       "x,u,1,8,128,pretrain,FAILED,2023-07-01 00:00:12+08:00,2023-07-01 00:00:15+08:00,"
       "2023-07-01 01:00:15+08:00,3600.0,3,28800\n"},
      {"pai",
       "submit_time,duration,job_id,num_inst,num_gpu,num_cpu,user,gpu_type,group\n"
       "5.0,100,j1,4,2,8,u,V100,g\n"},
      {"sia",
       "name,time,application,num_replicas,batch_size\n"
       "cifar10-0,107,cifar10,6,2048\n"},
      {"swf",
       "; UnixStartTime: 1000\n"
       "1 0 5 60 4 -1 -1 8 3600 -1 1 12 1 1 3 -1 -1 -1\n"},
      {"openb",
       "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
       "deletion_time,scheduled_time\n"
       "b,6000,12288,1,460,T4,BE,Failed,10,110,60\n"},
      {"openb nodes", "sn,cpu_milli,memory_mib,gpu,model\nn0,64000,262144,2,P100\n"},
      {"job", "[[job]]\nname = \"a\"\ngpus = 8\nruntime = \"10m\"\nsubmit = \"0s\"\n"},
  };
  return kFormats;
}

std::string_view good(std::string_view name) { return testing::good_text(formats(), name); }

// JSON and TOML have no columns, and their own rules for blanks.
bool is_table(const Format& format) { return format.name != "philly-json" && format.name != "job"; }

class WrongLogs : public ::testing::Test {
 protected:
  // What the reader of that format says to these bytes, the folder taken off; empty: accepted.
  std::string error(std::string_view format, std::string_view bytes) {
    const std::string path = folder_.write("input", std::string(bytes)).string();
    return testing::without_folder(
        format == "openb nodes" ? testing::message_of(lab::pool_of_node_list("openb:" + path))
                                : testing::message_of(load(format, path)),
        folder_);
  }

  static Result<lab::LabTrace> load(std::string_view format, const std::string& path) {
    lab::TraceRequest request;
    request.source = std::string(format) + ":" + path;
    return lab::load_trace(request, lab::pool_of_size("64x8").value());
  }

  void check(const std::vector<Case>& cases) {
    for (const Case& one : cases) {
      const std::string message = error(one.format, replaced(good(one.format), one.what, one.with));
      EXPECT_TRUE(message.starts_with(one.expected))
          << one.format << ", " << one.with << ": " << message;
    }
  }

  testing::TestFolder folder_;
};

TEST_F(WrongLogs, TheGoodOnesAreAccepted) {
  for (const Format& format : formats())
    EXPECT_EQ(error(format.name, format.good), "") << format.name;
}

TEST_F(WrongLogs, AnEmptyFile) {
  for (const Format& format : formats()) {
    const std::string message = error(format.name, "");
    EXPECT_NE(message.find("input"), std::string::npos) << format.name;
    EXPECT_NE(message.find(is_table(format) && format.name != "swf" ? "no header line" : "job"),
              std::string::npos)
        << format.name << ": " << message;
  }
}

TEST_F(WrongLogs, Utf16AndByteOrderMarks) {
  for (const Format& format : formats()) {
    std::string wide = "\xff\xfe";
    for (const char c : format.good) wide += {c, '\0'};
    const std::string message = error(format.name, wide);
    EXPECT_TRUE(message.starts_with("input:1: ")) << format.name << ": " << message;
    const std::string marked = error(format.name, "\xef\xbb\xbf" + std::string(format.good));
    if (format.name == "job")
      EXPECT_EQ(marked, "");  // TOML allows it
    else
      EXPECT_TRUE(marked.starts_with("input:1: ")) << format.name << ": " << marked;
  }
}

// JSON and TOML allow both ends of a line, and mean the same.
TEST_F(WrongLogs, CrLf) {
  for (const Format& format : formats()) {
    std::string text;
    for (const char c : format.good) text += c == '\n' ? "\r\n" : std::string(1, c);
    if (is_table(format)) {
      const std::string message = error(format.name, text);
      EXPECT_TRUE(message.starts_with("input:1: the line ends with CR LF") &&
                  message.find("dos2unix") != std::string::npos)
          << format.name << ": " << message;
      continue;
    }
    const auto with_lf = load(format.name, folder_.write("input", std::string(format.good)));
    const auto with_cr = load(format.name, folder_.write("input", text));
    ASSERT_TRUE(with_lf && with_cr) << format.name;
    EXPECT_EQ(with_cr->jobs, with_lf->jobs) << format.name;
  }
}

TEST_F(WrongLogs, ZeroBytes) {
  for (const Format& format : formats()) {
    std::string text(format.good);
    const auto lines = std::ranges::count(text, '\n');
    text.insert(text.size() - 4, 1, '\0');
    const std::string within = error(format.name, text);
    // Four bytes before its end Philly's JSON is in the line before.
    const auto line = format.name == "philly-json" ? lines - 1 : lines;
    EXPECT_TRUE(within.starts_with("input:" + std::to_string(line) + ": "))
        << format.name << ": " << within;
    const std::string behind = error(format.name, std::string(format.good) + '\0');
    EXPECT_TRUE(behind.starts_with("input:" + std::to_string(lines + 1) + ": "))
        << format.name << ": " << behind;
  }
}

TEST_F(WrongLogs, ALineOfTenMegabytes) {
  for (const Format& format : formats())
    for (const char filler : {'x', ',', ' '}) {
      const std::string message =
          error(format.name, std::string(format.good) + std::string(10'000'000, filler));
      if (filler == ' ' && !is_table(format)) {
        EXPECT_EQ(message, "") << format.name;  // blanks at the end say nothing
        continue;
      }
      const auto line = std::ranges::count(format.good, '\n') + 1;
      EXPECT_TRUE(message.starts_with("input:" + std::to_string(line) + ": "))
          << format.name << ": " << message.substr(0, 300);
      EXPECT_LT(message.size(), 1'000U) << format.name;
    }
  // One text of 10 MB inside the JSON.
  const std::string message =
      error("philly-json", replaced(kPhillyJson, "a1", std::string(10'000'000, 'a')));
  EXPECT_TRUE(message.starts_with("input:2: no JSON: ")) << message.substr(0, 300);
}

// A file that ends anywhere in its last line is an error there, or lacks nothing that is read.
TEST_F(WrongLogs, CutOffAtAnyByteOfTheLastLine) {
  for (const Format& format : formats()) {
    if (!is_table(format)) continue;
    const std::size_t last = format.good.rfind('\n', format.good.size() - 2) + 1;
    const std::size_t last_field = format.good.rfind(format.name == "swf" ? ' ' : ',');
    for (std::size_t size = last + 1; size <= last_field; ++size) {
      const std::string message = error(format.name, format.good.substr(0, size));
      EXPECT_TRUE(message.starts_with("input:2: ") &&
                  message.find("expected ") != std::string::npos)
          << format.name << " cut off behind byte " << size << ": " << message;
    }
  }
  for (std::size_t size = 1; size + 2 < kPhillyJson.size(); ++size) {
    const std::string message = error("philly-json", kPhillyJson.substr(0, size));
    EXPECT_TRUE(message.find(": no JSON: ") != std::string::npos) << size << ": " << message;
  }
}

TEST_F(WrongLogs, TheJobFileCutOff) {
  check({{"job", "\"0s\"\n", "\"0", "input:5: "},
         {"job", "\"0s\"\n", "", "input:5: "},
         {"job", "submit = \"0s\"\n", "sub", "input:5: "},
         {"job", "runtime = \"10m\"\nsubmit = \"0s\"\n", "",
          "input:1: job \"a\": runtime is missing"},
         {"job", "[[job]]", "[[job", "input:1: "}});
}

TEST_F(WrongLogs, NegativeDurations) {
  check({
      {"philly", ",66.0,", ",-66.0,", "input:2: duration: expected seconds from 0 to 63072000, "},
      {"venus", ",24.0,24.0,", ",-24.0,24.0,", "input:2: duration_s: expected seconds from 0"},
      {"helios", ",60,", ",-60,", "input:2: duration: expected seconds from 0"},
      {"acme", "3600.0", "-3600.0", "input:2: duration: expected seconds from 0"},
      {"pai", ",100,", ",-100,", "input:2: duration: expected seconds from 0"},
      // It has no durations; a job cannot come before the list begins.
      {"sia", ",107,", ",-107,", "input:2: time: expected seconds from 0"},
      {"swf", " 60 4", " -60 4", "input:2: run time: expected a number from -1 "},
      {"swf", "8 3600", "8 -3600", "input:2: requested time: expected a number from -1 "},
      {"openb", ",10,110,60", ",10,50,60", "input:2: deletion_time: 50 s comes before the task"},
      {"openb", ",10,110,60", ",-10,110,60", "input:2: creation_time: expected seconds from 0"},
      {"job", "\"10m\"", "\"-10m\"", "input:4: runtime: \"-10m\" is no duration"},
      // What these formats say of a job that never ran.
      {"swf", " 60 4", " -1 4", "--trace swf:input: no job in it; left out: 1 without a run time"},
      {"philly-json", "07:03:00", "07:01:00",
       "--trace philly-json:input: no job in it; left out: 1 that never ran to an end"},
  });
}

TEST_F(WrongLogs, MissingColumns) {
  check({
      {"philly", "duration", "length", "input:1: the header lacks the column duration: expected "},
      {"venus", "duration_s", "length", "input:1: the header lacks the column duration_s: "},
      {"helios", ",vc,", ",v,", "input:1: the header lacks the column vc: expected "},
      {"acme", ",type,", ",kind,", "input:1: the header lacks the column type: expected "},
      {"pai", ",group", ",team", "input:1: the header lacks the column group: expected "},
      {"sia", "num_replicas", "n", "input:1: the header lacks the column num_replicas: "},
      {"swf", " -1 -1\n", " -1\n", "input:2: expected 18 numbers, found 17"},
      {"openb", "cpu_milli", "cpu", "input:1: the header lacks the column cpu_milli: expected "},
      {"openb nodes", "model", "type", "input:1: the header lacks the column model: expected "},
      {"philly", "gpu_time", "num_gpus", "input:1: the header has the column num_gpus twice"},
      {"job", "gpus = 8\n", "", "input:1: job \"a\": the gang asks for nothing: expected GPUs"},
      {"job", "runtime", "runtimes", "input:4: "},
      {"philly-json", "\"attempts\"", "\"tries\"",
       "--trace philly-json:input: no job in it; left out: 1 that never ran to an end"},
      {"philly-json", "\"submitted_time\"", "\"submitted\"",
       "--trace philly-json:input: no job in it; left out: 1 without a submission time"},
      {"philly-json", "\"gpus\"", "\"cards\"",
       "--trace philly-json:input: no job in it; left out: 1 without GPUs"},
  });
  // May be missing: then there is no virtual cluster; all tasks come at once.
  EXPECT_EQ(error("philly-json", replaced(kPhillyJson, "\"vc\"", "\"cluster\"")), "");
  EXPECT_EQ(error("openb", replaced(good("openb"), "deletion_time", "removed")), "");
}

TEST_F(WrongLogs, NumbersThatNothingHolds) {
  check({
      {"philly", ",66.0,", ",1e30,", "input:2: duration: expected seconds from 0 to 63072000, "},
      {"philly", "66.0,1,", "66.0,99999999999999999999,",
       "input:2: num_gpus: expected a whole number from 1 to 131072, found "
       "\"99999999999999999999\""},
      {"philly", "2017-10", "20171-10", "input:2: timestamp: expected a date"},
      {"philly-json", "2017-10-09 07:03", "9999-10-09 07:03",
       "input:5: job \"a1\": expected at most 131072 GPUs and 730d 00h"},
      {"philly-json", "\": \"2017", "\": \"20177", "input:2: submitted_time: \"20177-10-09"},
      {"venus", "5835000000", "99999999999999999999", "input:2: submit_time: expected a whole"},
      {"venus", ",128,", ",131073,",
       "input:2: num_chips: expected a whole number from 1 to 131072"},
      {"helios", ",60,", ",1e300,", "input:2: duration: expected seconds from 0 to 63072000"},
      {"helios", ",16,64", ",99999999999,64", "input:2: gpu_num: expected a whole number from 0"},
      {"acme", "3600.0", "inf", "input:2: duration: expected seconds from 0 to 63072000"},
      {"acme", ",8,128", ",131073,128", "input:2: gpu_num: expected a whole number from 0"},
      {"pai", ",4,2,", ",131072,2,", "input:2: num_inst x num_gpu: expected at most 131072 GPUs"},
      {"pai", ",4,2,", ",4,1e400,", "input:2: num_gpu: expected a number from 0 to 131072"},
      {"pai", "5.0,", "1e20,", "input:2: submit_time: expected seconds from 0 to 63072000"},
      {"sia", ",6,", ",4294967297,", "input:2: num_replicas: expected a whole number from 1"},
      {"sia", ",107,", ",1e18,", "input:2: time: expected seconds from 0 to 63072000"},
      {"swf", " 60 4", " 1e11 4", "input:2: run time: expected at most 63072000 s"},
      {"swf", " 60 4", " 1e400 4", "input:2: run time: expected a number from -1 to"},
      {"swf", "4 -1 -1 8", "4 -1 -1 18446744073709551616",
       "input:2: requested processors: expected a number from -1 to 1000000000000, found"},
      {"swf", "1000", "99999999999999999999",
       "input:1: UnixStartTime: expected seconds since 1970"},
      {"openb", "6000,", "4294967296,", "input:2: cpu_milli: expected a whole number from 0"},
      {"openb", ",1,460", ",33,460", "input:2: num_gpu: expected a whole number from 0 to 32"},
      {"openb", ",1,460", ",1,1001", "input:2: gpu_milli: expected a whole number from 1 to 1000"},
      {"openb", ",110,", ",1e18,", "input:2: deletion_time: expected seconds from 0 to 63072000"},
      {"openb nodes", "64000", "99999999999", "input:2: cpu_milli: expected a whole number"},
      {"openb nodes", ",2,", ",33,", "input:2: gpu: expected a whole number from 0 to 32"},
      {"job", "= 8", "= 99999999999999999999", "input:3: "},
      {"job", "= 8", "= 33", "input:3: gpus: expected a whole number from 0 to 32, found 33"},
      {"job", "10m", "99999999999999h", "input:4: runtime: \"99999999999999h\" is longer than"},
      // The log's word for a job that never ran.
      {"acme", "3600.0", "nan", "--trace acme:input: no job in it; left out: 1 that never started"},
  });
}

}  // namespace
}  // namespace weir

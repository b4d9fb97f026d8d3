#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/job_request.hpp"

namespace weir {
namespace {

// A field of JSON and how the message about it begins.
struct WrongField {
  std::string_view json;
  std::string_view message;
};

class WrongRequest : public ::testing::TestWithParam<WrongField> {};

TEST_P(WrongRequest, IsRefusedByTheNameOfItsField) {
  const auto request =
      parse_job_request_json(R"({"command":["a"],)" + std::string(GetParam().json) + "}");
  ASSERT_FALSE(request);
  EXPECT_THAT(request.error().message, ::testing::StartsWith(GetParam().message));
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(Fields, WrongRequest, ::testing::Values(
    WrongField{R"("gpuz":1)", "/gpuz: unknown field: did you mean gpus?; known: name, command, environment"},
    WrongField{R"("xyzzy":1)", "/xyzzy: unknown field; known: name"},
    WrongField{R"("a/b~c":1)", "/a~1b~0c: unknown field"},
    WrongField{R"("name":5)", "/name: expected a text in quotes, found 5"},
    WrongField{R"("environment":["A=b"])", "/environment: expected a table of NAME = \"value\", found a list"},
    WrongField{R"("environment":{"A":5})", "/environment/A: expected a text in quotes, found 5"},
    WrongField{R"("environment":{"A=B":"c"})", "/environment/A=B: expected the name of a variable"},
    WrongField{R"("environment":{"A":"b\u0000c"})", "/environment/A: expected a text without zero bytes"},
    WrongField{R"("directory":false)", "/directory: expected a text in quotes, found false"},
    WrongField{R"("output":"a\u0000")", "/output: expected a text without zero bytes"},
    WrongField{R"("error":1)", "/error: expected a text in quotes, found 1"},
    WrongField{R"("nodes":0)", "/nodes: expected a whole number from 1 to 32768, found 0"},
    WrongField{R"("nodes":1.5)", "/nodes: expected a whole number from 1 to 32768, found 1.5"},
    WrongField{R"("nodes":"4")", "/nodes: expected a whole number from 1 to 32768, found \"4\""},
    WrongField{R"("nodes":99999999999999999999)", "/nodes: expected a whole number"},
    WrongField{R"("gpus":33)", "/gpus: expected a whole number from 0 to 32, found 33"},
    WrongField{R"("gpus":-1)", "/gpus: expected a whole number from 0 to 32, found -1"},
    WrongField{R"("gpu_share":1)", "/gpu_share: expected a number from 0.001 to 0.999"},
    WrongField{R"("gpu_share":0.0005)", "/gpu_share: expected a number from 0.001 to 0.999"},
    WrongField{R"("gpu_share":0.5,"gpus":1)", "/gpu_share: it excludes gpus, which is there too"},
    WrongField{R"("cpus":-1)", "/cpus: expected a number from 0 to"},
    WrongField{R"("cpus":0.0001)", "/cpus: expected a number from 0 to"},
    WrongField{R"("memory":"64X")", "/memory: expected a size like \"64G\""},
    WrongField{R"("memory":"5000T")", "/memory: expected a size like \"64G\""},
    WrongField{R"("memory":"64iB")", "/memory: expected a size like \"64G\""},
    WrongField{R"("memory":-5)", "/memory: expected a size like \"64G\""},
    WrongField{R"("memory":true)", "/memory: expected a text in quotes, found true"},
    WrongField{R"("tasks_per_node":0)", "/tasks_per_node: expected a whole number from 1 to 1024"},
    WrongField{R"("time":0)", "/time: expected more than 0; leave it out for no limit"},
    WrongField{R"("time":"1:2:3:4")", "/time: expected a time like \"2h\""},
    WrongField{R"("time":"forever")", "/time: expected a time like \"2h\""},
    WrongField{R"("time":"1000-00")", "/time: expected at most 730 days"},
    WrongField{R"("time":"1000d")", "/time: \"1000d\" is longer than"},
    WrongField{R"("class":"gold")", "/class: expected one of training, inference, test, found \"gold\""},
    WrongField{R"("gpu_model":7)", "/gpu_model: expected a text in quotes, found 7"},
    WrongField{R"("features":"ib")", "/features: expected a list of texts"},
    WrongField{R"("features":[1])", "/features: expected a text in quotes, found 1"},
    WrongField{R"("priority":1.5)", "/priority: expected a whole number, found 1.5"},
    WrongField{R"("topology":"pod")", "/topology: expected a table with require, prefer, segment, exclusive"},
    WrongField{R"("topology":{"require":"rack"})", "/topology/require: expected one of block, unit, pod, fabric, site"},
    WrongField{R"("topology":{"requires":"pod"})", "/topology/requires: unknown field: did you mean require?"},
    WrongField{R"("topology":{"segment":4})", "/topology/segment: expected a table with nodes and level"},
    WrongField{R"("topology":{"segment":{"nodes":0}})", "/topology/segment/nodes: expected a whole number from 1"},
    WrongField{R"("topology":{"segment":{"level":"pod"}})", "/topology/segment: expected a table with nodes"},
    WrongField{R"("signal":"BANG")", "/signal: expected a signal like TERM, USR1 or 10"},
    WrongField{R"("signal":65)", "/signal: expected a signal from 1 to 64"},
    WrongField{R"("signal":"TERM@soon")", "/signal: \"soon\" is no duration"},
    WrongField{R"("signal":"TERM@5s","grace":"6s")", "/grace: signal says a grace too"},
    WrongField{R"("grace":"-1s")", "/grace: \"-1s\" is no duration"},
    WrongField{R"("retries":-1)", "/retries: expected a whole number from 0"},
    WrongField{R"("retries":"3")", "/retries: expected a table with count, on"},
    WrongField{R"("retries":{"on":["always"]})", "/retries/on: expected one of failure, node-failure, time-limit"},
    WrongField{R"("retries":{"times":1})", "/retries/times: unknown field; known: count, on"},
    WrongField{R"("hold":"yes")", "/hold: expected true or false, found \"yes\""},
    WrongField{R"("begin":"tomorrow")", "/begin: expected a date in UTC like"},
    WrongField{R"("begin":"now+never")", "/begin: \"never\" is no duration"},
    WrongField{R"("after":"afterok:1")", "/after: expected a list like"},
    WrongField{R"("after":[12])", "/after/0: expected a text like \"afterok:12\", found 12"},
    WrongField{R"("after":["afterok:1","afterok"])", "/after/1: expected a dependency like afterok:12"},
    WrongField{R"("after":["after:1"])", "/after/0: expected a dependency like afterok:12"},
    WrongField{R"("after":["afterok:0"])", "/after/0: expected a dependency like afterok:12"},
    WrongField{R"("umask":22)", "/umask: expected octal digits in quotes like \"022\", found 22"},
    WrongField{R"("umask":"088")", "/umask: expected octal digits from 000 to 777"},
    WrongField{R"("on_partition":"stop")", "/on_partition: expected continue or end, found \"stop\""}));
// clang-format on

}  // namespace
}  // namespace weir

// Each rule on small samples: it finds what it should, and leaves alone what it should.
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "house/finding.hpp"
#include "house/folders.hpp"
#include "house/layers.hpp"
#include "house/order.hpp"
#include "house/purity.hpp"
#include "house/sizes.hpp"
#include "house/source_tree.hpp"
#include "house/texts.hpp"

namespace weir::house {
namespace {

Layers sample_layers() {
  Findings broken;
  const Layers layers =
      parse_layers(make_source("layers.md",
                               "| module | may include | kind | what |\n|---|---|---|---|\n"
                               "| base | | pure | x |\n| pool | base | pure | x |\n"
                               "| os | base | rim | x |\n| sim | base pool | repeatable | x |\n\n"
                               "| library | header | modules | files at most |\n|---|---|---|---|\n"
                               "| zlib | zlib.h | os | 1 |\n| fmt | fmt/ | any | any |\n\n"
                               "| path | may include |\n|---|---|\n| tests/slow_ | base |\n"),
                   broken);
  EXPECT_TRUE(broken.empty());
  return layers;
}

std::vector<std::string> rules_of(const Findings& findings) {
  std::vector<std::string> rules;
  for (const Finding& finding : findings) rules.push_back(finding.rule);
  return rules;
}

using Rules = std::vector<std::string>;

Rules includes(const std::string& path, const std::string& text) {
  return rules_of(check_includes(make_source(path, text), sample_layers()));
}

Rules purity(const std::string& path, const std::string& text) {
  return rules_of(check_purity(make_source(path, text), sample_layers()));
}

Rules texts(const std::string& path, const std::string& text) {
  return rules_of(check_texts(make_source(path, text)));
}

TEST(Rules, LayersAllowTheRowAndNothingElse) {
  EXPECT_EQ(includes("src/pool/a.cpp", "#include \"pool/b.hpp\"\n#include \"base/id.hpp\"\n"),
            Rules{});
  EXPECT_EQ(includes("src/base/a.cpp", "#include \"pool/b.hpp\"\n"), Rules{"layer"});
  EXPECT_EQ(includes("src/pool/a.cpp", "#include \"os/b.hpp\"\n"), Rules{"layer"});
  EXPECT_EQ(includes("src/pool/a.cpp", "// #include \"os/b.hpp\"\n"), Rules{});
  EXPECT_EQ(includes("src/pool/a.cpp", "#include \"neighbour.hpp\"\n"), Rules{"layer"});
  EXPECT_EQ(includes("src/other/a.cpp", ""), Rules{"layer"});
}

TEST(Rules, LayersBindTestsToo) {
  EXPECT_EQ(includes("src/pool/a_test.cpp", "#include \"support/data.hpp\"\n"), Rules{});
  EXPECT_EQ(includes("src/pool/a.cpp", "#include \"support/data.hpp\"\n"), Rules{"layer"});
  EXPECT_EQ(includes("src/base/a_test.cpp", "#include \"pool/a.hpp\"\n"), Rules{"layer"});
  EXPECT_EQ(includes("tests/slow_placer.cpp", "#include \"pool/a.hpp\"\n"), Rules{"layer"});
  EXPECT_EQ(includes("tests/other.cpp", "#include \"pool/a.hpp\"\n"), Rules{});
}

TEST(Rules, LayersFormNoCircle) {
  Findings broken;
  parse_layers(make_source("layers.md",
                           "| module | may include | kind | what |\n"
                           "| a | b | pure | x |\n| b | a | pure | x |\n"),
               broken);
  EXPECT_EQ(rules_of(broken), Rules{"layer"});
}

TEST(Rules, LinkDependenciesStayInsideTheLayers) {
  const SourceFile good = make_source("CMakeLists.txt", "weir_module(sim DEPS pool LIBS os)\n");
  const SourceFile bad = make_source("CMakeLists.txt", "weir_module(pool DEPS base os)\n");
  EXPECT_EQ(rules_of(check_link_dependencies(good, sample_layers())), Rules{});
  EXPECT_EQ(rules_of(check_link_dependencies(bad, sample_layers())), Rules{"layer"});
}

TEST(Rules, HeavyLibrariesStayInTheirPlace) {
  const auto check = [](const std::vector<SourceFile>& files) {
    return rules_of(check_libraries(files, sample_layers()));
  };
  const std::string text = "#include <zlib.h>\n";
  EXPECT_EQ(check({make_source("src/os/a.cpp", text)}), Rules{});
  EXPECT_EQ(check({make_source("src/os/a.cpp", text + text)}), Rules{});
  EXPECT_EQ(check({make_source("src/os/a.hpp", text)}), Rules{"library"});
  EXPECT_EQ(check({make_source("src/pool/a.cpp", text)}), Rules{"library"});
  EXPECT_EQ(check({make_source("src/os/a.cpp", text), make_source("src/os/b.cpp", text)}),
            Rules{"library"});
}

TEST(Rules, PureModulesReadNoClockAndOpenNoFile) {
  EXPECT_EQ(purity("src/pool/a.cpp", "#include <vector>\nint clocks = 86'400; // steady_clock\n"),
            Rules{});
  EXPECT_EQ(purity("src/pool/a.cpp", "auto t = std::chrono::steady_clock::now();"), Rules{"pure"});
  EXPECT_EQ(purity("src/pool/a.cpp", "#include <fstream>\n"), Rules{"pure"});
  EXPECT_EQ(purity("src/pool/a.cpp", "#include <unistd.h>\n"), Rules{"pure"});
  EXPECT_EQ(purity("src/pool/a.cpp", "#include <fmt/format.h>\n"), Rules{});
  EXPECT_EQ(purity("src/sim/a.cpp", "#include <fstream>\n"), Rules{});
  EXPECT_EQ(purity("src/sim/a.cpp", "#include <thread>\n"), Rules{"pure"});
  EXPECT_EQ(purity("src/os/a.cpp", "#include <thread>\nsystem_clock::now();"), Rules{});
  EXPECT_EQ(purity("src/pool/a_test.cpp", "#include <fstream>\n"), Rules{});
  EXPECT_EQ(purity("src/pool/test_site.hpp", "#include <gtest/gtest.h>\n"), Rules{});
}

TEST(Rules, NothingSleeps) {
  EXPECT_EQ(purity("src/os/a.cpp", "std::this_thread::sleep_for(x);"), Rules{"wait"});
  EXPECT_EQ(purity("tests/a.cpp", "std::random_device device;"), Rules{"wait"});
  EXPECT_EQ(purity("src/os/a.cpp", "asleep(); // sleep\n"), Rules{});
}

TEST(Rules, LiteralsAndCommentsAreNoCode) {
  EXPECT_EQ(blank_comments_and_literals("a /* b\n c */ d // e"), "a     \n      d     ");
  EXPECT_EQ(blank_comments_and_literals("f(\"x\\\"y\", 'z') + 1'000'000"),
            "f(      ,    ) + 1'000'000");
  EXPECT_EQ(blank_comments_and_literals("R\"(a\"b)\" c"), "         c");
  EXPECT_EQ(blank_comments_and_literals("g('\\'', '\"') h"), "g(    ,    ) h");
}

std::vector<std::size_t> lengths(const std::string& text) {
  std::vector<std::size_t> result;
  for (const FunctionExtent& function : functions_of(make_source("src/pool/a.cpp", text)))
    result.push_back(function.last_line - function.first_line + 1);
  return result;
}

TEST(Rules, FunctionsAreFoundWhereverTheyStand) {
  using Lengths = std::vector<std::size_t>;
  EXPECT_EQ(lengths("namespace a {\nint f() {\n  return 1;\n}\n}  // namespace a\n"), Lengths{3});
  EXPECT_EQ(lengths("class A : public B {\n public:\n  A(int x)\n      : x_{x}, y_(1) {\n  }\n"
                    "  int x_{3};\n};\n"),
            Lengths{3});
  EXPECT_EQ(lengths("template <class T, class U = A<int>>\nvoid f(T x) {\n  if (x) {\n  }\n}\n"),
            Lengths{5});
  EXPECT_EQ(
      lengths("constexpr int kTable[] = {\n  1,\n  2,\n};\nstruct P {\n  int a = f(1);\n};\n"),
      Lengths{});
  EXPECT_EQ(lengths("void f(A a = {}) {\n  auto g = [] {\n  };\n}\nint h() { return 1; }\n"),
            (Lengths{4, 1}));
  EXPECT_EQ(lengths("#define M(x) \\\n  do { \\\n  } while (x)\nTEST(A, B) {\n}\n"), Lengths{2});
}

TEST(Rules, LongThingsAreFound) {
  const auto check = [](const std::string& path, const std::string& text) {
    return rules_of(check_sizes(make_source(path, text)));
  };
  const std::string body(kFunctionLines - 2, '\n');
  EXPECT_EQ(check("src/pool/a.cpp", "int f() {\n" + body + "}\n"), Rules{});
  EXPECT_EQ(check("src/pool/a.cpp", "int f() {\n\n" + body + "}\n"), Rules{"long-function"});
  EXPECT_EQ(check("src/pool/a.hpp", std::string(kHeaderLines + 1, '\n')), Rules{"long-header"});
  EXPECT_EQ(check("src/pool/a.cpp", std::string(kFileLines + 1, '\n')), Rules{"long-file"});
}

TEST(Rules, TextsKeepOthersMachinesOut) {
  EXPECT_EQ(texts("docs/a.md",
                  "see /wo"
                  "rk/x and ../shared/data\n"),
            Rules{"machine-path"});
  EXPECT_EQ(texts("docs/a.md", "framework/x/ is fine, so is network/y\n"), Rules{});
  EXPECT_EQ(texts("dev",
                  "curl https://registry.npm"
                  "js.org/x\n"),
            Rules{"registry"});
  EXPECT_EQ(texts("dev",
                  "curl http://10.1"
                  ".2.3/x\n"),
            Rules{"registry"});
  EXPECT_EQ(texts("dev", "curl http://127.0.0.1:8080/ http://0.0.0.0/\n"), Rules{});
}

TEST(Rules, UnfinishedWorkNamesItsIssue) {
  EXPECT_EQ(texts("src/pool/a.cpp",
                  "// TO"
                  "DO: later\n"),
            Rules{"todo"});
  EXPECT_EQ(texts("src/pool/a.cpp",
                  "// TO"
                  "DO(#12): later\n"),
            Rules{});
  EXPECT_EQ(texts("src/pool/a.cpp",
                  "#if"
                  " 0\n"),
            Rules{"dead-code"});
}

TEST(Rules, HeadersBeginWithTheirContract) {
  EXPECT_EQ(texts("src/pool/a.hpp", "// What it is.\n#pragma once\n"), Rules{});
  EXPECT_EQ(texts("src/pool/a.hpp", "#pragma once\n"), Rules{"header"});
  EXPECT_EQ(texts("src/pool/a.hpp", "// What it is.\n#include <map>\n"), Rules{"header"});
}

TEST(Rules, UnorderedContainersAreNotIterated) {
  const SourceFile header =
      make_source("src/pool/a.hpp", "std::unordered_map<int, std::vector<int>> jobs_;\n");
  const auto check = [&](const std::string& text) {
    return rules_of(check_order(make_source("src/pool/a.cpp", text), &header));
  };
  EXPECT_EQ(check("for (const auto& [id, job] : jobs_) f(id);"), Rules{"order"});
  EXPECT_EQ(check("for (const auto& job : other.jobs_) f(job);"), Rules{"order"});
  EXPECT_EQ(check("std::vector<int> v(jobs_.begin(), jobs_.end());"), Rules{"order"});
  EXPECT_EQ(check("for (const auto& job : sorted(jobs_)) f(job);"), Rules{});
  EXPECT_EQ(check("for (const auto& job : jobs_) v.push_back(job);\nstd::ranges::sort(v);"),
            Rules{});
  EXPECT_EQ(check("if (jobs_.contains(3)) f(jobs_.at(3));"), Rules{});
}

TEST(Rules, FoldersExplainTheirFiles) {
  const SourceFile code = make_source("src/pool/ledger.hpp", "");
  const SourceFile test = make_source("src/pool/other_test.cpp", "");
  EXPECT_EQ(rules_of(check_folders({code})), Rules{"readme"});
  EXPECT_EQ(rules_of(check_folders({code, make_source("src/pool/README.md", "the pool")})),
            Rules{"readme"});
  EXPECT_EQ(rules_of(check_folders({code, test, make_source("src/pool/README.md", "`ledger`: x")})),
            Rules{});
}

TEST(Rules, ExceptionsCoverWhatTheySayAndMustBeNeeded) {
  Findings broken;
  const auto exceptions = parse_exceptions(
      "# comment\nlong-file a.cpp 500 generated\npure b.cpp - prints before it aborts\n", broken);
  ASSERT_TRUE(broken.empty());
  const Finding grown{"long-file", "a.cpp", 0, 501, ""};
  const Finding known{"long-file", "a.cpp", 0, 500, ""};
  const Finding prints{"pure", "b.cpp", 1, 0, ""};
  EXPECT_EQ(rules_of(without_exceptions({known, prints}, exceptions)), Rules{});
  EXPECT_EQ(rules_of(without_exceptions({grown, prints}, exceptions)),
            (Rules{"long-file", "exception"}));
  EXPECT_EQ(rules_of(without_exceptions({prints}, exceptions)), Rules{"exception"});
  parse_exceptions("long-file a.cpp 500\n", broken);
  EXPECT_EQ(rules_of(broken), Rules{"exception"});
}

}  // namespace
}  // namespace weir::house

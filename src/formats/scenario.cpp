#include "formats/scenario.hpp"

#include <algorithm>
#include <cctype>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/host_expression.hpp"
#include "formats/job_file.hpp"
#include "formats/scenario_fields.hpp"
#include "formats/toml.hpp"

namespace weir {
namespace {

// The line without a comment: '#' outside quotes, at the beginning of a word.
std::string_view without_comment(std::string_view line) {
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) inside = !inside;
    const bool begins_word = i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t';
    if (line[i] == '#' && !inside && begins_word) return line.substr(0, i);
  }
  return line;
}

// Takes the first word off a text.
std::string_view take_word(std::string_view& text) {
  text = trim(text);
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text = trim(text.substr(word.size()));
  return word;
}

bool is_key_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

// Where the fields begin: at the word before the first '='. The size where there are none.
std::size_t fields_begin(std::string_view text) {
  std::size_t at = text.find('=');
  if (at == std::string_view::npos) return text.size();
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  while (at > 0 && is_key_letter(text[at - 1])) --at;
  return at;
}

// One statement: what stands before its fields, and the fields.
struct Statement {
  std::vector<std::string> words;
  std::string_view fields;
};

Statement statement_of(std::string_view text) {
  const std::size_t begin = fields_begin(text);
  Statement statement;
  statement.fields = text.substr(begin);
  std::string_view head = text.substr(0, begin);
  while (!trim(head).empty()) {
    std::string_view word = take_word(head);
    if (word.ends_with(',')) word.remove_suffix(1);
    if (!word.empty()) statement.words.emplace_back(word);
  }
  return statement;
}

Result<std::vector<std::string>> hosts_of(std::string_view expression) {
  std::vector<std::string> names;
  WEIR_TRY(expand_hosts(expression, names));
  return names;
}

bool is_name(std::string_view word) {
  return !word.empty() && word.size() <= limits::kNameBytes &&
         std::ranges::all_of(word, [](char c) { return is_key_letter(c) || c == '.' || c == ':'; });
}

class Parser {
 public:
  explicit Parser(std::string_view file) : file_(file) {}

  Result<std::vector<ScenarioCase>> parse(std::string_view text) {
    for (const std::string_view line : split(text, '\n')) {
      ++line_;
      if (line.ends_with('\r')) return error("the line ends in CR LF: expected LF alone");
      const std::string_view content = trim(without_comment(line));
      if (content.empty()) continue;
      if (const Status status = statement(content); !status) return located(status.error());
    }
    if (cases_.empty())
      return bad_input(fmt::format("{}: no case: expected a line \"case NAME\"", file_));
    return std::move(cases_);
  }

 private:
  using Read = Status (Parser::*)(std::string_view text);
  struct Entry {
    std::string_view word;
    Read read;
    ScenarioVerb verb = ScenarioVerb::kTick;
  };
  static std::span<const Entry> statements();

  Status statement(std::string_view text) {
    std::string_view rest = text;
    std::string_view word = take_word(rest);
    with_last_ = word == "and";
    if (with_last_) word = take_word(rest);
    const auto entry = std::ranges::find(statements(), word, &Entry::word);
    if (entry == statements().end()) {
      std::vector<std::string_view> known;
      for (const Entry& one : statements()) known.push_back(one.word);
      const std::string_view near = closest(word, known);
      return bad_input(fmt::format("unknown statement {}{}", quoted(word),
                                   near.empty() ? "" : fmt::format(": did you mean {}?", near)));
    }
    if (cases_.empty() && word != "case")
      return bad_input("expected a line \"case NAME\" before anything else");
    verb_ = entry->verb;
    return (this->*entry->read)(rest);
  }

  Status read_case(std::string_view text) {
    if (text.empty()) return bad_input("expected a name: case NAME");
    if (std::ranges::any_of(cases_, [&](const ScenarioCase& one) { return one.name == text; }))
      return bad_input(fmt::format("a case {} stands above already", quoted(text)));
    ScenarioCase& one = cases_.emplace_back();
    one.line = line_;
    one.name = text;
    return {};
  }

  Status read_source(std::string_view text) {
    if (text.empty()) return bad_input("expected where the case comes from: from TEXT");
    current().source = text;
    return {};
  }

  Status read_settings(std::string_view text) {
    if (!current().steps.empty()) return bad_input("settings stand before the first step");
    return read_fields(current().settings, statement_of(text), 0);
  }

  Status read_nodes(std::string_view text) {
    if (!current().steps.empty()) return bad_input("nodes stand before the first step");
    const Statement statement = statement_of(text);
    ScenarioNodes nodes;
    nodes.line = line_;
    WEIR_TRY(read_fields(nodes, statement, 1));
    nodes.names = WEIR_TRY(hosts_of(statement.words[0]));
    current().nodes.push_back(std::move(nodes));
    return {};
  }

  Status read_switch(std::string_view text) {
    if (!current().steps.empty()) return bad_input("switches stand before the first step");
    const Statement statement = statement_of(text);
    ScenarioSwitch one;
    one.line = line_;
    WEIR_TRY(read_fields(one, statement, 1));
    one.name = statement.words[0];
    current().switches.push_back(std::move(one));
    return {};
  }

  // The fields of a job are those of the job file, and so are the errors.
  Status read_job(std::string_view text) {
    const Statement statement = statement_of(text);
    ScenarioStep step = new_step();
    if (statement.words.size() != 1)
      return bad_input("expected one name, then fields: submit train nodes = 2, gpus = 8");
    const bool uses_nodes = verb_ == ScenarioVerb::kUse;
    if (uses_nodes) {
      step.names = WEIR_TRY(hosts_of(statement.words[0]));
    } else if (!is_name(statement.words[0])) {
      return bad_input(fmt::format("{} is no name of a job: expected letters, digits, _ - . :",
                                   quoted(statement.words[0])));
    } else {
      step.names = statement.words;
    }
    const std::string file = fmt::format("{}job = [ {{ {} }} ]\n[defaults]\nruntime = \"1h\"\n",
                                         std::string(line_ - 1, '\n'), statement.fields);
    JobFileOptions options;
    options.most_jobs = 1;
    Trace trace = WEIR_TRY(parse_job_file(file, file_, options));
    step.job = std::move(trace[0].job);
    step.job.name = uses_nodes ? "" : step.names[0];
    step.total_gpus = trace[0].gpus;
    if (uses_nodes && (step.total_gpus > 0 || step.job.gang.node_count() > 1))
      return bad_input("expected what is used of each node: use n1 gpus = 4");
    current().steps.push_back(std::move(step));
    return {};
  }

  // finish train; drain n[1-2]
  Status read_names(std::string_view text) {
    ScenarioStep step = new_step();
    Statement statement = statement_of(text);
    if (verb_ == ScenarioVerb::kGrade) {
      if (statement.words.size() != 2)
        return bad_input("expected nodes and a grade: grade n1 poor");
      const auto grade = std::ranges::find_if(
          kAllGrades, [&](Grade one) { return to_text(one) == statement.words[1]; });
      if (grade == std::end(kAllGrades))
        return bad_input(fmt::format("{} is no grade: expected good, watch, poor or bad",
                                     quoted(statement.words[1])));
      step.grade = *grade;
      statement.words.pop_back();
    }
    if (statement.words.size() != 1 || !statement.fields.empty())
      return bad_input("expected names and nothing else");
    step.names = WEIR_TRY(hosts_of(statement.words[0]));
    current().steps.push_back(std::move(step));
    return {};
  }

  Status read_tick(std::string_view text) {
    ScenarioStep step = new_step();
    step.time = WEIR_TRY(parse_duration(text));
    return alone(std::move(step));
  }

  Status read_restart(std::string_view text) {
    if (!text.empty()) return bad_input("expected nothing behind restart");
    return alone(new_step());
  }

  Status read_expect(std::string_view text) {
    constexpr std::string_view kPhases[] = {"pending", "running", "ended", "cancelled", "refused"};
    ScenarioStep step = new_step();
    const Statement statement = statement_of(text);
    const bool has_phase = statement.words.size() == 2;
    WEIR_TRY(read_fields(step.expectation, statement, has_phase ? 2 : 1));
    step.expectation.subject = statement.words[0];
    if (has_phase) {
      if (std::ranges::find(kPhases, statement.words[1]) == std::end(kPhases))
        return bad_input(
            fmt::format("{} is no state of a job: expected pending, running, ended, cancelled or "
                        "refused",
                        quoted(statement.words[1])));
      step.expectation.phase = statement.words[1];
    }
    if (!has_phase && statement.fields.empty())
      return bad_input("expected what must be true: expect train running, on = \"n[1-2]\"");
    return alone(std::move(step));
  }

  // Steps that no `and` joins to another.
  Status alone(ScenarioStep step) {
    if (step.with_last) return bad_input("\"and\" joins events of jobs and nodes only");
    current().steps.push_back(std::move(step));
    return {};
  }

  template <typename T>
  Status read_fields(T& target, const Statement& statement, std::size_t words) {
    if (statement.words.size() != words)
      return bad_input(words == 0 ? "expected fields alone: key = value, key = value"
                                  : "expected a name, then fields: key = value, key = value");
    // Empty lines in front, so that the line in a message is the line of the file.
    const std::string text =
        fmt::format("{}fields = {{ {} }}\n", std::string(line_ - 1, '\n'), statement.fields);
    const TomlTable root = WEIR_TRY(parse_toml(text, file_));
    const auto* table = std::get_if<TomlTable>(&root.entries.front().value.content);
    if (table == nullptr || root.entries.size() != 1)
      return bad_input("expected fields: key = value, key = value");
    return scenario_fields::read(target, *table);
  }

  [[nodiscard]] ScenarioStep new_step() const {
    ScenarioStep step;
    step.line = line_;
    step.verb = verb_;
    step.with_last = with_last_;
    return step;
  }
  ScenarioCase& current() { return cases_.back(); }

  [[nodiscard]] std::unexpected<Error> error(std::string_view message) const {
    return bad_input(fmt::format("{}:{}: {}", file_, line_, message));
  }
  // Messages of the job file and of TOML begin with file and line already.
  [[nodiscard]] std::unexpected<Error> located(const Error& found) const {
    const std::string place = fmt::format("{}:", file_);
    if (found.message.starts_with(place)) return std::unexpected(found);
    return std::unexpected(
        Error{found.code, fmt::format("{}:{}: {}", file_, line_, found.message)});
  }

  static constexpr Grade kAllGrades[] = {Grade::kGood, Grade::kWatch, Grade::kPoor, Grade::kBad};

  std::string_view file_;
  std::size_t line_ = 0;
  ScenarioVerb verb_ = ScenarioVerb::kTick;
  bool with_last_ = false;
  std::vector<ScenarioCase> cases_;
};

std::span<const Parser::Entry> Parser::statements() {
  using enum ScenarioVerb;
  static constexpr Entry kStatements[] = {
      {"case", &Parser::read_case},
      {"from", &Parser::read_source},
      {"set", &Parser::read_settings},
      {"node", &Parser::read_nodes},
      {"switch", &Parser::read_switch},
      {"submit", &Parser::read_job, kSubmit},
      {"use", &Parser::read_job, kUse},
      {"finish", &Parser::read_names, kFinish},
      {"cancel", &Parser::read_names, kCancel},
      {"drain", &Parser::read_names, kDrain},
      {"resume", &Parser::read_names, kResume},
      {"down", &Parser::read_names, kDown},
      {"grade", &Parser::read_names, kGrade},
      {"tick", &Parser::read_tick, kTick},
      {"restart", &Parser::read_restart, kRestart},
      {"expect", &Parser::read_expect, kExpect},
  };
  return kStatements;
}

}  // namespace

Result<std::vector<ScenarioCase>> parse_scenarios(std::string_view text, std::string_view file) {
  return Parser(file).parse(text);
}

}  // namespace weir

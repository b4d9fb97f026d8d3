#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "base/time.hpp"
#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/controller_client.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"
#include "net/target.hpp"

namespace weir::cli {
namespace {

struct TokenOptions {
  std::string node;
  std::string life = "1h";
  std::string socket;
  bool json = false;
};

Status create_token(const TokenOptions& options) {
  const auto life = parse_duration(options.life);
  if (!life || *life < Duration(1'000'000))
    return bad_input(
        fmt::format("--life: expected a time of a second or more, such as 1h, found {}",
                    weir::quoted(options.life)));
  std::string target = fmt::format("/v1/tokens?life_s={}", life->count() / 1'000'000);
  if (!options.node.empty()) target += "&node=" + net::percent_encode(options.node);
  ControllerClient controller = WEIR_TRY(ControllerClient::make(options.socket));
  const std::string body = WEIR_TRY(controller.post(target));
  if (options.json) return put(body.ends_with('\n') ? body : body + "\n");
  const TomlTable answer = WEIR_TRY(parse_answer(body));
  const std::string token = text_of(answer, "token");
  if (token.empty()) return io_error("the controller answered no token: look at its log");
  return put(fmt::format("Token:  {0}\nOnce, within {1}:  weir agent --join {2} --token {0}\n",
                         token, format_duration(*life), text_of(answer, "joining")));
}

}  // namespace

void add_token_command(CLI::App& app, int& exit_code) {
  CLI::App* token = app.add_subcommand("token", "Tokens with which new nodes join");
  token->require_subcommand(1);
  CLI::App* command = token->add_subcommand("create", "Make a token that one node joins with once");
  const auto options = std::make_shared<TokenOptions>();
  command->add_option("--node", options->node, "Name of the node that may join (any)");
  command->add_option("--life", options->life, "How long it holds (1h)");
  command->add_flag("--json", options->json, "As JSON");
  add_socket_option(*command, options->socket);
  command->callback([options, &exit_code] {
    const Status done = create_token(*options);
    exit_code = done ? 0 : fail(done.error());
  });
}

}  // namespace weir::cli

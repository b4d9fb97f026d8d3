#include "cli/controller_client.hpp"

#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/answer.hpp"
#include "cli/socket_path.hpp"
#include "report/format.hpp"

namespace weir::cli {
namespace {

// 200 to 299: nothing; else what the controller says of it.
Status check_status(const net::Response& response) {
  if (response.status >= 200 && response.status < 300) return {};
  std::string message;
  if (const auto answer = parse_answer(response.body))
    if (const TomlTable* error = table_of(*answer, "error")) message = text_of(*error, "message");
  if (message.empty())
    message = fmt::format("the controller answered {} {} and no reason: look at its log",
                          response.status, net::status_text(response.status));
  const bool wrong_request =
      response.status == 400 || response.status == 413 || response.status == 422;
  return std::unexpected(
      Error{wrong_request ? Errc::kBadInput : Errc::kIo, report::clean_text(message)});
}

}  // namespace

Result<ControllerClient> ControllerClient::make(std::string_view socket) {
  return ControllerClient(WEIR_TRY(socket_path(socket, SocketUse::kAsk)));
}

Result<net::Response> ControllerClient::ask(const net::Call& call) {
  auto response = client_.call(call);
  answered_ = response.has_value();
  if (response) WEIR_TRY(check_status(*response));
  return response;
}

Result<std::string> ControllerClient::get(const std::string& target) {
  net::Response response = WEIR_TRY(ask({.target = target}));
  return std::move(response.body);
}

Result<std::string> ControllerClient::post(const std::string& target, std::string json) {
  net::Call call{.method = "POST", .target = target, .body = std::move(json)};
  if (!call.body.empty()) call.content_type = "application/json";
  net::Response response = WEIR_TRY(ask(call));
  return std::move(response.body);
}

Status ControllerClient::follow(const std::string& target, const net::OnChunk& on_piece) {
  const auto response = client_.stream({.target = target}, on_piece);
  answered_ = response.has_value();
  if (!response) return std::unexpected(response.error());
  return check_status(*response);
}

void add_socket_option(CLI::App& command, std::string& socket) {
  command.add_option("--socket", socket, kSocketHelp);
}

Result<std::uint64_t> parse_job_id(std::string_view text) {
  const auto id = parse_unsigned(text);
  if (!id)
    return bad_input(fmt::format("expected the number of a job, as `weir queue` shows, found {}",
                                 weir::quoted(text)));
  return *id;
}

std::string job_target(std::uint64_t job, std::string_view rest) {
  return fmt::format("/v1/jobs/{}{}", job, rest);
}

std::string log_target(std::uint64_t job, std::uint64_t rank, bool follow) {
  return job_target(job, fmt::format("/logs?rank={}{}", rank, follow ? "&follow=1" : ""));
}

}  // namespace weir::cli

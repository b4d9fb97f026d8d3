// ControllerClient: what the commands ask the controller; its refusals come back as errors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "net/client.hpp"

namespace CLI {
class App;
}

namespace weir::cli {

// Errors of all calls: nobody listens, and then the message says what to do (kIo); a refusal, with
// the controller's own words: kBadInput where the request was wrong, else kIo. One thread.
class ControllerClient {
 public:
  // `socket`: of --socket, may be empty. Connects with the first call.
  static Result<ControllerClient> make(std::string_view socket);

  // Another one to the same controller, for another thread.
  [[nodiscard]] ControllerClient another() const { return ControllerClient(path_); }

  // The body of the answer.
  Result<std::string> get(const std::string& target);
  Result<std::string> post(const std::string& target, std::string json = {});
  // Pieces of a text go to `on_piece` until the controller ends it or `on_piece` says false.
  Status follow(const std::string& target, const net::OnChunk& on_piece);
  // Whether the last call got an answer, a refusal too.
  [[nodiscard]] bool answered() const { return answered_; }

 private:
  explicit ControllerClient(const std::filesystem::path& path)
      : path_(path), client_({.socket = path}) {}

  Result<net::Response> ask(const net::Call& call);

  std::filesystem::path path_;
  net::Client client_;
  bool answered_ = false;
};

// Adds --socket.
void add_socket_option(CLI::App& command, std::string& socket);

// "12", as a user types a job. Error: kBadInput.
Result<std::uint64_t> parse_job_id(std::string_view text);
// "/v1/jobs/12", with "/cancel" or the like behind.
std::string job_target(std::uint64_t job, std::string_view rest = {});
// "/v1/jobs/12/logs?rank=0&follow=1"
std::string log_target(std::uint64_t job, std::uint64_t rank, bool follow);

}  // namespace weir::cli

#include "net/message.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/json.hpp"
#include "base/text.hpp"

namespace weir::net {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

constexpr std::array<std::pair<unsigned, std::string_view>, 21> kTexts = {{
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {413, "Content Too Large"},
    {415, "Unsupported Media Type"},
    {422, "Unprocessable Content"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {507, "Insufficient Storage"},
}};

// A line end inside a field would begin another field.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text)
    if (c != '\r' && c != '\n' && c != '\0') line += c;
  return line;
}

void add_fields(std::string& out, const Fields& fields) {
  for (const Field& field : fields)
    out += fmt::format("{}: {}\r\n", one_line(field.name), one_line(field.value));
}

std::string status_line(unsigned status) {
  return fmt::format("HTTP/1.1 {} {}\r\n", status, status_text(status));
}

// These answers have no body by their nature (RFC 9110, 6.4.1).
bool never_has_body(unsigned status) { return status < 200 || status == 204 || status == 304; }

}  // namespace

std::string_view find_field(const Fields& fields, std::string_view name) {
  const auto found =
      std::ranges::find_if(fields, [&](const Field& field) { return same_name(field.name, name); });
  return found == fields.end() ? std::string_view() : found->value;
}

Response json_response(unsigned status, std::string body) {
  return {status, {{"Content-Type", "application/json"}}, std::move(body)};
}

Response error_response(unsigned status, std::string_view message) {
  JsonWriter json(0);
  json.begin_object();
  json.key("error");
  json.begin_object();
  json.field("status", status);
  json.field("message", message);
  json.end_object();
  json.end_object();
  return json_response(status, json.text() + "\n");
}

std::string_view status_text(unsigned status) {
  const auto* const found =
      std::ranges::find(kTexts, status, &std::pair<unsigned, std::string_view>::first);
  return found == kTexts.end() ? "Status" : found->second;
}

std::string format_response(const Response& response, bool keep_alive, bool with_body) {
  std::string out = status_line(response.status);
  add_fields(out, response.fields);
  if (!never_has_body(response.status))
    out += fmt::format("Content-Length: {}\r\n", response.body.size());
  if (!keep_alive) out += "Connection: close\r\n";
  out += "\r\n";
  if (with_body && !never_has_body(response.status)) out += response.body;
  return out;
}

std::string format_stream_head(const Response& head) {
  std::string out = status_line(head.status);
  add_fields(out, head.fields);
  out += "Transfer-Encoding: chunked\r\n\r\n";
  return out;
}

std::string format_chunk(std::string_view bytes) {
  return fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes);
}

std::string format_request(std::string_view method, std::string_view target, const Fields& fields,
                           std::string_view body) {
  std::string out = fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n", method, target);
  add_fields(out, fields);
  if (!body.empty() || method == "POST" || method == "PUT" || method == "PATCH")
    out += fmt::format("Content-Length: {}\r\n", body.size());
  out += "\r\n";
  out += body;
  return out;
}

std::string format_event(std::string_view id, std::string_view name, std::string_view data) {
  std::string out;
  if (!id.empty()) out += fmt::format("id: {}\n", one_line(id));
  if (!name.empty()) out += fmt::format("event: {}\n", one_line(name));
  // A bare carriage return ends a line of an event, too.
  std::string lines;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const bool pair = data[i] == '\r' && i + 1 < data.size() && data[i + 1] == '\n';
    if (!pair) lines += data[i] == '\r' ? '\n' : data[i];
  }
  for (const std::string_view line : split(lines, '\n')) out += fmt::format("data: {}\n", line);
  return out + "\n";
}

}  // namespace weir::net

// Request and Response: HTTP/1.1 messages as plain values, the same for server and client.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "net/target.hpp"

namespace weir::net {

// A header field. Names compare without case.
struct Field {
  std::string name;
  std::string value;

  friend bool operator==(const Field&, const Field&) = default;
};
using Fields = std::vector<Field>;

// The value of the first field of that name; empty without one.
std::string_view find_field(const Fields& fields, std::string_view name);

// Who is at the other end of a UNIX socket, by the kernel's word, as of when it connected.
struct Peer {
  std::uint32_t uid = UINT32_MAX;
  std::uint32_t gid = UINT32_MAX;
  std::int32_t pid = 0;
};

struct Request {
  std::string method = "GET";
  Target target;
  Fields fields;
  std::string body;
  Peer peer;  // filled in by the server
};

struct Response {
  unsigned status = 200;
  Fields fields;
  std::string body;
};

Response json_response(unsigned status, std::string body);
// {"error":{"status":404,"message":"..."}}
Response error_response(unsigned status, std::string_view message);

// "Not Found"
std::string_view status_text(unsigned status);

// What goes over the wire. The head ends with its empty line; a body follows as it is, or in
// chunks with `chunked`.
std::string format_response(const Response& response, bool keep_alive, bool with_body);
std::string format_stream_head(const Response& head);
std::string format_chunk(std::string_view bytes);  // REQUIRES: not empty
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";
std::string format_request(std::string_view method, std::string_view target, const Fields& fields,
                           std::string_view body);

// A server-sent event (WHATWG HTML, 9.2): each line of `data` as a line of its own. `id` and `name`
// may be empty; line ends in them are left out.
std::string format_event(std::string_view id, std::string_view name, std::string_view data);

}  // namespace weir::net

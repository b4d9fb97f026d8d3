// How the ends of a connection watch each other. Each end sets all of it itself; a listener refuses
// who asks for signs of life four times as often as it would.
#pragma once

#include <cstddef>

#include "base/limits.hpp"
#include "base/time.hpp"

namespace weir::channel {

struct LinkOptions {
  // A connection on which nothing came for so long is asked for a sign of life, and is dead when
  // none comes. This finds dead hosts; a peer whose program hangs is found by those who count its
  // heartbeats (node/messages.hpp, Welcome).
  Duration keepalive{10'000'000};
  Duration keepalive_answer{10'000'000};
  // A connection, with its handshake, must stand after so long.
  Duration connect{10'000'000};
  // What may wait to be sent in one session. A message that finds the queue empty may be longer.
  std::size_t queue_bytes = limits::kChannelQueueBytes;
  // How often a listener looks whether its credentials were replaced. One second at least.
  Duration reload{10'000'000};
};

// What became of a message.
enum class Sent : std::uint8_t {
  kQueued,    // it goes out, unless the session breaks
  kGone,      // there is no such session, or none is open
  kFull,      // the other end takes nothing: the session is being closed
  kTooLarge,  // longer than limits::kChannelMessageBytes; the session goes on without it
};

}  // namespace weir::channel

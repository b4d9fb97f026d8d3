// What a training script does first: the ranks meet at MASTER_ADDR:MASTER_PORT, each sends its
// number, all get the sum. Exits with 0 when it is right.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

int number(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? -1 : std::atoi(text);
}

sockaddr_in master() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(number("MASTER_PORT")));
  ::inet_pton(AF_INET, std::getenv("MASTER_ADDR"), &address.sin_addr);
  return address;
}

int lead(int world) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const sockaddr_in address = master();
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener, world) != 0)
    return 10;
  int sum = 0;
  std::vector<int> others;
  for (int i = 1; i < world; ++i) {
    others.push_back(::accept(listener, nullptr, nullptr));
    int rank = 0;
    if (::read(others.back(), &rank, sizeof rank) != sizeof rank) return 11;
    sum += rank;
  }
  for (const int other : others)
    if (::write(other, &sum, sizeof sum) != sizeof sum) return 12;
  std::printf("rank 0 of %d: sum %d\n", world, sum);
  return sum == world * (world - 1) / 2 ? 0 : 13;
}

int follow(int rank, int world) {
  const sockaddr_in address = master();
  for (int attempt = 0; attempt < 200; ++attempt) {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      ::close(fd);
      ::poll(nullptr, 0, 50);
      continue;
    }
    int sum = 0;
    if (::write(fd, &rank, sizeof rank) != sizeof rank ||
        ::read(fd, &sum, sizeof sum) != sizeof sum)
      return 21;
    std::printf("rank %d of %d: sum %d\n", rank, world, sum);
    return sum == world * (world - 1) / 2 ? 0 : 22;
  }
  return 20;
}

}  // namespace

int main() {
  const int rank = number("RANK");
  const int world = number("WORLD_SIZE");
  if (rank < 0 || world < 1 || std::getenv("MASTER_ADDR") == nullptr) return 2;
  return rank == 0 ? lead(world) : follow(rank, world);
}

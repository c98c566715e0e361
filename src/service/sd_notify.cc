#include "service/sd_notify.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace plimsoll::service {

void NotifyServiceManager(std::string_view state) {
  const char* const named = std::getenv("NOTIFY_SOCKET");
  if (named == nullptr) return;
  const std::string_view path = named;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, path.data(), path.size());
  // A leading @ denotes an abstract socket.
  if (path.front() == '@') address.sun_path[0] = '\0';

  const int notices = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (notices < 0) return;
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  // Ignore errors: without a listener there is nobody to notify.
  [[maybe_unused]] const ssize_t sent = sendto(notices, state.data(), state.size(), MSG_NOSIGNAL,
                                               reinterpret_cast<const sockaddr*>(&address), length);
  close(notices);
}

}  // namespace plimsoll::service

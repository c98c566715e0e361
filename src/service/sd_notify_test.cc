#include "service/sd_notify.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

namespace plimsoll::service {
namespace {

/// Returns the message that a service manager listening at `name` receives.
std::string Told(const std::string& name, std::string_view state) {
  const int listener = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, name.data(), name.size());
  if (name.front() == '@') address.sun_path[0] = '\0';
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  EXPECT_EQ(bind(listener, reinterpret_cast<const sockaddr*>(&address), length), 0);
  setenv("NOTIFY_SOCKET", name.c_str(), 1);
  NotifyServiceManager(state);
  unsetenv("NOTIFY_SOCKET");
  std::array<char, 64> text{};
  const ssize_t got = recv(listener, text.data(), text.size(), 0);
  close(listener);
  return got < 0 ? "" : std::string(text.data(), static_cast<std::size_t>(got));
}

TEST(ServiceNoticeTest, ReachesASocketOfEitherKind) {
  const std::string unique = std::to_string(getpid());
  const std::string file = testing::TempDir() + "notify-" + unique;
  EXPECT_EQ(Told(file, "READY=1"), "READY=1");
  unlink(file.c_str());
  EXPECT_EQ(Told("@plimsoll-notify-" + unique, "STOPPING=1"), "STOPPING=1");
}

TEST(ServiceNoticeTest, NobodyToTellIsNoFault) {
  unsetenv("NOTIFY_SOCKET");
  NotifyServiceManager("READY=1");
  setenv("NOTIFY_SOCKET", "/nobody/listens/here", 1);
  NotifyServiceManager("READY=1");
  unsetenv("NOTIFY_SOCKET");
}

}  // namespace
}  // namespace plimsoll::service

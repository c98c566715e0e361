#include "cli/completion/server_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "base/real_clock.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::cli {
namespace {

using Kind = NamesRequest::Kind;
using testing::IsEmpty;

/// A port on which connections are accepted by the kernel and never answered.
class SilentPort {
 public:
  SilentPort() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(bind(socket_, generic, size), 0);
    EXPECT_EQ(listen(socket_, 8), 0);
    EXPECT_EQ(getsockname(socket_, generic, &size), 0);
    port_ = ntohs(address.sin_port);
  }
  ~SilentPort() { close(socket_); }
  SilentPort(const SilentPort&) = delete;
  SilentPort& operator=(const SilentPort&) = delete;

  std::string Url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  const int socket_;
  int port_ = 0;
};

class ServerNamesTest : public testing::Test {
 protected:
  /// Writes a kubeconfig with two contexts of this server.
  std::string Kubeconfig(const std::string& server) const {
    std::string path = directory_.path() + "/kubeconfig";
    EXPECT_TRUE(WriteFile(
        path, "{current-context: east, clusters: [{name: c, cluster: {server: '" + server +
                  "'}}], users: [], contexts: [{name: east, context: {cluster: c, "
                  "user: ''}}, {name: west, context: {cluster: c, user: ''}}]}"));
    return path;
  }

  const store::TemporaryDirectory directory_;
};

TEST_F(ServerNamesTest, ContextsComeFromTheKubeconfigWithoutAServer) {
  EXPECT_THAT(FindNames({.kind = Kind::Context, .kubeconfig = Kubeconfig("http://127.0.0.1:1")}),
              testing::ElementsAre("east", "west"));
  EXPECT_THAT(FindNames({.kind = Kind::Context, .kubeconfig = "/nowhere"}), IsEmpty());
}

TEST_F(ServerNamesTest, AServerThatIsNotThereGivesNothing) {
  EXPECT_THAT(FindNames({.kind = Kind::Node, .kubeconfig = Kubeconfig("http://127.0.0.1:1")}),
              IsEmpty());
  EXPECT_THAT(FindNames({.kind = Kind::Node, .kubeconfig = "/nowhere"}), IsEmpty());
  EXPECT_THAT(
      FindNames(
          {.kind = Kind::Pod, .kubeconfig = Kubeconfig("http://127.0.0.1:1"), .context = "north"}),
      IsEmpty());
}

TEST_F(ServerNamesTest, AServerThatDoesNotAnswerIsNotAwaited) {
  const SilentPort port;
  const Duration begin = SteadyTime();
  EXPECT_THAT(FindNames({.kind = Kind::Pod, .kubeconfig = Kubeconfig(port.Url())},
                        std::chrono::milliseconds(50)),
              IsEmpty());
  EXPECT_LT(SteadyTime() - begin, std::chrono::seconds(1));
}

}  // namespace
}  // namespace plimsoll::cli

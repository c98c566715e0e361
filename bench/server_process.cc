#include "server_process.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "base/assert.h"
#include "base/file.h"

namespace plimsoll::bench {
namespace {

using namespace std::chrono_literals;

std::uint16_t FreePort() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  PL_ASSERT(bind(socket, any, size) == 0 && getsockname(socket, any, &size) == 0);
  close(socket);
  return ntohs(address.sin_port);
}

std::vector<std::string> WordsOf(const std::string& program, const std::vector<std::string>& words,
                                 std::initializer_list<std::string> more) {
  std::vector<std::string> all = {program};
  all.insert(all.end(), words.begin(), words.end());
  all.insert(all.end(), more);
  return all;
}

}  // namespace

ServerProcess::ServerProcess(const std::string& program, const std::string& directory,
                             const std::vector<std::string>& words)
    : port_(std::to_string(FreePort())),
      url_("https://127.0.0.1:" + port_),
      process_(WordsOf(program, words, {"--data-dir", directory, "--secure-port", port_}),
               directory + "/log") {
  const auto start = std::chrono::steady_clock::now();
  AwaitReady(directory);
  start_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void ServerProcess::AwaitReady(const std::string& directory) {
  while (true) {
    std::this_thread::sleep_for(5ms);
    if (process_.HasEnded()) {
      fmt::print(stderr, "the server ended; see {}/log\n", directory);
      std::exit(1);
    }
    const auto authority = ReadFile(directory + "/pki/ca.crt");
    const auto certificate = ReadFile(directory + "/pki/admin.crt");
    const auto key = ReadFile(directory + "/pki/admin.key");
    if (!authority || !certificate || !key) continue;
    tls_ = {.ca_pem = *authority, .certificate_pem = *certificate, .key_pem = *key};
    const auto transport = net::ConnectTo(url_, tls_);
    if (!transport) continue;
    const auto answer = (*transport)->Fetch({.method = "GET", .target = "/readyz"}, 1s, nullptr);
    if (answer && answer->status == 200) return;
  }
}

std::string ServerProcess::Call(const std::string& method, const std::string& target,
                                const std::string& body, int status, const std::string& type) {
  if (transport_ == nullptr) transport_ = net::ConnectTo(url_, tls_).value();
  auto answer = transport_->Fetch(
      {.method = method, .target = target, .headers = {{"Content-Type", type}}, .body = body}, 10s,
      nullptr);
  if (!answer || answer->status != status) {
    fmt::print(stderr, "{} {}: {}\n", method, target,
               answer ? answer->body : answer.error().Text());
    std::exit(1);
  }
  return answer->body;
}

}  // namespace plimsoll::bench

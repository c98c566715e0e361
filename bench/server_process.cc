#include "server_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
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

[[noreturn]] void Become(std::vector<std::string> words, const std::string& directory) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int log = open((directory + "/log").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  std::perror(arguments[0]);
  _exit(127);
}

}  // namespace

ServerProcess::ServerProcess(const std::string& program, const std::string& directory,
                             const std::vector<std::string>& words) {
  const std::string port = std::to_string(FreePort());
  url_ = "https://127.0.0.1:" + port;
  const auto start = std::chrono::steady_clock::now();
  pid_ = fork();
  PL_ASSERT(pid_ >= 0);
  if (pid_ == 0) {
    std::vector<std::string> all = {program};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"--data-dir", directory, "--secure-port", port});
    Become(std::move(all), directory);
  }
  AwaitReady(directory);
  start_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

ServerProcess::~ServerProcess() {
  kill(pid_, SIGTERM);
  waitpid(pid_, nullptr, 0);
}

void ServerProcess::AwaitReady(const std::string& directory) {
  while (true) {
    std::this_thread::sleep_for(5ms);
    if (waitpid(pid_, nullptr, WNOHANG) != 0) {
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

double ServerProcess::ProcessorSeconds() const {
  std::ifstream file(fmt::format("/proc/{}/stat", pid_));
  std::string word;
  // The name in parentheses has no space; user and system time are the 14th and the 15th field.
  for (int i = 1; i < 14; ++i) file >> word;
  double user = 0;
  double system = 0;
  file >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::size_t ServerProcess::ResidentBytes() const {
  std::ifstream file(fmt::format("/proc/{}/statm", pid_));
  std::size_t all = 0;
  std::size_t resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace plimsoll::bench

#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::store::etcd {

/// Addresses of an etcd member on loopback. The host is derived from the process id, so tests that
/// run side by side, and other programs, never compete for a port.
struct EtcdAddress {
  std::string name;
  std::string client_url;
  std::string peer_url;

  static EtcdAddress Next(const std::string& scheme) {
    static std::atomic<int> count = 0;
    const int number = count++;
    const pid_t id = getpid();
    const std::string host = "127." + std::to_string((id >> 16) & 0xff) + "." +
                             std::to_string((id >> 8) & 0xff) + "." + std::to_string(id & 0xff);
    const auto url = [&](const std::string& scheme_of, int port) {
      return scheme_of + "://" + host + ":" + std::to_string(port);
    };
    return {"m" + std::to_string(number), url(scheme, 20'000 + number),
            url("http", 25'000 + number)};
  }
};

/// A real etcd for tests: one member on loopback, alone or in a cluster. It is killed by the
/// destructor, or when the thread that started it ends.
class EtcdProcess {
 public:
  /// Returns why etcd cannot run here, or "" if it can.
  static std::string Missing() {
#ifdef __SANITIZE_THREAD__
    return "the thread sanitizer cannot see how the threads of Debian's gRPC agree with each other";
#endif
    if (access(kProgram, X_OK) == 0) return {};
    return std::string(kProgram) + " is not installed; tools/deps.sh build installs it";
  }

  /// Starts a cluster of one member and blocks until it serves. `flags` are added to its own flags.
  explicit EtcdProcess(std::vector<std::string> flags = {}, const std::string& scheme = "http")
      : EtcdProcess(EtcdAddress::Next(scheme), {}, std::move(flags)) {
    Start();
  }
  /// A member of a cluster; does not start it. No `peers`: a cluster of one. `is_on_disk`: the data
  /// directory is on a real disk, where a sync takes time.
  EtcdProcess(EtcdAddress place, const std::string& peers, std::vector<std::string> flags,
              bool is_on_disk = false)
      : place_(std::move(place)),
        peers_(peers.empty() ? place_.name + "=" + place_.peer_url : peers),
        flags_(std::move(flags)),
        directory_(is_on_disk ? std::make_unique<TemporaryDirectory>(TemporaryDirectory::OnDisk())
                              : std::make_unique<TemporaryDirectory>()) {}
  ~EtcdProcess() { Kill(); }
  EtcdProcess(const EtcdProcess&) = delete;
  EtcdProcess& operator=(const EtcdProcess&) = delete;

  const std::string& endpoint() const { return place_.client_url; }
  bool is_running() const { return process_ != 0; }

  void Start() {
    Launch();
    AwaitServing();
  }
  /// Starts the process. It serves only once a quorum of its peers runs.
  void Launch() {
    std::array<int, 2> log{};
    PL_ASSERT(pipe2(log.data(), O_CLOEXEC) == 0);
    std::vector<std::string> line = CommandLine();
    std::vector<char*> arguments;
    for (std::string& word : line) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    process_ = fork();
    PL_ASSERT(process_ >= 0);
    if (process_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      dup2(log[1], STDOUT_FILENO);
      dup2(log[1], STDERR_FILENO);
      execv(kProgram, arguments.data());
      _exit(127);
    }
    close(log[1]);
    std::promise<std::string> answer;
    serving_ = answer.get_future();
    reader_ = std::thread([log_fd = log[0], answer = std::move(answer)]() mutable {
      ReadLog(log_fd, std::move(answer));
    });
  }
  void AwaitServing() {
    const std::string last_words = serving_.get();
    if (last_words.empty()) return;
    write(STDERR_FILENO, last_words.data(), last_words.size());
    PL_ASSERT(last_words.empty());
  }

  /// Kills the process with SIGKILL, like a crash.
  void Kill() {
    if (process_ == 0) return;
    const pid_t process = std::exchange(process_, 0);
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
    reader_.join();
  }
  /// Restarts it with the same data and the same addresses.
  void Restart() {
    Kill();
    Start();
  }
  /// Suspends the process; Resume continues it.
  void Pause() const { kill(process_, SIGSTOP); }
  void Resume() const { kill(process_, SIGCONT); }

 private:
  static constexpr const char* kProgram = "/usr/bin/etcd";

  std::vector<std::string> CommandLine() const {
    std::vector<std::string> line = {kProgram,
                                     "--name=" + place_.name,
                                     "--data-dir=" + directory_->path(),
                                     "--listen-client-urls=" + place_.client_url,
                                     "--advertise-client-urls=" + place_.client_url,
                                     "--listen-peer-urls=" + place_.peer_url,
                                     "--initial-advertise-peer-urls=" + place_.peer_url,
                                     "--initial-cluster=" + peers_};
    line.insert(line.end(), flags_.begin(), flags_.end());
    return line;
  }

  /// Reads the log to its end, so that the process never blocks on a full pipe. Sets `answer` to ""
  /// once etcd serves, or to the whole log if etcd ends before.
  static void ReadLog(int log_fd, std::promise<std::string> answer) {
    std::string text;
    std::array<char, 4096> buffer{};
    bool is_serving = false;
    for (ssize_t size = 0; (size = read(log_fd, buffer.data(), buffer.size())) > 0;) {
      if (is_serving) continue;
      text.append(buffer.data(), static_cast<std::size_t>(size));
      is_serving = text.find("ready to serve client requests") != std::string::npos;
      if (is_serving) answer.set_value({});
    }
    if (!is_serving) answer.set_value(text + "\n");
    close(log_fd);
  }

  const EtcdAddress place_;
  const std::string peers_;
  const std::vector<std::string> flags_;
  const std::unique_ptr<TemporaryDirectory> directory_;
  pid_t process_ = 0;
  std::future<std::string> serving_;
  std::thread reader_;
};

/// An etcd cluster of several members on loopback.
class EtcdCluster {
 public:
  /// Starts all members and blocks until they serve.
  explicit EtcdCluster(std::size_t size, const std::vector<std::string>& flags = {},
                       bool is_on_disk = false) {
    std::vector<EtcdAddress> places;
    std::string peers;
    for (std::size_t i = 0; i < size; ++i) {
      const EtcdAddress& place = places.emplace_back(EtcdAddress::Next("http"));
      peers += (i == 0 ? "" : ",") + place.name + "=" + place.peer_url;
    }
    for (EtcdAddress& place : places) {
      members_.push_back(std::make_unique<EtcdProcess>(std::move(place), peers, flags, is_on_disk));
    }
    StartMissing();
  }

  std::size_t size() const { return members_.size(); }
  EtcdProcess& at(std::size_t index) { return *members_[index]; }
  std::vector<std::string> endpoints() const {
    std::vector<std::string> all;
    for (const auto& member : members_) all.push_back(member->endpoint());
    return all;
  }
  /// Starts the members that are not running and blocks until they serve.
  void StartMissing() {
    std::vector<EtcdProcess*> started;
    for (const auto& member : members_) {
      if (member->is_running()) continue;
      member->Launch();
      started.push_back(member.get());
    }
    for (EtcdProcess* const member : started) member->AwaitServing();
  }

 private:
  std::vector<std::unique_ptr<EtcdProcess>> members_;
};

}  // namespace plimsoll::store::etcd

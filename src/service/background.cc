#include "service/background.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/file.h"

namespace plimsoll::service {
namespace {

constexpr const char* kVariable = "PLIMSOLL_START_REPORT";
constexpr int kReportSocket = 3;  // in the new process
constexpr char kSucceeded = '+';
constexpr char kFailed = '-';

std::unexpected<Error> SystemError(std::string_view what, int code) {
  return plimsoll::Fail(Reason::InternalError, fmt::format("{}: {}", what, std::strerror(code)));
}

/// Closes the file in its destructor.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { Close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return number_; }
  void Close() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

/// Blocks SIGINT and SIGTERM during its lifetime, and makes them readable.
class SignalFile {
 public:
  SignalFile() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, &before_);
    file_.emplace(signalfd(-1, &set, SFD_CLOEXEC));
  }
  ~SignalFile() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalFile(const SignalFile&) = delete;
  SignalFile& operator=(const SignalFile&) = delete;

  int get() const { return file_->get(); }
  const sigset_t& before() const { return before_; }
  /// REQUIRES: a signal can be read.
  void Take() const {
    signalfd_siginfo taken{};
    [[maybe_unused]] const ssize_t got = read(get(), &taken, sizeof taken);
  }

 private:
  sigset_t before_{};
  std::optional<Descriptor> file_;
};

std::vector<char*> PointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Starts this program. `socket` becomes its report socket.
Result<pid_t> Spawn(const std::vector<std::string>& arguments, int socket, const sigset_t& mask) {
  std::vector<std::string> words{"plimsoll"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables;
  for (char** one = environ; *one != nullptr; ++one) variables.emplace_back(*one);
  variables.push_back(fmt::format("{}={}", kVariable, kReportSocket));

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, socket, kReportSocket);
  posix_spawn_file_actions_addclosefrom_np(&files, kReportSocket + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &mask);
  pid_t pid = 0;
  const int code = posix_spawn(&pid, "/proc/self/exe", &files, &attributes,
                               PointersTo(words).data(), PointersTo(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (code != 0) return SystemError("cannot start a process in the background", code);
  return pid;
}

/// Reads until the new process has closed its socket. Stops the process if a signal arrives.
std::string ReadReport(int socket, const SignalFile& signals, pid_t pid, bool& is_cancelled) {
  std::string report;
  while (true) {
    pollfd ready[] = {{.fd = socket, .events = POLLIN, .revents = 0},
                      {.fd = signals.get(), .events = POLLIN, .revents = 0}};
    if (poll(ready, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return report;
    }
    if (ready[1].revents != 0) {
      signals.Take();
      is_cancelled = true;
      kill(pid, SIGTERM);
    }
    if (ready[0].revents == 0) continue;
    char buffer[4096];
    const ssize_t got = read(socket, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return report;
    report.append(buffer, static_cast<std::size_t>(got));
  }
}

int ExitCodeOf(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

StartReport::StartReport(StartReport&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)) {}

StartReport::~StartReport() {
  if (socket_ >= 0) close(socket_);
}

std::optional<StartReport> StartReport::Take() {
  const char* const named = std::getenv(kVariable);
  if (named == nullptr || named != std::to_string(kReportSocket)) return std::nullopt;
  unsetenv(kVariable);
  struct stat facts {};
  if (fstat(kReportSocket, &facts) != 0 || !S_ISSOCK(facts.st_mode)) return std::nullopt;
  fcntl(kReportSocket, F_SETFD, FD_CLOEXEC);
  return StartReport(kReportSocket);
}

bool StartReport::Succeed(std::string_view text) { return Send(kSucceeded, text); }

void StartReport::Fail(std::string_view text) { Send(kFailed, text); }

bool StartReport::Send(char kind, std::string_view text) {
  if (socket_ < 0) return false;
  std::string rest = kind + std::string(text);
  bool is_sent = true;
  while (is_sent && !rest.empty()) {
    const ssize_t sent = send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    is_sent = sent > 0;
    if (is_sent) rest.erase(0, static_cast<std::size_t>(sent));
  }
  close(std::exchange(socket_, -1));
  return is_sent;
}

Result<StartOutcome> StartInBackground(const std::vector<std::string>& arguments) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return SystemError("cannot make a socket", errno);
  }
  const Descriptor ours(sockets[0]);
  Descriptor theirs(sockets[1]);
  const SignalFile signals;
  const pid_t pid = PL_TRY(Spawn(arguments, theirs.get(), signals.before()));
  theirs.Close();
  StartOutcome outcome;
  const std::string report = ReadReport(ours.get(), signals, pid, outcome.is_cancelled);
  if (!report.empty()) outcome.text = report.substr(1);
  const bool runs = report.starts_with(kSucceeded) && !outcome.is_cancelled;
  if (runs) return outcome;
  outcome.exit_code = ExitCodeOf(pid);
  // A process that ends with 0 although it was to stay has not done its work.
  if (outcome.exit_code == 0) outcome.exit_code = outcome.is_cancelled ? 128 + SIGINT : 1;
  return outcome;
}

Status LeaveTerminal(const std::string& log_path) {
  PL_TRY(MakeDirectory(std::filesystem::path(log_path).parent_path().string()));
  const Descriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  const Descriptor log(open(log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (nothing.get() < 0) return SystemError("cannot open /dev/null", errno);
  if (log.get() < 0) {
    return plimsoll::Fail(Reason::InternalError, fmt::format("cannot write to the log {}: {}",
                                                             log_path, std::strerror(errno)));
  }
  if (dup2(nothing.get(), STDIN_FILENO) < 0 || dup2(nothing.get(), STDOUT_FILENO) < 0 ||
      dup2(log.get(), STDERR_FILENO) < 0) {
    return SystemError("cannot leave the terminal", errno);
  }
  return {};
}

}  // namespace plimsoll::service

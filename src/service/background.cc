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
#include <charconv>
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
constexpr char kProgress = '.';
constexpr int kProgressMs = 200;  // between two calls with the same progress

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

/// Takes lines `.DONE TOTAL WORK` from the front of a report, and calls the function with each.
class ProgressLines {
 public:
  explicit ProgressLines(const OnStartProgress& on_progress) : on_progress_(on_progress) {}

  void TakeFrom(std::string& report) {
    while (report.starts_with(kProgress)) {
      const std::size_t end = report.find('\n');
      if (end == std::string::npos) return;
      Read(std::string_view(report).substr(1, end - 1));
      report.erase(0, end + 1);
      Repeat();
    }
  }
  /// Calls the function with the newest progress once more.
  void Repeat() const {
    if (on_progress_ && !newest_.work.empty()) on_progress_(newest_);
  }

 private:
  void Read(std::string_view line) {
    const char* const end = line.data() + line.size();
    StartProgress read;
    const auto done = std::from_chars(line.data(), end, read.done);
    if (done.ptr == end) return;
    const auto total = std::from_chars(done.ptr + 1, end, read.total);
    if (total.ec != std::errc() || total.ptr == end) return;
    read.work.assign(total.ptr + 1, end);
    newest_ = std::move(read);
  }

  const OnStartProgress& on_progress_;
  StartProgress newest_;
};

/// Reads until the new process has closed its socket. Stops the process if a signal arrives.
std::string ReadReport(int socket, const SignalFile& signals, pid_t pid, bool& is_cancelled,
                       const OnStartProgress& on_progress) {
  ProgressLines progress(on_progress);
  std::string report;
  while (true) {
    pollfd ready[] = {{.fd = socket, .events = POLLIN, .revents = 0},
                      {.fd = signals.get(), .events = POLLIN, .revents = 0}};
    const int found = poll(ready, 2, on_progress ? kProgressMs : -1);
    if (found < 0) {
      if (errno == EINTR) continue;
      return report;
    }
    if (found == 0) {
      progress.Repeat();
      continue;
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
    progress.TakeFrom(report);
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
  struct stat facts{};
  if (fstat(kReportSocket, &facts) != 0 || !S_ISSOCK(facts.st_mode)) return std::nullopt;
  fcntl(kReportSocket, F_SETFD, FD_CLOEXEC);
  return StartReport(kReportSocket);
}

void StartReport::Advance(const StartProgress& progress) {
  if (socket_ < 0) return;
  const std::string line =
      fmt::format("{}{} {} {}\n", kProgress, progress.done, progress.total, progress.work);
  // The buffer of the socket is much larger than a line, and the other process reads all the time.
  // Should it be stopped, this process must not wait for it. A part of a line is completed.
  const ssize_t sent = send(socket_, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent <= 0) return;
  const std::string_view rest = std::string_view(line).substr(static_cast<std::size_t>(sent));
  if (!rest.empty()) SendAll(rest);
}

bool StartReport::SendAll(std::string_view rest) {
  while (!rest.empty()) {
    const ssize_t sent = send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool StartReport::Succeed(std::string_view text) { return Send(kSucceeded, text); }

void StartReport::Fail(std::string_view text) { Send(kFailed, text); }

bool StartReport::Send(char kind, std::string_view text) {
  if (socket_ < 0) return false;
  const bool is_sent = SendAll(kind + std::string(text));
  close(std::exchange(socket_, -1));
  return is_sent;
}

Result<StartOutcome> StartInBackground(const std::vector<std::string>& arguments,
                                       const OnStartProgress& on_progress) {
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
  const std::string report =
      ReadReport(ours.get(), signals, pid, outcome.is_cancelled, on_progress);
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

#include "service/stop_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "base/real_clock.h"

namespace plimsoll::service {
namespace {

constexpr std::int64_t kTickMs = 200;

/// Refers to a process, also after its end, when its PID may be that of another one. Uses system
/// calls: the header of glibc 2.36 cannot be used from C++.
class ProcessFile {
 public:
  explicit ProcessFile(int pid) : file_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))) {}
  ~ProcessFile() {
    if (file_ >= 0) close(file_);
  }
  ProcessFile(const ProcessFile&) = delete;
  ProcessFile& operator=(const ProcessFile&) = delete;

  int get() const { return file_; }
  bool Signal(int signal) const {
    return syscall(SYS_pidfd_send_signal, file_, signal, nullptr, 0) == 0;
  }

 private:
  const int file_;
};

std::unexpected<Error> CannotStop(int pid, int code) {
  return Fail(code == EPERM ? Reason::Forbidden : Reason::InternalError,
              fmt::format("cannot stop process {}: {}", pid, std::strerror(code)));
}

/// Returns false if the process still runs at that time.
bool AwaitEnd(const ProcessFile& process, Duration until, const std::function<void()>& on_wait) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - SteadyTime()).count();
    pollfd ended{.fd = process.get(), .events = POLLIN, .revents = 0};
    const std::int64_t most = on_wait ? kTickMs : INT_MAX;
    const int ready = poll(&ended, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, most)));
    if (ready > 0) return true;
    if (on_wait) on_wait();
    if (ready == 0 && SteadyTime() >= until) return false;
    if (ready < 0 && errno != EINTR) return false;
  }
}

}  // namespace

Status StopProcess(int pid, const std::function<bool()>& is_it, Duration limit,
                   const std::function<void()>& on_wait) {
  const ProcessFile process(pid);
  if (process.get() < 0) return errno == ESRCH ? Status() : CannotStop(pid, errno);
  if (!is_it()) return {};
  if (!process.Signal(SIGTERM)) {
    return errno == ESRCH ? Status() : CannotStop(pid, errno);
  }
  if (AwaitEnd(process, SteadyTime() + limit, on_wait)) return {};
  return Fail(Reason::Timeout,
              fmt::format("process {} still runs after {}: requests in flight may take that long. "
                          "Wait, or end it with 'kill -9 {}'; stored objects survive that",
                          pid, FormatDuration(limit), pid));
}

}  // namespace plimsoll::service

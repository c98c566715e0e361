#include "process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "base/assert.h"

namespace plimsoll::bench {
namespace {

[[noreturn]] void Become(std::vector<std::string> words, const std::string& log) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int file = open(log.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  std::perror(arguments[0]);
  _exit(127);
}

}  // namespace

Process::Process(std::vector<std::string> words, const std::string& log) : pid_(fork()) {
  PL_ASSERT(pid_ >= 0);
  if (pid_ == 0) Become(std::move(words), log);
}

Process::~Process() {
  kill(pid_, SIGTERM);
  waitpid(pid_, nullptr, 0);
}

bool Process::HasEnded() const { return waitpid(pid_, nullptr, WNOHANG) != 0; }

double Process::ProcessorSeconds() const {
  std::ifstream file(fmt::format("/proc/{}/stat", pid_));
  std::string word;
  // The name in parentheses contains no space; fields 14 and 15 are user and system time.
  for (int i = 1; i < 14; ++i) file >> word;
  double user = 0;
  double system = 0;
  file >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::size_t Process::ResidentBytes() const {
  std::ifstream file(fmt::format("/proc/{}/statm", pid_));
  std::size_t all = 0;
  std::size_t resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace plimsoll::bench

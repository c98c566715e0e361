#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace plimsoll::bench {

/// A program in its own process, so that its memory and CPU time do not count as the client's. The
/// destructor stops it; it also dies with the process that started it.
class Process {
 public:
  /// Starts the program with its arguments, and appends its output to the file `log`.
  Process(std::vector<std::string> words, const std::string& log);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  bool HasEnded() const;
  double ProcessorSeconds() const;
  std::size_t ResidentBytes() const;

 private:
  pid_t pid_ = 0;
};

}  // namespace plimsoll::bench

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace plimsoll::bench {

/// A program as a process of its own, so that its memory and time are not the client's. It is told
/// to stop when this ends, and dies with whoever started it.
class Process {
 public:
  /// The program and its words; what it says is added to the file `log`.
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

#include "measure.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <limits>

#include "base/allocation_meter.h"

namespace plimsoll::linear {
namespace {

constexpr int kRepeats = 5;
constexpr int kTries = 5;
/// Below that a ratio says nothing: fixed costs and the clock's steps outweigh the input.
constexpr double kMillisecondsMin = 0.2;
constexpr std::uint64_t kBytesMin = 64 * 1024;

/// Counts instructions of this thread, where the kernel lets us.
class InstructionCounter {
 public:
  InstructionCounter() {
    perf_event_attr attributes{};
    attributes.size = sizeof(attributes);
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    descriptor_ = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
  }
  ~InstructionCounter() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  InstructionCounter(const InstructionCounter&) = delete;
  InstructionCounter& operator=(const InstructionCounter&) = delete;

  bool works() const { return descriptor_ >= 0; }
  std::uint64_t Read() const {
    std::uint64_t count = 0;
    return read(descriptor_, &count, sizeof(count)) == sizeof(count) ? count : 0;
  }

 private:
  int descriptor_ = -1;
};

double CpuMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Cost {
  double work = std::numeric_limits<double>::max();
  double milliseconds = std::numeric_limits<double>::max();
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
};

Cost Run(const Input& input, std::size_t size) {
  static const InstructionCounter kCounter;
  Cost best;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const std::function<void()> run = input.make(size);
    const std::uint64_t bytes = AllocatedBytes();
    const double start = CpuMilliseconds();
    const std::uint64_t instructions = kCounter.works() ? kCounter.Read() : 0;
    run();
    const double took = CpuMilliseconds() - start;
    const double work =
        kCounter.works() ? static_cast<double>(kCounter.Read() - instructions) : took;
    best.work = std::min(best.work, work);
    best.milliseconds = std::min(best.milliseconds, took);
    best.bytes = std::min(best.bytes, AllocatedBytes() - bytes);
  }
  return best;
}

Growth Compare(const Input& input) {
  const Cost small = Run(input, input.size);
  const Cost large = Run(input, 2 * input.size);
  Growth growth{.work = 0, .memory = 0, .milliseconds = large.milliseconds, .bytes = large.bytes};
  if (large.milliseconds >= kMillisecondsMin) growth.work = large.work / std::max(small.work, 1e-6);
  if (large.bytes >= kBytesMin) {
    growth.memory = static_cast<double>(large.bytes) /
                    static_cast<double>(std::max<std::uint64_t>(small.bytes, 1));
  }
  return growth;
}

}  // namespace

Growth Measure(const Input& input) {
  Growth best = Compare(input);
  for (int i = 1; i < kTries && !best.is_linear(); ++i) {
    const Growth again = Compare(input);
    if (again.work < best.work) best.work = again.work;
    best.memory = std::min(best.memory, again.memory);
  }
  return best;
}

}  // namespace plimsoll::linear

#include "measure.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "base/allocation_meter.h"

namespace plimsoll::linear {
namespace {

constexpr std::size_t kDoublings = 2;
constexpr std::size_t kFactor = std::size_t{1} << kDoublings;
/// The minimum of several measurements counts, because other programs can only add to it. Repeats
/// beyond kRepeatsMin are made only while the input looks worse than linear.
constexpr int kRepeatsMin = 5;
constexpr int kRepeatsMax = 60;
/// Smaller costs are not comparable: fixed costs and clock resolution dominate. Inputs are sized
/// for 0.4 ms or more on a slow machine, so that faster ones can measure them too.
constexpr double kMillisecondsMin = 0.1;
constexpr std::uint64_t kBytesMin = 64 * 1024;

/// Counts instructions of this thread, if the kernel permits it.
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

void Run(const Input& input, std::size_t size, Cost& best) {
  static const InstructionCounter kCounter;
  const std::function<void()> run = input.make(size);
  const std::uint64_t bytes = AllocatedBytes();
  const double start = CpuMilliseconds();
  const std::uint64_t instructions = kCounter.works() ? kCounter.Read() : 0;
  run();
  const double took = CpuMilliseconds() - start;
  const double work = kCounter.works() ? static_cast<double>(kCounter.Read() - instructions) : took;
  best.work = std::min(best.work, work);
  best.milliseconds = std::min(best.milliseconds, took);
  best.bytes = std::min(best.bytes, AllocatedBytes() - bytes);
}

/// Returns the mean factor of the cost per doubling.
double PerDoubling(double small, double large) {
  return std::pow(large / std::max(small, 1e-6), 1.0 / kDoublings);
}

Growth Compare(const Cost& small, const Cost& large) {
  Growth growth{.work = PerDoubling(small.work, large.work),
                .memory = 0,
                .milliseconds = large.milliseconds,
                .bytes = large.bytes,
                .is_measurable = large.milliseconds >= kMillisecondsMin};
  if (large.bytes >= kBytesMin) {
    growth.memory = PerDoubling(static_cast<double>(small.bytes), static_cast<double>(large.bytes));
  }
  return growth;
}

}  // namespace

Growth Measure(const Input& input) {
  Cost small;
  Cost large;
  Growth growth;
  for (int repeat = 0; repeat < kRepeatsMax; ++repeat) {
    if (repeat >= kRepeatsMin && growth.is_linear()) break;
    Run(input, input.size, small);
    Run(input, kFactor * input.size, large);
    growth = Compare(small, large);
  }
  return growth;
}

std::size_t LargerSize(const Input& input) { return kFactor * input.size; }

}  // namespace plimsoll::linear

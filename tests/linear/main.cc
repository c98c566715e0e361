// linear_test [NAME…]: measures the inputs whose names contain one of the arguments, or all.

#include <malloc.h>

#include <cstdio>
#include <string_view>
#include <vector>

#include "base/allocation_meter.h"
#include "inputs.h"

namespace {

bool IsWanted(std::string_view name, int count, char** words) {
  if (count == 1) return true;
  for (int i = 1; i < count; ++i) {
    if (name.find(words[i]) != std::string_view::npos) return true;
  }
  return false;
}

std::string_view VerdictOf(const plimsoll::linear::Growth& growth) {
  if (!growth.is_measurable) return "  TOO SMALL TO MEASURE";
  return growth.is_linear() ? "" : "  MORE THAN LINEAR";
}

}  // namespace

int main(int count, char** words) {
  using namespace plimsoll::linear;
  // Keeps freed memory in the process, so that page faults are not measured.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  bool all_pass = true;
  std::printf("%-44s %8s %8s %8s %9s %12s\n", "input", "items", "work ×", "bytes ×", "ms", "bytes");
  for (const auto& inputs : {ObjectInputs(), ChangeInputs(), RequestInputs(), SchedulerInputs()}) {
    for (const Input& input : inputs) {
      if (!IsWanted(input.name, count, words)) continue;
      const Growth growth = Measure(input);
      const std::string_view verdict = VerdictOf(growth);
      all_pass = all_pass && verdict.empty();
      std::printf("%-44.*s %8zu %8.2f %8.2f %9.2f %12llu%.*s\n",
                  static_cast<int>(input.name.size()), input.name.data(), LargerSize(input),
                  growth.work, growth.memory, growth.milliseconds,
                  static_cast<unsigned long long>(growth.bytes), static_cast<int>(verdict.size()),
                  verdict.data());
      std::fflush(stdout);
    }
  }
  if (!all_pass) std::printf("each doubling may multiply the cost by %.1f\n", kRatioMax);
  return all_pass ? 0 : 1;
}

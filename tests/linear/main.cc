// linear_test [NAME…]: measures the inputs whose names contain one of the words, or all of them.

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

}  // namespace

int main(int count, char** words) {
  using namespace plimsoll::linear;
  bool all_linear = true;
  std::printf("%-44s %8s %8s %8s %9s %12s\n", "input", "items", "work ×", "bytes ×", "ms", "bytes");
  for (const auto& inputs : {ObjectInputs(), ChangeInputs(), RequestInputs(), SchedulerInputs()}) {
    for (const Input& input : inputs) {
      if (!IsWanted(input.name, count, words)) continue;
      const Growth growth = Measure(input);
      all_linear = all_linear && growth.is_linear();
      std::printf("%-44.*s %8zu %8.2f %8.2f %9.2f %12llu%s\n", static_cast<int>(input.name.size()),
                  input.name.data(), 2 * input.size, growth.work, growth.memory,
                  growth.milliseconds, static_cast<unsigned long long>(growth.bytes),
                  growth.is_linear() ? "" : "  MORE THAN LINEAR");
      std::fflush(stdout);
    }
  }
  if (!all_linear)
    std::printf("an input of twice the size may cost %.1f times as much\n", kRatioMax);
  return all_linear ? 0 : 1;
}

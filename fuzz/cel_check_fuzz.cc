// Parses and type-checks a CEL expression in bounded time and memory. A failure has issues with
// positions; an expression that passes has a type and a cost that does not change.

#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "cel/kubernetes.h"
#include "cost_bound.h"

namespace {

using namespace plimsoll::cel;

void Check(const Environment& environment, std::string_view text) {
  const auto compiled = environment.Compile(text);
  if (!compiled) {
    const Issues& issues = compiled.error();
    PL_ASSERT(!issues.list.empty() && issues.list.size() <= kIssuesMax);
    PL_ASSERT(!issues.Text().empty());
    return;
  }
  PL_ASSERT(!OutputText(compiled->type).empty());
  const CostRange cost = environment.EstimateCost(*compiled->ast);
  const CostRange again = environment.EstimateCost(*compiled->ast);
  PL_ASSERT(cost == again);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const plimsoll::fuzz::CostBound bound(size, {.bytes_min = 16u << 20});
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  Check(*TolerationEnvironment(), text);
  Check(*DeviceEnvironment(DeviceMode::Stored), text);
  return 0;
}

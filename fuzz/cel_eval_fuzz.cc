// Compiles, plans and runs a CEL expression over a taint within its cost limit. The result must be
// printable, and the same when the expression runs again.

#include <array>
#include <string_view>

#include "base/assert.h"
#include "cel/kubernetes.h"
#include "cel/program.h"
#include "cel/render.h"
#include "cost_bound.h"

namespace plimsoll::cel {
namespace {

constexpr std::uint64_t kFuzzCostLimit = 20'000;

void Run(std::string_view expression) {
  const auto& environment = TolerationEnvironment();
  const auto compiled = environment->Compile(expression);
  if (!compiled.has_value()) {
    PL_ASSERT(!compiled.error().Text().empty());
    return;
  }
  const auto program = Program::Plan(*compiled, environment);
  if (!program.has_value()) {
    PL_ASSERT(!program.error().empty());
    return;
  }
  const std::array<Value, 3> fields{Value::String("zone-a1-rack-03"), Value::String("5.15.0"),
                                    Value::String("NoSchedule")};
  const ObjectValue object(&kTaintType, fields.data());
  const Value taint = Value::Object(&object);
  Evaluation evaluation;
  const Outcome first = evaluation.Evaluate(**program, {&taint, 1}, kFuzzCostLimit);
  const std::string text = Render(first.value);
  const Outcome second = evaluation.Evaluate(**program, {&taint, 1}, kFuzzCostLimit);
  PL_ASSERT(text == Render(second.value) && first.cost == second.cost);
}

}  // namespace
}  // namespace plimsoll::cel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const plimsoll::fuzz::CostBound bound(size, {.bytes_min = 16u << 20});
  plimsoll::cel::Run({reinterpret_cast<const char*>(data), size});
  return 0;
}

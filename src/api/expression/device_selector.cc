#include "api/expression/device_selector.h"

#include <algorithm>
#include <utility>

#include "cel/cache.h"
#include "cel/device_result.h"

namespace plimsoll::api {

std::optional<ExpressionFault> CheckDeviceSelector(std::string_view expression,
                                                   cel::DeviceMode mode, std::uint64_t* cost) {
  using Kind = ExpressionFault::Kind;
  using Stage = cel::Compilation::Stage;
  const cel::Compilation compiled = cel::CompileProgram(expression, cel::DeviceEnvironment(mode));
  if (compiled.stage == Stage::Compile) {
    return ExpressionFault{Kind::Invalid, "compilation failed: " + compiled.error};
  }
  if (std::string refusal = cel::CheckSelectorType(compiled.type, mode); !refusal.empty()) {
    return ExpressionFault{Kind::Invalid, std::move(refusal)};
  }
  if (compiled.stage == Stage::Plan) {
    return ExpressionFault{Kind::Internal, "program instantiation failed: " + compiled.error};
  }
  if (cost != nullptr) *cost += std::min(compiled.cost.max, cel::kCostLimit);
  if (compiled.cost.max > cel::kCostLimit) return ExpressionFault{Kind::TooCostly, {}};
  return std::nullopt;
}

}  // namespace plimsoll::api

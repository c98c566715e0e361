#include "dra/device_selectors.h"

#include <utility>

#include "cel/device.h"
#include "cel/device_result.h"

namespace plimsoll::dra {
namespace {

constexpr cel::DeviceMode kMode = cel::DeviceMode::Stored;

/// Why nothing can be evaluated; empty when it can be.
std::string CompileFault(const cel::Compilation& compiled) {
  using Stage = cel::Compilation::Stage;
  if (compiled.stage == Stage::Compile) return "compilation failed: " + compiled.error;
  if (std::string refusal = cel::RefuseSelectorType(compiled.type, kMode); !refusal.empty()) {
    return refusal;
  }
  if (compiled.stage == Stage::Plan) return "program instantiation failed: " + compiled.error;
  return {};
}

std::unexpected<Error> RuntimeFault(std::string text) {
  return Fail(Reason::Invalid, "CEL runtime error: " + std::move(text));
}

}  // namespace

DeviceSelectors::DeviceSelectors(CacheLimits limits)
    : cache_(cel::DeviceEnvironment(kMode), limits) {}

Result<bool> DeviceSelectors::Matches(std::string_view expression,
                                      const api::Device& device) const {
  const auto compiled = cache_.Get(expression);
  if (const std::string fault = CompileFault(*compiled); !fault.empty()) {
    return Fail(Reason::Invalid, "CEL compile error: " + fault);
  }
  // Their stacks and memory stay warm between calls.
  thread_local cel::Evaluation evaluation;
  thread_local cel::Arena arena;
  arena.Reset();
  const auto variable = cel::BindDevice(device.facts, kMode, arena);
  if (!variable.has_value()) return RuntimeFault(variable.error());
  const cel::Outcome outcome = evaluation.Evaluate(*compiled->program, {&*variable, 1});
  if (outcome.value.is_error()) return RuntimeFault(outcome.value.error().Text());
  auto match = cel::MatchOf(outcome.value);
  if (!match.has_value()) return RuntimeFault(match.error());
  return *match;
}

}  // namespace plimsoll::dra

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
  return SelectorMatches(*cache_.Get(expression), device.facts);
}

std::shared_ptr<const cel::Compilation> DeviceSelectors::Compile(
    std::string_view expression) const {
  return cache_.Get(expression);
}

Result<bool> SelectorMatches(const cel::Compilation& selector, const cel::DeviceFacts& facts) {
  if (const std::string fault = CompileFault(selector); !fault.empty()) {
    return Fail(Reason::Invalid, "CEL compile error: " + fault);
  }
  // Their stacks and memory stay warm between calls.
  thread_local cel::Evaluation evaluation;
  thread_local cel::Arena arena;
  arena.Reset();
  const auto variable = cel::BindDevice(facts, kMode, arena);
  if (!variable.has_value()) return RuntimeFault(variable.error());
  const cel::Outcome outcome = evaluation.Evaluate(*selector.program, {&*variable, 1});
  if (outcome.value.is_error()) return RuntimeFault(outcome.value.error().Text());
  auto match = cel::MatchOf(outcome.value);
  if (!match.has_value()) return RuntimeFault(match.error());
  return *match;
}

}  // namespace plimsoll::dra

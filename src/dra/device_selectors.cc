#include "dra/device_selectors.h"

#include <optional>
#include <utility>

#include "cel/device.h"
#include "cel/device_result.h"

namespace plimsoll::dra {
namespace {

constexpr cel::DeviceMode kMode = cel::DeviceMode::Stored;

/// Returns why the expression cannot be evaluated, or "" if it can.
std::string CompileFault(const cel::Compilation& compiled) {
  using Stage = cel::Compilation::Stage;
  if (compiled.stage == Stage::Compile) return "compilation failed: " + compiled.error;
  if (std::string refusal = cel::CheckSelectorType(compiled.type, kMode); !refusal.empty()) {
    return refusal;
  }
  if (compiled.stage == Stage::Plan) return "program instantiation failed: " + compiled.error;
  return {};
}

std::unexpected<SelectorFault> RuntimeFault(std::string message) {
  if (message.find("no such key:") != std::string::npos) {
    message +=
        ". consider using CEL optional chaining (.? followed by orValue()) or guarding the check "
        "with has() for optional fields";
  }
  return std::unexpected(SelectorFault{0, false, "CEL runtime error: " + std::move(message)});
}

/// A device to evaluate expressions over. It is bound once, for the first expression.
class BoundDevice {
 public:
  explicit BoundDevice(const cel::DeviceFacts& facts) : facts_(facts) { arena().Reset(); }

  std::expected<bool, SelectorFault> Matches(const cel::Compilation& selector) {
    if (std::string fault = CompileFault(selector); !fault.empty()) {
      return std::unexpected(SelectorFault{0, true, "CEL compile error: " + std::move(fault)});
    }
    if (!variable_) {
      auto bound = cel::BindDevice(facts_, kMode, arena());
      if (!bound) return RuntimeFault(std::move(bound.error()));
      variable_ = *bound;
    }
    thread_local cel::Evaluation evaluation;
    const cel::Outcome outcome = evaluation.Evaluate(*selector.program, {&*variable_, 1});
    cost_ += outcome.cost;
    if (outcome.value.is_error()) return RuntimeFault(outcome.value.error().Text());
    auto match = cel::MatchOf(outcome.value);
    if (!match) return RuntimeFault(std::move(match.error()));
    return *match;
  }

  /// Returns the cost of all evaluations so far.
  std::uint64_t cost() const { return cost_; }

 private:
  /// Reuses its memory between calls.
  static cel::Arena& arena() {
    thread_local cel::Arena arena;
    return arena;
  }

  const cel::DeviceFacts& facts_;
  std::optional<cel::Value> variable_;
  std::uint64_t cost_ = 0;
};

}  // namespace

DeviceSelectors::DeviceSelectors(CacheLimits limits)
    : cache_(cel::DeviceEnvironment(kMode), limits) {}

Result<bool> DeviceSelectors::Matches(std::string_view expression,
                                      const api::Device& device) const {
  return SelectorMatches(*cache_.Get(expression), device.facts);
}

std::expected<bool, SelectorFault> DeviceSelectors::MatchesAll(
    std::span<const std::string_view> expressions, const api::Device& device,
    std::uint64_t* cost) const {
  BoundDevice bound(device.facts);
  std::expected<bool, SelectorFault> answer = true;
  for (std::size_t i = 0; i < expressions.size() && answer && *answer; ++i) {
    answer = bound.Matches(*cache_.Get(expressions[i]));
    if (!answer) answer.error().index = i;
  }
  if (cost != nullptr) *cost += bound.cost();
  return answer;
}

std::shared_ptr<const cel::Compilation> DeviceSelectors::Compile(
    std::string_view expression) const {
  return cache_.Get(expression);
}

Result<bool> SelectorMatches(const cel::Compilation& selector, const cel::DeviceFacts& facts) {
  auto answer = BoundDevice(facts).Matches(selector);
  if (!answer) return Fail(Reason::Invalid, std::move(answer.error().text));
  return *answer;
}

}  // namespace plimsoll::dra

// Compares expressions over devices with upstream's compiler for dynamic resource allocation.

#include <optional>
#include <string>
#include <vector>

#include "cel/device.h"
#include "cel/device_result.h"
#include "cel/kubernetes.h"
#include "cel/program.h"
#include "cel_cases.h"
#include "cel_values.h"

namespace plimsoll::golden {
namespace {

using codec::Value;

std::optional<cel::DeviceMode> ModeOf(std::string_view name) {
  if (name == "new") return cel::DeviceMode::New;
  if (name == "new+list") return cel::DeviceMode::NewWithLists;
  if (name == "new-none") return cel::DeviceMode::NewWithoutCapacity;
  if (name == "stored") return cel::DeviceMode::Stored;
  return std::nullopt;
}

template <class T, class Read>
std::vector<T> ListOf(const Value& list, Read read) {
  std::vector<T> made;
  for (const Value& item : list.items()) made.push_back(read(item));
  return made;
}

cel::AttributeValue AttributeOf(const Value& encoded) {
  if (encoded.members().empty()) return std::monostate();
  const std::string_view kind = encoded.members()[0].key;
  const Value& value = encoded.members()[0].value;
  const auto version = [](const Value& item) { return cel::VersionText{item.text()}; };
  if (kind == "bool") return value.AsBool();
  if (kind == "int") return value.AsInt();
  if (kind == "string") return value.text();
  if (kind == "version") return version(value);
  if (kind == "bools") return ListOf<bool>(value, [](const Value& item) { return item.AsBool(); });
  if (kind == "ints") {
    return ListOf<std::int64_t>(value, [](const Value& item) { return item.AsInt(); });
  }
  if (kind == "strings") {
    return ListOf<std::string_view>(value, [](const Value& item) { return item.text(); });
  }
  return ListOf<cel::VersionText>(value, version);
}

cel::DeviceFacts FactsOf(const Value& device) {
  cel::DeviceFacts facts{.driver = TextOf(device.Find("driver"))};
  facts.allow_multiple_allocations = IsTrue(device.Find("allowMultipleAllocations"));
  if (const Value* const attributes = device.Find("attributes")) {
    for (const auto& member : attributes->members()) {
      facts.attributes.push_back({member.key, AttributeOf(member.value)});
    }
  }
  if (const Value* const capacity = device.Find("capacity")) {
    for (const auto& member : capacity->members()) {
      facts.capacity.push_back({member.key, *Quantity::Parse(member.value.text())});
    }
  }
  return facts;
}

/// Returns an attribute as `int 1` or `list[int 1, int 2]`, the form in which results are compared.
std::string AttributeText(const Value& encoded) {
  if (encoded.members().empty()) return "list[]";
  const std::string kind(encoded.members()[0].key);
  const Value& value = encoded.members()[0].value;
  const auto scalar = [](std::string_view name, const Value& item) {
    const std::string text =
        item.is_bool() ? (item.AsBool() ? "true" : "false") : NumberText(&item);
    return std::string(name == "version" ? "semver" : name) + " " + text;
  };
  if (!value.is_array()) return scalar(kind, value);
  std::string text;
  for (const Value& item : value.items()) {
    text += (text.empty() ? "" : ", ") + scalar(kind.substr(0, kind.size() - 1), item);
  }
  return "list[" + text + "]";
}

Mismatch DifferDeviceResult(const Value& want, const cel::Outcome& got) {
  std::string answer;
  if (want.Find("attribute") != nullptr || want.Find("match") == nullptr) {
    answer = cel::RefuseAttribute(got.value);
  }
  const Value* const error = want.Find("error");
  const auto match = cel::MatchOf(got.value);
  if (const Value* const wanted = want.Find("match")) {
    if (!match) return "want a match or not, got " + match.error();
    if (*match != wanted->AsBool()) return "match: want " + std::string(*match ? "no" : "yes");
  } else if (const Value* const attribute = want.Find("attribute")) {
    if (!answer.empty()) return answer;
    if (auto differs = Differ("attribute", AttributeText(*attribute), ValueText(got.value))) {
      return differs;
    }
  } else if (error != nullptr) {
    const std::string_view text = TextOf(error);
    const bool is_match_error = !match && match.error() == text;
    if (!is_match_error && answer != text) return Differ("error", text, answer);
  }
  return DifferCost(want, got.cost);
}

Mismatch CheckResults(const Value& header, const Value& outcome, const cel::Program& program,
                      cel::DeviceMode mode) {
  const Value* const results = outcome.Find("results");
  if (results == nullptr) return std::nullopt;
  cel::Evaluation evaluation;
  for (const Value& result : results->items()) {
    const auto number = static_cast<std::size_t>(result.Find("device")->AsInt());
    const std::string place = "device " + std::to_string(number) + ": ";
    cel::Arena arena;
    const cel::DeviceFacts facts = FactsOf(header.Find("devices")->items()[number]);
    const auto device = cel::BindDevice(facts, mode, arena);
    if (!device) {
      auto mismatch = Differ("error", TextOf(result.Find("error")), device.error());
      if (mismatch) return place + *mismatch;
      continue;
    }
    const cel::Outcome got = evaluation.Evaluate(program, {&*device, 1});
    if (auto mismatch = DifferDeviceResult(result, got)) return place + *mismatch;
  }
  return std::nullopt;
}

/// Compiles the expression for this mode. The error is upstream's text.
std::expected<std::shared_ptr<const cel::Program>, std::string> Prepare(const Value& one,
                                                                        cel::DeviceMode mode,
                                                                        cel::Compiled& compiled) {
  const auto& environment = cel::DeviceEnvironment(mode);
  auto checked = environment->Compile(TextOf(one.Find("expr")));
  if (!checked) return std::unexpected("compilation failed: " + checked.error().Text());
  compiled = std::move(*checked);
  std::string refusal = IsTrue(one.Find("derived")) ? cel::RefuseAttributeType(compiled.type, mode)
                                                    : cel::CheckSelectorType(compiled.type, mode);
  if (!refusal.empty()) return std::unexpected(std::move(refusal));
  auto program = cel::Program::Plan(compiled, environment);
  if (!program) return std::unexpected("program instantiation failed: " + program.error());
  return program;
}

Mismatch CheckOutcome(const Value& header, const Value& one, const Value& outcome,
                      cel::DeviceMode mode) {
  const Value& want = *outcome.Find("compile");
  cel::Compiled compiled;
  const auto program = Prepare(one, mode, compiled);
  if (!program) {
    if (IsTrue(want.Find("ok"))) return program.error();
    const bool any_text = HasTag(one, "antlr-text") || TextOf(want.Find("error_type")) == "panic";
    if (any_text) return std::nullopt;
    return Differ("detail", TextOf(want.Find("detail")), program.error());
  }
  if (!IsTrue(want.Find("ok"))) {
    return "compiles, but should fail with " + std::string(TextOf(want.Find("detail")));
  }
  if (auto mismatch = Differ("type", TextOf(want.Find("type")), cel::OutputText(compiled.type))) {
    return mismatch;
  }
  if (const Value* const cost_max = outcome.Find("max_cost")) {
    const std::uint64_t got = cel::DeviceEnvironment(mode)->EstimateCost(*compiled.ast).max;
    if (auto mismatch = Differ("max_cost", NumberText(cost_max), std::to_string(got))) {
      return mismatch;
    }
  }
  return CheckResults(header, outcome, **program, mode);
}

}  // namespace

Mismatch CheckDevice(const Value& header, const Value& one) {
  for (const Value& outcome : one.Find("outcomes")->items()) {
    for (const Value& name : outcome.Find("modes")->items()) {
      const auto mode = ModeOf(TextOf(&name));
      if (!mode) return "unknown mode " + std::string(TextOf(&name));
      if (auto mismatch = CheckOutcome(header, one, outcome, *mode)) {
        return std::string(TextOf(&name)) + ": " + *mismatch;
      }
    }
  }
  return std::nullopt;
}

}  // namespace plimsoll::golden

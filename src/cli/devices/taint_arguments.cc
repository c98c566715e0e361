#include "cli/devices/taint_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/fnv.h"
#include "base/suggest.h"
#include "base/text/ascii.h"
#include "codec/build.h"
#include "codec/document.h"
#include "codec/json.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::ObjectOf;
using codec::Value;

const std::vector<std::string> kEffects = {"None", "NoSchedule", "NoExecute"};

Status CheckEffect(std::string_view effect) {
  if (std::ranges::find(kEffects, effect) != kEffects.end()) return {};
  std::string message = fmt::format(
      "\"{}\" is no effect of a device taint: want NoExecute, NoSchedule or None", effect);
  if (const auto nearest = Nearest(effect, kEffects)) {
    message += fmt::format("; did you mean {}?", *nearest);
  }
  return Fail(Reason::Invalid, std::move(message));
}

Error NoTaint(std::string_view word) {
  return {Reason::Invalid,
          {},
          fmt::format("\"{}\" is no taint: want key=value:Effect or key:Effect, or key- to remove "
                      "it",
                      word)};
}

/// Returns lower-case letters, digits and dashes, as object names require.
std::string NamePart(std::string_view text, std::size_t size_max) {
  std::string part;
  for (const char c : text) {
    const bool is_upper = IsUpper(c);
    const bool is_plain = IsLower(c) || IsDigit(c);
    if (is_upper) part += static_cast<char>(c - 'A' + 'a');
    if (is_plain) part += c;
    if (!is_upper && !is_plain && !part.empty() && part.back() != '-') part += '-';
  }
  if (part.size() > size_max) part.resize(size_max);
  while (!part.empty() && part.back() == '-') part.pop_back();
  return part;
}

}  // namespace

Result<DeviceTarget> ParseDeviceName(std::string_view word) {
  const std::size_t first = word.find('/');
  const std::size_t last = word.rfind('/');
  if (first == std::string_view::npos || first == 0 || first + 1 >= last ||
      last + 1 == word.size()) {
    return Fail(Reason::Invalid,
                fmt::format("\"{}\" is no device: want DRIVER/POOL/DEVICE, or select devices with "
                            "--driver, --pool, --class or --cel",
                            word));
  }
  DeviceTarget target;
  target.driver = word.substr(0, first);
  target.pool = word.substr(first + 1, last - first - 1);
  target.device = word.substr(last + 1);
  return target;
}

std::string ToText(const DeviceTarget& target) {
  if (target.driver && target.pool && target.device && !target.class_name &&
      target.expressions.empty()) {
    return *target.driver + "/" + *target.pool + "/" + *target.device;
  }
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  };
  if (target.driver) add("driver", *target.driver);
  if (target.pool) add("pool", *target.pool);
  if (target.device) add("device", *target.device);
  if (target.class_name) add("class", *target.class_name);
  for (const std::string& expression : target.expressions) add("cel", expression);
  return text;
}

bool IsEqual(const DeviceTarget& target, const std::optional<api::DeviceTaintSelector>& selector) {
  return selector && target.driver == selector->driver && target.pool == selector->pool &&
         target.device == selector->device && target.class_name == selector->device_class_name &&
         std::ranges::equal(target.expressions, selector->selectors);
}

Result<TaintArgument> ParseTaintArgument(std::string_view word) {
  TaintArgument taint;
  std::string_view rest = word;
  if (rest.ends_with('-')) {
    taint.is_removal = true;
    rest.remove_suffix(1);
  }
  const std::size_t colon = rest.rfind(':');
  if (colon != std::string_view::npos) {
    taint.effect = rest.substr(colon + 1);
    PL_TRY(CheckEffect(taint.effect));
    rest = rest.substr(0, colon);
  } else if (!taint.is_removal) {
    return std::unexpected(NoTaint(word));
  }
  const std::size_t equals = rest.find('=');
  taint.key = rest.substr(0, equals);
  if (equals != std::string_view::npos) {
    if (taint.is_removal) {
      return Fail(Reason::Invalid, fmt::format("\"{}\": a taint is removed by its key, and effect, "
                                               "alone: {}-",
                                               word, taint.key));
    }
    taint.value = rest.substr(equals + 1);
  }
  if (taint.key.empty()) return std::unexpected(NoTaint(word));
  return taint;
}

std::string RuleNameFor(const DeviceTarget& target, std::string_view key) {
  const std::uint64_t hash = Fnv1a(ToText(target) + "|" + std::string(key));
  const std::string_view short_key = key.substr(key.find('/') + 1);
  std::string name = NamePart(short_key, 24);
  const std::string& what = target.device       ? *target.device
                            : target.class_name ? *target.class_name
                            : target.pool       ? *target.pool
                            : target.driver     ? *target.driver
                                                : "selected";
  for (const std::string& part : {NamePart(what, 24), fmt::format("{:08x}", hash >> 32)}) {
    if (part.empty()) continue;
    if (!name.empty()) name += '-';
    name += part;
  }
  return name;
}

std::string RuleJson(std::string_view name, const DeviceTarget& target, const TaintArgument& taint,
                     const RuleDetails& details) {
  Document document;
  Value selector = document.NewObject();
  const auto set = [&](std::string_view field, const std::optional<std::string>& value) {
    if (value) document.Set(selector, field, Value::String(*value));
  };
  set("driver", target.driver);
  set("pool", target.pool);
  set("device", target.device);
  set("deviceClassName", target.class_name);
  if (!target.expressions.empty()) {
    Value selectors = document.NewArray();
    for (const std::string& expression : target.expressions) {
      const Value cel = ObjectOf(document, {{"expression", Value::String(expression)}});
      document.Append(selectors, ObjectOf(document, {{"cel", cel}}));
    }
    document.Set(selector, "selectors", selectors);
  }
  Value its = ObjectOf(document, {{"key", Value::String(taint.key)}});
  if (!taint.value.empty()) document.Set(its, "value", Value::String(taint.value));
  document.Set(its, "effect", Value::String(taint.effect));
  if (details.rate) document.Set(its, "evictionsPerSecond", Value::Int(*details.rate));
  if (!details.description.empty()) {
    document.Set(its, "description", Value::String(details.description));
  }
  return codec::WriteJson(ObjectOf(
      document, {{"apiVersion", Value::String("resource.k8s.io/v1")},
                 {"kind", Value::String("DeviceTaintRule")},
                 {"metadata", ObjectOf(document, {{"name", Value::String(name)}})},
                 {"spec", ObjectOf(document, {{"deviceSelector", selector}, {"taint", its}})}}));
}

}  // namespace plimsoll::cli

#include "cli/node_taints/expiring_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "api/object.h"
#include "api/validation/object.h"
#include "base/fnv.h"
#include "base/text/ascii.h"
#include "base/time_arithmetic.h"
#include "codec/json.h"

namespace plimsoll::cli {
namespace {

using codec::Value;

constexpr std::size_t kNamePartBytesMax = 24;

/// Returns the letters and digits of the text in lower case, and dashes between them.
std::string NamePart(std::string_view text) {
  std::string part;
  for (const char c : Lowered(text)) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_plain) part += c;
    if (!is_plain && !part.empty() && part.back() != '-') part += '-';
  }
  part.resize(std::min(part.size(), kNamePartBytesMax));
  while (part.ends_with('-')) part.pop_back();
  return part;
}

std::string RuleText(const ExpiringTaint& taint, Instant now) {
  codec::Document document;
  Value metadata = document.NewObject();
  document.Set(metadata, "name", document.NewString(ExpiringRuleName(taint)));
  Value names = document.NewArray();
  for (const std::string& node : taint.nodes) document.Append(names, Value::String(node));
  Value nodes = document.NewObject();
  document.Set(nodes, "names", names);
  Value its = document.NewObject();
  document.Set(its, "key", Value::String(taint.key));
  document.Set(its, "effect", Value::String(taint.effect));
  Value value = document.NewObject();
  document.Set(value, "constant", Value::String(taint.value));
  Value spec = document.NewObject();
  if (!taint.reason.empty()) document.Set(spec, "description", Value::String(taint.reason));
  document.Set(spec, "expires", document.NewString(FormatTime(RoundUpToSecond(now + taint.lasts))));
  document.Set(spec, "nodes", nodes);
  document.Set(spec, "taint", its);
  document.Set(spec, "value", value);
  Value root = document.NewObject();
  document.Set(root, "apiVersion", Value::String("plimsoll.io/v1alpha1"));
  document.Set(root, "kind", Value::String("NodeTaintRule"));
  document.Set(root, "metadata", metadata);
  document.Set(root, "spec", spec);
  return codec::WriteJson(root);
}

}  // namespace

std::string ExpiringRuleName(const ExpiringTaint& taint) {
  std::vector<std::string> nodes = taint.nodes;
  std::ranges::sort(nodes);
  std::string all = taint.key + "|" + taint.effect;
  for (const std::string& node : nodes) all += "|" + node;
  const std::string_view key = taint.key;
  std::string name = NamePart(key.substr(key.find('/') + 1));
  const std::string node = nodes.size() == 1 ? NamePart(nodes.front()) : "nodes";
  for (const std::string& part : {node, fmt::format("{:08x}", Fnv1a(all) >> 32)}) {
    if (!name.empty() && !part.empty()) name += '-';
    name += part;
  }
  return name;
}

Result<std::string> MakeExpiringRule(const ExpiringTaint& taint, Instant now) {
  if (taint.nodes.empty()) return FailAt(Reason::Invalid, "nodes", "at least one node is needed");
  if (taint.lasts < std::chrono::seconds(1) || taint.lasts > kExpiringTaintMax) {
    return FailAt(Reason::Invalid, "--for", "must be between 1s and 720h");
  }
  std::string text = RuleText(taint, now);
  auto parsed = codec::ParseJson(text);
  if (!parsed) return std::unexpected(std::move(parsed).error());
  const auto decoded = api::DecodeObject(std::shared_ptr<codec::Document>(*std::move(parsed)));
  if (!decoded) return Fail(Reason::Invalid, decoded.error().Text());
  const api::FieldErrors errors = api::ValidateCreate(*decoded->object, {});
  if (!errors.empty()) {
    const api::FieldError& first = errors.list().front();
    return FailAt(Reason::Invalid, first.field, first.Body());
  }
  return text;
}

}  // namespace plimsoll::cli

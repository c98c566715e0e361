#include "agent/node_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "api/core/node.h"
#include "api/meta/own_annotation.h"
#include "base/go_text.h"
#include "codec/value_at.h"

namespace plimsoll::agent {
namespace {

using codec::Value;

constexpr std::string_view kConditionPrefix = "condition.";

/// A condition that every node has, with its texts when healthy and when not.
struct KnownCondition {
  std::string_view type;
  std::string_view good_status;
  std::string_view good_reason;
  std::string_view good_message;
  std::string_view bad_reason;
  std::string_view bad_message;
  std::string_view good_event;
  std::string_view bad_event;
};
constexpr std::array kKnown = {
    KnownCondition{"MemoryPressure", "False", "KubeletHasSufficientMemory",
                   "kubelet has sufficient memory available", "KubeletHasInsufficientMemory",
                   "kubelet has insufficient memory available", "NodeHasSufficientMemory",
                   "NodeHasInsufficientMemory"},
    KnownCondition{"DiskPressure", "False", "KubeletHasNoDiskPressure",
                   "kubelet has no disk pressure", "KubeletHasDiskPressure",
                   "kubelet has disk pressure", "NodeHasNoDiskPressure", "NodeHasDiskPressure"},
    KnownCondition{"PIDPressure", "False", "KubeletHasSufficientPID",
                   "kubelet has sufficient PID available", "KubeletHasInsufficientPID",
                   "kubelet has insufficient PID available", "NodeHasSufficientPID",
                   "NodeHasInsufficientPID"},
    KnownCondition{"Ready", "True", "KubeletReady", "kubelet is posting ready status",
                   "KubeletNotReady", "set by the annotation plimsoll.io/condition.Ready",
                   "NodeReady", "NodeNotReady"},
};

const KnownCondition* FindKnown(std::string_view type) {
  const auto found = std::ranges::find(kKnown, type, &KnownCondition::type);
  return found == kKnown.end() ? nullptr : &*found;
}

/// Parses `status[:reason[:message]]`.
void ReadFault(std::string_view text, NodeCondition& condition) {
  const KnownCondition* const known = FindKnown(condition.type);
  const std::size_t first = text.find(':');
  condition.status = text.substr(0, first);
  const bool is_good = known != nullptr && condition.status == known->good_status;
  if (known != nullptr) {
    condition.reason = is_good ? known->good_reason : known->bad_reason;
    condition.message = is_good ? known->good_message : known->bad_message;
  } else {
    condition.reason = "Simulated";
    condition.message = fmt::format("set by the annotation {}{}{}", api::kOwnAnnotationPrefix,
                                    kConditionPrefix, condition.type);
  }
  if (first == std::string_view::npos) return;
  text.remove_prefix(first + 1);
  const std::size_t second = text.find(':');
  condition.reason = text.substr(0, second);
  if (second != std::string_view::npos) condition.message = text.substr(second + 1);
}

void AppendConditions(std::string& out, const NodeReport& report) {
  const std::string now = FormatTime(report.now);
  out += R"("conditions":[)";
  bool is_first = true;
  for (const NodeCondition& condition : report.conditions) {
    fmt::format_to(
        std::back_inserter(out),
        R"({}{{"type":{},"status":{},"lastHeartbeatTime":"{}","lastTransitionTime":"{}","reason":{},"message":{}}})",
        is_first ? "" : ",", GoJsonQuote(condition.type), GoJsonQuote(condition.status), now,
        FormatTime(condition.since), GoJsonQuote(condition.reason), GoJsonQuote(condition.message));
    is_first = false;
  }
  for (const std::string_view type : report.dropped) {
    fmt::format_to(std::back_inserter(out), R"({}{{"$patch":"delete","type":{}}})",
                   is_first ? "" : ",", GoJsonQuote(type));
    is_first = false;
  }
  out += ']';
}

void AppendAddresses(std::string& out, const NodeReport& report) {
  if (report.address.empty()) return;
  fmt::format_to(
      std::back_inserter(out),
      R"(,"addresses":[{{"type":"InternalIP","address":"{}"}},{{"type":"Hostname","address":{}}}])",
      report.address, GoJsonQuote(report.hostname));
}

void AppendImages(std::string& out, const NodeReport& report) {
  if (!report.images) return;
  out += R"(,"images":[)";
  bool is_first = true;
  for (const NodeImageEntry& image : *report.images) {
    fmt::format_to(std::back_inserter(out), R"({}{{"names":[{}],"sizeBytes":{}}})",
                   is_first ? "" : ",", GoJsonQuote(image.name), image.bytes);
    is_first = false;
  }
  out += ']';
}

/// Appends the members of a JSON object, after a comma.
void AppendMembers(std::string& out, std::string_view object) {
  if (object.size() <= 2) return;
  out += ',';
  out += object.substr(1, object.size() - 2);
}

void AppendStatus(std::string& out, const NodeReport& report) {
  out += R"("status":{)";
  AppendConditions(out, report);
  AppendAddresses(out, report);
  AppendImages(out, report);
  AppendMembers(out, report.status);
  if (!report.runtime.empty() &&
      report.status.find("containerRuntimeVersion") == std::string_view::npos) {
    fmt::format_to(std::back_inserter(out), R"(,"nodeInfo":{{"containerRuntimeVersion":{}}})",
                   GoJsonQuote(report.runtime));
  }
  out += '}';
}

}  // namespace

bool IsSilenced(const api::StringMap& annotations) {
  return api::FindOwnAnnotation(annotations, "heartbeats") == "false";
}

bool IsSimulated(const api::StringMap& annotations) {
  return api::FindOwnAnnotation(annotations, "simulated") == "true";
}

NodeConditions ConditionsOf(const api::StringMap& annotations, const NodeConditions& before,
                            Instant now) {
  NodeConditions conditions;
  for (const KnownCondition& known : kKnown) {
    conditions.push_back({.type = std::string(known.type),
                          .status = std::string(known.good_status),
                          .reason = std::string(known.good_reason),
                          .message = std::string(known.good_message),
                          .since = now});
  }
  for (const auto& [key, text] : annotations) {
    const std::optional<std::string_view> name = api::OwnAnnotationName(key);
    if (!name || !name->starts_with(kConditionPrefix)) continue;
    const std::string_view type = name->substr(kConditionPrefix.size());
    auto found = std::ranges::find(conditions, type, &NodeCondition::type);
    if (found == conditions.end()) {
      conditions.push_back(
          {.type = std::string(type), .status = {}, .reason = {}, .message = {}, .since = now});
      found = std::prev(conditions.end());
    }
    ReadFault(text, *found);
  }
  for (NodeCondition& condition : conditions) {
    const auto known = std::ranges::find(before, condition.type, &NodeCondition::type);
    if (known != before.end() && known->status == condition.status) condition.since = known->since;
  }
  return conditions;
}

NodeConditions ReadConditions(const api::Object& node) {
  NodeConditions conditions;
  const Value* const status = node.tree().Find("status");
  const Value* const list = status == nullptr ? nullptr : status->Find("conditions");
  if (list == nullptr) return conditions;
  for (const Value& item : list->items()) {
    const Result<Instant> since = ParseTime(TextAt(item, "lastTransitionTime"));
    conditions.push_back({.type = std::string(TextAt(item, "type")),
                          .status = std::string(TextAt(item, "status")),
                          .reason = std::string(TextAt(item, "reason")),
                          .message = std::string(TextAt(item, "message")),
                          .since = since ? *since : Instant{}});
  }
  return conditions;
}

bool IsTrue(const NodeConditions& conditions, std::string_view type) {
  const auto found = std::ranges::find(conditions, type, &NodeCondition::type);
  return found != conditions.end() && found->status == "True";
}

std::string_view EventReason(const NodeCondition& condition) {
  const KnownCondition* const known = FindKnown(condition.type);
  if (known == nullptr) return {};
  return condition.status == known->good_status ? known->good_event : known->bad_event;
}

std::string_view ReadAddress(const api::Object& node) {
  const Value* const status = node.tree().Find("status");
  const Value* const list = status == nullptr ? nullptr : status->Find("addresses");
  if (list == nullptr) return {};
  for (const Value& item : list->items()) {
    if (TextAt(item, "type") == "InternalIP") return TextAt(item, "address");
  }
  return {};
}

bool HasCapacity(const api::Object& node) {
  return !node.As<api::Node>()->status.allocatable.empty();
}

std::string NodeStatusPatch(const api::Object& node, const NodeReport& report) {
  std::string out = fmt::format(R"({{"metadata":{{"uid":{}}},)", GoJsonQuote(node.metadata().uid));
  AppendStatus(out, report);
  out += '}';
  return out;
}

std::string NodeJson(const HostedNode& node, const NodeReport& report) {
  std::string out = fmt::format(R"({{"apiVersion":"v1","kind":"Node","metadata":{},"spec":{},)",
                                node.metadata, node.spec);
  AppendStatus(out, report);
  out += '}';
  return out;
}

std::string RenewalPatch(Instant now) {
  return R"({"spec":{"renewTime":")" + FormatMicroTime(now) + R"("}})";
}

std::string LeaseJson(const api::Object& node, Duration duration, Instant now) {
  const std::string name = GoJsonQuote(node.metadata().name);
  return fmt::format(
      R"({{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{{"name":{0},)"
      R"("namespace":"kube-node-lease","ownerReferences":[{{"apiVersion":"v1","kind":"Node",)"
      R"("name":{0},"uid":{1}}}]}},"spec":{{"holderIdentity":{0},"leaseDurationSeconds":{2},)"
      R"("renewTime":"{3}"}}}})",
      name, GoJsonQuote(node.metadata().uid),
      std::chrono::duration_cast<std::chrono::seconds>(duration).count(), FormatMicroTime(now));
}

}  // namespace plimsoll::agent

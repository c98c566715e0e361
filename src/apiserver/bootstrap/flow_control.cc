#include "apiserver/bootstrap/flow_control.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "apiserver/fairness/flow_config.h"
#include "apiserver/strategy/object_editor.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;
using Names = std::vector<std::string_view>;

constexpr std::string_view kAutoUpdate = "apf.kubernetes.io/autoupdate-spec";
constexpr std::string_view kByUser = "ByUser";
constexpr std::string_view kByNamespace = "ByNamespace";

DefaultObject MakeObject(std::string_view kind, std::string_view resource, std::string_view name,
                         std::string_view spec) {
  return {.group = kFlowControlGroup,
          .resource = resource,
          .namespace_ = {},
          .name = std::string(name),
          .json = fmt::format(R"({{"kind":"{}","apiVersion":"{}/v1","metadata":{{"name":"{}",)"
                              R"("annotations":{{"{}":"true"}}}},"spec":{}}})",
                              kind, kFlowControlGroup, name, kAutoUpdate, spec)};
}

DefaultObject MakeLevel(std::string_view name, std::string_view spec) {
  return MakeObject("PriorityLevelConfiguration", "prioritylevelconfigurations", name, spec);
}

DefaultObject MakeQueuedLevel(std::string_view name, int shares, int lendable, int queues,
                              int hand_size) {
  return MakeLevel(
      name, fmt::format(R"({{"type":"Limited","limited":{{"nominalConcurrencyShares":{},)"
                        R"("limitResponse":{{"type":"Queue","queuing":{{"queues":{},"handSize":{},)"
                        R"("queueLengthLimit":50}}}},"lendablePercent":{}}}}})",
                        shares, queues, hand_size, lendable));
}

std::string Groups(const Names& names) {
  std::string out;
  for (const std::string_view name : names) {
    if (!out.empty()) out += ',';
    out += fmt::format(R"({{"kind":"Group","group":{{"name":"{}"}}}})", name);
  }
  return out;
}

std::string Users(const Names& names) {
  std::string out;
  for (const std::string_view name : names) {
    if (!out.empty()) out += ',';
    out += fmt::format(R"({{"kind":"User","user":{{"name":"{}"}}}})", name);
  }
  return out;
}

std::string SystemAccounts(const Names& names) {
  std::string out;
  for (const std::string_view name : names) {
    if (!out.empty()) out += ',';
    out += fmt::format(R"({{"kind":"ServiceAccount","serviceAccount":)"
                       R"({{"namespace":"kube-system","name":"{}"}}}})",
                       name);
  }
  return out;
}

std::string Quoted(const Names& names) {
  return fmt::format(R"(["{}"])", fmt::join(names, "\",\""));
}

std::string OnResources(const Names& verbs, std::string_view group, const Names& resources,
                        bool is_cluster_too = false) {
  return fmt::format(R"({{"verbs":{},"apiGroups":["{}"],"resources":{},{}"namespaces":["*"]}})",
                     Quoted(verbs), group, Quoted(resources),
                     is_cluster_too ? R"("clusterScope":true,)" : "");
}

const std::string& OnAll() {
  static const std::string rules =
      fmt::format(R"("resourceRules":[{}],"nonResourceRules":[{{"verbs":["*"],)"
                  R"("nonResourceURLs":["*"]}}])",
                  OnResources({"*"}, "*", {"*"}, true));
  return rules;
}

std::string OnlyResources(const std::vector<std::string>& rules) {
  return fmt::format(R"("resourceRules":[{}])", fmt::join(rules, ","));
}

struct Schema {
  std::string_view name;
  std::string_view level;
  int precedence;
  std::string_view method;  // empty: none
  std::string subjects;
  std::string rules;
};

DefaultObject MakeSchema(const Schema& schema) {
  const std::string method =
      schema.method.empty()
          ? std::string()
          : fmt::format(R"("distinguisherMethod":{{"type":"{}"}},)", schema.method);
  return MakeObject(
      "FlowSchema", "flowschemas", schema.name,
      fmt::format(R"({{"priorityLevelConfiguration":{{"name":"{}"}},"matchingPrecedence":{},)"
                  R"({}"rules":[{{"subjects":[{}],{}}}]}})",
                  schema.level, schema.precedence, method, schema.subjects, schema.rules));
}

std::string Everyone() { return Groups({"system:unauthenticated", "system:authenticated"}); }

// ---- Reconciliation

/// Parses like Go's strconv.ParseBool; returns nullopt for any other text.
std::optional<bool> ParseGoBool(std::string_view text) {
  for (const std::string_view yes : {"1", "t", "T", "TRUE", "true", "True"}) {
    if (text == yes) return true;
  }
  for (const std::string_view no : {"0", "f", "F", "FALSE", "false", "False"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

std::optional<bool> AnnotatedAutoUpdate(const Value& object) {
  return ParseGoBool(TextAt(object, "metadata", "annotations", kAutoUpdate));
}

bool IsExemptLevel(const Value& object) {
  return TextAt(object, "kind") == "PriorityLevelConfiguration" &&
         TextAt(object, "metadata", "name") == "exempt";
}

bool HasWantedSpec(const Value& existing, const Value& wanted) {
  const Value* own = existing.Find("spec");
  const Value* want = wanted.Find("spec");
  if (own == nullptr || want == nullptr) return own == want;
  if (IsExemptLevel(wanted)) return TextAt(*own, "type") == "Exempt" && !own->Find("limited");
  return *own == *want;
}

Reconciled ReconcileFlowControl(std::string_view existing, std::string_view wanted,
                                bool is_mandatory) {
  auto now = codec::ParseJson(std::string(existing));
  auto then = codec::ParseJson(std::string(wanted));
  if (!now || !then || !(*now)->root().is_object()) return {};
  codec::Document& document = **now;
  Value& object = document.root();
  const std::optional<bool> annotated = AnnotatedAutoUpdate(object);
  const Value* generation = FindAt(object, "metadata", "generation");
  const bool is_first = generation != nullptr && generation->is_int() && generation->AsInt() == 1;
  const bool updates = is_mandatory || annotated.value_or(is_first);
  const bool sets_annotation = annotated != updates;
  const bool sets_spec = updates && !HasWantedSpec(object, (*then)->root());
  if (!sets_annotation && !sets_spec) return {};
  if (sets_spec) document.Set(object, "spec", document.Clone(*(*then)->root().Find("spec")));
  if (sets_annotation) {
    const ObjectEditor metadata = ObjectEditor(document, object, nullptr).Child("metadata");
    metadata.Child("annotations").Set(kAutoUpdate, Value::String(updates ? "true" : "false"));
  }
  return {.step = Reconciled::Step::Update, .json = codec::WriteJson(object)};
}

}  // namespace

std::vector<DefaultObject> MandatoryFlowControl() {
  return {
      MakeLevel("exempt", R"({"type":"Exempt","exempt":{"nominalConcurrencyShares":0,)"
                          R"("lendablePercent":0}})"),
      MakeLevel("catch-all", R"({"type":"Limited","limited":{"nominalConcurrencyShares":5,)"
                             R"("limitResponse":{"type":"Reject"},"lendablePercent":0}})"),
      MakeSchema({"exempt", "exempt", 1, "", Groups({"system:masters"}), OnAll()}),
      MakeSchema({"catch-all", "catch-all", 10'000, kByUser, Everyone(), OnAll()}),
  };
}

std::vector<DefaultObject> SuggestedFlowControl() {
  constexpr std::string_view kLeases = "coordination.k8s.io";
  const Names elect = {"get", "create", "update"};
  return {
      MakeQueuedLevel("system", 30, 33, 64, 6),
      MakeQueuedLevel("node-high", 40, 25, 64, 6),
      MakeQueuedLevel("leader-election", 10, 0, 16, 4),
      MakeQueuedLevel("workload-high", 40, 50, 128, 6),
      MakeQueuedLevel("workload-low", 100, 90, 128, 6),
      MakeQueuedLevel("global-default", 20, 50, 128, 6),
      MakeSchema({"probes", "exempt", 2, "", Everyone(),
                  R"("nonResourceRules":[{"verbs":["get"],)"
                  R"("nonResourceURLs":["/healthz","/readyz","/livez"]}])"}),
      MakeSchema({"system-leader-election", "leader-election", 100, kByUser,
                  Users({"system:kube-controller-manager", "system:kube-scheduler"}) + "," +
                      SystemAccounts({"*"}),
                  OnlyResources({OnResources(elect, kLeases, {"leases"})})}),
      MakeSchema({"endpoint-controller", "workload-high", 150, kByUser,
                  Users({"system:kube-controller-manager"}) + "," +
                      SystemAccounts({"endpoint-controller", "endpointslicemirroring-controller"}),
                  OnlyResources({OnResources(elect, "", {"endpoints"})})}),
      MakeSchema({"workload-leader-election", "leader-election", 200, kByUser,
                  SystemAccounts({"*"}),
                  OnlyResources({OnResources(elect, "", {"endpoints", "configmaps"}),
                                 OnResources(elect, kLeases, {"leases"})})}),
      MakeSchema({"system-node-high", "node-high", 400, kByUser, Groups({"system:nodes"}),
                  OnlyResources({OnResources({"*"}, "", {"nodes", "nodes/status"}, true),
                                 OnResources({"*"}, kLeases, {"leases"})})}),
      MakeSchema({"system-nodes", "system", 500, kByUser, Groups({"system:nodes"}), OnAll()}),
      MakeSchema({"kube-controller-manager", "workload-high", 800, kByNamespace,
                  Users({"system:kube-controller-manager"}), OnAll()}),
      MakeSchema({"kube-scheduler", "workload-high", 800, kByNamespace,
                  Users({"system:kube-scheduler"}), OnAll()}),
      MakeSchema({"kube-system-service-accounts", "workload-high", 900, kByNamespace,
                  SystemAccounts({"*"}), OnAll()}),
      MakeSchema({"service-accounts", "workload-low", 9'000, kByUser,
                  Groups({"system:serviceaccounts"}), OnAll()}),
      MakeSchema({"global-default", "global-default", 9'900, kByUser, Everyone(), OnAll()}),
  };
}

Reconciled ReconcileMandatoryFlowControl(std::string_view existing, std::string_view wanted) {
  return ReconcileFlowControl(existing, wanted, true);
}

Reconciled ReconcileSuggestedFlowControl(std::string_view existing, std::string_view wanted) {
  return ReconcileFlowControl(existing, wanted, false);
}

std::optional<std::string> WithDanglingCondition(std::string_view flow_schema, bool is_dangling,
                                                 Instant now) {
  auto parsed = codec::ParseJson(std::string(flow_schema));
  if (!parsed || TextAt((*parsed)->root(), "kind") != "FlowSchema") return std::nullopt;
  codec::Document& document = **parsed;
  Value& object = document.root();
  const std::string_view wanted = is_dangling ? "True" : "False";
  const Value* conditions = FindAt(object, "status", "conditions");
  Value kept = document.NewArray();
  if (conditions != nullptr) {
    for (const Value& condition : conditions->items()) {
      if (TextAt(condition, "type") != "Dangling") {
        document.Append(kept, condition);
      } else if (TextAt(condition, "status") == wanted) {
        return std::nullopt;
      }
    }
  }
  Value made = document.NewObject(5);
  document.Set(made, "type", Value::String("Dangling"));
  document.Set(made, "status", Value::String(wanted));
  document.Set(made, "lastTransitionTime", document.NewString(FormatTime(now)));
  document.Set(made, "reason", Value::String(is_dangling ? "NotFound" : "Found"));
  document.Set(made, "message",
               document.NewString(fmt::format(
                   R"(This FlowSchema references the PriorityLevelConfiguration object named "{}" )"
                   "{}",
                   TextAt(object, "spec", "priorityLevelConfiguration", "name"),
                   is_dangling ? "but there is no such object" : "and it exists")));
  document.Append(kept, made);
  ObjectEditor(document, object, nullptr).Child("status").Set("conditions", kept);
  return codec::WriteJson(object);
}

}  // namespace plimsoll::apiserver

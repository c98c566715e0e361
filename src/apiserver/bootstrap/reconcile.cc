#include "apiserver/bootstrap/reconcile.h"

#include <algorithm>
#include <memory>

#include "apiserver/authz/rbac_object.h"
#include "apiserver/authz/uncovered_rules.h"
#include "apiserver/strategy/object_editor.h"
#include "base/time.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

struct Pair {
  std::unique_ptr<codec::Document> existing;
  std::unique_ptr<codec::Document> wanted;
  bool is_changed = false;
};

std::optional<Pair> Parse(std::string_view existing, std::string_view wanted) {
  auto a = codec::ParseJson(std::string(existing));
  auto b = codec::ParseJson(std::string(wanted));
  if (!a || !b || !(*a)->root().is_object() || !(*b)->root().is_object()) return std::nullopt;
  return Pair{.existing = *std::move(a), .wanted = *std::move(b)};
}

bool IsProtected(const Value& object) {
  const Value* const metadata = object.Find("metadata");
  const Value* const annotations = metadata != nullptr ? metadata->Find("annotations") : nullptr;
  return annotations != nullptr &&
         TextAt(*annotations, "rbac.authorization.kubernetes.io/autoupdate") == "false";
}

/// Returns the member; creates it if it is missing.
Value& Member(codec::Document& document, Value& object, std::string_view key, bool is_list) {
  if (Value* const found = object.Find(key); found != nullptr && !found->is_null()) return *found;
  return document.Set(object, key, is_list ? document.NewArray() : document.NewObject());
}

void AddMissingMembers(Pair& pair, std::string_view key) {
  const Value* const metadata = pair.wanted->root().Find("metadata");
  const Value* const wanted = metadata != nullptr ? metadata->Find(key) : nullptr;
  if (wanted == nullptr) return;
  codec::Document& document = *pair.existing;
  for (const codec::Member& member : wanted->members()) {
    Value& own = Member(document, Member(document, document.root(), "metadata", false), key, false);
    if (own.Find(member.key) != nullptr) continue;
    document.Set(own, document.CopyText(member.key), document.Clone(member.value));
    pair.is_changed = true;
  }
}

/// Appends the items of `wanted` that the list `key` lacks.
void AddMissingItems(Pair& pair, Value& object, std::string_view key, const Value* wanted) {
  if (wanted == nullptr) return;
  for (const Value& item : wanted->items()) {
    Value& own = Member(*pair.existing, object, key, true);
    if (std::ranges::find(own.items(), item) != own.items().end()) continue;
    pair.existing->Append(own, pair.existing->Clone(item));
    pair.is_changed = true;
  }
}

void AddMissingRules(Pair& pair) {
  const PolicyRules held = ReadPolicyRules(pair.existing->root().Find("rules"));
  const PolicyRules missing =
      FindUncovered(held, ReadPolicyRules(pair.wanted->root().Find("rules"))).rules;
  if (missing.empty()) return;
  Value& rules = Member(*pair.existing, pair.existing->root(), "rules", true);
  for (const PolicyRule& rule : missing) {
    pair.existing->Append(rules, WritePolicyRule(rule, *pair.existing));
  }
  pair.is_changed = true;
}

void AlignAggregation(Pair& pair) {
  Value& root = pair.existing->root();
  const Value* const wanted = pair.wanted->root().Find("aggregationRule");
  if (wanted == nullptr) {
    // The controller overwrites the rules of an aggregated role, so the default's would be lost.
    if (pair.existing->Remove(root, "aggregationRule")) pair.is_changed = true;
    return;
  }
  Value& own = Member(*pair.existing, root, "aggregationRule", false);
  AddMissingItems(pair, own, "clusterRoleSelectors", wanted->Find("clusterRoleSelectors"));
}

Reconciled Finish(const Pair& pair) {
  if (!pair.is_changed) return {};
  return {.step = Reconciled::Step::Update, .json = codec::WriteJson(pair.existing->root())};
}

void SetData(Pair& pair, std::string_view key, std::string_view text) {
  codec::Document& document = *pair.existing;
  document.Set(Member(document, document.root(), "data", false), key, document.NewString(text));
  pair.is_changed = true;
}

}  // namespace

Reconciled ReconcileRole(std::string_view existing, std::string_view wanted) {
  std::optional<Pair> pair = Parse(existing, wanted);
  if (!pair || IsProtected(pair->existing->root())) return {};
  AddMissingMembers(*pair, "labels");
  AddMissingMembers(*pair, "annotations");
  AlignAggregation(*pair);
  // The controller sets the rules of an aggregated role.
  if (pair->wanted->root().Find("aggregationRule") == nullptr) AddMissingRules(*pair);
  return Finish(*pair);
}

Reconciled ReconcileBinding(std::string_view existing, std::string_view wanted) {
  std::optional<Pair> pair = Parse(existing, wanted);
  if (!pair || IsProtected(pair->existing->root())) return {};
  if (ReadRoleRef(pair->existing->root()) != ReadRoleRef(pair->wanted->root())) {
    return {.step = Reconciled::Step::Recreate, .json = std::string(wanted)};
  }
  AddMissingMembers(*pair, "labels");
  AddMissingMembers(*pair, "annotations");
  AddMissingItems(*pair, pair->existing->root(), "subjects", pair->wanted->root().Find("subjects"));
  return Finish(*pair);
}

Reconciled ReconcileAuthentication(std::string_view existing, std::string_view wanted) {
  constexpr std::string_view kKey = "client-ca-file";
  std::optional<Pair> pair = Parse(existing, wanted);
  if (!pair) return {};
  const std::string_view own = TextAt(pair->existing->root(), "data", kKey);
  const std::string_view needed = TextAt(pair->wanted->root(), "data", kKey);
  if (own.contains(needed)) return {};
  std::string both(own);
  if (!both.empty() && !both.ends_with('\n')) both += '\n';
  SetData(*pair, kKey, both.append(needed));
  return Finish(*pair);
}

Reconciled ReconcileTokenTracking(std::string_view existing, std::string_view wanted) {
  constexpr std::string_view kKey = "since";
  std::optional<Pair> pair = Parse(existing, wanted);
  if (!pair) return {};
  const std::string_view own = TextAt(pair->existing->root(), "data", kKey);
  if (ParseTime(std::string(own) + "T00:00:00Z")) return {};
  SetData(*pair, kKey, TextAt(pair->wanted->root(), "data", kKey));
  return Finish(*pair);
}

Reconciled ReconcileService(std::string_view existing, std::string_view wanted) {
  std::optional<Pair> pair = Parse(existing, wanted);
  if (!pair) return {};
  const Value* const ports = FindAt(pair->wanted->root(), "spec", "ports");
  const Value* const own = FindAt(pair->existing->root(), "spec", "ports");
  if (ports == nullptr || (own != nullptr && *own == *ports)) return {};
  codec::Document& document = *pair->existing;
  document.Set(Member(document, document.root(), "spec", false), "ports", document.Clone(*ports));
  pair->is_changed = true;
  return Finish(*pair);
}

}  // namespace plimsoll::apiserver

#include "apiserver/admission/runtime_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "apiserver/strategy/object_editor.h"
#include "base/go_text.h"
#include "base/quantity.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

bool IsNewPod(const AdmissionAttributes& attributes) {
  return attributes.operation == Operation::Create && attributes.subresource.empty() &&
         attributes.resource->kind->kind == "Pod";
}

std::unexpected<api::StatusObject> Refused(const AdmissionAttributes& attributes,
                                           std::string_view why) {
  return std::unexpected(api::Forbidden({"", "pods", attributes.name}, why));
}

bool SameAmount(const Value& a, const Value& b) {
  if (!a.is_string() || !b.is_string()) return a == b;
  const auto left = Quantity::Parse(a.text());
  const auto right = Quantity::Parse(b.text());
  return left && right ? *left == *right : a.text() == b.text();
}

/// Returns true if two resource lists are equal; `500m` equals `0.5`.
bool SameResources(const Value* a, const Value* b) {
  const std::size_t size = a == nullptr ? 0 : a->members().size();
  if (size != (b == nullptr ? 0 : b->members().size())) return false;
  return size == 0 || std::ranges::all_of(a->members(), [&](const auto& member) {
           const Value* const other = b->Find(member.key);
           return other != nullptr && SameAmount(member.value, *other);
         });
}

bool HasMembers(const Value* value) { return value != nullptr && !value->members().empty(); }

std::optional<std::int64_t> SecondsOf(const Value& toleration) {
  const Value* const seconds = toleration.Find("tolerationSeconds");
  if (seconds == nullptr || !seconds->is_int()) return std::nullopt;
  return seconds->AsInt();
}

bool SameToleration(const Value& a, const Value& b) {
  return std::ranges::all_of(
             std::initializer_list<std::string_view>{"key", "operator", "value", "effect",
                                                     "expression"},
             [&](std::string_view field) { return TextAt(a, field) == TextAt(b, field); }) &&
         SecondsOf(a) == SecondsOf(b);
}

/// Returns true if `all` tolerates every taint that `some` tolerates, for at least as long.
bool IsSuperset(const Value& all, const Value& some) {
  if (SameToleration(all, some)) return true;
  const std::string_view op = TextAt(all, "operator");
  const std::string_view key = TextAt(all, "key");
  const std::string_view effect = TextAt(all, "effect");
  if (!TextAt(all, "expression").empty()) return false;
  if (TextAt(some, "key") != key && (!key.empty() || op != "Exists")) return false;
  if (TextAt(some, "effect") != effect && !effect.empty()) return false;
  if (const auto seconds = SecondsOf(all); effect == "NoExecute" && seconds) {
    const auto other = SecondsOf(some);
    if (!other || *other > *seconds) return false;
  }
  if (op == "Exists") return true;
  return (op.empty() || op == "Equal") && TextAt(some, "operator") == "Equal" &&
         TextAt(some, "value") == TextAt(all, "value");
}

/// Returns the tolerations of both lists in order, without those that another one covers.
std::vector<const Value*> Merge(const Value* first, const Value* second) {
  std::vector<const Value*> all;
  for (const Value* const list : {first, second}) {
    if (list == nullptr) continue;
    for (const Value& toleration : list->items()) all.push_back(&toleration);
  }
  std::vector<const Value*> merged;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_covered =
        std::ranges::any_of(merged, [&](const Value* one) { return IsSuperset(*one, *all[i]); }) ||
        std::ranges::any_of(std::span(all).subspan(i + 1), [&](const Value* one) {
          return !SameToleration(*one, *all[i]) && IsSuperset(*one, *all[i]);
        });
    if (!is_covered) merged.push_back(all[i]);
  }
  return merged;
}

void MergeTolerations(const ObjectEditor& spec, const Value* more) {
  if (more == nullptr || more->items().empty()) return;
  codec::Document& document = spec.document();
  const std::vector<const Value*> merged = Merge(spec.Find("tolerations"), more);
  codec::Value list = document.NewArray(merged.size());
  for (const Value* const one : merged) document.Append(list, document.Clone(*one));
  spec.Set("tolerations", list);
}

api::Answer<void> MergeNodeSelector(const AdmissionAttributes& attributes, const ObjectEditor& spec,
                                    const Value* more) {
  if (!HasMembers(more)) return {};
  const ObjectEditor selector = spec.Child("nodeSelector");
  for (const auto& member : more->members()) {
    const bool has_own = selector.Has(member.key);
    const std::string_view own = selector.Text(member.key);
    if (has_own && own != member.value.text()) {
      return Refused(attributes, fmt::format("conflict: runtimeClass.scheduling.nodeSelector[{}] = "
                                             "{}; pod.spec.nodeSelector[{}] = {}",
                                             member.key, member.value.text(), member.key, own));
    }
    if (!has_own) selector.SetText(member.key, member.value.text());
  }
  return {};
}

constexpr std::string_view kOtherOverhead =
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

}  // namespace

api::Answer<std::shared_ptr<const api::Object>> RuntimeClass::FindClass(
    const AdmissionAttributes& attributes) const {
  const std::string_view name = TextAt(attributes.document->root(), "spec", "runtimeClassName");
  if (name.empty()) return nullptr;
  const ObjectPtr object = cache_.Get(classes_, "", name);
  if (object == nullptr) {
    return Refused(attributes,
                   fmt::format("pod rejected: RuntimeClass {} not found", GoQuote(name)));
  }
  return object->Decode();
}

api::Answer<void> RuntimeClass::Admit(AdmissionAttributes& attributes) {
  if (!IsNewPod(attributes)) return {};
  const std::shared_ptr<const api::Object> found = PL_TRY(FindClass(attributes));
  if (found == nullptr) return {};
  const Value& tree = found->tree();
  const ObjectEditor spec = ObjectEditor(*attributes.document, *attributes.kind).Child("spec");
  if (const Value* const overhead = FindAt(tree, "overhead", "podFixed"); HasMembers(overhead)) {
    if (spec.Has("overhead") && !SameResources(spec.Find("overhead"), overhead)) {
      return Refused(attributes, kOtherOverhead);
    }
    spec.Set("overhead", spec.document().Clone(*overhead));
  }
  PL_TRY(MergeNodeSelector(attributes, spec, FindAt(tree, "scheduling", "nodeSelector")));
  MergeTolerations(spec, FindAt(tree, "scheduling", "tolerations"));
  return {};
}

api::Answer<void> RuntimeClass::Validate(const AdmissionAttributes& attributes) {
  if (!IsNewPod(attributes)) return {};
  const std::shared_ptr<const api::Object> found = PL_TRY(FindClass(attributes));
  const Value* const own = FindAt(attributes.document->root(), "spec", "overhead");
  const Value* const overhead =
      found == nullptr ? nullptr : FindAt(found->tree(), "overhead", "podFixed");
  if (overhead != nullptr) {
    if (!SameResources(own, overhead)) return Refused(attributes, kOtherOverhead);
  } else if (HasMembers(own)) {
    return Refused(attributes,
                   "pod rejected: Pod Overhead set without corresponding RuntimeClass defined "
                   "Overhead");
  }
  return {};
}

}  // namespace plimsoll::apiserver

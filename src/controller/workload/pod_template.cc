#include "controller/workload/pod_template.h"

#include <algorithm>

#include "api/schema/api_version.h"
#include "base/go_text.h"
#include "base/syntax.h"
#include "codec/json.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

/// Returns the map at `key` with the additions.
std::string MergedMap(const codec::Value& metadata, std::string_view key,
                      const OwnedPods::Labels& additions) {
  JsonText text;
  if (const codec::Value* const map = metadata.Find(key)) {
    for (const codec::Member& member : map->members()) {
      const bool is_replaced = std::ranges::any_of(
          additions, [&](const auto& addition) { return addition.first == member.key; });
      if (!is_replaced) text.Raw(member.key, codec::WriteJson(member.value));
    }
  }
  for (const auto& [name, value] : additions) text.Text(name, value);
  return text.empty() ? std::string() : text.Done();
}

std::string Finalizers(const codec::Value& metadata, const std::vector<std::string>& additions) {
  std::string list;
  const auto add = [&](std::string_view name) {
    list += (list.empty() ? "" : ",") + GoJsonQuote(name);
  };
  if (const codec::Value* const known = metadata.Find("finalizers")) {
    for (const codec::Value& name : known->items()) add(name.text());
  }
  for (const std::string& name : additions) add(name);
  return list.empty() ? std::string() : "[" + list + "]";
}

}  // namespace

std::string ControllerReferenceJson(const api::Object& owner) {
  return JsonText()
      .Text("apiVersion", ApiVersionOf(owner.kind()))
      .Text("kind", owner.kind().kind)
      .Text("name", owner.metadata().name)
      .Text("uid", owner.metadata().uid)
      .Bool("controller", true)
      .Bool("blockOwnerDeletion", true)
      .Done();
}

std::string PodNamePrefix(std::string_view owner_name) {
  // A generated suffix follows, so that the name does not end with the dash.
  const std::string completed = std::string(owner_name) + "-a";
  const bool is_valid = CheckDns1123Subdomain(completed).empty();
  return is_valid ? std::string(owner_name) + "-" : std::string(owner_name);
}

OwnedPods::Labels TemplateLabels(const codec::Value& pod_template) {
  OwnedPods::Labels labels;
  if (const codec::Value* const map = FindAt(pod_template, {"metadata", "labels"})) {
    for (const codec::Member& member : map->members()) {
      labels.emplace_back(member.key, member.value.is_string() ? member.value.text() : "");
    }
  }
  return labels;
}

std::string PodFromTemplate(const codec::Value& pod_template, const api::Object& owner,
                            const PodAdditions& additions) {
  static const codec::Value kNone;
  const codec::Value* found = pod_template.Find("metadata");
  const codec::Value& metadata = found == nullptr ? kNone : *found;
  JsonText meta;
  if (!additions.name.empty()) meta.Text("name", additions.name);
  if (!additions.name_prefix.empty()) meta.Text("generateName", additions.name_prefix);
  const auto add = [&](std::string_view key, const std::string& json) {
    if (!json.empty()) meta.Raw(key, json);
  };
  add("labels", MergedMap(metadata, "labels", additions.labels));
  add("annotations", MergedMap(metadata, "annotations", additions.annotations));
  add("finalizers", Finalizers(metadata, additions.finalizers));
  meta.Raw("ownerReferences", "[" + ControllerReferenceJson(owner) + "]");
  const codec::Value* const spec = pod_template.Find("spec");
  std::string spec_json = additions.spec_json;
  if (spec_json.empty()) spec_json = spec == nullptr ? "{}" : codec::WriteJson(*spec);
  return JsonText()
      .Text("apiVersion", "v1")
      .Text("kind", "Pod")
      .Raw("metadata", meta.Done())
      .Raw("spec", spec_json)
      .Done();
}

std::string AdoptPatch(const api::Object& owner, const api::Object& child,
                       std::string_view finalizer) {
  JsonText metadata;
  metadata.Text("uid", child.metadata().uid)
      .Raw("ownerReferences", "[" + ControllerReferenceJson(owner) + "]");
  if (!finalizer.empty()) metadata.Raw("finalizers", "[" + GoJsonQuote(finalizer) + "]");
  return JsonText().Raw("metadata", metadata.Done()).Done();
}

std::string ReleasePatch(std::string_view owner_uid, const api::Object& child,
                         std::string_view finalizer) {
  JsonText metadata;
  metadata.Text("uid", child.metadata().uid)
      .Raw("ownerReferences",
           "[" + JsonText().Text("$patch", "delete").Text("uid", owner_uid).Done() + "]");
  if (!finalizer.empty()) {
    metadata.Raw("$deleteFromPrimitiveList/finalizers", "[" + GoJsonQuote(finalizer) + "]");
  }
  return JsonText().Raw("metadata", metadata.Done()).Done();
}

}  // namespace plimsoll::controller

#include "controller/stateful_set/stateful_pod.h"

#include <algorithm>

#include "base/go_text.h"
#include "codec/json.h"
#include "controller/workload/pod_template.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

std::string ClaimName(const codec::Value& claim, const api::Object& set, std::int64_t ordinal) {
  return std::string(TextAt(claim, {"metadata", "name"})) + "-" +
         StatefulPodName(set.metadata().name, ordinal);
}

/// Returns the template's volumes; claims replace volumes of the same name.
std::string VolumesJson(const codec::Value* volumes, const codec::Value* claims,
                        const api::Object& set, std::int64_t ordinal) {
  std::string list;
  const auto add = [&](const std::string& json) { list += (list.empty() ? "" : ",") + json; };
  for (const codec::Value& claim : claims->items()) {
    const std::string source = JsonText().Text("claimName", ClaimName(claim, set, ordinal)).Done();
    add(JsonText()
            .Text("name", TextAt(claim, {"metadata", "name"}))
            .Raw("persistentVolumeClaim", source)
            .Done());
  }
  if (volumes != nullptr) {
    for (const codec::Value& volume : volumes->items()) {
      const bool is_claimed = std::ranges::any_of(claims->items(), [&](const codec::Value& claim) {
        return TextAt(claim, {"metadata", "name"}) == TextAt(volume, {"name"});
      });
      if (!is_claimed) add(codec::WriteJson(volume));
    }
  }
  return "[" + list + "]";
}

std::string SpecJson(const api::Object& set, const codec::Value* spec, const std::string& name,
                     std::int64_t ordinal) {
  const codec::Value* const claims = FindAt(set.tree(), {"spec", "volumeClaimTemplates"});
  const bool has_claims = claims != nullptr && !claims->items().empty();
  JsonText text;
  if (spec != nullptr) {
    for (const codec::Member& member : spec->members()) {
      if (member.key == "hostname" || member.key == "subdomain") continue;
      if (member.key == "volumes" && has_claims) continue;
      text.Raw(member.key, codec::WriteJson(member.value));
    }
  }
  if (has_claims) {
    text.Raw("volumes",
             VolumesJson(spec == nullptr ? nullptr : spec->Find("volumes"), claims, set, ordinal));
  }
  text.Text("hostname", name);
  const std::string_view service = TextAt(set.tree(), {"spec", "serviceName"});
  if (!service.empty()) text.Text("subdomain", service);
  return text.Done();
}

}  // namespace

std::optional<std::int64_t> PodOrdinal(std::string_view set_name, std::string_view pod_name) {
  if (!pod_name.starts_with(set_name)) return std::nullopt;
  pod_name.remove_prefix(set_name.size());
  if (!pod_name.starts_with('-')) return std::nullopt;
  pod_name.remove_prefix(1);
  if (pod_name.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  const Result<std::int64_t> ordinal = GoParseInt(pod_name);
  return ordinal && *ordinal <= INT32_MAX ? std::optional(*ordinal) : std::nullopt;
}

std::string StatefulPodName(std::string_view set_name, std::int64_t ordinal) {
  return std::string(set_name) + "-" + std::to_string(ordinal);
}

std::vector<StatefulClaim> ClaimsOf(const api::Object& set, std::int64_t ordinal) {
  std::vector<StatefulClaim> claims;
  const codec::Value* const templates = FindAt(set.tree(), {"spec", "volumeClaimTemplates"});
  if (templates == nullptr) return claims;
  const codec::Value* const selected = FindAt(set.tree(), {"spec", "selector", "matchLabels"});
  for (const codec::Value& one : templates->items()) {
    const std::string name = ClaimName(one, set, ordinal);
    JsonText labels;
    const codec::Value* const own = FindAt(one, {"metadata", "labels"});
    if (own != nullptr) {
      for (const codec::Member& label : own->members()) {
        if (selected != nullptr && selected->Find(label.key) != nullptr) continue;
        labels.Raw(label.key, codec::WriteJson(label.value));
      }
    }
    if (selected != nullptr) {
      for (const codec::Member& label : selected->members()) {
        labels.Raw(label.key, codec::WriteJson(label.value));
      }
    }
    JsonText metadata;
    metadata.Text("name", name).Text("namespace", set.metadata().namespace_);
    if (!labels.empty()) metadata.Raw("labels", labels.Done());
    if (const codec::Value* const notes = FindAt(one, {"metadata", "annotations"})) {
      metadata.Raw("annotations", codec::WriteJson(*notes));
    }
    const codec::Value* const spec = one.Find("spec");
    claims.push_back({name, JsonText()
                                .Text("apiVersion", "v1")
                                .Text("kind", "PersistentVolumeClaim")
                                .Raw("metadata", metadata.Done())
                                .Raw("spec", spec == nullptr ? "{}" : codec::WriteJson(*spec))
                                .Done()});
  }
  return claims;
}

std::string StatefulPod(const api::Object& set, const codec::Value& pod_template,
                        std::string_view revision_name, std::int64_t ordinal) {
  const std::string name = StatefulPodName(set.metadata().name, ordinal);
  return PodFromTemplate(pod_template, set,
                         {.name = name,
                          .name_prefix = PodNamePrefix(set.metadata().name),
                          .labels = {{"controller-revision-hash", std::string(revision_name)},
                                     {"statefulset.kubernetes.io/pod-name", name},
                                     {"apps.kubernetes.io/pod-index", std::to_string(ordinal)}},
                          .spec_json = SpecJson(set, pod_template.Find("spec"), name, ordinal)});
}

}  // namespace plimsoll::controller

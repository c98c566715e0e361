#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/object.h"
#include "controller/workload/owned_pods.h"

namespace plimsoll::controller {

/// The owner reference that makes `owner` the controller of what it creates.
std::string ControllerReferenceJson(const api::Object& owner);

/// `web-` for the pods of web; without the dash where no name could begin so.
std::string PodNamePrefix(std::string_view owner_name);

/// The labels of a pod template.
OwnedPods::Labels TemplateLabels(const codec::Value& pod_template);

/// What a pod gets besides its template. A later label or annotation wins over an earlier one.
struct PodAdditions {
  std::string name;         // empty: generated from `name_prefix`
  std::string name_prefix;  // of generateName
  OwnedPods::Labels labels;
  OwnedPods::Labels annotations;
  std::vector<std::string> finalizers;
  std::string spec_json;  // instead of the template's spec; empty: that one
};

/// A pod of the template, controlled by `owner`, as JSON.
std::string PodFromTemplate(const codec::Value& pod_template, const api::Object& owner,
                            const PodAdditions& additions);

/// Strategic merge patches that take the pod over, and let go of it. A finalizer that is named
/// comes or goes with the ownership.
std::string AdoptPatch(const api::Object& owner, const api::Object& child,
                       std::string_view finalizer = {});
std::string ReleasePatch(std::string_view owner_uid, const api::Object& child,
                         std::string_view finalizer = {});

}  // namespace plimsoll::controller

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/object.h"
#include "controller/workload/owned_pods.h"

namespace plimsoll::controller {

/// Returns an owner reference that makes `owner` the controller.
std::string ControllerReferenceJson(const api::Object& owner);

/// Returns `web-` for the owner `web`; without the dash if that would be an invalid name.
std::string PodNamePrefix(std::string_view owner_name);

/// Returns the labels of a pod template.
OwnedPods::Labels TemplateLabels(const codec::Value& pod_template);

/// Additions to the pod template. A later label or annotation wins over an earlier one.
struct PodAdditions {
  std::string name;         // empty: generated from `name_prefix`
  std::string name_prefix;  // generateName
  OwnedPods::Labels labels;
  OwnedPods::Labels annotations;
  std::vector<std::string> finalizers;
  std::string spec_json;  // replaces the template's spec unless empty
};

/// Returns the JSON of a pod from the template, controlled by `owner`.
std::string PodFromTemplate(const codec::Value& pod_template, const api::Object& owner,
                            const PodAdditions& additions);

/// Return strategic merge patches that adopt or release the object. A given finalizer is added or
/// removed with the owner reference.
std::string AdoptPatch(const api::Object& owner, const api::Object& child,
                       std::string_view finalizer = {});
std::string ReleasePatch(std::string_view owner_uid, const api::Object& child,
                         std::string_view finalizer = {});

}  // namespace plimsoll::controller

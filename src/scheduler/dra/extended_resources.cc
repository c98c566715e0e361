#include "scheduler/dra/extended_resources.h"

#include <algorithm>
#include <memory>

#include "base/assert.h"
#include "base/go_text.h"
#include "codec/json.h"
#include "scheduler/dra/pod_devices.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::string_view kAnnotation = "resource.kubernetes.io/extended-resource-claim";
constexpr std::string_view kSuffix = "-extended-resources-";
// Upstream's limits for generated names: maximum length, and number of random characters.
constexpr std::size_t kNameBytesMax = 63;
constexpr std::size_t kRandomLetters = 5;
constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";

std::string_view NameBase(std::string& base) {
  if (base.size() > kNameBytesMax - kRandomLetters) base.resize(kNameBytesMax - kRandomLetters);
  return base;
}

void AddRequests(ClusterState& cluster, const std::vector<api::Container>& containers,
                 std::size_t first, std::vector<ExtendedRequest>& out) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    std::size_t number = 0;
    for (const api::ResourceAmount& one : containers[i].resources.requests) {
      const std::string_view device_class = cluster.devices().ClassOf(one.name);
      const std::int64_t count = one.quantity.Value();
      if (device_class.empty() || count <= 0) continue;
      out.push_back({.container = containers[i].name,
                     .resource = one.name,
                     .device_class = device_class,
                     .name = "container-" + std::to_string(first + i) + "-request-" +
                             std::to_string(number++),
                     .count = count,
                     .id = cluster.resource_id(one.name)});
    }
  }
}

}  // namespace

std::vector<ExtendedRequest> FindExtendedRequests(ClusterState& cluster, const api::Pod& pod) {
  std::vector<ExtendedRequest> requests;
  AddRequests(cluster, pod.spec.init_containers, 0, requests);
  AddRequests(cluster, pod.spec.containers, pod.spec.init_containers.size(), requests);
  return requests;
}

bool NodeProvides(const Allocatable& allocatable, ResourceId resource) {
  const std::vector<ScalarAmount>& scalars = allocatable.resources.scalars;
  return std::ranges::find(scalars, resource, &ScalarAmount::id) != scalars.end();
}

ObjectPtr FindExtendedClaim(const Devices& devices, const api::ObjectMeta& pod) {
  ObjectPtr found;
  devices.claims().ForEachIn(pod.namespace_, [&](const ObjectPtr& claim) {
    if (claim->metadata().annotations.Find(kAnnotation) == "true" &&
        IsControlledBy(claim->metadata(), pod.uid)) {
      found = claim;
    }
  });
  return found;
}

ObjectPtr MakeExtendedClaim(const api::ObjectMeta& pod, std::string_view name, std::string_view uid,
                            const std::vector<ExtendedRequest>& requests) {
  std::string base = std::string(pod.name).append(kSuffix);
  std::string text = R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{)";
  text.append(R"("name":)").append(GoJsonQuote(name));
  text.append(R"(,"generateName":)").append(GoJsonQuote(NameBase(base)));
  text.append(R"(,"namespace":)").append(GoJsonQuote(pod.namespace_));
  if (!uid.empty()) text.append(R"(,"uid":)").append(GoJsonQuote(uid));
  text.append(R"(,"annotations":{)").append(GoJsonQuote(kAnnotation)).append(R"(:"true"})");
  text.append(R"(,"finalizers":[)").append(GoJsonQuote(kDeleteProtection));
  text.append(R"(],"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":)");
  text.append(GoJsonQuote(pod.name)).append(R"(,"uid":)").append(GoJsonQuote(pod.uid));
  text.append(R"(,"controller":true,"blockOwnerDeletion":true}]},"spec":{"devices":{"requests":[)");
  std::string_view separator;
  for (const ExtendedRequest& request : requests) {
    text.append(separator).append(R"({"name":)").append(GoJsonQuote(request.name));
    text.append(R"(,"exactly":{"deviceClassName":)").append(GoJsonQuote(request.device_class));
    text.append(R"(,"allocationMode":"ExactCount","count":)").append(std::to_string(request.count));
    text.append("}}");
    separator = ",";
  }
  auto document = codec::ParseJson(text += "]}}}");
  PL_ASSERT(document.has_value());
  const std::shared_ptr<codec::Document> shared = std::move(*document);
  auto decoded = api::DecodeObject(
      shared, {.field_validation = api::FieldValidation::Ignore, .apply_defaults = false});
  PL_ASSERT(decoded.has_value());
  return decoded->object;
}

std::vector<api::Write> DeletionOf(const ObjectPtr& claim) {
  const std::string head = R"({"metadata":{"uid":)" + GoJsonQuote(claim->metadata().uid);
  return {api::PatchObject{.object = claim,
                           .subresource = "status",
                           .body = head + R"(},"status":{"allocation":null,"reservedFor":null}})"},
          api::PatchObject{.object = claim,
                           .body = head + R"(,"$deleteFromPrimitiveList/finalizers":[)" +
                                   GoJsonQuote(kDeleteProtection) + "]}}",
                           .form = api::PatchForm::StrategicMerge},
          api::DeleteObject{.object = claim}};
}

std::string ExtendedClaimName(const api::ObjectMeta& pod, Random& random) {
  std::string name = std::string(pod.name).append(kSuffix);
  NameBase(name);
  for (std::size_t i = 0; i < kRandomLetters; ++i) name += kLetters[random.Below(kLetters.size())];
  return name;
}

std::string ExtendedStatusPatch(const api::ObjectMeta& pod, std::string_view claim,
                                const std::vector<ExtendedRequest>& requests) {
  std::string text = R"({"metadata":{"uid":)" + GoJsonQuote(pod.uid) +
                     R"(},"status":{"extendedResourceClaimStatus":{"requestMappings":[)";
  std::string_view separator;
  for (const ExtendedRequest& request : requests) {
    text.append(separator).append(R"({"containerName":)").append(GoJsonQuote(request.container));
    text.append(R"(,"resourceName":)").append(GoJsonQuote(request.resource));
    text.append(R"(,"requestName":)").append(GoJsonQuote(request.name)).append("}");
    separator = ",";
  }
  return text.append(R"(],"resourceClaimName":)").append(GoJsonQuote(claim)).append("}}}");
}

}  // namespace plimsoll::scheduler

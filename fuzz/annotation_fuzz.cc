// Reads the plimsoll.io annotations of a pod or a claim. Either all of an annotation is in the
// object's fields, or it is a fault and the fields are unchanged. A claim is always written back
// without the annotation's fields.
//
// Input: a byte that chooses the annotation and the object, then the annotation's text.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/extension/extended_claim.h"
#include "api/extension/extension.h"
#include "api/object.h"
#include "base/assert.h"
#include "codec/json.h"
#include "cost_bound.h"

namespace {

namespace api = plimsoll::api;

constexpr std::string_view kPod =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","annotations":{}},"spec":{)"
    R"("tolerations":[{"key":"a","operator":"Exists"}],"affinity":{"nodeAffinity":{)"
    R"("requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[)"
    R"({"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]}]}}}}})";

constexpr std::string_view kClaim =
    R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"c",)"
    R"("annotations":{}},"spec":{"devices":{"requests":[{"name":"a","exactly":{)"
    R"("deviceClassName":"gpu","tolerations":[{"key":"a","operator":"Exists"}]}}]}}})";

std::shared_ptr<const api::Object> Annotated(std::string_view json, std::string_view annotation,
                                             std::string_view text) {
  auto parsed = plimsoll::codec::ParseJson(std::string(json));
  PL_ASSERT(parsed.has_value());
  const std::shared_ptr<plimsoll::codec::Document> document = *std::move(parsed);
  document->Set(*document->root().Find("metadata")->Find("annotations"), annotation,
                document->NewString(text));
  const auto decoded = api::DecodeObject(document, {.apply_defaults = false});
  PL_ASSERT(decoded.has_value());
  return decoded->object;
}

/// Checks that no toleration tolerates everything unless its operator is Exists.
void CheckTolerations(const std::vector<api::Toleration>& tolerations) {
  // The toleration of the spec is still there.
  PL_ASSERT(!tolerations.empty() && tolerations[0].key == "a");
  for (const api::Toleration& one : tolerations) {
    PL_ASSERT(!one.key.empty() || !one.expression.empty() || one.op == "Exists");
  }
}

void CheckPod(const api::Object& pod) {
  const api::PodSpec& spec = pod.As<api::Pod>()->spec;
  CheckTolerations(spec.tolerations);
  for (const api::NodeSelectorTerm& term : spec.affinity->node_affinity->required->terms) {
    PL_ASSERT(!term.match_fields.empty() && term.match_fields[0].key == "metadata.name");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const plimsoll::fuzz::CostBound bound(size);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const bool is_claim = (data[0] & 2) != 0;
  const bool is_list = is_claim || (data[0] & 1) == 0;
  const auto before =
      Annotated(is_claim ? kClaim : kPod,
                is_list ? api::kTolerationsAnnotation : api::kNodeAffinityAnnotation, text);
  const auto after = api::Extend(before, {});
  const std::string spec = plimsoll::codec::WriteJson(*before->tree().Find("spec"));
  if (is_claim) PL_ASSERT(api::WriteUnextended(*after->tree().Find("spec")) == spec);
  if (!api::FaultOf(*after).empty()) {
    PL_ASSERT(plimsoll::codec::WriteJson(*after->tree().Find("spec")) == spec);
  } else if (is_claim) {
    CheckTolerations(after->As<api::ResourceClaim>()->spec.requests[0].exactly->tolerations);
  } else {
    CheckPod(*after);
  }
  return 0;
}

#include <memory>
#include <string>
#include <utility>

#include "api/create.h"
#include "api/expression/toleration_expression.h"
#include "api/object.h"
#include "api/validation/object.h"
#include "base/assert.h"
#include "codec/json.h"
#include "codec/yaml.h"
#include "inputs.h"

namespace plimsoll::linear {
namespace {

using Text = std::string;

/// Runs a create from text to validation. Invalid objects are also processed completely.
void TakeIn(const Text& json) {
  static const api::TolerationExpressions kExpressions;
  auto parsed = codec::ParseJson(json);
  PL_ASSERT(parsed.has_value());
  const std::shared_ptr<codec::Document> document = *std::move(parsed);
  const auto decoded = api::DecodeObject(document);
  if (!decoded) std::fprintf(stderr, "%s\n", decoded.error().Text().c_str());
  PL_ASSERT(decoded.has_value());
  api::ValidationContext context;
  context.expressions = &kExpressions;
  const api::FieldErrors errors = api::ValidateCreate(*decoded->object, context);
  // Validates it again as an update of itself.
  const api::FieldErrors more = api::ValidateUpdate(*decoded->object, *decoded->object, context);
  PL_ASSERT(errors.size() + more.size() < std::size_t{1} << 40);
}

Text Pod(const Text& spec, const Text& metadata = "", const Text& status = "{}") {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"default")" +
         metadata + R"(},"spec":{"containers":[{"name":"c","image":"i"}])" + spec +
         R"(},"status":)" + status + "}";
}
Text PodWithContainer(const Text& container) {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"default"},"spec":)"
         R"({"containers":[{"name":"c","image":"i")" +
         container + "}]}}";
}

/// Processes `prefix[item,item,…]suffix` with `size` items.
template <class Item, class Whole>
Make Listed(const Item& item, const Whole& whole) {
  return [=](std::size_t size) {
    Text json = whole(Joined(size, item));
    return [json = std::move(json)] { TakeIn(json); };
  };
}

Make InSpec(const Text& before, const Text& after, const std::function<Text(Text)>& item) {
  return Listed(item, [=](const Text& items) { return Pod("," + before + items + after); });
}
Make InContainer(const Text& before, const Text& after, const std::function<Text(Text)>& item) {
  return Listed(item,
                [=](const Text& items) { return PodWithContainer("," + before + items + after); });
}
Make InMetadata(const Text& before, const Text& after, const std::function<Text(Text)>& item) {
  return Listed(item, [=](const Text& items) { return Pod("", "," + before + items + after); });
}
Make InPodStatus(const Text& before, const Text& after, const std::function<Text(Text)>& item) {
  return Listed(item,
                [=](const Text& items) { return Pod("", "", "{" + before + items + after + "}"); });
}

Text AffinityTerm(const Text& i) {
  return R"({"topologyKey":"k)" + i + R"(","labelSelector":{"matchLabels":{"a":"v)" + i +
         R"("}},"namespaces":["n)" + i + R"("]})";
}

std::vector<Input> PodLists() {
  const Text pod_affinity =
      R"("affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[)";
  const Text node_affinity =
      R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
      R"({"nodeSelectorTerms":[)";
  return {
      {"pod affinity terms", 500, InSpec(pod_affinity, "]}}", AffinityTerm)},
      {"spread constraints", 1000,
       InSpec(R"("topologySpreadConstraints":[)", "]",
              [](const Text& i) {
                return R"({"maxSkew":1,"whenUnsatisfiable":"DoNotSchedule","topologyKey":"k)" + i +
                       R"(","labelSelector":{"matchLabels":{"a":"b"}}})";
              })},
      {"matchLabelKeys of a spread constraint", 2000,
       InSpec(R"("topologySpreadConstraints":[{"maxSkew":1,"whenUnsatisfiable":"DoNotSchedule",)"
              R"("topologyKey":"k","labelSelector":{"matchLabels":{"a":"b"}},"matchLabelKeys":[)",
              "]}]", [](const Text& i) { return R"("k)" + i + "\""; })},
      {"tolerations", 2000,
       InSpec(R"("tolerations":[)", "]",
              [](const Text& i) { return R"({"key":"k)" + i + R"(","value":"v"})"; })},
      {"toleration expressions", 400,
       InSpec(R"("tolerations":[)", "]",
              [](const Text& i) { return R"({"expression":"taint.key == 'k)" + i + R"('"})"; })},
      {"node selector", 2000,
       InSpec(R"("nodeSelector":{)", "}", [](const Text& i) { return R"("k)" + i + R"(":"v")"; })},
      {"node affinity terms", 1000,
       InSpec(node_affinity, "]}}}",
              [](const Text& i) {
                return R"({"matchExpressions":[{"key":"k)" + i +
                       R"(","operator":"In","values":["v"]}]})";
              })},
      {"values of a node affinity term", 4000,
       InSpec(node_affinity + R"({"matchExpressions":[{"key":"k","operator":"In","values":[)",
              "]}]}]}}}", [](const Text& i) { return R"("v)" + i + "\""; })},
      {"volumes", 1000,
       InSpec(R"("volumes":[)", "]",
              [](const Text& i) { return R"({"name":"v)" + i + R"(","emptyDir":{}})"; })},
      {"resource claims of a pod", 1000,
       InSpec(R"("resourceClaims":[)", "]",
              [](const Text& i) { return R"({"name":"c)" + i + R"(","resourceClaimName":"c"})"; })},
      {"scheduling gates", 1000,
       InSpec(R"("schedulingGates":[)", "]",
              [](const Text& i) { return R"({"name":"a/g)" + i + "\"}"; })},
      {"init containers", 300,
       InSpec(R"("initContainers":[)", "]",
              [](const Text& i) { return R"({"name":"c)" + i + R"(","image":"i"})"; })},
      {"host aliases", 2000,
       InSpec(R"("hostAliases":[)", "]",
              [](const Text& i) { return R"({"ip":"1.2.3.4","hostnames":["h)" + i + "\"]}"; })},
      {"image pull secrets", 2000,
       InSpec(R"("imagePullSecrets":[)", "]",
              [](const Text& i) { return R"({"name":"s)" + i + "\"}"; })},
  };
}

std::vector<Input> ContainerLists() {
  return {
      {"environment", 2000,
       InContainer(R"("env":[)", "]",
                   [](const Text& i) { return R"({"name":"E)" + i + R"(","value":"v"})"; })},
      {"environment, all of one name", 2000,
       InContainer(R"("env":[)", "]",
                   [](const Text& i) { return R"({"name":"E","value":")" + i + "\"}"; })},
      {"ports", 2000,
       InContainer(
           R"("ports":[)", "]",
           [](const Text& i) { return R"({"name":"p)" + i + R"(","containerPort":)" + i + "}"; })},
      {"host ports, all the same", 2000,
       InContainer(R"("ports":[)", "]",
                   [](const Text&) { return R"({"containerPort":80,"hostPort":80})"; })},
      {"volume mounts", 1000,
       InContainer(
           R"("volumeMounts":[)", "]",
           [](const Text& i) { return R"({"name":"v)" + i + R"(","mountPath":"/m)" + i + "\"}"; })},
      {"resource requests", 1000,
       InContainer(R"("resources":{"requests":{)", "}}",
                   [](const Text& i) { return R"("a.io/r)" + i + R"(":"1")"; })},
      {"resource limits and requests", 1000,
       [](std::size_t size) {
         const auto item = [](const Text& i) { return R"("a.io/r)" + i + R"(":"1")"; };
         const Text list = Joined(size, item);
         Text json = PodWithContainer(R"(,"resources":{"requests":{)" + list + R"(},"limits":{)" +
                                      list + "}}");
         return [json = std::move(json)] { TakeIn(json); };
       }},
      {"command", 4000,
       InContainer(R"("command":[)", "]", [](const Text& i) { return "\"" + i + "\""; })},
  };
}

std::vector<Input> MetadataLists() {
  const auto quoted = [](const Text& i) { return "\"a.io/f" + i + "\""; };
  return {
      {"labels", 4000,
       InMetadata(R"("labels":{)", "}", [](const Text& i) { return R"("k)" + i + R"(":"v")"; })},
      {"annotations", 4000,
       InMetadata(R"("annotations":{)", "}",
                  [](const Text& i) { return R"("k)" + i + R"(":"v")"; })},
      {"finalizers", 4000, InMetadata(R"("finalizers":[)", "]", quoted)},
      {"owner references", 2000,
       InMetadata(R"("ownerReferences":[)", "]",
                  [](const Text& i) {
                    return R"({"apiVersion":"v1","kind":"Node","name":"n","uid":"u)" + i + "\"}";
                  })},
      {"managed fields", 2000,
       InMetadata(R"("managedFields":[)", "]",
                  [](const Text& i) {
                    return R"({"manager":"m)" + i +
                           R"(","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1",)"
                           R"("fieldsV1":{"f:spec":{"f:x":{}}}})";
                  })},
      {"conditions of a pod", 2500,
       InPodStatus(R"("conditions":[)", "]",
                   [](const Text& i) { return R"({"type":"T)" + i + R"(","status":"True"})"; })},
      {"container statuses", 1200,
       InPodStatus(R"("containerStatuses":[)", "]",
                   [](const Text& i) {
                     return R"({"name":"c)" + i +
                            R"(","image":"i","imageID":"i","ready":true,"restartCount":0})";
                   })},
  };
}

Text Object(const Text& version, const Text& kind, const Text& rest) {
  return R"({"apiVersion":")" + version + R"(","kind":")" + kind + R"(","metadata":{"name":"x"},)" +
         rest + "}";
}

Make InObject(const Text& version, const Text& kind, const Text& before, const Text& after,
              const std::function<Text(Text)>& item) {
  return Listed(item,
                [=](const Text& items) { return Object(version, kind, before + items + after); });
}

std::vector<Input> OtherKinds() {
  const Text rbac = "rbac.authorization.k8s.io/v1";
  return {
      {"taints", 1000,
       InObject("v1", "Node", R"("spec":{"taints":[)", "]}",
                [](const Text& i) {
                  return R"({"key":"k)" + i + R"(","value":"v","effect":"NoSchedule"})";
                })},
      {"images of a node", 3000,
       InObject("v1", "Node", R"("status":{"images":[)", "]}",
                [](const Text& i) { return R"({"names":["i)" + i + R"("],"sizeBytes":1})"; })},
      {"rules of a role", 2000,
       InObject(rbac, "ClusterRole", R"("rules":[)", "]",
                [](const Text& i) {
                  return R"({"verbs":["get"],"apiGroups":[""],"resources":["r)" + i + "\"]}";
                })},
      {"subjects of a binding", 2000,
       InObject(rbac, "ClusterRoleBinding",
                R"("roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole",)"
                R"("name":"r"},"subjects":[)",
                "]",
                [](const Text& i) {
                  return R"({"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"u)" + i +
                         "\"}";
                })},
      {"ports of a service", 1000,
       InObject("v1", "Service", R"("spec":{"ports":[)", "]}",
                [](const Text& i) {
                  return R"({"name":"p)" + i + R"(","port":)" + std::to_string(1 + std::stoi(i)) +
                         "}";
                })},
      {"data of a config map", 4000,
       InObject("v1", "ConfigMap", R"("data":{)", "}",
                [](const Text& i) { return R"("k)" + i + R"(":"v")"; })},
      {"requests of a claim", 500,
       InObject("resource.k8s.io/v1", "ResourceClaim", R"("spec":{"devices":{"requests":[)", "]}}",
                [](const Text& i) {
                  return R"({"name":"r)" + i + R"(","exactly":{"deviceClassName":"c"}})";
                })},
      {"constraints of a claim", 3000,
       InObject("resource.k8s.io/v1", "ResourceClaim",
                R"("spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c"}}],)"
                R"("constraints":[)",
                "]}}", [](const Text& i) { return R"({"matchAttribute":"a.io/a)" + i + "\"}"; })},
      {"devices of a slice", 3000,
       InObject("resource.k8s.io/v1", "ResourceSlice",
                R"("spec":{"driver":"d","nodeName":"n","pool":{"name":"p","generation":1,)"
                R"("resourceSliceCount":1},"devices":[)",
                "]}", [](const Text& i) { return R"({"name":"d)" + i + "\"}"; })},
  };
}

std::vector<Input> Texts() {
  return {
      {"YAML list", 4000,
       [](std::size_t size) {
         Text yaml = Joined(size, [](const Text& i) { return "- a: " + i; }, "\n");
         return [yaml = std::move(yaml)] { PL_ASSERT(codec::ParseYaml(yaml).has_value()); };
       }},
      {"YAML map", 4000,
       [](std::size_t size) {
         Text yaml = Joined(size, [](const Text& i) { return "k" + i + ": v"; }, "\n");
         return [yaml = std::move(yaml)] { PL_ASSERT(codec::ParseYaml(yaml).has_value()); };
       }},
      {"YAML anchors and aliases", 500,
       [](std::size_t size) {
         Text yaml = Joined(size, [](const Text& i) { return "- &a" + i + " x\n- *a" + i; }, "\n");
         return [yaml = std::move(yaml)] { (void)codec::ParseYaml(yaml).has_value(); };
       }},
      {"JSON map", 10'000,
       [](std::size_t size) {
         Text json = "{" + Joined(size, [](const Text& i) { return R"("k)" + i + R"(":1)"; }) + "}";
         return [json = std::move(json)] { PL_ASSERT(codec::ParseJson(json).has_value()); };
       }},
  };
}

}  // namespace

std::vector<Input> ObjectInputs() {
  std::vector<Input> all;
  for (auto& some : {PodLists(), ContainerLists(), MetadataLists(), OtherKinds(), Texts()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace plimsoll::linear

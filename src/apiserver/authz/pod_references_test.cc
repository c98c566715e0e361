#include "apiserver/authz/pod_references.h"

#include <gtest/gtest.h>

#include <set>

#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

std::unique_ptr<codec::Document> Parse(std::string_view json) {
  auto document = codec::ParseJson(std::string(json));
  EXPECT_TRUE(document.has_value()) << json;
  return *std::move(document);
}

TEST(PodReferencesTest, ListsTheSecretsAndConfigMapsOfASpec) {
  const auto spec = Parse(
      R"({"imagePullSecrets":[{"name":"pull"},{}],"containers":[{"env":[{"valueFrom":)"
      R"({"secretKeyRef":{"name":"env"}}},{"valueFrom":{"configMapKeyRef":{"name":"env-map"}}}],)"
      R"("envFrom":[{"secretRef":{"name":"from"}},{"configMapRef":{"name":"from-map"}}]}],)"
      R"("initContainers":[{"envFrom":[{"secretRef":{"name":"init"}}]}],)"
      R"("ephemeralContainers":[{"envFrom":[{"secretRef":{"name":"debug"}}]}],"volumes":[)"
      R"({"name":"a","secret":{"secretName":"vol"}},{"name":"b","azureFile":{"secretName":"azure"}},)"
      R"({"name":"c","cephfs":{"secretRef":{"name":"ceph"}}},)"
      R"({"name":"d","csi":{"nodePublishSecretRef":{"name":"csi"},"volumeAttributes":)"
      R"({"secretName":"trap"}}},{"name":"e","projected":{"sources":[{"secret":{"name":"proj"}},)"
      R"({"configMap":{"name":"proj-map"}}]}},{"name":"f","configMap":{"name":"vol-map"}},)"
      R"({"name":"g","ephemeral":{"volumeClaimTemplate":{"metadata":{"annotations":)"
      R"({"secretName":"trap"}}}}},{"name":"h","secret":null}]})");
  std::set<std::string, std::less<>> secrets;
  EXPECT_FALSE(AnySecretName(spec->root(), [&](std::string_view name) {
    secrets.emplace(name);
    return false;
  }));
  EXPECT_EQ(secrets, (std::set<std::string, std::less<>>{"azure", "ceph", "csi", "debug", "env",
                                                         "from", "init", "proj", "pull", "vol"}));
  std::set<std::string, std::less<>> maps;
  EXPECT_FALSE(AnyConfigMapName(spec->root(), [&](std::string_view name) {
    maps.emplace(name);
    return false;
  }));
  EXPECT_EQ(maps,
            (std::set<std::string, std::less<>>{"env-map", "from-map", "proj-map", "vol-map"}));
}

struct ReferenceCase {
  std::string name;
  std::string spec;
  std::string want;  // empty: none
};

class ApiReferenceTest : public testing::TestWithParam<ReferenceCase> {};

TEST_P(ApiReferenceTest, IsNamedInUpstreamsWords) {
  const auto spec = Parse(GetParam().spec);
  const auto found = FindApiReference(spec->root());
  EXPECT_EQ(found ? found->value_or("") : "error: " + found.error().message, GetParam().want);
}

std::string Volume(std::string_view source) {
  return R"({"volumes":[{"name":"v")" + std::string(source) + "}]}";
}
std::string Projected(std::string_view source) {
  return Volume(R"(,"projected":{"sources":[{)" + std::string(source) + "}]}");
}

INSTANTIATE_TEST_SUITE_P(
    All, ApiReferenceTest,
    testing::ValuesIn<ReferenceCase>({
        {"Nothing", "{}", ""},
        {"HostPath", Volume(R"(,"hostPath":{"path":"/"})"), ""},
        {"DownwardApi", Projected(R"("downwardAPI":{})"), ""},
        {"EmptyProjection", Volume(R"(,"projected":{})"), ""},
        {"Account", R"({"serviceAccountName":"a"})", "serviceaccounts"},
        {"AccountByItsOldName", R"({"serviceAccount":"a"})", "serviceaccounts"},
        {"PullSecret", R"({"imagePullSecrets":[{"name":"s"}]})", "secrets"},
        {"EnvironmentMap", R"({"containers":[{"envFrom":[{"configMapRef":{"name":"m"}}]}]})",
         "configmaps"},
        {"Devices", R"({"resourceClaims":[{"name":"g"}]})", "resourceclaims"},
        {"UnnamedSecretVolume", Volume(R"(,"secret":{})"), "secrets (via secret volumes)"},
        {"UnnamedMapVolume", Volume(R"(,"configMap":{})"), "configmaps (via configmap volumes)"},
        {"Csi", Volume(R"(,"csi":{"driver":"d"})"), "csidrivers (via CSI volumes)"},
        {"Glusterfs", Volume(R"(,"glusterfs":{})"), "endpoints (via glusterFS volumes)"},
        {"Claim", Volume(R"(,"persistentVolumeClaim":{})"), "persistentvolumeclaims"},
        {"Ephemeral", Volume(R"(,"ephemeral":{})"),
         "persistentvolumeclaims (via ephemeral volumes)"},
        {"BehindAnother", Volume(R"(,"emptyDir":{},"persistentVolumeClaim":{})"),
         "persistentvolumeclaims"},
        {"BehindAProjection", Volume(R"(,"projected":{},"persistentVolumeClaim":{})"),
         "persistentvolumeclaims"},
        {"ProjectedToken", Projected(R"("serviceAccountToken":{})"),
         "serviceaccounts (via projected volumes)"},
        {"ProjectedBundle", Projected(R"("clusterTrustBundle":{})"), "clustertrustbundles"},
        {"ProjectedCertificate", Projected(R"("podCertificate":{})"), "podcertificates"},
        {"UnknownVolume", Volume(R"(,"next":{})"), R"(error: unknown volume type for volume  "v")"},
        {"UnknownProjection", Projected(R"("next":{})"),
         R"(error: unknown source for projected volume "v")"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::apiserver

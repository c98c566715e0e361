#include "apiserver/admission/token_audience.h"

#include <gtest/gtest.h>

#include "apiserver/cache/cache_for_test.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

struct AudienceCase {
  std::string name;
  std::string volume;
  std::string want;  // yes, no, or the error
};

class TokenAudienceTest : public testing::TestWithParam<AudienceCase> {};

TEST_P(TokenAudienceTest, IsFoundInVolumesAndTheirDrivers) {
  CacheFixture server;
  server.Put(server.Of("csidrivers", "storage.k8s.io"), "", "d.com",
             R"(,"spec":{"tokenRequests":[{"audience":"vault"}]})");
  server.Put(server.Of("csidrivers", "storage.k8s.io"), "", "ebs.csi.aws.com",
             R"(,"spec":{"tokenRequests":[{"audience":"vault"}]})");
  server.Put(server.Of("csidrivers", "storage.k8s.io"), "", "plain.com", R"(,"spec":{})");
  server.Put(server.Of("persistentvolumes"), "", "pv", R"(,"spec":{"csi":{"driver":"d.com"}})");
  server.Put(server.Of("persistentvolumeclaims"), "ns", "c", R"(,"spec":{"volumeName":"pv"})");
  server.Put(server.Of("persistentvolumeclaims"), "ns", "p-e", R"(,"spec":{"volumeName":"pv"})");
  server.Put(server.Of("persistentvolumeclaims"), "ns", "unbound", R"(,"spec":{})");
  const auto pod = codec::ParseJson(R"({"metadata":{"name":"p"},"spec":{"volumes":[)" +
                                    GetParam().volume + "]}}");
  const Result<bool> has =
      TokenAudiences(server.cache(), server.table()).Has((*pod)->root(), "ns", "vault");
  const std::string got = !has ? has.error().message : *has ? "yes" : "no";
  EXPECT_EQ(got, GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, TokenAudienceTest,
    testing::ValuesIn<AudienceCase>({
        {"None", "", "no"},
        {"Projected",
         R"({"name":"v","projected":{"sources":[{"serviceAccountToken":{"audience":"vault"}}]}})",
         "yes"},
        {"OtherAudience",
         R"({"name":"v","projected":{"sources":[{"serviceAccountToken":{"audience":"api"}}]}})",
         "no"},
        {"InlineDriver", R"({"name":"v","csi":{"driver":"d.com"}})", "yes"},
        {"DriverWithoutTokens", R"({"name":"v","csi":{"driver":"plain.com"}})", "no"},
        {"Claim", R"({"name":"v","persistentVolumeClaim":{"claimName":"c"}})", "yes"},
        {"Ephemeral", R"({"name":"e","ephemeral":{"volumeClaimTemplate":{}}})", "yes"},
        {"Migrated", R"({"name":"v","awsElasticBlockStore":{"volumeID":"x"}})", "yes"},
        {"UnknownDriver", R"({"name":"v","csi":{"driver":"x.com"}})",
         R"(csidriver.storage.k8s.io "x.com" not found)"},
        {"FaultsAreAllTold",
         R"({"name":"v","persistentVolumeClaim":{"claimName":"none"}},)"
         R"({"name":"w","persistentVolumeClaim":{"claimName":"unbound"}})",
         R"([persistentvolumeclaim "none" not found, persistentvolume "" not found])"},
        {"AFaultDoesNotHideTheAudience",
         R"({"name":"v","csi":{"driver":"x.com"}},{"name":"w","csi":{"driver":"d.com"}})", "yes"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::apiserver

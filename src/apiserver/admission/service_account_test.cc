#include "apiserver/admission/service_account.h"

#include <gtest/gtest.h>

#include "apiserver/admission/admission_for_test.h"

namespace plimsoll::apiserver {
namespace {

TEST(ServiceAccountTest, APodRunsAsSomebody) {
  AdmissionFixture server;
  ServiceAccount gate;
  EXPECT_EQ(server.Ask(gate, {.object = R"({"spec":{}})"}),
            R"({"spec":{"serviceAccountName":"default","serviceAccount":"default"}})");
  EXPECT_EQ(server.Ask(gate, {.object = R"({"spec":{"serviceAccountName":"ci"}})"}),
            R"({"spec":{"serviceAccountName":"ci","serviceAccount":"ci"}})");
  EXPECT_EQ(server.Ask(gate, {.operation = Operation::Update,
                              .object = R"({"spec":{}})",
                              .before = R"({"spec":{}})"}),
            R"({"spec":{}})");
}

TEST(ServiceAccountTest, AMirrorPodStaysAsItIsAndUsesNoAccount) {
  AdmissionFixture server;
  ServiceAccount gate;
  const auto mirror = [](std::string_view spec) {
    return R"({"metadata":{"name":"m","annotations":{"kubernetes.io/config.mirror":"x"}},"spec":{)" +
           std::string(spec) + "}}";
  };
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"("nodeName":"n1")", ""},
      {R"("serviceAccountName":"a")", "a mirror pod may not reference service accounts"},
      {R"("serviceAccount":"a")", "a mirror pod may not reference service accounts"},
      {R"("imagePullSecrets":[{"name":"s"}])", "a mirror pod may not reference secrets"},
      {R"("volumes":[{"name":"v","projected":{"sources":[{"serviceAccountToken":{"path":"t"}}]}}])",
       "a mirror pod may not use ServiceAccountToken volume projections"},
  };
  for (const auto& [spec, why] : cases) {
    EXPECT_EQ(server.Ask(gate, {.object = mirror(spec)}),
              why.empty() ? mirror(spec) : R"(403 pods "m" is forbidden: )" + std::string(why))
        << spec;
  }
}

}  // namespace
}  // namespace plimsoll::apiserver

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

}  // namespace
}  // namespace plimsoll::apiserver

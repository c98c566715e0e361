#include "apiserver/admission/namespace_lifecycle.h"

#include <gtest/gtest.h>

#include "apiserver/admission/admission_for_test.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kPod = R"({"metadata":{"name":"web","namespace":"team"}})";

class NamespaceLifecycleTest : public testing::Test, public AdmissionFixture {
 protected:
  NamespaceLifecycle gate_{cache(), Of("namespaces")};
};

TEST_F(NamespaceLifecycleTest, NothingIsCreatedInAMissingNamespace) {
  EXPECT_EQ(Ask(gate_, {.object = std::string(kPod)}), R"(404 namespaces "team" not found)");
  Put(Of("namespaces"), "", "team", R"(,"status":{"phase":"Active"})");
  EXPECT_EQ(Ask(gate_, {.object = std::string(kPod)}), kPod);
}

TEST_F(NamespaceLifecycleTest, ATerminatingNamespaceTakesNothingNew) {
  Put(Of("namespaces"), "", "team", R"(,"status":{"phase":"Terminating"})");
  EXPECT_EQ(
      Ask(gate_, {.object = std::string(kPod)}),
      R"(403 pods "web" is forbidden: unable to create new content in namespace team because )"
      "it is being terminated");
  EXPECT_EQ(Ask(gate_, {.operation = Operation::Update,
                        .object = std::string(kPod),
                        .before = std::string(kPod)}),
            kPod);
  EXPECT_EQ(Ask(gate_, {.object = std::string(kPod), .subresource = "eviction"}), kPod);
  EXPECT_EQ(Ask(gate_, {.operation = Operation::Delete, .before = std::string(kPod)}), "");
}

TEST_F(NamespaceLifecycleTest, TheSystemsNamespacesStay) {
  const auto remove = [&](std::string name) {
    return Ask(gate_, {.operation = Operation::Delete,
                       .plural = "namespaces",
                       .before = R"({"metadata":{"name":")" + name + R"("}})"});
  };
  EXPECT_EQ(remove("kube-system"),
            R"(403 namespaces "kube-system" is forbidden: this namespace may not be deleted)");
  EXPECT_EQ(remove("team"), "");
}

}  // namespace
}  // namespace plimsoll::apiserver

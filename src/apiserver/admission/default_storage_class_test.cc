#include "apiserver/admission/default_storage_class.h"

#include <gtest/gtest.h>

#include "apiserver/admission/admission_for_test.h"

namespace plimsoll::apiserver {
namespace {

class DefaultStorageClassTest : public testing::Test, public AdmissionFixture {
 protected:
  void PutClass(std::string_view name, std::string_view created, bool is_default) {
    Put(Of("storageclasses", "storage.k8s.io"), "", name, R"(,"provisioner":"p")",
        R"(,"creationTimestamp":")" + std::string(created) +
            R"(","annotations":{"storageclass.kubernetes.io/is-default-class":")" +
            (is_default ? "true" : "false") + R"("})");
  }
  std::string Create(std::string spec) {
    return Ask(gate_, {.plural = "persistentvolumeclaims", .object = R"({"spec":{)" + spec + "}}"});
  }
  DefaultStorageClass gate_{cache(), Of("storageclasses", "storage.k8s.io")};
};

TEST_F(DefaultStorageClassTest, TheYoungestDefaultIsTaken) {
  EXPECT_EQ(Create(""), R"({"spec":{}})");
  PutClass("a", "2026-01-01T00:00:00Z", true);
  PutClass("b", "2026-02-01T00:00:00Z", true);
  PutClass("c", "2026-03-01T00:00:00Z", false);
  EXPECT_EQ(Create(""), R"({"spec":{"storageClassName":"b"}})");
}

TEST_F(DefaultStorageClassTest, AClassThatCannotBeReadIsNotTaken) {
  PutClass("a", "2026-01-01T00:00:00Z", true);
  Put(Of("storageclasses", "storage.k8s.io"), "", "broken", R"(,"provisioner":7)");
  EXPECT_EQ(Create(""), R"({"spec":{"storageClassName":"a"}})");
}

TEST_F(DefaultStorageClassTest, AnAnswerIsKeptEvenIfItIsEmpty) {
  PutClass("a", "2026-01-01T00:00:00Z", true);
  EXPECT_EQ(Create(R"("storageClassName":"")"), R"({"spec":{"storageClassName":""}})");
}

}  // namespace
}  // namespace plimsoll::apiserver

#include "apiserver/cache/stored_object.h"

#include <gtest/gtest.h>

#include "apiserver/cache/cache_for_test.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kPod =
    R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web","namespace":"default",)"
    R"("uid":"u1","labels":{"b":"2","a":"1"},"annotations":{"x":"{\"metadata\":{}}"}},)"
    R"("spec":{"nodeName":"n1","containers":[{"name":"c","image":"i"}],"restartPolicy":"Always",)"
    R"("schedulerName":"default-scheduler"},"status":{"phase":"Running","podIP":"10.0.0.1"}})";

class StoredObjectTest : public testing::Test {
 protected:
  ObjectPtr Make(std::string_view plural, std::string_view stored, std::int64_t revision = 7) {
    const Resource* resource = table_.Find("", "v1", plural);
    EXPECT_NE(resource, nullptr);
    auto made = StoredObject::Make(*resource, stored, store::Revision{revision});
    return made ? *made : nullptr;
  }
  ResourceTable table_;
};

TEST_F(StoredObjectTest, KnowsWhatSelectorsAskFor) {
  const ObjectPtr pod = Make("pods", kPod);
  ASSERT_NE(pod, nullptr);
  EXPECT_EQ(pod->name(), "web");
  EXPECT_EQ(pod->namespace_(), "default");
  EXPECT_EQ(pod->uid(), "u1");
  EXPECT_EQ(pod->labels(), (api::StringMap{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(pod->Field("metadata.name"), "web");
  EXPECT_EQ(pod->Field("spec.nodeName"), "n1");
  EXPECT_EQ(pod->Field("status.phase"), "Running");
  EXPECT_EQ(pod->Field("spec.hostNetwork"), "false");
  EXPECT_EQ(pod->Field("status.nominatedNodeName"), "");
  EXPECT_EQ(pod->Field("spec.containers"), "");
  EXPECT_EQ(pod->fields().Find("spec.restartPolicy"), "Always");
  EXPECT_EQ(pod->fields().size(), 11u);
  EXPECT_TRUE(pod->bytes()->contains(R"("metadata":{"resourceVersion":"7","name":"web")"));
}

TEST_F(StoredObjectTest, HasItsOwnMetadataFirst) {
  EXPECT_EQ(Make("pods", R"({"kind":"Pod","spec":{"metadata":{}},)"
                         R"("metadata":{"name":"web","namespace":"default"}})"),
            nullptr);
}

TEST_F(StoredObjectTest, IsParsedOnceForAllWhoHoldIt) {
  const ObjectPtr pod = Make("pods", kPod);
  const auto decoded = pod->Decode();
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, *pod->Decode());
  EXPECT_EQ((*decoded)->metadata().resource_version, "7");
}

TEST_F(StoredObjectTest, IsReadFromTheTreeOfItsCommit) {
  const std::shared_ptr<const codec::Document> document = *codec::ParseJson(
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"tree","resourceVersion":"1"}})");
  const auto pod = StoredObject::Make(*table_.Find("", "v1", "pods"), kPod, store::Revision{7},
                                      TreePtr(document, &document->root()));
  ASSERT_TRUE(pod.has_value());
  {
    const auto decoded = (*pod)->Decode();
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(codec::WriteJson((*decoded)->tree()),
              R"({"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"7",)"
              R"("name":"tree"}})");
    // A deletion reuses the decoded object.
    const auto deleted = (*pod)->At(store::Revision{8})->Decode();
    EXPECT_EQ((*deleted)->metadata().name, "tree");
    EXPECT_EQ((*deleted)->metadata().resource_version, "8");
  }
  EXPECT_EQ(document.use_count(), 2);
  (*pod)->ReleaseTree();
  EXPECT_EQ(document.use_count(), 1);
  EXPECT_EQ((*(*pod)->Decode())->metadata().name, "web");
}

TEST_F(StoredObjectTest, BytesThatAreNoSuchObjectAreAnErrorOfThatObject) {
  const ObjectPtr broken =
      Make("pods", R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web",)"
                   R"("namespace":"default"},"spec":7})");
  ASSERT_NE(broken, nullptr);
  EXPECT_EQ(broken->Decode().error().message,
            "Internal error occurred: the stored value of pods/web is not a valid object");
  EXPECT_TRUE(Make("pods", kPod)->Decode().has_value());
}

TEST_F(StoredObjectTest, HasACopyAtALaterRevision) {
  const ObjectPtr pod = Make("pods", kPod);
  const ObjectPtr later = pod->At(store::Revision{12345});
  EXPECT_EQ(store::Number(later->revision()), 12345);
  EXPECT_EQ(later->bytes()->size(), pod->bytes()->size() + 4);
  EXPECT_TRUE(later->bytes()->contains(R"("resourceVersion":"12345","name":"web")"));
  EXPECT_EQ(later->Field("spec.nodeName"), "n1");
}

TEST_F(StoredObjectTest, ReadsEscapesNumbersAndStandIns) {
  const ObjectPtr event =
      Make("events",
           R"({"kind":"Event","metadata":{"name":"e","namespace":"d","labels":{"a":"\u0062"}},)"
           R"("reason":"a\"b","reportingComponent":"sched","involvedObject":{"kind":"Pod"}})");
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(event->Field("reason"), "a\"b");
  EXPECT_EQ(event->Field("source"), "sched");
  EXPECT_EQ(event->Field("involvedObject.kind"), "Pod");
  EXPECT_EQ(event->labels().Find("a"), "b");

  const ObjectPtr node =
      Make("nodes", R"({"kind":"Node","metadata":{"name":"n"},"spec":{"unschedulable":true}})");
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(node->Field("spec.unschedulable"), "true");
}

TEST_F(StoredObjectTest, RefusesWhatIsNoObject) {
  for (const std::string_view broken :
       {"", "[]", "{}", R"({"metadata":{}})", R"({"metadata":{"name":"a"}})",
        R"({"metadata":{"name":"a","namespace":"b"})", R"({"metadata":{"name":"a)"}) {
    EXPECT_EQ(Make("pods", broken), nullptr) << broken;
  }
  EXPECT_EQ(Make("nodes", R"({"metadata":{"name":"a","namespace":"b"}})"), nullptr);
}

TEST_F(StoredObjectTest, TakesLittleBesideItsBytes) {
  const ObjectPtr pod = Make("pods", kPod);
  EXPECT_LT(pod->memory_bytes() - pod->bytes()->size(), 700u);
}

}  // namespace
}  // namespace plimsoll::apiserver

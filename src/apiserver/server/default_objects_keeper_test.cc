#include "apiserver/server/default_objects_keeper.h"

#include <gtest/gtest.h>

#include "apiserver/cache/cache_for_test.h"

namespace plimsoll::apiserver {
namespace {

/// Writes directly into the fixture's store.
class StoreWriter final : public BootstrapWriter {
 public:
  explicit StoreWriter(CacheFixture& fixture) : fixture_(fixture) {}
  Result<std::optional<std::string>> Get(std::string_view group, std::string_view resource,
                                         std::string_view namespace_,
                                         std::string_view name) override {
    const ObjectPtr found = fixture_.cache().Get(fixture_.Of(resource, group), namespace_, name);
    return found == nullptr ? std::optional<std::string>() : std::optional(*found->bytes());
  }
  Status Create(const DefaultObject& object) override { return Update(object); }
  Status Update(const DefaultObject& object) override {
    fixture_.Commit(
        fixture_.Of(object.resource, object.group).KeyOf(object.namespace_, object.name),
        MakeBytes(object.json));
    return {};
  }
  Status UpdateStatus(const DefaultObject& object) override { return Update(object); }
  Status Delete(const DefaultObject&) override { return {}; }

 private:
  CacheFixture& fixture_;
};

class DefaultObjectsKeeperTest : public testing::Test, public CacheFixture {
 protected:
  std::string TextOf(std::string_view name) {
    const ObjectPtr found = cache().Get(Of("flowschemas", kFlowControlGroup), "", name);
    return found == nullptr ? "" : *found->bytes();
  }

  MetricsRegistry registry_;
  WorkerPool workers_{1};
  Fairness fairness_{{}, clock(), registry_, [](const Resource&) { return std::size_t{0}; }};
  FairnessFeed feed_{cache(), table(), fairness_};
  DefaultObjectsKeeper keeper_{std::make_unique<StoreWriter>(*this),
                               {.client_ca_pem = "CA"},
                               cache(),
                               table(),
                               feed_,
                               clock(),
                               log(),
                               workers_};
};

TEST_F(DefaultObjectsKeeperTest, RestoresDefaultsAndMarksDanglingSchemas) {
  Put(Of("flowschemas", kFlowControlGroup), "", "mine",
      R"(,"spec":{"priorityLevelConfiguration":{"name":"nowhere"},"matchingPrecedence":5})");
  keeper_.Sweep();
  EXPECT_TRUE(TextOf("mine").contains(R"("type":"Dangling","status":"True")")) << TextOf("mine");
  EXPECT_TRUE(TextOf("catch-all").contains(R"("type":"Dangling","status":"False")"));
  Delete(Of("flowschemas", kFlowControlGroup), "", "catch-all");
  EXPECT_EQ(TextOf("catch-all"), "");
  keeper_.Sweep();
  EXPECT_TRUE(TextOf("catch-all").contains(R"("matchingPrecedence":10000)"));
}

TEST_F(DefaultObjectsKeeperTest, RestoresTheServiceAndTheConfigMapsOfTheServer) {
  const auto sweep_finds = [&](std::string_view resource, std::string_view home,
                               std::string_view name) {
    keeper_.Sweep();
    const bool was_there = cache().Get(Of(resource), home, name) != nullptr;
    if (was_there) Delete(Of(resource), home, name);
    keeper_.Sweep();
    return was_there && cache().Get(Of(resource), home, name) != nullptr;
  };
  EXPECT_TRUE(sweep_finds("services", "default", "kubernetes"));
  EXPECT_TRUE(sweep_finds("configmaps", "kube-system", "extension-apiserver-authentication"));
  EXPECT_TRUE(sweep_finds("configmaps", "kube-system",
                          "kube-apiserver-legacy-service-account-token-tracking"));
  EXPECT_TRUE(sweep_finds("namespaces", "", "kube-public"));
}

}  // namespace
}  // namespace plimsoll::apiserver

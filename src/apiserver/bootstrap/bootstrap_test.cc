#include "apiserver/bootstrap/bootstrap.h"

#include <gtest/gtest.h>

#include <map>

namespace plimsoll::apiserver {
namespace {

class MapWriter final : public BootstrapWriter {
 public:
  Result<std::optional<std::string>> Get(std::string_view, std::string_view resource,
                                         std::string_view namespace_,
                                         std::string_view name) override {
    const auto found = objects.find(Key(resource, namespace_, name));
    if (found == objects.end()) return std::optional<std::string>();
    return std::optional(found->second);
  }
  Status Create(const DefaultObject& object) override {
    ++writes;
    if (refused > 0 && --refused == 0) return Fail(Reason::InternalError, "disk full");
    // Another server creates the object first.
    if (races > 0 && races-- > 0) Put(object);
    if (!objects.emplace(KeyOf(object), object.json).second) {
      return Fail(Reason::AlreadyExists, "there");
    }
    return {};
  }
  Status Update(const DefaultObject& object) override {
    ++writes;
    Put(object);
    return {};
  }
  Status UpdateStatus(const DefaultObject& object) override { return Update(object); }
  Status Delete(const DefaultObject& object) override {
    ++writes;
    objects.erase(KeyOf(object));
    return {};
  }

  static std::string Key(std::string_view resource, std::string_view namespace_,
                         std::string_view name) {
    return std::string(resource).append("/").append(namespace_).append("/").append(name);
  }
  static std::string KeyOf(const DefaultObject& object) {
    return Key(object.resource, object.namespace_, object.name);
  }
  void Put(const DefaultObject& object) { objects[KeyOf(object)] = object.json; }

  std::map<std::string, std::string> objects;
  int writes = 0;
  int races = 0;
  int refused = 0;  // number of the Create call that fails
};

TEST(BootstrapTest, WritesEverythingOnce) {
  MapWriter writer;
  ASSERT_TRUE(Bootstrap(writer).has_value());
  EXPECT_TRUE(writer.objects.contains("namespaces//kube-node-lease"));
  EXPECT_TRUE(writer.objects.contains("priorityclasses//system-node-critical"));
  EXPECT_TRUE(writer.objects.contains("clusterroles//cluster-admin"));
  EXPECT_TRUE(writer.objects.contains("clusterrolebindings//system:basic-user"));
  EXPECT_TRUE(writer.objects.contains("services/default/kubernetes"));
  EXPECT_TRUE(writer.objects.contains("roles/kube-public/system:controller:bootstrap-signer"));
  EXPECT_TRUE(writer.objects.contains(
      "rolebindings/kube-system/system::extension-apiserver-authentication-reader"));
  EXPECT_TRUE(writer.objects.contains("flowschemas//catch-all"));
  EXPECT_TRUE(writer.objects.contains("prioritylevelconfigurations//workload-low"));
  EXPECT_EQ(static_cast<std::size_t>(writer.writes), writer.objects.size());
  writer.writes = 0;
  ASSERT_TRUE(Bootstrap(writer).has_value());
  EXPECT_EQ(writer.writes, 0);
}

TEST(BootstrapTest, TellsTheCertificatesOfAllServers) {
  const std::string key = "configmaps/kube-system/extension-apiserver-authentication";
  MapWriter writer;
  ASSERT_TRUE(Bootstrap(writer, {.client_ca_pem = "one\n"}).has_value());
  EXPECT_TRUE(writer.objects[key].contains(R"("data":{"client-ca-file":"one\n"})"));
  ASSERT_TRUE(Bootstrap(writer, {.client_ca_pem = "two\n"}).has_value());
  EXPECT_TRUE(writer.objects[key].contains(R"("data":{"client-ca-file":"one\ntwo\n"})"));
  writer.writes = 0;
  ASSERT_TRUE(Bootstrap(writer, {.client_ca_pem = "one\n"}).has_value());
  EXPECT_EQ(writer.writes, 0);
}

TEST(BootstrapTest, TracksTokensSinceTheFirstStart) {
  const std::string key =
      "configmaps/kube-system/kube-apiserver-legacy-service-account-token-tracking";
  MapWriter writer;
  const Instant start = *ParseTime("2026-01-31T23:00:00Z");
  ASSERT_TRUE(Bootstrap(writer, {.now = start}).has_value());
  EXPECT_TRUE(writer.objects[key].contains(R"("data":{"since":"2026-01-31"})"));
  ASSERT_TRUE(Bootstrap(writer, {.now = start + std::chrono::hours(48)}).has_value());
  EXPECT_TRUE(writer.objects[key].contains(R"("data":{"since":"2026-01-31"})"));
  writer.objects[key] = R"({"data":{"since":"yesterday"}})";
  ASSERT_TRUE(Bootstrap(writer, {.now = start + std::chrono::hours(48)}).has_value());
  EXPECT_TRUE(writer.objects[key].contains(R"("since":"2026-02-02")"));
}

TEST(BootstrapTest, MendsRolesAndBindings) {
  MapWriter writer;
  ASSERT_TRUE(Bootstrap(writer).has_value());
  const auto want = writer.objects;
  writer.objects["clusterroles//cluster-admin"] = R"({"metadata":{"name":"cluster-admin"}})";
  writer.objects["clusterrolebindings//cluster-admin"] =
      R"({"metadata":{"name":"cluster-admin"},"roleRef":{"kind":"ClusterRole","name":"view"}})";
  writer.objects["namespaces//default"] = "{}";
  ASSERT_TRUE(Bootstrap(writer).has_value());
  EXPECT_NE(writer.objects["clusterroles//cluster-admin"].find(R"("rules":[{"verbs":["*"])"),
            std::string::npos);
  EXPECT_EQ(writer.objects["clusterrolebindings//cluster-admin"],
            want.at("clusterrolebindings//cluster-admin"));
  EXPECT_EQ(writer.objects["namespaces//default"], "{}") << "namespaces are left alone";
}

TEST(BootstrapTest, TheServiceFollowsThePort) {
  MapWriter writer;
  ASSERT_TRUE(Bootstrap(writer, {.port = 6443}).has_value());
  std::string& service = writer.objects["services/default/kubernetes"];
  EXPECT_TRUE(service.contains(R"("targetPort":6443)"));
  writer.writes = 0;
  ASSERT_TRUE(Bootstrap(writer, {.port = 7443}).has_value());
  EXPECT_TRUE(service.contains(R"("targetPort":7443)")) << service;
  EXPECT_EQ(writer.writes, 1);
}

TEST(BootstrapTest, TwoServersMayStartAtOnce) {
  MapWriter writer;
  writer.races = 3;
  ASSERT_TRUE(Bootstrap(writer).has_value());
  EXPECT_EQ(writer.races, 0);
}

TEST(BootstrapTest, AnErrorNamesTheObject) {
  MapWriter writer;
  writer.refused = 2;
  const Status status = Bootstrap(writer);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().message,
            "could not write the default namespaces kube-system: disk full");
}

}  // namespace
}  // namespace plimsoll::apiserver

#include "cli/version/version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/server/version.h"
#include "cli/run_for_test.h"
#include "codec/json.h"
#include "service/server_kind.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;

TEST(VersionTest, NamesTheReleaseAndTheApi) {
  EXPECT_EQ(RunForTest({"version"}).out, "plimsoll " + std::string(kVersion) + " (Kubernetes API " +
                                             std::string(apiserver::kKubernetesVersion) + ")\n");
  EXPECT_THAT(RunForTest({"version", "-o", "json"}).out,
              HasSubstr("\"kubernetesVersion\": \"v1.37"));
  EXPECT_THAT(RunForTest({"version", "-o", "yaml"}).out, HasSubstr("kubernetesVersion: v1.37"));
}

TEST(VersionTest, ComponentsRecognizeTheServersVersion) {
  const auto document = codec::ParseJson(apiserver::VersionJson());
  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(service::KindOfVersion((*document)->root().Find("gitVersion")->text()),
            service::ServerKind::Own);
}

}  // namespace
}  // namespace plimsoll::cli

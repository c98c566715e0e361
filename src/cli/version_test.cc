#include "cli/version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/server/version.h"
#include "cli/run_for_test.h"

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

}  // namespace
}  // namespace plimsoll::cli

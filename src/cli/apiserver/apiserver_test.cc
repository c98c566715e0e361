#include "cli/apiserver/apiserver.h"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/app.h"

namespace plimsoll::cli {
namespace {

TEST(ApiserverTest, AMistakeIsNamedBeforeAnythingStarts) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(cli::Run({"apiserver", "--feature-gates=TaintTolerationCell=true"}, {in, out, err}),
            kExitUsage);
  EXPECT_TRUE(err.str().contains("TaintTolerationCell")) << err.str();
  EXPECT_EQ(cli::Run({"apiserver", "--store=floppy"}, {in, out, err}), kExitUsage);
}

TEST(ApiserverTest, TheLongestLifeOfATokenIsFromAnHourTo2To32Seconds) {
  ApiserverOptions options;
  EXPECT_EQ(InstanceOptionsOf(options)->authentication.service_accounts.token_lifetime_max,
            std::chrono::hours(48));
  options.token_lifetime_max = "1h";
  EXPECT_EQ(InstanceOptionsOf(options)->authentication.service_accounts.token_lifetime_max,
            std::chrono::hours(1));
  for (const char* const wrong : {"59m", "4294967297s", "-1h", "0", "", "soon", "100000000000h"}) {
    options.token_lifetime_max = wrong;
    const auto refused = InstanceOptionsOf(options);
    ASSERT_FALSE(refused.has_value()) << wrong;
    EXPECT_EQ(refused.error().message,
              "the service-account-max-token-expiration must be between 1 hour and 2^32 seconds");
  }
}

TEST(ApiserverTest, APlaceWhereNothingCanBeWrittenIsNamed) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(cli::Run({"apiserver", "--data-dir=/proc/none"}, {in, out, err}), kExitFindings);
  EXPECT_TRUE(err.str().contains("/proc/none")) << err.str();
}

}  // namespace
}  // namespace plimsoll::cli

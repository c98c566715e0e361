#include "cli/kubectl/plugin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/app.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::pair<int, std::string> RunAs(CalledAs called_as, const std::vector<std::string>& arguments) {
  std::istringstream in;
  std::ostringstream out;
  const int code = Run(arguments, {in, out, out}, called_as);
  return {code, out.str()};
}

TEST(KubectlPluginTest, IsKnownByTheNameOfTheLink) {
  EXPECT_EQ(CalledAsOf("/usr/bin/kubectl-plimsoll"), CalledAs::KubectlPlugin);
  EXPECT_EQ(CalledAsOf("kubectl-plimsoll"), CalledAs::KubectlPlugin);
  EXPECT_EQ(CalledAsOf("./kubectl_complete-plimsoll"), CalledAs::KubectlCompletion);
  EXPECT_EQ(CalledAsOf("build/bin/plimsoll"), CalledAs::Program);
  EXPECT_EQ(CalledAsOf("/kubectl-plimsoll/plimsoll"), CalledAs::Program);
  EXPECT_EQ(CalledAsOf(""), CalledAs::Program);
}

TEST(KubectlPluginTest, UsageLinesNameKubectl) {
  const auto [help_code, help] = RunAs(CalledAs::KubectlPlugin, {"explain", "pod", "--help"});
  EXPECT_EQ(help_code, kExitOk);
  EXPECT_THAT(help, HasSubstr("kubectl plimsoll explain pod"));
  const auto [code, error] = RunAs(CalledAs::KubectlPlugin, {"explain", "pod", "--nodse"});
  EXPECT_EQ(code, kExitUsage);
  EXPECT_THAT(error, HasSubstr("Run 'kubectl plimsoll explain pod --help' for usage."));
  EXPECT_THAT(RunAs(CalledAs::Program, {"explain", "pod", "--help"}).second,
              Not(HasSubstr("kubectl plimsoll")));
}

TEST(KubectlPluginTest, CompletesForKubectl) {
  EXPECT_EQ(RunAs(CalledAs::KubectlCompletion, {"che"}).second, "check\n:4\n");
  EXPECT_EQ(RunAs(CalledAs::KubectlCompletion, {"explain", "d"}).second,
            "daemonset\ndeployment\ndevice\n:4\n");
  EXPECT_EQ(RunAs(CalledAs::KubectlCompletion, {"explain", "pod", "--all"}).second,
            "--all-nodes\n:4\n");
  EXPECT_EQ(RunAs(CalledAs::KubectlCompletion, {"check", "dep"}).second, ":0\n");
  EXPECT_THAT(RunAs(CalledAs::KubectlCompletion, {""}).second, HasSubstr("explain\n"));
}

}  // namespace
}  // namespace plimsoll::cli

#include "apiserver/admission/admission_config.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kHead =
    "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n";
constexpr std::string_view kPlugin =
    "apiVersion: pod-security.admission.config.k8s.io/v1\nkind: PodSecurityConfiguration\n";

Result<PodSecurityOptions> Parse(const std::string& text) {
  return ParseAdmissionConfig(text, [](const std::string& path) -> Result<std::string> {
    if (path != "own.yaml") return Fail(Reason::NotFound, "no such file " + path);
    return std::string(kPlugin) + "defaults: {audit: baseline}\n";
  });
}

/// Returns a file with the plugin's configuration, given as lines of YAML.
std::string File(std::string_view lines) {
  std::string text(kHead);
  text += "plugins:\n- name: PodSecurity\n  configuration:\n";
  std::string inner = std::string(kPlugin) + std::string(lines);
  while (!inner.empty()) {
    const std::size_t end = inner.find('\n') + 1;
    text += "    " + inner.substr(0, end);
    inner.erase(0, end);
  }
  return text;
}

TEST(AdmissionConfigTest, DefaultsAndExemptionsAreRead) {
  const auto options =
      Parse(File("defaults: {enforce: baseline, enforce-version: v1.30, warn: restricted}\n"
                 "exemptions: {usernames: [root], runtimeClasses: [kata], namespaces: [free]}\n"));
  ASSERT_TRUE(options.has_value()) << options.error().Text();
  EXPECT_EQ(options->defaults.enforce.Text(), "baseline:v1.30");
  EXPECT_EQ(options->defaults.warn.Text(), "restricted:latest");
  EXPECT_EQ(options->defaults.audit.Text(), "privileged:latest");
  EXPECT_TRUE(options->usernames.contains("root"));
  EXPECT_TRUE(options->runtime_classes.contains("kata"));
  EXPECT_TRUE(options->namespaces.contains("free"));
}

TEST(AdmissionConfigTest, APluginMayHaveAFileOfItsOwn) {
  const auto options = Parse(std::string(kHead) + "plugins: [{name: PodSecurity, path: own.yaml}]");
  ASSERT_TRUE(options.has_value()) << options.error().Text();
  EXPECT_EQ(options->defaults.audit.Text(), "baseline:latest");
  EXPECT_EQ(Parse(std::string(kHead) + "plugins: [{name: PodSecurity, path: x}]").error().message,
            "no such file x");
  EXPECT_TRUE(Parse(std::string(kHead)).has_value());
}

TEST(AdmissionConfigTest, FaultsAreNamedWithTheirField) {
  const auto fault = [](const std::string& text) { return Parse(text).error().Text(); };
  EXPECT_EQ(fault("kind: X\n"), "apiVersion: must be apiserver.config.k8s.io/v1, got \"\"");
  EXPECT_EQ(fault(std::string(kHead) + "plugins: [{name: EventRateLimit, path: x}]"),
            "plugins[0].name: the plugin \"EventRateLimit\" takes no configuration; PodSecurity "
            "is the only one that does");
  EXPECT_EQ(fault(std::string(kHead) + "plugins: [{name: PodSecurity}]"),
            "plugins[0]: must have either a path or a configuration");
  EXPECT_EQ(fault(File("default: {}\n")),
            "plugins[0].configuration.default: unknown field; did you mean defaults?");
  EXPECT_EQ(fault(File("defaults: {enforce: x, audit-version: '1'}\n")),
            "[defaults.enforce: Invalid value: \"x\": must be one of privileged, baseline, "
            "restricted, defaults.audit-version: Invalid value: \"1\": must be \"latest\" or "
            "\"v1.x\"]");
  EXPECT_EQ(fault(File("exemptions: {usernames: ['', a, a]}\n")),
            "[exemptions.usernames[0]: Required value, exemptions.usernames[2]: Duplicate value: "
            "\"a\"]");
  EXPECT_TRUE(fault(File("exemptions: {namespaces: [A]}\n"))
                  .starts_with("exemptions.namespaces[0]: Invalid value: \"A\": a lowercase RFC "
                               "1123 label must consist"));
}

}  // namespace
}  // namespace plimsoll::apiserver

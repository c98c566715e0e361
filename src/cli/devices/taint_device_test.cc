#include "cli/devices/taint_device.h"

#include <gtest/gtest.h>

#include "cli/devices/device_cluster_for_test.h"
#include "cli/devices/taint_arguments.h"
#include "cli/devices/taint_preview.h"
#include "cli/devices/taint_rule_writer.h"
#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kGpu0 = "gpu.example.com/node-1/gpu-0";
constexpr const char* kFree = "gpu.example.com/node-2/gpu-0";

class TaintDeviceTest : public testing::Test {
 protected:
  Status Run(TaintDeviceOptions options) { return cluster_.Run(TaintDevice, options); }

  DeviceCluster cluster_{kDevices};
};

TEST_F(TaintDeviceTest, CreatesARule) {
  ASSERT_TRUE(
      Run({.arguments = {kFree, "bad=1:NoExecute"}, .rate = 3, .description = "hot", .name = "n"}));
  EXPECT_EQ(cluster_.out, "devicetaintrule.resource.k8s.io/n created\n");
  EXPECT_EQ(cluster_.err, "");
  ASSERT_EQ(cluster_.written.size(), 1u);
  EXPECT_EQ(
      cluster_.written[0],
      R"(POST /apis/resource.k8s.io/v1/devicetaintrules {"apiVersion":"resource.k8s.io/v1",)"
      R"("kind":"DeviceTaintRule","metadata":{"name":"n"},"spec":{"deviceSelector":{"driver":)"
      R"("gpu.example.com","pool":"node-2","device":"gpu-0"},"taint":{"key":"bad","value":"1",)"
      R"("effect":"NoExecute","evictionsPerSecond":3,"description":"hot"}}})");
}

TEST_F(TaintDeviceTest, ChangesTheRuleThatIsThere) {
  ASSERT_TRUE(Run({.arguments = {kGpu0, "monitor.example.com/broken:None"}, .name = "broken"}));
  EXPECT_EQ(cluster_.out, "devicetaintrule.resource.k8s.io/broken configured\n");
  ASSERT_EQ(cluster_.written.size(), 1u);
  EXPECT_EQ(
      cluster_.written[0],
      R"(PATCH /apis/resource.k8s.io/v1/devicetaintrules/broken {"metadata":{"resourceVersion":"7"},)"
      R"("spec":{"taint":{"effect":"None"}}})");
  ASSERT_TRUE(
      Run({.arguments = {kGpu0, "monitor.example.com/broken:NoExecute"}, .name = "broken"}));
  EXPECT_EQ(cluster_.out, "devicetaintrule.resource.k8s.io/broken unchanged\n");
  const Status other = Run({.arguments = {kFree, "x:None"}, .name = "broken"});
  ASSERT_FALSE(other);
  EXPECT_TRUE(other.error().message.contains("choose another --name"));
  EXPECT_EQ(cluster_.written.size(), 1u);
}

// Like Kubernetes 1.35: rules have no class or expressions, and taints have no rate.
constexpr const char* kStockOpenApi = R"({"components":{"schemas":{"Rule":{"type":"object",
  "x-kubernetes-group-version-kind":[
    {"group":"resource.k8s.io","version":"v1alpha3","kind":"DeviceTaintRule"}],
  "properties":{"apiVersion":{},"kind":{},"metadata":{"type":"object"},
    "spec":{"type":"object","properties":{
      "deviceSelector":{"type":"object","properties":{"driver":{},"pool":{},"device":{}}},
      "taint":{"type":"object","properties":{"key":{},"value":{},"effect":{},"timeAdded":{}}}}}}}}}})";

class TaintDeviceStockTest : public TaintDeviceTest {
 protected:
  TaintDeviceStockTest() {
    cluster_.rules_version = "v1alpha3";
    cluster_.openapi = kStockOpenApi;
    cluster_.dropped = {"selectors", "deviceClassName", "evictionsPerSecond", "description"};
  }
};

TEST_F(TaintDeviceStockTest, WritesNoFieldThatTheServerDoesNotDeclare) {
  const std::vector<std::pair<TaintDeviceOptions, std::string>> cases{
      {{.arguments = {"k:NoExecute"}, .expressions = {"true"}}, "selectors (--cel)"},
      {{.arguments = {"k:NoExecute"}, .class_name = "fast"}, "deviceClassName (--class)"},
      {{.arguments = {kFree, "k:NoExecute"}, .rate = 2}, "evictionsPerSecond (--rate)"},
      {{.arguments = {kFree, "k:NoExecute"}, .description = "hot"}, "description (--description)"}};
  for (const bool is_preview : {false, true}) {
    for (const bool has_documents : {true, false}) {
      if (is_preview && !has_documents) continue;
      cluster_.openapi = has_documents ? kStockOpenApi : "";
      for (auto [options, want] : cases) {
        options.is_preview = is_preview;
        const Status status = Run(options);
        ASSERT_FALSE(status) << want;
        EXPECT_TRUE(status.error().message.contains(want)) << status.error().message;
        EXPECT_TRUE(status.error().message.contains("nothing was written"));
        EXPECT_TRUE(cluster_.written.empty()) << cluster_.written.front();
      }
    }
  }
}

TEST_F(TaintDeviceStockTest, TaintsAndUntaintsInTheVersionThatIsServed) {
  ASSERT_TRUE(Run({.arguments = {kFree, "k=1:NoExecute"}, .name = "n"}));
  ASSERT_EQ(cluster_.written.size(), 1u);
  EXPECT_EQ(cluster_.written[0],
            R"(POST /apis/resource.k8s.io/v1alpha3/devicetaintrules {"apiVersion":)"
            R"("resource.k8s.io/v1alpha3","kind":"DeviceTaintRule","metadata":{"name":"n"},"spec":)"
            R"({"deviceSelector":{"driver":"gpu.example.com","pool":"node-2","device":"gpu-0"},)"
            R"("taint":{"key":"k","value":"1","effect":"NoExecute"}}})");
  ASSERT_TRUE(Run({.arguments = {kGpu0, "monitor.example.com/broken-"}}));
  EXPECT_EQ(cluster_.out, "devicetaintrule.resource.k8s.io/broken deleted\n");
}

TEST_F(TaintDeviceTest, DeletesARuleThatTheServerStoredInAnotherWay) {
  cluster_.dropped_on_commit = {"selectors"};
  const Status status = Run({.arguments = {"k:NoExecute"}, .expressions = {"true"}, .name = "n"});
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().message.contains("the rule was deleted again"))
      << status.error().message;
  ASSERT_EQ(cluster_.written.size(), 2u);
  EXPECT_TRUE(cluster_.written[1].starts_with("DELETE ")) << cluster_.written[1];
  EXPECT_TRUE(cluster_.written[1].contains(R"("preconditions":{"uid":"u"})"));
}

TEST_F(TaintDeviceTest, PutsTheOldTaintBackIfTheServerStoredAnother) {
  cluster_.dropped_on_commit = {"description"};
  const Status status = Run({.arguments = {kGpu0, "monitor.example.com/broken:None"},
                             .description = "hot",
                             .name = "broken"});
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().message.contains("has its old taint again")) << status.error().message;
  ASSERT_EQ(cluster_.written.size(), 2u);
  EXPECT_TRUE(cluster_.written[1].contains(R"("taint":{"effect":"NoExecute"})"))
      << cluster_.written[1];
}

TEST(TaintDeviceLeftoverTest, ARuleWhoseSelectorWasDroppedIsFoundByItsName) {
  const DeviceTarget target{
      .driver = {}, .pool = {}, .device = {}, .class_name = "fast", .expressions = {}};
  const std::string name = RuleNameFor(target, "k");
  DeviceCluster cluster(
      "{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {name: " + name +
      ", uid: u}, spec: {deviceSelector: {}, taint: {key: k, effect: NoExecute}}}\n");
  ASSERT_TRUE(
      cluster.Run(TaintDevice, TaintDeviceOptions{.arguments = {"k-"}, .class_name = "fast"}));
  EXPECT_EQ(cluster.out, "devicetaintrule.resource.k8s.io/" + name + " deleted\n");
}

TEST_F(TaintDeviceTest, WarnsWhenNothingIsSelected) {
  ASSERT_TRUE(Run({.arguments = {"k:None"}, .driver = "other.example.com"}));
  EXPECT_EQ(cluster_.err, "Warning: no published device is selected by driver=other.example.com\n");
}

TEST_F(TaintDeviceTest, PreviewsWithoutWriting) {
  ASSERT_TRUE(
      Run({.arguments = {"k=v:NoExecute"}, .driver = "gpu.example.com", .is_preview = true}));
  EXPECT_EQ(cluster_.out,
            "Taint k=v:NoExecute for driver=gpu.example.com:\n"
            "4 devices are selected.\n"
            "  gpu.example.com/node-1/gpu-0\n"
            "  gpu.example.com/node-1/gpu-1\n"
            "  gpu.example.com/node-2/gpu-0\n"
            "  gpu.example.com/node-2/gpu-1\n"
            "2 claims have them, used by 3 pods.\n"
            "1 pod tolerates the taint.\n"
            "2 pods will be evicted in 1 namespace: ml (2).\n"
            "At 10 per second, with 10 at once, that takes no time.\n"
            "Nothing was changed.\n");
  EXPECT_TRUE(cluster_.written.empty());
}

TEST(TaintPreviewTest, LetsThresholdsTolerateForEver) {
  DeviceCluster cluster(ClaimText(
      "ml", "c", {"gpu-0"}, {"p"},
      "{key: budget, operator: Gt, value: '1', effect: NoExecute, tolerationSeconds: 60}"));
  const auto preview = [&](const char* taint) {
    return cluster.Run(
        TaintDevice,
        TaintDeviceOptions{.arguments = {taint}, .driver = "gpu.example.com", .is_preview = true});
  };
  ASSERT_TRUE(preview("budget=8:NoExecute"));
  EXPECT_TRUE(cluster.out.contains("1 pod tolerates the taint.\nNo pod will be evicted.\n"))
      << cluster.out;
  ASSERT_TRUE(preview("budget=0:NoExecute"));
  EXPECT_TRUE(cluster.out.contains("1 of them tolerates the taint for up to 1m0s.\n"))
      << cluster.out;
}

TEST_F(TaintDeviceTest, SelectsByClassAndExpression) {
  ASSERT_TRUE(Run({.arguments = {"k:None"}, .class_name = "fast", .is_preview = true}));
  EXPECT_TRUE(cluster_.out.contains("1 device is selected.\n  gpu.example.com/node-1/gpu-0\n"))
      << cluster_.out;
  EXPECT_TRUE(cluster_.out.contains("would be evicted in 1 namespace: ml (2) if the effect was"))
      << cluster_.out;
  ASSERT_TRUE(Run({.arguments = {"k:None"},
                   .expressions = {R"(device.driver == "gpu.example.com")"},
                   .is_preview = true}));
  EXPECT_TRUE(cluster_.out.contains("4 devices are selected.\n")) << cluster_.out;
}

TEST_F(TaintDeviceTest, RemovesByKeyAndEffect) {
  ASSERT_TRUE(Run({.arguments = {kGpu0, "monitor.example.com/broken-"}, .is_preview = true}));
  EXPECT_EQ(cluster_.out, "devicetaintrule.resource.k8s.io/broken would be deleted\n");
  EXPECT_FALSE(Run({.arguments = {kGpu0, "monitor.example.com/broken:NoSchedule-"}}));
  EXPECT_TRUE(cluster_.written.empty());
  ASSERT_TRUE(Run({.arguments = {kGpu0, "monitor.example.com/broken:NoExecute-"}}));
  EXPECT_EQ(cluster_.out, "devicetaintrule.resource.k8s.io/broken deleted\n");
  ASSERT_EQ(cluster_.written.size(), 1u);
  EXPECT_TRUE(
      cluster_.written[0].starts_with("DELETE /apis/resource.k8s.io/v1/devicetaintrules/broken "));
  ASSERT_TRUE(Run({.arguments = {"monitor.example.com/broken-"}, .name = "broken"}));
}

struct FaultCase {
  std::string name;
  TaintDeviceOptions options;
  std::string want;  // substring of the message
};

class TaintDeviceFaultTest : public testing::TestWithParam<FaultCase> {};

TEST_P(TaintDeviceFaultTest, IsTold) {
  DeviceCluster cluster(kDevices);
  const Status status = cluster.Run(TaintDevice, GetParam().options);
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().message.contains(GetParam().want)) << status.error().message;
  EXPECT_TRUE(cluster.written.empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, TaintDeviceFaultTest,
    testing::ValuesIn<FaultCase>({
        {"NoTarget", {.arguments = {"k:None"}}, "say which devices"},
        {"TwoTargets", {.arguments = {kGpu0, "k:None"}, .driver = "d"}, "exclude each other"},
        {"TooManyWords",
         {.arguments = {kGpu0, "k:None", "x"}},
         "want DRIVER/POOL/DEVICE and a taint"},
        {"NoDevice", {.arguments = {"gpu-0", "k:None"}}, "\"gpu-0\" is no device"},
        {"BadTaint", {.arguments = {kGpu0, "k"}}, "is no taint"},
        {"Rate", {.arguments = {kGpu0, "k:None"}, .rate = 0}, "--rate: want evictions per second"},
        {"NameAlone", {.arguments = {"k:None"}, .name = "n"}, "enough only to remove"},
        {"UnknownClass",
         {.arguments = {"k:None"}, .class_name = "fasst"},
         "did you mean \"fast\"?"},
        {"BadExpression",
         {.arguments = {"k:None"}, .expressions = {"device."}},
         "spec.deviceSelector.selectors[0].cel.expression: Invalid value: \"device.\""},
        {"PreviewOfWhatNoServerTakes",
         {.arguments = {"k!=v:None"}, .driver = "d", .is_preview = true},
         "is invalid: spec.taint.key: Invalid value: \"k!\""},
        {"NoWords", {}, "want DRIVER/POOL/DEVICE and a taint"},
        {"NothingToRemove",
         {.arguments = {kFree, "k-"}},
         "no rule for gpu.example.com/node-2/gpu-0"},
        {"OthersHaveIt",
         {.arguments = {kFree, "monitor.example.com/broken-"}},
         "; broken has it for others"},
        {"TheDriverHasIt", {.arguments = {kGpu0, "health-"}}, "it is the driver's"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(TaintDeviceWordsTest, AreCheckedBeforeAnyServerIsAsked) {
  const Outcome outcome = RunForTest({"taint", "device", "gpu-0", "k:None"});
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_TRUE(outcome.err.contains("want DRIVER/POOL/DEVICE")) << outcome.err;
  EXPECT_EQ(RunForTest({"taint", "device"}).code, kExitUsage);
}

TEST(ImpactTextTest, TellsHowLongItTakes) {
  TaintImpact impact;
  for (int i = 0; i < 13; ++i) impact.devices.push_back("d" + std::to_string(i));
  impact.claims = 1;
  impact.pods = 61;
  impact.delayed_pods = 1;
  impact.delay_max_seconds = 90;
  impact.evicted_by_namespace = {{"a", 60}, {"b", 1}};
  api::DeviceTaint taint;
  taint.effect = "NoExecute";
  taint.evictions_per_second = 2;
  const std::string text = ImpactText(impact, taint);
  EXPECT_TRUE(text.contains("  d9\n  and 3 more\n")) << text;
  EXPECT_TRUE(text.contains("1 claim has them, used by 61 pods.\n")) << text;
  EXPECT_TRUE(text.contains("61 pods will be evicted in 2 namespaces: a (60), b (1).\n")) << text;
  EXPECT_TRUE(text.contains("1 of them tolerates the taint for up to 1m30s.\n")) << text;
  EXPECT_TRUE(text.contains("At 2 per second, with 10 at once, that takes 26s.\n")) << text;
}

}  // namespace
}  // namespace plimsoll::cli

#include "cli/explain/claim_explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/explain/device_explanation.h"
#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Four devices: one in use, one degraded, one retired by a rule, one of another model.
constexpr std::string_view kCluster = R"(
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", pods: "10"}}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
status: {allocatable: {cpu: "4", pods: "10"}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {selectors: [{cel: {expression: 'device.attributes["gpu.example.com"].model == "A100"'}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s1}
spec:
  driver: gpu.example.com
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  nodeName: n1
  devices:
  - name: busy
    attributes: {model: {string: A100}}
  - name: degraded
    attributes: {model: {string: A100}, cores: {int: 8}}
    capacity: {memory: {value: 40Gi}}
    taints: [{key: risk, value: "7", effect: NoSchedule, timeAdded: "2026-01-01T00:00:00Z"}]
  - name: retired
    attributes: {model: {string: A100}}
  - name: old
    attributes: {model: {string: K80}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: retire}
spec:
  deviceSelector: {driver: gpu.example.com, pool: n1, device: retired}
  taint: {key: retire, value: soon, effect: NoExecute}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: taken, namespace: shop, uid: taken}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, tolerations: [{key: risk, operator: Lt, value: "10"}]}}]}}
status:
  allocation: {devices: {results: [{request: r, driver: gpu.example.com, pool: n1, device: busy}]}}
  reservedFor: [{resource: pods, name: web, uid: web}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gone, namespace: shop, uid: gone}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
status:
  allocation: {devices: {results: [{request: r, driver: gpu.example.com, pool: n1, device: retired,
    tolerations: [{key: retire, operator: Exists}]},
    {request: r, driver: gpu.example.com, pool: n1, device: lost}]}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: strict, namespace: shop, uid: strict}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, tolerations: [{key: risk, operator: Lt, value: "5"}]}}]}}
)";

Outcome Explain(std::vector<std::string> words, const std::string& more = {}) {
  words.insert(words.begin(), {"explain"});
  words.insert(words.end(), {"-f", "-"});
  return RunForTest(words, std::string(kCluster) + more);
}

TEST(ExplainClaimTest, SaysWhyNoDeviceFits) {
  const Outcome outcome = Explain({"claim", "strict"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_THAT(outcome.out,
              testing::StartsWith(
                  "ResourceClaim shop/strict: not allocated; 0 of 2 nodes could satisfy it\n"
                  "\n"
                  "request r: wants 1 device of a node; 0 devices usable, 4 not\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("  2 devices: InUse by shop/gone, shop/taken\n    gpu.example.com/n1/busy, "
                        "gpu.example.com/n1/retired\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("Tainted: driver: taint risk=7:NoSchedule: toleration 0 (Lt 5): taint 7 is "
                        "not less than 5\n    gpu.example.com/n1/degraded\n"));
  EXPECT_THAT(outcome.out, HasSubstr("NotSelected: "));
  EXPECT_THAT(outcome.out, HasSubstr("    gpu.example.com/n1/old\n"));
}

TEST(ExplainClaimTest, NamesTheNodesThatCould) {
  const Outcome outcome = Explain({"resourceclaims/lax"}, R"(---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: lax, namespace: shop, uid: lax}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, tolerations: [{operator: Exists}]}}]}}
)");
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 of 2 nodes could satisfy it: n1\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  usable: gpu.example.com/n1/degraded"));
}

TEST(ExplainClaimTest, AMissingClassIsAnError) {
  const Outcome outcome = Explain({"claim", "odd"}, R"(---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: odd, namespace: shop, uid: odd}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: none}}]}}
)");
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_THAT(outcome.out, HasSubstr("error: claim shop/odd, request r: could not retrieve device "
                                     "class none"));
}

TEST(ExplainClaimTest, ShowsAllocatedDevicesAndTheirTaints) {
  EXPECT_EQ(Explain({"claim", "taken"}).out,
            "ResourceClaim shop/taken: allocated\n"
            "reserved for: web\n"
            "request r: gpu.example.com/n1/busy\n");
  EXPECT_EQ(Explain({"claim", "gone"}).out,
            "ResourceClaim shop/gone: allocated\n"
            "request r: gpu.example.com/n1/retired\n"
            "  taint retire=soon:NoExecute (rule/retire): tolerated by retire Exists\n"
            "request r: gpu.example.com/n1/lost, which no slice publishes any more\n");
}

TEST(ExplainClaimTest, WritesJson) {
  const Outcome open = Explain({"claim", "strict", "-o", "json"});
  EXPECT_THAT(open.out, HasSubstr(R"("fault": "Tainted")"));
  EXPECT_THAT(open.out, HasSubstr(R"("possible": [])"));
  const Outcome allocated = Explain({"claim", "gone", "-o", "json"});
  EXPECT_THAT(allocated.out, HasSubstr(R"("source": "rule/retire")"));
  EXPECT_THAT(allocated.out, HasSubstr(R"("published": false)"));
}

TEST(ExplainDeviceTest, ShowsFactsTaintsAndTolerations) {
  EXPECT_EQ(Explain({"device", "gpu.example.com/n1/degraded"}).out,
            "Device gpu.example.com/n1/degraded: on node n1, 1 taint\n"
            "attributes:\n"
            "  cores: 8\n"
            "  model: A100\n"
            "capacity:\n"
            "  memory: 40Gi\n"
            "\n"
            "taint risk=7:NoSchedule (driver) since 2026-01-01T00:00:00Z: tolerated by 1 claim, "
            "not by 2\n"
            "  1 claim by risk Lt 10, margin 3: shop/taken\n"
            "\n"
            "no claim uses it\n");
}

TEST(ExplainDeviceTest, ShowsWhoUsesIt) {
  EXPECT_THAT(Explain({"device/gpu.example.com/n1/busy"}).out,
              HasSubstr("used by claim shop/taken (request r), reserved for web\n"));
  EXPECT_THAT(Explain({"device", "gpu.example.com/n1/lost"}).out,
              HasSubstr("no slice publishes it any more, 0 taints\n\nused by claim shop/gone"));
  EXPECT_THAT(Explain({"device", "gpu.example.com/n1/retired", "-o", "json"}).out,
              HasSubstr(R"("source": "rule/retire")"));
}

TEST(ExplainDeviceTest, WritesNames) {
  EXPECT_EQ(Explain({"claim", "gone", "-o", "name"}).out,
            "gpu.example.com/n1/lost\ngpu.example.com/n1/retired\n");
  EXPECT_EQ(Explain({"claim", "strict", "-o", "name"}).out, "");
  EXPECT_EQ(Explain({"device", "gpu.example.com/n1/busy", "-o", "name"}).out,
            "resourceclaim.resource.k8s.io/taken\n");
  EXPECT_EQ(Explain({"device", "gpu.example.com/n1/old", "-o", "name"}).out, "");
}

TEST(ExplainDeviceTest, VerdictsHaveColours) {
  EXPECT_THAT(Explain({"claim", "strict", "--color=always"}).out,
              testing::AllOf(HasSubstr("\x1b[1mResourceClaim shop/strict: \x1b[0m"),
                             HasSubstr("\x1b[31m0 devices usable\x1b[0m, 4 not\n")));
  EXPECT_THAT(Explain({"claim", "gone", "--color=always"}).out,
              HasSubstr("\x1b[32mtolerated\x1b[0m by retire Exists"));
  EXPECT_THAT(Explain({"device", "gpu.example.com/n1/lost", "--color=always"}).out,
              HasSubstr("\x1b[31mno slice publishes it any more\x1b[0m"));
}

TEST(ExplainDeviceTest, UnknownNamesGetASuggestion) {
  const Outcome outcome = Explain({"device", "gpu.example.com/n1/bussy"});
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean gpu.example.com/n1/busy?"));
  EXPECT_EQ(Explain({"device", "busy"}).code, kExitUsage);
  EXPECT_EQ(RunForTest({"explain", "device"}).code, kExitUsage);
}

TEST(ExplainDeviceTest, ValuesCannotControlTheTerminal) {
  const Outcome outcome = Explain({"device", "gpu.example.com/n2/evil"}, R"(---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s2}
spec:
  driver: gpu.example.com
  pool: {name: n2, generation: 1, resourceSliceCount: 1}
  nodeName: n2
  devices: [{name: evil, attributes: {model: {string: "\e[2J\nused by nobody"}}}]
)");
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("\x1b")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\nused by nobody")));
}

}  // namespace
}  // namespace plimsoll::cli

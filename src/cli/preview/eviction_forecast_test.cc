#include "cli/preview/eviction_forecast.h"

#include <gtest/gtest.h>

#include "controller/objects_for_test.h"

namespace plimsoll::cli {
namespace {

using namespace std::chrono_literals;
using controller::Decode;

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();

ObjectPtr NodeWith(const std::string& taints) {
  return Decode("{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {taints: [" + taints +
                "]}}");
}

ObjectPtr PodWith(const std::string& name, const std::string& toleration) {
  return Decode("{apiVersion: v1, kind: Pod, metadata: {namespace: d, uid: " + name + ", name: " +
                name + "}, spec: {nodeName: n1, tolerations: [{key: risk, " + toleration + "}]}}");
}

TEST(EvictionForecastTest, TellsWhoGoesWhen) {
  EvictionForecast forecast({}, {}, kNoon);
  const ObjectPtr before = NodeWith("");
  forecast.Observe(nullptr, before);
  forecast.Observe(nullptr, PodWith("at-once", "operator: Lt, value: \"5\""));
  forecast.Observe(nullptr, PodWith("later",
                                    "operator: Lt, value: \"5\", tolerationSeconds: 30, "
                                    "effect: NoExecute"));
  forecast.Observe(nullptr, PodWith("stays", "operator: Lt, value: \"50\""));
  forecast.Sync();
  forecast.Observe(before, NodeWith("{key: risk, value: \"8\", effect: NoExecute}"));
  const auto departures = forecast.Run();
  ASSERT_EQ(departures.size(), 2u);
  EXPECT_EQ(departures[0].pod->metadata().name, "at-once");
  EXPECT_EQ(departures[0].at, kNoon);
  EXPECT_TRUE(departures[0].why.contains("taint 8 is not less than 5")) << departures[0].why;
  EXPECT_EQ(departures[1].pod->metadata().name, "later");
  EXPECT_EQ(departures[1].at, kNoon + 30s);
}

TEST(EvictionForecastTest, ACountdownThatRunsIsNotMoved) {
  EvictionForecast forecast({}, {}, kNoon);
  const std::string grace = "operator: Lt, value: \"5\", tolerationSeconds: 30, effect: NoExecute";
  const std::string old =
      "{key: risk, value: \"8\", effect: NoExecute, timeAdded: \"2026-03-01T11:59:50Z\"}";
  const ObjectPtr before = NodeWith(old);
  forecast.Observe(nullptr, before);
  forecast.Observe(nullptr, PodWith("p", grace));
  forecast.Sync();
  forecast.Observe(before, NodeWith("{key: risk, value: \"9\", effect: NoExecute}"));
  const auto departures = forecast.Run();
  ASSERT_EQ(departures.size(), 1u);
  EXPECT_EQ(departures[0].at, kNoon + 20s);
}

}  // namespace
}  // namespace plimsoll::cli

#include "controller/taint_eviction/arrival.h"

#include <gtest/gtest.h>

#include "codec/yaml.h"

namespace plimsoll::controller {
namespace {

Instant ArrivalOfYaml(std::string_view metadata, std::string_view conditions) {
  auto documents =
      codec::ParseYaml("apiVersion: v1\nkind: Pod\nmetadata: {name: p" + std::string(metadata) +
                       "}\nstatus: {conditions: [" + std::string(conditions) + "]}\n");
  const auto decoded = api::DecodeObject(std::move(documents->front()), {.apply_defaults = false});
  return ArrivalOf(*decoded->object);
}

TEST(ArrivalTest, IsWhenThePodWasScheduledElseCreated) {
  constexpr std::string_view kCreated = ", creationTimestamp: '2026-03-01T12:00:00Z'";
  constexpr std::string_view kScheduled =
      "{type: Ready, status: 'True', lastTransitionTime: '2026-03-01T15:00:00Z'}, "
      "{type: PodScheduled, status: 'True', lastTransitionTime: '2026-03-01T12:30:00Z'}";
  constexpr std::string_view kUnscheduled =
      "{type: PodScheduled, status: 'False', lastTransitionTime: '2026-03-01T12:30:00Z'}";
  const Instant created = ParseTime("2026-03-01T12:00:00Z").value();
  EXPECT_EQ(ArrivalOfYaml(kCreated, kScheduled), ParseTime("2026-03-01T12:30:00Z").value());
  EXPECT_EQ(ArrivalOfYaml(kCreated, kUnscheduled), created);
  EXPECT_EQ(ArrivalOfYaml(kCreated, ""), created);
  EXPECT_EQ(ArrivalOfYaml("", ""), Instant::min());
}

}  // namespace
}  // namespace plimsoll::controller

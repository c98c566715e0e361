#include "dra/eviction_time.h"

#include <gtest/gtest.h>

#include <limits>

namespace plimsoll::dra {
namespace {

using namespace std::chrono_literals;

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();
constexpr std::optional<std::int64_t> kForEver;
constexpr std::optional<Duration> kNever;

api::Toleration Exists(std::string_view key, std::string_view effect,
                       std::optional<std::int64_t> seconds) {
  return {.key = key, .op = "Exists", .effect = effect, .toleration_seconds = seconds};
}

struct TimeCase {
  std::string_view name;
  std::vector<api::Toleration> tolerations;
  std::optional<Duration> time;  // after the taint was added
};

TEST(EvictionTimeTest, TheLeastSecondsOfAllThatCoverTheTaintCount) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const TimeCase kCases[] = {
      {"none", {}, 0s},
      {"of another key", {Exists("b", "NoExecute", kForEver)}, 0s},
      {"of another effect", {Exists("a", "NoSchedule", kForEver)}, 0s},
      {"for ever", {Exists("a", "NoExecute", kForEver)}, kNever},
      {"without effect", {Exists("a", "", kForEver)}, kNever},
      {"without effect, for a while", {Exists("a", "", 60)}, 60s},
      {"without key", {Exists("", "NoExecute", kForEver)}, kNever},
      {"least", {Exists("a", "NoExecute", 60), Exists("a", "NoExecute", 30)}, 30s},
      {"one for ever", {Exists("a", "NoExecute", 60), Exists("a", "", kForEver)}, kNever},
      {"below zero", {Exists("a", "NoExecute", -5)}, 0s},
      {"more than fits", {Exists("a", "NoExecute", kMax)}, kNever},
      {"more than fits, twice around", {Exists("a", "NoExecute", 18'446'744'074)}, kNever},
      {"ends after all times", {Exists("a", "NoExecute", 9'000'000'000)}, kNever},
      {"equal", {{.key = "a", .op = "Equal", .value = "3", .effect = "NoExecute"}}, kNever},
      {"not equal", {{.key = "a", .op = "Equal", .value = "4", .effect = "NoExecute"}}, 0s},
      {"within a threshold",
       {{.key = "a", .op = "Lt", .value = "5", .effect = "NoExecute", .toleration_seconds = 60}},
       kNever},
      {"past a threshold",
       {{.key = "a", .op = "Gt", .value = "5", .effect = "NoExecute", .toleration_seconds = 60}},
       60s},
      {"past a threshold without grace",
       {{.key = "a", .op = "Gt", .value = "5", .effect = "NoExecute"}},
       0s},
      {"covered beside a threshold",
       {{.key = "a", .op = "Gt", .value = "5", .effect = "NoExecute", .toleration_seconds = 10},
        Exists("a", "NoExecute", 60)},
       60s},
  };
  api::DeviceTaint taint;
  taint.key = "a";
  taint.value = "3";
  taint.effect = "NoExecute";
  for (const TimeCase& c : kCases) {
    const std::optional<Instant> when = EvictionTime(taint, kNoon, c.tolerations, {});
    ASSERT_EQ(when.has_value(), c.time.has_value()) << c.name;
    if (!when) continue;
    EXPECT_EQ(*when - kNoon, *c.time) << c.name;
  }
}

TEST(EvictionTimeTest, ThresholdsWithoutGraceAreReadAsUpstreamDoes) {
  api::DeviceTaint taint;
  taint.key = "a";
  taint.value = "3";
  taint.effect = "NoExecute";
  const match::TolerationTimeRules rules{.match = {}, .threshold_grace = false};
  const std::vector<api::Toleration> within = {
      {.key = "a", .op = "Lt", .value = "5", .effect = "NoExecute", .toleration_seconds = 60}};
  const std::vector<api::Toleration> past = {
      {.key = "a", .op = "Gt", .value = "5", .effect = "NoExecute", .toleration_seconds = 60}};
  EXPECT_EQ(EvictionTime(taint, kNoon, within, rules), kNoon + 60s);
  EXPECT_EQ(EvictionTime(taint, kNoon, past, rules), kNoon);
}

struct UntilCase {
  std::string_view name;
  std::string_view effect;
  std::vector<api::Toleration> tolerations;
  Instant until;
};

TEST(ToleratedUntilTest, SecondsEndTheTolerationOfNoExecuteAlone) {
  constexpr std::string_view kNoExecute = "NoExecute";
  const UntilCase kCases[] = {
      {"none", kNoExecute, {}, Instant::min()},
      {"for ever", kNoExecute, {Exists("a", "", kForEver)}, Instant::max()},
      {"for a while", kNoExecute, {Exists("a", "NoExecute", 6)}, kNoon + 6s},
      {"for no time", kNoExecute, {Exists("a", "NoExecute", 0)}, kNoon},
      {"least", kNoExecute, {Exists("a", "", 60), Exists("a", "NoExecute", 6)}, kNoon + 6s},
      {"practically for ever", kNoExecute, {Exists("a", "", 10'000'000'000)}, Instant::max()},
      {"another effect", "NoSchedule", {Exists("a", "", 6)}, Instant::max()},
      {"another effect, named", "NoSchedule", {Exists("a", "NoSchedule", 6)}, Instant::max()},
      {"within a threshold",
       kNoExecute,
       {{.key = "a", .op = "Lt", .value = "5", .toleration_seconds = 60}},
       Instant::max()},
      {"past a threshold",
       kNoExecute,
       {{.key = "a", .op = "Gt", .value = "5", .toleration_seconds = 60}},
       Instant::min()},
  };
  for (const UntilCase& c : kCases) {
    api::DeviceTaint taint;
    taint.key = "a";
    taint.value = "3";
    taint.effect = c.effect;
    EXPECT_EQ(ToleratedUntil(taint, kNoon, c.tolerations, {}), c.until) << c.name;
  }
}

}  // namespace
}  // namespace plimsoll::dra

#include "agent/preemption.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "api/decode/decode_json_for_test.h"

namespace plimsoll::agent {
namespace {

using testing::ElementsAre;

constexpr std::int32_t kCritical = 2'000'000'000;

std::shared_ptr<const api::Object> Pod(std::string_view name, std::string_view quality,
                                       std::int64_t cpu, std::int32_t priority = 0) {
  return api::DecodeJson(fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}"}},"spec":{{"priority":{},)"
      R"("containers":[{{"name":"c","resources":{{"requests":{{"cpu":"{}m"}}}}}}]}},)"
      R"("status":{{"qosClass":"{}"}}}})",
      name, priority, cpu, quality));
}

class PreemptionTest : public testing::Test {
 protected:
  void Add(std::string_view name, std::string_view quality, std::int64_t cpu,
           std::int32_t priority = 0) {
    pods_.push_back(Pod(name, quality, cpu, priority));
    requests_.push_back(
        std::make_unique<Amounts>(RequestsOf(pods_.back()->As<api::Pod>()->spec, names_)));
  }

  /// Returns the names of the victims, or `nobody can help` if all are not enough.
  std::vector<std::string> Victims(std::int64_t cpu, std::int64_t pods = 0) {
    std::vector<Tenant> tenants;
    for (std::size_t i = 0; i < pods_.size(); ++i) {
      tenants.push_back({pods_[i].get(), requests_[i].get()});
    }
    std::vector<Shortage> shortages;
    if (cpu > 0) shortages.push_back({names_.Acquire("cpu").id, cpu});
    if (pods > 0) shortages.push_back({names_.Acquire("pods").id, pods});
    const auto preemptor = Pod("critical", "Burstable", cpu, kCritical);
    const auto chosen = ChooseVictims(*preemptor->As<api::Pod>(), tenants, shortages, names_);
    if (!chosen) return {"nobody can help"};
    std::vector<std::string> out;
    for (const std::size_t i : *chosen) out.emplace_back(pods_[i]->metadata().name);
    return out;
  }

  Interner names_;
  std::vector<std::shared_ptr<const api::Object>> pods_;
  std::vector<std::unique_ptr<Amounts>> requests_;
};

TEST_F(PreemptionTest, TheLeastProtectedGoFirst) {
  Add("guaranteed", "Guaranteed", 500);
  Add("burstable", "Burstable", 500);
  Add("best-effort", "BestEffort", 0);
  EXPECT_THAT(Victims(400), ElementsAre("burstable"));
  EXPECT_THAT(Victims(0, 1), ElementsAre("best-effort"));
  EXPECT_THAT(Victims(700), ElementsAre("burstable", "guaranteed"));
}

TEST_F(PreemptionTest, TheSmallestThatIsEnoughGoes) {
  Add("large", "Burstable", 900);
  Add("fitting", "Burstable", 300);
  Add("small", "Burstable", 100);
  EXPECT_THAT(Victims(300), ElementsAre("fitting"));
  EXPECT_THAT(Victims(350), ElementsAre("large"));
  EXPECT_THAT(Victims(1000), ElementsAre("large", "small"));
}

TEST_F(PreemptionTest, NobodyGoesForNothing) {
  Add("small", "Burstable", 100);
  EXPECT_THAT(Victims(200), ElementsAre("nobody can help"));
  EXPECT_THAT(Victims(0), ElementsAre());
}

TEST_F(PreemptionTest, CriticalPodsStay) {
  Add("critical-too", "Burstable", 500, kCritical);
  EXPECT_THAT(Victims(100), ElementsAre("nobody can help"));
}

TEST_F(PreemptionTest, OrdinaryPodsGoByPriority) {
  const auto low = Pod("low", "Burstable", 1, 1);
  const auto high = Pod("high", "Burstable", 1, 2);
  EXPECT_TRUE(MayPreempt(*high->As<api::Pod>(), *low->As<api::Pod>()));
  EXPECT_FALSE(MayPreempt(*low->As<api::Pod>(), *high->As<api::Pod>()));
  EXPECT_FALSE(MayPreempt(*low->As<api::Pod>(), *low->As<api::Pod>()));
}

}  // namespace
}  // namespace plimsoll::agent

#include "scheduler/attempt_metrics.h"

#include <gtest/gtest.h>

#include "scheduler/scheduler_parts_for_test.h"

namespace plimsoll::scheduler {
namespace {

class AttemptMetricsTest : public SchedulerParts, public testing::Test {
 protected:
  bool CountsEvaluation(std::string_view point, std::string_view status, int times) {
    return HasMetric("scheduler_plugin_evaluation_total{extension_point=\"" + std::string(point) +
                     "\",plugin=\"Scripted\",profile=\"default-scheduler\",status=\"" +
                     std::string(status) + "\"} " + std::to_string(times));
  }
};

TEST_F(AttemptMetricsTest, CountsThePluginsOfPlacedPods) {
  attempt_metrics_.CountPlaced(0);
  attempt_metrics_.CountPlaced(0);
  EXPECT_TRUE(CountsEvaluation("Filter", "Success", 2)) << registry_.Text();
}

TEST_F(AttemptMetricsTest, CountsThePluginThatRefused) {
  attempt_metrics_.CountRefusal(0, *RefusedBy("Scripted"));
  EXPECT_TRUE(CountsEvaluation("Filter", "Unschedulable", 1)) << registry_.Text();
}

TEST_F(AttemptMetricsTest, CountsThePluginThatFailed) {
  Placement placement;
  placement.error = Verdict::Of(Code::Error, "broken");
  placement.error.plugin = "Scripted";
  attempt_metrics_.CountError(0, placement);
  EXPECT_TRUE(CountsEvaluation("Filter", "Error", 1)) << registry_.Text();
}

TEST_F(AttemptMetricsTest, CountsTheFaultsOfADiagnosis) {
  Diagnosis diagnosis;
  diagnosis.has_numeric_mismatch = true;
  diagnosis.has_label_parse_failure = true;
  attempt_metrics_.CountRefusal(0, diagnosis);
  EXPECT_TRUE(HasMetric("scheduler_numeric_taint_mismatches_total 1"));
  EXPECT_TRUE(HasMetric("scheduler_toleration_parse_failures_total 0"));
  EXPECT_TRUE(HasMetric("scheduler_label_parse_failures_total 1"));
}

TEST_F(AttemptMetricsTest, RecordsOnlyTheStepsThatRan) {
  Placement placement;
  placement.times.pre_filter = std::chrono::milliseconds(1);
  attempt_metrics_.RecordTimes(0, placement);
  const std::string name = "scheduler_framework_extension_point_duration_seconds_count";
  EXPECT_TRUE(HasMetric(name + "{extension_point=\"PreFilter\""));
  EXPECT_FALSE(HasMetric(name + "{extension_point=\"Score\""));
}

}  // namespace
}  // namespace plimsoll::scheduler

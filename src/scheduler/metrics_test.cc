#include "scheduler/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace plimsoll::scheduler {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

class SchedulerMetricsTest : public testing::Test {
 protected:
  MetricsRegistry registry_;
  SchedulerMetrics metrics_{registry_, {{"default-scheduler", {{"A", kFilter}, {"B", kScore}}}}};
};

TEST_F(SchedulerMetricsTest, ThoseWithoutLabelsAreThereFromTheStart) {
  for (const std::string name :
       {"scheduler_scheduling_algorithm_duration_seconds_count 0",
        "scheduler_pod_scheduling_attempts_count 0", "scheduler_preemption_attempts_total 0",
        "scheduler_preemption_victims_count 0", "scheduler_pod_scheduled_after_flush_total 0",
        "scheduler_numeric_tolerations_total 0", "scheduler_numeric_taint_mismatches_total 0",
        "scheduler_toleration_parse_failures_total 0", "scheduler_pending_pods{queue=\"gated\"} 0",
        "scheduler_toleration_expression_cache_total{result=\"hit\"} 0",
        "scheduler_cache_size{type=\"nodes\"} 0"}) {
    EXPECT_THAT(registry_.Text(), HasSubstr(name));
  }
}

TEST_F(SchedulerMetricsTest, CountsAttempts) {
  metrics_.Attempted(0, AttemptResult::Scheduled, 3ms);
  metrics_.Attempted(0, AttemptResult::Error, 1ms);
  metrics_.PodScheduled(2, 5s, true);
  metrics_.PodScheduled(99, 5s, false);
  const std::string text = registry_.Text();
  EXPECT_THAT(text, HasSubstr("scheduler_schedule_attempts_total{profile=\"default-scheduler\","
                              "result=\"scheduled\"} 1"));
  EXPECT_THAT(text, HasSubstr("scheduler_scheduling_attempt_duration_seconds_bucket{profile="
                              "\"default-scheduler\",result=\"scheduled\",le=\"0.004\"} 1"));
  EXPECT_THAT(text, HasSubstr("scheduler_schedule_attempts_total{profile=\"default-scheduler\","
                              "result=\"error\"} 1"));
  EXPECT_THAT(text,
              HasSubstr("scheduler_pod_scheduling_sli_duration_seconds_count{attempts=\"2\"} 1"));
  EXPECT_THAT(text,
              HasSubstr("scheduler_pod_scheduling_sli_duration_seconds_count{attempts=\"15+\"} 1"));
  EXPECT_THAT(text, HasSubstr("scheduler_pod_scheduled_after_flush_total 1"));
}

TEST_F(SchedulerMetricsTest, AttemptsAreToBeFoundByTheNamesOfTheDesignDocuments) {
  metrics_.Attempted(0, AttemptResult::Scheduled, 3ms);
  const std::string text = registry_.Text();
  for (const std::string_view name :
       {"schedule_attempts_total", "scheduling_attempts_total",
        "scheduling_attempt_duration_seconds_count", "scheduling_duration_seconds_count"}) {
    EXPECT_THAT(text, HasSubstr("scheduler_" + std::string(name) +
                                "{profile=\"default-scheduler\",result=\"scheduled\"} 1"));
  }
}

TEST_F(SchedulerMetricsTest, CountsPlugins) {
  metrics_.PointRan(0, kPostFilter, Code::Unschedulable, 1ms);
  metrics_.PluginRan("A", kFilter, Code::Success, 20us);
  metrics_.Evaluated(0, 0, kFilter, Code::UnschedulableAndUnresolvable, 2);
  metrics_.Evaluated(0, 0, kFilter, Code::UnschedulableAndUnresolvable, 1);
  metrics_.Refusals(0, 1, 1);
  metrics_.Flush();
  const std::string text = registry_.Text();
  EXPECT_THAT(text, HasSubstr("scheduler_framework_extension_point_duration_seconds_count{"
                              "extension_point=\"PostFilter\",profile=\"default-scheduler\",status="
                              "\"Unschedulable\"} 1"));
  EXPECT_THAT(text, HasSubstr("scheduler_plugin_execution_duration_seconds_count{extension_point="
                              "\"Filter\",plugin=\"A\",status=\"Success\"} 1"));
  EXPECT_THAT(text, HasSubstr("scheduler_framework_extension_point_duration_seconds_count{"
                              "extension_point=\"Filter\",plugin=\"A\",profile="
                              "\"default-scheduler\",status=\"Success\"} 1"));
  EXPECT_THAT(text, HasSubstr("scheduler_plugin_evaluation_total{extension_point=\"Filter\",plugin="
                              "\"A\",profile=\"default-scheduler\",status=\"Error\"} 0"));
  EXPECT_THAT(text, HasSubstr("scheduler_plugin_evaluation_total{extension_point=\"Filter\",plugin="
                              "\"A\",profile=\"default-scheduler\",status="
                              "\"UnschedulableAndUnresolvable\"} 3"));
  EXPECT_THAT(text, HasSubstr("scheduler_unschedulable_pods{plugin=\"B\",profile="
                              "\"default-scheduler\"} 1"));
}

TEST_F(SchedulerMetricsTest, CountsHowOftenExpressionsWereCompiled) {
  metrics_.SetExpressionCache(3, 1);
  metrics_.SetExpressionCache(5, 1);
  const std::string text = registry_.Text();
  EXPECT_THAT(text, HasSubstr("scheduler_toleration_expression_cache_total{result=\"hit\"} 5"));
  EXPECT_THAT(text, HasSubstr("scheduler_toleration_expression_cache_total{result=\"miss\"} 1"));
}

TEST_F(SchedulerMetricsTest, CountsCalls) {
  metrics_.CallEnded(CallType::PodBinding, true, 3ms);
  metrics_.CallEnded(CallType::PodStatusPatch, false, 3ms);
  metrics_.SetPendingCalls(CallType::PodBinding, 4);
  metrics_.PreemptionEnded(true, 15ms);
  metrics_.PermitEnded(Code::Unschedulable, 2s);
  metrics_.Flush();
  const std::string text = registry_.Text();
  for (const std::string line :
       {"async_api_call_execution_total{call_type=\"pod_binding\",result=\"success\"} 1",
        "async_api_call_execution_total{call_type=\"pod_status_patch\",result=\"error\"} 1",
        "async_api_call_execution_duration_seconds_bucket{call_type=\"pod_binding\",result="
        "\"success\",le=\"0.004\"} 1",
        "pending_async_api_calls{call_type=\"pod_binding\"} 4",
        "preemption_goroutines_execution_total{result=\"success\"} 1",
        "preemption_goroutines_duration_seconds_bucket{result=\"success\",le=\"0.02\"} 1",
        "permit_wait_duration_seconds_sum{result=\"Unschedulable\"} 2"}) {
    EXPECT_THAT(text, HasSubstr("scheduler_" + line));
  }
}

TEST_F(SchedulerMetricsTest, CountsTheQueue) {
  constexpr std::string_view kLabel = "NodeAdd";
  metrics_.Incoming(QueueName::Active, kLabel);
  metrics_.Incoming(QueueName::Active, kLabel);
  metrics_.Incoming(QueueName::Backoff, kLabel);
  metrics_.EventHandled(kLabel, 3ms);
  metrics_.Flush();
  metrics_.SetPending(QueueName::Unschedulable, 7);
  metrics_.SetCacheSize(5, 4, 3);
  const std::string text = registry_.Text();
  EXPECT_THAT(
      text, HasSubstr("scheduler_queue_incoming_pods_total{event=\"NodeAdd\",queue=\"active\"} 2"));
  EXPECT_THAT(
      text,
      HasSubstr("scheduler_queue_incoming_pods_total{event=\"NodeAdd\",queue=\"backoff\"} 1"));
  EXPECT_THAT(text, Not(HasSubstr("queue=\"unschedulable\"} 1")));
  EXPECT_THAT(text,
              HasSubstr("scheduler_event_handling_duration_seconds_sum{event=\"NodeAdd\"} 0.003"));
  EXPECT_THAT(text, HasSubstr("scheduler_pending_pods{queue=\"unschedulable\"} 7"));
  EXPECT_THAT(text, HasSubstr("scheduler_cache_size{type=\"assumed_pods\"} 3"));
  EXPECT_THAT(text, HasSubstr("scheduler_cache_size{type=\"nodes\"} 5"));
  EXPECT_THAT(text, HasSubstr("scheduler_cache_size{type=\"pods\"} 4"));
}

}  // namespace
}  // namespace plimsoll::scheduler

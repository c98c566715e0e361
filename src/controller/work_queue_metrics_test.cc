#include "controller/work_queue_metrics.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "controller/work_queue.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

constexpr Instant kNow{1000s};

/// A stopwatch that the test moves.
Duration measured_time{};
Duration MeasuredTime() { return measured_time; }

class WorkQueueMetricsTest : public testing::Test {
 protected:
  WorkQueueMetricsTest() { queue_.Measure(metrics_.Add("deployment")); }
  /// Returns the value of a series, such as `depth`.
  double Value(std::string_view series) const {
    const std::string start = "\nworkqueue_" + std::string(series) + "{name=\"deployment\"} ";
    const std::string text = registry_.Text();
    const std::size_t at = text.find(start);
    EXPECT_NE(at, std::string::npos) << start << " is missing in\n" << text;
    return at == std::string::npos ? -1 : std::stod(text.substr(at + start.size()));
  }

  MetricsRegistry registry_;
  WorkQueueMetrics metrics_{registry_, MeasuredTime};
  WorkQueue<std::string> queue_;
};

TEST_F(WorkQueueMetricsTest, AKeyCountsOnceItIsDue) {
  queue_.Add("now");
  queue_.Add("now");
  queue_.AddAt("later", kNow + 1s);
  EXPECT_EQ(Value("depth"), 1);
  EXPECT_EQ(Value("adds_total"), 1);
  EXPECT_EQ(queue_.Take(kNow + 2s), "now");
  EXPECT_EQ(Value("depth"), 1);
  EXPECT_EQ(Value("adds_total"), 2);
  EXPECT_EQ(queue_.Take(kNow + 2s), "later");
  EXPECT_EQ(Value("depth"), 0);
}

TEST_F(WorkQueueMetricsTest, AKeyThatBecomesDueEarlierCountsOnce) {
  EXPECT_EQ(queue_.Take(kNow), std::nullopt);
  queue_.AddAt("a", kNow + 5s);
  queue_.Add("a");
  queue_.AddAt("b", kNow);
  queue_.Add("b");
  EXPECT_EQ(Value("adds_total"), 2);
  queue_.Erase("a");
  EXPECT_EQ(Value("depth"), 1);
  queue_.AddAt("c", kNow + 5s);
  queue_.Erase("c");
  EXPECT_EQ(Value("depth"), 1);
}

TEST_F(WorkQueueMetricsTest, CountsRetries) {
  queue_.Retry("a", kNow);
  queue_.Retry("a", kNow);
  EXPECT_EQ(Value("retries_total"), 2);
  EXPECT_EQ(Value("adds_total"), 0);
  EXPECT_EQ(queue_.Take(kNow + 1s), "a");
  EXPECT_EQ(Value("adds_total"), 1);
}

TEST_F(WorkQueueMetricsTest, MeasuresTheTimeInTheQueueAndTheWork) {
  queue_.Add("a");
  queue_.Add("b");
  measured_time += 2s;
  EXPECT_EQ(queue_.Take(kNow), "a");
  EXPECT_EQ(Value("queue_duration_seconds_sum"), 2);
  measured_time += 3s;
  EXPECT_EQ(Value("unfinished_work_seconds"), 3);
  EXPECT_EQ(Value("longest_running_processor_seconds"), 3);
  EXPECT_EQ(Value("work_duration_seconds_count"), 0);
  EXPECT_EQ(queue_.Take(kNow), "b");
  EXPECT_EQ(Value("queue_duration_seconds_sum"), 7);
  EXPECT_EQ(Value("work_duration_seconds_sum"), 3);
  measured_time += 1s;
  queue_.Finish();
  EXPECT_EQ(queue_.Take(kNow), std::nullopt);
  EXPECT_EQ(Value("work_duration_seconds_sum"), 4);
  EXPECT_EQ(Value("work_duration_seconds_count"), 2);
  EXPECT_EQ(Value("unfinished_work_seconds"), 0);
}

}  // namespace
}  // namespace plimsoll::controller

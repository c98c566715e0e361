#include "base/process_metrics.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

#include "base/metrics.h"
#include "gtest/gtest.h"

namespace plimsoll {
namespace {

double ValueOf(const MetricsRegistry& registry, std::string_view name) {
  const std::string text = registry.Text();
  const std::size_t at = text.find("\n" + std::string(name) + " ");
  EXPECT_NE(at, std::string::npos) << name << " is missing in\n" << text;
  return at == std::string::npos ? -1 : std::strtod(&text[at + name.size() + 2], nullptr);
}

TEST(ProcessMetricsTest, HasTheNamesTypesAndHelpOfPrometheus) {
  MetricsRegistry registry;
  AddProcessMetrics(registry);
  const std::string text = registry.Text();
  for (const std::string_view line :
       {"# HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.\n"
        "# TYPE process_cpu_seconds_total counter\n",
        "# HELP process_open_fds Number of open file descriptors.\n"
        "# TYPE process_open_fds gauge\n",
        "# TYPE process_start_time_seconds gauge\n"}) {
    EXPECT_TRUE(text.contains(line)) << line << " is missing in\n" << text;
  }
}

TEST(ProcessMetricsTest, ReadsMemoryAndLimits) {
  MetricsRegistry registry;
  AddProcessMetrics(registry);
  EXPECT_GT(ValueOf(registry, "process_resident_memory_bytes"), 100'000);
  EXPECT_GE(ValueOf(registry, "process_virtual_memory_bytes"),
            ValueOf(registry, "process_resident_memory_bytes"));
  EXPECT_GT(ValueOf(registry, "process_virtual_memory_max_bytes"), 0);
  EXPECT_GE(ValueOf(registry, "process_max_fds"), ValueOf(registry, "process_open_fds"));
}

TEST(ProcessMetricsTest, CountsOpenFiles) {
  MetricsRegistry registry;
  AddProcessMetrics(registry);
  const double before = ValueOf(registry, "process_open_fds");
  const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(descriptor, 0);
  EXPECT_EQ(ValueOf(registry, "process_open_fds"), before + 1);
  close(descriptor);
  EXPECT_EQ(ValueOf(registry, "process_open_fds"), before);
}

TEST(ProcessMetricsTest, CpuTimeGrowsAndTheStartIsInThePast) {
  MetricsRegistry registry;
  AddProcessMetrics(registry);
  const double before = ValueOf(registry, "process_cpu_seconds_total");
  EXPECT_GT(before, 0);
  EXPECT_GT(ValueOf(registry, "process_cpu_seconds_total"), before);
  const double start = ValueOf(registry, "process_start_time_seconds");
  const auto now = static_cast<double>(std::time(nullptr));
  EXPECT_LE(start, now + 1);
  EXPECT_GT(start, now - 86'400);
}

}  // namespace
}  // namespace plimsoll

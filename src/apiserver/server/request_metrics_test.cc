#include "apiserver/server/request_metrics.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

ApiRequest Request(const ResourceTable& table, const std::string& method, std::string_view target) {
  return {net::Request{.method = method}, ParseRequest(method, target, table)};
}

TEST(RequestMetricsTest, CountsUnderUpstreamsNames) {
  const ResourceTable table;
  MetricsRegistry registry;
  RequestMetrics metrics(registry);
  metrics.Answered(Request(table, "GET", "/api/v1/namespaces/d/pods"), 200,
                   std::chrono::milliseconds(30), 5000);
  metrics.Answered(Request(table, "GET", "/api/v1/namespaces/d/pods"), 200,
                   std::chrono::milliseconds(1), 5000);
  metrics.Answered(Request(table, "POST", "/api/v1/namespaces/d/pods?dryRun=All"), 201, {}, 10);
  const std::string text = registry.Text();
  EXPECT_TRUE(text.contains(
      "apiserver_request_total{code=\"200\",component=\"apiserver\",dry_run=\"\",group=\"\","
      "resource=\"pods\",scope=\"namespace\",subresource=\"\",verb=\"LIST\",version=\"v1\"} 2"))
      << text;
  EXPECT_TRUE(text.contains("code=\"201\",component=\"apiserver\",dry_run=\"All\"")) << text;
}

TEST(RequestMetricsTest, MadeUpNamesMakeNoSeries) {
  const ResourceTable table;
  MetricsRegistry registry;
  RequestMetrics metrics(registry);
  metrics.Answered(Request(table, "GET", "/api/v1/gadgets7/x"), 404, {}, 0);
  metrics.Answered(Request(table, "GET", "/api/v1/namespaces/d/pods/x/gadget8"), 404, {}, 0);
  EXPECT_FALSE(registry.Text().contains("gadget"));
}

TEST(RequestMetricsTest, WatchesAreLongRunning) {
  const ResourceTable table;
  MetricsRegistry registry;
  RequestMetrics metrics(registry);
  const ApiRequest watch = Request(table, "GET", "/api/v1/pods?watch=true");
  metrics.LongRunning(watch, 1);
  metrics.LongRunning(watch, 1);
  metrics.LongRunning(watch, -1);
  EXPECT_TRUE(registry.Text().contains(
      "apiserver_longrunning_requests{component=\"apiserver\",group=\"\",resource=\"pods\","
      "scope=\"cluster\",subresource=\"\",verb=\"WATCH\",version=\"v1\"} 1"))
      << registry.Text();
}

}  // namespace
}  // namespace plimsoll::apiserver

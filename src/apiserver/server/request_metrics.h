#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "apiserver/request/api_request.h"
#include "base/metrics.h"

namespace plimsoll::apiserver {

/// Upstream's request metrics, under upstream's names. Safe for use by many threads.
class RequestMetrics {
 public:
  explicit RequestMetrics(MetricsRegistry& registry);
  ~RequestMetrics();

  /// Records a response. For a watch: records that it has begun.
  void Answered(const ApiRequest& request, int code, Duration took, std::size_t response_bytes);
  /// `by` is +1 when a watch begins, -1 when it ends.
  void LongRunning(const ApiRequest& request, int by);
  void Inflight(bool is_mutating, int count);
  void AuthenticationAttempt(std::string_view result);
  void AuthorizationAttempt(std::string_view result);

 private:
  class Series;
  std::unique_ptr<Series> series_;
};

}  // namespace plimsoll::apiserver

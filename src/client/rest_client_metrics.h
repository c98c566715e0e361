#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/metrics.h"
#include "net/client.h"

namespace plimsoll::client {

/// Metrics of the requests that a component sends to API servers, with client-go's names:
/// rest_client_requests_total and so on. Each attempt counts, so a retried call counts several
/// times. Safe for use by many threads.
class RestClientMetrics {
 public:
  explicit RestClientMetrics(MetricsRegistry& registry);

  /// Returns a transport that counts the requests which it sends with `transport`. `host` is the
  /// label of that name. The registry must outlive the result.
  std::shared_ptr<net::Transport> Meter(std::shared_ptr<net::Transport> transport,
                                        std::string host) const;

 private:
  class MeteredTransport;

  MetricFamily<Counter> requests_;
  MetricFamily<Histogram> duration_;
  MetricFamily<Histogram> request_bytes_;
  MetricFamily<Histogram> response_bytes_;
};

/// Returns `host:port` of a URL such as `https://host:port/path`.
std::string_view HostOf(std::string_view url);

}  // namespace plimsoll::client

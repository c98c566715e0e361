#include "apiserver/server/request_metrics.h"

#include <boost/functional/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <tuple>
#include <vector>

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kComponent = "apiserver";

std::vector<double> DurationBuckets() {
  return {0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8,  1.0,  1.25, 1.5, 2,
          3,     4,     5,    6,   8,   10,  15,  20.0, 30.0, 45.0, 60.0};
}

std::string_view ScopeOf(const RequestInfo& info) {
  if (!info.is_resource_request) return "";
  if (!info.name.empty() && info.verb != "list" && info.verb != "watch") return "resource";
  return info.namespace_.empty() ? "cluster" : "namespace";
}

/// Paths that are no served resource share one empty label. Otherwise clients could fill the memory
/// with made-up names.
std::string_view GroupOf(const ApiRequest& request) {
  return request.resource == nullptr ? "" : request.resource->group();
}
std::string_view VersionOf(const ApiRequest& request) {
  return request.resource == nullptr ? "" : request.resource->kind->version;
}
std::string_view NameOf(const ApiRequest& request) {
  return request.resource == nullptr ? "" : request.resource->name();
}
std::string_view SubresourceOf(const ApiRequest& request) {
  const bool is_known =
      request.resource != nullptr && request.resource->Serves(request.info.subresource);
  return is_known ? std::string_view(request.info.subresource) : "";
}

/// Labels that identify a series. The string views refer to static text.
struct Key {
  const Resource* resource;
  std::string_view verb;
  std::string_view scope;
  std::string subresource;
  int code;
  bool is_dry_run;

  friend bool operator==(const Key&, const Key&) = default;
  friend std::size_t hash_value(const Key& key) {
    std::size_t seed = 0;
    boost::hash_combine(seed, key.resource);
    boost::hash_combine(seed, std::hash<std::string_view>()(key.verb));
    boost::hash_combine(seed, std::hash<std::string_view>()(key.scope));
    boost::hash_combine(seed, std::hash<std::string>()(key.subresource));
    boost::hash_combine(seed, key.code);
    boost::hash_combine(seed, key.is_dry_run);
    return seed;
  }
};

struct Handles {
  Counter total;
  Histogram duration;
  Histogram sli_duration;
  Histogram response_bytes;
};

/// Returns the verb as metrics name it: GET, LIST, WATCH, POST, PUT, PATCH, APPLY, DELETE, …
std::string_view MetricVerb(const ApiRequest& request) {
  const std::string& verb = request.info.verb;
  if (verb == "list") return "LIST";
  if (verb == "watch") return "WATCH";
  if (verb == "deletecollection") return "DELETECOLLECTION";
  const std::string& method = request.http.method;
  if (method == "GET" || method == "HEAD") return "GET";
  if (method == "POST") return "POST";
  if (method == "PUT") return "PUT";
  if (method == "DELETE") return "DELETE";
  if (method == "PATCH") {
    return request.http.headers.Find("Content-Type").starts_with("application/apply-patch")
               ? "APPLY"
               : "PATCH";
  }
  return "other";
}

}  // namespace

class RequestMetrics::Series {
 public:
  explicit Series(MetricsRegistry& registry)
      : total(registry.AddCounters({"apiserver_request_total",
                                    "Requests that the server has answered.",
                                    {"code", "component", "dry_run", "group", "resource", "scope",
                                     "subresource", "verb", "version"},
                                    Stability::Stable})),
        duration(registry.AddHistograms({"apiserver_request_duration_seconds",
                                         "Time that requests took, without watches.",
                                         {"component", "dry_run", "group", "resource", "scope",
                                          "subresource", "verb", "version"},
                                         Stability::Stable},
                                        DurationBuckets())),
        sli_duration(registry.AddHistograms(
            {"apiserver_request_sli_duration_seconds",
             "Time that requests took, without watches and waiting for webhooks and in queues.",
             {"component", "group", "resource", "scope", "subresource", "verb", "version"}},
            DurationBuckets())),
        response_bytes(registry.AddHistograms(
            {"apiserver_response_sizes",
             "Size of response bodies in bytes.",
             {"component", "group", "resource", "scope", "subresource", "verb", "version"},
             Stability::Stable},
            ExponentialBuckets(1000, 10.0, 7))),
        long_running(registry.AddGauges(
            {"apiserver_longrunning_requests",
             "Open watches.",
             {"component", "group", "resource", "scope", "subresource", "verb", "version"},
             Stability::Stable})),
        inflight(registry.AddGauges({"apiserver_current_inflight_requests",
                                     "Requests in flight, without watches.",
                                     {"request_kind"},
                                     Stability::Stable})),
        reading(inflight.With({"readOnly"})),
        mutating(inflight.With({"mutating"})),
        authentication(registry.AddCounters(
            {"authentication_attempts", "Authentication attempts, by result.", {"result"}})),
        authorization(registry.AddCounters(
            {"authorization_attempts_total", "Authorization attempts, by result.", {"result"}})) {}

  Handles Of(const ApiRequest& request, int code) {
    const Key key{request.resource,
                  MetricVerb(request),
                  ScopeOf(request.info),
                  std::string(SubresourceOf(request)),
                  code,
                  request.target.HasQuery("dryRun")};
    {
      const std::shared_lock lock(mutex_);
      const auto found = known_.find(key);
      if (found != known_.end()) return found->second;
    }
    const std::scoped_lock lock(mutex_);
    return known_.try_emplace(key, Make(request, key)).first->second;
  }

  Gauge LongRunningOf(const ApiRequest& request) {
    return long_running.With({kComponent, GroupOf(request), NameOf(request), ScopeOf(request.info),
                              SubresourceOf(request), MetricVerb(request), VersionOf(request)});
  }

  MetricFamily<Counter> total;
  MetricFamily<Histogram> duration;
  MetricFamily<Histogram> sli_duration;
  MetricFamily<Histogram> response_bytes;
  MetricFamily<Gauge> long_running;
  MetricFamily<Gauge> inflight;
  Gauge reading;
  Gauge mutating;
  MetricFamily<Counter> authentication;
  MetricFamily<Counter> authorization;

 private:
  Handles Make(const ApiRequest& request, const Key& key) const {
    const std::string_view dry_run = key.is_dry_run ? "All" : "";
    const std::string_view group = GroupOf(request);
    const std::string_view name = NameOf(request);
    const std::string_view version = VersionOf(request);
    const std::string code = std::to_string(key.code);
    return {
        total.With({code, kComponent, dry_run, group, name, key.scope, key.subresource, key.verb,
                    version}),
        duration.With(
            {kComponent, dry_run, group, name, key.scope, key.subresource, key.verb, version}),
        sli_duration.With({kComponent, group, name, key.scope, key.subresource, key.verb, version}),
        response_bytes.With(
            {kComponent, group, name, key.scope, key.subresource, key.verb, version})};
  }

  std::shared_mutex mutex_;
  boost::unordered_flat_map<Key, Handles> known_;
};

RequestMetrics::RequestMetrics(MetricsRegistry& registry)
    : series_(std::make_unique<Series>(registry)) {}
RequestMetrics::~RequestMetrics() = default;

void RequestMetrics::Answered(const ApiRequest& request, int code, Duration took,
                              std::size_t response_bytes) {
  Handles handles = series_->Of(request, code);
  handles.total.Add();
  // The duration of a watch says nothing about the server's latency.
  if (request.info.verb == "watch") return;
  const double seconds = std::chrono::duration<double>(took).count();
  handles.duration.Observe(seconds);
  handles.sli_duration.Observe(seconds);
  handles.response_bytes.Observe(static_cast<double>(response_bytes));
}

void RequestMetrics::LongRunning(const ApiRequest& request, int by) {
  series_->LongRunningOf(request).Add(by);
}

void RequestMetrics::Inflight(bool is_mutating, int count) {
  (is_mutating ? series_->mutating : series_->reading).Set(count);
}

void RequestMetrics::AuthenticationAttempt(std::string_view result) {
  series_->authentication.With({result}).Add();
}

void RequestMetrics::AuthorizationAttempt(std::string_view result) {
  series_->authorization.With({result}).Add();
}

}  // namespace plimsoll::apiserver

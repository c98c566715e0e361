#include "client/rest_client_metrics.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/real_clock.h"

namespace plimsoll::client {
namespace {

/// Value of the label `code` if there was no response.
constexpr int kNoCode = 0;
constexpr std::string_view kNoCodeText = "<error>";

std::vector<double> DurationBuckets() {
  return {0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0};
}

std::vector<double> SizeBuckets() {
  return {64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216};
}

/// Notes the status of a streamed response, and passes everything on.
class StatusReader final : public net::StreamReceiver {
 public:
  explicit StatusReader(net::StreamReceiver& receiver) : receiver_(receiver) {}

  bool OnHead(int status, const net::Headers& headers) override {
    code_ = status;
    return receiver_.OnHead(status, headers);
  }
  bool OnPiece(net::Piece piece) override { return receiver_.OnPiece(std::move(piece)); }
  int code() const { return code_; }

 private:
  net::StreamReceiver& receiver_;
  int code_ = kNoCode;
};

}  // namespace

class RestClientMetrics::MeteredTransport final : public net::Transport {
 public:
  MeteredTransport(const RestClientMetrics& metrics, std::shared_ptr<net::Transport> transport,
                   std::string host)
      : metrics_(metrics), transport_(std::move(transport)), host_(std::move(host)) {}

  std::shared_ptr<net::Canceller> NewCanceller() override { return transport_->NewCanceller(); }
  bool SuspendsFibers() const override { return transport_->SuspendsFibers(); }
  bool IsRemote() const override { return transport_->IsRemote(); }

  Result<net::ClientResponse> Fetch(net::Request request, Duration timeout,
                                    const std::shared_ptr<net::Canceller>& canceller) override {
    Verb& verb = VerbOf(request.method);
    const std::size_t request_bytes = request.body.size();
    const Duration start = SteadyTime();
    Result<net::ClientResponse> response =
        transport_->Fetch(std::move(request), timeout, canceller);
    const Duration took = SteadyTime() - start;
    Sizes sizes = SizesOf(verb);
    sizes.duration.Observe(std::chrono::duration<double>(took).count());
    sizes.request_bytes.Observe(static_cast<double>(request_bytes));
    // A server in the same process passes objects on, and no bytes.
    if (response && response->payload == nullptr) {
      sizes.response_bytes.Observe(static_cast<double>(response->body.size()));
    }
    RequestsOf(verb, response ? response->status : kNoCode).Add();
    return response;
  }

  Status Receive(net::Request request, net::StreamReceiver& receiver,
                 const std::shared_ptr<net::Canceller>& canceller) override {
    Verb& verb = VerbOf(request.method);
    StatusReader reader(receiver);
    Status ended = transport_->Receive(std::move(request), reader, canceller);
    RequestsOf(verb, reader.code()).Add();
    return ended;
  }

 private:
  struct Sizes {
    Histogram duration;
    Histogram request_bytes;
    Histogram response_bytes;
  };
  /// Series of one verb, made when they are used first.
  struct Verb {
    std::string_view name;
    std::optional<Sizes> sizes = {};
    std::vector<std::pair<int, Counter>> requests = {};  // by code, few
  };

  Verb& VerbOf(std::string_view method) {
    const auto found = std::ranges::find(verbs_, method, &Verb::name);
    PL_ASSERT(found != verbs_.end());
    return *found;
  }

  Sizes SizesOf(Verb& verb) {
    {
      const std::shared_lock lock(mutex_);
      if (verb.sizes) return *verb.sizes;
    }
    const std::scoped_lock lock(mutex_);
    verb.sizes = {metrics_.duration_.With({verb.name, host_}),
                  metrics_.request_bytes_.With({verb.name, host_}),
                  metrics_.response_bytes_.With({verb.name, host_})};
    return *verb.sizes;
  }

  Counter RequestsOf(Verb& verb, int code) {
    const auto find = [&] {
      return std::ranges::find(verb.requests, code, &std::pair<int, Counter>::first);
    };
    {
      const std::shared_lock lock(mutex_);
      if (const auto known = find(); known != verb.requests.end()) return known->second;
    }
    const std::scoped_lock lock(mutex_);
    if (const auto known = find(); known != verb.requests.end()) return known->second;
    const std::string text = code == kNoCode ? std::string(kNoCodeText) : std::to_string(code);
    return verb.requests.emplace_back(code, metrics_.requests_.With({text, verb.name, host_}))
        .second;
  }

  const RestClientMetrics metrics_;
  const std::shared_ptr<net::Transport> transport_;
  const std::string host_;
  std::shared_mutex mutex_;
  // All methods that the client uses.
  std::array<Verb, 5> verbs_ = {Verb{"GET"}, Verb{"POST"}, Verb{"PUT"}, Verb{"PATCH"},
                                Verb{"DELETE"}};
};

RestClientMetrics::RestClientMetrics(MetricsRegistry& registry)
    : requests_(registry.AddCounters(
          {"rest_client_requests_total",
           "Number of HTTP requests, partitioned by status code, method, and host.",
           {"code", "method", "host"},
           Stability::Beta})),
      duration_(
          registry.AddHistograms({"rest_client_request_duration_seconds",
                                  "Request latency in seconds. Broken down by verb, and host.",
                                  {"verb", "host"},
                                  Stability::Beta},
                                 DurationBuckets())),
      request_bytes_(registry.AddHistograms({"rest_client_request_size_bytes",
                                             "Request size in bytes. Broken down by verb and host.",
                                             {"verb", "host"}},
                                            SizeBuckets())),
      response_bytes_(
          registry.AddHistograms({"rest_client_response_size_bytes",
                                  "Response size in bytes. Broken down by verb and host.",
                                  {"verb", "host"}},
                                 SizeBuckets())) {}

std::shared_ptr<net::Transport> RestClientMetrics::Meter(std::shared_ptr<net::Transport> transport,
                                                         std::string host) const {
  return std::make_shared<MeteredTransport>(*this, std::move(transport), std::move(host));
}

std::string_view HostOf(std::string_view url) {
  if (const std::size_t scheme = url.find("://"); scheme != std::string_view::npos) {
    url.remove_prefix(scheme + 3);
  }
  return url.substr(0, url.find('/'));
}

}  // namespace plimsoll::client

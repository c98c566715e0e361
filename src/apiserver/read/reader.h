#pragma once

#include <functional>
#include <memory>
#include <string>

#include "apiserver/cache/cache.h"
#include "apiserver/read/continue_token.h"
#include "apiserver/read/list_body.h"
#include "apiserver/read/list_options.h"
#include "apiserver/read/open_watches.h"
#include "apiserver/request/api_request.h"
#include "base/clock.h"
#include "base/metrics.h"
#include "net/http.h"
#include "store/store.h"

namespace plimsoll::apiserver {

/// Serves get, list and watch. If the cache lags behind, it responds later on another thread.
/// Blocks only to read the store. Safe for use by many threads.
class Reader {
 public:
  using RequestPtr = std::shared_ptr<ApiRequest>;
  using ExchangePtr = std::shared_ptr<net::Exchange>;

  /// All references must outlive this object. `seed` is for the timeouts of watches.
  Reader(Cache& cache, store::Store& store, Clock& clock, MetricsRegistry& metrics,
         std::uint64_t seed);
  /// Ends all watches. REQUIRES: no request waits for its response.
  ~Reader() { watches_->EndAll(); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// Serves a get, list or watch. REQUIRES: the resource serves the verb of the request.
  void Serve(const RequestPtr& request, const ExchangePtr& exchange);
  void Get(const RequestPtr& request, const ExchangePtr& exchange);
  void List(const RequestPtr& request, const ExchangePtr& exchange);
  void Watch(const RequestPtr& request, const ExchangePtr& exchange);

  /// Ends all watches, and those that begin later: the server is about to stop.
  void EndWatches() { watches_->EndAll(); }

 private:
  /// Calls `then` when the cache is fresh enough, or responds with an error.
  void WhenFresh(const Freshness& freshness, const RequestPtr& request, const ExchangePtr& exchange,
                 std::function<void()> then);
  /// Fails if a matching object is stored but cannot be decoded, so that it is not omitted
  /// silently. Empty `name`: any object of the namespace, or of all.
  api::Answer<void> CheckReadable(const Resource& resource, std::string_view namespace_,
                                  std::string_view name);
  void RespondObjectOf(const ApiRequest& request, net::Exchange& exchange);
  api::Answer<net::Response> ListFromCache(const ApiRequest& request, const ListOptions& options);
  /// `token` is the start position. Reads at its revision; kNoRevision: the latest.
  api::Answer<net::Response> ListFromStore(const ApiRequest& request, const ListOptions& options,
                                           const ContinueToken& token);
  api::Answer<net::Response> ListPart(const ApiRequest& request, const ListOptions& options);

  Cache& cache_;
  store::Store& store_;
  Clock& clock_;
  const std::shared_ptr<OpenWatches> watches_;
};

}  // namespace plimsoll::apiserver

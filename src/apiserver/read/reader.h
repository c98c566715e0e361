#pragma once

#include <functional>
#include <memory>
#include <string>

#include "apiserver/cache/cache.h"
#include "apiserver/read/continue_token.h"
#include "apiserver/read/list_body.h"
#include "apiserver/read/list_options.h"
#include "apiserver/read/watches.h"
#include "apiserver/request/api_request.h"
#include "base/clock.h"
#include "base/metrics.h"
#include "net/http.h"
#include "store/store.h"

namespace plimsoll::apiserver {

/// Answers get, list and watch. Nothing waits: what must not be answered yet is answered later, on
/// another thread. Safe for use by many threads.
class Reader {
 public:
  using RequestPtr = std::shared_ptr<ApiRequest>;
  using ExchangePtr = std::shared_ptr<net::Exchange>;

  /// All of them must outlive it. `seed` is of the watches' time-outs.
  Reader(Cache& cache, store::Store& store, Clock& clock, MetricsRegistry& metrics,
         std::uint64_t seed);
  /// Ends the watches. No request may wait for its answer.
  ~Reader() { watches_->EndAll(); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// Answers a get, list or watch. REQUIRES: the resource serves the verb of the request.
  void Serve(const RequestPtr& request, const ExchangePtr& exchange);
  void Get(const RequestPtr& request, const ExchangePtr& exchange);
  void List(const RequestPtr& request, const ExchangePtr& exchange);
  void Watch(const RequestPtr& request, const ExchangePtr& exchange);

  /// Ends all watches properly, and those to come: the server is about to stop.
  void EndWatches() { watches_->EndAll(); }

 private:
  /// Calls back when the cache is as fresh as that, or answers the refusal itself.
  void WhenFresh(const Freshness& freshness, const RequestPtr& request, const ExchangePtr& exchange,
                 std::function<void()> then);
  /// Refuses to leave out, in silence, an object that is stored and cannot be read. Without a name:
  /// any of the namespace, or of all.
  api::Answer<void> CheckReadable(const Resource& resource, std::string_view namespace_,
                                  std::string_view name);
  void RespondObjectOf(const ApiRequest& request, net::Exchange& exchange);
  api::Answer<net::Response> ListFromCache(const ApiRequest& request, const ListOptions& options);
  /// `token` is where to begin; its revision is the one to read at, kNoRevision the latest.
  api::Answer<net::Response> ListFromStore(const ApiRequest& request, const ListOptions& options,
                                           const ContinueToken& token);
  api::Answer<net::Response> ListPart(const ApiRequest& request, const ListOptions& options);

  Cache& cache_;
  store::Store& store_;
  Clock& clock_;
  const std::shared_ptr<Watches> watches_;
};

}  // namespace plimsoll::apiserver
